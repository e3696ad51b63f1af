"""Counts, differences and lists in words, the same in every message and report."""

from __future__ import annotations

import json
from collections.abc import Sequence

__all__ = ["counted", "fault_in_json", "listed", "rounded_share", "signed"]


def counted(n: int, noun: str, plural: str = "") -> str:
    """A number with its noun, in the plural where it must be.

    Example:
        >>> counted(1, "chunk"), counted(1200, "chunk"), counted(0, "query", "queries")
        ('1 chunk', '1,200 chunks', '0 queries')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def listed(items: Sequence[str], most: int = 3) -> str:
    """All of them, or the first `most` and how many more; never one more, which could be named.

    Example:
        >>> listed(["a", "b"]), listed(["a", "b", "c", "d"]), listed(["a", "b", "c", "d", "e"])
        ('a and b', 'a, b, c and d', 'a, b, c and 2 more')
    """
    if len(items) > most + 1:
        return f"{', '.join(items[:most])} and {len(items) - most:,} more"
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def signed(value: float | None) -> str:
    """A difference with its sign, of which there is none at 0; a dash where there is none.

    Example:
        >>> signed(-0.0301), signed(0.2), signed(-0.0001), signed(None)
        ('−0.030', '+0.200', '0.000', '–')
    """
    if value is None:
        return "–"
    written = f"{value:+.3f}".replace("-", "−")
    return written if written[1:] != "0.000" else "0.000"


def rounded_share(share: float, *, over: str = ">", under: str = "<") -> str:
    """A share of 1 in whole percent; what is nearly all is not all, nor what is nearly none none.

    Example:
        >>> rounded_share(0.625), rounded_share(0.9975), rounded_share(0.001, under="under ")
        ('62%', '>99%', 'under 1%')
        >>> rounded_share(1.0), rounded_share(0.0)
        ('100%', '0%')
    """
    said = f"{share:.0%}"
    if said == "100%" and share < 1:
        return f"{over}99%"
    return f"{under}1%" if said == "0%" and share > 0 else said


def fault_in_json(error: Exception) -> str:
    """Why a text is no JSON, to follow "but".

    Example:
        >>> try:
        ...     json.loads('{"a": }')
        ... except ValueError as error:
        ...     print(fault_in_json(error))
        a value is missing or broken at line 1, column 7
    """
    if isinstance(error, json.JSONDecodeError):
        if not error.doc.strip():
            return "it is empty"
        what = _JSON.get(error.msg, f"{error.msg[:1].lower()}{error.msg[1:]}")
        return f"{what} at line {error.lineno:,}, column {error.colno:,}"
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start:,} is no UTF-8"
    if isinstance(error, UnicodeEncodeError):
        return "a string holds half a surrogate pair"
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return "a number has too many digits" if "digits" in str(error) else str(error)


_JSON = {
    "Expecting value": "a value is missing or broken",
    "Expecting property name enclosed in double quotes": "a key is missing or broken",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Extra data": "more follows its end",
}
