"""Arithmetic on sets of half-open spans, in plain sorted arrays.

A *span set* here is an int array of shape [n, 2]. `union` makes it canonical:
sorted, disjoint, not touching, no empty spans. All costs are O(n log n) or less.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["contains", "intersect", "length", "subtract", "union"]

SpanArray = NDArray[np.int64]


def _array(spans: Iterable[tuple[int, int]] | SpanArray) -> SpanArray:
    rows = spans if isinstance(spans, np.ndarray) else list(spans)
    return np.asarray(rows, dtype=np.int64).reshape(-1, 2)


def union(spans: Iterable[tuple[int, int]] | SpanArray) -> SpanArray:
    """int64[m, 2]: the same characters as sorted, disjoint spans.

    Touching spans are merged, empty ones dropped.

    Example:
        >>> union([(5, 9), (0, 3), (3, 4), (8, 10)]).tolist()
        [[0, 4], [5, 10]]
    """
    rows = _array(spans)
    rows = rows[rows[:, 1] > rows[:, 0]]
    if len(rows) < 2:
        return rows
    rows = rows[np.argsort(rows[:, 0], kind="stable")]
    reach = np.maximum.accumulate(rows[:, 1])
    first = np.concatenate(([True], rows[1:, 0] > reach[:-1]))
    last = np.concatenate((first[1:], [True]))
    return np.stack((rows[first, 0], reach[last]), axis=1)


def length(spans: Iterable[tuple[int, int]] | SpanArray) -> int:
    """Characters covered, each counted once.

    Example:
        >>> length([(0, 3), (2, 5)])
        5
    """
    rows = union(spans)
    return int((rows[:, 1] - rows[:, 0]).sum())


def intersect(
    a: Iterable[tuple[int, int]] | SpanArray, b: Iterable[tuple[int, int]] | SpanArray
) -> SpanArray:
    """int64[m, 2]: the characters in both sets, canonical.

    Example:
        >>> intersect([(0, 5), (8, 12)], [(3, 9)]).tolist()
        [[3, 5], [8, 9]]
    """
    left, right = union(a), union(b)
    if not len(left) or not len(right):
        return np.empty((0, 2), dtype=np.int64)
    # Every piece of an intersection starts at a start and ends at an end.
    lo = np.searchsorted(right[:, 1], left[:, 0], side="right")
    hi = np.searchsorted(right[:, 0], left[:, 1], side="left")
    counts = np.maximum(hi - lo, 0)
    rows = np.repeat(np.arange(len(left)), counts)
    offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    cols = lo[rows] + offsets
    starts = np.maximum(left[rows, 0], right[cols, 0])
    ends = np.minimum(left[rows, 1], right[cols, 1])
    return np.stack((starts, ends), axis=1)


def subtract(
    a: Iterable[tuple[int, int]] | SpanArray, b: Iterable[tuple[int, int]] | SpanArray
) -> SpanArray:
    """int64[m, 2]: the characters of `a` that are not in `b`, canonical.

    Example:
        >>> subtract([(0, 10)], [(2, 4), (9, 20)]).tolist()
        [[0, 2], [4, 9]]
    """
    left, right = union(a), union(b)
    if not len(left) or not len(right):
        return left
    edge = np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max])
    gaps = np.stack(
        (np.concatenate((edge[:1], right[:, 1])), np.concatenate((right[:, 0], edge[1:]))), axis=1
    )
    return intersect(left, gaps)


def contains(
    outer: Iterable[tuple[int, int]] | SpanArray, inner: Iterable[tuple[int, int]] | SpanArray
) -> bool:
    """Whether every character of `inner` is in `outer`.

    Example:
        >>> contains([(0, 4), (4, 9)], [(2, 6)])
        True
    """
    return len(subtract(inner, outer)) == 0
