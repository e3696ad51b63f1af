"""Measures configurations on one corpus: a strategy is cut once, finished rows are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from seamline.bench.ceiling import Explained
from seamline.bench.chunked import Chunked, Progress, Row
from seamline.bench.clock import Clock
from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.bench.diagnose import explain
from seamline.bench.kept import FOLDER, Kept, common_key
from seamline.bench.plan import Plan
from seamline.bench.score import Values
from seamline.bench.trial import Ranking, Trials
from seamline.retrieve import parse_retriever
from seamline.split.strategies import Cutter

__all__ = ["Measured", "Measurer", "in_order"]


class Measured(NamedTuple):
    """A configuration's row without intervals, and its values (float64[q]) by measure."""

    row: Row
    values: dict[str, Values]


class Measurer:
    """Measures one configuration after the other; those of one strategy best come together.

    The chunks of the last strategy are held. Rows are kept beside the vectors where these
    are kept on disk, and taken over from there: `n_taken` counts them. Not kept are
    strategies and retrievers of other packages, whose code may change unseen. `embeds` says
    whether any retriever needs vectors.
    """

    def __init__(
        self, plan: Plan, corpus: Corpus, clock: Clock, progress: Progress, *, embeds: bool
    ) -> None:
        self.corpus = corpus
        self.clock = clock
        self.n_taken = 0
        asked = [question.text for question in corpus.questions]
        with clock.stage("embed questions"):
            queries = plan.embedder.embed_queries(asked) if embeds else None
        self._trials = Trials(plan, corpus, asked, queries, clock, progress)
        self._strategies = {str(one): one for one in plan.strategies}
        self._chunked: Chunked | None = None
        path = plan.embedder.cached.path
        folder = path.parent / FOLDER if path else None
        self._kept = Kept(folder, common_key(plan, corpus) if folder else "")

    def take(self, one: Configuration) -> Measured | None:
        """What an earlier run measured of it, if that is kept."""
        held = self._kept.get(str(one)) if self._is_own(one) else None
        if held is None:
            return None
        row, values, timings = held
        for name, stages in timings.items():
            self.clock.take_over(name, stages)
        self.n_taken += 1
        return Measured(row, values)

    def measure(self, one: Configuration) -> Measured:
        """Measure it now, and keep what was found."""
        found = Measured(*self._trials.rank(self._cut(one), _ranking(one)))
        if self._is_own(one):
            timings = {name: self.clock.of(name) for name in (one.strategy, str(one))}
            self._kept.put(str(one), *found, timings)
        return found

    def explain(self, one: Configuration, values: Mapping[str, Values]) -> Explained:
        """Why questions failed under it; `values` are those that were measured."""
        return explain(self._trials, self._cut(one), _ranking(one), values)

    def _cut(self, one: Configuration) -> Chunked:
        if self._chunked is None or self._chunked.spec != one.strategy:
            self._chunked = None  # its memory, before the next one takes its own
            self._chunked = self._trials.chunk(self._strategies[one.strategy])
        return self._chunked

    def tidy(self) -> None:
        """Remove the oldest of the rows that are kept, where they are too many."""
        self._kept.prune()

    def _is_own(self, one: Configuration) -> bool:
        parts = (self._strategies[one.strategy], parse_retriever(one.retriever))
        ours = all(type(part).__module__.startswith("seamline.") for part in parts)
        return ours and isinstance(parts[0], Cutter)


def _ranking(one: Configuration) -> Ranking:
    return Ranking(str(one), parse_retriever(one.retriever), one.dedupe, one.merge)


def in_order(chosen: Sequence[Configuration]) -> list[Configuration]:
    """The configurations with those of one strategy together, else as they come."""
    first: dict[str, int] = {}
    for i, one in enumerate(chosen):
        first.setdefault(one.strategy, i)
    return sorted(chosen, key=lambda one: first[one.strategy])
