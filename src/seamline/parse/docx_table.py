"""A DOCX table's rows and cells, merged ones counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from seamline.parse.docx_runs import is_on
from seamline.parse.docx_styles import whole
from seamline.parse.docx_xml import Element, attribute, child, name_of, value
from seamline.parse.grid import Cell, Row

__all__ = ["TableReader"]

_FIRST_ROW = 0x20  # the bit of `w:tblLook` that says the first row is special
_MAX_COLUMNS = 63  # as Word has it


class TableReader:
    """Reads one `w:tbl`; `elements` are its rows, `cells` the cells that hold something."""

    def __init__(self, texts: Callable[[Element], Iterable[str]]) -> None:
        self.elements: list[Element] = []
        self.cells: list[Element] = []
        self.is_box = True
        self._texts = texts
        self._origins: dict[int, tuple[int, int]] = {}
        self._rows: list[list[Cell]] = []

    def read(self, table: Element) -> list[Row]:
        """The table's rows; header rows are those that repeat on each page, or a special first."""
        self.elements = list(_children(table, "w:tr"))
        grids = [self._read_row(row) for row in self.elements]
        self.is_box = all(n_cells <= 1 for n_cells in grids)
        if self.is_box:
            return []
        rows = self._rows
        n_header = 0
        while n_header < len(rows) and is_on(
            child(self.elements[n_header], "w:trPr", "w:tblHeader")
        ):
            n_header += 1
        if not n_header and len(rows) > 1 and _first_is_special(table):
            n_header = 1
        return [Row(cells, number < n_header) for number, cells in enumerate(rows)]

    def _read_row(self, row: Element) -> int:
        cells: list[Cell] = []
        column = whole(value(row, "w:trPr", "w:gridBefore"))
        column = min(column, _MAX_COLUMNS)
        if column:
            cells.append(Cell("", column))
        n_cells = 0
        for element in _children(row, "w:tc"):
            properties = child(element, "w:tcPr")
            width = min(max(1, whole(value(properties, "w:gridSpan"), 1)), _MAX_COLUMNS)
            merged = value(properties, "w:vMerge")
            if merged not in (None, "restart") and column in self._origins:
                self._extend(column)
            else:
                self._origins.pop(column, None)
                if merged == "restart":
                    self._origins[column] = len(self._rows), len(cells)
                cells.append(Cell(" ".join(self._texts(element)), width))
                self.cells.append(element)
            column += width
            n_cells += 1
        self._rows.append(cells)
        return n_cells

    def _extend(self, column: int) -> None:
        row, place = self._origins[column]
        cells = self._rows[row]
        cells[place] = cells[place]._replace(n_rows=len(self._rows) - row + 1)


def _children(element: Element, name: str) -> list[Element]:
    """The children of this name, those in content controls and insertions too."""
    found, waiting = [], list(reversed(element))
    while waiting:
        part = waiting.pop()
        part_name = name_of(part.tag)
        if part_name == name:
            found.append(part)
        elif part_name in ("w:sdt", "w:sdtContent", "w:customXml", "w:ins"):
            waiting.extend(reversed(part))
    return found


def _first_is_special(table: Element) -> bool:
    look = child(table, "w:tblPr", "w:tblLook")
    if given := attribute(look, "firstRow"):
        return given in ("1", "true", "on")
    bits = attribute(look, "val")
    try:
        return bool(int(bits[:8], 16) & _FIRST_ROW) if bits else False
    except ValueError:
        return False
