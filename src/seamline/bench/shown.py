"""Results as a session shows them: the ranking in a few lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.bench.results import Results, SummaryRow

__all__ = ["as_html", "as_text"]

_ROWS, _NOTES = 10, 3
_HEADS = ("", "mean", "95 % interval", "chunks", "strategy")


def as_text(results: Results) -> str:
    """At most 15 lines: what was ranked, the best ten strategies, three notes."""
    data = results.data
    if not data.get("strategies"):
        return "Results of no strategy"
    rows = results.summary()
    cells = [_cells(rank, row) for rank, row in enumerate(rows[:_ROWS], 1)]
    lines = [_title(results, rows), *_aligned([_HEADS, *cells])]
    if len(rows) > _ROWS:
        lines[-1] = f"… and {len(rows) - _ROWS + 1:,} more"
    return "\n".join([*lines, *(f"! {note}" for note in data.get("notes", [])[:_NOTES])])


def as_html(results: Results) -> str:
    """A table of all strategies, for notebooks."""
    data = results.data
    rows = results.summary() if data.get("strategies") else []
    cells = [_cells(rank, row) for rank, row in enumerate(rows, 1)]
    title = _title(results, rows) if rows else as_text(results)
    notes = "".join(f"<p>! {escape(note)}</p>" for note in data.get("notes", []))
    body = "".join(f"<tr>{_tagged('td', row)}</tr>" for row in cells)
    return (
        f"<table><caption>{escape(title)}</caption>"
        f"<thead><tr>{_tagged('th', _HEADS)}</tr></thead><tbody>{body}</tbody></table>{notes}"
    )


def _title(results: Results, rows: Sequence[SummaryRow]) -> str:
    data = results.data
    ranked = counted(len(rows), "strategy", "strategies")
    asked, searched = counted(len(data["questions"]), "question"), len(data["documents"])
    return (
        f"Results of {ranked} by {data['config']['primary']}: "
        f"{asked}, {counted(searched, 'document')}"
    )


def _cells(rank: int, row: SummaryRow) -> tuple[str, ...]:
    return str(rank), number(row.mean), interval(row), f"{row.cost['chunks']:,}", row.spec


def number(value: float | None) -> str:
    """Three decimals, or a dash."""
    return "–" if value is None else f"{value:.3f}"


def interval(row: SummaryRow) -> str:
    """The interval of a row's mean, or a dash."""
    return "–" if row.low is None else f"{number(row.low)} to {number(row.high)}"


def _tagged(tag: str, cells: Sequence[str]) -> str:
    return "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells)


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Lines of right-aligned columns, the last one left-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for *cells, last in rows:
        padded = [cell.rjust(width) for cell, width in zip(cells, widths, strict=False)]
        yield "  ".join([*padded, last])
