"""Measures of ranks: how early the pieces that overlap gold stand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from seamline.measure.base import Measure
from seamline.measure.context import Facts

__all__ = ["MRR", "NDCG", "PrecisionChunks"]


@dataclass(frozen=True, slots=True)
class PrecisionChunks(Measure):
    """Share of the k pieces that overlap gold, 0 to 1.

    Divided by k, as P@k is, also where fewer were shown; at a token budget by
    the number of pieces shown.

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> shown = Shown.of([(0, 0, 20, 5, 0.9), (0, 20, 40, 5, 0.8)])
        >>> PrecisionChunks(Cutoff(4)).score(Gold(0, ([[0, 10]],)), shown)  # 1 / 4
        0.25
    """

    name: ClassVar[str] = "PrecisionChunks"
    about: ClassVar[str] = "share of the k pieces that overlap gold"

    def value(self, facts: Facts) -> float:
        k = self.cutoff.k or facts.pieces
        return len(facts.ranks) / k if k else 0.0


@dataclass(frozen=True, slots=True)
class MRR(Measure):
    """1 / rank of the first piece that overlaps gold, 0 where none does.

    Source: Voorhees, The TREC-8 Question Answering Track Report (1999).

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> shown = Shown.of([(1, 0, 20, 5, 0.9), (0, 0, 20, 5, 0.8)])
        >>> MRR(Cutoff(5)).score(Gold(0, ([[0, 10]],)), shown)
        0.5
    """

    name: ClassVar[str] = "MRR"
    about: ClassVar[str] = "1 / rank of the first piece that overlaps gold"

    def value(self, facts: Facts) -> float:
        return 1.0 / facts.ranks[0] if facts.ranks else 0.0


@dataclass(frozen=True, slots=True)
class NDCG(Measure):
    """Discounted gain of the pieces that overlap gold, over that of an ideal ranking, 0 to 1.

    DCG = sum of 1 / log2(rank + 1) over those pieces; the ideal ranking has all
    relevant pieces of the index (`Shown.n_relevant`) first. Binary relevance.

    Source: Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR
    techniques (2002).

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> shown = Shown.of([(1, 0, 20, 5, 0.9), (0, 0, 20, 5, 0.8)], n_relevant=1)
        >>> round(NDCG(Cutoff(5)).score(Gold(0, ([[0, 10]],)), shown), 6)  # 1 / log2(3)
        0.63093
    """

    name: ClassVar[str] = "nDCG"
    about: ClassVar[str] = "how early all pieces that overlap gold stand, against the best order"

    def value(self, facts: Facts) -> float:
        if not facts.ranks:
            return 0.0
        best = min(self.cutoff.k or facts.pieces, max(facts.n_relevant, len(facts.ranks)))
        return sum(map(_discount, facts.ranks)) / _ideal(best)


@cache
def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


@cache
def _ideal(n_relevant: int) -> float:
    return sum(_discount(rank) for rank in range(1, n_relevant + 1))
