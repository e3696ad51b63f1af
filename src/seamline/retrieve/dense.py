"""Exact search by the cosine of unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.registry import spec_of
from seamline.retrieve.base import Index, Prepare, ScoredIndex, Scores
from seamline.store.exact import on_grid
from seamline.types import FloatArray, IntArray

__all__ = ["Dense", "dense_scores", "top_similarity"]

_TILE = 2048
_TOLERANCE = 1e-3


@dataclass(frozen=True)
class Dense:
    """Ranks by cosine similarity, in -1..1, exact; every chunk in scope is ranked.

    Example:
        >>> chunks = np.eye(3, dtype=np.float32)
        >>> index = Dense().index(["a", "b", "c"], chunks, np.zeros(3, np.int32))
        >>> index.rank(["q"], chunks[1:2], depth=2).ids.tolist()
        [[1, 0]]
    """

    needs_vectors: ClassVar[bool] = True

    def index(self, texts: Sequence[str], vectors: FloatArray | None, doc: IntArray) -> Index:
        """An index of the vectors; see `Retriever.index`.

        Raises:
            InvalidConfig: vectors are missing, not one a text, not finite or not of length 1.
        """
        return ScoredIndex(doc, dense_scores(vectors, len(texts)))

    def __str__(self) -> str:
        return str(spec_of(self, "dense"))


def dense_scores(vectors: FloatArray | None, n: int) -> Prepare:
    """The cosine of every question to each of n chunks, the same in any block size."""
    chunks = _unit_rows("chunks", vectors, n)

    def prepare(questions: Sequence[str], query_vectors: FloatArray | None) -> Scores:
        queries = _unit_rows("questions", query_vectors, len(questions))
        if len(queries) and len(chunks) and queries.shape[1] != chunks.shape[1]:
            raise InvalidConfig(
                f"questions and chunks must be embedded alike, got vectors of "
                f"{queries.shape[1]} and of {chunks.shape[1]} dimensions"
            )
        return lambda rows, first, last: _dots(queries[rows], chunks[first:last])

    return prepare


def _dots(queries: FloatArray, chunks: FloatArray) -> FloatArray:
    """float32[q, n]; tiles keep the float64 copies small."""
    left = queries.astype(np.float64)
    out = np.empty((len(queries), len(chunks)), np.float32)
    for at in range(0, len(chunks), _TILE):
        tile = chunks[at : at + _TILE].astype(np.float64)
        out[:, at : at + _TILE] = left @ tile.T
    return out


def top_similarity(
    ids: IntArray, vectors: FloatArray, query_vectors: FloatArray
) -> NDArray[np.float32]:
    """float32[q]: the cosine of each question to the chunk `ids[q]`; NaN where that is -1.

    Pass `ranks.ids[:, 0]` for the similarity of the best hit, whatever ranked it. Equal
    to the score `dense` gives the same pair.
    """
    out = np.full(len(ids), np.nan, np.float32)
    found = np.flatnonzero(np.asarray(ids) >= 0)
    left = on_grid(query_vectors[found]).astype(np.float64)
    right = on_grid(vectors[np.asarray(ids)[found]]).astype(np.float64)
    out[found] = (left * right).sum(axis=1)
    return out


def _unit_rows(what: str, vectors: FloatArray | None, n: int) -> FloatArray:
    if vectors is None:
        raise InvalidConfig(f"this retriever needs the vectors of the {what}: embed them first")
    rows = np.asarray(vectors, np.float32)
    if rows.ndim != 2 or len(rows) != n:
        raise InvalidConfig(
            f"the {what} need one vector each, got an array of shape {rows.shape} for {n}"
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    wrong = np.flatnonzero(~((np.abs(lengths - 1) <= _TOLERANCE) | (lengths == 0)))
    if len(wrong):
        raise InvalidConfig(
            f"the vectors of the {what} must have length 1 (or be all zero), "
            f"got length {lengths[wrong[0]]:g} in row {wrong[0]}: normalise them"
        )
    return on_grid(rows)
