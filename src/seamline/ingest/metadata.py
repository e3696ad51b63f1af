"""Metadata of parsers and people as every store can hold them: plain JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["plain"]

_LONGEST = 100  # entries of a list
_DEEPEST = 15  # tables and lists inside each other
_LARGEST = 1 << 16  # characters of a value as JSON


def plain(metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Metadata as JSON has them: tuples as lists, keys as strings, anything else as text.

    Long lists are a parser's maps of pages, lines or cells: what chunks need of these they
    have already, and they are left out; so are values of over 65,536 characters. What lies
    deeper than 15 levels is told as text. Null characters and lone surrogates, which
    databases refuse, become U+FFFD.

    Example:
        >>> plain({"pages": (1, 2), 3: float("inf"), "lines": list(range(500))})
        {'pages': [1, 2], '3': 'inf'}
    """
    found = _table(metadata, _DEEPEST)
    return {key: value for key, value in found.items() if not _is_large(value)}


def _is_large(value: Any) -> bool:
    if isinstance(value, str) and len(value) < _LARGEST // 6:
        return False  # a character takes six at most
    return isinstance(value, str | list | dict) and len(json.dumps(value)) > _LARGEST


def _table(metadata: Mapping[Any, Any], levels: int) -> dict[str, Any]:
    return {
        _text(key): _plain(value, levels - 1) for key, value in metadata.items() if not _map(value)
    }


def _plain(value: Any, levels: int) -> Any:
    if isinstance(value, Mapping) and levels:
        return _table(value, levels)
    if isinstance(value, list | tuple) and levels:
        return [_plain(inner, levels - 1) for inner in value]
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and abs(value) < float("inf"):
        return value
    return _text(value)


def _text(value: Any) -> str:
    text = str(value).replace("\0", "\ufffd")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _map(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) > _LONGEST
