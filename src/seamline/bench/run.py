"""One benchmark: every strategy cut, indexed, ranked and measured alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from seamline.bench.ceiling import Explained, with_ceilings
from seamline.bench.chunked import Progress, Row
from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.diagnose import explain
from seamline.bench.notes import find_notes
from seamline.bench.plan import Plan, make_plan
from seamline.bench.results import Results
from seamline.bench.schema import SCHEMA
from seamline.bench.score import Values
from seamline.bench.tables import add_measures
from seamline.bench.through import Through, through_store
from seamline.bench.trial import Trials
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.parse import Skipped, skipped_records
from seamline.protocols import Embedder, Strategy
from seamline.store.base import Store
from seamline.types import Document, IntArray, Question

__all__ = ["Progress", "assemble_data", "check_progress", "run_bench"]

_SETTINGS = (
    "k",
    "budget",
    "budgets",
    "scope",
    "threshold",
    "dedupe",
    "merge",
    "separator",
    "identical",
    "margin",
    "seed",
    "measures",
)


def run_bench(
    documents: Iterable[Document],
    questions: Iterable[Question],
    config: BenchConfig | None = None,
    *,
    strategies: str | Sequence[Any] | Mapping[str, Any] | None = None,
    embedder: str | Embedder | None = None,
    progress: Progress | None = None,
    skipped: Sequence[Skipped] = (),
    store: Store | None = None,
) -> Results:
    """How the strategies compare on these documents and questions.

    `strategies` (specs, or objects with `split(document)` or `split_text(text)`; a
    mapping gives them names) and `embedder` take the place of those that `config`
    names. Objects of one name are numbered: `Splitter`, `Splitter #2`. An embedder
    may be one of LangChain's, with `embed_documents` and `embed_query`.

    Every strategy gets the same documents, embedder and exact retrieval; each
    distinct text is embedded once over all of them; vectors are held for one
    strategy at a time. The results are the same in every run; `timings` are not.
    Questions without gold are listed as skipped, and so are the documents that
    `read_documents` put in `skipped`. `data["notes"]` says what makes
    the comparison say little: a budget that holds everything, strategies that cut
    alike. `data["diagnosis"]` says why questions failed; see `explain`. With a
    `store` each strategy is searched through it too: `data["through"]` has a row for each.

    Raises:
        InvalidConfig: a name or parameter that cannot work, or a strategy twice.
        MissingInput: no documents.
        InvalidGold: questions that do not fit the documents, or none with gold.
        AlignmentError: a splitter whose pieces are not in their document.

    Example:
        >>> from seamline.types import Span
        >>> document = Document.from_text("Press F5 to refresh. Press F1 for help.")
        >>> question = Question("q1", "text", "How do I refresh?", ((Span(6, 8),),))
        >>> config = BenchConfig(strategies=("whole",), retriever="bm25")
        >>> run_bench([document], [question], config).summary()[0].mean
        1.0
    """
    told = check_progress(progress)
    plan = make_plan(config or BenchConfig(), strategies, embedder)
    clock = Clock()
    with clock.stage("read"):
        corpus = Corpus.of(documents, questions, plan.sizer, identical=plan.config.identical)
    with clock.stage("embed questions"):
        asked = [question.text for question in corpus.questions]
        queries = plan.embedder.embed_queries(asked) if plan.retriever.needs_vectors else None
    trials = Trials(plan, corpus, asked, queries, clock, told)
    measured = [_measure(trials, strategy, store) for strategy in plan.strategies]
    rows = [row for row, *_ in measured]
    with clock.stage("intervals"):
        add_measures(rows, [values for _, values, *_ in measured], plan, corpus)
    embeds = plan.retriever.needs_vectors
    data = assemble_data(rows, plan, corpus, embeds=embeds, skipped=skipped)
    by_spec = {row["spec"]: values for row, values, *_ in measured}
    explained = [found for _, _, found, _ in measured]
    alike = dict.fromkeys(by_spec, "")
    data["diagnosis"] = list(with_ceilings(explained, by_spec, alike, plan.ranked))
    timings = clock.timings()
    if through := [one for *_, one in measured if one is not None]:
        data["through"] = [one.found for one in through]
        timings["through"] = {one.spec: one.clocked for one in through}
    return Results.of(data, timings)


def _measure(
    trials: Trials, strategy: Strategy, store: Store | None
) -> tuple[Row, dict[str, Values], Explained, Through | None]:
    """The strategy's row without intervals, its values, why questions failed, and the store's."""
    chunked = trials.chunk(strategy)
    ranking = trials.usual(chunked.spec)
    row, values = trials.rank(chunked, ranking)
    explained = explain(trials, chunked, ranking, values)
    if store is None:
        return row, values, explained, None
    return row, values, explained, through_store(trials, strategy, chunked, ranking, store)


def check_progress(progress: Progress | None) -> Progress:
    """`progress`, or a function that does nothing in its place.

    Raises:
        InvalidConfig: it is no function.
    """
    if progress is not None and not callable(progress):
        raise InvalidConfig(
            "progress must be a function of (stage, strategy, done, total), "
            f"got a {type(progress).__name__}"
        )
    return progress or _silent


def _silent(_stage: str, _strategy: str, _done: int, _total: int) -> None:
    pass


def assemble_data(
    rows: list[Row], plan: Plan, corpus: Corpus, *, embeds: bool, skipped: Sequence[Skipped]
) -> Row:
    """The content of results.json; `embeds` says that some retriever needs vectors.

    In `config` retriever, dedupe and merge are None where they differ between rows.
    """
    config = plan.config
    embeds = embeds or any(row["cost"]["embedding_calls"] for row in rows)
    data = {
        "schema": SCHEMA,
        "seamline": version("seamline"),
        "config": {
            "retriever": None,
            "embedder": plan.embedder_name if embeds else None,
            "embedder_fingerprint": plan.embedder.fingerprint if embeds else None,
            "tokenizer": plan.sizer.name,
            "primary": config.primary,
            "lower_is_better": plan.measures[0].lower_is_better,
            **{key: getattr(config, key) for key in _SETTINGS},
        }
        | {key: _common(key, rows) for key in ("retriever", "dedupe", "merge")},
        "documents": [_document(*one) for one in zip(corpus.documents, corpus.ends, strict=True)],
        "questions": [_question(question) for question in corpus.questions],
        "skipped": [{"id": one.id, "why": _why_skipped(one)} for one in corpus.skipped],
        "notes": find_notes(rows, corpus, config),
        "strategies": rows,
    }
    if missed := skipped_records(skipped):
        data["skipped_documents"] = missed
    return data


def _why_skipped(question: Question) -> str:
    if not question.lost:
        return "no gold"
    return f"lost in parsing: the text of {question.doc_id} lacks {question.lost!r}"


def _common(key: str, rows: list[Row]) -> Any:
    """What all rows have under `key`; None where they differ."""
    values = {row[key] for row in rows}
    return values.pop() if len(values) == 1 else None


def _document(document: Document, ends: IntArray) -> Row:
    pictures = document.metadata.get("pages_without_text")
    return {
        "id": document.id,
        "digest": document.digest,
        "media_type": document.media_type,
        "characters": len(document.text),
        "words": len(document.text.split()),
        "tokens": len(ends),
        "marks": len(document.blocks) - document.columns.kinds.count("paragraph"),
        **({"pages_without_text": pictures} if pictures else {}),
    }


def _question(question: Question) -> Row:
    return {
        "id": question.id,
        "doc_id": question.doc_id,
        "text": question.text,
        "tags": question.tags,
        "slots": [[[span.start, span.end] for span in slot] for slot in question.slots],
    }
