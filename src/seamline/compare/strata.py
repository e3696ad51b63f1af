"""Whether a comparison holds in each kind of question and of document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.compare.choose import FEWEST_ASKED
from seamline.compare.comparison import compare_one
from seamline.compare.paired import table_of
from seamline.compare.verdict import Comparison, Rules
from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import suggest

__all__ = ["Stratum", "strata", "worst_stratum"]


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the questions, and the comparison within it.

    `supported` is False where it has fewer than ten documents or fifteen questions:
    nothing can be claimed about other documents of this kind then.
    """

    label: str
    comparison: Comparison
    supported: bool


def strata(
    values: Mapping[str, ArrayLike],
    clusters: Sequence[str],
    groups: Sequence[Sequence[str]],
    *,
    name: str,
    to: str,
    seed: int = 0,
    margin: float = 0.02,
    lower_is_better: bool = False,
) -> list[Stratum]:
    """`name` against `to` within each label of `groups`, by label.

    `groups` gives the labels of each question: its tags (a question may have several or
    none), or one, as its document's kind. Each stratum is compared by itself; its p is
    corrected for looking into all of them (Bonferroni). They are exploratory: the question
    that was asked is the one about all.

    Raises:
        UnknownName: `to` or `name` is no strategy.
        InvalidConfig: not the labels of each question.

    Example:
        >>> groups = [["table"], ["prose"], ["table", "prose"]]
        >>> values = {"a": [1.0, 0.0, 1.0], "b": [0.0, 0.0, 0.0]}
        >>> [(s.label, s.comparison.mean) for s in strata(values, "xyz", groups, name="a", to="b")]
        [('prose', 0.5), ('table', 1.0)]
    """
    if len(groups) != len(clusters):
        raise InvalidConfig(
            f"every question must have its labels, got {len(groups)} for {len(clusters)} questions"
        )
    for one in (name, to):
        if one not in values:
            raise UnknownName(f"no strategy {one!r} to compare; {suggest(one, values)}")
    table = table_of({key: values[key] for key in (name, to)}, clusters)
    rules = Rules.of(table, margin=margin, lower_is_better=lower_is_better)
    labels = sorted({label for own in groups for label in own})
    documents = np.asarray(list(clusters), dtype=str)
    out = []
    for label in labels:
        rows = np.array([label in own for own in groups])
        found = compare_one(
            table[rows, 0] - table[rows, 1],
            documents[rows].tolist(),
            (name, to),
            rules,
            seed=seed,
            n_tests=len(labels),
        )
        enough = found.n_clusters >= FEWEST_CLUSTERS and found.n >= FEWEST_ASKED
        out.append(Stratum(label, found, enough))
    return out


def worst_stratum(found: Sequence[Stratum], *, lower_is_better: bool = False) -> Stratum | None:
    """The stratum in which `name` fares worst against `to`; None where none has a value."""
    measured = [one for one in found if one.comparison.mean is not None]
    sign = -1.0 if lower_is_better else 1.0
    return min(measured, key=lambda one: sign * (one.comparison.mean or 0.0), default=None)
