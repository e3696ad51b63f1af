"""Rulers: one text measured once, then asked many times.

A ruler answers where a window of a given size ends. `reach` and `back` may be
off by a unit where a tokenizer is not additive; `size` is exact, always.

This module is compiled where a C compiler is at hand (`rulers.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from operator import index
from typing import Protocol, cast, runtime_checkable

import numpy as np

from seamline.errors import InvalidConfig
from seamline.protocols import Sizer, SupportsTokenEnds
from seamline.scan import column, first_over, item, n_items
from seamline.types import IntArray

__all__ = [
    "BpeRuler",
    "CharacterRuler",
    "EndsRuler",
    "Ruler",
    "SearchRuler",
    "SupportsRuler",
    "WordRuler",
    "character_table",
    "make_ruler",
]


class Ruler:
    """Distances inside one text, in the unit of a sizer. A ruler of one's own inherits from it."""

    def size(self, start: int, end: int) -> int:
        """The exact size of `text[start:end]`."""
        raise NotImplementedError

    def reach(self, start: int, budget: int) -> int:
        """The furthest end, at least `start`, whose slice from there is within `budget`."""
        raise NotImplementedError

    def back(self, end: int, budget: int) -> int:
        """The earliest start whose slice up to `end` is within `budget`."""
        raise NotImplementedError


class CharacterRuler(Ruler):
    """A ruler that needs no measuring."""

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def reach(self, start: int, budget: int) -> int:
        return min(start + budget, self._length)

    def back(self, end: int, budget: int) -> int:
        return max(end - budget, 0)


class WordRuler(Ruler):
    """A ruler over the words of one text; a word cut in two counts on both sides.

    `starts` and `ends` (int32[n]) are where the words start and end.
    """

    def __init__(self, text: str, starts: IntArray, ends: IntArray) -> None:
        self._length = len(text)
        self._starts = column(starts)
        self._ends = column(ends)

    def size(self, start: int, end: int) -> int:
        if end <= start:
            return 0
        return max(first_over(self._starts, end - 1) - first_over(self._ends, start), 0)

    def reach(self, start: int, budget: int) -> int:
        after = first_over(self._ends, start) + budget
        return (
            max(item(self._starts, after), start) if after < n_items(self._starts) else self._length
        )

    def back(self, end: int, budget: int) -> int:
        if budget <= 0:
            return end
        first = first_over(self._starts, end - 1) - budget
        return item(self._starts, first) if first >= 0 else 0


# A size that is as large as any; offsets may be added to it.
_MOST = 1 << 60


def _whole(count: object) -> int:
    """What a sizer counted, as a whole number that C can hold; `InvalidConfig` if it is none."""
    try:
        whole = index(cast("int", count))
    except TypeError:
        whole = -1
    if whole < 0:
        raise InvalidConfig(
            f"a sizer must count whole numbers of at least 0, got {count!r}: round what it returns"
        )
    return min(whole, _MOST)


class EndsRuler(Ruler):
    """A ruler over token ends (int32[n]) whose exact sizes are recounted."""

    def __init__(self, text: str, count: Callable[[str], int], ends: IntArray) -> None:
        self._text = text
        self._count = count
        self._ends = column(ends)

    def size(self, start: int, end: int) -> int:
        return _whole(self._count(self._text[start:end]))

    def reach(self, start: int, budget: int) -> int:
        return self._furthest(start, first_over(self._ends, start) + budget)

    def _furthest(self, start: int, tokens: int) -> int:
        """Where the first `tokens` tokens of the text end, not before `start`."""
        if tokens >= n_items(self._ends):
            return len(self._text)
        return max(item(self._ends, tokens - 1), start) if tokens > 0 else start

    def back(self, end: int, budget: int) -> int:
        if budget <= 0:
            return end
        first = first_over(self._ends, end - 1) - budget
        return item(self._ends, first) if first >= 0 else 0


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
_WIDE = 0x10000


def character_table(*classes: str) -> bytes:
    """bytes[65536]: for each code point the number of its class, from 1, else 0.

    A class is what stands between the brackets of a regular expression.
    """
    codes = np.arange(_WIDE, dtype=np.uint32)
    everything = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    table = np.zeros(_WIDE, dtype=np.uint8)
    for number, characters in enumerate(classes, 1):
        for run in re.finditer(f"[{characters}]+", everything):
            table[run.start() : run.end()] = number
    return table.tobytes()


_KINDS = character_table(_WORD, _MARK)
# So is the start of a line, unless white space goes on or (o200k) a slash follows.
_GLUED = "/\n \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0"
_LOOK_BACK = 64
_LOOK_AHEAD = 256


def _is_sync(text: str, offset: int) -> bool:
    """Whether a letter or digit ends and a mark begins at `offset`, which is inside the text."""
    before, after = ord(text[offset - 1]), ord(text[offset])
    return before < _WIDE and after < _WIDE and _KINDS[before] == 1 and _KINDS[after] == 2


