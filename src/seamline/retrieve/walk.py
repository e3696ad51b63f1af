"""A ranking walked once: distinct pieces, what they cost, and where a budget ends."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.retrieve.table import ChunkTable
from seamline.types import FloatArray, IntArray

__all__ = ["Shown", "Walk", "count_tokens", "cut_end", "walk"]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What the reader is shown for one question: m pieces, in the order shown.

    A piece is the span [`start`, `end`) of document number `doc`; `tokens` is all it
    costs (context and separator too); `scores` and `chunk` are those of the hit it
    comes from. A hit from which shown characters were cut off may give several pieces.
    `hits` counts those that were taken, as `k` does: it may be more than what is shown.
    """

    doc: IntArray
    start: IntArray
    end: IntArray
    tokens: IntArray
    scores: FloatArray
    chunk: IntArray
    hits: int

    def __len__(self) -> int:
        return len(self.doc)


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """The ranking walked once: every piece whole, and where a piece's text begins to cost."""

    shown: Shown
    overhead: IntArray
    spent: NDArray[np.int64]

    def first(self, n: int) -> Shown:
        s = self.shown
        return Shown(s.doc[:n], s.start[:n], s.end[:n], s.tokens[:n], s.scores[:n], s.chunk[:n], n)

    def within(self, budget: int, token_ends: Sequence[IntArray]) -> Shown:
        """The pieces up to the one that uses up the budget, that one cut to fit."""
        n = int(np.searchsorted(self.spent, budget))
        if n == len(self.spent) or self.spent[n] == budget > 0:
            return self.first(n + 1)
        left = budget - (int(self.spent[n - 1]) if n else 0)
        room = left - int(self.overhead[n])
        if room <= 0:
            return self.first(n)
        cut = self.first(n + 1)
        end, tokens = cut.end.copy(), cut.tokens.copy()
        end[n] = cut_end(token_ends[cut.doc[n]], int(cut.start[n]), int(end[n]), room)
        tokens[n] = left
        return Shown(cut.doc, cut.start, end, tokens, cut.scores, cut.chunk, cut.hits)


def walk(
    ids: IntArray,
    scores: FloatArray,
    table: ChunkTable,
    *,
    k: int | None,
    most: int | None,
    ends: Sequence[IntArray] | None,
    separator: int,
) -> Walk:
    """Every distinct piece whole, in rank order; deduplicated if `ends` are given."""
    at = np.flatnonzero(ids >= 0)
    pieces = table.piece[ids[at]]
    firsts = np.unique(pieces, return_index=True)[1]
    at = at[np.sort(firsts)]
    if ends is None:
        at = at[:k]
    hits = ids[at]
    overhead = table.overhead[hits] + np.int32(separator)
    tokens = table.shown_tokens[hits] + overhead
    shown = Shown(
        table.doc[hits],
        table.shown_start[hits],
        table.shown_end[hits],
        tokens,
        scores[at],
        hits,
        len(hits),
    )
    if ends is not None:
        shown, overhead = _dedupe(shown, overhead, ends, k=k, most=most, separator=separator)
    return Walk(shown, overhead, np.cumsum(shown.tokens, dtype=np.int64))


def _dedupe(
    shown: Shown,
    overhead: IntArray,
    ends: Sequence[IntArray],
    *,
    k: int | None,
    most: int | None,
    separator: int,
) -> tuple[Shown, IntArray]:
    """Cut off what was shown before; stops once `k` hits or `most` tokens are reached."""
    covered: dict[int, _Coverage] = defaultdict(_Coverage)
    rows: list[tuple[int, int, int, int, int]] = []
    n_hits = spent = 0
    columns = (shown.doc, shown.start, shown.end, shown.tokens, overhead)
    for row, (doc, start, end, tokens, extra) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        if n_hits == k or (most is not None and spent >= most):
            break
        gaps = covered[doc].add(start, end)
        n_hits += bool(gaps)
        for nth, gap in enumerate(gaps):
            own = separator if nth else extra
            cost = tokens if gap == (start, end) else count_tokens(ends[doc], *gap) + own
            rows.append((row, *gap, cost, own))
            spent += cost
    table = np.array(rows, np.int32).reshape(-1, 5)
    at = table[:, 0]
    return (
        Shown(
            shown.doc[at],
            table[:, 1],
            table[:, 2],
            table[:, 3],
            shown.scores[at],
            shown.chunk[at],
            n_hits,
        ),
        table[:, 4],
    )


class _Coverage:
    """The characters of one document shown so far, as sorted disjoint spans."""

    __slots__ = ("ends", "starts")

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, start: int, end: int) -> list[tuple[int, int]]:
        """Cover [start, end); the parts of it that were not covered before."""
        lo, hi = bisect_right(self.ends, start), bisect_left(self.starts, end)
        inner = [x for i in range(lo, hi) for x in (self.starts[i], self.ends[i])]
        edges = [start, *inner, end]
        self.starts[lo:hi] = [min(edges[:2])]
        self.ends[lo:hi] = [max(edges[-2:])]
        return [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]


def count_tokens(ends: IntArray, start: int, end: int) -> int:
    """Tokens that end in (start, end]."""
    return _after(ends, end) - _after(ends, start)


def cut_end(ends: IntArray, start: int, end: int, n: int) -> int:
    """Where the n-th token that ends after `start` ends, at most `end`."""
    at = _after(ends, start) + n - 1
    return min(end, int(ends[at])) if at < len(ends) else end


def _after(ends: IntArray, offset: int) -> int:
    """The number of the first token that ends after `offset`."""
    # Of the array's own type: a Python int would have numpy copy the array to int64.
    return int(ends.searchsorted(ends.dtype.type(offset), side="right"))
