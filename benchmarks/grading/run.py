"""Measures designs on golden sets: values a question, costs a set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grading.designs import Design, made
from grading.oracle import OracleTrials
from grading.sets import GradedSet
from seamline.bench.clock import Clock
from seamline.bench.plan import make_plan
from seamline.bench.trial import Trials
from seamline.config import BenchConfig
from seamline.embed.cache import CachedEmbedder

BUDGETS = (500, 1000, 2000)
MEASURES = ("Recall", "HitWhole", "Precision")
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Graded:
    """What one design scored on one set: `values` (float64[q]) by measure, and its cost."""

    design: str
    set: str
    values: dict[str, Values]
    cost: dict[str, Any]

    @property
    def recall(self) -> Values:
        """float64[q]: the recall of each question, averaged over the budgets."""
        return np.mean([self.values[f"Recall@{budget}t"] for budget in BUDGETS], axis=0)


@dataclass(frozen=True, slots=True, eq=False)
class Grader:
    """Measures designs alike: the same embedder, tokenizer and budgets.

    Each piece that is shown costs `separator` tokens beside its own.
    """

    embedder: CachedEmbedder
    tokenizer: str
    separator: int
    progress: Callable[[str, str, int, int], None]

    def grade(self, designs: Sequence[Design], graded: GradedSet) -> list[Graded]:
        """The designs on one set; those that cannot be made are left out."""
        out: list[Graded] = []
        for design in designs:
            plan = make_plan(self._config(design, graded.scope), ["whole"], self.embedder)
            for _, strategy in made([design], plan.embedder, plan.sizer):
                asked = [question.text for question in graded.corpus.questions]
                needs = plan.retriever.needs_vectors
                queries = plan.embedder.embed_queries(asked) if needs else None
                kind = OracleTrials if design.oracle else Trials
                trials = kind(plan, graded.corpus, asked, queries, Clock(), self._shown(graded))
                ranking = trials.usual(str(strategy))
                row, values = trials.rank(trials.chunk(strategy), ranking)
                out.append(Graded(design.name, graded.name, values, row["cost"]))
        return out

    def _config(self, design: Design, scope: str) -> BenchConfig:
        return BenchConfig(
            retriever=design.retriever,
            merge=design.merge,
            scope=scope,
            separator=self.separator,
            tokenizer=self.tokenizer,
            budgets=BUDGETS,
            measures=tuple(f"{name}@{budget}t" for name in MEASURES for budget in BUDGETS),
        )

    def _shown(self, graded: GradedSet) -> Callable[[str, str, int, int], None]:
        return lambda stage, spec, done, total: self.progress(
            stage, f"{graded.name}: {spec}", done, total
        )
