"""What many questions are shown, and how it meets their gold, in columns.

The counts are those of `assemble`, `assemble_budgets` and `facts_of`, which go
question by question; here a block of questions costs a few array operations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamline.measure import Gold
from seamline.measure.context import Facts
from seamline.retrieve import Ranks
from seamline.retrieve.table import ChunkTable
from seamline.types import Document, IntArray

__all__ = ["Cut", "GoldColumns", "Meeting", "Pairs", "Pieces", "TokenEnds", "omega", "overlapping"]

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]


class TokenEnds:
    """The token ends of all documents as one increasing array."""

    def __init__(self, documents: Sequence[Document], ends: Sequence[IntArray]) -> None:
        lengths = [len(document.text) + 1 for document in documents]
        self._base = np.cumsum([0, *lengths], dtype=np.int64)
        self._last = np.cumsum([0, *map(len, ends)], dtype=np.int64)[1:]
        based = (own + base for own, base in zip(ends, self._base, strict=False))
        self._ends = np.concatenate([np.empty(0, np.int64), *based])

    def cut(self, doc: Ints, start: Ints, end: Ints, room: Ints) -> Ints:
        """Where the last of `room` tokens ends that end after `start`, at most `end`."""
        base = self._base[doc]
        at = np.searchsorted(self._ends, base + start, side="right") + room - 1
        inside = at < self._last[doc]
        found = self._ends[np.where(inside, at, 0)] - base if len(self._ends) else end
        return np.where(inside, np.minimum(found, end), end)


class Cut(NamedTuple):
    """How far each question's pieces are shown (all int64[q]).

    `n` pieces are whole; of the next one the characters up to `end` are shown,
    -1 where it is not; `tokens` is what all this costs.
    """

    n: Ints
    end: Ints
    tokens: Ints


class Pairs(NamedTuple):
    """Gold spans and the rows of a table that overlap them, a pair a place."""

    gold: Ints
    row: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The distinct pieces of a block of questions in rank order (columns are int64[m]).

    Piece i belongs to question `row[i]` and stands at `rank[i]` from 0; those of
    question q are `first[q]:first[q + 1]`. `spent` and `length` add up the tokens
    and characters of a question's pieces up to and with this one.
    """

    row: Ints
    rank: Ints
    doc: Ints
    start: Ints
    end: Ints
    overhead: Ints
    spent: Ints
    length: Ints
    scores: NDArray[np.float32]
    first: Ints

    @classmethod
    def of(
        cls, ranks: Ranks, table: ChunkTable, *, k: int, budget: int, separator: int = 0
    ) -> Pieces:
        """The pieces that `k` of them or `budget` tokens can show."""
        row, column = np.nonzero(ranks.ids >= 0)
        chunk = ranks.ids[row, column]
        keys = row * len(table) + table.piece[chunk]
        kept = np.sort(np.unique(keys, return_index=True)[1])
        row, column, chunk = row[kept], column[kept], chunk[kept]
        first = np.searchsorted(row, np.arange(len(ranks) + 1))
        overhead = table.overhead[chunk].astype(np.int64) + separator
        tokens = table.shown_tokens[chunk] + overhead
        spent = _running(tokens, row, first)
        rank = np.arange(len(row)) - first[row]
        near = np.flatnonzero((rank < k) | (spent - tokens <= budget))
        row, chunk, overhead = row[near], chunk[near], overhead[near]
        first = np.searchsorted(row, np.arange(len(ranks) + 1))
        start = table.shown_start[chunk].astype(np.int64)
        end = table.shown_end[chunk].astype(np.int64)
        return cls(
            row=row,
            rank=rank[near],
            doc=table.doc[chunk].astype(np.int64),
            start=start,
            end=end,
            overhead=overhead,
            spent=spent[near],
            length=_running(end - start, row, first),
            scores=ranks.scores[row, column[near]],
            first=first,
        )

    def top(self, k: int) -> Cut:
        """The first `k` pieces."""
        n = np.minimum(np.diff(self.first), k)
        return Cut(n, np.full(len(n), -1), self._total(self.spent, n))

    def within(self, budget: int, ends: TokenEnds) -> Cut:
        """The pieces up to the one that uses up the budget, that one cut to fit."""
        under = self.row[self.spent < budget]
        n = np.bincount(under, minlength=len(self.first) - 1)
        after = np.flatnonzero(n < np.diff(self.first))
        n[after] += self.spent[self.first[after] + n[after]] == budget
        tokens, end = self._total(self.spent, n), np.full(len(n), -1)
        after = np.flatnonzero((n < np.diff(self.first)) & (tokens < budget))
        at = self.first[after] + n[after]
        room = budget - tokens[after] - self.overhead[at]
        after, at, room = after[room > 0], at[room > 0], room[room > 0]
        end[after] = ends.cut(self.doc[at], self.start[at], self.end[at], room)
        tokens[after] = budget
        return Cut(n, end, tokens)

    def shown(self, cut: Cut) -> Ints:
        """int64[q]: the characters shown, repeats counted each time."""
        total = self._total(self.length, cut.n)
        some = np.flatnonzero(cut.end >= 0)
        total[some] += cut.end[some] - self.start[self.first[some] + cut.n[some]]
        return total

    def shown_ends(self, cut: Cut) -> Ints:
        """int64[m]: where each piece ends as it is shown; its start where it is not shown."""
        part = np.maximum(np.minimum(self.end, cut.end[self.row]), self.start)
        n = cut.n[self.row]
        return np.where(self.rank < n, self.end, np.where(self.rank == n, part, self.start))

    def _total(self, running: Ints, n: Ints) -> Ints:
        some = n > 0
        out = np.zeros(len(n), np.int64)
        out[some] = running[self.first[:-1][some] + n[some] - 1]
        return out


