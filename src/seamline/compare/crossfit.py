"""What the chosen strategy scores on documents that it was not chosen on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.compare.bootstrap import mean_intervals
from seamline.compare.paired import SAME, Sums, Units
from seamline.compare.verdict import Rules

__all__ = ["CrossFitted", "cross_fit", "within"]

N_SPLITS = 200
"""How often the documents are split in halves."""

FEWEST_SPLIT = 4
"""Fewer units have no two halves that say anything."""

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


def within(means: Floats, prices: Sequence[int], margin: float) -> NDArray[np.intp]:
    """For each row of `means` the cheapest column not below the best by more than the margin.

    `prices` rank the columns, equal prices alike; of equally cheap ones it is that of the
    best mean, and of those the first.

    Example:
        >>> within(np.array([[0.9, 0.89, 0.5], [0.9, 0.2, 0.5]]), [1, 0, 0], 0.02).tolist()
        [1, 0]
    """
    good = means >= means.max(axis=1, keepdims=True) - margin - SAME
    price = np.where(good, np.asarray(prices), np.inf)
    cheapest = price == price.min(axis=1, keepdims=True)
    return np.asarray(np.where(cheapest, np.round(means, 9), -np.inf).argmax(axis=1))


def cross_fit(
    table: Floats,
    clusters: Sequence[str],
    prices: Sequence[int],
    *,
    chosen: int,
    rules: Rules,
    seed: int = 0,
) -> CrossFitted:
    """The mean over questions of what was chosen on the other half of the documents.

    `table` (float[questions, strategies], no NaN, the columns in an order that has
    nothing to do with the values) is split by document in halves 200 times, by question
    under ten documents. On each half the cheapest within the margin of the best is chosen
    (see `within`) and scores the other half, so that each question is scored once a
    split, never by a choice that saw its document. Half the documents choose a little
    less well than all. The interval is about the strategy that was chosen on
    all: at the end where its own mean flatters, that of its own mean reaches; at the other
    the lower of that of the cross-fitted mean and as much as its own would be from there.

    Source: Chernozhukov et al., Double/Debiased Machine Learning (2018), for splits
    repeated and averaged.
    """
    units = Units.of(clusters)
    if units.n < FEWEST_SPLIT:
        return CrossFitted(None, None, None, None, None)
    rng = np.random.default_rng(seed)
    sign = -1.0 if rules.lower_is_better else 1.0
    totals = Sums.of(sign * table, units)
    weights = _weights(totals, prices, rules.margin, rng)
    values, own = (table * weights[units.codes]).sum(axis=1), table[:, chosen]
    mean, naive = float(values.mean()), float(own.mean())
    low, high, method = _ends(values, own, clusters, rng, rules)
    return CrossFitted(mean, low, high, method, sign * (naive - mean))


def _ends(
    values: Floats, own: Floats, clusters: Sequence[str], rng: np.random.Generator, rules: Rules
) -> tuple[float | None, float | None, str | None]:
    """The ends of the interval of the chosen strategy's true mean, and its method."""
    columns = np.column_stack([values, own])
    crossed, alone = mean_intervals(columns, clusters, rng=rng, shares=rules.shares)
    if crossed.low is None or crossed.high is None or alone.low is None or alone.high is None:
        one = alone if crossed.low is None else crossed
        return one.low, one.high, one.method
    shift = float(own.mean()) - float(values.mean())
    low, high = min(crossed.low, alone.low - shift), max(crossed.high, alone.high)
    if rules.lower_is_better:
        low, high = min(crossed.low, alone.low), max(crossed.high, alone.high - shift)
    floor, ceiling = (0.0, 1.0) if rules.shares else (-math.inf, math.inf)
    return max(low, floor), min(high, ceiling), crossed.method


def _weights(
    totals: Sums, prices: Sequence[int], margin: float, rng: np.random.Generator
) -> Floats:
    """float64[units, strategies]: how often each was chosen without each unit; rows sum to 1."""
    n, m = totals.sums.shape
    first = np.argsort(rng.random((N_SPLITS, n)), axis=1) < n // 2
    weights = np.zeros((n, m))
    for half in (first, ~first):
        own = half.astype(np.float64)
        means = own @ totals.sums / (own @ totals.counts)
        picked = np.zeros((N_SPLITS, m))
        picked[np.arange(N_SPLITS), within(means, prices, margin)] = 1.0
        weights += (1.0 - own).T @ picked
    return weights / N_SPLITS
