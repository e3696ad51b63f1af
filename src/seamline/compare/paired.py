"""Paired differences, added up by the unit that is flipped or drawn again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.bootstrap import FEWEST_CLUSTERS, unit_totals
from seamline.errors import InvalidConfig

__all__ = ["SAME", "Sums", "Units", "table_of"]

SAME = 1e-9
"""Values closer than this are one value: what is left of them is rounding."""

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What is flipped or drawn again: `codes` gives each question's, from 0.

    Documents, or the questions themselves where fewer than ten documents have
    any; `kind` says which, `documents` is how many documents there are.
    """

    codes: Codes
    n: int
    kind: str
    documents: int

    @classmethod
    def of(cls, clusters: Sequence[str]) -> Units:
        """The units of questions about these documents.

        Example:
            >>> Units.of(["a", "b", "b"]).kind
            'question'
        """
        names, codes = np.unique(np.asarray(list(clusters), dtype=str), return_inverse=True)
        if len(names) < FEWEST_CLUSTERS:
            return cls(np.arange(len(clusters)), len(clusters), "question", len(names))
        return cls(codes.reshape(-1), len(names), "document", len(names))


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """Sum and number of the values of each unit, both float64[units, columns]."""

    sums: Floats
    counts: Floats

    @classmethod
    def of(cls, values: Floats, units: Units) -> Sums:
        """The sums of the columns of `values`; NaN is no value. Rounding counts as zero."""
        sums, counts = unit_totals(values, units.codes)
        sums[np.abs(sums) < SAME] = 0.0
        return cls(sums, counts)

    @property
    def means(self) -> Floats:
        """The mean of each column, NaN where it has no value."""
        n = self.counts.sum(axis=0)
        return np.where(n > 0, self.sums.sum(axis=0) / np.maximum(n, 1), np.nan)


def table_of(values: Mapping[str, ArrayLike], clusters: Sequence[str]) -> Floats:
    """float64[questions, strategies]: the values of each strategy, checked.

    Raises:
        InvalidConfig: no strategies, not one value a question, or infinite values.
    """
    if not values:
        raise InvalidConfig("there must be at least one strategy to compare, got none")
    return np.column_stack([_column(name, one, len(clusters)) for name, one in values.items()])


def _column(name: str, values: Any, n: int) -> Floats:
    column = np.asarray(values, dtype=np.float64)
    if column.shape != (n,):
        raise InvalidConfig(
            f"there must be one value a question, got values of shape {column.shape} for "
            f"{name!r} and {n} questions with a document"
        )
    if np.isinf(column).any():
        raise InvalidConfig(f"values must be finite or NaN, got an infinite one for {name!r}")
    return column
