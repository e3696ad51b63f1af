"""Finds many quotes in a text in one pass, by hashes of their first characters.

The cost is linear in the text however many quotes there are; memory is bounded
by a block of the text and the matches. Hashes only propose: every match is
verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

__all__ = ["Grams", "QuoteIndex", "gram_hashes"]

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]

_BLOCK = 1 << 17
_TABLE_BITS = 20
_BASE = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_WIDTHS = (16, 8, 4, 2, 1)


def gram_hashes(text: str, width: int) -> Hashes:
    """uint64[len(text) - width + 1]: a hash of every run of `width` characters.

    `width` is a power of two: each step joins two neighbours of half the width.
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    hashes = codes.astype(np.uint64) + np.uint64(1)
    base, step = _BASE, 1
    while step < width:
        hashes = hashes[:-step] * np.uint64(base) + hashes[step:]
        base, step = base * base & _MASK, step * 2
    hashes *= np.uint64(_BASE)  # spread: the top bits index the filter
    return hashes ^ (hashes >> np.uint64(29))


class Grams:
    """A set of grams of one width, to be looked for in texts."""

    def __init__(self, hashes: Hashes, width: int) -> None:
        self.keys = np.unique(hashes)
        self.width = width
        self._table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
        self._table[self._slot(self.keys)] = True

    @staticmethod
    def _slot(hashes: Hashes) -> Hashes:
        return hashes >> np.uint64(64 - _TABLE_BITS)

    def hits(self, text: str) -> tuple[Positions, Positions]:
        """Two int64[n]: where a gram of the set starts, ascending, and its index in `keys`."""
        where, which = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for start in range(0, len(text) - self.width + 1, _BLOCK):
            hashes = gram_hashes(text[start : start + _BLOCK + self.width - 1], self.width)
            near = np.flatnonzero(self._table[self._slot(hashes)])
            index = np.searchsorted(self.keys, hashes[near])
            index[index == len(self.keys)] = 0
            same = self.keys[index] == hashes[near]
            where.append(near[same] + start)
            which.append(index[same])
        return np.concatenate(where), np.concatenate(which)


class QuoteIndex:
    """Quotes to be looked for in texts, each a non-empty string."""

    def __init__(self, quotes: Iterable[str]) -> None:
        groups: dict[int, list[str]] = {}
        for quote in dict.fromkeys(quotes):
            width = next(width for width in _WIDTHS if width <= len(quote))
            groups.setdefault(width, []).append(quote)
        self._groups = [self._group(width, group) for width, group in groups.items()]

    @staticmethod
    def _group(width: int, quotes: Sequence[str]) -> tuple[Grams, list[list[str]]]:
        first = np.concatenate([gram_hashes(quote[:width], width) for quote in quotes])
        grams = Grams(first, width)
        by_key: list[list[str]] = [[] for _ in grams.keys]
        for quote, key in zip(quotes, np.searchsorted(grams.keys, first), strict=True):
            by_key[key].append(quote)
        return grams, by_key

    def find(
        self,
        text: str,
        limit: int | None = None,
        accept: Callable[[str, int, int], bool] = lambda *_: True,
    ) -> dict[str, list[int]]:
        """The starts of each quote in `text`, ascending; quotes that do not occur are left out.

        Occurrences may overlap. `accept(text, start, end)` says which count;
        with `limit`, the search for a quote ends after so many.

        Example:
            >>> QuoteIndex(["ab", "xyz"]).find("ab cab")
            {'ab': [0, 4]}
        """
        found: dict[str, list[int]] = {}
        for grams, by_key in self._groups:
            where, which = grams.hits(text)
            order = np.argsort(which, kind="stable")
            cuts = np.flatnonzero(np.diff(which[order])) + 1
            for run in np.split(order, cuts) if len(order) else ():
                starts = where[run].tolist()
                for quote in by_key[which[run[0]]]:
                    matches = list(islice(_verified(text, quote, starts, accept), limit))
                    if matches:
                        found[quote] = matches
        return found


def _verified(
    text: str, quote: str, starts: list[int], accept: Callable[[str, int, int], bool]
) -> Iterator[int]:
    size = len(quote)
    for start in starts:
        if text.startswith(quote, start) and accept(text, start, start + size):
            yield start
