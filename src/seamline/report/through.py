"""What a store's index loses, takes and holds, beside the exact ranking."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from seamline.bench.results import Results
from seamline.phrases import signed
from seamline.report.plain import one_line
from seamline.report.terminal import plain_table

__all__ = ["through_table"]

_MEGABYTE = 1_000_000


def through_table(results: Results) -> RenderableType:
    """A row a strategy: exact, through the store, and what a search took; best first."""
    rows = results.data["through"]
    clocked = results.timings.get("through", {})
    measure = rows[0]["measure"]
    table = plain_table("Through the store", gap=2)
    table.add_column("strategy", overflow="fold")
    heads = (
        measure,
        "exact",
        "loss",
        "questions\nchanged",
        "top 10\nalike",
        "p50",
        "p95",
        "p99 ms",
    )
    for head in (*heads, "built s", "MB"):
        table.add_column(head, justify="right")
    for row in sorted(rows, key=lambda row: -(row["through"] or 0.0)):
        table.add_row(*_cells(row, clocked.get(row["spec"], {})))
    note = (
        "exact: every chunk is scored, as in the ranking above; loss: what the store's index and "
        "its rounding of vectors cost, whatever the cut. Searches are timed without the embedding."
    )
    return Group(table, Text(note, style="dim"))


def _cells(row: Any, clocked: Any) -> list[str]:
    exact, through = row["exact"], row["through"]
    loss = None if exact is None or through is None else through - exact
    size = clocked.get("n_bytes")
    times = [f"{clocked[key]:.2f}" if key in clocked else "–" for key in _TIMES]
    return [
        one_line(row["spec"]),
        _number(through),
        _number(exact),
        signed(loss),
        f"{row['n_changed']:,}",
        f"{row['overlap']:.3f}",
        *times,
        "–" if size is None else f"{size / _MEGABYTE:.1f}",
    ]


_TIMES = ("p50_ms", "p95_ms", "p99_ms", "build_seconds")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
