"""Intervals of differences, with documents or questions drawn again inside each set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seamline.compare.bootstrap import FEWEST_CLUSTERS

Values = NDArray[np.float64]


def macro_interval(
    differences: Mapping[str, Values],
    clusters: Mapping[str, Sequence[str]],
    *,
    seed: int = 0,
    n_resamples: int = 2000,
) -> tuple[float, float]:
    """The 95 % interval of the mean over sets of each set's mean difference.

    `differences` and `clusters` hold a value and a document a question, by set. Whole
    documents are drawn again, in sets of fewer than ten of them questions. The sets are
    fixed: the interval holds for new documents of the larger sets, and for new questions
    on the documents of the small ones.

    Example:
        >>> same = {"a": np.array([0.5, 0.5, 0.5])}
        >>> macro_interval(same, {"a": ["x", "x", "y"]})
        (0.5, 0.5)
    """
    rng = np.random.default_rng(seed)
    means = [
        _resampled(values, clusters[name], rng, n_resamples) for name, values in differences.items()
    ]
    low, high = np.quantile(np.mean(means, axis=0), [0.025, 0.975])
    return float(low), float(high)


def _resampled(
    values: Values, clusters: Sequence[str], rng: np.random.Generator, n_resamples: int
) -> Values:
    """float64[n_resamples]: the mean of the values drawn again, by document or one by one."""
    codes = np.unique(np.asarray(clusters), return_inverse=True)[1].reshape(-1)
    if codes.max(initial=0) + 1 < FEWEST_CLUSTERS:
        codes = np.arange(len(values))
    sums, counts = np.bincount(codes, values), np.bincount(codes)
    drawn = rng.integers(0, len(sums), (n_resamples, len(sums)))
    means: Values = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    return means
