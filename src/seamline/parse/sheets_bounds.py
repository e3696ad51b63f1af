"""What a workbook would unfold to, found out before it is: no file may fill the memory.

`calamine` lays a sheet out as a full grid from its first to its last cell, and copies a
shared string into every cell that names it.
"""

from __future__ import annotations

import re

from seamline.errors import InvalidDocument
from seamline.parse.archives import Archive
from seamline.parse.limits import LIMITS, Limits

__all__ = ["check_grid", "check_total", "check_xlsx", "refuse_dtd", "without_tags"]

# `[^<>]` so that a tag that is never closed is not walked from each of its parts.
# Cells with something in them; where a reference is left out, a cell follows the one before.
_CELL = re.compile(
    rb'<(?:\w+:)?c(?=[\s>])(?:\s+r="([A-Z]{1,3})([0-9]{1,7})")?([^<>]*)(?<!/)>(?!</)'
)
_REFERENCE = re.compile(rb'\sr="([A-Z]{1,3})([0-9]{1,7})"')
_ROW = re.compile(rb'<(?:\w+:)?row\b[^<>]*?(?:\sr="([0-9]{1,7})"[^<>]*)?>')
_STRING = re.compile(rb"<(?:\w+:)?si\b")
_CELL_OR_VALUE = re.compile(rb"<(?:\w+:)?(?:c\b([^<>]*)|v\b[^<>]*>\s*([0-9]{1,9})\s*<)")
_TYPE = re.compile(rb"\st\s*=")  # a shared string is never without; most numbers are
_TAG = re.compile(rb"<[^<>]*>")
# What may stand before an XML file's root, up to a DTD.
_DTD = re.compile(rb"(?:\s|\xef\xbb\xbf|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)


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


def check_xlsx(archive: Archive, source: str, limits: Limits = LIMITS) -> None:
    """Nothing, if every sheet of an XLSX file stays within `limits`.

    Raises:
        InvalidDocument: a sheet's grid or the copies of its strings would be too large, or
            there is a DTD.
    """
    strings = b""
    for part in archive.parts:
        if "sharedstrings" in part.filename.lower():
            strings = archive.read(part)
    lengths = list(map(len, _STRING.split(strings)[1:]))
    for part in archive.parts:
        xml = b"" if part.filename.endswith("/") else archive.read(part)  # is_dir wants a name
        refuse_dtd(xml, source)
        if b"sheetData" in xml:
            check_grid(*_extent(xml), source, limits)
            if max(lengths, default=0) * _n_values(xml) > limits.max_characters:
                _check_copies(xml, strings, source, limits)


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


def _n_values(xml: bytes) -> int:
    return xml.count(b"<v") + xml.count(b":v>")


def _check_copies(xml: bytes, strings: bytes, source: str, limits: Limits) -> None:
    """Refuse a sheet whose cells would copy the shared `strings` into too much text."""
    lengths = [len(without_tags(b"<" + part)) for part in _STRING.split(strings)[1:]]
    # A number may be written so that it is not seen below.
    total, has_type = xml.count(b"&#") * max(lengths, default=0), False
    for cell, number in map(re.Match.groups, _CELL_OR_VALUE.finditer(xml)):
        if not number:
            has_type = _TYPE.search(cell) is not None
        elif has_type and int(number) < len(lengths):
            total += lengths[int(number)]
    check_total(total, source, limits)


def check_total(n_characters: int, source: str, limits: Limits) -> None:
    """Nothing, if the text of a sheet is short enough.

    Raises:
        InvalidDocument: it has more than `limits.max_characters`.
    """
    if n_characters > limits.max_characters:
        raise InvalidDocument(
            f"a sheet of {source} must hold at most {limits.max_characters:,} characters, got "
            f"about {n_characters:,}: split the sheet, or raise max_characters"
        )


def without_tags(xml: bytes) -> str:
    """The text of a piece of XML, its references as they are written."""
    return _TAG.sub(b"", xml).decode("utf-8", "replace")


def refuse_dtd(xml: bytes, source: str) -> None:
    """Nothing, if a piece of XML begins without a DTD.

    Raises:
        InvalidDocument: it has one.
    """
    if _DTD.match(xml):
        raise InvalidDocument(
            f"the XML of {source} must hold no DTD, as spreadsheet programs write none: it is "
            "made to do harm, leave it out"
        )
