"""Rulers: one text measured once, then asked many times.

A ruler answers where a window of a given size ends. `reach` and `back` may be
off by a unit where a tokenizer is not additive; `size` is exact, always.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from seamline.protocols import Sizer, SupportsTokenEnds
from seamline.types import IntArray

__all__ = ["EndsRuler", "Ruler", "SearchRuler", "SupportsRuler", "make_ruler"]


class Ruler(Protocol):
    """Distances inside one text, in the unit of a sizer."""

    def size(self, start: int, end: int) -> int:
        """The exact size of `text[start:end]`."""
        ...

    def reach(self, start: int, budget: int) -> int:
        """The furthest end, at least `start`, whose slice from there is within `budget`."""
        ...

    def back(self, end: int, budget: int) -> int:
        """The earliest start whose slice up to `end` is within `budget`."""
        ...


@runtime_checkable
class SupportsRuler(Protocol):
    """A sizer that brings its own ruler."""

    def ruler(self, text: str) -> Ruler:
        """The ruler of `text`."""
        ...


def make_ruler(sizer: Sizer, text: str) -> Ruler:
    """The best ruler that `sizer` offers for `text`."""
    # Asked once a document: isinstance() of a protocol takes longer than a small text.
    if hasattr(sizer, "ruler"):
        return cast("SupportsRuler", sizer).ruler(text)
    if hasattr(sizer, "ends"):
        return EndsRuler(text, sizer.size, cast("SupportsTokenEnds", sizer).ends(text))
    return SearchRuler(text, sizer.size)


class EndsRuler:
    """A ruler over token ends whose exact sizes are recounted, whatever the tokenizer."""

    def __init__(self, text: str, count: Callable[[str], int], ends: IntArray) -> None:
        self._text = text
        self._count = count
        # array.array: bisect reads its items four times as fast as numpy's.
        self._ends = array("i", ends.tobytes())

    def size(self, start: int, end: int) -> int:
        return self._count(self._text[start:end])

    def reach(self, start: int, budget: int) -> int:
        ends = self._ends
        last = bisect_right(ends, start) + budget - 1
        if last >= len(ends) - 1:
            return len(self._text)
        return max(ends[last], start) if last >= 0 else start

    def back(self, end: int, budget: int) -> int:
        if budget <= 0:
            return end
        first = bisect_left(self._ends, end) - budget
        return self._ends[first] if first >= 0 else 0


class SearchRuler:
    """A ruler for a bare `size(text)`: gallop and bisect, guided by the last density.

    Takes size to grow with the text; where it does not, `size` still decides.
    A call of `reach` or `back` measures O(log) windows of the size asked for.
    """

    def __init__(self, text: str, count: Callable[[str], int]) -> None:
        self._text = text
        self._count = count
        self._density = 4.0

    def size(self, start: int, end: int) -> int:
        return self._count(self._text[start:end])

    def reach(self, start: int, budget: int) -> int:
        room = len(self._text) - start
        width = self._widest(budget, room, lambda w: self._count(self._text[start : start + w]))
        return start + width

    def back(self, end: int, budget: int) -> int:
        return end - self._widest(budget, end, lambda w: self._count(self._text[end - w : end]))

    def _widest(self, budget: int, room: int, measure: Callable[[int], int]) -> int:
        """The widest window of at most `room` characters whose size fits."""
        if budget <= 0 or room <= 0:
            return 0
        low, high = 0, max(1, min(room, int(budget * self._density)))
        while measure(high) <= budget:
            low = high
            if high == room:
                return room
            high = min(room, high * 2)
        while high - low > 1:
            middle = (low + high) // 2
            if measure(middle) <= budget:
                low = middle
            else:
                high = middle
        self._density = max(low, 1) / budget
        return low
