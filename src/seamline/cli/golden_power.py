"""`seamline golden power`: how many questions it takes to see a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.golden_set import read_given
from seamline.cli.options import Debug, Golden, Json, Quiet, Strict, examples
from seamline.cli.output import print_json, render
from seamline.cli.skips import leave, tell_skipped

if TYPE_CHECKING:
    from seamline.bench import Results
    from seamline.bench.power import Needed, Spread
    from seamline.parse import Skipped

__all__ = ["EXAMPLES", "power"]

EXAMPLES = examples(
    "seamline golden power report/results.json",
    "seamline golden power docs/ --golden golden.jsonl",
)
_REPORT = Path("report")

Paths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="RESULTS|DOCS",
        help="A results.json or the folder that holds one, or else documents.  "
        "[default: report/results.json if it is there, else docs/ beside the golden set]",
        show_default=False,
    ),
]


def power(
    paths: Paths = None,
    *,
    golden: Golden = None,
    as_json: Json = False,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Say how many questions it takes to see a difference of 2, 5 or 10 points.

    To see means: significant at 5 %, in 80 % of the cases in which the difference is there. With
    results, by how much the strategies in them differ from question to question and from document
    to document, in the primary measure; with documents and a golden set alone, by what is usual.
    """
    from seamline.bench.results import RESULTS_FILE

    skipped: list[Skipped] | None = None if strict else []
    file = None if golden else _results(paths or [_REPORT], RESULTS_FILE)
    if file:
        from seamline.bench import Results

        found = _measured(Results.load(file))
    else:
        found = _assumed(paths, golden, skipped, quiet=quiet)
        tell_skipped(skipped or (), quiet=quiet)
    if as_json:
        print_json(found)
    else:
        _show(found)
    leave(skipped or ())


def _results(paths: Sequence[Path], name: str) -> Path | None:
    """The results file that is meant, if one is."""
    if len(paths) != 1:
        return None
    (path,) = paths
    if (path / name).is_file():
        return path / name
    return path if path.is_file() and path.suffix == ".json" else None


def _measured(results: Results) -> dict[str, Any]:
    from seamline.bench.power import measured, needed, typical

    spreads, n, n_documents = measured(results)
    middle, widest = typical(spreads)
    rows = [_row("the typical pair", needed(middle, n))]
    if len(spreads) > 1:
        rows += [
            _row("the pair that varies most", needed(widest, n)),
            _row(
                f"the typical of {len(spreads)} pairs at once",
                needed(middle, n, n_tests=len(spreads)),
            ),
        ]
    return {
        "basis": "results",
        "measure": results.data["config"]["primary"],
        "questions": n,
        "documents": n_documents,
        "synthetic_left_out": len(results.data["questions"]) - n,
        "documents_there": len(results.data["documents"]),
        "rows": rows,
        "pairs": [_pair(spread, needed(spread, n)) for spread in spreads],
    }


def _assumed(
    paths: Sequence[Path] | None,
    golden: Path | None,
    skipped: list[Skipped] | None,
    *,
    quiet: bool,
) -> dict[str, Any]:
    from seamline.bench.power import assumed, needed
    from seamline.golden import load_golden

    file, documents = read_given(paths, golden, skipped=skipped, quiet=quiet)
    asked = [question for question in load_golden(file, documents) if question.slots]
    spreads = assumed()
    return {
        "basis": "assumption",
        "measure": None,
        "questions": len(asked),
        "documents": len({question.doc_id for question in asked}),
        "synthetic_left_out": 0,
        "documents_there": len(documents),
        "rows": [_row(spread.name, needed(spread, len(asked))) for spread in spreads],
        "pairs": [_pair(spread, needed(spread, len(asked))) for spread in spreads],
    }


def _row(name: str, one: Needed) -> dict[str, Any]:
    return {
        "name": name,
        "tests": one.n_tests,
        "needed": {f"{difference:g}": n for difference, n in one.questions.items()},
        "seen": one.seen,
    }


def _pair(spread: Spread, one: Needed) -> dict[str, Any]:
    return {**asdict(spread), **_row(spread.name, one)}


def _show(found: dict[str, Any]) -> None:
    from seamline.report import power_table

    render(power_table(found))
