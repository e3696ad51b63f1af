"""How many questions it takes to see a difference, from results or from what is usual."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.bench.results import Results
from seamline.bench.schema import ResultsData
from seamline.bench.sources import PEOPLE_TAG
from seamline.compare import detectable, questions_needed
from seamline.compare.bootstrap import standard_error
from seamline.compare.choose import FEWEST_ASKED
from seamline.compare.paired import SAME, Sums, Units
from seamline.errors import InvalidConfig
from seamline.measure import ChunkMeasure, parse_measure

__all__ = [
    "ASSUMED_DEFF",
    "DIFFERENCES",
    "Needed",
    "Spread",
    "assumed",
    "measured",
    "needed",
    "typical",
]

DIFFERENCES = (0.02, 0.05, 0.10)
"""Points of a share: two, five and ten."""

ASSUMED_DEFF = 1.5
"""How much more a mean varies since questions of a document go together: seen were 0.3 to 1.7."""

_DISCORDANT = (0.1, 0.2, 0.3)
_ALPHA = 0.05
_SHARE = "0 to 1"


@dataclass(frozen=True, slots=True)
class Spread:
    """How the paired differences of two strategies vary from question to question.

    `sd` is their standard deviation and `deff` the design effect, at least 1: how
    much more their mean varies since questions of one document go together.
    """

    name: str
    sd: float
    deff: float


@dataclass(frozen=True, slots=True)
class Needed:
    """Questions that show each difference in 80 % of the cases, of one pair or one of many.

    `n_tests` pairs are compared at once, with alpha shared among them. `seen` is the
    smallest difference that the questions there are show; None without any.
    """

    name: str
    n_tests: int
    questions: Mapping[float, int]
    seen: float | None


def measured(results: Results) -> tuple[list[Spread], int, int]:
    """The spread of each strategy against the best, with the numbers of questions and documents.

    In the primary measure, over the questions of people if there are any; strategies
    that differ from the best nowhere are left out. Under ten documents the design
    effect cannot be told, and is 1.

    Raises:
        InvalidConfig: the primary measure is no share, or there are no two strategies
            that differ.
    """
    data = results.data
    primary = data["config"]["primary"]
    measure = parse_measure(primary)
    if not isinstance(measure, ChunkMeasure) and measure.range != _SHARE:
        raise InvalidConfig(
            f"points are of a share from 0 to 1, but the primary measure is {primary}: put one "
            "that is a share, such as Recall@1000t, first among the measures"
        )
    asked = _people(data)
    documents = [data["questions"][i]["doc_id"] for i in asked]
    values = {
        row["spec"]: np.array(row["measures"][primary]["values"], np.float64)[asked]
        for row in data["strategies"]
    }
    best = results.summary()[0].spec
    spreads = [
        _spread(spec, own - values[best], documents) for spec, own in values.items() if spec != best
    ]
    found = [spread for spread in spreads if spread.sd > SAME]
    if not found:
        raise InvalidConfig(
            "results must hold two strategies that differ in some question, or there is no "
            "variance to go by: give documents and a golden set instead"
        )
    return found, len(asked), len(set(documents))


def _people(data: ResultsData) -> list[int]:
    """The numbers of the questions that people asked; of all where there are none or no others."""
    own = [i for i, one in enumerate(data["questions"]) if PEOPLE_TAG in one["tags"]]
    return own or list(range(len(data["questions"])))


def _spread(name: str, differences: NDArray[np.float64], documents: Sequence[str]) -> Spread:
    known = ~np.isnan(differences)
    own = differences[known]
    if len(own) < 2:
        return Spread(name, 0.0, 1.0)
    sd = float(own.std(ddof=1))
    units = Units.of([doc for doc, there in zip(documents, known, strict=True) if there])
    if units.kind != "document" or sd <= SAME:
        return Spread(name, sd, 1.0)
    sums = Sums.of(own[:, None], units)
    error = standard_error(sums.sums[:, 0], sums.counts[:, 0])
    return Spread(name, sd, max(1.0, error**2 * len(own) / sd**2))


def assumed() -> list[Spread]:
    """What is usual where nothing was measured, by the share of questions that decide.

    Those that one strategy answers and the other does not: 10, 20 or 30 %.

    Example:
        >>> [round(spread.sd, 3) for spread in assumed()]  # roots of 0.1, 0.2 and 0.3
        [0.316, 0.447, 0.548]
    """
    return [
        Spread(f"{share:.0%} of questions decide", math.sqrt(share), ASSUMED_DEFF)
        for share in _DISCORDANT
    ]


def needed(spread: Spread, n_questions: int, *, n_tests: int = 1) -> Needed:
    """How many questions a pair of this spread needs, 15 at least, and what `n_questions` show.

    With `n_tests` pairs each is tested at alpha / n_tests (Bonferroni), which is
    never too few.

    Example:
        >>> needed(Spread("a", 0.5, 1.5), 100).questions[0.05]  # (2.802 × 0.5 / 0.05)² × 1.5
        1178
    """
    alpha = _ALPHA / n_tests
    questions = {d: questions_needed(spread.sd, spread.deff, d, alpha=alpha) for d in DIFFERENCES}
    return Needed(
        spread.name,
        n_tests,
        {difference: max(FEWEST_ASKED, n) for difference, n in questions.items()},
        detectable(spread.sd, spread.deff, n_questions, alpha=alpha) if n_questions else None,
    )


def typical(spreads: Sequence[Spread]) -> tuple[Spread, Spread]:
    """The pair in the middle by the variance of its mean, and the one that varies most."""
    ranked = sorted(spreads, key=lambda spread: spread.sd**2 * spread.deff)
    return ranked[(len(ranked) - 1) // 2], ranked[-1]
