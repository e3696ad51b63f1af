"""The best way to join small atoms into units near a target size, by dynamic programming.

This module is compiled where a C compiler is at hand (`optimal.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

__all__ = ["optimal_units", "trim_spans"]

# What a unit under the target pays where its section begins or ends: others do not border it.
_EDGE = 0.7
# What it costs to part a heading from what follows it: more than any other cut.
_ORPHAN = 10.0


def trim_spans(text: str, starts: list[int], ends: list[int]) -> tuple[list[int], list[int]]:
    """The spans without the white space at their ends; blank ones are empty.

    Example:
        >>> trim_spans(" a b  ", [0, 3, 4], [3, 4, 6])
        ([1, 3, 6], [2, 4, 6])
    """
    lows: list[int] = []
    highs: list[int] = []
    for i in range(len(starts)):
        low, high = starts[i], ends[i]
        while low < high and text[low].isspace():
            low += 1
        while high > low and text[high - 1].isspace():
            high -= 1
        lows.append(low)
        highs.append(high)
    return lows, highs


def optimal_units(
    weights: Sequence[int],
    borders: Sequence[float],
    flags: Sequence[int],
    *,
    hangs: Sequence[int] = (),
    stiffness: float = 1.0,
    target: int,
    most: int,
    limit: int = 0,
) -> list[int]:
    """The indices of the atoms that begin a unit, increasing, the first of them 0.

    For n atoms: `weights` (int[n]) are their sizes, `borders` (float[n]) what a cut
    before each costs, `flags` (int[n]) 1 where a unit must begin (a section), 2 where
    the atom is a heading, 3 for both. The sum over all units of
    `((size - target) / target) ** 2` and of `stiffness` times the borders between them is
    least among units of at most `most`, what the unit's first atom hangs on included
    (`hangs`, int[n], nothing unless given); an atom over it stands alone, but for the
    headings above it where all are at most `limit`. Cost: linear in n for atoms that are
    not empty.

    Example:
        >>> optimal_units([40, 30, 30, 60], [0, 0.3, 0.3, 0.3], [1, 0, 0, 0], target=64, most=102)
        [0, 2]
    """
    hung = list(hangs) if hangs else [0] * len(weights)
    return _units(
        _whole(list(weights)),
        _real(list(borders)),
        _whole(list(flags)),
        _whole(hung),
        stiffness,
        target,
        max(most, 1),
        max(most, limit, 1),
    )


def _whole(values: list[int]) -> array[int]:
    made: array[int] = array("q", bytes(8 * len(values)))
    for i in range(len(values)):  # array(values) would parse each as an argument
        made[i] = values[i]
    return made


def _real(values: list[float]) -> array[float]:
    made: array[float] = array("d", bytes(8 * len(values)))
    for i in range(len(values)):
        made[i] = values[i]
    return made


def _units(  # noqa: C901 - one loop, as fast as it goes
    weights: array[int],
    borders: array[float],
    flags: array[int],
    hangs: array[int],
    stiffness: float,
    target: int,
    most: int,
    limit: int,
) -> list[int]:
    n = len(weights)
    # The least cost of everything before atom i, and where the unit before it begins.
    least: array[float] = array("d", bytes(8 * (n + 1)))
    came: array[int] = array("q", bytes(8 * (n + 1)))
    for end in range(1, n + 1):
        before = flags[end - 1]
        here = flags[end] if end < n else 1
        last = here & 1 == 1
        price = 0.0 if last else borders[end] * stiffness + _ORPHAN * (before >> 1)
        best, start, size, room = -1.0, end - 1, 0, limit
        while True:
            size += weights[start]
            if start < end - 1:
                if not flags[start] & 2:
                    room = most
                if size > room:
                    break
            here = flags[start] & 1 if start else 1
            if size + hangs[start] <= room or start == end - 1:
                off = (size - target) / target
                cost = off * off * (_EDGE if size < target and (last or here) else 1.0)
                cost += least[start] + price
                if best < 0 or cost < best:
                    best = cost
                    came[end] = start
            if here:
                break
            start -= 1
        least[end] = best
    starts: list[int] = []
    at = n
    while at > 0:
        at = came[at]
        starts.append(at)
    starts.reverse()
    return starts
