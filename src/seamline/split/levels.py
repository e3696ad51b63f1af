"""Levels: all seams of one strength, asked for lazily around an offset.

A level answers two questions about a text: its last cut in a window and its
first cut after an offset. A cut is where a chunk's content ends; white space
after it belongs to no chunk. Separators are looked for with `str.rfind` from
the limit backwards, so a text is never searched for all of them.

This module is compiled where a C compiler is at hand (`levels.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from seamline.errors import InvalidConfig
from seamline.scan import column, first_over, item, n_items, rfind
from seamline.split.sentences import last_sentence_end, next_sentence_end
from seamline.types import Seams

__all__ = ["Level", "Offsets", "compile_separator", "levels_of", "make_level", "make_levels"]


class Level:
    """Seams of equal strength in one text.

    `closed` says that what lies before a cut never joins what lies after it;
    `ahead` is an offset before which the cutter knows that there is no cut.
    """

    def __init__(self, *, closed: bool = False) -> None:
        self.closed = closed
        self.ahead = 0

    def last(self, low: int, high: int) -> int:
        """The last cut in `(low, high]`, -1 if there is none."""
        raise NotImplementedError

    def next(self, low: int, bound: int) -> int:
        """The first cut after `low`, `bound` if there is none before it."""
        raise NotImplementedError


# How far past a window a match of an expression may look; longer separators are not found.
_SLACK = 256
_WIDE_SPACES = "\u3000\xa0"
_COMMAS = "\uff0c\u3001\uff1a"


def _content_end(separator: str) -> int:
    """How much of a separator stays with the text before it.

    White space stays with nothing, a mark such as `. ` ends what it follows, and
    a marker after a line break (a heading) begins what it precedes.
    """
    return 0 if separator.startswith("\n") else len(separator.rstrip())


class Literal(Level):
    """Cuts at a literal separator."""

    def __init__(self, text: str, separator: str) -> None:
        self._text = text
        self._separator = separator
        self._keep = _content_end(separator)
        self._rest = len(separator) - self._keep
        self._skip = 1 - self._keep
        Level.__init__(self, closed=self._keep == 0 and bool(separator.strip()))

    def last(self, low: int, high: int) -> int:
        low = low + self._skip if low else 0
        found = rfind(self._text, self._separator, low, high + self._rest)
        return found + self._keep if found >= 0 else -1

    def next(self, low: int, bound: int) -> int:
        found = self._text.find(self._separator, max(low + self._skip, 0), bound + self._rest)
        return found + self._keep if found >= 0 else bound


class Pattern(Level):
    """Cuts at the matches of a regular expression; the match stays in the text."""

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        Level.__init__(self)
        self._text = text
        self._finditer = pattern.finditer

    def last(self, low: int, high: int) -> int:
        best = -1
        for found in self._finditer(self._text, low, min(high + _SLACK, len(self._text))):
            cut = found.start() + _content_end(found.group())
            if cut > high:
                break
            if cut > low:
                best = cut
        return best

    def next(self, low: int, bound: int) -> int:
        for found in self._finditer(self._text, low, min(bound + _SLACK, len(self._text))):
            cut = found.start() + _content_end(found.group())
            if cut > low:
                return min(cut, bound)
        return bound


class Sentences(Level):
    """Cuts after sentences, abbreviations excepted."""

    def __init__(self, text: str) -> None:
        Level.__init__(self)
        self._text = text

    def last(self, low: int, high: int) -> int:
        return last_sentence_end(self._text, low, high)

    def next(self, low: int, bound: int) -> int:
        end = next_sentence_end(self._text, low, bound)
        return end if end >= 0 else bound


class Words(Level):
    """Cuts between words; in scripts without spaces, after a comma or its like."""

    def __init__(self, text: str) -> None:
        Level.__init__(self)
        self._text = text
        self._ascii = text.isascii()

    def last(self, low: int, high: int) -> int:
        text = self._text
        found = rfind(text, " ", low + 1, high + 1)
        if found >= 0:
            return found
        found = max(rfind(text, "\n", low + 1, high + 1), rfind(text, "\t", low + 1, high + 1))
        if self._ascii:
            return found
        for space in _WIDE_SPACES:
            found = max(found, rfind(text, space, low + 1, high + 1))
        if found >= 0:
            return found
        for comma in _COMMAS:
            found = max(found, rfind(text, comma, low, high))
        return found + 1 if found >= 0 else -1

    def next(self, low: int, bound: int) -> int:
        for space in " \n\t" if self._ascii else " \n\t" + _WIDE_SPACES:
            found = self._text.find(space, low + 1, bound)
            bound = found if found >= 0 else bound
        if not self._ascii:
            for comma in _COMMAS:
                found = self._text.find(comma, low, bound - 1)
                bound = found + 1 if found >= 0 else bound
        return bound


class Offsets(Level):
    """Cuts at given offsets, which increase."""

    def __init__(self, offsets: Sequence[int] | np.ndarray, *, closed: bool = False) -> None:
        Level.__init__(self, closed=closed)
        self._offsets = column(offsets)

    def last(self, low: int, high: int) -> int:
        at = first_over(self._offsets, high) - 1
        cut = item(self._offsets, at) if at >= 0 else -1
        return cut if cut > low else -1

    def next(self, low: int, bound: int) -> int:
        at = first_over(self._offsets, low)
        return min(item(self._offsets, at), bound) if at < n_items(self._offsets) else bound


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


def make_levels(text: str, separators: Sequence[str]) -> list[Level]:
    """The levels of several separators, empty ones left out."""
    return [make_level(text, separator) for separator in separators if separator]


def compile_separator(separator: str) -> re.Pattern[str]:
    """The compiled expression of a separator written `re:…`."""
    try:
        return re.compile(separator.removeprefix("re:"))
    except re.error as error:
        raise InvalidConfig(
            f"a separator that starts with 're:' must be a regular expression, "
            f"got {separator!r}: {error}"
        ) from None