class BpeRuler(EndsRuler):
    """Counts slices of one text without tokenising it twice."""

    def __init__(self, text: str, count: Callable[[str], int], ends: IntArray) -> None:
        EndsRuler.__init__(self, text, count, ends)
        self._start = -1  # what _find_head answered last: for a start, the sync point after it,
        self._head = self._first = self._counted = 0  # and the tokens up to there in text and slice

    def _starts_line(self, offset: int) -> bool:
        """Whether a line begins at `offset` that no token before it reaches into."""
        text = self._text
        if offset <= 0 or offset >= len(text) or text[offset - 1] != "\n":
            return False
        return text[offset] not in _GLUED

    def _find_head(self, start: int, end: int) -> bool:
        """Find the first sync point after `start`; False where there is none soon."""
        if self._start == start and self._head <= end:
            return True
        text, head, size = self._text, start, 0
        if start and not self._starts_line(start):
            head = start + 1
            stop = min(end, start + _LOOK_AHEAD)
            while head < stop and not _is_sync(text, head):
                head += 1
            if head >= stop:
                return False
            size = self._count(text[start:head])
        self._start, self._head, self._counted = start, head, size
        self._first = first_over(self._ends, head)
        return True

    def _tail(self, floor: int, end: int) -> int:
        """The last sync point from `floor` up to `end`, looking back a little only."""
        if self._starts_line(end):
            return end
        at, stop = end, max(floor, end - _LOOK_BACK)
        if at >= len(self._text):
            at = len(self._text) - 1
        while at > stop:
            if _is_sync(self._text, at):
                return at
            at -= 1
        return floor

    def size(self, start: int, end: int) -> int:
        if not self._find_head(start, end):
            return self._count(self._text[start:end])
        tail = self._tail(self._head, end)
        total = self._counted + first_over(self._ends, tail) - self._first
        return total + self._count(self._text[tail:end]) if tail < end else total

    def reach(self, start: int, budget: int) -> int:
        # The first word may count otherwise alone than after what precedes it.
        if not self._find_head(start, len(self._text)):
            return EndsRuler.reach(self, start, budget)
        return self._furthest(start, budget + self._first - self._counted)


class SearchRuler(Ruler):
    """A ruler for a bare `size(text)`: gallop and bisect, guided by the last density.

    Takes size to grow with the text; where it does not, `size` still decides.
    A call of `reach` or `back` measures O(log) windows of the size asked for.
    """

    def __init__(self, text: str, count: Callable[[str], int]) -> None:
        self._text = text
        self._count = count
        self._density = 4.0

    def size(self, start: int, end: int) -> int:
        return _whole(self._count(self._text[start:end]))

    def reach(self, start: int, budget: int) -> int:
        return start + self._widest(start, budget, len(self._text) - start, 1)

    def back(self, end: int, budget: int) -> int:
        return end - self._widest(end, budget, end, -1)

    def _widest(self, at: int, budget: int, room: int, step: int) -> int:
        """The widest window of at most `room` characters that fits, after or before `at`."""
        if budget <= 0 or room <= 0:
            return 0
        low, high = 0, max(1, int(min(room, budget * self._density)))
        while self._window(at, high * step) <= budget:
            low = high
            if high == room:
                return room
            high = min(room, high * 2)
        while high - low > 1:
            middle = (low + high) // 2
            if self._window(at, middle * step) <= budget:
                low = middle
            else:
                high = middle
        self._density = max(low, 1) / budget
        return low

    def _window(self, at: int, width: int) -> int:
        """The size of the `width` characters after `at`, before it if `width` is negative."""
        return _whole(self._count(self._text[min(at, at + width) : max(at, at + width)]))


@runtime_checkable
class SupportsRuler(Protocol):
    """A sizer that brings its own ruler."""

    def ruler(self, text: str) -> Ruler:
        """The ruler of `text`."""
        ...


def make_ruler(sizer: Sizer, text: str) -> Ruler:
    """The best ruler that `sizer` offers for `text`.

    Raises:
        InvalidConfig: what the sizer's own `ruler` gives is no `Ruler`.
    """
    # Asked once a document: isinstance() of a protocol takes longer than a small text.
    if hasattr(sizer, "ruler"):
        ruler: object = cast("SupportsRuler", sizer).ruler(text)
        if not isinstance(ruler, Ruler):
            raise InvalidConfig(
                f"the ruler of a sizer must inherit from seamline.sizers.Ruler, got a "
                f"{type(ruler).__name__} from {type(sizer).__name__}: make it a subclass"
            )
        return ruler
    if hasattr(sizer, "ends"):
        return EndsRuler(text, sizer.size, cast("SupportsTokenEnds", sizer).ends(text))
    return SearchRuler(text, sizer.size)
