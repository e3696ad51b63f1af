"""Who can be dropped early: what would look as bad as this if it were close to the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.bootstrap import unit_totals
from seamline.compare.paired import SAME, table_of
from seamline.compare.randomization import Flips

__all__ = ["p_if_close"]

Floats = NDArray[np.float64]


def p_if_close(
    values: Mapping[str, ArrayLike],
    clusters: Sequence[str],
    *,
    margin: float = 0.0,
    seed: int = 0,
    lower_is_better: bool = False,
) -> dict[str, float]:
    """For each name the probability, in 0..1, of so bad a showing if it were close to the best.

    Close is at most `margin` worse on average. `values` (float64[q] by name) are paired by
    question, NaN drops out of its pair; `clusters` names each question's document. The sign of
    a document's whole sum of differences less the margin is flipped, that of all opponents
    together, and the furthest of them counts (one-sided max-T). So any one configuration that
    is close to the best, such as the cheapest of those, is dropped at `p <= level` with a
    probability of at most `level`, however many there are: its family are its own opponents.
    The unit is always the document: with C of them p is at least 2^-C, and with fewer than
    five nothing falls under 0.05. Who differs from nobody gets 1. Cost: O(names² * documents
    * patterns), at most 10,000 patterns or all of 2^C <= 20,000.

    Raises:
        InvalidConfig: no names, or not one value a question.

    Source: Westfall and Young, Resampling-Based Multiple Testing (1993), for max-T.

    Example:
        >>> scores = {"a": [1.0, 1.0, 1.0], "b": [0.0, 0.0, 0.0]}
        >>> p_if_close(scores, ["x", "y", "z"])  # b: 1 of the 8 sign patterns is as bad
        {'a': 1.0, 'b': 0.125}
    """
    table = table_of(values, clusters) * (-1 if lower_is_better else 1)
    names, codes = np.unique(np.asarray(list(clusters), dtype=str), return_inverse=True)
    scaled = [_scaled(table - table[:, [i]], codes.reshape(-1), margin) for i in range(len(values))]
    observed = [one.sum(axis=0).max(initial=-np.inf) - SAME for one in scaled]
    flips = Flips(len(names), seed)
    n_as_far = np.zeros(len(values), np.int64)
    for signs in flips.blocks():
        for i, one in enumerate(scaled):
            if one.shape[1]:
                n_as_far[i] += ((signs @ one).max(axis=1) >= observed[i]).sum()
            else:
                n_as_far[i] += len(signs)
    return dict(zip(values, flips.share(n_as_far).tolist(), strict=True))


def _scaled(differences: Floats, codes: NDArray[np.intp], margin: float) -> Floats:
    """Sums of each document and opponent, over the root of their squares, which no flip moves.

    The margin is taken off each difference. Opponents that do not differ are left out, and
    those that differ by the margin everywhere.
    """
    sums, counts = unit_totals(differences, codes)
    differ = (np.abs(sums) >= SAME).any(axis=0)
    sums -= margin * counts
    sums[np.abs(sums) < SAME] = 0.0
    scale = np.sqrt((sums * sums).sum(axis=0))
    kept = differ & (scale > 0)
    return np.asarray(sums[:, kept] / scale[kept])
