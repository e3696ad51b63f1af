"""Settings made into parts: everything that can be refused is refused before work begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seamline.bench.foreign import as_embedder
from seamline.config import BenchConfig
from seamline.embed import parse_embedder
from seamline.embed.cache import CachedEmbedder, cache_path
from seamline.errors import InvalidConfig
from seamline.measure import MEASURES, ChunkMeasure, Cutoff, Measure, parse_measure
from seamline.protocols import Embedder, Sizer, Strategy
from seamline.registry import Spec, parse_specs
from seamline.retrieve import Retriever, parse_retriever
from seamline.sizers import parse_sizer, sizes
from seamline.split import parse_strategy
from seamline.split.align import Foreign, as_strategy
from seamline.types import FloatArray

__all__ = ["CountingEmbedder", "Plan", "make_plan"]


class CountingEmbedder:
    """Passes texts on to a cached embedder and counts what ingest would have to embed.

    `texts` and `tokens` (by the run's tokenizer) count every text, whether the
    cache held it or not, so they are the same in every run. What the embedder
    does not see is counted in its own tokens if it has `beyond_window(texts)`,
    else by the run's tokenizer past its `max_tokens`.
    """

    def __init__(self, embedder: CachedEmbedder, sizer: Sizer) -> None:
        self.cached = embedder
        self._sizer = sizer
        self._window: int | None = getattr(embedder.embedder, "max_tokens", None)
        self._beyond_window: Callable[[Sequence[str]], tuple[int, int]] | None = getattr(
            embedder.embedder, "beyond_window", None
        )
        self.reset()

    @property
    def fingerprint(self) -> str:
        """The embedder's own."""
        return self.cached.fingerprint

    def reset(self) -> None:
        """Count from 0 again."""
        self.texts = self.tokens = self._beyond = self._all = 0

    @property
    def truncated_share(self) -> float | None:
        """Tokens beyond the embedder's window / all tokens; None if not known or there are none."""
        return self._beyond / self._all if self._all else None

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """See `Embedder.embed_documents`."""
        counts = sizes(self._sizer, texts)
        self.texts += len(texts)
        self.tokens += int(counts.sum())
        if self._beyond_window is not None:
            beyond, total = self._beyond_window(texts)
        elif self._window is not None:
            beyond, total = int((counts - self._window).clip(0).sum()), int(counts.sum())
        else:
            beyond, total = 0, 0
        self._beyond += beyond
        self._all += total
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

    @property
    def ranked(self) -> list[Measure]:
        """The measures that look at a ranking."""
        return [one for one in self.measures if isinstance(one, Measure)]

    @property
    def whole(self) -> Measure:
        """What says whether the whole gold is shown, at the cutoff of the primary measure.

        At k pieces where that has none.
        """
        primary = self.measures[0]
        at = primary.cutoff if isinstance(primary, Measure) else Cutoff(self.config.k)
        return MEASURES["HitWhole"](at)


def make_plan(
    config: BenchConfig,
    strategies: str | Sequence[Any] | Mapping[str, Any] | None,
    embedder: str | Embedder | None,
) -> Plan:
    """The parts that `config` names; `strategies` and `embedder` take the place of its own.

    A strategy is a spec, or any object with `split(document)`; a mapping gives names.

    Raises:
        InvalidConfig: a name or parameter that cannot work, or a strategy twice.
    """
    if not isinstance(config, BenchConfig):
        raise InvalidConfig(f"config must be a BenchConfig, got {_kind(config)}")
    if isinstance(embedder, str):
        config, embedder = replace(config, embedder=embedder), None
    sizer = parse_sizer(config.tokenizer)
    inner = getattr(embedder, "embedder", embedder)
    name = config.embedder if embedder is None else type(inner).__name__
    if embedder is None:
        folder = config.cache_dir
        path = Path(folder) / cache_path().name if folder else cache_path()
        embedder = CachedEmbedder(parse_embedder(config.embedder), path)
    elif not isinstance(embedder, CachedEmbedder):
        embedder = CachedEmbedder(as_embedder(embedder), None)
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


def _strategies(
    given: str | Sequence[Any] | Mapping[str, Any], embedder: Embedder
) -> tuple[Strategy, ...]:
    if isinstance(given, str):
        given = [str(spec) for spec in parse_specs(given)]
    if isinstance(given, Mapping):
        made = [_named(name, _strategy(one, embedder)) for name, one in given.items()]
    elif isinstance(given, Sequence):
        made = list(_numbered([_strategy(one, embedder) for one in given]))
    else:
        raise InvalidConfig(
            f"strategies must be a list, or a mapping of names to strategies, got {_kind(given)}"
        )
    if not made:
        raise InvalidConfig("at least one strategy is needed, got none")
    (spec, times), *_ = Counter(map(str, made)).most_common(1)
    if times > 1:
        raise InvalidConfig(
            f"each strategy must be given once, got {spec!r} {times} times (defaults and presets "
            "written out): drop one"
        )
    return tuple(made)


def _strategy(thing: Any, embedder: Embedder) -> Strategy:
    if isinstance(thing, str | Spec):
        return parse_strategy(thing, embedder=embedder)
    return as_strategy(thing)


def _named(name: Any, strategy: Strategy) -> Strategy:
    if not isinstance(name, str) or not name.strip():
        raise InvalidConfig(f"the name of a strategy must be a non-empty string, got {name!r}")
    return Foreign(strategy.splitter if isinstance(strategy, Foreign) else strategy, name)


def _numbered(strategies: Sequence[Strategy]) -> Iterator[Strategy]:
    """The strategies, foreign ones of a label that was there before with a number."""
    labels = {str(one) for one in strategies if not isinstance(one, Foreign)}
    for one in strategies:
        if isinstance(one, Foreign):
            label, number = one.label, 1
            while label in labels:
                number += 1
                label = f"{one.label} #{number}"
            labels.add(label)
            yield replace(one, label=label)
        else:
            yield one


def _kind(thing: Any) -> str:
    return f"a {type(thing).__name__}"
