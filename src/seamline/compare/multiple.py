"""Several comparisons at once: Holm, max-T, and intervals that hold together."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.paired import SAME
from seamline.compare.randomization import Flips

__all__ = ["Furthest", "flip_interval", "holm"]

Floats = NDArray[np.float64]


def holm(p: ArrayLike) -> Floats:
    """Adjusted p of each of a family, in 0..1, in the order given.

    Rejecting those at most 0.05 errs at all in at most 5 % of families,
    whatever their dependence.

    Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).

    Example:
        >>> holm([0.01, 0.04, 0.03]).tolist()  # 3 × 0.01; 2 × 0.03; at least as much
        [0.03, 0.06, 0.06]
    """
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    steps = given[order] * np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


@dataclass(frozen=True, slots=True, eq=False)
class Furthest:
    """The furthest |t| of a family in each sign pattern, in increasing order."""

    values: Floats
    flips: Flips

    @classmethod
    def of(cls, values: Floats, flips: Flips) -> Furthest:
        """Those of the patterns of `flips`."""
        return cls(np.sort(values), flips)

    def p(self, t: ArrayLike) -> Floats:
        """The share of patterns in which any of the family is as far out as `t`."""
        below = np.searchsorted(self.values, np.asarray(t) - SAME, side="left")
        return self.flips.share(len(self.values) - below)

    def critical(self, level: float = 0.05) -> float:
        """The largest |t| that is not significant: beyond it p is at most `level`."""
        seen = 0 if self.flips.exact else 1
        k = math.floor(level * (self.flips.n + seen) + SAME) - seen
        return float(self.values[-1 - max(k, 0)]) if len(self.values) else 0.0


def flip_interval(sums: Floats, counts: Floats, critical: float) -> tuple[float, float]:
    """The means that the sign-flip test would not reject at |t| <= `critical`.

    `sums` and `counts` are those of one column, a value a unit. It holds 0 exactly
    where the test of 0 does not reject. Infinite ends where a few units hold nearly
    all the questions: their flips alone reach `critical`.

    Example:
        >>> low, high = flip_interval(np.array([1.0, 2.0, 3.0]), np.ones(3), 1.5)
        >>> round(low, 3), round(high, 3)  # 2 ± 1.5 root(2) / root(9 - 1.5² × 3)
        (0.586, 3.414)
    """
    n = counts.sum()
    mean = sums.sum() / n
    rest = sums - mean * counts
    # |sum of (sums - m counts)| <= critical × root of their squares, as a square in mean - m
    a = n * n - critical**2 * (counts * counts).sum()
    b = critical**2 * (rest * counts).sum()
    c = critical**2 * (rest * rest).sum()
    if a <= 0:
        return -math.inf, math.inf
    root = math.sqrt(max(b * b + a * c, 0.0))
    return float(mean - (b + root) / a), float(mean - (b - root) / a)
