"""Some chunks that stand for all that a reader may search: what words weigh, how scores spread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.store.postgres.gathered import Gathered, Laid, Run
from seamline.store.postgres.known import Known, key_of
from seamline.store.postgres.loading import laid_of
from seamline.store.postgres.source import Source
from seamline.store.values import Reader, Terms
from seamline.types import FloatArray

__all__ = ["Sample", "sample_of"]

_CHUNKS = 8_000
_LOOKED_AT = 4  # times as many chunks lie in the documents that are sampled from
_DOCUMENTS = 32  # sampled from at least
_PIECE = 64  # chunks of a section taken together at most
_REVISIONS = 1_000  # for so long a sample is good
_CHANGE = 0.1  # of all chunks, after which it is not


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Runs of chunks, in order; `vectors` float32[n, d] are theirs.

    It was taken at a revision, from `total` chunks.
    """

    revision: int
    total: int
    runs: tuple[Run, ...]
    gathered: Gathered
    vectors: FloatArray

    def __len__(self) -> int:
        return len(self.gathered)

    def frequencies(self, terms: Terms) -> NDArray[np.float64]:
        """float64[t]: in how many of all chunks each term is, as far as the sample tells."""
        term, _, _ = self.gathered.postings(terms)
        found = np.bincount(term, minlength=len(terms)).astype(np.float64)
        return found * (self.total / max(len(self), 1))

    @property
    def mean_length(self) -> float:
        """The mean number of terms of a chunk."""
        return float(self.gathered.columns["lengths"].mean()) if len(self) else 1.0

    def holds_for(self, reader: Reader, revision: int, total: int) -> bool:
        """Whether it still stands for what the reader may search."""
        if reader.as_of is not None:
            return revision == self.revision
        near = abs(revision - self.revision) < _REVISIONS
        return near and abs(total - self.total) <= _CHANGE * self.total


def sample_of(source: Source, known: Known, totals: tuple[int, int]) -> Sample:
    """A sample of what the reader may search, of so many documents and chunks."""
    reader = source.reader
    kept: Sample | None = known.samples.get(key_of(reader, reader.as_of))
    if kept is not None and kept.holds_for(reader, source.at, totals[1]):
        return kept
    return known.samples.put(key_of(reader, reader.as_of), _taken(source, known, totals))  # type: ignore[no-any-return]


def _taken(source: Source, known: Known, totals: tuple[int, int]) -> Sample:
    documents, chunks = totals
    wanted = max(_DOCUMENTS, _LOOKED_AT * _CHUNKS * documents // max(chunks, 1))
    numbers = source.some_documents(min(documents, wanted))
    laid = laid_of(source, known, numbers)
    share = _CHUNKS / max(chunks, 1) * documents / max(len(numbers), 1)
    runs = [run for number in numbers.tolist() for run in _pick(number, laid[number], share)]
    gathered = Gathered.of(runs)
    vectors = np.empty((len(gathered), source.dim), np.float32)
    if source.dim and len(vectors):
        vectors = source.vectors_at(runs)
    return Sample(source.at, chunks, tuple(runs), gathered, vectors)


def _pick(number: int, laid: Laid, share: float) -> list[Run]:
    """The chunks of a document that are taken: whole sections, or runs of them."""
    n = len(laid.section)
    begins = np.diff(laid.section, prepend=-1) != 0
    at = np.arange(n)
    into = at - np.maximum.accumulate(np.where(begins, at, 0))
    edges = [*np.flatnonzero(begins | (into % _PIECE == 0)).tolist(), n]
    chance = _chance(np.uint64(number), np.arange(len(edges) - 1, dtype=np.uint64))
    return [Run(number, laid, edges[i], edges[i + 1]) for i in np.flatnonzero(chance < share)]


def _chance(number: Any, piece: NDArray[np.uint64]) -> NDArray[np.float64]:
    """float64 from 0 to 1, evenly, that follow from the numbers alone (splitmix64)."""
    with np.errstate(over="ignore"):
        x = (number << np.uint64(24)) + piece
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
            x = (x + np.uint64(0x9E3779B97F4A7C15)) if shift == 30 else x
            x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    share: NDArray[np.float64] = x.astype(np.float64) / 2.0**64
    return share
