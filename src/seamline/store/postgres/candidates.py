"""The chunks to score where there are too many to score all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from seamline.store.base import Asked, Counted
from seamline.store.postgres.gathered import Gathered, Laid, PostgresScope, Run
from seamline.store.postgres.known import Known
from seamline.store.postgres.loading import laid_of
from seamline.store.postgres.sample import Sample, sample_of
from seamline.store.postgres.settle import MOST_DIM
from seamline.store.postgres.source import Places, Source, Weighed
from seamline.store.values import Ints
from seamline.types import FloatArray

__all__ = ["candidates"]

_DEPTH = 400  # chunks looked at by each arm, at least: what both like is seldom first in one
_REACH = 200  # hnsw.ef_search, at least
_MOST_REACH = 1_000
_SHARE = 0.1  # of the namespace: for less, comparing all is faster and misses none
_WORD_CHUNKS = 5_000  # that the terms which bring chunks are in together, more or less
_MOST_TERMS = 64
_TOKENS = 576  # how far from a candidate its neighbours go
_CHUNKS = 32  # how many to each side

Span = tuple[int, int]
"""The first of some chunks of a document, and the one after the last."""


def candidates(
    source: Source, known: Known, asked: Asked, totals: tuple[int, int]
) -> PostgresScope:
    """The best chunks by each arm, their neighbours in their sections, and a sample of the rest."""
    sample = sample_of(source, known, totals)
    hits, counted = _hits(source, asked, sample, totals[1])
    laid = laid_of(source, known, np.unique(hits[0]))
    near = [
        Run(number, laid[number], *span)
        for number, own in _by_document(hits)
        for span in _around(laid[number], own)
    ]
    rest = _without(sample.runs, near)
    runs = sorted([*near, *rest], key=lambda run: (run.number, run.low))
    gathered = Gathered.of(runs)
    looked_for = set(map(_name, near))
    eligible = np.repeat(
        np.array([_name(run) in looked_for for run in runs], bool),
        [run.high - run.low for run in runs],
    )
    weight = _weights(eligible, totals[1])
    dense = _Dense(source, sample, near, gathered, eligible)
    return PostgresScope.of(gathered, dense, weight, eligible, counted)


def _name(run: Run) -> tuple[int, int]:
    return run.number, run.low


def _without(runs: Sequence[Run], others: Sequence[Run]) -> list[Run]:
    """What of runs is in none of others."""
    taken: dict[int, list[Run]] = {}
    for other in others:
        taken.setdefault(other.number, []).append(other)
    left = []
    for run in runs:
        low = run.low
        for other in taken.get(run.number, ()):
            if other.high <= low or other.low >= run.high:
                continue
            if other.low > low:
                left.append(run._replace(low=low, high=other.low))
            low = other.high
        if low < run.high:
            left.append(run._replace(low=low))
    return left


def _weights(eligible: NDArray[np.bool_], total: int) -> NDArray[np.float64]:
    """float64[n]: 1 for those that were looked for; the sample stands for all others."""
    n_near = int(eligible.sum())
    n_sample = len(eligible) - n_near
    each = max(total - n_near, n_sample) / max(n_sample, 1)
    return np.where(eligible, 1.0, each)


def _hits(
    source: Source, asked: Asked, sample: Sample, total: int
) -> tuple[Places, Counted | None]:
    depth = max(asked.depth, _DEPTH)
    arms: list[Places] = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    counted = None
    if asked.vector is not None and source.dim:
        arms.append(_nearest(source, asked.vector, depth, total))
    if len(asked.terms):
        found, counted = _worded(source, asked, sample, depth)
        arms.append(found)
    documents, ordinals = (np.concatenate([arm[i] for arm in arms]) for i in range(2))
    return (documents, ordinals), counted


def _nearest(source: Source, vector: FloatArray, depth: int, total: int) -> Places:
    """The chunks nearest to a vector: by the graph, if it finds as many as there are."""
    state = source.state
    if state.settled and source.dim <= MOST_DIM and total >= _SHARE * state.chunks:
        reach = min(max(depth, _REACH), _MOST_REACH)
        found = source.near_by_index(vector, depth, reach)
        if len(found[0]) >= min(depth, total):
            return found
    return source.near_exactly(vector, depth)


def _worded(source: Source, asked: Asked, sample: Sample, depth: int) -> tuple[Places, Counted]:
    """The chunks that share words with the question, by its rare words if they do."""
    often = sample.frequencies(asked.terms)
    order = np.argsort(often, kind="stable")[:_MOST_TERMS]
    terms, often = asked.terms[order], np.minimum(often[order], sample.total)
    weights = np.log1p((sample.total - often + 0.5) / (often + 0.5)).tolist()
    few = max(1, int(np.searchsorted(np.cumsum(often), _WORD_CHUNKS, side="right")))

    def find(n: int) -> tuple[Places, Counted]:
        found, counts = source.with_words(Weighed(n, terms, weights, sample.mean_length), depth)
        return found, Counted(terms[:n], counts)

    found = find(few)
    if len(found[0][0]) < asked.depth and few < len(terms):
        return find(len(terms))
    return found


def _by_document(hits: Places) -> list[tuple[int, Ints]]:
    documents, ordinals = hits
    order = np.argsort(documents, kind="stable")
    numbers, first = np.unique(documents[order], return_index=True)
    return list(zip(numbers.tolist(), np.split(ordinals[order], first[1:]), strict=False))


def _around(laid: Laid, hits: Ints) -> list[Span]:
    """The hits and what lies near them in their sections, in order."""
    line, order = laid.line, laid.order
    own = np.sort(hits if order is None else _places(order)[hits])
    reach = 2 * _TOKENS  # as `line` counts, in half tokens
    low = np.maximum(np.searchsorted(line, line[own] - reach), own - _CHUNKS)
    high = np.minimum(np.searchsorted(line, line[own] + reach, side="right"), own + _CHUNKS + 1)
    spans = _united(zip(low.tolist(), high.tolist(), strict=True))
    if order is None:
        return spans
    inside = np.zeros(len(order) + 1, bool)
    for first, last in spans:
        inside[order[first:last]] = True
    edges = np.flatnonzero(np.diff(inside, prepend=False)).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _places(order: Ints) -> Ints:
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    return places


def _united(spans: Iterable[Span]) -> list[Span]:
    """Spans that rise, those that touch as one."""
    out: list[Span] = []
    for low, high in spans:
        if out and low <= out[-1][1]:
            out[-1] = out[-1][0], max(high, out[-1][1])
        else:
            out.append((low, high))
    return out


class _Dense:
    """The cosines of a scope's chunks: those of the sample from its vectors, others asked for."""

    def __init__(
        self,
        source: Source,
        sample: Sample,
        near: Sequence[Run],
        gathered: Gathered,
        eligible: NDArray[np.bool_],
    ) -> None:
        self._source, self._sample, self._near = source, sample, near
        self._gathered, self._eligible = gathered, eligible

    def __call__(self, vector: FloatArray) -> FloatArray:
        scores = np.zeros(len(self._eligible), np.float32)
        if not self._source.dim:
            return scores
        scores[self._eligible] = self._source.scores_at(vector, self._near)
        rest = np.flatnonzero(~self._eligible)
        scores[rest] = (self._sample.vectors @ vector)[self._in_sample(rest)]
        return scores

    def _in_sample(self, rows: Ints) -> Ints:
        """The places in the sample of rows that are of it."""
        keys, own = (_keys(one) for one in (self._sample.gathered, self._gathered))
        places: Ints = np.searchsorted(keys, own[rows]).astype(np.int64)
        return places


def _keys(gathered: Gathered) -> Ints:
    keys: Ints = gathered.columns["document"] << 32 | gathered.columns["ordinal"]
    return keys
