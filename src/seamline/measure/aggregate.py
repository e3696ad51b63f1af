"""From values a question to one number, without averaging what does not exist."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from seamline.errors import InvalidConfig

__all__ = ["Mean", "aggregate", "curve", "mean_of"]


class Mean(NamedTuple):
    """A mean and how many values it is of; NaN and 0 where there are none."""

    mean: float
    n: int


def mean_of(values: ArrayLike) -> Mean:
    """The mean of the values that are not NaN.

    Example:
        >>> mean_of([1.0, float("nan"), 0.5])
        Mean(mean=0.75, n=2)
    """
    array = np.asarray(values, dtype=np.float64)
    known = array[~np.isnan(array)]
    return Mean(float(known.mean()) if len(known) else float("nan"), len(known))


def aggregate(
    values: ArrayLike, groups: Sequence[str] | Sequence[Iterable[str]]
) -> dict[str, Mean]:
    """The mean of each group, in order of first appearance.

    `groups` has a label (a document) or several (tags) for each value. NaN is
    never averaged; a group of nothing else has the mean NaN of 0 values.

    Raises:
        InvalidConfig: there are not as many groups as values.

    Example:
        >>> aggregate([1.0, 0.0, float("nan")], [["table"], ["table", "faq"], ["code"]])["table"]
        Mean(mean=0.5, n=2)
    """
    array = np.asarray(values, dtype=np.float64)
    if len(array) != len(groups):
        raise InvalidConfig(f"each value needs its group, got {len(array)} and {len(groups)}")
    rows: dict[str, list[int]] = {}
    for i, labels in enumerate(groups):
        for label in (labels,) if isinstance(labels, str) else labels:
            rows.setdefault(label, []).append(i)
    return {label: mean_of(array[indices]) for label, indices in rows.items()}


def curve(budgets: Sequence[int], values: ArrayLike) -> float:
    """The area under values over the logarithm of the token budget, as a mean height.

    Trapezoids between log budgets, divided by log(last / first): a constant
    curve has its own height as area, and every doubling of the budget weighs
    alike. NaN where any value is NaN.

    Raises:
        InvalidConfig: fewer than two budgets, budgets that are not positive and
            increasing, or a number of values that differs.

    Example:
        >>> # heights (0.2 + 0.6) / 2 over one doubling, (0.6 + 1.0) / 2 over two
        >>> round(curve([250, 500, 2000], [0.2, 0.6, 1.0]), 6)  # (0.4 * 1 + 0.8 * 2) / 3
        0.666667
    """
    if len(budgets) < 2 or budgets[0] <= 0 or any(a >= b for a, b in pairwise(budgets)):
        raise InvalidConfig(
            f"a curve needs two or more budgets, positive and increasing, got {list(budgets)}"
        )
    logs = np.log(np.asarray(budgets, dtype=np.float64))
    heights = np.asarray(values, dtype=np.float64)
    if heights.shape != logs.shape:
        raise InvalidConfig(
            f"each budget needs a value, got {len(logs)} budgets and values of shape "
            f"{heights.shape}"
        )
    between = (heights[:-1] + heights[1:]) / 2
    return float((np.diff(logs) * between).sum() / (logs[-1] - logs[0]))
