"""Meaning and words together: two scores fused into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig, UnknownName
from seamline.phrases import listed
from seamline.protocols import SupportsTokenVectors
from seamline.registry import spec_of, suggest
from seamline.retrieve.analyze import AUTO
from seamline.retrieve.base import Index, ScoredIndex, Scores, check_number, check_reach
from seamline.retrieve.dense import dense_scores
from seamline.retrieve.kernel import Kernel
from seamline.retrieve.lexical import Bm25, bm25_scores
from seamline.retrieve.places import Places, needed_places
from seamline.retrieve.rerank import MaxSim
from seamline.types import FloatArray, IntArray

__all__ = ["Hybrid", "reciprocal_ranks", "standardise"]

_FUSIONS = ("zscore", "rrf")
_RERANKERS = ("maxsim",)
_RRF_K = 60


@dataclass(frozen=True)
class Hybrid:
    """Ranks by `alpha` * dense + (1 - `alpha`) * BM25; every chunk in scope is ranked.

    `fusion` says what is summed. `zscore`: each arm's scores over the searched scope,
    less their mean, over their standard deviation. `rrf`: 1 / (60 + rank), nothing for a
    chunk that shares no word with the question. `k1`, `b`, `language` and `positional` are
    those of `Bm25`. With `kernel` (tokens; 0 or None: off) 0.7 of a chunk's score is the mean
    around it, inside its section and up to so many tokens away; see `Kernel`.
    `rerank=maxsim` first scores the 100 best once more by the vectors of their tokens; see
    `MaxSim`.

    Raises:
        UnknownName: no such fusion or reranker.
        InvalidConfig: `alpha` is outside 0..1, `kernel` no whole number from 0, or as
            `Bm25` raises it.

    Source: Cormack, Clarke and Büttcher, Reciprocal Rank Fusion (2009), for `rrf`.

    Example:
        >>> str(Hybrid(alpha=0.4))
        'hybrid(alpha=0.4)'
    """

    alpha: float = 0.5
    fusion: str = "zscore"
    k1: float = 1.2
    b: float = 0.75
    language: str | None = AUTO
    positional: int = 0
    kernel: int = 0
    rerank: str | None = None
    needs_vectors: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", check_number("alpha", self.alpha, low=0, high=1))
        if self.fusion not in _FUSIONS:
            hint = suggest(str(self.fusion), _FUSIONS)
            raise UnknownName(f"no fusion named {self.fusion!r}; {hint}")
        if self.rerank is not None and self.rerank not in _RERANKERS:
            raise _no_reranker(self.rerank)
        words = self.words
        object.__setattr__(self, "k1", words.k1)
        object.__setattr__(self, "b", words.b)
        object.__setattr__(self, "positional", words.positional)
        object.__setattr__(self, "kernel", check_reach("kernel", self.kernel))

    @property
    def words(self) -> Bm25:
        """The BM25 arm."""
        return Bm25(self.k1, self.b, self.language, self.positional)

    @property
    def needs_places(self) -> bool:
        """Whether `index` must be told where the chunks lie."""
        return self.positional > 0 or self.kernel > 0

    @property
    def needs_token_vectors(self) -> bool:
        """Whether `index` must be given an embedder that has a vector a token."""
        return self.rerank == "maxsim"

    def index(
        self,
        texts: Sequence[str],
        vectors: FloatArray | None,
        doc: IntArray,
        places: Places | None = None,
        embedder: object = None,
    ) -> Index:
        """An index of texts and vectors; see `Retriever.index` and `Dense.index`.

        Raises:
            InvalidConfig: `positional` or `kernel` is on and there are no `places`, or
                `rerank` is and the `embedder` has no vectors of tokens.
        """
        dense = dense_scores(vectors, len(texts))
        words = bm25_scores(self.words, texts, places)
        late = self._late(texts, embedder)
        kernel = None
        if self.kernel:
            kernel = Kernel(needed_places(places, len(texts), "kernel"), self.kernel)

        def prepare(questions: Sequence[str], query_vectors: FloatArray | None) -> Scores:
            left, right = dense(questions, query_vectors), words(questions, None)
            rescore = late.prepare(questions) if late is not None else None

            def scores(rows: IntArray, first: int, last: int) -> FloatArray:
                fused = self._fuse(left(rows, first, last), right(rows, first, last))
                if rescore is not None:
                    rescore(fused, rows, first)
                if kernel is not None:
                    kernel.smooth(fused, first, last)
                return fused

            return scores

        return ScoredIndex(doc, prepare)

    def _late(self, texts: Sequence[str], embedder: object) -> MaxSim | None:
        if not self.needs_token_vectors:
            return None
        if not isinstance(embedder, SupportsTokenVectors):
            raise InvalidConfig(
                "rerank=maxsim needs an embedder with embed_tokens, a vector a token, got "
                f"{'none' if embedder is None else f'a {type(embedder).__name__}'}: take minilm"
            )
        return MaxSim(lambda some: [texts[number] for number in some], embedder)

    def _fuse(self, dense: FloatArray, words: FloatArray) -> FloatArray:
        """Fuse into `dense`: a row's result depends on that row alone."""
        if self.fusion == "zscore":
            left, right = standardise(dense), standardise(words)
            dense[:] = self.alpha * left + (1 - self.alpha) * right
            return dense
        for left, right in zip(dense, words, strict=True):
            a, b = reciprocal_ranks(left), reciprocal_ranks(right) * (right > 0)
            left[:] = self.alpha * a + (1 - self.alpha) * b
        return dense

    def __str__(self) -> str:
        return str(spec_of(self, "hybrid", always=("alpha",)))


def _no_reranker(name: object) -> UnknownName:
    from seamline.retrieve.rerankers import RERANKERS

    hint = suggest(str(name), _RERANKERS)
    if hint.startswith("did you mean"):
        return UnknownName(f"no reranker named {name!r}; {hint}")
    return UnknownName(
        f"no reranker named {name!r} in hybrid, only {listed(_RERANKERS)}: a search takes "
        f"{listed(RERANKERS.names())} by --rerank, or as Searcher(reranker=…)"
    )


def standardise(scores: FloatArray) -> NDArray[np.float64]:
    """float64, as `scores`: z-scores of each row, mean 0 and (population) standard deviation 1.

    A row of equal scores gives 0.

    Example:
        >>> standardise(np.float32([[1, 3], [2, 2]])).tolist()
        [[-1.0, 1.0], [0.0, 0.0]]
    """
    if not scores.shape[-1]:
        return scores.astype(np.float64)
    values = scores.astype(np.float64)
    alike = values.max(axis=-1, keepdims=True) == values.min(axis=-1, keepdims=True)
    values -= values.mean(axis=-1, keepdims=True)
    deviation = values.std(axis=-1, keepdims=True)
    values /= np.where(alike, 1.0, deviation)
    return np.where(alike, 0.0, values)


def reciprocal_ranks(
    scores: FloatArray, weight: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """float64[n]: 1 / (60 + rank), rank 1 for the highest score, ties in order.

    With `weight` (float64[n]) each stands for so many, and has the middle one of their ranks.

    Example:
        >>> (1 / reciprocal_ranks(np.float32([2, 9, 2]))).round().tolist()
        [62.0, 61.0, 63.0]
    """
    order = np.argsort(-scores, kind="stable")
    standing = np.ones(len(scores)) if weight is None else weight[order]
    out = np.empty(len(scores))
    out[order] = 1 / (_RRF_K + np.cumsum(standing) - (standing - 1) / 2)
    return out
