"""Sign flips: what a paired difference could be if the two sides were the same.

If two strategies do equally well, each document might as well have had their
names the other way round, which flips the sign of its whole sum of differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.paired import SAME, Sums, Units
from seamline.errors import InvalidConfig

__all__ = [
    "MOST_EXACT",
    "N_RANDOM",
    "FlipTest",
    "Flips",
    "flip_p",
    "flip_test",
    "statistics",
    "tails",
]

MOST_EXACT = 20_000
"""With at most as many sign patterns all of them are tried, and p is exact."""

N_RANDOM = 10_000
"""How many random patterns stand for all where these are more."""

_BLOCK = 1 << 20  # signs held at a time: 8 MB

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Flips:
    """The sign patterns over `n_units`: all of them where they are few, else random ones.

    The same seed gives the same patterns, however often and in whatever blocks
    they are read, and whatever they are multiplied with.

    Example:
        >>> Flips(3).n, Flips(3).exact, Flips(20).n
        (8, True, 10000)
    """

    n_units: int
    seed: int = 0

    @property
    def exact(self) -> bool:
        """Whether all patterns are there."""
        return self.n_units < 64 and 2**self.n_units <= MOST_EXACT

    @property
    def n(self) -> int:
        """How many patterns there are."""
        return 2**self.n_units if self.exact else N_RANDOM

    def blocks(self) -> Iterator[Floats]:
        """The patterns as rows of ones and minus ones, in blocks of bounded memory."""
        rows = max(1, _BLOCK // max(self.n_units, 1))
        rng = np.random.default_rng(self.seed)
        for first in range(0, self.n, rows):
            some = min(rows, self.n - first)
            if self.exact:
                words = np.arange(first, first + some, dtype="<u8")[:, None]
            else:
                shape = (some, -(-self.n_units // 64))
                words = rng.integers(0, 2**64, shape, dtype=np.uint64).astype("<u8")
            bits = np.unpackbits(
                words.view(np.uint8), axis=1, count=self.n_units, bitorder="little"
            )
            yield 1.0 - 2.0 * bits.astype(np.float64)

    def share(self, n_as_far: ArrayLike) -> Floats:
        """The p of `n_as_far` patterns as far out; +1 for what was seen unless it is among them."""
        seen = 0 if self.exact else 1
        return np.asarray((np.asarray(n_as_far) + seen) / (self.n + seen))


def statistics(sums: Floats) -> Floats:
    """The |t| of each column of unit sums: |sum| / root of the sum of squares; 0 if all are 0.

    Flipping signs leaves the squares as they are. The usual t of unit sums,
    t / sqrt((1 - t²/n) n/(n - 1)), grows with it, so the two give the same p.
    """
    scale = np.sqrt((sums * sums).sum(axis=0))
    return np.asarray(np.abs(sums.sum(axis=0)) / np.where(scale > 0, scale, 1.0))


def tails(sums: Floats, flips: Flips) -> tuple[NDArray[np.int64], Floats]:
    """How many patterns lie as far out as each column, and each pattern's furthest column."""
    scale = np.sqrt((sums * sums).sum(axis=0))
    scaled = sums / np.where(scale > 0, scale, 1.0)
    observed = np.abs(scaled.sum(axis=0)) - SAME
    as_far = np.zeros(sums.shape[1], np.int64)
    furthest = []
    for signs in flips.blocks():
        t = np.abs(signs @ scaled)
        as_far += (t >= observed).sum(axis=0)
        furthest.append(t.max(axis=1, initial=0.0))
    return as_far, np.concatenate(furthest)


@dataclass(frozen=True, slots=True)
class FlipTest:
    """The p of a sign-flip test, two-sided, and what it rests on."""

    p: float
    exact: bool
    unit: str
    n_units: int


def flip_test(differences: ArrayLike, clusters: Sequence[str], *, seed: int = 0) -> FlipTest:
    """The probability, in 0..1, of a mean as far from 0 if both sides were the same.

    `differences` (float[n]) are paired, NaN is left out. A document's whole sum is
    flipped; with fewer than ten documents each question's difference is, and
    `unit` says so. Only units whose sum is not 0 take part (`n_units`): at most
    14 of them are flipped in all ways, more in 10,000 random ones. Ties count as
    far out. Without a difference p is 1.

    Raises:
        InvalidConfig: not one document a difference.

    Source: Fisher, The Design of Experiments (1935); Phipson and Smyth,
    Permutation P-values Should Never Be Zero (2010).

    Example:
        >>> flip_test([0.5, 0.2, 0.4, 0.1], list("abcd")).p  # 2 of 16 patterns: all +, all -
        0.125
    """
    column = np.asarray(differences, dtype=np.float64)
    if column.shape != (len(clusters),):
        raise InvalidConfig(
            f"there must be one document a difference, got {column.shape} and {len(clusters)}"
        )
    known = ~np.isnan(column)
    units = Units.of([one for one, kept in zip(clusters, known, strict=True) if kept])
    sums = Sums.of(column[known][:, None], units).sums
    n_units = int((sums != 0).sum())
    p = float(flip_p(sums, Flips(units.n, seed))[0])
    return FlipTest(p, Flips(n_units).exact, units.kind, n_units)


def flip_p(sums: Floats, flips: Flips, as_far: NDArray[np.int64] | None = None) -> Floats:
    """The p of each column of unit sums by itself: exact where few of its sums are not 0.

    `as_far` are the counts of `tails`, where they are known already.
    """
    few = [j for j in range(sums.shape[1]) if Flips(int((sums[:, j] != 0).sum())).exact]
    if as_far is None:
        as_far = np.zeros(sums.shape[1], np.int64)
        rest = np.setdiff1d(np.arange(sums.shape[1]), few)
        as_far[rest] = tails(sums[:, rest], flips)[0] if len(rest) else 0
    p = flips.share(as_far)
    for j in few:
        some = sums[sums[:, j] != 0, j : j + 1]
        own = Flips(len(some))
        p[j] = own.share(tails(some, own)[0][0])
    return p
