"""Intervals of a paired difference that agree with its sign-flip test."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from seamline.compare.bootstrap import wilson_interval
from seamline.compare.paired import SAME

__all__ = ["FEW_DIFFERENT", "difference_interval", "flip_interval", "signed_wilson"]

FEW_DIFFERENT = 30
"""Where fewer questions differ, and no more than half of them, flips alone cover too little."""

Floats = NDArray[np.float64]
Ends = tuple[float, float]


def flip_interval(sums: Floats, counts: Floats, critical: float) -> Ends:
    """The means that the sign-flip test would not reject at |t| <= `critical`.

    `sums` and `counts` (float[units]) are those of the units. It holds 0 exactly where
    the test of 0 does not reject. Its ends are infinite where a few units hold nearly
    all the questions: their flips alone reach `critical`.

    Example:
        >>> low, high = flip_interval(np.array([1.0, 2.0, 3.0]), np.ones(3), 1.5)
        >>> round(low, 3), round(high, 3)  # 2 ± 1.5 root(2) / root(9 - 1.5² × 3)
        (0.586, 3.414)
    """
    n = counts.sum()
    mean = sums.sum() / n
    rest = sums - mean * counts
    # |sum(sums - m counts)| <= critical × root of their squares: quadratic in mean - m.
    a = n * n - critical**2 * (counts * counts).sum()
    if not a > 0:
        return -math.inf, math.inf
    b = critical**2 * (rest * counts).sum()
    root = math.sqrt(b * b + a * critical**2 * (rest * rest).sum())
    return float(mean - (b + root) / a), float(mean - (b - root) / a)


def signed_wilson(differences: Floats, bound: float = 1.0, *, level: float = 0.95) -> Ends:
    """An interval for the mean of differences in -`bound`..`bound` that holds where few are not 0.

    What is above and what is below 0 are two rates with Wilson's intervals, which are
    joined by their squares. It takes questions for independent.

    Source: Newcombe, Interval Estimation for the Difference Between Independent
    Proportions (1998), method 10, with the two kinds of differences for proportions.

    Example:
        >>> low, high = signed_wilson(np.array([0.0] * 9 + [1.0]))
        >>> round(low, 3), round(high, 3)  # .1 - root(.082² + .278²), .1 + root(.304² + 0²)
        (-0.189, 0.404)
    """
    n = len(differences)
    above = min(float(np.maximum(differences, 0.0).sum()) / bound, n)
    below = min(float(np.maximum(-differences, 0.0).sum()) / bound, n)
    low_above, high_above = wilson_interval(above, n, level)
    low_below, high_below = wilson_interval(below, n, level)
    above, below = above / n, below / n
    down = math.hypot(above - low_above, high_below - below)
    up = math.hypot(high_above - above, below - low_below)
    return bound * (above - below - down), bound * (above - below + up)


def difference_interval(
    differences: Floats,
    sums: Floats,
    counts: Floats,
    *,
    critical: float,
    level: float,
    shares: bool,
) -> Ends | None:
    """The means that flips do not reject; None where that has no end.

    Where few questions differ flips cover too little (80 to 93 % in simulations), and the
    interval reaches as far as that of Wilson's kind, which alone covers too little where
    the questions of a document go together; but not beyond 0, which flips test exactly.
    Differences of `shares` are at most 1, others at most as large as they are seen to be:
    these have no interval if all are 0.
    """
    largest = float(np.abs(differences).max(initial=0.0))
    if largest <= SAME:
        return signed_wilson(differences, level=level) if shares and len(differences) else None
    low, high = flip_interval(sums, counts, critical)
    if not math.isfinite(low):
        return None
    n_different = int((np.abs(differences) > SAME).sum())
    if n_different < min(FEW_DIFFERENT, 1 + len(differences) / 2):
        wilson = signed_wilson(differences, 1.0 if shares else largest, level=level)
        low = min(low, max(wilson[0], 0.0) if low > SAME else wilson[0])
        high = max(high, min(wilson[1], 0.0) if high < -SAME else wilson[1])
    return (max(low, -1.0), min(high, 1.0)) if shares else (low, high)
