"""Floors held: the mean of a measure, or of the chunks' sizes, against what it must be."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from seamline.errors import InvalidConfig
from seamline.lock.compared import Aside
from seamline.lock.digest import Cuts
from seamline.lock.lock import LOCK_ANEW, Lock
from seamline.measure import parse_measure
from seamline.measure.floors import CHUNK_SIZE, Floors

__all__ = ["Held", "held_floors", "mean_size", "needs_locked"]

_SAME = 1e-9  # a mean as far as this below its floor is on it


@dataclass(frozen=True, slots=True)
class Held:
    """One floor: `value` must lie from `low` to `high` (None for no end); `locked` is what it was.

    `n` questions (or documents, of chunk sizes) were counted.
    """

    name: str
    value: float
    low: float | None
    high: float | None
    locked: float | None
    n: int

    @property
    def ok(self) -> bool:
        """Whether it is held; without a value it is not."""
        above = self.low is None or self.value >= self.low - _SAME
        below = self.high is None or self.value <= self.high + _SAME
        return bool(above and below and not np.isnan(self.value))


def needs_locked(floors: Floors, lock: Lock) -> None:
    """Nothing, unless a floor stands for a locked value that the lock does not have.

    Raises:
        InvalidConfig: one does; says how to lock it.
    """
    for name, number in floors:
        if number is None and name != CHUNK_SIZE and name not in lock.measures:
            raise InvalidConfig(
                f"the floor of {name} stands for its locked value, but the lock has none "
                f"({', '.join(lock.measures)}): give a number, or lock again with the floor in "
                f"seamline.toml: {LOCK_ANEW}"
            )


def held_floors(
    floors: Floors,
    lock: Lock,
    aside: Aside,
    values: Mapping[str, Mapping[str, float]],
    cuts: Mapping[str, Cuts],
) -> list[Held]:
    """Each floor with its value now.

    `values` are by measure and question. A floor that is a number counts every
    question (or document) of today, one that stands for what was locked only those
    that can be compared. Of a measure that is better lower the floor is a ceiling.
    """
    return [
        _held_size(number, floors.tolerance, lock, aside, cuts)
        if name == CHUNK_SIZE
        else _held(name, number, floors.tolerance, lock, aside, values[name])
        for name, number in floors
    ]


def _held(
    name: str,
    number: float | None,
    tolerance: float,
    lock: Lock,
    aside: Aside,
    values: Mapping[str, float],
) -> Held:
    measure, locked = parse_measure(name), None
    own = list(values.values())
    if number is None:
        was = [_number(lock.questions[id_].values[lock.measures.index(name)]) for id_ in aside.kept]
        now = [values[id_] for id_ in aside.kept]
        both = [(a, b) for a, b in zip(was, now, strict=True) if not np.isnan(a + b)]
        locked = _mean([a for a, _ in both])
        own = [b for _, b in both]
        room = tolerance if measure.range.endswith("to 1") else tolerance * abs(locked)
        number = locked + room if measure.lower_is_better else locked - room
    low, high = (None, number) if measure.lower_is_better else (number, None)
    own = [value for value in own if not np.isnan(value)]
    return Held(name, _mean(own), low, high, locked, len(own))


def _held_size(
    number: float | None, tolerance: float, lock: Lock, aside: Aside, cuts: Mapping[str, Cuts]
) -> Held:
    ids = list(cuts) if number is not None else list(aside.same)
    value = mean_size([cuts[id_] for id_ in ids])
    locked = None
    if number is None:
        rows = [lock.documents[id_] for id_ in ids]
        locked = _share(sum(row.chunk_tokens for row in rows), sum(len(row.spans) for row in rows))
        number = locked
    return Held(
        CHUNK_SIZE, value, number * (1 - tolerance), number * (1 + tolerance), locked, len(ids)
    )


def mean_size(cuts: Collection[Cuts]) -> float:
    """The mean size of a chunk in tokens; NaN where there is none."""
    return _share(sum(one.tokens for one in cuts), sum(len(one.spans) for one in cuts))


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")


def _mean(values: list[float]) -> float:
    return _share(sum(values), len(values))
