"""Settings and a store's URL into what ingests and what searches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from seamline.config import BenchConfig
from seamline.embed import parse_embedder
from seamline.embed.cache import CachedEmbedder, cache_path
from seamline.errors import InvalidConfig, MissingInput
from seamline.ingest.batch import is_opened
from seamline.ingest.cut import Maker
from seamline.ingest.labels import Labels
from seamline.ingest.run import File, Ingest, gone_from, plan_files
from seamline.parse import Skipped, read_each
from seamline.protocols import Embedder, Sizer, Strategy
from seamline.retrieve import Retriever, parse_retriever
from seamline.retrieve.analyze import AUTO, Analyzer
from seamline.retrieve.language import detect_language
from seamline.retrieve.searcher import Searcher
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy
from seamline.store import open_store
from seamline.store.base import Namespace, Store
from seamline.store.common import check_info
from seamline.store.values import NamespaceInfo

__all__ = ["open_ingest", "open_searcher", "planned", "store_of"]

_SAMPLE = 64  # documents that the language is read off
_FALLBACK = "adaptive"

_Parts = tuple[Retriever, Embedder, Strategy, Sizer]


def store_of(config: BenchConfig, *, create: bool = False) -> Store:
    """The store that the settings name; a file that is not there is made with `create`.

    But not for settings that cannot work.

    Raises:
        InvalidConfig: they name none, or with `create` no ingest is possible with them.
        MissingInput: there is none.
    """
    if not config.store:
        raise InvalidConfig(
            "a store must be named, by --store sqlite:///index.db or `store` in seamline.toml"
        )
    if create:
        _described(config, None)
    return open_store(config.store, create=create)


def _described(config: BenchConfig, embedder: Embedder | None) -> tuple[_Parts, NamespaceInfo]:
    """What cuts and embeds by the settings, and what these say of a namespace without vectors."""
    model = _model(config, embedder)
    strategy = parse_strategy(config.strategy or _FALLBACK, embedder=model)
    retriever, sizer = parse_retriever(config.retriever), parse_sizer(config.tokenizer)
    info = NamespaceInfo(config.namespace, str(strategy), tokenizer=sizer.name)
    Maker(strategy, sizer, Analyzer(None))
    return (retriever, model, strategy, sizer), info


def open_ingest(
    config: BenchConfig,
    store: Store,
    files: Sequence[File],
    *,
    labels: Labels | None = None,
    embedder: Embedder | None = None,
    texts: Sequence[str] = (),
) -> Ingest:
    """What brings the namespace of the settings up to date; it is made if it is not there.

    It has vectors if the retriever of the settings needs some, by `embedder` or the one
    that they name. The language of words is the retriever's; `auto` is read off some of the
    files, or off `texts`, once, and kept.

    Raises:
        InvalidConfig: the namespace is there, made by another strategy, model or tokenizer.
    """
    (retriever, model, strategy, sizer), info = _described(config, embedder)
    there = _there(store, config.namespace)
    info = replace(info, language=_language(retriever, there, files, texts, config))
    vectors = retriever.needs_vectors
    if vectors:
        info = replace(info, dim=_dim(model, there), fingerprint=model.fingerprint)
    namespace = store.create(info)
    return Ingest(
        namespace=namespace,
        maker=Maker(strategy, sizer, Analyzer(info.language)),
        embedder=model if vectors else None,
        labels=labels or Labels(),
        key=_key(info),
        limits=config.limits,
        keep_versions=config.keep_versions,
    )


def open_searcher(
    config: BenchConfig,
    store: Store,
    *,
    embedder: Embedder | None = None,
    as_cut: bool = False,
    **options: Any,
) -> Searcher:
    """What searches the namespace of the settings as they say; `options` are those of `Searcher`.

    With `as_cut` it may have been cut by any strategy.

    Raises:
        MissingInput: there is no such namespace.
        InvalidConfig: it was made by another model or strategy than the settings name.
    """
    namespace, retriever = store.open(config.namespace), parse_retriever(config.retriever)
    info = namespace.info
    if config.tokenizer != BenchConfig().tokenizer:
        wanted = parse_sizer(config.tokenizer).name
        if wanted != info.tokenizer:
            raise InvalidConfig(
                f"namespace {info.name!r} counts tokens as {info.tokenizer}, but the settings name "
                f"{wanted}: leave the tokenizer out, or ingest with it into another namespace"
            )
    if config.strategy and not as_cut:
        wanted = str(parse_strategy(config.strategy, embedder=_model(config, embedder)))
        if wanted != info.strategy:
            raise InvalidConfig(
                f"namespace {info.name!r} was cut by {info.strategy}, but the settings name "
                f"{wanted}: ingest with these settings into another namespace, or name this one "
                "by --namespace to search it as it is"
            )
    usual: dict[str, Any] = {
        "k": config.k,
        "dedupe": config.dedupe,
        "merge": config.merge,
        "separator": config.separator,
        "threshold": config.threshold if info.dim else None,
    }
    model = _model(config, embedder) if info.dim else None
    return Searcher(namespace, retriever, model, **{**usual, **options})


def _model(config: BenchConfig, embedder: Embedder | None) -> Embedder:
    """The embedder, which takes vectors that a benchmark kept but keeps none itself."""
    if embedder is not None:
        return embedder
    path = Path(config.cache_dir) / cache_path().name if config.cache_dir else cache_path()
    model = parse_embedder(config.embedder)
    try:
        return CachedEmbedder(model, path, keep=False) if path.is_file() else model
    except OSError:  # a folder that may not be looked into
        return model


def _there(store: Store, name: str) -> Namespace | None:
    try:
        return store.open(name)
    except MissingInput:
        return None


def _dim(embedder: Embedder, there: Namespace | None) -> int:
    """The dimensions of the embedder's vectors; it is asked only where nothing tells them."""
    if there is not None and there.info.fingerprint == embedder.fingerprint:
        return there.info.dim
    return int(embedder.embed_documents(["seamline"]).shape[1])


