"""A sweep: many configurations measured alike, what they share computed once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from seamline.bench.allowance import Allowance, Budget
from seamline.bench.ceiling import Explained, with_ceilings
from seamline.bench.chunked import Progress, Row
from seamline.bench.clock import Clock
from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.bench.grid import expand
from seamline.bench.measurer import Measured, Measurer, in_order
from seamline.bench.plan import Plan, make_plan
from seamline.bench.race import Race
from seamline.bench.recommend import recommend
from seamline.bench.results import Plain, Results, canonical
from seamline.bench.run import assemble_data, check_progress
from seamline.bench.rung import parts_of
from seamline.bench.schema import DiagnosisRow
from seamline.bench.tables import add_measures
from seamline.config import BenchConfig
from seamline.errors import BudgetSpent, InvalidConfig
from seamline.parse import Skipped
from seamline.protocols import Embedder
from seamline.retrieve import parse_retriever
from seamline.types import Document, Question

__all__ = ["run_sweep"]


def run_sweep(
    documents: Iterable[Document],
    questions: Iterable[Question],
    config: BenchConfig | None = None,
    *,
    embedder: str | Embedder | None = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
    skipped: Sequence[Skipped] = (),
) -> Results:
    """How the configurations of `config.grid` compare on these documents and questions.

    As `run_bench`, but each row has a retriever and a way of showing of its own, and
    `spec` names the configuration. What rows share is computed once: documents are read
    and tokenised once, cut once a strategy, each distinct text is embedded once. With an
    embedder given as a spec each finished row is kept beside the vectors, so that a sweep
    that was stopped goes on where it was, to the same bytes.

    Under a `budget` configurations are first measured on a quarter and half of the
    documents; which of them cannot win, or had no room, `data["dropped"]` and
    `data["notes"]` say. `progress` is told `("configurations", name, done, total)` besides,
    `("race", …)` likewise on a part, `("explained", …)` likewise of those of which it is found
    out why questions failed, and `("kept", "", n, total)` once.

    Raises:
        As `run_bench`, and what `expand` raises.
        InvalidConfig: the budget does not suffice for one configuration.

    Example:
        >>> from seamline.types import Span
        >>> document = Document.from_text("Press F5 to refresh. Press F1 for help.")
        >>> question = Question("q1", "text", "How do I refresh?", ((Span(6, 8),),))
        >>> config = BenchConfig(grid={"strategies": "whole; fixed(size=8)", "retrievers": "bm25"})
        >>> [row.spec for row in run_sweep([document], [question], config).summary()]
        ['whole | bm25', 'fixed(size=8, overlap=1) | bm25']
    """
    told = check_progress(progress)
    config = config or BenchConfig()
    chosen = expand(config).configurations
    plan = make_plan(config, list(dict.fromkeys(one.strategy for one in chosen)), embedder)
    run = _Run(plan, tuple(documents), tuple(questions), chosen, Clock(), told)
    budget = budget or Budget()
    try:
        with Allowance(budget, plan.embedder.cached) as allowance:
            return run.results(budget, allowance, skipped)
    except BudgetSpent as error:
        raise InvalidConfig(
            "embed_calls must suffice for the questions and one configuration, got "
            f"{budget.embed_calls}: {error}"
        ) from None


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """The parts of one sweep."""

    plan: Plan
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    chosen: tuple[Configuration, ...]
    clock: Clock
    progress: Progress

    def results(self, budget: Budget, allowance: Allowance, skipped: Sequence[Skipped]) -> Results:
        plan, clock = self.plan, self.clock
        whole = self._measurer()
        found, dropped, notes = self._measure(whole, budget, allowance)
        whole.tidy()
        measured = [found[one] for one in self.chosen if one in found]
        rows = [one.row for one in measured]
        with clock.stage("intervals"):
            add_measures(rows, [one.values for one in measured], plan, whole.corpus)
        data = assemble_data(rows, plan, whole.corpus, embeds=self._embeds, skipped=skipped)
        data["notes"] = [*notes, *data["notes"]]
        _share_cuts(rows)
        if budget.limited:
            data["dropped"] = dropped
        data["diagnosis"] = list(self._explained(whole, data, found))
        return Results.of(data, clock.timings())

    def _explained(
        self, whole: Measurer, data: Row, found: Mapping[Configuration, Measured]
    ) -> Iterator[DiagnosisRow]:
        """Why questions fail with the configuration to take, and with the best.

        What a budget does not allow is left out.
        """
        advised = recommend(Results.of(data))
        named = [one.spec for one in (advised.chosen, advised.best) if one is not None]
        by_name = {str(one): one for one in found}
        explained: list[Explained] = []
        wanted = list(dict.fromkeys(named))
        for i, one in enumerate(by_name[name] for name in wanted):
            self.progress("explained", str(one), i, len(wanted))
            with suppress(BudgetSpent):
                explained.append(whole.explain(one, found[one].values))
        measured = {str(one): held.values for one, held in found.items()}
        rankings = {str(one): replace(one, strategy="") for one in found}
        return with_ceilings(explained, measured, rankings, self.plan.ranked)

    def _measure(
        self, whole: Measurer, budget: Budget, allowance: Allowance
    ) -> tuple[dict[Configuration, Measured], list[Row], list[str]]:
        if not budget.limited:
            return self._all(whole), [], []
        config = self.plan.config
        parts = parts_of(self.documents, self.questions, seed=config.seed)
        race = Race(whole, self._measurer, parts, budget, allowance, config, self.progress)
        return race.run(self.chosen), race.dropped, race.notes

    def _all(self, whole: Measurer) -> dict[Configuration, Measured]:
        """Every configuration, those that are kept first."""
        taken = {one: whole.take(one) for one in self.chosen}
        found = {one: held for one, held in taken.items() if held}
        n = len(self.chosen)
        if found:
            self.progress("kept", "", len(found), n)
        for one in in_order([one for one in self.chosen if one not in found]):
            self.progress("configurations", str(one), len(found), n)
            found[one] = whole.measure(one)
        return found

    @property
    def _embeds(self) -> bool:
        return any(parse_retriever(one.retriever).needs_vectors for one in self.chosen)

    def _measurer(self, ids: frozenset[str] | None = None) -> Measurer:
        """What measures on all documents, or on those of some ids."""
        documents = [one for one in self.documents if ids is None or one.id in ids]
        questions = [one for one in self.questions if ids is None or one.doc_id in ids]
        plan, clock = self.plan, self.clock if ids is None else Clock()
        with clock.stage("read"):
            corpus = Corpus.of(documents, questions, plan.sizer, identical=plan.config.identical)
        return Measurer(plan, corpus, clock, self.progress, embeds=self._embeds)


def _share_cuts(rows: Sequence[Row]) -> None:
    """Let rows of one strategy hold the same lists of chunks."""
    plain: dict[str, Row] = {}
    for row in rows:
        if row["strategy"] not in plain:
            cuts = {key: row[key] for key in ("chunks", "parents") if key in row}
            plain[row["strategy"]] = {
                key: {doc_id: Plain(canonical(spans)) for doc_id, spans in own.items()}
                for key, own in cuts.items()
            }
        row.update(plain[row["strategy"]])
