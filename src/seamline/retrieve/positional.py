"""Words that stand near a chunk count for it too: term counts spread over a section."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.retrieve.places import Neighbours

__all__ = ["Spread", "spread_counts", "spread_lengths"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Counts with those of neighbours, a row a pair of term and text: by term."""

    term: Ints
    text: Ints
    count: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Counts in the order of the neighbours' line, with their running sums."""

    key: Ints
    plain: Floats
    moment: Floats


def spread_lengths(lengths: NDArray[np.float32], near: Neighbours) -> Floats:
    """float64[n]: the terms of each text and, by nearness, those of its neighbours."""
    spread = near.weighted(lengths.astype(np.float64)[near.order])
    return np.asarray(spread[near.rank])


def spread_counts(term: Ints, text: Ints, count: Floats, near: Neighbours) -> Spread:
    """The counts of each term in all texts that hold it or have a neighbour that does.

    A neighbour's count is added times 1 - distance / reach. Rows of one term must
    stand together. Cost: linear in the rows given and those that come out.

    Source: Lv and Zhai, Positional Language Models (2009), for counts that travel.
    """
    n = len(near.order)
    place = near.rank[text]
    order = np.lexsort((place, term))
    term, place, count = term[order], place[order], count[order].astype(np.float64)
    centre = near.centre[place]
    line = _Line(term * n + place, _running(count), _running(count * centre))
    own_term, at = _reached(term * n + near.low[place], term * n + near.high[place], n)
    base = own_term * n
    low, here, high = (
        np.searchsorted(line.key, base + edge) for edge in (near.low[at], at + 1, near.high[at])
    )
    spread = near.tents(
        near.centre[at],
        [part[here] - part[low] for part in (line.plain, line.moment)],
        [part[high] - part[here] for part in (line.plain, line.moment)],
    )
    return Spread(own_term, near.order[at], spread)


def _reached(start: Ints, end: Ints, n: int) -> tuple[Ints, Ints]:
    """Terms and places in the union of the ranges [start, end) of codes term * n + place.

    Starts and ends never decrease.
    """
    before = np.concatenate((start[:1], end[:-1]))
    start = np.maximum(start, before)
    counts = np.maximum(end - start, 0)
    code = np.repeat(start - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    term, place = np.divmod(code, max(n, 1))
    return term, place


def _running(values: Floats) -> Floats:
    return np.concatenate(([0.0], np.cumsum(values)))