def _running(values: Ints, row: Ints, first: Ints) -> Ints:
    """Running sums that begin anew with each row."""
    total = np.concatenate(([0], np.cumsum(values)))
    return np.asarray(total[1:] - total[first[row]])


@dataclass(frozen=True, slots=True, eq=False)
class GoldColumns:
    """The gold spans of many questions: those of question q are `first[q]:first[q + 1]`.

    `plain` (bool[q]) says that a question has no alternatives and no
    overlapping spans, so that what covers its spans adds up.
    """

    doc: Ints
    first: Ints
    start: Ints
    end: Ints
    plain: Bools

    @classmethod
    def of(cls, golds: Sequence[Gold]) -> GoldColumns:
        """The columns of these golds."""
        spans = [np.concatenate(gold.slots) for gold in golds]
        rows = np.concatenate([np.empty((0, 2), np.int64), *spans])
        return cls(
            doc=np.array([gold.doc for gold in golds], np.int64),
            first=np.cumsum([0, *map(len, spans)], dtype=np.int64),
            start=rows[:, 0],
            end=rows[:, 1],
            plain=np.array([_is_plain(gold, own) for gold, own in zip(golds, spans, strict=True)]),
        )

    def block(self, rows: slice) -> GoldColumns:
        """The columns of some of the questions."""
        first = self.first[rows.start : rows.stop + 1]
        spans = slice(first[0], first[-1])
        return GoldColumns(
            self.doc[rows],
            first - first[0],
            self.start[spans],
            self.end[spans],
            self.plain[rows],
        )


def _is_plain(gold: Gold, spans: Ints) -> bool:
    ordered = spans[np.argsort(spans[:, 0], kind="stable")]
    apart = bool((ordered[1:, 0] >= ordered[:-1, 1]).all())
    return apart and all(len(slot) == 1 for slot in gold.slots)


def overlapping(doc: IntArray, start: IntArray, end: IntArray, golds: GoldColumns) -> Pairs:
    """Which of the spans [start, end) of documents `doc` overlap which gold spans."""
    width = max(int(end.max(initial=0)), int(golds.end.max(initial=0))) + 1
    base = doc.astype(np.int64) * width
    order = np.argsort(base + start, kind="stable")
    starts, ends = (base + start)[order], (base + end)[order]
    offset = np.repeat(golds.doc * width, np.diff(golds.first))
    # Spans from `low` on reach past the gold's start; those before `high` start before its end.
    low = np.searchsorted(np.maximum.accumulate(ends), offset + golds.start, side="right")
    high = np.searchsorted(starts, offset + golds.end, side="left")
    gold, nth = _expand(np.maximum(high - low, 0))
    row = low[gold] + nth
    met = ends[row] > (offset + golds.start)[gold]
    return Pairs(gold[met], order[row[met]])


def omega(start: IntArray, end: IntArray, pairs: Pairs, golds: GoldColumns) -> Floats:
    """float64[q]: `precision_omega` of questions with plain gold, from the chunks' overlaps."""
    n, gold = len(golds.doc), pairs.gold
    question = np.repeat(np.arange(n), np.diff(golds.first))[gold]
    starts, ends = start[pairs.row].astype(np.int64), end[pairs.row].astype(np.int64)
    low, high = np.maximum(starts, golds.start[gold]), np.minimum(ends, golds.end[gold])
    covered = _union_by(question, gold, low, high, n)
    return covered / np.maximum(_union_by(question, question, starts, ends, n), 1)


