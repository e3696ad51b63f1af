"""How far one ranking can go: for each question the best of all that was tried with it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from seamline.bench.schema import DiagnosisRow
from seamline.bench.score import Values
from seamline.measure import Measure, mean_of

__all__ = ["Explained", "with_ceilings"]


@dataclass(frozen=True, slots=True, eq=False)
class Explained:
    """Why questions failed under one configuration, as long as others are not known.

    `row` has no `oracle` and no `found_by_cuts` yet. `failed` are its questions, by number
    and id. `exact` (float64[q] by measure) is what questions score with their gold in place
    where that helps, `whole` names the measure that is 1 where the whole gold is shown.
    """

    row: DiagnosisRow
    failed: Mapping[int, str]
    exact: Mapping[str, Values]
    whole: str


def with_ceilings(
    explained: Sequence[Explained],
    measured: Mapping[str, Mapping[str, Values]],
    rankings: Mapping[str, Hashable],
    measures: Sequence[Measure],
) -> Iterator[DiagnosisRow]:
    """The finished rows of those that are explained.

    `measured` has the values of every configuration by spec, `rankings` how it ranks and
    shows. The ceiling of a measure is the mean of the best value of each question: of all
    that rank alike, as they are and `exact`. So none of them lies above it.
    """
    for one in explained:
        own = rankings[one.row["spec"]]
        alike = {spec: values for spec, values in measured.items() if rankings[spec] == own}
        exact = [other.exact for other in explained if other.row["spec"] in alike]
        yield {
            **one.row,
            "oracle": _ceiling([*alike.values(), *exact], measures),
            "found_by_cuts": dict(_finders(one, alike)),
        }


def _ceiling(
    tried: Sequence[Mapping[str, Values]], measures: Sequence[Measure]
) -> dict[str, float | None]:
    """By measure the mean of the best value of each question."""
    found: dict[str, float | None] = {}
    for measure in measures:
        best, name = np.fmin if measure.lower_is_better else np.fmax, str(measure)
        found[name] = mean_of(best.reduce([values[name] for values in tried])).mean
    return found


def _finders(
    one: Explained, alike: Mapping[str, Mapping[str, Values]]
) -> Iterator[tuple[str, list[str]]]:
    """The other configurations that show the whole gold of failed questions, and of which."""
    for spec, values in alike.items():
        whole = values[one.whole]
        found = [name for number, name in one.failed.items() if whole[number] == 1.0]
        if found and spec != one.row["spec"]:
            yield spec, found
