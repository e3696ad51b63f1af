"""The bytes of an HTML file into text, by its byte order mark or what it declares."""

from __future__ import annotations

import codecs
import re

from seamline.errors import InvalidDocument
from seamline.parse.encoding import decode

__all__ = ["decode_html"]

_SAMPLE = 1 << 16
_DECLARED = re.compile(
    rb"<(?:\?xml\s[^>]*?\bencoding|meta\s[^>]*?\bcharset)\s*=\s*[\"']?\s*([\w.:+-]+)", re.IGNORECASE
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Browsers read these labels as the larger encoding, as pages use its characters.
_LARGER = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "utf-16": "utf-8",  # a page that says so in ASCII is not
    "utf-16-le": "utf-8",
    "utf-16-be": "utf-8",
    "utf-32": "utf-8",
}
_WORST = 1000  # one character in so many may be broken


def decode_html(data: bytes, source: str) -> str:
    r"""The text of an HTML file: its byte order mark decides, then what it declares, then UTF-8.

    Single broken bytes become U+FFFD, as in a browser.

    Raises:
        InvalidDocument: it is no text, or not in the encoding it declares or in UTF-8.

    Example:
        >>> decode_html(b'<meta charset="latin1">caf\xe9', "a.html")[-4:]
        'café'
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark) and not data.startswith(codecs.BOM_UTF32_LE):
            return data[len(mark) :].decode(encoding, errors="replace")
    if data[:_SAMPLE].count(0) > len(data[:_SAMPLE]) // _WORST:
        return decode(data, source) if _is_wide(data) else _refuse(data, source)
    encoding = _declared(data)
    if not encoding:
        return decode(data, source)
    text = data.decode(encoding, errors="replace")
    n_broken = text.count("\N{REPLACEMENT CHARACTER}")
    if n_broken > 2 + len(text) // _WORST:
        return decode(data, source)
    return text


def _is_wide(data: bytes) -> bool:
    return b"<\0" in data[:_SAMPLE] or b"\0<" in data[:_SAMPLE]


def _refuse(data: bytes, source: str) -> str:
    raise InvalidDocument(
        f"{source} must be HTML, but holds NUL bytes and begins with {data[:8].hex(' ')}: "
        "it looks like a binary file, check its extension"
    )


def _declared(data: bytes) -> str:
    """Python's name of the declared encoding, nothing if there is none that is known."""
    found = _DECLARED.search(data[:_SAMPLE])
    if found is None:
        return ""
    try:
        name = codecs.lookup(found[1].decode("ascii", errors="replace")).name
        "".encode(name)
    except (LookupError, UnicodeError):
        return ""
    return _LARGER.get(name, name)
