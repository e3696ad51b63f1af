"""`seamline inspect`: what documents are made of, and what adaptive would do with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.options import Debug, Json, examples, limits_here
from seamline.cli.output import print_json, render
from seamline.cli.skips import leave, refuse_all_skipped, tell_pictures, tell_skipped
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.parse import Skipped
    from seamline.protocols import Strategy
    from seamline.types import Chunk, Document

__all__ = ["EXAMPLES", "inspect", "region_rows"]

EXAMPLES = examples(
    "seamline inspect handbook.md",
    "seamline inspect docs/ --json | jq '.[].regions'",
)
_PREVIEW = 60

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Files and folders; of a folder, every document."),
]


def inspect(paths: Paths, as_json: Json = False, _debug: Debug = False) -> None:
    """Show what documents are made of, and how adaptive would cut them.

    For each document its kinds of regions (prose, tables, code, questions and answers, steps,
    clauses, turns …), how much of it they are, and how many of adaptive's units hold some of
    each: a unit that holds two kinds counts for both. Tokens are cl100k_base.

    Files of a folder that cannot be read are skipped, named on stderr with the reason and
    counted; the exit code is then 3. What one file may cost stands in seamline.toml, if the
    current folder has one, under [limits].
    """
    from seamline.parse import read_documents
    from seamline.report import profile_table

    skipped: list[Skipped] = []
    read = read_documents(paths, skipped=skipped, limits=limits_here())
    told = [_profile(document) for document in read]
    refuse_all_skipped(len(told), skipped)
    if as_json:
        print_json(told)
    for one in () if as_json else told:
        numbers = ((one["tokens"], "token"), (one["sections"], "section"), (one["units"], "unit"))
        render(
            profile_table(one["id"], one["regions"], ", ".join(counted(*n) for n in numbers)), ""
        )
    tell_skipped(skipped, quiet=False)
    leave(skipped)


def region_rows(
    document: Document, chunks: Sequence[Chunk], strategy: Strategy
) -> list[dict[str, Any]]:
    """Each region of a document with the numbers of the chunks that hold some of it, and why."""
    from seamline.split.profile import chunks_in, regions
    from seamline.split.strategies import reason_of

    starts, ends = sorted(one.start for one in chunks), sorted(one.end for one in chunks)
    return [
        {
            "kind": region.kind,
            "start": region.start,
            "end": region.end,
            "sections": region.n_sections,
            "chunks": chunks_in(region, starts, ends),
            "begins": document.text[region.start : region.start + _PREVIEW],
            "why": reason_of(strategy, region.kind, document),
        }
        for region in regions(document)
    ]


def _profile(document: Document) -> dict[str, Any]:
    """The kinds of a document's regions, the largest first."""
    from seamline.sizers import parse_sizer
    from seamline.split import parse_strategy

    tell_pictures(document)
    sizer, strategy = parse_sizer("tokens"), parse_strategy("adaptive")
    chunks = strategy.split(document)
    rows = region_rows(document, chunks, strategy)
    total = sizer.size(document.text)
    kinds: dict[str, dict[str, Any]] = {}
    units: dict[str, set[int]] = {}  # a unit may hold two regions of a kind
    for row in rows:
        new = {"kind": row["kind"], "regions": 0, "tokens": 0, "units": 0, "why": row["why"]}
        kind = kinds.setdefault(row["kind"], new)
        kind["regions"] += 1
        kind["tokens"] += sizer.size(document.text[row["start"] : row["end"]])
        units.setdefault(row["kind"], set()).update(row["chunks"])
    for kind in kinds.values():
        kind["units"] = len(units[kind["kind"]])
        kind["share"] = kind["tokens"] / total if total else 0.0
    return {
        "id": document.id,
        "media_type": document.media_type,
        "tokens": total,
        "sections": sum(row["sections"] for row in rows),
        "units": len(chunks),
        "regions": sorted(kinds.values(), key=lambda kind: -kind["tokens"]),
    }
