"""Sign flips: how far out a paired difference lies if the two sides were the same.

If two strategies do equally well, each document might as well have had their
names the other way round, which flips the sign of its whole sum of differences.
"""

from __future__ import annotations

import math
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
    "NullDistribution",
    "flip_test",
    "nulls_of",
    "scaled",
    "statistics",
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
        """The p of `n_as_far` patterns as far out; +1 for what was seen unless it is among them.

        Source: Phipson and Smyth, Permutation P-values Should Never Be Zero (2010).
        """
        return np.asarray((np.asarray(n_as_far) + self._seen) / (self.n + self._seen))

    def most(self, level: float) -> int:
        """How many patterns may be as far out for p to be at most `level`; -1 if none may."""
        return math.floor(level * (self.n + self._seen) + SAME) - self._seen

    @property
    def _seen(self) -> int:
        return 0 if self.exact else 1


@dataclass(frozen=True, slots=True, eq=False)
class NullDistribution:
    """The |t| of each sign pattern of `flips`, in increasing order.

    Example:
        >>> null = NullDistribution.of(np.array([1.0, 2.0, 2.0, 0.0]), Flips(2))
        >>> null.p(2.0).item(), null.critical(0.5)  # 2 of 4 patterns; beyond 1 it is at most that
        (0.5, 1.0)
    """

    values: Floats
    flips: Flips

    @classmethod
    def of(cls, values: Floats, flips: Flips) -> NullDistribution:
        """That of the values, one a pattern."""
        return cls(np.sort(values), flips)

    def p(self, t: ArrayLike) -> Floats:
        """The share of patterns, in 0..1, that lie as far out as each `t`; ties do."""
        below = np.searchsorted(self.values, np.asarray(t) - SAME, side="left")
        return self.flips.share(len(self.values) - below)

    def critical(self, level: float = 0.05) -> float:
        """The largest |t| whose p is above `level`: beyond it p is at most that."""
        n = self.flips.most(level)
        return float(self.values[-1 - n]) if n >= 0 else math.inf


def scaled(sums: Floats) -> Floats:
    """Columns of unit sums over the root of the sum of their squares, so that t is their sum.

    Flipping signs leaves the squares as they are. The usual t of unit sums,
    t / root((1 - t²/n) n/(n - 1)), grows with it, so the two give the same p.
    A column of zeros stays one.
    """
    root = np.sqrt((sums * sums).sum(axis=0))
    return np.asarray(sums / np.where(root > 0, root, 1.0))


def statistics(sums: Floats) -> Floats:
    """The |t| of each column of unit sums, from 0 to the root of how many are not 0."""
    return np.asarray(np.abs(scaled(sums).sum(axis=0)))


def nulls_of(sums: Floats, flips: Flips) -> list[NullDistribution]:
    """That of each column of unit sums by itself: exact where few of them are not 0."""
    few = [Flips(int(n)) for n in (sums != 0).sum(axis=0)]
    rest = [j for j, own in enumerate(few) if not own.exact]
    many = _moved(sums[:, rest], flips).T if rest else ()
    found = {j: NullDistribution.of(t, flips) for j, t in zip(rest, many, strict=True)}
    for j, own in enumerate(few):
        if own.exact:
            some = sums[sums[:, j] != 0, j : j + 1]
            found[j] = NullDistribution.of(_moved(some, own)[:, 0], own)
    return [found[j] for j in range(len(few))]


def _moved(sums: Floats, flips: Flips) -> Floats:
    """float64[patterns, columns]: the |t| of each column in each pattern."""
    unit = scaled(sums)
    return np.concatenate([np.abs(signs @ unit) for signs in flips.blocks()])


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

    Source: Fisher, The Design of Experiments (1935).

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
    p = float(nulls_of(sums, Flips(units.n, seed))[0].p(statistics(sums)[0]))
    return FlipTest(p, Flips(n_units).exact, units.kind, n_units)
