"""Bounds on what a parser takes in and writes out, so that no file can fill the memory."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields

from seamline.errors import InvalidConfig, InvalidDocument

__all__ = ["LIMITS", "Deadline", "Limits", "check_bytes"]

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may cost; a file that wants more is refused by name.

    `max_bytes` is the size of the file, `max_unpacked_bytes` that of everything in
    an archive of `max_entries` (DOCX, XLSX, ODS), `max_xml_bytes` that of a single XML
    part of it, `max_sheet_bytes` that of one in a workbook. `max_pages` are the pages
    of a PDF, `max_characters` its text and that of a workbook, `max_cells` the cells of a
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
