"""A part of the documents, and what configurations did on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seamline.bench.chunked import Row
from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.bench.measurer import Measured, Measurer
from seamline.bench.price import Price
from seamline.bench.results import rank_key
from seamline.bench.score import Values
from seamline.compare.race import p_if_close
from seamline.config import BenchConfig
from seamline.measure import mean_of, parse_measure
from seamline.types import Document, Question

__all__ = ["Rung", "parts_of"]

_BLOCK = 4  # documents of one kind and about one size, of which one is in the first part
_FEWEST = 6  # documents with which a sign-flip test can reach half the level: 2 ** -6


def parts_of(
    documents: Sequence[Document], questions: Sequence[Question], *, seed: int
) -> list[frozenset[str]]:
    """The ids of a quarter and of half of the documents, the one inside the other.

    Of each four neighbours in the order of media type and size one is drawn for the
    quarter and one more for the half, apart for documents with and without questions.
    No part where fewer than four have questions; no half where it has fewer than six.

    Example:
        >>> from seamline.types import Span
        >>> documents = [Document.from_text("x" * n, f"{n}") for n in range(8)]
        >>> questions = [Question(one.id, one.id, "?", ((Span(0, 0),),)) for one in documents]
        >>> [len(part) for part in parts_of(documents, questions, seed=0)]
        [2]
    """
    asked = {question.doc_id for question in questions if question.slots}
    rng = np.random.default_rng(seed)
    drawn: dict[str, int] = {}
    for has in (True, False):
        stratum = [one for one in documents if (one.id in asked) is has]
        stratum.sort(key=lambda one: (one.media_type, len(one.text), one.id))
        for at in range(0, len(stratum), _BLOCK):
            turns = rng.permutation(_BLOCK).tolist()
            drawn |= {one.id: turn for one, turn in zip(stratum[at:], turns, strict=False)}
    if len(asked & drawn.keys()) < _BLOCK:
        return []
    quarter, half = (frozenset(one for one, turn in drawn.items() if turn < n) for n in (1, 2))
    return [quarter, half] if len(half & asked) >= _FEWEST else [quarter]


@dataclass(frozen=True, slots=True, eq=False)
class Rung:
    """What was found on a part of the documents, and how many texts were embedded for it."""

    measurer: Measurer
    found: dict[Configuration, Measured]
    n_embedded: int
    config: BenchConfig

    @property
    def lower(self) -> bool:
        """Whether a lower value of the primary measure is better."""
        return parse_measure(self.config.primary).lower_is_better

    @property
    def n_documents(self) -> int:
        """How many documents have a question."""
        return len({question.doc_id for question in self.measurer.corpus.questions})

    def order(self) -> list[Configuration]:
        """Those measured, the best first, then the cheapest."""
        keys = {
            one: rank_key(
                mean_of(self._values(one)).mean,
                Price.of(row["cost"], row["strategy"]),
                row["spec"],
                lower=self.lower,
            )
            for one, (row, _) in self.found.items()
        }
        return sorted(self.found, key=keys.__getitem__)

    def p_if_close(self) -> dict[Configuration, float]:
        """See `seamline.compare.race`."""
        names = {str(one): one for one in self.found}
        p = p_if_close(
            {name: self._values(one) for name, one in names.items()},
            [question.doc_id for question in self.measurer.corpus.questions],
            margin=self.config.margin,
            seed=self.config.seed,
            lower_is_better=self.lower,
        )
        return {names[name]: value for name, value in p.items()}

    def standings(self) -> dict[Configuration, Row]:
        """Of each the questions asked, their mean, and the mean difference to the best."""
        ranked = self.order()
        return {
            one: {
                "n": len(self._values(one)),
                "mean": mean_of(self._values(one)).mean,
                "difference": mean_of(self._values(one) - self._values(ranked[0])).mean,
            }
            for one in ranked
        }

    def seconds(self, one: Configuration, whole: Corpus, *, cut: bool) -> float:
        """What it will take on the whole corpus; `cut`: its chunks are embedded there already.

        Vectors of the part are in the cache.
        """
        part, clock = self.measurer.corpus, self.measurer.clock
        more = self.times(whole)
        ranked = sum(float(stage["seconds"]) for stage in clock.of(str(one)).values())
        cuts = {name: float(stage["seconds"]) for name, stage in clock.of(one.strategy).items()}
        embedded = cuts.pop("embed", 0.0) * (more - 1)
        made = 0.0 if cut else sum(cuts.values()) * more + embedded
        return made + ranked * more * len(whole.questions) / len(part.questions)

    def times(self, whole: Corpus) -> float:
        """How many times as many tokens the whole corpus has."""
        return sum(map(len, whole.ends)) / max(sum(map(len, self.measurer.corpus.ends)), 1)

    def _values(self, one: Configuration) -> Values:
        return self.found[one].values[self.config.primary]
