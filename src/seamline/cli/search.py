"""`seamline search`: passages that answer a question, from a store."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.bench import Config, settings_of
from seamline.cli.ingest import NamespaceName, StoreUrl, Tenant
from seamline.cli.options import Debug, Embedder, Json, Quiet, examples, whole
from seamline.cli.output import dim, emit, note, print_json
from seamline.cli.waiting import waiting
from seamline.errors import InvalidConfig
from seamline.phrases import counted
from seamline.registry import Spec, parse_spec

if TYPE_CHECKING:
    from seamline.config import BenchConfig
    from seamline.retrieve.searcher import Answer, Passage, Searcher
    from seamline.store.values import Reader

__all__ = ["EXAMPLES", "search"]

NOT_ANSWERED = 4
_PARTS = {"dense": "cosine", "words": "BM25"}  # of a score, as people know them
_NAMES = {"dense": "cosine", "words": "bm25"}  # scores in JSON, as the text output calls them
EXAMPLES = examples(
    'seamline search "How many requests may I send?" --store sqlite:///index.db',
    'seamline search "deductible" -k 3 --tenant acme --access staff --where "year>=2024"',
    'seamline search "deductible" --budget 1000 --retriever "hybrid(rerank=maxsim)" --json',
)


def search(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What is asked.")],
    *,
    store: StoreUrl = None,
    config: Config = None,
    namespace: NamespaceName = None,
    k: Annotated[
        int | None,
        typer.Option(
            "-k", "--k", metavar="N", parser=whole, help="Passages to show.  [default: 5]"
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=whole, help="Fill so many tokens, in place of k passages."
        ),
    ] = None,
    tenant: Tenant = "",
    access: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LABEL",
            help="A label that the reader has; may be given again.",
            show_default=False,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONDITION",
            help='Of which documents: "year>=2024", kind=policy, tags~hr (a list has it), '
            "id=a.md; may be given again, then all must hold.",
            show_default=False,
        ),
    ] = None,
    as_of: Annotated[
        int | None,
        typer.Option(
            metavar="REVISION", parser=whole, help="Search what was current at a revision."
        ),
    ] = None,
    retriever: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="How chunks are ranked: dense, bm25, hybrid(alpha=0.5, rerank=maxsim) …  "
            "[default: `retriever` in seamline.toml, else hybrid]",
        ),
    ] = None,
    hybrid: Annotated[
        bool,
        typer.Option("--hybrid", help="By meaning and by words: short for --retriever hybrid."),
    ] = False,
    rerank: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="What puts the best passages in a better order: maxsim (the embedded model's "
            "token vectors), cross-encoder(model=…), http(url=…, model=…).",
        ),
    ] = None,
    distinct: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            help="Leave out passages that are this much alike to a better one, like 0.9.",
        ),
    ] = None,
    embedder: Embedder = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            metavar="COSINE",
            help="How like the question the nearest chunk must be for an answer, from -1 to 1.  "
            "[default: `threshold` in seamline.toml, else 0.75]",
        ),
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Find the passages that answer a question.

    Ranked and assembled as the benchmark did with these settings: whole parents, nothing twice
    (`dedupe`), touching passages as one (`merge`), within --budget tokens. Each is shown with its
    document, headings, page or lines, and offsets in the text that was ingested, and with what its
    best chunk's score is the sum of: what the cosine gives, what BM25, what its neighbours.

    Exit code 4: not answered, as nothing was found or even the nearest chunk is less like the
    question than the threshold; what was found is shown all the same.
    """
    from seamline.ingest.open import open_searcher, store_of

    options = {
        "store": store,
        "namespace": namespace,
        "retriever": "hybrid" if hybrid else retriever,
        "embedder": embedder,
        "threshold": threshold,
        "k": k,
    }
    if hybrid and retriever:
        raise InvalidConfig("--hybrid is a --retriever of its own: give one of them")
    settings = settings_of(config, options, quiet=quiet)
    more: dict[str, Any] = {"budget": budget, "k": k or settings.k}
    if budget is not None and k is None:
        more["k"] = None
    settings, more["reranker"] = _reranking(settings, rerank)
    more["distinct"] = distinct
    reader = _reader(tenant, access, where, as_of)
    with waiting("searching", quiet=quiet), store_of(settings) as opened:
        searcher = open_searcher(settings, opened, as_cut=namespace is not None, **more)
        answer = searcher.search(question, reader)
        hints = _hints(searcher, reader, answer)
    if as_json:
        print_json(_record(answer, hints))
    else:
        _show(answer, searcher, conditions=reader.where is not None)
        for hint in hints:
            note(f"hint: {hint}", quiet=quiet)
    if not answer.answered:
        raise typer.Exit(NOT_ANSWERED)


