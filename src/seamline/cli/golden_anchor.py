"""`seamline golden anchor`: find gold again after documents changed."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.bench import Config
from seamline.cli.golden_set import read_given
from seamline.cli.locking import alone
from seamline.cli.options import Debug, Docs, Golden, Json, Quiet, Strict, examples
from seamline.cli.output import note, print_json, render, whole_file
from seamline.cli.skips import leave, tell_skipped
from seamline.errors import InvalidConfig
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.golden.moved import Anchored
    from seamline.golden.reanchor import Reanchored
    from seamline.parse import Skipped

__all__ = ["EXAMPLES", "anchor"]

EXAMPLES = examples(
    "seamline golden anchor",
    "seamline golden anchor docs/ --golden golden.jsonl --in-place",
    "seamline golden anchor docs/ --golden golden.jsonl --out new.jsonl --drop-lost",
)

Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Where the new set goes; a file that is not there."),
]
InPlace = Annotated[bool, typer.Option("--in-place", help="Write the new set over the old one.")]
DropLost = Annotated[
    bool, typer.Option("--drop-lost", help="Leave out questions that have lost a gold span.")
]

Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="List every span that moved, not the first few.")
]


def anchor(
    docs: Docs = None,
    *,
    golden: Golden = None,
    config: Config = None,
    out: Out = None,
    in_place: InPlace = False,
    drop_lost: DropLost = False,
    verbose: Verbose = False,
    as_json: Json = False,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Find gold again after documents changed or were renamed.

    Every span that is lost (with the passage most like it) or ambiguous is listed, then the first
    of those that moved. With --in-place or --out, questions whose spans all have a place get
    their new offsets, the text around them and the document's digest; the lines of all others
    stay as they are, to be mended by hand. Without, nothing is written.

    Exit code 0 if every span has its place, 1 if not or a line cannot be read, 3 as 0 but files
    of a folder were skipped.
    """
    from seamline.golden.reanchor import reanchor

    if out is not None and in_place:
        raise InvalidConfig("one of --out and --in-place can be given, got both")
    if out is not None and out.is_file():
        raise InvalidConfig(f"--out must be a new file, but {out} is there: give another name")
    if drop_lost and not (in_place or out):
        raise InvalidConfig("--drop-lost needs --out FILE or --in-place: nothing else is written")
    skipped: list[Skipped] | None = None if strict else []
    file, documents = read_given(docs, golden, config=config, out=out, skipped=skipped, quiet=quiet)
    target = file if in_place else out
    with alone(target) if target else nullcontext():
        found = reanchor(file, documents, drop_lost=drop_lost)
        if target is not None:
            with whole_file(target) as written:
                written.write(found.text)
    if as_json:
        print_json(_record(file, target, found))
    else:
        _show(found, every=verbose)
    tell_skipped(skipped or (), quiet=quiet)
    _tell(file, target, found, quiet=quiet)
    if not found.ok:
        raise typer.Exit(1)
    leave(skipped or ())


def _show(found: Reanchored, *, every: bool) -> None:
    from seamline.report import anchors_table

    if any(one.state != "unchanged" for one in found.spans) or found.broken:
        render(anchors_table(found, every=every))


def _tell(file: Path, target: Path | None, found: Reanchored, *, quiet: bool) -> None:
    from seamline.report.plain import one_line

    states = ", ".join(f"{n:,} {state}" for state, n in found.counts().items() if n)
    spans = counted(len(found.spans), "gold span")
    note(f"{file}: {counted(found.n_questions, 'question')}, {spans}: {states}", quiet=quiet)
    for old, new in found.renamed.items():
        note(one_line(f"{old} is called {new} now"), quiet=quiet)
    if found.broken:
        note(f"{counted(len(found.broken), 'error')} in lines that stay as they are")
    wrote = f"written: {target}" if target else "nothing written: give --in-place or --out FILE"
    note(wrote, quiet=quiet)


def _record(file: Path, target: Path | None, found: Reanchored) -> dict[str, Any]:
    return {
        "path": str(file),
        "written": str(target) if target else None,
        "ok": found.ok,
        "questions": found.n_questions,
        **found.counts(),
        "renamed": dict(found.renamed),
        "errors": [{"line": one.line, "message": str(one)} for one in found.broken],
        "spans": [_span_record(one) for one in found.spans],
    }


def _span_record(one: Anchored) -> dict[str, Any]:
    return {
        "question": one.question,
        "line": one.line,
        "doc_id": one.doc_id,
        "state": one.state,
        "old": [one.old.start, one.old.end] if one.old else None,
        "new": [one.new.start, one.new.end] if one.new else None,
        "text": one.text,
        "why": one.why,
        "near": {"start": one.near.start, "end": one.near.end, "text": one.near_text}
        if one.near
        else None,
    }
