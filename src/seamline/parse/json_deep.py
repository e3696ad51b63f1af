"""Where a JSON value ends that is nested more deeply than the standard library goes."""

from __future__ import annotations

import re

__all__ = ["value_end"]

_TOKEN = re.compile(
    r"""[ \t\n]*+(?:
      ([\[{]) | ([\]}]) | (,) | (:)
    | ("(?:[^"\\]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")
    | (-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][-+]?[0-9]++)?+|true|false|null|NaN|-?Infinity)
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"[ \t\n]*+")
_OPEN, _CLOSE, _COMMA, _COLON, _STRING, _SCALAR = range(1, 7)
# What may come next, by name, and what comes after it.
_VALUE, _ITEM, _MEMBER, _KEY, _AFTER_KEY, _AFTER = (
    "a value",
    "a value or ']'",
    "a key or '}'",
    "a key",
    "':'",
    "',' or the closing bracket",
)
_NEXT = {
    **{(kind, state): _AFTER for kind in (_STRING, _SCALAR) for state in (_VALUE, _ITEM)},
    (_STRING, _MEMBER): _AFTER_KEY,
    (_STRING, _KEY): _AFTER_KEY,
    (_COLON, _AFTER_KEY): _VALUE,
}
_CLOSED_BY = {"[": "]", "{": "}"}


def value_end(text: str, at: int) -> tuple[int, str]:
    """The end of the value that begins at `at`, and nothing; else where it fails, and what is due.

    One pass, without recursion.

    Example:
        >>> value_end("[[1, 2], 3] ", 0), value_end("[1 2]", 0)
        ((11, ''), (3, "',' or the closing bracket"))
    """
    open_ones: list[str] = []
    state = _VALUE
    while state != _AFTER or open_ones:
        found = _TOKEN.match(text, at)
        after = _step(found, state, open_ones) if found else ""
        if not found or not after:
            space = _SPACE.match(text, at)
            return (space.end() if space else at), state
        at, state = found.end(), after
    return at, ""


def _step(found: re.Match[str], state: str, open_ones: list[str]) -> str:
    """What may come after this token; nothing where it may not stand."""
    kind = found.lastindex or 0
    if kind == _OPEN and state in (_VALUE, _ITEM):
        open_ones.append(found[1])
        return _ITEM if found[1] == "[" else _MEMBER
    if kind == _COMMA and state == _AFTER:
        return _VALUE if open_ones[-1] == "[" else _KEY
    if kind == _CLOSE and state in (_AFTER, _ITEM, _MEMBER):
        return _AFTER if _CLOSED_BY[open_ones.pop()] == found[2] else ""
    return _NEXT.get((kind, state), "")
