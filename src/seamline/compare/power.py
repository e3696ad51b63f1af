"""How small a difference can be seen, and how many questions would show one."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig

__all__ = ["detectable", "detectable_at", "questions_needed"]

POWER = 0.8
"""How often a difference that can be detected is."""

_NORMAL = NormalDist()


def reach(power: float, alpha: float = 1.0) -> float:
    """How many standard errors a true difference must be to be seen in `power` of the cases.

    The test's own part is that of `alpha`, two-sided; without one it is left out.
    """
    if not (0 < alpha <= 1 and 0 < power < 1):
        raise InvalidConfig(
            f"power and alpha must lie between 0 and 1, got power={power} and alpha={alpha}"
        )
    return _NORMAL.inv_cdf(1 - alpha / 2) + _NORMAL.inv_cdf(power)


def detectable(
    sd: float, deff: float, n: int, *, power: float = POWER, alpha: float = 0.05
) -> float:
    """The smallest true difference that `n` questions show in `power` of the cases.

    `sd` is the standard deviation of the paired differences, `deff` the design
    effect: how much more their mean varies than that of as many independent
    questions, since questions of one document go together.

    Raises:
        InvalidConfig: no questions, a negative deviation, or a power or alpha outside 0..1.

    Source: Card et al., With Little Power Comes Great Responsibility (2020); Kish,
    Survey Sampling (1965).

    Example:
        >>> round(detectable(0.5, 1.5, 100), 3)  # (1.960 + 0.842) × 0.5 × root(1.5 / 100)
        0.172
    """
    _check(sd, deff)
    if n < 1:
        raise InvalidConfig(f"there must be at least one question, got n={n}")
    return reach(power, alpha) * sd * math.sqrt(deff / n)


def questions_needed(
    sd: float, deff: float, difference: float, *, power: float = POWER, alpha: float = 0.05
) -> int:
    """How many questions show a true `difference` in `power` of the cases; as `detectable`.

    Raises:
        InvalidConfig: a difference of 0, which no number of questions shows, or as `detectable`.

    Example:
        >>> questions_needed(0.5, 1.5, 0.05)  # (2.802 × 0.5 / 0.05)² × 1.5
        1178
    """
    _check(sd, deff)
    if not difference:
        raise InvalidConfig("difference must not be 0: no number of questions shows none")
    return max(1, math.ceil((reach(power, alpha) * sd / difference) ** 2 * deff))


def _check(sd: float, deff: float) -> None:
    if not (sd >= 0 and deff > 0):
        raise InvalidConfig(f"sd must be at least 0 and deff above 0, got sd={sd} and deff={deff}")


def detectable_at(error: float, critical: float, counts: NDArray[np.float64]) -> float | None:
    """The smallest true difference that a sign-flip test shows in 80 % of the cases.

    `error` is the standard error of the mean difference, `critical` the |t| that is not
    significant yet (at least the 1.96 of one test of many units), `counts` how many
    questions each unit has. None where so few units hold nearly all questions that no
    difference can be shown.

    Example:
        >>> round(
        ...     detectable_at(0.01, 1.9, np.ones(20)), 4
        ... )  # (1.96 / root(1 - 1.96²/20) + .84) × .01
        0.0302
    """
    critical = max(critical, reach(0.5, 0.05))
    room = 1 - critical**2 * float((counts**2).sum() / counts.sum() ** 2)
    return (critical / math.sqrt(room) + reach(POWER)) * error if room > 0 else None
