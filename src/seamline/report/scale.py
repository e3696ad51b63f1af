"""From values to places on an axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Axis", "axis", "log_axis", "round_log_axis"]

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_TICKS = 6
_APART = 0.22  # of an axis, so that the texts of two ticks fit side by side on a phone
_SAME = 1e-6  # of its size, less than which no axis shows


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values with round ticks; `log` where equal ratios are equally far apart."""

    low: float
    high: float
    ticks: tuple[float, ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Where `value` lies, 0 at the low end and 1 at the high end; clipped to these."""
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log(low), math.log(high), math.log(value)
        return min(max((at - low) / (high - low), 0.0), 1.0)

    def percent(self, value: float) -> str:
        """The same as an SVG length.

        Example:
            >>> axis([0.0, 1.0]).percent(0.25)
            '25%'
        """
        return f"{100 * self.share(value):.2f}".rstrip("0").rstrip(".") + "%"


def axis(values: Iterable[float], *, low: float | None = None, high: float | None = None) -> Axis:
    """An axis from round number to round number that holds all values, `low` and `high`.

    Example:
        >>> axis([0.32, 0.93]).ticks
        (0.2, 0.4, 0.6, 0.8, 1.0)
    """
    known = [*values, *(edge for edge in (low, high) if edge is not None)] or [0.0, 1.0]
    first, last = min(known), max(known)
    if last - first < _SAME * max(1.0, abs(first), abs(last)):
        half = max(abs(first), 1.0) / 2
        first, last = first - half, last + half
    step = _step((last - first) / (_TICKS - 1))
    start, stop = math.floor(first / step + 1e-9), math.ceil(last / step - 1e-9)
    ticks = tuple(round(i * step, 10) for i in range(start, stop + 1))
    return Axis(ticks[0], ticks[-1], ticks)


def _step(least: float) -> float:
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in _STEPS if step * power >= least * (1 - 1e-9))


def log_axis(values: Iterable[float]) -> Axis:
    """A logarithmic axis from the least to the greatest value, which are its ticks."""
    ticks = tuple(sorted(set(values)))
    if len(ticks) == 1:
        ticks = (ticks[0], ticks[0] * 2)
    return Axis(ticks[0], ticks[-1], ticks, log=True)


def round_log_axis(values: Iterable[float]) -> Axis:
    """A logarithmic axis from round number to round number that holds all values above 0.

    The ticks are 1, 2 and 5 times powers of ten, left out where they would be close.

    Example:
        >>> round_log_axis([130.0, 900.0]).ticks
        (100.0, 200.0, 500.0, 1000.0)
    """
    known = [value for value in values if value > 0] or [1.0]
    first, last = min(known) * (1 + _SAME), max(known) * (1 - _SAME)
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 2)
    marks = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
    low = max(mark for mark in marks if mark <= first)
    high = min(mark for mark in marks if mark >= last and mark > low)
    whole = Axis(low, high, (low, high), log=True)
    ticks = [low]
    for mark in marks:
        if whole.share(mark) - whole.share(ticks[-1]) >= _APART <= 1 - whole.share(mark):
            ticks.append(mark)
    return Axis(low, high, (*ticks, high), log=True)
