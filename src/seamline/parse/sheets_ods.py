"""What `calamine` needs to be told, or must not be given, of ODS files."""

from __future__ import annotations

import io
import re
import zipfile
from dataclasses import dataclass
from itertools import chain, pairwise
from xml.parsers.expat import ExpatError, ParserCreate

from seamline.errors import InvalidDocument
from seamline.parse.archives import Archive
from seamline.parse.limits import LIMITS, Limits
from seamline.parse.sheets_bounds import check_grid, check_total, refuse_dtd, without_tags

__all__ = ["check_ods", "with_types"]

_TAG = re.compile(rb"<table:(table-row|table-cell|covered-table-cell|table)\b([^<>]*)>")
_REPEATED = re.compile(rb'table:number-(?:rows|columns)-repeated="([0-9]{1,9})"')
_READ = ("mimetype", "META-INF/manifest.xml", "content.xml")
# A cell without a type whose text is its own, not only that of a note on it.
_UNTYPED = re.compile(
    rb"<table:table-cell\b((?:(?!\soffice:value-type\s*=)[^<>])*+)(?<!/)>"
    rb"(?=\s*(?:<office:annotation\b(?:(?!<table:table-cell\b|</office:annotation>).)*+"
    rb"</office:annotation>\s*)?<text:p\b)",
    re.DOTALL,
)


def check_ods(archive: Archive, source: str, limits: Limits = LIMITS) -> None:
    """Nothing, if every sheet of an ODS file stays within `limits`.

    Raises:
        InvalidDocument: a sheet's grid or the copies of its cells would be too large, there
            is a DTD, or the XML is not well-formed.
    """
    xml = archive.read("content.xml")
    refuse_dtd(xml, source)
    _refuse_torn(xml, source)
    sheet = _Sheet()
    for tag, following in pairwise(chain(_TAG.finditer(xml), [None])):
        if tag is None:
            break
        kind, rest = tag.groups()
        repeated = _REPEATED.search(rest)
        n = int(repeated[1]) if repeated else 1
        if kind == b"table":
            sheet.check(source, limits)
            sheet = _Sheet()
        elif kind == b"table-row":
            sheet.begin_row(n)
        else:
            end = following.start() if following else len(xml)
            sheet.take(n, b"" if rest.endswith(b"/") else xml[tag.end() : end])
    sheet.check(source, limits)


def _refuse_torn(xml: bytes, source: str) -> None:
    """Refuse XML that is not well-formed: calamine may read it without end."""
    try:
        ParserCreate().Parse(xml, True)  # noqa: FBT003 - its only form
    except ExpatError as error:
        raise InvalidDocument(
            f"{source} cannot be read: its content.xml is damaged ({error}); save it anew"
        ) from None


@dataclass(slots=True)
class _Sheet:
    """How far the cells of a sheet reach that hold something, and what copies hold."""

    n_rows: int = 0
    n_columns: int = 0
    n_copied: int = 0
    _above: int = 0
    _times: int = 0
    _left: int = 0

    def begin_row(self, times: int) -> None:
        self._left, self._above, self._times = 0, self._above + self._times, times

    def take(self, n: int, content: bytes) -> None:
        self._left += n
        if content:
            self.n_rows = self._above + self._times
            self.n_columns = max(self.n_columns, self._left)
            if n * self._times > 1:
                self.n_copied += n * self._times * len(without_tags(content).strip())

    def check(self, source: str, limits: Limits) -> None:
        check_grid(self.n_rows, self.n_columns, source, limits)
        check_total(self.n_copied, source, limits)


def with_types(data: bytes, archive: Archive) -> bytes:
    """An ODS file, `archive` its parts, in which cells of mere text are declared as such."""
    xml, n = _UNTYPED.subn(
        rb'<table:table-cell office:value-type="string"\1>', archive.read("content.xml")
    )
    if not n:
        return data
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as new:
        for name in _READ:
            if name in archive.names:
                new.writestr(name, xml if name == "content.xml" else archive.read(name))
    return file.getvalue()
