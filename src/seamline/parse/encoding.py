"""Bytes into text: UTF-8, or an error that says what the bytes look like."""

from __future__ import annotations

import codecs
import re
import shlex

from seamline.errors import InvalidDocument

__all__ = ["decode"]

# UTF-32's little-endian mark begins with UTF-16's, so the longer ones come first.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_NUL_COLUMNS: dict[tuple[bool, ...], str] = {
    (False, True, False, True): "UTF-16LE",
    (True, False, True, False): "UTF-16BE",
    (False, True, True, True): "UTF-32LE",
    (True, True, True, False): "UTF-32BE",
}
_SAMPLE = 1 << 16
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def decode(data: bytes, source: str) -> str:
    r"""The text of UTF-8 bytes, without a byte order mark.

    Raises:
        InvalidDocument: not UTF-8; names the file, the byte offset, the likely
            encoding and the command that converts it.

    Example:
        >>> decode(b"\xef\xbb\xbfcaf\xc3\xa9", "menu.txt")
        'café'
    """
    wide = _wide_encoding(data)
    if wide is not None:
        offset = max(0, data[:4].find(0)) if wide in _NUL_COLUMNS.values() else 0
        raise _refusal(source, data, offset, _looks_like(wide, source))
    skipped = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    try:
        return data[skipped:].decode()
    except UnicodeDecodeError as error:
        offset = error.start + skipped
        raise _refusal(source, data, offset, _advice(data, offset, source)) from None


def _refusal(source: str, data: bytes, offset: int, advice: str) -> InvalidDocument:
    return InvalidDocument(
        f"{source} must be UTF-8, but byte 0x{data[offset]:02x} at offset {offset} is not; {advice}"
    )


def _looks_like(encoding: str, source: str, *, label: str = "") -> str:
    command = f"iconv -f {encoding} -t UTF-8 {shlex.quote(source)}"
    return f"it looks like {label or encoding}: convert it with `{command} > new-file`"


def _wide_encoding(data: bytes) -> str | None:
    """UTF-16 or UTF-32, told by a byte order mark or by which of four columns hold NUL."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    sample = data[: min(_SAMPLE, len(data) // 4 * 4)]
    mostly_nul = tuple(2 * sample[i::4].count(0) > len(sample) // 4 for i in range(4))
    return _NUL_COLUMNS.get(mostly_nul)


def _advice(data: bytes, offset: int, source: str) -> str:
    if not data[:offset].isascii():
        return (
            "what comes before is UTF-8, so the file is cut off or damaged there, or mixes "
            "encodings: mend that place"
        )
    sample = data[offset : offset + _SAMPLE]
    if _CONTROL.search(sample):
        return "it looks like a binary file: leave it out"
    runs = [len(run) for run in _HIGH_RUN.findall(sample)]
    if 2 * runs.count(1) > len(runs):
        return _looks_like("WINDOWS-1252", source, label="Windows-1252/Latin-1")
    return (
        "its encoding could not be told (GB18030, Shift_JIS, Windows-1251 …): "
        f"convert it with `iconv -f ENCODING -t UTF-8 {shlex.quote(source)} > new-file`"
    )
