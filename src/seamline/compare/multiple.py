"""Several comparisons at once: Holm's steps, and the furthest of a family."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.randomization import Flips, NullDistribution, scaled

__all__ = ["furthest", "holm"]

_COLUMNS = 256  # held at a time

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


def furthest(sums: Floats, flips: Flips) -> NullDistribution:
    """The furthest |t| of any column of unit sums in each sign pattern (max-T).

    Its `p` of a column's |t| is adjusted for all of them: the flips keep how they go
    together, so columns that are nearly the same cost nearly nothing.

    Source: Westfall and Young, Resampling-Based Multiple Testing (1993).

    Example:
        >>> twice = np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
        >>> furthest(twice, Flips(3)).p(6 / 14**0.5).item()  # 2 of 8 patterns, as of one alone
        0.25
    """
    unit = scaled(sums)
    out = []
    for signs in flips.blocks():
        t = np.zeros(len(signs))
        for first in range(0, unit.shape[1], _COLUMNS):
            some = np.abs(signs @ unit[:, first : first + _COLUMNS])
            np.maximum(t, some.max(axis=1), out=t)
        out.append(t)
    return NullDistribution.of(np.concatenate(out), flips)
