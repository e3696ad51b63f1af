"""A ranking that knows the gold: the ceiling of a way to cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.bench.chunked import Chunked
from seamline.bench.corpus import Corpus
from seamline.bench.trial import Trials
from seamline.retrieve import Index, Ranks, Retriever
from seamline.retrieve.table import ChunkTable
from seamline.types import FloatArray, IntArray, Question


class OracleTrials(Trials):
    """Trials whose rankings are the best there are of the same chunks."""

    def index_of(self, chunked: Chunked, retriever: Retriever) -> Index:  # noqa: ARG002
        return _Best(self.corpus, chunked.table)


@dataclass(slots=True, eq=False)
class _Best:
    """Chunks that hold gold, those with the most of it a token first; then none.

    Questions come in the corpus's order, a block at a time.
    """

    corpus: Corpus
    table: ChunkTable
    asked: int = 0

    def rank(
        self,
        questions: Sequence[str],
        query_vectors: FloatArray | None = None,
        *,
        depth: int,
        scope: IntArray | None = None,
    ) -> Ranks:
        del query_vectors, scope
        ids = np.full((len(questions), depth), -1, np.int32)
        scores = np.zeros((len(questions), depth), np.float32)
        for row in range(len(questions)):
            best, values = self._best(self.asked + row)
            n = min(depth, len(best))
            ids[row, :n], scores[row, :n] = best[:n], values[:n]
        self.asked += len(questions)
        return Ranks(ids, scores)

    def _best(self, number: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        table = self.table
        first, last = np.searchsorted(table.doc, [self.corpus.doc_of[number] + x for x in (0, 1)])
        start, end = table.shown_start[first:last], table.shown_end[first:last]
        covered = np.zeros(last - first)
        for low, high in _gold(self.corpus.questions[number]):
            covered += np.maximum(np.minimum(end, high) - np.maximum(start, low), 0)
        value = covered / np.maximum(table.shown_tokens[first:last], 1)
        order = np.argsort(-value, kind="stable")
        order = order[: np.count_nonzero(covered)]
        return order + first, value[order]


def _gold(question: Question) -> list[tuple[int, int]]:
    """The shortest span of each slot."""
    shortest = (min(slot, key=len) for slot in question.slots)
    return [(span.start, span.end) for span in shortest]
