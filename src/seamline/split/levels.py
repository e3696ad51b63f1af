"""Levels: all seams of one strength, asked for lazily around an offset.

A level answers two questions about a text: its last cut in a window and its
first cut after an offset. A cut is where a chunk's content ends; white space
after it belongs to no chunk. Separators are looked for with `str.rfind` from
the limit backwards, so a text is never searched for all of them.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from seamline.errors import InvalidConfig
from seamline.split.sentences import last_sentence_end, sentence_ends_between
from seamline.types import Seams

__all__ = ["Level", "Offsets", "compile_separator", "levels_of", "make_level"]


class Level(Protocol):
    """Seams of equal strength in one text."""

    closed: bool
    """Whether what lies before a cut never joins what lies after it."""

    def last(self, low: int, high: int) -> int:
        """The last cut in `(low, high]`, -1 if there is none."""
        ...

    def next(self, low: int, bound: int) -> int:
        """The first cut after `low`, `bound` if there is none before it."""
        ...


def _content_end(separator: str) -> int:
    """How much of a separator stays with the text before it.

    White space stays with nothing, a mark such as `. ` ends what it follows, and
    a marker after a line break (a heading) begins what it precedes.
    """
    return 0 if separator.startswith("\n") else len(separator.rstrip())


class Literal:
    """Cuts at a literal separator."""

    def __init__(self, text: str, separator: str) -> None:
        self._find = text.find
        self._rfind = text.rfind
        self._separator = separator
        self._keep = _content_end(separator)
        self._rest = len(separator) - self._keep
        self._skip = 1 - self._keep
        self.closed = self._keep == 0 and bool(separator.strip())

    def last(self, low: int, high: int) -> int:
        low = low + self._skip if low else 0
        found = self._rfind(self._separator, low, high + self._rest)
        return found + self._keep if found >= 0 else -1

    def next(self, low: int, bound: int) -> int:
        found = self._find(self._separator, max(low + 1 - self._keep, 0), bound + self._rest)
        return found + self._keep if found >= 0 else bound


class Pattern:
    """Cuts at the matches of a regular expression; the match stays in the text."""

    closed = False
    # How far past a window a match may look; longer separators are not found.
    _SLACK = 256

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self._text = text
        self._finditer = pattern.finditer

    def last(self, low: int, high: int) -> int:
        best = -1
        for found in self._finditer(self._text, low, min(high + self._SLACK, len(self._text))):
            cut = found.start() + _content_end(found.group())
            if cut > high:
                break
            if cut > low:
                best = cut
        return best

    def next(self, low: int, bound: int) -> int:
        for found in self._finditer(self._text, low, bound):
            cut = found.start() + _content_end(found.group())
            if cut > low:
                return min(cut, bound)
        return bound


class Sentences:
    """Cuts after sentences, abbreviations excepted."""

    closed = False
    _NEAR = 256

    def __init__(self, text: str) -> None:
        self._text = text

    def last(self, low: int, high: int) -> int:
        # The last sentence of a window mostly ends near it: look there first.
        near = self._NEAR
        while True:
            floor = max(low, high - near)
            cut = last_sentence_end(self._text, floor, high)
            if cut > low or floor == low:
                return cut if cut > low else -1
            near *= 4

    def next(self, low: int, bound: int) -> int:
        ends = sentence_ends_between(self._text, low, bound)
        return next((end for end in ends if end > low), bound)


class Words:
    """Cuts between words; in scripts without spaces, after a comma or its like."""

    closed = False
    _SPACES = ("\n", "\t", "\u3000", "\xa0")
    _COMMAS = ("\uff0c", "\u3001", "\uff1a")

    def __init__(self, text: str) -> None:
        self._find = text.find
        self._rfind = text.rfind
        self._ascii = text.isascii()

    def last(self, low: int, high: int) -> int:
        found = self._rfind(" ", low + 1, high + 1)
        if found >= 0:
            return found
        spaces = self._SPACES[:2] if self._ascii else self._SPACES
        found = max(self._rfind(space, low + 1, high + 1) for space in spaces)
        if found >= 0 or self._ascii:
            return found
        found = max(self._rfind(comma, low, high) for comma in self._COMMAS)
        return found + 1 if found >= 0 else -1

    def next(self, low: int, bound: int) -> int:
        spaces = (" ", *(self._SPACES[:2] if self._ascii else self._SPACES))
        for space in spaces:
            found = self._find(space, low + 1, bound)
            bound = found if found >= 0 else bound
        if not self._ascii:
            for comma in self._COMMAS:
                found = self._find(comma, low, bound - 1)
                bound = found + 1 if found >= 0 else bound
        return bound


class Offsets:
    """Cuts at given offsets."""

    def __init__(self, offsets: Sequence[int] | np.ndarray, *, closed: bool = False) -> None:
        self._offsets = array("i", np.asarray(offsets, dtype=np.int32).tobytes())
        self.closed = closed

    def last(self, low: int, high: int) -> int:
        at = bisect_right(self._offsets, high) - 1
        return self._offsets[at] if at >= 0 and self._offsets[at] > low else -1

    def next(self, low: int, bound: int) -> int:
        at = bisect_right(self._offsets, low)
        return min(self._offsets[at], bound) if at < len(self._offsets) else bound


def levels_of(seams: Seams) -> list[Level]:
    """The levels of columnar seams, the strongest first."""
    strengths = np.unique(seams.strengths)[::-1]
    return [Offsets(seams.offsets[seams.strengths == strength]) for strength in strengths]


def make_level(text: str, separator: str) -> Level:
    """The level of one separator: a named one, a regex `re:…`, or a literal."""
    if separator == "sentence":
        return Sentences(text)
    if separator in ("word", " "):
        return Words(text)
    if separator.startswith("re:"):
        return Pattern(text, compile_separator(separator))
    return Literal(text, separator)


def compile_separator(separator: str) -> re.Pattern[str]:
    """The compiled expression of a separator written `re:…`."""
    try:
        return re.compile(separator.removeprefix("re:"))
    except re.error as error:
        raise InvalidConfig(
            f"a separator that starts with 're:' must be a regular expression, "
            f"got {separator!r}: {error}"
        ) from None
