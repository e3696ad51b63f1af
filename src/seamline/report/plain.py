"""Text of documents and golden sets made harmless for a terminal."""

from __future__ import annotations

import re

__all__ = ["plain"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(text: str) -> str:
    r"""`text` with control characters as pictures, so that none reaches the terminal.

    Newlines and tabs stay. The length stays, too: one character for one.

    Example:
        >>> plain("\x1b[31mred")
        '␛[31mred'
    """
    return _CONTROL.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"
