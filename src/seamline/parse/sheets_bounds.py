"""What a workbook would unfold to, found out before it is: no file may fill the memory.

`calamine` lays a sheet out as a full grid from its first to its last cell, and copies a
shared string into every cell that names it.
"""

from __future__ import annotations

import re
import zipfile

from seamline.errors import InvalidDocument
from seamline.parse.limits import LIMITS, Limits

__all__ = ["check_grid", "check_ods", "check_xlsx"]

# `[^<>]` so that a tag that is never closed is not walked from each of its parts.
# Cells with something in them; where a reference is left out, a cell follows the one before.
_CELL = re.compile(
    rb'<(?:\w+:)?c(?=[\s>])(?:\s+r="([A-Z]{1,3})([0-9]{1,7})")?([^<>]*)(?<!/)>(?!</)'
)
_REFERENCE = re.compile(rb'\sr="([A-Z]{1,3})([0-9]{1,7})"')
_ROW = re.compile(rb'<(?:\w+:)?row\b[^<>]*?(?:\sr="([0-9]{1,7})"[^<>]*)?>')
_STRING = re.compile(rb"<(?:\w+:)?si\b")
_VALUE = re.compile(rb"<(?:\w+:)?v\b[^<>]*>\s*([0-9]{1,9})\s*<")
_ODS_TAG = re.compile(rb"<table:(table-row|table-cell|covered-table-cell|table)\b([^<>]*)>")
_ODS_REPEATED = re.compile(rb'table:number-(?:rows|columns)-repeated="([0-9]{1,9})"')


def check_grid(n_rows: int, n_columns: int, source: str, limits: Limits = LIMITS) -> None:
    """Nothing, if a sheet's grid is small enough.

    Raises:
        InvalidDocument: it has more than `limits.max_cells` cells.
    """
    if n_rows * n_columns > limits.max_cells:
        raise InvalidDocument(
            f"a sheet of {source} must span at most {limits.max_cells:,} cells from its first to "
            f"its last, got {n_rows:,} rows of {n_columns:,} columns: split the sheet, or clear "
            "what stands far from the rest, or raise max_cells"
        )


def check_xlsx(archive: zipfile.ZipFile, source: str, limits: Limits = LIMITS) -> None:
    """Nothing, if every sheet of an XLSX file stays within `limits`.

    Raises:
        InvalidDocument: a sheet's grid or the copies of its strings would be too large.
    """
    lengths: list[int] = []
    for entry in archive.infolist():
        if "sharedstrings" in entry.filename.lower():
            lengths = [len(part) for part in _STRING.split(archive.read(entry))[1:]]
    for entry in archive.infolist():
        xml = b"" if entry.is_dir() else archive.read(entry)
        if b"sheetData" in xml:
            check_grid(*_extent(xml), source, limits)
            _check_copies(xml, lengths, source, limits)


def _extent(xml: bytes) -> tuple[int, int]:
    """The last row and the last column of a sheet with something in it."""
    n_rows = n_unplaced = 0
    seen: dict[bytes, int] = {}
    for found in _CELL.finditer(xml):
        place = found if found[1] else _REFERENCE.search(found[3])
        if not place:
            n_unplaced += 1
            continue
        if place[1] not in seen:
            seen[place[1]] = _column(place[1])
        n_rows = max(n_rows, int(place[2]))
    n_columns = max(seen.values(), default=0)
    if n_unplaced:
        rows = _ROW.findall(xml)
        n_rows = max(n_rows, len(rows), *(int(row or 0) for row in rows), 0) if rows else n_rows
        parts = re.split(rb"<(?:\w+:)?row\b", xml)
        n_columns += max(sum(1 for _ in _CELL.finditer(part)) for part in parts)
    return n_rows, n_columns


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


def _check_copies(xml: bytes, lengths: list[int], source: str, limits: Limits) -> None:
    """Refuse a sheet whose cells would copy their strings into too much text."""
    longest, n_values = max(lengths, default=0), xml.count(b"<v") + xml.count(b":v>")
    if longest * n_values <= limits.max_characters:
        return
    numbers = [int(found) for found in _VALUE.findall(xml)]
    total = sum(lengths[number] for number in numbers if number < len(lengths))
    n_hidden = xml.count(b"&#")  # a number may be written so that it is not seen above
    if total + n_hidden * longest > limits.max_characters:
        raise InvalidDocument(
            f"a sheet of {source} must hold at most {limits.max_characters:,} characters, got "
            f"about {total:,}: split the sheet, or raise max_characters"
        )


def check_ods(archive: zipfile.ZipFile, source: str, limits: Limits = LIMITS) -> None:
    """Nothing, if every sheet of an ODS file stays within `limits`.

    Raises:
        InvalidDocument: a sheet's grid would be too large.
    """
    xml = archive.read("content.xml")
    n_rows = n_columns = n_here = above = times = 0
    for found in _ODS_TAG.finditer(xml):
        kind, rest = found.groups()
        repeated = _ODS_REPEATED.search(rest)
        n = int(repeated[1]) if repeated else 1
        if kind == b"table":
            check_grid(n_rows, n_columns, source, limits)
            n_rows = n_columns = above = times = 0
        elif kind == b"table-row":
            n_here, above, times = 0, above + times, n
        else:
            n_here += n
            if not rest.endswith(b"/"):
                n_rows = above + times
                n_columns = max(n_columns, n_here)
    check_grid(n_rows, n_columns, source, limits)
