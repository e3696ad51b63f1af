"""Sizes in BPE tokens of the public OpenAI vocabularies, exact and offline.

A text is tokenised once. A slice is then counted from that one pass: its head
and its tail are counted alone up to the nearest *sync point*, an offset where
any tokenisation of any surrounding text must have a border, and the tokens
between the two are subtracted from a running count.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

import numpy as np
import toktok

from seamline.types import IntArray

__all__ = ["BPE_VOCABULARIES", "BpeRuler", "BpeTokens"]

BPE_VOCABULARIES = ("cl100k_base", "o200k_base")

# A sync point lies between a letter or digit and one of these marks. Both
# vocabularies' pre-tokenisers end a word there whatever comes before or after
# (their patterns hold no look-behind). Left out on purpose: the apostrophe
# (o200k glues 's to its word), combining marks, and letters that an older
# Unicode table may not know. A property test holds this against full counts.
_WORD = (
    "0-9A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0391-\u03a1\u03a3-\u03a9\u03b1-\u03c9"
    "\u0410-\u044f\u05d0-\u05ea\u0621-\u063a\u0904-\u0939\u0e01-\u0e30\u3041-\u3096\u30a1-\u30fa"
    "\u3400-\u4db5\u4e00-\u9fa5\uac00-\ud7a3"
)
_MARK = (
    " \t\n!-&(-/:-@\\[-`{-~\u2013\u2014\u201c\u201d\u2026\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f"
)
_NEXT_SYNC = re.compile(f"[{_WORD}](?=[{_MARK}])").search
_IS_SYNC = re.compile(f"[{_WORD}][{_MARK}]").match
# So is the start of a line, unless white space goes on or (o200k) a slash follows.
_GLUED = ("", "/", "\n", " ", "\t", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x1f", "\x85", "\xa0")
_LOOK_BACK = 64
_LOOK_AHEAD = 256


class BpeRuler:
    """Counts slices of one text without tokenising it twice."""

    def __init__(self, text: str, count: Callable[[str], int], ends: IntArray) -> None:
        self._text = text
        self._count = count
        self._ends = ends.data  # bisect reads a memoryview twice as fast as an array
        self._memo = (-1, 0, 0, 0)  # the last answer of _head: start, sync point, two counts

    def _head(self, start: int, end: int) -> tuple[int, int, int]:
        """The first sync point after `start`, and the tokens up to it in the text and the slice.

        The sync point is -1 where there is none soon.
        """
        known, head, first, size = self._memo
        if known == start and head <= end:
            return head, first, size
        text, head, size = self._text, start, 0
        if start and (text[start - 1] != "\n" or text[start : start + 1] in _GLUED):
            found = _NEXT_SYNC(text, start, min(end, start + _LOOK_AHEAD))
            if not found:
                return -1, 0, 0
            head = found.end()
            size = self._count(text[start:head])
        first = bisect_right(self._ends, head)
        self._memo = (start, head, first, size)
        return head, first, size

    def _tail(self, floor: int, end: int) -> int:
        """The last sync point from `floor` up to `end`, looking back a little only."""
        text = self._text
        last = end - 1
        for at in range(last, max(floor, last - _LOOK_BACK) - 1, -1):
            if _IS_SYNC(text, at):
                return at + 1
        return floor

    def size(self, start: int, end: int) -> int:
        head, first, total = self._head(start, end)
        if head < 0:
            return self._count(self._text[start:end])
        tail = self._tail(head, end)
        total += bisect_right(self._ends, tail, first) - first
        return total + self._count(self._text[tail:end]) if tail < end else total

    def reach(self, start: int, budget: int) -> int:
        ends = self._ends
        # The first word may count otherwise alone than after what precedes it.
        head, first, size = self._head(start, len(self._text))
        guess = budget + (first - size if head >= 0 else bisect_right(ends, start))
        if guess >= len(ends):
            return len(self._text)
        return max(ends[guess - 1], start) if guess > 0 else start

    def back(self, end: int, budget: int) -> int:
        if budget <= 0:
            return end
        first = bisect_left(self._ends, end) - budget
        return self._ends[first] if first >= 0 else 0


# Bytes from this one on, as signed numbers, begin a character.
_LEAD = -64
_BLOCK = 1 << 20
# The width of a token that is no text by itself, larger than any text.
_PART = 1 << 30


@cache
def _vocabulary(name: str) -> tuple[Any, IntArray, IntArray]:
    """The tokenizer, and int32[n_vocab] each: how many bytes and characters a token spells.

    A token that is a part of a character has `_PART` characters.
    """
    tokenizer = toktok._encoding(name)  # noqa: SLF001 - the only door to ids; toktok-rs is pinned
    values = tokenizer.token_byte_values()
    widths = np.fromiter(map(len, values), dtype=np.int32, count=len(values))
    return tokenizer, widths, np.fromiter(map(_characters, values), np.int32, count=len(values))


def _characters(token: bytes) -> int:
    try:
        return len(token.decode())
    except UnicodeDecodeError:
        return _PART


def _running(widths: IntArray, ids: Any) -> IntArray:
    """int32[n]: running sums of the tokens' widths, without a second array."""
    ends: IntArray = widths.take(ids)
    return np.cumsum(ends, out=ends)


def _from_bytes(text: str, ends: IntArray, *, up: bool) -> IntArray:
    """Byte offsets as code points, in place; one inside a character becomes its end or start."""
    data = np.frombuffer(text.encode(), dtype=np.int8)
    begun = first = 0
    for low in range(0, len(data), _BLOCK):
        leads = data[low : low + _BLOCK] >= _LEAD
        counts = np.cumsum(leads, dtype=np.int32)
        last = int(np.searchsorted(ends[first:], low + len(leads), "right")) + first
        here = ends[first:last]
        inside = data.take(here, mode="clip") < _LEAD if not up else False
        ends[first:last] = counts.take(here - (low + 1)) + begun - (inside & (here < len(data)))
        begun, first = begun + int(counts[-1]), last
    return ends


class BpeTokens:
    """The number of tokens of `cl100k_base` or `o200k_base`; special tokens are plain text.

    Example:
        >>> BpeTokens("cl100k_base").size("hello world")
        2
    """

    per_unit = 4.0

    def __init__(self, name: str) -> None:
        self.name = name

    def size(self, text: str) -> int:
        return cast("int", _vocabulary(self.name)[0].count(text))

    def sizes(self, texts: Sequence[str]) -> IntArray:
        count = _vocabulary(self.name)[0].count
        return np.fromiter(map(count, texts), dtype=np.int32, count=len(texts))

    def ends(self, text: str) -> IntArray:
        """int32[n_tokens]: where each token ends, in code points, rounded down."""
        return self._ends(text, up=False)

    def _ends(self, text: str, *, up: bool) -> IntArray:
        tokenizer, widths, characters = _vocabulary(self.name)
        ids = tokenizer.encode_to_numpy(text, disallowed_special=())
        ends = _running(characters, ids)
        if len(ends) and ends[-1] != len(text):
            ends = _running(widths, ids)
            del ids
            return _from_bytes(text, ends, up=up)
        return ends

    def ruler(self, text: str) -> BpeRuler:
        # Rounded up, the tokens that end at or before a border are those of the text before it.
        return BpeRuler(text, _vocabulary(self.name)[0].count, self._ends(text, up=True))

    def __reduce__(self) -> tuple[type[BpeTokens], tuple[str]]:
        return BpeTokens, (self.name,)
