"""The two things most people come for: cut a text, and compare strategies on a golden set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from seamline.bench import Progress, Results, run_bench, run_sweep
from seamline.bench.allowance import Budget
from seamline.bench.foreign import as_embedder
from seamline.bench.grid import expand
from seamline.config import BenchConfig, check_keys, load_config
from seamline.embed.cache import CachedEmbedder
from seamline.errors import InvalidConfig, MissingInput
from seamline.golden.sets import find_set, is_set, load_set, read_set
from seamline.ingest.batch import Progress as IngestProgress
from seamline.ingest.batch import Summary
from seamline.ingest.labels import Labels
from seamline.ingest.open import open_ingest, store_of
from seamline.ingest.open import open_searcher as searcher_of
from seamline.parse import Skipped, find_files, parse_file, parse_text
from seamline.protocols import Embedder, Strategy
from seamline.retrieve.searcher import Searcher
from seamline.split import parse_strategy
from seamline.split.align import as_strategy
from seamline.store.base import Store
from seamline.types import Chunk, Document

__all__ = [
    "benchmark",
    "find_set",
    "ingest_documents",
    "is_set",
    "load_set",
    "open_searcher",
    "read_set",
    "split_text",
    "sweep",
]


def split_text(
    text: str | Document | Path,
    strategy: str | Strategy = "adaptive",
    *,
    embedder: str | Embedder = "minilm",
    media_type: str = "text/plain",
) -> list[Chunk]:
    """The chunks of `text` in order, each an exact slice of it; none of blank text.

    `text` is a string, a document, or a `Path`, whose file is read; its name then
    says whether it is Markdown. `strategy` is a spec, a preset's name or any object
    with `split(document)` or `split_text(text)`. `embedder` serves the strategies
    that need one; its model is loaded only then.
    `media_type` says what a string is: `text/plain` or `text/markdown`. Offsets
    count code points after line ends became newlines.

    Raises:
        InvalidConfig: a strategy, embedder or parameter that cannot work.
        InvalidDocument: the text is not valid Unicode, or no parser reads `media_type`.
        MissingInput: there is no file at the path.
        AlignmentError: what an object returned is not in the document.
        EmbeddingError: what an embedder returned are no unit vectors, one a text.

    Example:
        >>> text = "Oil the pump. Check the belt."
        >>> chunks = split_text(text, "sentence(size=5)")
        >>> [(chunk.start, chunk.end, chunk.text) for chunk in chunks]
        [(0, 13, 'Oil the pump.'), (14, 29, 'Check the belt.')]
    """
    document = _document(text, media_type)
    if isinstance(strategy, str):
        # In memory: it checks the vectors of an embedder of the caller's own.
        cached = CachedEmbedder(as_embedder(embedder), None)
        strategy = parse_strategy(strategy, embedder=cached)
    return list(as_strategy(strategy).split(document))


def _document(text: Any, media_type: str) -> Document:
    if isinstance(text, str):
        return parse_text(text, media_type=media_type)
    if isinstance(text, Path):
        return parse_file(text)
    if isinstance(text, Document):
        return text
    raise InvalidConfig(f"text must be a string, a Document or a Path, got a {type(text).__name__}")


def benchmark(
    docs: str | Path | Sequence[str | Path] = (),
    golden: str | Path | None = None,
    *,
    strategies: str | Sequence[Any] | Mapping[str, Any] | None = None,
    embedder: str | Embedder | None = None,
    progress: Progress | None = None,
    skipped: list[Skipped] | None = None,
    **settings: Any,
) -> Results:
    """How strategies compare on your documents and questions.

    `docs` are files and folders, `golden` is a JSONL file; see `find_set` for what
    may be left out. `strategies` are specs (one string with semicolons, or a
    list) and objects with `split(document)` or `split_text(text)`, which a mapping
    gives names. `embedder` is a spec or an object with `fingerprint`,
    `embed_documents` and `embed_queries`. `settings` are those of `BenchConfig`:
    `retriever`, `k`, `budget`, `scope`, `measures` … The vectors of an embedder
    given as a spec are kept on disk, so a second run embeds nothing that the
    first did. What loading changed in the golden set (an answer found again after
    an edit, spans merged) is warned about. With a list `skipped`, files of a folder
    that cannot be read are put there and named in the results, not refused. Documents
    and questions in memory go to `run_bench`.

    Raises:
        MissingInput: a path is not there, or a folder holds no document.
        InvalidConfig: a setting, strategy or embedder that cannot work.
        InvalidGold: questions that do not fit the documents.

    Example:
        >>> results = benchmark(
        ...     "examples/handbook", strategies="whole; sentence(size=64)", retriever="bm25"
        ... )
        >>> [row.spec for row in results.summary()]
        ['whole', 'sentence(size=64, overlap=0)']
    """
    check_keys(settings)
    config = BenchConfig(**settings)
    documents, questions = load_set(docs, golden, skipped=skipped, limits=config.limits)
    return run_bench(
        documents,
        questions,
        config,
        strategies=strategies,
        embedder=embedder,
        progress=progress,
        skipped=skipped or (),
    )


def sweep(
    docs: str | Path | Sequence[str | Path] = (),
    golden: str | Path | None = None,
    *,
    grid: Any = None,
    minutes: float | None = None,
    embed_calls: int | None = None,
    embedder: str | Embedder | None = None,
    progress: Progress | None = None,
    skipped: list[Skipped] | None = None,
    **settings: Any,
) -> Results:
    """How the configurations of a grid compare on your documents and questions.

    `grid` is `"quick"`, `"full"`, or a mapping (or a list of mappings, whose union counts)
    of `strategies`, `retrievers`, `prefix`, `merge` and `dedupe`, each a list; lists inside
    a spec are crossed too: `fixed(size=[128, 256], overlap=[0, 0.1])`. Each row's `spec`
    names a configuration: a cut, a ranking and how it is shown. `minutes` and
    `embed_calls` (texts sent to the embedder, those in the cache not counted) limit what is
    measured; see `run_sweep`. The rest is as for `benchmark`.

    Raises:
        MissingInput: a path is not there, or a folder holds no document.
        InvalidConfig: a setting, grid or embedder that cannot work.
        InvalidGold: questions that do not fit the documents.

    Example:
        >>> grid = {"strategies": "whole; fixed(size=[64, 128])", "retrievers": "bm25"}
        >>> for row in sweep("examples/handbook", grid=grid, budget=200).summary():
        ...     print(row.spec)
        fixed(size=64, overlap=8) | bm25
        fixed(size=128, overlap=16) | bm25
        whole | bm25
    """
    check_keys(settings)
    config = BenchConfig(**settings) if grid is None else BenchConfig(grid=grid, **settings)
    budget = Budget(minutes, embed_calls)
    expand(config)  # refuses what cannot be before the documents are read
    documents, questions = load_set(docs, golden, skipped=skipped, limits=config.limits)
    return run_sweep(
        documents,
        questions,
        config,
        embedder=embedder,
        budget=budget,
        progress=progress,
        skipped=skipped or (),
    )


def ingest_documents(
    docs: str | Path | Iterable[str | Path | Document],
    store: str | Store | None = None,
    *,
    config: str | Path | None = None,
    labels: Labels | None = None,
    embedder: str | Embedder | None = None,
    prune: bool = False,
    progress: IngestProgress | None = None,
    skipped: list[Skipped] | None = None,
    **settings: Any,
) -> Summary:
    """Bring a store up to date with documents; what was done.

    `docs` are files and folders, or any iterable of `Document`, which may come one by one.
    `store` is a URL or what `open_store` gave; left out, the `store` of the settings. These are
    those of `BenchConfig`, by keyword (`strategy`, `embedder`, `retriever`, `tokenizer`,
    `namespace`, `keep_versions` …), on top of those of the file `config`, such as the
    seamline.toml that `seamline recommend` writes; no file is read unless it is named.
    `labels` say whose the documents are and who may read them. An unchanged document costs a
    hash, an unchanged chunk no embedding. With `prune` the tenant's documents that are not among
    `docs` are removed. Files of a folder that cannot be read are put into `skipped`; what the
    store has of them stays. `progress` is called with (done, total, what), total 0 where it is
    not known.

    Raises:
        InvalidConfig: settings that cannot work, or a namespace made by other ones.
        MissingInput: no documents.
        StoreError: the store cannot be reached or written; what was committed stays.

    Example:
        >>> from seamline.store import open_store
        >>> with open_store("memory://") as store:
        ...     done = ingest_documents("examples/handbook/docs", store, retriever="bm25")
        ...     again = ingest_documents("examples/handbook/docs", store, retriever="bm25")
        ...     text = Document.from_text("Oil the pump weekly.", "pump.md")
        ...     more = ingest_documents([text], store, retriever="bm25")
        >>> done.new, again.new, again.unchanged, more.new
        (1, 0, 1, 1)
    """
    wanted = _settings(config, settings, embedder)
    notes = [] if skipped is None else skipped
    common: dict[str, Any] = {"labels": labels, "embedder": _object(embedder)}
    told: dict[str, Any] = {"prune": prune, "skipped": notes, "progress": progress}
    paths, some, documents = _given(docs)
    if documents is not None:
        with _opened(store, wanted) as opened:
            texts = [document.text for document in some]
            return open_ingest(wanted, opened, (), texts=texts, **common).run_documents(
                documents, **told
            )
    files = find_files(paths, skipped=notes)
    with _opened(store, wanted) as opened:
        return open_ingest(wanted, opened, files, **common).run(files, **told)


def open_searcher(
    store: str | Store | None = None,
    *,
    config: str | Path | None = None,
    embedder: str | Embedder | None = None,
    **settings: Any,
) -> Searcher:
    """What searches a store as the settings say: those of `BenchConfig`, by keyword.

    They come on top of those of the file `config`, which may name the `store` too; no file is
    read unless it is named. `k` passages are shown; with `budget` as many as fit so many
    tokens. `Searcher.search` has an `asearch` beside it, and both take a `Reader`: whose
    documents, and which. Closing the searcher closes a store that was opened by its URL.

    Raises:
        MissingInput: there is no such namespace.
        InvalidConfig: settings that cannot work, or that are not those it was ingested with.
        StoreError: the store cannot be reached.

    Example:
        >>> from seamline.store import open_store
        >>> store = open_store("memory://")
        >>> settings = {"retriever": "bm25", "strategy": "table_rows"}
        >>> _ = ingest_documents("examples/handbook/docs", store, **settings)
        >>> searcher = open_searcher(store, k=1, **settings)
        >>> answer = searcher.search("What does the dental plan pay?")
        >>> len(answer.passages)
        1
    """
    wanted = _settings(config, settings, embedder)
    shown: dict[str, Any] = {}
    if "budget" in settings:
        shown = {"budget": wanted.budget, "k": settings.get("k")}
    if isinstance(store, Store):
        return searcher_of(wanted, store, embedder=_object(embedder), **shown)
    opened = store_of(replace(wanted, store=store or wanted.store))
    try:
        return searcher_of(wanted, opened, embedder=_object(embedder), closes=opened, **shown)
    except BaseException:
        opened.close()
        raise


def _settings(
    config: str | Path | None, settings: Mapping[str, Any], embedder: str | Embedder | None
) -> BenchConfig:
    check_keys(settings)
    named = {"embedder": embedder} if isinstance(embedder, str) else {}
    if config is None:
        return BenchConfig(**{**settings, **named})
    return load_config(config, {**settings, **named})


def _object(embedder: str | Embedder | None) -> Embedder | None:
    """An embedder of the caller's own, its vectors checked."""
    if embedder is None or isinstance(embedder, str):
        return None
    return CachedEmbedder(as_embedder(embedder), None, keep=False)


