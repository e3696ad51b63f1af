"""The same strategies searched through a real store, beside the exact numbers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.bench.chunked import Chunked
from seamline.bench.score import Values
from seamline.bench.trial import Ranking, Trials
from seamline.ingest.cut import Maker
from seamline.protocols import Strategy
from seamline.retrieve import Ranks, Retriever
from seamline.retrieve.analyze import AUTO, Analyzer, analyzer_for
from seamline.retrieve.live import score
from seamline.retrieve.searcher import late_of
from seamline.retrieve.terms import asked_terms
from seamline.store.base import Asked, Namespace, Store, SupportsSettle, SupportsSize
from seamline.store.values import Entry, NamespaceInfo, Reader
from seamline.store.where import key
from seamline.types import FloatArray, IntArray

__all__ = ["Through", "through_store"]

_BATCH = 1024  # chunks that are written together
_TOP = 10  # chunks whose agreement is counted
_SAME = 1e-9
_CLOCKED = ("build_seconds", "p50_ms", "p95_ms", "p99_ms", "n_bytes")


@dataclass(frozen=True, slots=True)
class Through:
    """One strategy through a store, and exact.

    `exact` and `through` are means of `measure`, `n_changed` the questions that score
    otherwise. `overlap` is the share of the 10 best chunks of the exact ranking that are among
    the 10 best of the store's. Seconds of writing and building, milliseconds of a search (50th,
    95th and 99th of 100), and bytes on disk, None where the store does not say.
    """

    spec: str
    measure: str
    exact: float | None
    through: float | None
    n_changed: int
    overlap: float
    n_chunks: int
    build_seconds: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    n_bytes: int | None

    @property
    def found(self) -> dict[str, Any]:
        """What is the same in every run on an exact store: goes into results.json."""
        return {name: one for name, one in asdict(self).items() if name not in _CLOCKED}

    @property
    def clocked(self) -> dict[str, Any]:
        """What it took: goes into timings.json."""
        return {name: getattr(self, name) for name in _CLOCKED}


def through_store(
    trials: Trials, strategy: Strategy, chunked: Chunked, ranking: Ranking, store: Store
) -> Through:
    """What a strategy scores when its chunks are written to a store and searched there.

    Everything is written into a namespace of its own, which is dropped at the end. A question
    about one document only is searched with a condition on its id.
    """
    info = _info(trials, chunked, ranking)
    store.drop(info.name)
    try:
        namespace = store.create(info)
        began = time.perf_counter()
        firsts = _fill(trials, strategy, chunked, namespace)
        built = time.perf_counter() - began
        return _measured(
            trials, chunked, ranking, StoreIndex(namespace, ranking, firsts, trials), built
        )
    finally:
        store.drop(info.name)


def _info(trials: Trials, chunked: Chunked, ranking: Ranking) -> NamespaceInfo:
    embedder, vectors = trials.plan.embedder, ranking.retriever.needs_vectors
    facts = repr((chunked.spec, str(ranking.retriever), embedder.fingerprint))
    return NamespaceInfo(
        name=f"bench-{hashlib.blake2b(facts.encode(), digest_size=6).hexdigest()}",
        strategy=chunked.spec,
        dim=chunked.vectors.shape[1] if vectors else 0,
        fingerprint=embedder.fingerprint if vectors else "",
        language=_analyzer(ranking.retriever, chunked.texts).language,
        tokenizer=trials.plan.sizer.name,
    )


def _analyzer(retriever: Retriever, texts: Sequence[str]) -> Analyzer:
    return analyzer_for(getattr(retriever, "language", AUTO), texts)


def _measured(
    trials: Trials, chunked: Chunked, ranking: Ranking, index: StoreIndex, built: float
) -> Through:
    measure = trials.plan.config.primary
    through = trials.score(chunked, ranking, index).values[measure]
    exact = trials.score(chunked, ranking).values[measure]
    p50, p95, p99 = np.percentile(np.array(index.seconds) * 1000, [50, 95, 99]).tolist()
    return Through(
        spec=ranking.name,
        measure=measure,
        exact=_mean(exact),
        through=_mean(through),
        n_changed=int((np.abs(exact - through) > _SAME).sum()),
        overlap=_overlap(trials, chunked, ranking, index),
        n_chunks=len(chunked.table),
        build_seconds=built,
        p50_ms=p50,
        p95_ms=p95,
        p99_ms=p99,
        n_bytes=index.namespace.n_bytes if isinstance(index.namespace, SupportsSize) else None,
    )


def _mean(values: Values) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _overlap(trials: Trials, chunked: Chunked, ranking: Ranking, index: StoreIndex) -> float:
    asked = np.arange(len(trials.asked))
    ours = trials.ranks(index, asked, depth=_TOP).ids
    exact = trials.ranks(trials.index_of(chunked, ranking.retriever), asked, depth=_TOP).ids
    shares = [
        len(set(a.tolist()) & set(b.tolist()) - {-1}) / max(1, (b >= 0).sum())
        for a, b in zip(ours, exact, strict=True)
    ]
    return float(np.mean(shares)) if shares else 1.0


def _fill(
    trials: Trials, strategy: Strategy, chunked: Chunked, namespace: Namespace
) -> dict[str, int]:
    """Write all documents; the number of the first chunk of each."""
    maker = Maker(strategy, trials.plan.sizer, Analyzer(namespace.info.language))
    firsts: dict[str, int] = {}
    batch: list[Entry] = []
    waiting = at = 0
    for document in trials.corpus.documents:
        cut = maker.cut(document)
        n = len(cut.columns)
        firsts[document.id] = at
        vectors = chunked.vectors[at : at + n] if namespace.info.dim else None
        batch.append(
            Entry(
                doc_id=document.id,
                text=document.text,
                digest=document.digest.encode(),
                columns=cut.columns,
                details=cut.details,
                vectors=vectors,
                ends=cut.ends,
            )
        )
        at, waiting = at + n, waiting + n
        if waiting >= _BATCH:
            namespace.put(batch)
            batch, waiting = [], 0
    namespace.put(batch)
    if isinstance(namespace, SupportsSettle):
        namespace.settle()
    return firsts


@dataclass(slots=True, eq=False)
class StoreIndex:
    """A namespace as an `Index`; `seconds` has what each search took."""

    namespace: Namespace
    ranking: Ranking
    firsts: dict[str, int]
    trials: Trials
    seconds: list[float] = field(default_factory=list)

    def rank(
        self,
        questions: Sequence[str],
        query_vectors: FloatArray | None = None,
        *,
        depth: int,
        scope: IntArray | None = None,
    ) -> Ranks:
        """See `Index.rank`."""
        ids = np.full((len(questions), depth), -1, np.int32)
        scores = np.zeros((len(questions), depth), np.float32)
        analyzer = Analyzer(self.namespace.info.language)
        for row, question in enumerate(questions):
            reader = Reader() if scope is None else self._within(int(scope[row]))
            terms, times = asked_terms(analyzer, question)
            vector = None if query_vectors is None else query_vectors[row]
            began = time.perf_counter()
            numbers, best = self._search(question, Asked(vector, terms, depth), times, reader)
            self.seconds.append(time.perf_counter() - began)
            ids[row, : len(numbers)], scores[row, : len(numbers)] = numbers, best
        return Ranks(ids, scores)

    def _search(
        self, question: str, asked: Asked, times: FloatArray, reader: Reader
    ) -> tuple[NDArray[np.int64], FloatArray]:
        """The numbers of the best chunks among all of the corpus, and their scores."""
        retriever = self.ranking.retriever
        with self.namespace.read(reader) as view:
            found = view.scope(asked)
            late = late_of(retriever, self.trials.plan.embedder.cached, question, view, found)
            scored = score(retriever, found, asked, times, late)
            best = scored.best(asked.depth, found.eligible)
            owners, place = np.unique(found.document[best], return_inverse=True)
            held = view.held(owners.tolist())
        firsts = np.array([self.firsts[held[n].doc_id] for n in owners.tolist()], np.int64)
        return firsts[place.reshape(-1)] + found.ordinal[best], scored.scores[best]

    def _within(self, document: int) -> Reader:
        return Reader(where=key("id") == self.trials.corpus.documents[document].id)
