"""Scans over the characters of a text: in C where a compiler is at hand, else by `re`.

`scan.pxd` holds the C code. Both give the same answers.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "COMPILED",
    "PART",
    "SENTENCE_MARKS",
    "column",
    "first_over",
    "first_surrogate",
    "item",
    "last_mark",
    "n_items",
    "next_mark",
    "next_set",
    "push",
    "rfind",
    "rows_of",
    "token_ends",
    "word_bounds",
]

COMPILED = not __file__.endswith(".py")
"""Whether the cutting engine runs as compiled code."""

SENTENCE_MARKS = "\n.!?\u2026\u3002\uff01\uff1f\uff1b\uff61"
"""The characters that a sentence may end with."""

Row = TypeVar("Row", bound=tuple[Any, ...])
_MOST = (1 << 31) - 1
_ANY_MARK = re.compile(f"[{SENTENCE_MARKS}]")


def first_surrogate(text: str) -> int:
    """The offset of the first lone surrogate, -1 if there is none."""
    if COMPILED:
        return c_first_surrogate(text)
    try:
        text.encode("utf-16-le")  # the fastest codec that refuses surrogates
    except UnicodeEncodeError as error:
        return error.start
    return -1


def next_mark(text: str, low: int, high: int) -> int:
    """The first offset in `[low, high)` of a sentence mark, else `high` or the text's end."""
    if COMPILED:
        return c_next_mark(text, low, high)
    found = _ANY_MARK.search(text, low, high)
    return found.start() if found else min(high, len(text))


def last_mark(text: str, low: int, high: int) -> int:
    """The last offset in `[low, high)` of a sentence mark, else `low - 1`; `low` begins with 0."""
    if COMPILED:
        return c_last_mark(text, low, high)
    low, high = max(low, 0), max(high, 0)
    return max([low - 1] + [text.rfind(mark, low, high) for mark in SENTENCE_MARKS])


def rfind(text: str, part: str, low: int, high: int) -> int:
    """`text.rfind(part, low, high)` for offsets that count from the start."""
    if COMPILED:
        return c_rfind(text, part, low, high)
    return text.rfind(part, low, high)


_ANY_SET = re.compile(rb"[^\0]")


def next_set(marks: bytearray, at: int) -> int:
    """The first offset from `at` on where a byte is not 0, else the end."""
    if COMPILED:
        return c_next_set(marks, at)
    found = _ANY_SET.search(marks, at)
    return found.start() if found else len(marks)


def rows_of(
    kind: type[Row],
    doc_id: str,
    text: str,
    starts: list[int],
    ends: list[int],
    metadata: Mapping[str, Any] | list[Mapping[str, Any]],
    contexts: list[str] | None = None,
    indexed: list[str | None] | None = None,
) -> list[Row]:
    """Named tuples `(doc_id, start, end, slice, ordinal, context, None, indexed, metadata)`.

    `metadata` is one for all, or a list of one a row.
    """
    new = tuple.__new__  # a third faster than calling `kind`
    rows: list[Row] = []
    several: Any = metadata if isinstance(metadata, list) else None
    for i in range(len(starts)):
        data = metadata if several is None else several[i]
        start, end = starts[i], ends[i]
        context = "" if contexts is None else contexts[i]
        line = None if indexed is None else indexed[i]
        if COMPILED:
            row = c_row(kind, doc_id, start, end, text[start:end], i, context, line, data)
        else:
            row = new(kind, (doc_id, start, end, text[start:end], i, context, None, line, data))
        rows.append(row)
    return rows


# Bytes from this one on, as signed numbers, begin a character.
_LEAD = -64
_BLOCK = 1 << 20
PART = 255
"""Stands for the characters of a token that is a part of a character."""


def token_ends(text: str, ids: NDArray[np.uint32], widths: NDArray[np.uint16]) -> NDArray[np.int32]:
    """int32[n]: where each token of `text` ends; inside a character, where that ends.

    `ids` (uint32[n]) index `widths` (uint16[n_vocab]): the bytes that a token
    spells, and 256 times its characters, or `PART` for these.
    """
    if COMPILED:
        ends = np.empty(len(ids), dtype=np.int32)
        c_token_ends(text, ids, widths, ends)
        return ends
    here = widths.take(ids)
    characters = here >> 8
    if not (characters == PART).any():
        return np.cumsum(characters, dtype=np.int32)
    return _from_bytes(text, np.cumsum(here & 255, dtype=np.int32))


def _from_bytes(text: str, ends: NDArray[np.int32]) -> NDArray[np.int32]:
    """Byte offsets as code points, in place; one inside a character becomes its end."""
    data = np.frombuffer(text.encode(), dtype=np.int8)
    begun = first = 0
    for low in range(0, len(data), _BLOCK):
        counts = np.cumsum(data[low : low + _BLOCK] >= _LEAD, dtype=np.int32)
        last = int(np.searchsorted(ends[first:], low + len(counts), "right")) + first
        ends[first:last] = counts.take(ends[first:last] - (low + 1)) + begun
        begun, first = begun + int(counts[-1]), last
    return ends


def column(offsets: Any) -> Any:
    """Offsets (int32[n], not negative) as the functions below read them fastest."""
    array = np.ascontiguousarray(offsets, dtype=np.int32)
    return array.tobytes() if COMPILED else array.data


def n_items(offsets: Any) -> int:
    """How many offsets a column has."""
    if COMPILED:
        return c_n_items(offsets)
    return len(offsets)


def item(offsets: Any, at: int) -> int:
    """The offset at an index of a column."""
    if COMPILED:
        return c_item(offsets, at)
    return cast("int", offsets[at])


def first_over(offsets: Any, limit: int) -> int:
    """How many offsets of a column, which do not decrease, are at most `limit`."""
    if COMPILED:
        return c_first_over(offsets, limit)
    return bisect_right(offsets, limit)


def push(buffer: bytearray, offset: int) -> int:
    """Append an offset to a buffer of int32; returns 0."""
    if COMPILED:
        return c_push(buffer, offset)
    if not 0 <= offset <= _MOST:
        raise OverflowError(f"an offset must be below {_MOST + 1}")
    buffer += offset.to_bytes(4, sys.byteorder)
    return 0


def word_bounds(text: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """int32[n], int32[n]: where each word starts and ends; words are what `str.split` finds."""
    starts, ends = bytearray(), bytearray()
    if COMPILED:
        c_word_bounds(text, starts, ends)
    else:
        spans = np.array([found.span() for found in re.finditer(r"\S+", text)], dtype=np.int32)
        starts, ends = (bytearray(side.tobytes()) for side in spans.reshape(-1, 2).T)
    return np.frombuffer(starts, dtype=np.int32), np.frombuffer(ends, dtype=np.int32)
