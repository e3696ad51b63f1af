"""Python code that holds nothing to look for, told by its bytes alone.

This module is compiled where a C compiler is at hand (`code_flat.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

__all__ = ["is_flat"]

_BREAK, _BACKSLASH, _DOUBLE, _SINGLE, _REMARK = b"\n\\\"'#"
_F, _S = b"fs"
_APART = (b" ", b"\t", b"\\")


def is_flat(data: bytes, start: int, end: int) -> bool:
    """Whether Python code surely holds no definition and no string of several lines.

    Most functions do not, and need not be walked. Worth its time only in C.

    Example:
        >>> [is_flat(code, 0, len(code)) for code in (b"x = 'def'", b"x = '''", b"def f(): 0")]
        [True, False, False]
    """
    at = start
    while at < end:
        c = data[at]
        if c in (_DOUBLE, _SINGLE):
            at = _string_end(data, at, end)
        elif c == _REMARK:
            while at < end and data[at] != _BREAK:
                at += 1
        elif c in (_F, _S) and _ends_word(data, at):
            return False
        if at < 0:
            return False
        at += 1
    return True


def _string_end(data: bytes, at: int, end: int) -> int:
    """The closing quote of the string that opens at `at`; -1 if it is not on the same line."""
    quote = data[at]
    if at + 2 < end and data[at + 1] == quote and data[at + 2] == quote:
        return -1
    at += 1
    while at < end and data[at] != quote:
        if data[at] == _BACKSLASH:
            at += 1
        if at >= end or data[at] == _BREAK:
            return -1
        at += 1
    return at if at < end else -1


def _ends_word(data: bytes, at: int) -> bool:
    """Whether `def` or `class` ends in an offset."""
    after = data[at + 1 : at + 2]
    return after in _APART and data.endswith((b"def", b"class"), 0, at + 1)