def _reranking(settings: BenchConfig, rerank: str | None) -> tuple[BenchConfig, Any]:
    """The settings and the reranker: maxsim is a part of the hybrid ranking itself."""
    from seamline.retrieve.rerankers import LATE, parse_reranker

    if rerank is None:
        return settings, None
    given = parse_spec(rerank)
    if given.name != LATE:
        return settings, parse_reranker(rerank)
    if given.params:
        raise InvalidConfig(f"--rerank {LATE} takes no parameters, got {given}")
    spec = parse_spec(settings.retriever)
    if spec.name != "hybrid":
        raise InvalidConfig(f"--rerank {LATE} needs the retriever hybrid, got {settings.retriever}")
    late = Spec(spec.name, {**spec.params, "rerank": LATE})
    return replace(settings, retriever=str(late)), None


def _reader(
    tenant: str, access: list[str] | None, where: list[str] | None, as_of: int | None
) -> Reader:
    from seamline.store.values import Reader
    from seamline.store.where import All, parse_where

    conditions = tuple(map(parse_where, where or ()))
    picked = All(conditions) if len(conditions) > 1 else next(iter(conditions), None)
    if access and "" in access:
        raise InvalidConfig("--access must not be empty")
    return Reader(tenant, frozenset(access or ()), picked, as_of)


def _hints(searcher: Searcher, reader: Reader, answer: Answer) -> list[str]:
    """Why the conditions match no document, where that can be said."""
    from seamline.retrieve.unmatched import reasons

    return [] if answer.scored else reasons(searcher.namespace, reader)


def _record(answer: Answer, hints: list[str]) -> dict[str, Any]:
    found = asdict(answer)
    found["passages"] = [
        _named(row) | {"id": passage.id, "parts": _named(row["parts"])}
        for passage, row in zip(answer.passages, found["passages"], strict=True)
    ]
    return found | {"tokens": answer.tokens, "hints": hints}


def _named(row: dict[str, Any]) -> dict[str, Any]:
    return {_NAMES.get(name, name): value for name, value in row.items()}


def _show(answer: Answer, searcher: Searcher, *, conditions: bool) -> None:
    from seamline.report.plain import one_line, plain

    for passage in answer.passages:
        emit(f"{passage.rank}  {one_line(_citation(passage))}")
        emit(dim(f"   {_scores(passage)}"))
        shown = "\n".join(part for part in (passage.context, passage.text) if part)
        emit("\n".join(f"   {plain(line)}" for line in shown.splitlines()))
        emit()
    searched = counted(answer.scored, "chunk")
    if conditions and not answer.scored:
        emit("Not answered: the conditions match no document that you may read.")
    elif not answer.passages:
        fits = "" if searcher.budget is None else f" that fits {counted(searcher.budget, 'token')}"
        emit(f"Not answered: nothing{fits} was found in {searched} that you may read.")
    elif not answer.answered:
        emit(
            f"Not answered: the nearest chunk has a cosine of {answer.similarity:.2f} to the "
            f"question, and the threshold is {searcher.threshold:.2f} (`seamline calibrate` finds "
            "the one that fits your model)."
        )


def _citation(passage: Passage) -> str:
    from seamline.cli.chunk import PLACES

    places = [
        f"{name} {_range(passage.metadata[key])}".strip()
        for key, name in PLACES.items()
        if key in passage.metadata
    ]
    headings = " > ".join(passage.metadata.get("headings", ()))
    where = [passage.doc_id, headings, *places, f"{passage.start}–{passage.end}"]
    return ", ".join(part for part in where if part)


def _range(value: Any) -> str:
    if isinstance(value, list):
        first, last = value[0], value[-1]
        return str(first) if first == last else f"{first}–{last}"
    return str(value)


def _scores(passage: Passage) -> str:
    arms = {"dense": passage.dense, "words": passage.words}
    told = [f"{_PARTS[name]} {value:.3f}" for name, value in arms.items() if value is not None]
    if passage.reranked is not None:
        told.insert(0, f"reranked {passage.reranked:.3f}")
    score = f"score {passage.score:.3f}"
    if len(passage.parts) > 1:
        score += " = " + " + ".join(
            f"{value:.3f} {_PARTS.get(name, name)}" for name, value in passage.parts.items()
        ).replace("+ -", "− ")
    return ", ".join([score, *told, counted(passage.tokens, "token")])