def _union_by(question: Ints, group: Ints, low: Ints, high: Ints, n: int) -> Ints:
    """int64[n]: the characters of each group's union, added up by question."""
    order = np.lexsort((low, group))
    lengths = _union_lengths(group[order], low[order], high[order])
    return np.bincount(question[order], lengths, n).astype(np.int64)


def _expand(counts: Ints) -> tuple[Ints, Ints]:
    """For counts [2, 0, 1]: the rows [0, 0, 2], and how manieth of its row each is, [0, 1, 0]."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Where pieces meet gold: a row a pair of a piece and a gold span that overlap.

    Sorted by span, then by where the overlap starts (`low`).
    """

    pieces: Pieces
    golds: GoldColumns
    piece: Ints
    span: Ints
    low: Ints

    @classmethod
    def of(cls, pieces: Pieces, golds: GoldColumns) -> Meeting:
        """All pairs of a block."""
        here = np.flatnonzero(pieces.doc == golds.doc[pieces.row])
        rows = pieces.row[here]
        at, nth = _expand(np.diff(golds.first)[rows])
        piece, span = here[at], golds.first[rows][at] + nth
        low = np.maximum(pieces.start[piece], golds.start[span])
        met = low < np.minimum(pieces.end[piece], golds.end[span])
        piece, span, low = piece[met], span[met], low[met]
        order = np.lexsort((low, span))
        return cls(pieces, golds, piece[order], span[order], low[order])

    def facts(self, cut: Cut, n_relevant: Sequence[int], *, unique: bool) -> list[Facts]:
        """The facts of each question at a cutoff; `unique` is -1 unless asked for.

        Those of questions that are not `plain` hold for their first alternatives only.
        """
        pieces, golds = self.pieces, self.golds
        ends = pieces.shown_ends(cut)
        covered = self._covered(ends)
        gold = np.add.reduceat(golds.end - golds.start, golds.first[:-1])
        some = pieces.first[:-1] < pieces.first[1:]
        top = np.zeros(len(gold))
        top[some] = pieces.scores[pieces.first[:-1][some]]
        n = cut.n + (cut.end >= 0)
        distinct = _unique(pieces, ends) if unique else np.full(len(gold), -1)
        columns = (n, covered == gold, gold, covered, pieces.shown(cut), distinct, cut.tokens)
        lists = (column.tolist() for column in (*columns, np.where(n > 0, top, 0.0)))
        return [
            Facts(m, ranks, whole, all_, hit, hit, shown, once, tokens, score, relevant)
            for ranks, relevant, (m, whole, all_, hit, shown, once, tokens, score) in zip(
                self._ranks(ends), n_relevant, zip(*lists, strict=True), strict=True
            )
        ]

    def _covered(self, ends: Ints) -> Ints:
        """int64[q]: characters of each question's gold that the pieces cover."""
        golds = self.golds
        high = np.minimum(ends[self.piece], golds.end[self.span])
        lengths = _union_lengths(self.span, self.low, np.maximum(high, self.low))
        spans = np.bincount(self.span, lengths, len(golds.start)).astype(np.int64)
        return np.asarray(np.add.reduceat(spans, golds.first[:-1]))

    def _ranks(self, ends: Ints) -> list[list[int]]:
        """For each question the ranks, from 1, of the shown pieces that overlap its gold."""
        met = np.unique(self.piece[ends[self.piece] > self.low])
        edges = np.searchsorted(self.pieces.row[met], np.arange(len(self.golds.doc) + 1)).tolist()
        ranks = (self.pieces.rank[met] + 1).tolist()
        return [ranks[a:b] for a, b in pairwise(edges)]


def _unique(pieces: Pieces, ends: Ints) -> Ints:
    """int64[q]: the characters shown, repeats counted once."""
    group = pieces.row * (int(pieces.doc.max(initial=0)) + 1) + pieces.doc
    return _union_by(pieces.row, group, pieces.start, ends, len(pieces.first) - 1)


def _union_lengths(group: Ints, low: Ints, high: Ints) -> Ints:
    """What each interval adds to the union of its group; sorted by group, then by `low`."""
    if not len(low):
        return low
    wide = int(high.max()) + 1
    low, high = low + group * wide, high + group * wide
    reach = np.maximum.accumulate(high)
    before = np.concatenate((low[:1], reach[:-1]))
    return np.asarray(np.maximum(high - np.maximum(low, before), 0))
