"""Sizes in words: runs of characters between white space."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seamline.types import IntArray

__all__ = ["WordRuler", "Words"]

# Code points that str.isspace() and str.split() take for white space.
_SPACES = np.array([ord(c) for c in map(chr, range(0x3001)) if c.isspace()], dtype=np.uint32)
_SPACE = np.zeros(0x3001, dtype=bool)
_SPACE[_SPACES] = True


# Characters looked at in one go: arrays of a whole text of megabytes leave the caches.
_BLOCK = 1 << 18


def _blanks(text: str) -> NDArray[np.bool_]:
    """bool[n]: which characters are white space."""
    if text.isascii():
        return _SPACE[np.frombuffer(text.encode(), dtype=np.uint8)]
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    return _SPACE[np.minimum(codes, 0x3000)] & (codes <= 0x3000)


def _bounds(text: str) -> tuple[IntArray, IntArray]:
    """int32[n], int32[n]: where each word starts and ends."""
    parts, last = [np.empty(0, dtype=np.int32)], True
    for at in range(0, len(text), _BLOCK):
        blank = _blanks(text[at : at + _BLOCK])
        parts.append((np.flatnonzero(np.diff(blank, prepend=last)) + at).astype(np.int32))
        last = bool(blank[-1])
    if not last:
        parts.append(np.array([len(text)], dtype=np.int32))
    edges = np.concatenate(parts)
    return np.ascontiguousarray(edges[::2]), np.ascontiguousarray(edges[1::2])


class WordRuler:
    """A ruler over the words of one text; a word cut in two counts on both sides."""

    def __init__(self, text: str) -> None:
        starts, ends = _bounds(text)
        self._length = len(text)
        self._starts = starts.data
        self._ends = ends.data

    def size(self, start: int, end: int) -> int:
        first = bisect_right(self._ends, start)
        return max(bisect_left(self._starts, end, first) - first, 0) if end > start else 0

    def reach(self, start: int, budget: int) -> int:
        after = bisect_right(self._ends, start) + budget
        return max(self._starts[after], start) if after < len(self._starts) else self._length

    def back(self, end: int, budget: int) -> int:
        if budget <= 0:
            return end
        first = bisect_left(self._starts, end) - budget
        return self._starts[first] if first >= 0 else 0


class Words:
    """The number of words, as `str.split` counts them.

    Example:
        >>> Words().size("two  words")
        2
    """

    name = "words"
    per_unit = 6.0

    def size(self, text: str) -> int:
        return len(text.split())

    def sizes(self, texts: Sequence[str]) -> IntArray:
        return np.fromiter((len(t.split()) for t in texts), dtype=np.int32, count=len(texts))

    def ends(self, text: str) -> IntArray:
        return _bounds(text)[1]

    def ruler(self, text: str) -> WordRuler:
        return WordRuler(text)
