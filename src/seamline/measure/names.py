"""All measures by name, and the scores of many questions at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig, UnknownName
from seamline.measure.base import Cutoff, Measure
from seamline.measure.chunks import ChunksByDocument, containment, split_rate
from seamline.measure.context import Gold, Shown, facts_of
from seamline.measure.coverage import Hit, HitWhole, IoU, Noise, Precision, PrecisionUnique, Recall
from seamline.measure.omega import precision_omega
from seamline.measure.ranks import MRR, NDCG, PrecisionChunks
from seamline.measure.reader import Similarity, Tokens
from seamline.registry import suggest
from seamline.types import Question

__all__ = [
    "CHUNK_MEASURES",
    "MEASURES",
    "PRIMARY",
    "ChunkMeasure",
    "Description",
    "default_measures",
    "describe",
    "parse_measure",
    "score_all",
]

PRIMARY = "Recall@1000t"
"""The measure that decides unless another is named: at an equal price in tokens."""

MEASURES: dict[str, type[Measure]] = {
    measure.name: measure
    for measure in (
        Recall,
        HitWhole,
        Hit,
        Precision,
        PrecisionUnique,
        IoU,
        Noise,
        PrecisionChunks,
        MRR,
        NDCG,
        Tokens,
        Similarity,
    )
}
"""Measures of a retrieval, each with a cutoff."""

CHUNK_MEASURES: dict[str, tuple[str, Callable[..., NDArray[np.float64]]]] = {
    "Containment": (
        "one chunk holds the whole gold, slot by slot",
        lambda questions, chunks: containment(questions, chunks).values,
    ),
    "SplitRate": ("share of gold slots that no single chunk holds", split_rate),
    "PrecisionOmega": (
        "gold characters over the characters of every chunk that holds some",
        lambda questions, chunks: precision_omega(questions, chunks).values,
    ),
}
"""Measures that need chunks and gold only: what they say, and the function."""

_NAME = re.compile(r"\s*([A-Za-z]+)(?:@([0-9]{1,30})(t?))?\s*")


@dataclass(frozen=True, slots=True)
class ChunkMeasure:
    """A measure a question that needs no retrieval; `str` parses back."""

    name: str
    range: ClassVar[str] = "0 to 1"

    def __str__(self) -> str:
        return self.name

    @property
    def about(self) -> str:
        """What it says, in a line."""
        return CHUNK_MEASURES[self.name][0]

    @property
    def lower_is_better(self) -> bool:
        """Whether a smaller value is the better one."""
        return self.name == "SplitRate"

    def values(
        self, questions: Sequence[Question], chunks: ChunksByDocument
    ) -> NDArray[np.float64]:
        """float64[n]: the measure of each question, NaN without gold."""
        return CHUNK_MEASURES[self.name][1](questions, chunks)


def parse_measure(text: str) -> Measure | ChunkMeasure:
    """The measure of a name like `Recall@5`, `Recall@1000t` or `Containment`.

    Case does not count; `str` of the result is the canonical name.

    Raises:
        UnknownName: no such measure; the message suggests the nearest.
        InvalidConfig: a cutoff is missing, or there is one where none belongs.

    Example:
        >>> str(parse_measure("recall@1000t"))
        'Recall@1000t'
    """
    found = _NAME.fullmatch(str(text))
    if not found:
        raise InvalidConfig(
            f"a measure must be a name with a cutoff in pieces or tokens, "
            f"like Recall@5 or Recall@1000t, got {text!r}"
        )
    given, at, tokens = found.groups()
    names = {name.lower(): name for name in (*MEASURES, *CHUNK_MEASURES)}
    name = names.get(given.lower())
    if name is None:
        raise UnknownName(f"no measure named {given!r}; {suggest(given, names.values())}")
    if name in CHUNK_MEASURES:
        if at:
            raise InvalidConfig(f"{name} needs no retrieval and takes no cutoff, got {text!r}")
        return ChunkMeasure(name)
    if not at:
        raise InvalidConfig(f"{name} needs a cutoff, like {name}@5 or {name}@1000t, got {text!r}")
    return MEASURES[name](Cutoff(int(at), in_tokens=bool(tokens)))


def default_measures(k: int = 5, budget: int = 1_000) -> tuple[Measure, ...]:
    """What a benchmark reports unless told otherwise; the first is the primary one."""
    pieces, tokens = Cutoff(k), Cutoff(budget, in_tokens=True)
    at_budget = (Recall(tokens), HitWhole(tokens), Precision(tokens))
    at_k = [
        MEASURES[name](pieces)
        for name in (*MEASURES,)
        if name not in ("Similarity", "PrecisionUnique")
    ]
    return (*at_budget, *at_k, Similarity(Cutoff(1)))


def score_all(
    measures: Sequence[Measure], golds: Sequence[Gold], shown: Sequence[Shown]
) -> NDArray[np.float64]:
    """float64[n_questions, n_measures]: the score of each question by each measure.

    As `Measure.score`, but what measures of one cutoff have in common is counted
    once. `shown` is used for all of them: call it once for each token budget.

    Raises:
        InvalidConfig: there are not as many golds as there is shown.
    """
    if len(golds) != len(shown):
        raise InvalidConfig(f"each gold needs what was shown, got {len(golds)} and {len(shown)}")
    by_k: dict[int | None, list[tuple[int, Measure]]] = {}
    for column, measure in enumerate(measures):
        by_k.setdefault(measure.cutoff.k, []).append((column, measure))
    scores = np.full((len(golds), len(measures)), np.nan)
    for row, (gold, pieces) in enumerate(zip(golds, shown, strict=True)):
        if not gold.slots:
            continue
        for k, group in by_k.items():
            facts = facts_of(gold, pieces, k)
            for column, measure in group:
                scores[row, column] = measure.value(facts)
    return scores


class Description(NamedTuple):
    """A line of the table of measures."""

    name: str
    example: str
    range: str
    about: str
    needs_retrieval: bool


def describe() -> list[Description]:
    """All measures, those that need no retrieval first."""
    chunk = [
        Description(name, name, "0 to 1", about, needs_retrieval=False)
        for name, (about, _) in CHUNK_MEASURES.items()
    ]
    ranked = [
        Description(
            name,
            f"{name}@{1 if measure is Similarity else 5}",
            measure.range,
            measure.about,
            needs_retrieval=True,
        )
        for name, measure in MEASURES.items()
    ]
    return chunk + ranked
