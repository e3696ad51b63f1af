"""BM25 over exact term counts, as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seamline.registry import spec_of
from seamline.retrieve.analyze import (
    AUTO,
    Analyzer,
    Terms,
    Vocabulary,
    analyzer_for,
    check_language,
    encoded,
)
from seamline.retrieve.base import Index, Prepare, ScoredIndex, Scores, check_number, check_reach
from seamline.retrieve.places import Neighbours, Places, needed_places
from seamline.retrieve.positional import spread_counts, spread_lengths
from seamline.types import FloatArray, IntArray

__all__ = [
    "Bm25",
    "Counts",
    "Postings",
    "bm25_scores",
    "count_terms",
    "idf_of",
    "norms_of",
    "weigh",
]


@dataclass(frozen=True)
class Bm25:
    """Ranks by the words that question and chunk share; chunks sharing none are not ranked.

    So such chunks are never shown, however large the budget.

    `language` names a Snowball stemmer; `auto` reads it off the indexed texts, None
    leaves words as they are. Document frequencies and the average length are those of the
    whole corpus, also where a question searches one document.

    With `positional` (tokens; 0 or None: off) the words of other chunks of a section
    count too, less the further away: times 1 - distance / `positional`. So a chunk is
    found by the words around it. Lengths grow alike; document frequencies do not.

    Raises:
        InvalidConfig: `k1` is negative, `b` outside 0..1 or `positional` no whole
            number from 0; no such language.

    Source: Robertson and Zaragoza, The Probabilistic Relevance Framework (2009), with
    Lucene's idf, ln(1 + (N - df + 0.5) / (df + 0.5)), which is never negative.

    Example:
        >>> index = Bm25().index(["red cats", "a dog"], None, np.zeros(2, np.int32))
        >>> index.rank(["What is a cat?"], depth=2).ids.tolist()
        [[0, -1]]
    """

    k1: float = 1.2
    b: float = 0.75
    language: str | None = AUTO
    positional: int = 0
    needs_vectors: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "k1", check_number("k1", self.k1, low=0))
        object.__setattr__(self, "b", check_number("b", self.b, low=0, high=1))
        if self.language != AUTO:
            check_language(self.language)
        object.__setattr__(self, "positional", check_reach("positional", self.positional))

    @property
    def needs_places(self) -> bool:
        """Whether `index` must be told where the chunks lie."""
        return self.positional > 0

    def index(
        self,
        texts: Sequence[str],
        vectors: FloatArray | None,
        doc: IntArray,
        places: Places | None = None,
    ) -> Index:
        """An index of the texts; `vectors` are not used, `places` with `positional` only."""
        del vectors
        return ScoredIndex(doc, bm25_scores(self, texts, places), floor=0.0)

    def __str__(self) -> str:
        return str(spec_of(self, "bm25"))


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How often each term occurs in each text: a row a pair, by term, then by text.

    `term` and `text` are int32[m], `count` float32[m]; `lengths` (float32[n]) is the
    number of terms of each text.
    """

    term: IntArray
    text: IntArray
    count: FloatArray
    lengths: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """What each term adds to the score of each text that holds it.

    Term t has the texts `text[first[t]:first[t + 1]]`, ascending, and their weights.
    """

    first: NDArray[np.int64]
    text: IntArray
    weight: FloatArray
    n_texts: int

    def score(self, asked: Counts, rows: IntArray, first: int, last: int) -> FloatArray:
        """float32[len(rows), last - first]: the summed weights of what each row asks.

        `asked` counts the terms of each question; those of unknown terms are -1.
        """
        out = np.zeros((len(rows), last - first), np.float64)
        edges = np.searchsorted(asked.text, np.stack((rows, rows + 1)))
        line, nth = expand(edges[1] - edges[0])
        pair = edges[0][line] + nth
        term = asked.term[pair]
        posting, step = expand(self.first[term + 1] - self.first[term])
        at = self.first[term][posting] + step
        text = self.text[at]
        inside = (text >= first) & (text < last)
        cell = line[posting][inside] * (last - first) + text[inside] - first
        weights = (self.weight[at] * asked.count[pair][posting])[inside]
        out += np.bincount(cell, weights, out.size).reshape(out.shape)
        return out.astype(np.float32)


def expand(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """For counts [2, 0, 1]: the rows [0, 0, 2], and how manieth of its row each is, [0, 1, 0]."""
    rows = np.repeat(np.arange(len(counts)), counts)
    return rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)


def count_terms(terms: Terms) -> Counts:
    """The counts of each pair of term and text that occurs."""
    n = max(1, terms.n_texts)
    pairs, count = np.unique(terms.term.astype(np.int64) * n + terms.text, return_counts=True)
    lengths = np.bincount(terms.text, minlength=terms.n_texts).astype(np.float32)
    term, text = np.divmod(pairs, n)
    return Counts(term.astype(np.int32), text.astype(np.int32), count.astype(np.float32), lengths)


