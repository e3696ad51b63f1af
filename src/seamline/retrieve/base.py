"""What a retriever is, and how scored chunks become a ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from seamline.errors import InvalidConfig
from seamline.types import FloatArray, IntArray

__all__ = [
    "Index",
    "Prepare",
    "Ranks",
    "Retriever",
    "ScoredIndex",
    "Scores",
    "best_of",
    "check_number",
    "check_reach",
]

Scores = Callable[[IntArray, int, int], FloatArray]
"""(rows, first, last) -> float32[len(rows), last - first]: questions against chunks."""

Prepare = Callable[[Sequence[str], FloatArray | None], Scores]
"""(questions, query_vectors) -> their scores, once the questions are taken apart."""

# 32 MB a block of scores; fusing holds a few such blocks at a time.
_CELLS = 1 << 23
# Up to so many chunks sorting all scores beats looking for the best ones.
_FEW = 2048
_FARTHEST = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """The best chunks of each question: `ids` int32[q, depth], `scores` float32[q, depth].

    Best first; ties in document order, then chunk order. A question with fewer than
    `depth` chunks is filled up with id -1 and score 0.
    """

    ids: IntArray
    scores: FloatArray

    def __len__(self) -> int:
        return len(self.ids)


class Index(Protocol):
    """Chunks ready to be searched."""

    def rank(
        self,
        questions: Sequence[str],
        query_vectors: FloatArray | None = None,
        *,
        depth: int,
        scope: IntArray | None = None,
    ) -> Ranks:
        """The `depth` best chunks of each question.

        `scope` (int32[q]) names the one document a question may search; without it
        the whole corpus is searched.
        """
        ...


@runtime_checkable
class Retriever(Protocol):
    """Makes an index of chunks; `str()` of it parses back."""

    needs_vectors: bool

    def index(self, texts: Sequence[str], vectors: FloatArray | None, doc: IntArray) -> Index:
        """An index of n chunks: what is indexed, float32[n, d] unit vectors, document int32[n].

        Chunks are in document order: `doc` never decreases. A retriever with a true
        `needs_places` is also given `places`, the `Places` of the chunks, by keyword.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ScoredIndex:
    """An index that scores every chunk in scope and ranks those above `floor`.

    Raises:
        InvalidConfig: the chunks are not in document order.
    """

    doc: IntArray
    prepare: Prepare
    floor: float = -np.inf

    def __post_init__(self) -> None:
        if np.any(np.diff(self.doc) < 0):
            raise InvalidConfig(
                "chunks must be indexed in document order, got a document number that is lower "
                "than the one before it: sort the chunks by document first"
            )

    def rank(
        self,
        questions: Sequence[str],
        query_vectors: FloatArray | None = None,
        *,
        depth: int,
        scope: IntArray | None = None,
    ) -> Ranks:
        """See `Index.rank`. Memory for scores stays bounded whatever the corpus.

        Raises:
            InvalidConfig: `depth` is under 1, or an array has not a row a question.
        """
        _check_rank(questions, query_vectors, scope, depth=depth)
        ids = np.full((len(questions), depth), -1, np.int32)
        scores = np.zeros((len(questions), depth), np.float32)
        score = self.prepare(questions, query_vectors)
        for rows, first, last in self._blocks(len(questions), scope):
            block = score(rows, first, last)
            if last - first <= _FEW:
                _rank_all(block, rows, first, Ranks(ids, scores), self.floor)
                continue
            for row, line in zip(rows, block, strict=True):
                top = best_of(line, depth, self.floor)
                ids[row, : len(top)] = top + first
                scores[row, : len(top)] = line[top]
        return Ranks(ids, scores)

    def _blocks(
        self, n_questions: int, scope: IntArray | None
    ) -> Iterator[tuple[IntArray, int, int]]:
        for rows, first, last in self._ranges(n_questions, scope):
            step = max(1, _CELLS // max(1, last - first))
            for at in range(0, len(rows), step):
                yield rows[at : at + step], first, last

    def _ranges(
        self, n_questions: int, scope: IntArray | None
    ) -> Iterator[tuple[IntArray, int, int]]:
        """Questions that search the same chunks, and the range of these chunks."""
        if scope is None:
            yield np.arange(n_questions, dtype=np.int32), 0, len(self.doc)
            return
        order = np.argsort(scope, kind="stable").astype(np.int32)
        documents, counts = np.unique(scope, return_counts=True)
        stops = np.cumsum(counts)
        for document, start, stop in zip(documents, stops - counts, stops, strict=True):
            first, last = np.searchsorted(self.doc, [document, document + 1])
            yield order[start:stop], int(first), int(last)


def _rank_all(block: FloatArray, rows: IntArray, first: int, out: Ranks, floor: float) -> None:
    """Sort whole rows of scores into `out`: for few chunks the fastest way."""
    depth = out.ids.shape[1]
    if depth == 1 and block.shape[1]:
        order = block.argmax(axis=1)[:, None]
    else:
        order = np.argsort(-block, axis=1, kind="stable")[:, :depth]
    best = np.take_along_axis(block, order, axis=1)
    kept, width = best > floor, order.shape[1]
    out.ids[rows, :width] = np.where(kept, order + first, -1)
    out.scores[rows, :width] = np.where(kept, best, 0.0)


def best_of(line: FloatArray, depth: int, floor: float) -> IntArray:
    """Places of the `depth` highest scores above `floor`, best first, ties in order."""
    kept = np.flatnonzero(line > floor)
    if len(kept) > depth:
        values = line[kept]
        least = np.partition(values, len(kept) - depth)[len(kept) - depth]
        chosen = values > least
        ties = np.flatnonzero(values == least)
        chosen[ties[: depth - np.count_nonzero(chosen)]] = True
        kept = kept[chosen]
    return kept[np.argsort(-line[kept], kind="stable")].astype(np.int32)


def _check_rank(
    questions: Sequence[str],
    query_vectors: FloatArray | None,
    scope: IntArray | None,
    *,
    depth: int,
) -> None:
    if depth < 1:
        raise InvalidConfig(f"depth must be at least 1, got {depth}")
    for name, rows in (("query_vectors", query_vectors), ("scope", scope)):
        if rows is not None and len(rows) != len(questions):
            raise InvalidConfig(
                f"{name} needs a row a question, got {len(rows)} for {len(questions)} questions"
            )


def check_number(name: str, value: Any, *, low: float, high: float = np.inf) -> float:
    """`value` as a float; raises `InvalidConfig` unless it is a number in [low, high]."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not low <= value <= high or value == np.inf:
        wanted = f"from {low:g} to {high:g}" if high < np.inf else f"of at least {low:g}"
        raise InvalidConfig(f"{name} must be a number {wanted}, got {value!r}")
    return float(value)


def check_reach(name: str, value: Any) -> int:
    """`value` as a number of tokens, 0 for None; raises `InvalidConfig` unless whole and >= 0."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _FARTHEST:
        raise InvalidConfig(
            f"{name} must be a whole number of tokens from 0 (off) to {_FARTHEST}, got {value!r}"
        )
    return value
