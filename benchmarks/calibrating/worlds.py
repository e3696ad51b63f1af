"""Worlds: documents of even or uneven size, questions that go together, strategies that nearly do.

A question's latent ease is the sum of the document's, its own, and how well a strategy
takes to the document and to the question; all of them are normal. What is seen is a
share in 0..1, a hit or a miss, or hits and misses that are the same for all strategies
but on some of the questions. The true mean of each strategy is known exactly.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from seamline.compare.bootstrap import standard_error, unit_totals

Floats = NDArray[np.float64]

NORMAL = NormalDist()
OWN = {"ties": 0.15, "rare": 0.03}  # the share of questions on which strategies go their own way
EASE = {"easy": 2.2}  # the latent mean: 93 % hits; of the others 0.6, 66 %
SD_DOCUMENT, SD_QUESTION, SD_TASTE, SD_REST = 0.6, 1.0, 0.4, 0.7
SD = math.sqrt(SD_DOCUMENT**2 + SD_QUESTION**2 + SD_TASTE**2 + SD_REST**2)
EACH = 6  # questions of a document, in the mean
KINDS = {
    "shares": "shares in 0..1",
    "hits": "hits and misses, 66 % hits",
    "easy": "hits and misses, 93 % hits",
    "ties": "hits and misses, at least 85 % the same for all",
    "rare": "hits and misses, at least 97 % the same for all",
}


@dataclass(frozen=True)
class World:
    """So many documents of 6 questions in the mean, and a strategy for each of `shifts`."""

    kind: str
    n_documents: int
    shifts: tuple[float, ...]
    even: bool = False

    @property
    def documents(self) -> str:
        """How many, and of what size."""
        return f"{self.n_documents}, {'even' if self.even else 'uneven'}"

    @classmethod
    def alike(cls, kind: str, n_documents: int, n: int, *, even: bool = False) -> World:
        """One in which all of `n` strategies are equally good."""
        return cls(kind, n_documents, (0.0,) * n, even)

    @property
    def names(self) -> list[str]:
        """The strategies by number."""
        return [f"s{i:02}" for i in range(len(self.shifts))]

    @property
    def rng(self) -> np.random.Generator:
        """Random numbers of its own, the same each time."""
        return np.random.default_rng(zlib.crc32(repr(self).encode()))

    @property
    def truth(self) -> dict[str, float]:
        """What the mean of each strategy tends to."""
        ease, own = EASE.get(self.kind, 0.6), OWN.get(self.kind, 1.0)
        common = (1 - own) * _mean(self.kind, ease)
        means = (common + own * _mean(self.kind, ease + shift) for shift in self.shifts)
        return dict(zip(self.names, means, strict=True))

    def draw(self, rng: np.random.Generator) -> tuple[dict[str, Floats], list[str]]:
        """The values of each strategy, and the document of each question."""
        sizes = np.full(self.n_documents, EACH)
        if not self.even:
            sizes = rng.geometric(1 / EACH, self.n_documents)
        codes = np.repeat(np.arange(self.n_documents), sizes)
        table = self._table(codes, rng)
        return dict(zip(self.names, table.T, strict=True)), [f"d{code:04}" for code in codes]

    def _table(self, codes: NDArray[np.intp], rng: np.random.Generator) -> Floats:
        n, m = len(codes), len(self.shifts)
        common = EASE.get(self.kind, 0.6) + rng.normal(0, SD_DOCUMENT, self.n_documents)[codes]
        common = (common + rng.normal(0, SD_QUESTION, n))[:, None]
        taste = rng.normal(0, SD_TASTE, (self.n_documents, m + 1))[codes]
        latent = common + taste + rng.normal(0, SD_REST, (n, m + 1))
        own = latent[:, :m] + np.array(self.shifts)
        if self.kind in OWN:
            own = np.where(rng.random((n, m)) < OWN[self.kind], own, latent[:, m:])
        return np.clip(0.5 + 0.25 * own, 0, 1) if self.kind == "shares" else (own > 0) * 1.0

    def noise(self) -> tuple[float, float]:
        """Standard deviation of the paired difference of the first two, and its design effect."""
        values, documents = replace(self, n_documents=3000).draw(np.random.default_rng(0))
        difference = values["s01"] - values["s00"]
        codes = np.unique(documents, return_inverse=True)[1]
        sums, counts = unit_totals(difference[:, None], codes)
        error, sd = standard_error(sums[:, 0], counts[:, 0]), float(difference.std())
        return sd, error**2 * len(difference) / sd**2


def apart(world: World, difference: float) -> World:
    """`world` with its last strategy so much worse than its first in truth."""
    low, high = -8.0, 0.0
    for _ in range(60):
        middle = (low + high) / 2
        moved = replace(world, shifts=(*world.shifts[:-1], middle))
        truth = list(moved.truth.values())
        low, high = (middle, high) if truth[0] - truth[-1] > difference else (low, middle)
    return moved


def _mean(kind: str, ease: float) -> float:
    """What the mean of the values tends to where the latent mean is `ease`."""
    if kind != "shares":
        return NORMAL.cdf(ease / SD)
    # E[min(max(x, 0), 1)] of a normal x: E[(x)+] - E[(x - 1)+]
    mean, sd = 0.5 + 0.25 * ease, 0.25 * SD
    return _above(mean, sd) - _above(mean - 1, sd)


def _above(mean: float, sd: float) -> float:
    return mean * NORMAL.cdf(mean / sd) + sd * NORMAL.pdf(mean / sd)
