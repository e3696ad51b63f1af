"""Bounds on what a parser takes in and writes out, so that no file can fill the memory."""

from __future__ import annotations

import io
import time
import zipfile
from dataclasses import dataclass, fields

from seamline.errors import InvalidConfig, InvalidDocument

__all__ = ["LIMITS", "Deadline", "Limits", "check_bytes", "open_archive"]

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost; a file that wants more is refused by name.

    `max_bytes` is the size of the file, `max_unpacked_bytes` that of everything in
    an archive of `max_entries` (DOCX, XLSX, ODS), `max_xml_bytes` that of a single XML
    part of it, `max_sheet_bytes` that of one in a workbook. `max_pages` are the pages
    of a PDF, `max_characters` its text and that of a sheet, `max_cells` the cells of a
    sheet or table. `max_copies` and `max_copied_characters` bound what merged cells may
    repeat: beyond them a cell's text stands once. `max_seconds` may a DOCX or PDF take.

    Raises:
        InvalidConfig: a limit that is no number above 0, whole but for `max_seconds`.

    Example:
        >>> Limits(max_pages=100).max_pages
        100
    """

    max_bytes: int = 256 * _MIB
    max_unpacked_bytes: int = 512 * _MIB
    max_xml_bytes: int = 64 * _MIB
    max_sheet_bytes: int = 256 * _MIB
    max_entries: int = 20_000
    max_pages: int = 20_000
    max_cells: int = 5_000_000
    max_characters: int = 256 * _MIB
    max_copies: int = 500_000
    max_copied_characters: int = 4 * _MIB
    max_seconds: float = 600.0

    def __post_init__(self) -> None:
        for one in fields(self):
            value, kind = getattr(self, one.name), type(one.default)
            if type(value) not in (int, kind) or not value > 0:
                wanted = "a whole number" if kind is int else "a number"
                raise InvalidConfig(f"{one.name} must be {wanted} above 0, got {value!r}")


LIMITS = Limits()


class Deadline:
    """A clock that refuses a file once it has taken `limits.max_seconds`."""

    def __init__(self, source: str, limits: Limits = LIMITS) -> None:
        self.source = source
        self.limits = limits
        self._end = time.monotonic() + limits.max_seconds

    def check(self) -> None:
        """Nothing, as long as there is time.

        Raises:
            InvalidDocument: the time is up.
        """
        if time.monotonic() > self._end:
            raise InvalidDocument(
                f"{self.source} must be read within {self.limits.max_seconds:g} seconds, but takes "
                "longer: split the file, or raise max_seconds"
            )


def check_bytes(data: bytes, source: str, limits: Limits = LIMITS) -> None:
    """Nothing, if the file is small enough to be read.

    Raises:
        InvalidDocument: it is larger than `limits.max_bytes`.
    """
    if len(data) > limits.max_bytes:
        raise InvalidDocument(
            f"{source} must be at most {limits.max_bytes:,} bytes, got {len(data):,}: "
            "split the file, or raise max_bytes"
        )


def open_archive(
    data: bytes, source: str, *, kind: str, limits: Limits = LIMITS
) -> zipfile.ZipFile:
    """The ZIP archive that a `kind` of file (such as "DOCX") is, checked before it is unpacked.

    `zipfile` gives no more bytes of an entry than its header declares, so the
    declared sizes bound what can come out.

    Raises:
        InvalidDocument: it is no archive, is encrypted, or unpacks to too much.
    """
    check_bytes(data, source, limits)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, EOFError) as error:
        raise InvalidDocument(_no_archive(data, source, kind)) from error
    if any(entry.flag_bits & 1 for entry in entries):
        raise InvalidDocument(f"{source} must be readable without a password: save it without")
    _check_entries(entries, source, limits)
    return archive


def _check_entries(entries: list[zipfile.ZipInfo], source: str, limits: Limits) -> None:
    total = sum(entry.file_size for entry in entries)
    if total > limits.max_unpacked_bytes or len(entries) > limits.max_entries:
        raise InvalidDocument(
            f"{source} must unpack to at most {limits.max_unpacked_bytes:,} bytes in "
            f"{limits.max_entries:,} entries, got {total:,} bytes in {len(entries):,} entries: "
            "leave it out, split the file, or raise max_unpacked_bytes or max_entries"
        )
    for entry in entries:
        is_xml = entry.filename.lower().endswith((".xml", ".rels"))
        if is_xml and entry.file_size > limits.max_xml_bytes:
            raise InvalidDocument(
                f"an XML part of {source} must unpack to at most {limits.max_xml_bytes:,} bytes, "
                f"got {entry.file_size:,} in {entry.filename!r}: leave it out, or split the file"
            )


def _no_archive(data: bytes, source: str, kind: str) -> str:
    if data.startswith(b"\xd0\xcf\x11\xe0"):  # OLE: Word 97, or encrypted by Office
        return (
            f"{source} must be a {kind} file, but is an older Office file or protected by a "
            f"password: save it as {kind} without one"
        )
    begins = data[:8].hex(" ") or "nothing"
    return (
        f"{source} must be a {kind} file (a ZIP archive), but it begins with {begins} or is "
        "cut off: check the file and its extension"
    )
