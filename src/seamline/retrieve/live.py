"""A question scored against what a store holds, as the benchmark scores it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.retrieve.base import best_of
from seamline.retrieve.dense import Dense
from seamline.retrieve.hybrid import Hybrid, reciprocal_ranks, standardise
from seamline.retrieve.kernel import Kernel
from seamline.retrieve.lexical import Bm25, idf_of, norms_of
from seamline.retrieve.places import Neighbours, Places
from seamline.retrieve.positional import Spread, spread_counts, spread_lengths
from seamline.store.base import Asked, Scope
from seamline.types import FloatArray, IntArray

__all__ = ["Late", "Scored", "score"]

Floats = NDArray[np.float64]
Late = Callable[[FloatArray], None]
"""Scores the best chunks once more, in place: float32[n], a chunk of the scope each."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """float32[n]: the score of each chunk of a scope, and what it was made of.

    `dense` are cosines, `words` BM25 scores; None where the retriever has no such arm.
    `parts` are what the scores are the sums of, by name. Chunks at or below `floor` are not
    ranked.
    """

    scores: FloatArray
    dense: FloatArray | None
    words: FloatArray | None
    floor: float
    parts: Mapping[str, NDArray[Any]]

    def best(self, depth: int, eligible: NDArray[np.bool_] | None = None) -> IntArray:
        """The rows of the `depth` best chunks, best first, ties in order."""
        scores = self.scores
        if eligible is not None:
            scores = np.where(eligible, scores, -np.inf).astype(np.float32)
        return best_of(scores, depth, self.floor)


def score(
    retriever: object, scope: Scope, asked: Asked, times: FloatArray, late: Late | None = None
) -> Scored:
    """The scores of a question; float32[t] `times` is how often it has each of its terms.

    Document frequencies and lengths are those of all that the reader may see, spreads of
    scores those of the scope; what a reader may not see changes nothing.

    Raises:
        InvalidConfig: the retriever is none of seamline's, or needs a vector and there is none.
    """
    if isinstance(retriever, Bm25):
        words = _words(retriever, scope, asked, times)
        return Scored(words, None, words, 0.0, {"words": words})
    if isinstance(retriever, Dense):
        dense = _dense(scope, asked)
        return Scored(dense, dense, None, -np.inf, {"dense": dense})
    if not isinstance(retriever, Hybrid):
        raise InvalidConfig(
            f"a store is searched by dense, bm25 or hybrid, got {str(retriever)!r}: it can only "
            "be measured"
        )
    dense, words = _dense(scope, asked), _words(retriever.words, scope, asked, times)
    left, right = _fuse(retriever, dense, words, scope.weight)
    fused = (left + right).astype(np.float32)
    parts: dict[str, NDArray[Any]] = {"dense": left, "words": right}
    if late is not None:
        before = fused.copy()
        late(fused)
        parts["rerank"] = fused - before
    if retriever.kernel and len(scope):
        kernel = _kept(scope, ("kernel", retriever.kernel), _kernel(scope, retriever.kernel))
        before = fused.copy()
        kernel.smooth(fused[None], 0, len(scope))
        parts["neighbours"] = fused - before
    return Scored(fused, dense, words, -np.inf, parts)


def _dense(scope: Scope, asked: Asked) -> FloatArray:
    if asked.vector is None:
        raise InvalidConfig("this retriever needs the vector of the question: embed it first")
    return scope.dense(asked.vector)


def _words(retriever: Bm25, scope: Scope, asked: Asked, times: FloatArray) -> FloatArray:
    """float32[n]: BM25, 0 where no term is shared; see `Bm25`."""
    n, reach = len(scope), retriever.positional
    term, row, count = scope.postings(asked.terms)
    if not len(term):
        return np.zeros(n, np.float32)
    base, where = scope, (term, row)
    if scope.whole is not None:
        base = scope.whole
        where = base.postings(asked.terms)[:2]
    df = _frequencies(*where, base.weight, len(asked.terms))
    if base.counted is not None:
        of = np.argsort(asked.terms)
        at = of[np.searchsorted(asked.terms, base.counted.terms, sorter=of)]
        df[at] = base.counted.chunks
    total, mean = _mean(_lengths(base, reach), base.weight)
    lengths = _lengths(scope, reach)
    found = Spread(term.astype(np.int64), row.astype(np.int64), count.astype(np.float64))
    if reach:
        found = spread_counts(found.term, found.text, found.count, _near(scope, reach))
    norm = norms_of(lengths[found.text], k1=retriever.k1, b=retriever.b, mean=mean)
    weight = idf_of(df, total)[found.term] * (found.count / (found.count + norm))
    asks = weight.astype(np.float32) * times[found.term]
    return np.bincount(found.text, asks, n).astype(np.float32)


def _frequencies(term: IntArray, row: IntArray, weight: Floats | None, n_terms: int) -> Floats:
    """float64[t]: in how many chunks each term is."""
    standing = None if weight is None else weight[row]
    return np.bincount(term, standing, n_terms).astype(np.float64)


def _lengths(scope: Scope, reach: int) -> Floats:
    """float64[n]: the terms of each chunk, with `reach` those of its neighbours too."""
    if not reach:
        return scope.lengths.astype(np.float64)
    lengths: Floats = _kept(
        scope, ("lengths", reach), lambda: spread_lengths(scope.lengths, _near(scope, reach))
    )
    return lengths


def _near(scope: Scope, reach: int) -> Neighbours:
    near: Neighbours = _kept(scope, ("near", reach), lambda: Neighbours(_places(scope), reach))
    return near


def _mean(values: Floats, weight: Floats | None) -> tuple[float, float]:
    """How many chunks there are, and the mean of a value over them."""
    if weight is None:
        return float(len(values)), float(values.mean())
    total = float(weight.sum())
    return total, float((values * weight).sum()) / total


def _fuse(
    retriever: Hybrid, dense: FloatArray, words: FloatArray, weight: Floats | None
) -> tuple[Floats, Floats]:
    """float64[n] each: what the arms give to the scores."""
    alpha = retriever.alpha
    if retriever.fusion == "zscore":
        left, right = _standard(dense, weight), _standard(words, weight)
    else:
        left, right = (reciprocal_ranks(arm, weight) for arm in (dense, words))
        right *= words > 0
    return alpha * left, (1 - alpha) * right


def _standard(scores: FloatArray, weight: Floats | None) -> Floats:
    """Scores less their mean over their spread in the whole of the scope."""
    if weight is None:
        return standardise(scores)
    values = scores.astype(np.float64)
    _, mean = _mean(values, weight)
    _, variance = _mean((values - mean) ** 2, weight)
    return (values - mean) / (float(np.sqrt(variance)) or 1.0)


def _places(scope: Scope) -> Places:
    return Places(scope.section, scope.centre, scope.tokens)


def _kernel(scope: Scope, reach: int) -> Callable[[], Kernel]:
    return lambda: Kernel(_places(scope), reach)


def _kept(scope: Scope, key: Any, make: Callable[[], Any]) -> Any:
    """What is derived from a scope, made once."""
    if key not in scope.memo:
        scope.memo[key] = make()
    return cast("Any", scope.memo[key])
