"""What `calamine` does not tell of an XLSX file's cells: percentages and errors."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from seamline.parse.archives import Archive

__all__ = ["Formats", "formats_of"]

_BUILT_IN = {b"9": b"0%", b"10": b"0.00%"}
_FORMAT = re.compile(rb"<(?:\w+:)?numFmt\s([^<>]*)>")
_STYLE = re.compile(rb"<(?:\w+:)?xf\s([^<>]*)>")
_SHEET = re.compile(rb"<(?:\w+:)?sheet\s([^<>]*)>")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
_ATTRIBUTE = re.compile(rb'(?<![\w:])([\w:]++)="([^"]*)"')
_STYLED = re.compile(rb'<(?:\w+:)?c\s+r="([A-Z]{1,3})([0-9]{1,7})"\s+s="([0-9]{1,6})"')
_ERROR = re.compile(
    rb'<(?:\w+:)?c\s+r="([A-Z]{1,3})([0-9]{1,7})"[^<>]*?\st="e"[^<>]*>'
    rb"(?:<(?:\w+:)?f\b[^<]*(?:</(?:\w+:)?f>)?)?<(?:\w+:)?v>(#[^<]{1,12})<"
)


class Formats(NamedTuple):
    """Of one sheet, by row and column from 0: the decimals of percentages, the errors."""

    percents: dict[tuple[int, int], int]
    errors: dict[tuple[int, int], str]


def formats_of(archive: Archive) -> list[Formats]:
    """For each sheet in the workbook's order what its cells show beside their values."""
    names = archive.names
    styles = archive.read("xl/styles.xml") if "xl/styles.xml" in names else b""
    percents = _percent_styles(styles)
    found = []
    for name in _sheet_parts(archive, names):
        xml = archive.read(name) if name in names else b""
        shown: dict[tuple[int, int], int] = {}
        for cell in _STYLED.finditer(xml) if percents else ():
            decimals = percents.get(int(cell[3]))
            if decimals is not None:
                shown[_place(cell)] = decimals
        errors = {_place(cell): cell[3].decode() for cell in _ERROR.finditer(xml)}
        found.append(Formats(shown, errors))
    return found


def _attributes(text: bytes) -> dict[bytes, bytes]:
    return dict(_ATTRIBUTE.findall(text))


def _percent_styles(xml: bytes) -> dict[int, int]:
    """The numbers of the styles that show percentages, with their decimals."""
    codes = dict(_BUILT_IN)
    for about in map(_attributes, _FORMAT.findall(xml)):
        codes[about.get(b"numFmtId", b"")] = about.get(b"formatCode", b"")
    _, _, styles = xml.partition(b"cellXfs")
    found = {}
    for number, text in enumerate(_STYLE.findall(styles.partition(b"cellXfs")[0])):
        code = codes.get(_attributes(text).get(b"numFmtId", b""), b"").partition(b";")[0]
        before, percent, _ = code.partition(b"%")
        if percent:
            decimals = before.rpartition(b".")[2] if b"." in before else b""
            found[number] = min(10, decimals.count(b"0") + decimals.count(b"#"))
    return found


def _sheet_parts(archive: Archive, names: set[str]) -> list[str]:
    """The names of the sheets' parts, in the workbook's order; empty where one is not known."""
    relations = "xl/_rels/workbook.xml.rels"
    targets = {}
    for text in _RELATION.findall(archive.read(relations)) if relations in names else ():
        about = _attributes(text)
        target = about.get(b"Target", b"").decode("utf-8", "replace")
        targets[about.get(b"Id")] = posixpath.normpath(posixpath.join("/xl", target)).lstrip("/")
    found = []
    for text in _SHEET.findall(archive.read("xl/workbook.xml")):
        ids = [value for key, value in _attributes(text).items() if key.endswith(b":id")]
        found.append(targets.get(ids[0], "") if ids else "")
    return found


def _place(cell: re.Match[bytes]) -> tuple[int, int]:
    column = 0
    for letter in cell[1]:
        column = column * 26 + letter - 64
    return int(cell[2]) - 1, column - 1
