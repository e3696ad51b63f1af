"""The table that is being read: its cells, until it is known whether it holds data."""

from __future__ import annotations

from collections.abc import Mapping

from seamline.parse.grid import Cell, Row

__all__ = ["HtmlTable"]

_MAX_COLUMNS, _MAX_ROWS = 1000, 65534  # as browsers have it


class HtmlTable:
    """Collects the cells of one table element.

    A table without header cells that holds headings, listings or other tables
    only lays out the page: its cells are then text like any other.
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.has_header = False
        self._cells: list[Cell] = []
        self._all_headers = True
        self._spans = (1, 1)
        self._in_head = False
        self._at_top = True
        self._section_start = 0

    def start_section(self, name: str) -> None:
        """A `thead`, `tbody` or `tfoot` begins: no cell reaches across its start."""
        self.end_section()
        self._in_head = name == "thead"
        self.has_header = self.has_header or self._in_head

    def start_cell(self, name: str, attributes: Mapping[str, str]) -> None:
        """A `td` or `th` begins."""
        self._spans = (
            min(_whole(attributes.get("colspan", "1"), 1) or 1, _MAX_COLUMNS),
            _whole(attributes.get("rowspan", "1"), 1) or _MAX_ROWS,
        )
        self.has_header = self.has_header or name == "th"
        self._all_headers = self._all_headers and name == "th"

    def end_cell(self, text: str) -> None:
        """The cell begun last ends."""
        self._cells.append(Cell(text, self._spans[0], min(self._spans[1], _MAX_ROWS)))

    def end_row(self) -> None:
        """The row ends, if one was begun."""
        if self._cells:
            is_header = self._at_top and (self._in_head or self._all_headers)
            self._at_top = is_header
            self.rows.append(Row(self._cells, is_header))
        self._cells, self._all_headers = [], True

    def end_section(self) -> None:
        """The section, or the table, ends."""
        self.end_row()
        self._bound_spans()
        self._in_head = False

    def texts(self) -> list[str]:
        """Every cell's text in order, for a table that only lays out the page."""
        return [cell.text for row in [*self.rows, Row(self._cells)] for cell in row.cells]

    def is_layout(self) -> bool:
        """Whether it is no table to a reader: one column, and no header."""
        return not self.has_header and all(len(row.cells) < 2 for row in self.rows)

    def _bound_spans(self) -> None:
        n_rows = len(self.rows)
        for number in range(self._section_start, n_rows):
            row = self.rows[number]
            if any(number + cell.n_rows > n_rows for cell in row.cells):
                cells = [
                    cell._replace(n_rows=min(cell.n_rows, n_rows - number)) for cell in row.cells
                ]
                self.rows[number] = row._replace(cells=cells)
        self._section_start = n_rows


def _whole(text: str, otherwise: int) -> int:
    digits = text.strip()[:6]
    return int(digits) if digits.isascii() and digits.isdigit() else otherwise
