"""Cells that span rows and columns into full rows, and rows into text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from seamline.parse.limits import LIMITS, Limits
from seamline.parse.writer import Writer

__all__ = ["Cell", "Row", "fill_rows", "row_text", "write_table"]


class Cell(NamedTuple):
    """A cell as it stands in the source: its text on one line and what it spans."""

    text: str
    n_columns: int = 1
    n_rows: int = 1


class Row(NamedTuple):
    """The cells that begin in a row, and whether the row is a header."""

    cells: Sequence[Cell]
    is_header: bool = False


class _Placed(NamedTuple):
    start: int
    end: int
    n_rows: int
    text: str


def fill_rows(rows: Sequence[Row], limits: Limits = LIMITS) -> list[list[str]]:
    """The texts of every row's cells, a merged cell's text in each place it covers.

    Columns in which no cell begins are left out. What is repeated is bounded by
    `limits`: beyond it merged cells stand once, and rows are not padded.

    Example:
        >>> head = [Row([Cell("Day", n_rows=2), Cell("Load", 2)]), Row([Cell("am"), Cell("pm")])]
        >>> fill_rows(head)
        [['Day', 'Load', 'Load'], ['Day', 'am', 'pm']]
    """
    placed = _place(rows, limits.max_copies)
    columns = sorted({cell.start for row in placed for cell in row})
    padded = len(columns) * len(placed) <= limits.max_cells
    copies, characters = limits.max_copies, limits.max_copied_characters
    filled = []
    for row in placed:
        texts: list[str] = []
        for cell in row:
            first = bisect_left(columns, cell.start)
            if padded:
                texts.extend([""] * (first - len(texts)))
            n_extra = bisect_left(columns, cell.end) - first - 1
            repeats = copies >= n_extra and characters >= n_extra * len(cell.text)
            texts.append(cell.text)
            if repeats and n_extra > 0:
                texts.extend([cell.text] * n_extra)
                copies, characters = copies - n_extra, characters - n_extra * len(cell.text)
        filled.append(texts + [""] * (len(columns) - len(texts)) if padded else texts)
    return filled


def _place(rows: Sequence[Row], budget: int) -> list[list[_Placed]]:
    """Each row's cells by column, those that reach down from rows above among them."""
    above: list[_Placed] = []
    placed = []
    for row in rows:
        line: list[_Placed] = []
        budget -= len(above)
        waiting = above if budget > 0 else []
        column, at = 0, 0
        for cell in row.cells:
            while at < len(waiting) and waiting[at].start <= column:
                line.append(waiting[at])
                column, at = max(column, waiting[at].end), at + 1
            end = column + max(1, cell.n_columns)
            if at < len(waiting):
                end = min(end, waiting[at].start)
            line.append(_Placed(column, end, max(1, cell.n_rows), cell.text))
            column = end
        line.extend(waiting[at:])
        placed.append(line)
        above = [cell._replace(n_rows=cell.n_rows - 1) for cell in line if cell.n_rows > 1]
    return placed


def row_text(texts: Sequence[str]) -> str:
    r"""A row between pipes, those inside cells escaped.

    Example:
        >>> row_text(["a|b", "", "c"])
        '| a\\|b |  | c |'
    """
    escaped = (text.replace("|", "\\|") for text in texts)
    return f"| {' | '.join(escaped)} |"


def write_table(
    writer: Writer, rows: Sequence[Row], *, title: str = "", limits: Limits = LIMITS
) -> list[int]:
    """Writes a `table` with its `table_row` blocks; gives where each of `rows` begins.

    The header rows are one block, with the delimiter row. Rows without text are left
    out: they begin where the table does.
    """
    filled = fill_rows(rows, limits)
    kept = [number for number, texts in enumerate(filled) if any(texts)]
    n_header = next((i for i, number in enumerate(kept) if not rows[number].is_header), len(kept))
    starts = [writer.length] * len(rows)
    writer.separate()
    with writer.block("table", title=title):
        if n_header:
            lines = [row_text(filled[number]) for number in kept[:n_header]]
            lines.append("|" + "---|" * max(len(filled[number]) for number in kept[:n_header]))
            writer.write("\n".join(lines), "table_row", title="header", n_lines=1)
        for number in kept[n_header:]:
            text = row_text(filled[number])
            writer.write(text, "table_row", n_lines=1)
            starts[number] = writer.length - len(text)
    writer.separate()
    return starts
