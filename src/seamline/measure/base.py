"""What a measure is: a small value whose name parses back."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from seamline.errors import InvalidConfig
from seamline.measure.context import Facts, Gold, Shown, facts_of

__all__ = ["LARGEST", "Cutoff", "Measure"]

LARGEST = 2**31 - 1
"""The largest cutoff: ranks and tokens are counted in 32 bits."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """How far down a ranking a measure looks: `@5` (pieces) or `@1000t` (tokens).

    Raises:
        InvalidConfig: `at` is no whole number from 1 to `LARGEST`.

    Example:
        >>> str(Cutoff(1000, in_tokens=True))
        '1000t'
    """

    at: int
    in_tokens: bool = False

    def __post_init__(self) -> None:
        if type(self.at) is not int or not 1 <= self.at <= LARGEST:
            raise InvalidConfig(
                f"a cutoff must be at least 1 and at most {LARGEST}, got {self.at!r}"
            )

    def __str__(self) -> str:
        return f"{self.at}t" if self.in_tokens else str(self.at)

    @property
    def k(self) -> int | None:
        """How many pieces count, None for all: a token budget was already spent by the caller."""
        return None if self.in_tokens else self.at


@dataclass(frozen=True, slots=True)
class Measure(ABC):
    """A number for one question from its gold and what was shown.

    At a cutoff of k pieces the first k count. At a token budget the caller
    hands over what fits the budget, its last piece already cut short, and all
    of it counts.
    """

    cutoff: Cutoff
    name: ClassVar[str]
    about: ClassVar[str]
    range: ClassVar[str] = "0 to 1"
    lower_is_better: ClassVar[bool] = False

    def __str__(self) -> str:
        return f"{self.name}@{self.cutoff}"

    def score(self, gold: Gold, shown: Shown) -> float:
        """The measure of one question; NaN where it has no gold, and only there."""
        if not gold.slots:
            return math.nan
        return self.value(facts_of(gold, shown, self.cutoff.k))

    @abstractmethod
    def value(self, facts: Facts) -> float:
        """The measure from the facts at its cutoff."""
