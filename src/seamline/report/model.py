"""What every report shows: the order, and who is ruled out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from seamline.bench.recommend import Recommendation, recommend
from seamline.bench.results import Results, SummaryRow
from seamline.bench.schema import ResultsData, StrategyRow
from seamline.errors import InvalidConfig

__all__ = [
    "MOST_DRAWN",
    "PLACES",
    "Standing",
    "columns",
    "drawn",
    "first_of_cuts",
    "n_asked_about",
    "number",
    "standings",
]

_PREFERRED = ("Containment", "Recall@{k}", "HitWhole@{b}t", "Precision@{b}t", "MRR@{k}")
_MOST_COLUMNS = 7

PLACES = 3
"""Decimals of a measure."""

MOST_DRAWN = 15
"""Strategies in a chart or a terminal's table; of more the best are drawn."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A strategy's rank from 1, which those of one value share, and its place, which none shares.

    `label` names it in charts: its rank, with a letter where others share it.
    `worse` says that it is ruled out: worse than the best, corrected for having looked
    at all of them. Where the comparison is empty none is. `alone` says that it is the only one,
    so that there is nothing to be ruled out by.
    """

    rank: int
    place: int
    label: str
    summary: SummaryRow
    row: StrategyRow
    worse: bool
    alone: bool = False


def number(value: float | None, places: int = PLACES) -> str:
    """`value` with a fixed number of decimals, a dash where there is none.

    Example:
        >>> number(0.89283), number(1234.5, 0), number(None)
        ('0.893', '1,234', '–')
    """
    return "–" if value is None else f"{value:,.{places}f}"


def columns(data: ResultsData) -> list[str]:
    """The measures worth a column, the primary one first, at most seven."""
    config = data["config"]
    wanted = [name.format(k=config["k"], b=config["budget"]) for name in _PREFERRED]
    rest = [f"Tokens@{config['k']}", *config["measures"]]
    names = dict.fromkeys((config["primary"], *wanted, *rest))
    return [name for name in names if name in config["measures"]][:_MOST_COLUMNS]


def standings(results: Results, made: Recommendation | None = None) -> list[Standing]:
    """The strategies, best first; equal values share a rank.

    `made` is what `recommend` makes of the results; it is asked where it is not given.

    Raises:
        InvalidConfig: the results hold no strategy.
    """
    rows = {row["spec"]: row for row in results.data["strategies"]}
    if not rows:
        raise InvalidConfig("a report needs at least one strategy, got results without any")
    choice = (recommend(results) if made is None else made).choice
    out = set(choice.ruled_out) if choice else set()
    found: list[Standing] = []
    for _, tied in groupby(results.summary(), key=lambda one: one.mean):
        group, rank = list(tied), len(found) + 1
        for i, one in enumerate(group):
            label = f"{rank}{_letters(i)}" if len(group) > 1 else f"{rank}"
            worse = one.spec in out
            alone = len(rows) == 1
            found.append(Standing(rank, rank + i, label, one, rows[one.spec], worse, alone))
    return found


def drawn(placed: Sequence[Standing]) -> tuple[Sequence[Standing], str]:
    """Those that a chart draws, the best, and the sentence that says so; empty where all are."""
    n = len(placed)
    said = f" Drawn are the best {MOST_DRAWN} of {n:,}." if n > MOST_DRAWN else ""
    return placed[:MOST_DRAWN], said


def first_of_cuts(placed: Sequence[Standing]) -> list[Standing]:
    """The best row of each strategy: what is said of its chunks holds for all its rankings."""
    cuts: dict[str, Standing] = {}
    for one in placed:
        cuts.setdefault(one.row.get("strategy", one.summary.spec), one)
    return list(cuts.values())


def _letters(i: int) -> str:
    """Letters to count with: a to z, then aa, ab and so on."""
    more, last = divmod(i, 26)
    return (_letters(more - 1) if more else "") + chr(ord("a") + last)


def n_asked_about(data: ResultsData) -> int:
    """How many documents have a question."""
    return len({question["doc_id"] for question in data["questions"]})
