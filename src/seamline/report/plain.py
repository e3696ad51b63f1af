"""Text of documents and golden sets made harmless for a terminal."""

from __future__ import annotations

import re

__all__ = ["one_line", "plain"]

# Control characters, and those that turn the direction of what follows.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    r"""`text` with control characters as pictures, so that none reaches the terminal.

    Newlines and tabs stay. The length stays, too: one character for one.

    Example:
        >>> plain("\x1b[31mred")
        '␛[31mred'
    """
    return _CONTROL.sub(_picture, text)


def one_line(text: str) -> str:
    r"""`plain(text)` with newlines and tabs as pictures, too: a name, however odd, is one line.

    Example:
        >>> one_line("a\n\u202eb.md")
        'a␊�b.md'
    """
    return plain(text).replace("\n", "␊").replace("\t", "␉")


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "�"
