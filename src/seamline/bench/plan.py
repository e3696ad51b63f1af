"""Settings made into parts: everything that can be refused is refused before work begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamline.config import BenchConfig
from seamline.embed import parse_embedder
from seamline.embed.cache import CachedEmbedder, cache_path
from seamline.errors import InvalidConfig
from seamline.measure import ChunkMeasure, Measure, parse_measure
from seamline.protocols import Embedder, Sizer, Strategy
from seamline.retrieve import Retriever, parse_retriever
from seamline.sizers import parse_sizer, sizes
from seamline.split import parse_strategy
from seamline.split.align import as_strategy
from seamline.types import FloatArray

__all__ = ["CountingEmbedder", "Plan", "make_plan"]


class CountingEmbedder:
    """Passes texts on to a cached embedder and counts what ingest would have to embed.

    `texts` and `tokens` (by the run's tokenizer) count every text, whether the
    cache held it or not, so they are the same in every run; `beyond` are the
    tokens past the embedder's window.
    """

    def __init__(self, embedder: CachedEmbedder, sizer: Sizer) -> None:
        self.cached = embedder
        self._sizer = sizer
        self.window: int | None = getattr(embedder.embedder, "max_tokens", None)
        self.reset()

    @property
    def fingerprint(self) -> str:
        """The embedder's own."""
        return self.cached.fingerprint

    def reset(self) -> None:
        """Count from 0 again."""
        self.texts = self.tokens = self.beyond = 0

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """See `Embedder.embed_documents`."""
        counts = sizes(self._sizer, texts)
        self.texts += len(texts)
        self.tokens += int(counts.sum())
        if self.window is not None:
            self.beyond += int((counts - self.window).clip(0).sum())
        return self.cached.embed_documents(texts)

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """See `Embedder.embed_queries`; not counted."""
        return self.cached.embed_queries(texts)


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The parts of one benchmark."""

    config: BenchConfig
    strategies: tuple[Strategy, ...]
    retriever: Retriever
    embedder: CountingEmbedder
    embedder_name: str
    sizer: Sizer
    measures: tuple[Measure | ChunkMeasure, ...]


def make_plan(
    config: BenchConfig, strategies: Sequence[Any] | None, embedder: Embedder | None
) -> Plan:
    """The parts that `config` names; `strategies` and `embedder` take the place of its own.

    A strategy is a spec, or any object with `split(document)`.

    Raises:
        InvalidConfig: a name or parameter that cannot work, or a strategy twice.
    """
    sizer = parse_sizer(config.tokenizer)
    inner = getattr(embedder, "embedder", embedder)
    name = config.embedder if embedder is None else type(inner).__name__
    if embedder is None:
        folder = config.cache_dir
        path = Path(folder) / cache_path().name if folder else cache_path()
        embedder = CachedEmbedder(parse_embedder(config.embedder), path)
    elif not isinstance(embedder, CachedEmbedder):
        embedder = CachedEmbedder(embedder, None)
    counting = CountingEmbedder(embedder, sizer)
    given = config.strategies if strategies is None else strategies
    return Plan(
        config=config,
        strategies=_strategies(given, counting),
        retriever=parse_retriever(config.retriever),
        embedder=counting,
        embedder_name=name,
        sizer=sizer,
        measures=tuple(map(parse_measure, config.measures)),
    )


def _strategies(given: Sequence[Any], embedder: Embedder) -> tuple[Strategy, ...]:
    made = tuple(
        parse_strategy(item, embedder=embedder) if isinstance(item, str) else as_strategy(item)
        for item in given
    )
    if not made:
        raise InvalidConfig("at least one strategy is needed, got none")
    (spec, times), *_ = Counter(map(str, made)).most_common(1)
    if times > 1:
        raise InvalidConfig(
            f"each strategy must be given once, got {spec!r} {times} times: drop one, or give a "
            "splitter of your own a label with Foreign(splitter, label)"
        )
    return made
