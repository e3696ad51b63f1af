"""One configuration on its documents and questions: cut first, ranked only if that is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from seamline.bench.chunked import Chunked, Progress, chunk_all
from seamline.bench.clock import Clock
from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.bench.plan import Plan, make_plan
from seamline.bench.score import Values
from seamline.bench.trial import Ranking, Trials
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.lock.digest import Cuts, cuts_of
from seamline.types import Document, Question

__all__ = ["Measured"]


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The strategy of a config file on a corpus: `plan` has its parts, `corpus` what it meets."""

    plan: Plan
    corpus: Corpus
    progress: Progress

    @classmethod
    def of(
        cls,
        config: BenchConfig,
        documents: Iterable[Document],
        questions: Iterable[Question],
        *,
        measures: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> Measured:
        """The parts that `config` names, which must name a strategy; nothing is cut yet.

        `measures` take the place of those in `config`.

        Raises:
            InvalidConfig: no strategy, or a name or parameter that cannot work.
            MissingInput, InvalidDocument, InvalidGold: see `Corpus.of`.
        """
        if not config.strategy:
            raise InvalidConfig(
                "seamline.toml must name the strategy that was chosen, but has none: "
                'add strategy = "…" (`seamline recommend` writes it)'
            )
        named = replace(
            config, strategies=(config.strategy,), measures=tuple(measures) or config.measures
        )
        plan = make_plan(named, None, None)
        corpus = Corpus.of(documents, questions, plan.sizer, identical=config.identical)
        return cls(plan, corpus, progress or _silent)

    @property
    def configuration(self) -> Configuration:
        """What is measured."""
        config, plan = self.plan.config, self.plan
        shown = {"dedupe": config.dedupe, "merge": config.merge}
        return Configuration(str(plan.strategies[0]), str(plan.retriever), **shown)

    @property
    def embeds(self) -> bool:
        """Whether it needs the embedder, to cut or to rank."""
        return self.plan.retriever.needs_vectors or hasattr(self.plan.strategies[0], "embedder")

    def cut(self) -> Chunked:
        """The chunks of all documents."""
        return chunk_all(self.plan.strategies[0], self.plan, self.corpus, Clock(), self.progress)

    def cuts(self, chunked: Chunked) -> dict[str, Cuts]:
        """Where each document was cut, by id."""
        documents = self.corpus.documents
        found = cuts_of(chunked, len(documents))
        return {document.id: cuts for document, cuts in zip(documents, found, strict=True)}

    def values(self, chunked: Chunked) -> dict[str, Values]:
        """float64[q] by measure: what each question of the corpus scores."""
        plan, config = self.plan, self.plan.config
        asked = [question.text for question in self.corpus.questions]
        queries = plan.embedder.embed_queries(asked) if plan.retriever.needs_vectors else None
        trials = Trials(plan, self.corpus, asked, queries, Clock(), self.progress)
        ranking = Ranking(chunked.spec, plan.retriever, config.dedupe, config.merge)
        found = trials.rank(chunked, ranking)[1]
        return {str(measure): found[str(measure)] for measure in plan.measures}


def _silent(_stage: str, _strategy: str, _done: int, _total: int) -> None:
    pass