def _language(
    retriever: Retriever,
    there: Namespace | None,
    files: Sequence[File],
    texts: Sequence[str],
    config: BenchConfig,
) -> str | None:
    wanted: str | None = getattr(retriever, "language", AUTO)
    if wanted != AUTO:
        return wanted
    if there is not None:
        return there.info.language
    if texts:
        return detect_language(texts)
    step = -(-len(files) // _SAMPLE) or 1
    found = read_each(files[::step], [], skipped=[], limits=config.limits)
    return detect_language([document.text for document in found if document is not None])


def planned(
    config: BenchConfig,
    store: Store,
    files: Sequence[File],
    labels: Labels,
    skipped: list[Skipped],
    *,
    embedder: Embedder | None = None,
) -> dict[str, list[str]]:
    """The documents that an ingest would find `new`, `changed`, `unchanged`, or `removed`.

    `opened` are those of the changed that more readers may read then. What is new or changed
    is parsed, so what cannot be read is put into `skipped`.
    """
    there, key = _there(store, config.namespace), ""
    if there is not None:
        key = _key(there.info)
        _check_settings(config, there.info, embedder)
    names = ("new", "changed", "unchanged", "removed", "opened")
    states: dict[str, list[str]] = {name: [] for name in names}
    waiting: list[str] = []

    def wanted() -> Iterator[File]:
        for file, state, _ in plan_files(files, there, labels, key, skipped):
            if state == "unchanged":
                states[state].append(file[1])
            else:
                waiting.append(state)
                yield file

    for document in read_each(wanted(), [], skipped=skipped, limits=config.limits):
        state = waiting.pop()
        if document is not None:
            states[state].append(document.id)
    if there is not None:
        tenant = labels.tenant
        states["opened"] = [
            name
            for name in states["changed"]
            if is_opened(there, tenant, name, labels.of(name).access)
        ]
        states["removed"] = gone_from(there, tenant, [name for _, name in files], skipped)
    return states


def _check_settings(config: BenchConfig, there: NamespaceInfo, embedder: Embedder | None) -> None:
    """Raise what an ingest into a namespace that is there would."""
    (retriever, model, *_), info = _described(config, embedder)
    if retriever.needs_vectors:
        info = replace(info, dim=there.dim or _dim(model, None), fingerprint=model.fingerprint)
    check_info(there, replace(info, language=there.language))


def _key(info: NamespaceInfo) -> str:
    """What documents must be made anew for when it changes, besides their bytes and labels."""
    return f"{info.strategy} {info.tokenizer} {info.language} {version('seamline')}"
