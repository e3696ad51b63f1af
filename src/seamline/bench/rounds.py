"""Rankings in which gold spans stand in the place of the chunks that hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.bench.chunked import Chunked
from seamline.bench.columns import overlapping
from seamline.bench.exact import Exact, Extended, extend
from seamline.bench.trial import Trials
from seamline.retrieve import Ranks, Retriever
from seamline.retrieve.table import ChunkTable
from seamline.types import FloatArray, IntArray

__all__ = ["InPlace", "rank_in_place"]

Ints = NDArray[np.int64]

# Spans in an index at a time, for each chunk: so few that they hardly move its statistics.
_SHARE = 0.01
_ROUNDS = 16


@dataclass(frozen=True, slots=True, eq=False)
class InPlace:
    """The rankings of some questions if their gold were cut exactly: rows of `table`.

    `ids` and `scores` have by question what `Ranks` has in a row.
    """

    table: ChunkTable
    ids: dict[int, IntArray]
    scores: dict[int, FloatArray]


def rank_in_place(
    trials: Trials, chunked: Chunked, retriever: Retriever, asked: Sequence[int], *, depth: int
) -> InPlace:
    """Questions ranked with their gold spans in place of the chunks that show some of them.

    Of the spans that stand for a slot the one that ranks best is left. All other chunks
    are there as they are. Indexing each question's spans alone would be exact and slow;
    here those of several questions are indexed at a time, about 1 % of the chunks (of
    each document, where a document is searched or neighbours count), and left out of the
    rankings of the others. What they move are document frequencies, mean lengths and the
    spread of scores. With few chunks it may be more than 1 %, as there are at most about
    16 such rounds. Cost: that of ranking, and of indexing in each round.
    """
    if not asked:
        return InPlace(chunked.table, {}, {})
    spans = Exact.of(trials.corpus, chunked.cuts, asked)
    found = extend(chunked, trials.corpus, spans, embedded=retriever.needs_vectors)
    touched = _touched(trials, found)
    out = InPlace(found.table, {}, {})
    is_local = trials.plan.config.scope == "document" or getattr(retriever, "needs_places", False)
    for group in _rounds(spans, chunked.table, by_document=is_local):
        is_there = np.isin(spans.question, group)
        rows = np.flatnonzero((found.exact < 0) | is_there[found.exact])
        deep = depth + max(len(touched[number]) for number in group) + int(is_there.sum())
        ranks = _ranked(trials, found, retriever, rows, np.array(group), min(deep, len(rows)))
        for number, ids, scores in zip(group, ranks.ids, ranks.scores, strict=True):
            ranked = rows[ids[ids >= 0]]
            kept = _kept(ranked, number, touched[number], found.exact, spans)[:depth]
            out.ids[number] = ranked[kept].astype(np.int32)
            out.scores[number] = scores[kept]
    return out


def _touched(trials: Trials, found: Extended) -> list[Ints]:
    """The chunks that show some of each question's gold."""
    table, golds = found.table, trials.corpus.columns
    pairs = overlapping(table.doc, table.shown_start, table.shown_end, golds)
    question = np.repeat(np.arange(len(golds.doc)), np.diff(golds.first))[pairs.gold]
    is_chunk = found.exact[pairs.row] < 0
    order = np.argsort(question[is_chunk], kind="stable")
    edges = np.searchsorted(question[is_chunk][order], np.arange(1, len(golds.doc)))
    return np.split(pairs.row[is_chunk][order], edges)


def _rounds(spans: Exact, table: ChunkTable, *, by_document: bool) -> list[list[int]]:
    """The questions in groups that have few spans: in all, and of each document if so asked."""
    questions, first, counts = np.unique(spans.question, return_index=True, return_counts=True)
    homes = spans.doc[first] if by_document else np.zeros(len(questions), np.int64)
    chunks = np.bincount(table.doc if by_document else np.zeros(len(table), np.int64))
    held = np.bincount(homes, counts)
    room = np.maximum(_SHARE * np.resize(chunks, len(held)), held / _ROUNDS)
    room_all = max(_SHARE * len(table), len(spans) / _ROUNDS)
    groups: list[list[int]] = []
    taken: list[Counter[int]] = []
    for number, home, n in zip(questions.tolist(), homes.tolist(), counts.tolist(), strict=True):
        fit = (
            at
            for at, own in enumerate(taken)
            if own.total() + n <= room_all and (not own[home] or own[home] + n <= room[home])
        )
        at = next(fit, len(groups))
        if at == len(groups):
            groups.append([])
            taken.append(Counter())
        groups[at].append(number)
        taken[at][home] += n
    return groups


def _ranked(
    trials: Trials, found: Extended, retriever: Retriever, rows: Ints, asked: Ints, depth: int
) -> Ranks:
    """The rankings of the questions `asked` among some of the rows, as places in `rows`."""
    table = found.table.take(rows)
    vectors = None if found.vectors is None else found.vectors[rows]
    index = trials.index(retriever, table, [found.texts[row] for row in rows], vectors)
    return trials.ranks(index, asked, depth=depth)


def _kept(ranked: Ints, number: int, touched: Ints, exact: Ints, spans: Exact) -> Ints:
    """The places of a ranking that count for question `number`."""
    span = exact[ranked]
    own = np.flatnonzero((span >= 0) & (spans.question[span] == number))
    best = own[np.unique(spans.slot[span[own]], return_index=True)[1]]
    chunks = np.flatnonzero((span < 0) & ~np.isin(ranked, touched))
    return np.union1d(chunks, best)
