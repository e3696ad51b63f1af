"""What a store's index loses, takes and holds, beside the exact ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from seamline.bench.recommend import Recommendation
from seamline.bench.results import Results
from seamline.bench.schema import ThroughRow
from seamline.phrases import signed
from seamline.report.intervals import GLOSS
from seamline.report.layout import Column, Fitted
from seamline.report.model import MOST_DRAWN, Standing, number, standings
from seamline.report.terminal import standing_tables

__all__ = ["NOTE", "Searched", "searched", "store_columns", "through_table"]

NOTE = (
    "exact: every chunk is scored, as in the ranking above; loss: what the store's index and "
    "its rounding of vectors cost, whatever the cut. Searches are timed without the embedding."
)
_TIMES = {
    "p50_ms": "p50\nms",
    "p95_ms": "p95\nms",
    "p99_ms": "p99\nms",
    "build_seconds": "built\ns",
}
_FOUND = 5  # columns of what was found; those of what it took follow
_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Searched:
    """A strategy with its place in the exact ranking, what the store gave, and what it took.

    `clocked` is empty where no times were kept: results that were read back have none.
    """

    standing: Standing
    row: ThroughRow
    clocked: Mapping[str, Any]

    @property
    def loss(self) -> float | None:
        """What the measure is through the store less what it is exact."""
        exact, through = self.row["exact"], self.row["through"]
        return None if exact is None or through is None else through - exact


def searched(
    results: Results, placed: Sequence[Standing], timings: Mapping[str, Any]
) -> list[Searched]:
    """All that were searched through a store, the best there first; equal ones as they rank."""
    rows = {row["spec"]: row for row in results.data.get("through", ())}
    clocked = timings.get("through", {})
    lower = results.data["config"]["lower_is_better"]

    def key(one: Searched) -> tuple[bool, float]:
        value = one.row["through"]
        return value is None, (value or 0.0) * (1 if lower else -1)

    found = [
        Searched(one, rows[one.summary.spec], clocked.get(one.summary.spec, {}))
        for one in placed
        if one.summary.spec in rows
    ]
    return sorted(found, key=key)


def store_columns(found: Sequence[Searched]) -> list[Column]:
    """What stands beside the strategies, the measure through the store first; no empty times."""
    name, _, cutoff = found[0].row["measure"].partition("@")

    def column(head: str, cell: Callable[[Searched], str]) -> Column:
        return Column(head, [cell(one) for one in found])

    columns = [
        column(f"{name}\n@{cutoff}" if cutoff else name, lambda one: number(one.row["through"])),
        column("exact", lambda one: number(one.row["exact"])),
        column("loss", lambda one: signed(one.loss)),
        column("questions\nchanged", lambda one: f"{one.row['n_changed']:,}"),
        column("top 10\nalike", lambda one: number(one.row["overlap"])),
    ]
    if any(one.clocked for one in found):
        columns += [
            Column(head, [number(one.clocked.get(key), 2) for one in found])
            for key, head in _TIMES.items()
        ]
        columns.append(column("MB", _megabytes))
    return columns


def _megabytes(one: Searched) -> str:
    size = one.clocked.get("n_bytes")
    return number(None if size is None else size / _MEGABYTE, 1)


def through_table(results: Results, made: Recommendation | None = None) -> RenderableType:
    """A row a strategy: exact, through the store, and what a search took; best first.

    In as few tables as the width allows. Of more than 15 the best are shown and the rest is
    counted. `made` is what `recommend` makes of the results; it is asked where it is not given.
    """
    every = searched(results, standings(results, made), results.timings)
    if not every:
        return Text("Nothing was searched through a store.")
    kept = every[:MOST_DRAWN]
    columns, placed = store_columns(kept), [one.standing for one in kept]
    rest = len(every) - len(kept)
    notes = [
        *([f"… and {rest:,} more, which the report has"] if rest else []),
        *([f"Ranks are those above, best through the store first; = {GLOSS}"] if every[1:] else []),
        NOTE,
    ]

    def make(width: int) -> RenderableType:
        title = Text("Through the store", style="bold")
        below = Text("\n".join(notes), style="dim")
        return Group(title, "", *_tables(placed, columns, width), below)

    return Fitted(make)


def _tables(
    placed: Sequence[Standing], columns: Sequence[Column], width: int
) -> list[RenderableType]:
    """One table, or what was found above what it took, or as many as a narrow terminal needs."""
    whole = standing_tables(placed, columns, width)
    halves = [
        standing_tables(placed, part, width)
        for part in (columns[:_FOUND], columns[_FOUND:])
        if part
    ]
    if len(whole) == 1 or any(len(half) > 1 for half in halves):
        return whole
    return [*halves[0], "", *halves[-1]]
