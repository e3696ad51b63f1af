"""What a comparison comes to, in one of five words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig

__all__ = ["ALPHA", "Comparison", "Rules", "Verdict", "verdict_of"]

ALPHA = 0.05
"""The rate of false alarms, of all comparisons of a family together."""

Floats = NDArray[np.float64]
Verdict = Literal["BETTER", "WORSE", "EQUIVALENT", "NOT SEPARABLE", "UNRESOLVABLE"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paired difference `name` minus `to`, what is certain about it, and what is not.

    `low` to `high` is the 95 % interval of this difference alone, and `interval` says
    what it rests on: `cluster-flip` (documents: it holds for new ones of this kind),
    `question-flip` and `wilson` (questions on these documents); `low_all` to `high_all`
    holds for all of the family at once. `p` is that of the sign-flip test, `p_adjusted`
    what is left of it after the others. None where there is none: no question, or an
    interval without end.
    `detectable` is the true difference that would be seen in 80 % of the cases,
    `n_needed` how many questions like these would show the difference found. `n`
    questions of `n_clusters` documents were compared, and `n_different` of them differ;
    `unit` (document or question) was flipped.
    """

    name: str
    to: str
    mean: float | None
    low: float | None
    high: float | None
    interval: str | None
    low_all: float | None
    high_all: float | None
    p: float
    p_adjusted: float
    verdict: Verdict
    detectable: float | None
    n: int
    n_clusters: int
    n_different: int
    n_needed: int | None
    unit: str

    @property
    def wider(self) -> bool:
        """Whether it is BETTER or WORSE though the interval for all at once holds 0.

        The interval promises more than the test: it allows for all pairs where the test
        goes step by step, and reaches further where few questions differ.
        """
        if self.verdict not in ("BETTER", "WORSE") or self.low_all is None or self.high_all is None:
            return False
        return self.low_all <= 0 <= self.high_all


@dataclass(frozen=True, slots=True)
class Rules:
    """What a verdict is measured by; `shares` says that all values lie in 0..1."""

    margin: float
    lower_is_better: bool
    shares: bool

    @classmethod
    def of(cls, table: Floats, *, margin: float, lower_is_better: bool) -> Rules:
        """The rules for these values.

        Raises:
            InvalidConfig: the margin is negative or no number.
        """
        if not 0 <= margin < math.inf:
            raise InvalidConfig(f"margin must be at least 0 and finite, got {margin}")
        known = table[~np.isnan(table)]
        return cls(margin, lower_is_better, bool(((known >= 0) & (known <= 1)).all()))


def verdict_of(
    mean: float | None,
    interval: tuple[float | None, float | None],
    *,
    p: float,
    least_p: float,
    rules: Rules,
) -> Verdict:
    """The word for a difference; `p` and `interval` are corrected for the family.

    EQUIVALENT comes first: the whole interval lies within the margin, so whatever
    difference there is does not matter (two one-sided tests). BETTER and WORSE are
    significant. Without either, UNRESOLVABLE says that no outcome could have been
    (`least_p`, that of all differences with one sign), NOT SEPARABLE that this one is not.

    Source: Schuirmann, A Comparison of the Two One-Sided Tests Procedure (1987).

    Example:
        >>> rules = Rules(margin=0.02, lower_is_better=False, shares=True)
        >>> verdict_of(0.01, (-0.03, 0.05), p=0.6, least_p=0.001, rules=rules)
        'NOT SEPARABLE'
    """
    low, high = interval
    if low is not None and high is not None and max(-low, high) <= rules.margin:
        return "EQUIVALENT"
    if mean is not None and p <= ALPHA:
        return "BETTER" if (mean < 0) == rules.lower_is_better else "WORSE"
    return "NOT SEPARABLE" if least_p <= ALPHA else "UNRESOLVABLE"
