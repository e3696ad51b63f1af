"""Spreadsheets into a document: XLSX, XLS and ODS, a heading and tables for each sheet."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from seamline.errors import InvalidDocument, MissingExtra
from seamline.parse.archives import Archive
from seamline.parse.limits import LIMITS, Limits, check_bytes
from seamline.parse.sheets_bounds import check_grid, check_xlsx
from seamline.parse.sheets_formats import Formats, formats_of
from seamline.parse.sheets_ods import check_ods, with_types
from seamline.parse.sheets_tables import Region, cell_text, fill_merged, regions_of
from seamline.types import Block, Document, Span

__all__ = ["ODS", "XLS", "XLSX", "SheetParser"]

_OLE = b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")


@dataclass(frozen=True, slots=True)
class SheetParser:
    """Reads a workbook, of whatever of the three formats it is, by python-calamine."""

    media_type: str
    kind: str
    limits: Limits = LIMITS

    def parse(self, data: bytes | str, source: str) -> Document:
        """The document: of each sheet that is shown a `heading` with its name and its tables.

        A table is rows between pipes: a `table` with a `table_row` for each row; the
        header, of several rows where labels stand above groups of columns, is one with
        the title `header` and ends in a delimiter row. Empty rows part tables; empty
        rows and columns are left out. A row of one cell above a table, such as a title,
        is a `paragraph`. Merged cells stand in every place they cover (not in ODS),
        numbers without a
        format but a percentage's (XLSX), dates as in ISO 8601.

        `metadata` holds `sheets` and `rows`, the offsets where they begin,
        `sheet_names`, `row_numbers` as the spreadsheet counts them, and `hidden_sheets`,
        the names of those that are left out.

        Raises:
            MissingExtra: python-calamine is not installed.
            InvalidDocument: no workbook, one with a password, one with a DTD, or one that
                unfolds to more than `limits`.
        """
        if isinstance(data, str):
            raise InvalidDocument(
                f"{source} must be the bytes of an {self.kind} file, got a string"
            )
        data, formats = _check(data, source, self.kind, self.limits)
        page = _Page(source, self.limits)
        try:
            _read(data, source, page, formats, limits=self.limits)
        except BaseException as error:
            if not _is_calamine(error):
                raise
            raise _refusal(error, data, source, self.kind) from None
        return Document(
            id=source,
            text="".join(page.parts),
            blocks=tuple(page.blocks),
            source=source,
            media_type=self.media_type,
            metadata=page.metadata(),
        )


XLSX = SheetParser("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "XLSX")
XLS = SheetParser("application/vnd.ms-excel", "XLS")
ODS = SheetParser("application/vnd.oasis.opendocument.spreadsheet", "ODS")


def _check(data: bytes, source: str, kind: str, limits: Limits) -> tuple[bytes, list[Formats]]:
    """Refuse what is no workbook, needs a password, or would unfold to too much.

    The file as it can be read, and of an XLSX file what its sheets show beside the values.
    """
    if data.startswith(_OLE):
        check_bytes(data, source, limits)
        if _ENCRYPTED in data:
            raise InvalidDocument(f"{source} must be readable without a password: save it without")
        return data, []
    unpacked = replace(limits, max_xml_bytes=limits.max_sheet_bytes)
    archive = Archive(data, source, kind=kind, limits=unpacked)
    names = archive.names
    is_xlsx = "xl/workbook.xml" in names and "xl/workbook.bin" not in names
    if not is_xlsx and "content.xml" not in names:
        raise InvalidDocument(
            f"{source} must be an {kind} workbook, but is another kind of archive: check its "
            "extension"
        )
    if is_xlsx:
        check_xlsx(archive, source, limits)
        return data, formats_of(archive)
    check_ods(archive, source, limits)
    return with_types(data, archive), []


def _read(
    data: bytes, source: str, page: _Page, formats: Sequence[Formats], *, limits: Limits
) -> None:
    try:
        from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum
    except ImportError as error:
        raise MissingExtra(
            f"reading {source} needs python-calamine, which is not installed: "
            "pip install 'seamline[xlsx]'"
        ) from error
    workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
    for index, about in enumerate(workbook.sheets_metadata):
        if about.visible != SheetVisibleEnum.Visible:
            page.hidden.append(about.name)
        elif about.typ == SheetTypeEnum.WorkSheet:
            sheet = workbook.get_sheet_by_index(index)
            check_grid(sheet.height, sheet.width, source, limits)
            start = sheet.start or (0, 0)
            values = sheet.to_python(skip_empty_area=True)
            rows = [list(map(cell_text, row)) for row in values]
            if index < len(formats):
                _show(formats[index], values, rows, start)
            fill_merged(rows, sheet.merged_cell_ranges or [], start, limits)
            page.write_sheet(about.name, regions_of(rows, start[0] + 1))


def _show(
    formats: Formats, values: list[list[Any]], rows: list[list[str]], start: tuple[int, int]
) -> None:
    """Write percentages and errors into the texts of a sheet that begins at `start`."""
    top, left = start
    for (row, column), decimals in formats.percents.items():
        if 0 <= row - top < len(rows) and 0 <= column - left < len(rows[row - top]):
            value = values[row - top][column - left]
            if isinstance(value, float):
                rows[row - top][column - left] = f"{value * 100:.{decimals}f}%"
    for (row, column), error in formats.errors.items():
        if 0 <= row - top < len(rows) and 0 <= column - left < len(rows[row - top]):
            rows[row - top][column - left] = error


def _is_calamine(error: BaseException) -> bool:
    """Whether `python-calamine` failed; a fault in it is no `Exception`."""
    kind = type(error)
    return kind.__name__ == "PanicException" or kind.__module__.startswith("python_calamine")


def _refusal(error: BaseException, data: bytes, source: str, kind: str) -> InvalidDocument:
    if type(error).__name__ == "PasswordError":
        return InvalidDocument(f"{source} must be readable without a password: save it without")
    old = data.startswith(_OLE) and kind != "XLS"
    return InvalidDocument(
        f"{source} must be an {kind} workbook, but it cannot be read ({str(error) or 'damaged'}): "
        + (f"save it as {kind}" if old else "open it and save it anew, or leave it out")
    )


@dataclass(slots=True)
class _Page:
    """The text so far, and what is known of it."""

    source: str
    limits: Limits
    parts: list[str] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)
    sheets: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)

    def metadata(self) -> dict[str, Any]:
        """Where sheets and rows begin, and what they are called."""
        known: dict[str, Any] = {
            "sheets": self.sheets,
            "sheet_names": self.names,
            "rows": self.rows,
            "row_numbers": self.numbers,
        }
        return known | ({"hidden_sheets": self.hidden} if self.hidden else {})

    def write_sheet(self, name: str, regions: list[Region]) -> None:
        """A sheet's heading and regions; nothing of a sheet without any."""
        if not regions:
            return
        title = " ".join(name.split())
        start = self._put(f"# {title}", "\n\n")
        self.sheets.append(start)
        self.names.append(title)
        self.blocks.append(Block("heading", Span(start, self.length), 1, title))
        for region in regions:
            if region.is_table:
                self._write_table(region)
            else:
                for (text,), number in zip(region.rows, region.numbers, strict=True):
                    start = self._put_row(text, number, "\n\n")
                    self.blocks.append(Block("paragraph", Span(start, self.length)))

    def _write_table(self, region: Region) -> None:
        at, separator = len(self.blocks), "\n\n"
        start = self.length + len(separator)
        for n, (row, number) in enumerate(zip(region.rows, region.numbers, strict=True), start=1):
            low = self._put_row(_row(row), number, separator)
            separator = "\n"
            if n == region.n_header:
                self._put("|" + " --- |" * len(row), "\n")
                self.blocks.append(Block("table_row", Span(start, self.length), 0, "header"))
            elif n > region.n_header:
                self.blocks.append(Block("table_row", Span(low, self.length)))
        self.blocks.insert(at, Block("table", Span(start, self.length)))

    def _put_row(self, text: str, number: int, separator: str) -> int:
        start = self._put(text, separator)
        self.rows.append(start)
        self.numbers.append(number)
        return start

    def _put(self, text: str, separator: str) -> int:
        if self.parts:
            self.parts.append(separator)
            self.length += len(separator)
        self.parts.append(text)
        self.length += len(text)
        if self.length > self.limits.max_characters:
            raise InvalidDocument(
                f"{self.source} must hold at most {self.limits.max_characters:,} characters, got "
                "more: split the file, or raise max_characters"
            )
        return self.length - len(text)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