def weigh(counts: Counts, n_terms: int, *, k1: float, b: float) -> Postings:
    """Postings with the weight idf * count / (count + k1 * (1 - b + b * length / mean))."""
    df = np.bincount(counts.term, minlength=n_terms)
    norm = norms_of(counts.lengths.astype(np.float64), k1=k1, b=b)
    weight = idf_of(df, len(norm))[counts.term] * (
        counts.count / (counts.count + norm[counts.text])
    )
    first = np.concatenate(([0], np.cumsum(df)))
    return Postings(first, counts.text, weight.astype(np.float32), len(norm))


def idf_of(df: NDArray[Any], n: float) -> NDArray[np.float64]:
    """float64, as `df`: what a term in `df` of `n` texts weighs."""
    idf: NDArray[np.float64] = np.log1p((n - df + 0.5) / (df + 0.5))
    return idf


def norms_of(
    lengths: NDArray[np.float64], *, k1: float, b: float, mean: float | None = None
) -> NDArray[np.float64]:
    """float64[n]: what is added to a count in the denominator of its weight.

    `mean` is the mean length, that of `lengths` unless given.
    """
    if mean is None:
        mean = float(lengths.mean()) if len(lengths) else 0.0
    relative = lengths / (mean or 1.0)
    norms: NDArray[np.float64] = k1 * (1 - b + b * relative)
    return norms


@dataclass(frozen=True, slots=True, eq=False)
class _Positional:
    """Counts that wait for the questions: only the terms that are asked are spread."""

    counts: Counts
    first: NDArray[np.int64]
    near: Neighbours
    idf: NDArray[np.float64]
    norm: NDArray[np.float64]

    @classmethod
    def of(cls, counts: Counts, n_terms: int, near: Neighbours, retriever: Bm25) -> _Positional:
        df = np.bincount(counts.term, minlength=n_terms)
        lengths = spread_lengths(counts.lengths, near)
        return cls(
            counts=counts,
            first=np.concatenate(([0], np.cumsum(df))),
            near=near,
            idf=idf_of(df, len(lengths)),
            norm=norms_of(lengths, k1=retriever.k1, b=retriever.b),
        )

    def postings(self, asked: IntArray) -> Postings:
        """The postings of the terms `asked`, none of the others."""
        wanted = np.unique(asked).astype(np.int64)
        which, nth = expand(self.first[wanted + 1] - self.first[wanted])
        at = self.first[wanted][which] + nth
        text = self.counts.text[at].astype(np.int64)
        spread = spread_counts(wanted[which], text, self.counts.count[at], self.near)
        weight = self.idf[spread.term] * spread.count / (spread.count + self.norm[spread.text])
        df = np.bincount(spread.term, minlength=len(self.idf))
        return Postings(
            np.concatenate(([0], np.cumsum(df))),
            spread.text.astype(np.int32),
            weight.astype(np.float32),
            len(self.norm),
        )


def _postings(
    retriever: Bm25, counts: Counts, n_terms: int, places: Places | None
) -> Callable[[IntArray], Postings]:
    """From asked terms to the postings that hold them."""
    if not retriever.positional:
        plain = weigh(counts, n_terms, k1=retriever.k1, b=retriever.b)
        return lambda _asked: plain
    places = needed_places(places, len(counts.lengths), "positional")
    near = Neighbours(places, retriever.positional)
    return _Positional.of(counts, n_terms, near, retriever).postings


def bm25_scores(retriever: Bm25, texts: Sequence[str], places: Places | None = None) -> Prepare:
    """The BM25 score of every question to each of the texts, 0 where no term is shared."""
    analyzer = analyzer_for(retriever.language, texts)
    terms = analyzer.encode(texts)
    vocabulary, counts = terms.vocabulary, count_terms(terms)
    postings = _postings(retriever, counts, len(vocabulary), places)

    def prepare(questions: Sequence[str], query_vectors: FloatArray | None) -> Scores:
        del query_vectors
        asked = _asked(analyzer, vocabulary, questions)
        return partial(postings(asked.term).score, asked)

    return prepare


def _asked(analyzer: Analyzer, vocabulary: Vocabulary, questions: Sequence[str]) -> Counts:
    """How often each question asks each known term: by question, then by term."""
    terms = encoded(analyzer, tuple(questions))
    number = np.array([vocabulary.number(term) for term in terms.vocabulary.terms()], np.int64)
    known = number[terms.term] if len(number) else np.empty(0, np.int64)
    width = len(vocabulary) + 1
    pairs, count = np.unique((terms.text * width + known)[known >= 0], return_counts=True)
    text, term = np.divmod(pairs, width)
    return Counts(term, text, count.astype(np.float32), np.empty(0, np.float32))
