"""What the chosen strategy scores on documents that it was not chosen on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.compare.bootstrap import mean_intervals
from seamline.compare.paired import SAME, Sums, Units

__all__ = ["CrossFitted", "cross_fit", "within"]

N_SPLITS = 200
"""How often the documents are split in halves."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CrossFitted:
    """The score of choosing, free of what choosing the luckiest adds to it.

    `optimism` is by how much the chosen strategy's own mean flatters: that mean minus
    `mean`, or `mean` minus that where lower is better. None where there are too few
    questions to split.
    """

    mean: float | None
    low: float | None
    high: float | None
    method: str | None
    optimism: float | None


def within(means: Floats, by_cost: Sequence[int], margin: float) -> NDArray[np.intp]:
    """For each row of `means` the cheapest column not below the best by more than the margin."""
    order = np.asarray(by_cost)
    good = means[:, order] >= means.max(axis=1, keepdims=True) - margin - SAME
    return np.asarray(order[good.argmax(axis=1)])


def cross_fit(
    table: Floats,
    clusters: Sequence[str],
    by_cost: Sequence[int],
    *,
    chosen: int,
    margin: float,
    seed: int = 0,
    shares: bool = False,
) -> CrossFitted:
    """The mean over questions of what was chosen on the other half of the documents.

    `table` (float[questions, strategies], higher is better, no NaN) is split by
    document in halves 200 times, by question under ten documents. On each half the
    cheapest within the margin of the best is chosen and scores the other half, so
    that each question is scored once a split, never by a choice that saw its document.
    Half the documents choose less well than all, so the score is a little low.

    Source: Chernozhukov et al., Double/Debiased Machine Learning (2018), for splits
    repeated and averaged.
    """
    units = Units.of(clusters)
    if units.n < 4:
        return CrossFitted(None, None, None, None, None)
    rng = np.random.default_rng(seed)
    weights = _weights(Sums.of(table, units), by_cost, margin, rng)
    values = (table * weights[units.codes]).sum(axis=1)
    mean = float(values.mean())
    (found,) = mean_intervals(values[:, None], clusters, rng=rng, shares=shares)
    optimism = float(table[:, chosen].mean()) - mean
    return CrossFitted(mean, found.low, found.high, found.method, optimism)


def _weights(
    totals: Sums, by_cost: Sequence[int], margin: float, rng: np.random.Generator
) -> Floats:
    """float64[units, strategies]: how often each was chosen without each unit; rows sum to 1."""
    n, m = totals.sums.shape
    first = np.argsort(rng.random((N_SPLITS, n)), axis=1) < n // 2
    weights = np.zeros((n, m))
    for half in (first, ~first):
        own = half.astype(np.float64)
        means = own @ totals.sums / (own @ totals.counts)
        picked = np.zeros((N_SPLITS, m))
        picked[np.arange(N_SPLITS), within(means, by_cost, margin)] = 1.0
        weights += (1.0 - own).T @ picked
    return weights / N_SPLITS
