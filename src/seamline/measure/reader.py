"""Measures of what reaches the reader: its cost, and how sure the retriever was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from seamline.errors import InvalidConfig
from seamline.measure.base import Measure
from seamline.measure.context import Facts

__all__ = ["Similarity", "Tokens", "share_under"]


@dataclass(frozen=True, slots=True)
class Tokens(Measure):
    """Tokens handed to the reader, 0 or more; text shown twice is paid twice."""

    name: ClassVar[str] = "Tokens"
    about: ClassVar[str] = "tokens handed to the reader"
    range: ClassVar[str] = "0 or more"
    lower_is_better: ClassVar[bool] = True

    def value(self, facts: Facts) -> float:
        return float(facts.tokens)


@dataclass(frozen=True, slots=True)
class Similarity(Measure):
    """The score of the first piece, -1 to 1 where scores are cosines; 0 where nothing was shown.

    It says nothing about gold: `share_under` tells how many questions a filter
    on similarity would answer with a fallback.

    Raises:
        InvalidConfig: the cutoff is not 1.
    """

    name: ClassVar[str] = "Similarity"
    about: ClassVar[str] = "score of the first piece (its cosine to the question)"
    range: ClassVar[str] = "-1 to 1"

    def __post_init__(self) -> None:
        if self.cutoff.at != 1 or self.cutoff.in_tokens:
            raise InvalidConfig(
                f"Similarity looks at the first piece only, got @{self.cutoff}: use Similarity@1"
            )

    def value(self, facts: Facts) -> float:
        return facts.top_score


def share_under(values: Sequence[float], threshold: float = 0.75) -> float:
    """Share of the values below `threshold`, 0 to 1; NaN ones left out, NaN where none is left.

    Example:
        >>> share_under([0.9, 0.5, float("nan")])
        0.5
    """
    array = np.asarray(values, dtype=np.float64)
    array = array[~np.isnan(array)]
    return float(np.mean(array < threshold)) if len(array) else float("nan")
