"""ZIP archives, as DOCX, XLSX and ODS files are: checked before they are unpacked."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

from seamline.errors import InvalidDocument
from seamline.parse.limits import LIMITS, Limits, check_bytes

__all__ = ["Archive"]

_OLE = b"\xd0\xcf\x11\xe0"  # Word 97, or encrypted by Office
_PIECE = 1 << 16


class Archive:
    """The parts of a `kind` of file (such as "DOCX"), within `limits`; all zip reading is here.

    `zipfile` gives no more bytes of a part than its header declares, so the
    declared sizes bound what can come out. What it raises on a damaged file, or what
    the decompressors below it do, becomes an `InvalidDocument`.

    Raises:
        InvalidDocument: it is no archive, is encrypted, or unpacks to too much.
    """

    def __init__(self, data: bytes, source: str, *, kind: str, limits: Limits = LIMITS) -> None:
        check_bytes(data, source, limits)
        self.source = source
        self.kind = kind
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except Exception as error:  # `zipfile` trusts what it reads, and may raise anything
            raise InvalidDocument(_no_archive(data, source, kind)) from error
        self.parts = self._zip.infolist()
        self.names = {part.filename for part in self.parts}
        if any(part.flag_bits & 1 for part in self.parts):
            raise InvalidDocument(f"{source} must be readable without a password: save it without")
        _check_sizes(self.parts, source, limits)

    def read(self, part: str | zipfile.ZipInfo) -> bytes:
        """What a part holds.

        Raises:
            InvalidDocument: it is damaged.
        """
        with self._reading(part):
            return self._zip.read(part)

    def pieces(self, part: str) -> Iterator[bytes]:
        """What a part holds, piece by piece.

        Raises:
            InvalidDocument: it is damaged.
        """
        with self._reading(part):
            stream = self._zip.open(part)
        with stream:
            while True:
                with self._reading(part):
                    piece = stream.read(_PIECE)
                if not piece:
                    return
                yield piece

    @contextmanager
    def _reading(self, part: str | zipfile.ZipInfo) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            name = part if isinstance(part, str) else part.filename
            raise InvalidDocument(
                f"{self.source} must be a whole {self.kind} file, but its part {name!r} cannot be "
                f"read ({str(error) or 'damaged'}): open it and save it anew, or leave it out"
            ) from error


def _check_sizes(parts: list[zipfile.ZipInfo], source: str, limits: Limits) -> None:
    total = sum(part.file_size for part in parts)
    if total > limits.max_unpacked_bytes or len(parts) > limits.max_entries:
        raise InvalidDocument(
            f"{source} must unpack to at most {limits.max_unpacked_bytes:,} bytes in "
            f"{limits.max_entries:,} entries, got {total:,} bytes in {len(parts):,} entries: "
            "leave it out, split the file, or raise max_unpacked_bytes or max_entries"
        )
    for part in parts:
        is_xml = part.filename.lower().endswith((".xml", ".rels"))
        if is_xml and part.file_size > limits.max_xml_bytes:
            raise InvalidDocument(
                f"an XML part of {source} must unpack to at most {limits.max_xml_bytes:,} bytes, "
                f"got {part.file_size:,} in {part.filename!r}: leave it out, or split the file"
            )


def _no_archive(data: bytes, source: str, kind: str) -> str:
    a_file = f"{'a' if kind == 'DOCX' else 'an'} {kind} file"
    if data.startswith(_OLE):
        return (
            f"{source} must be {a_file}, but is an older Office file or protected by a "
            f"password: save it as {kind} without one"
        )
    form = "" if kind == "XLS" else " (a ZIP archive)"
    begins = f"begins with {data[:8].hex(' ')} or is cut off" if data else "is empty"
    return f"{source} must be {a_file}{form}, but it {begins}: check the file and its extension"