def _given(
    docs: Any,
) -> tuple[list[str | Path], list[Document], Iterable[Document] | None]:
    """Paths; or the first documents, and all of them, each checked as it comes.

    Raises:
        InvalidConfig: neither.
        MissingInput: no document at all.
    """
    if isinstance(docs, str | Path | Document):
        docs = [docs]
    if not isinstance(docs, Iterable):
        raise InvalidConfig(f"documents must be paths or Document objects, got {docs!r}")
    coming = iter(docs)
    first = list(islice(coming, 1))
    if not first:
        raise MissingInput("at least one document must be given, got none")
    if not isinstance(first[0], Document):
        return [*first, *coming], [], None
    documents = _checked(chain(first, coming))
    some = list(islice(documents, _SAMPLE))
    rest = chain(some, documents)
    return [], some, list(rest) if isinstance(docs, Sequence) else rest


def _checked(docs: Iterable[Any]) -> Iterator[Document]:
    for document in docs:
        if not isinstance(document, Document):
            raise InvalidConfig(
                "documents must be paths, or all of them Document objects, got "
                f"{type(document).__name__} among these: Document.from_text makes one"
            )
        yield document


_SAMPLE = 64  # documents that the language is read off


@contextmanager
def _opened(store: str | Store | None, config: BenchConfig) -> Iterator[Store]:
    """A store, closed at the end if it was opened here."""
    if isinstance(store, Store):
        yield store
        return
    with store_of(replace(config, store=store or config.store), create=True) as opened:
        yield opened
