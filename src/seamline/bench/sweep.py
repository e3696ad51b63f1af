"""A sweep: many configurations measured alike, what they share computed once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seamline.bench.chunked import Progress, Row
from seamline.bench.clock import Clock
from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.bench.grid import expand
from seamline.bench.plan import make_plan
from seamline.bench.results import Results
from seamline.bench.run import assemble_data, check_progress
from seamline.bench.score import Values
from seamline.bench.tables import add_measures
from seamline.bench.trial import Ranking, Trials
from seamline.config import BenchConfig
from seamline.parse import Skipped
from seamline.protocols import Embedder
from seamline.retrieve import Retriever, parse_retriever
from seamline.types import Document, Question

__all__ = ["run_sweep"]

Measured = tuple[Row, dict[str, Values]]


def run_sweep(
    documents: Iterable[Document],
    questions: Iterable[Question],
    config: BenchConfig | None = None,
    *,
    embedder: str | Embedder | None = None,
    progress: Progress | None = None,
    skipped: Sequence[Skipped] = (),
) -> Results:
    """How the configurations of `config.grid` compare on these documents and questions.

    As `run_bench`, but each row has a retriever and a way of showing of its own, and
    `spec` names the configuration. What rows share is computed once: documents are read,
    tokenised and cut once for each strategy, each distinct text is embedded once.
    `progress` is told `("configurations", name, done, total)` besides.

    Raises:
        As `run_bench`, and what `expand` raises.

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
    clock = Clock()
    with clock.stage("read"):
        corpus = Corpus.of(documents, questions, plan.sizer, identical=config.identical)
    retrievers = {one.retriever: parse_retriever(one.retriever) for one in chosen}
    asked = [question.text for question in corpus.questions]
    embeds = any(retriever.needs_vectors for retriever in retrievers.values())
    with clock.stage("embed questions"):
        queries = plan.embedder.embed_queries(asked) if embeds else None
    trials = Trials(plan, corpus, asked, queries, clock, told)
    measured = _measure(trials, chosen, retrievers)
    rows = [measured[one][0] for one in chosen]
    with clock.stage("intervals"):
        add_measures(rows, [measured[one][1] for one in chosen], plan, corpus)
    data = assemble_data(rows, plan, corpus, embeds=embeds, skipped=skipped)
    return Results.of(data, clock.timings())


def _measure(
    trials: Trials, chosen: Sequence[Configuration], retrievers: dict[str, Retriever]
) -> dict[Configuration, Measured]:
    """Each configuration's row and values; one strategy's chunks are held at a time."""
    found: dict[Configuration, Measured] = {}
    for strategy in trials.plan.strategies:
        chunked = trials.chunk(strategy)
        for one in (one for one in chosen if one.strategy == chunked.spec):
            retriever = retrievers[one.retriever]
            ranking = Ranking(str(one), retriever, one.dedupe, one.merge)
            found[one] = trials.rank(chunked, ranking)
            trials.progress("configurations", str(one), len(found), len(chosen))
    return found
