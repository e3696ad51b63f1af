"""`seamline calibrate`: the similarity under which a search counts as not answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import emit, print_json
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.bench import Results
    from seamline.bench.calibrate import Calibration
    from seamline.bench.schema import StrategyRow

__all__ = ["EXAMPLES", "calibrate"]

EXAMPLES = examples(
    "seamline calibrate",
    'seamline calibrate report --keep 0.99 --configuration "adaptive(target=64)"',
)


def calibrate(
    results: Annotated[
        Path,
        typer.Argument(metavar="RESULTS", help="A results.json, or the folder that holds one."),
    ] = Path("report"),
    *,
    configuration: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="Which row of the results.  [default: the one that `recommend` takes]",
        ),
    ] = None,
    keep: Annotated[
        float,
        typer.Option(metavar="SHARE", help="The share of answered questions that must pass."),
    ] = 0.95,
    as_json: Json = False,
    _debug: Debug = False,
) -> None:
    """Find the similarity under which `search` says "not answered".

    The highest threshold that lets 95 % of the questions pass whose answer was shown whole, and
    what it does to the others. Prints the line for seamline.toml.

    A cosine tells little about whether a passage answers a question: read how many of the
    failed questions it stops before you rely on it.
    """
    from seamline.bench import Results
    from seamline.bench.calibrate import calibrate as found_in

    measured = Results.load(results)
    found = found_in(measured.data, _row(measured, configuration), keep)
    if as_json:
        print_json(found.row())
    else:
        _tell(found)


def _row(measured: Results, configuration: str | None) -> StrategyRow:
    from seamline.bench.recommend import recommend
    from seamline.errors import UnknownName
    from seamline.registry import suggest

    rows = {row["spec"]: row for row in measured.data["strategies"]}
    if configuration is None:
        chosen = recommend(measured).chosen
        configuration = chosen.spec if chosen else measured.summary()[0].spec
    near = [spec for spec in rows if spec.startswith(f"{configuration} |")]
    if configuration not in rows and len(near) == 1:
        configuration = near[0]
    if configuration not in rows:
        hint = suggest(configuration, list(rows))
        raise UnknownName(f"no configuration {configuration!r} in the results; {hint}")
    return rows[configuration]


def _tell(found: Calibration) -> None:
    from seamline.bench.calibrate import FEWEST

    emit(f"threshold = {found.threshold:.2f}")
    emit()
    emit(
        f"{found.spec}: of {counted(found.n_answered, 'answered question')} {found.kept:.0%} pass "
        f"(95 % interval {found.kept_low:.0%} to {found.kept_high:.0%}); "
        + _stops(found.n_failed, found.stopped)
    )
    usual, kept, stopped = found.usual
    if round(usual, 2) != round(found.threshold, 2):
        emit(f"With {usual:.2f}, {kept:.0%} pass; {_stops(found.n_failed, stopped)}")
    emit(f"Answered means {found.measure} of 1: the whole answer was shown.")
    if found.n_answered < FEWEST:
        emit(f"Fewer than {FEWEST} answered questions: the threshold may be far off for others.")


def _stops(n: int, share: float | None) -> str:
    if share is None:
        return "no question failed, so what it stops is not known."
    return f"of {counted(n, 'failed question')} it stops {share:.0%}."
