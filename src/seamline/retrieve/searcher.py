"""Search in a store: ranked as the benchmark ranks, assembled as it assembles."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.protocols import Embedder, SupportsTokenVectors
from seamline.retrieve.analyze import AUTO, Analyzer
from seamline.retrieve.answer import Answer, Passage
from seamline.retrieve.assemble import assemble
from seamline.retrieve.base import Retriever
from seamline.retrieve.cited import cited
from seamline.retrieve.distinct import Distinct
from seamline.retrieve.live import Late, Scored, score
from seamline.retrieve.rerank import MaxSim, kept_tokens
from seamline.retrieve.rerankers import Reranker
from seamline.retrieve.table import ChunkTable
from seamline.retrieve.terms import asked_terms
from seamline.retrieve.walk import Shown
from seamline.store.base import Asked, Namespace, Scope, Store, View
from seamline.store.values import Columns, Details, Held, Reader
from seamline.types import FloatArray, IntArray

__all__ = ["Answer", "Passage", "Searcher", "late_of"]

_FIRST = 64  # chunks that are looked at first to fill a budget
_EACH = 3  # and for each of k pieces
_DEPTH = 200  # chunks that a store which does not score all is asked for at least


@dataclass(frozen=True, slots=True, eq=False)
class Searcher:
    """Searches a namespace by a retriever; safe to use from several threads.

    `k` passages are shown, or as many as fit `budget` tokens, or what both allow. A `reranker`
    puts the best of them in its own order. With `distinct` (0..1) chunks whose text is that
    much alike to a better one's are left out. With `dedupe` nothing is shown twice, with
    `merge` touching passages are one. `separator` is
    what a reader pays between passages, in tokens. `threshold` is the cosine under which even
    the nearest chunk is no answer; None: none. The store `closes` is closed with it.

    Raises:
        InvalidConfig: the embedder is not the one that the namespace was made with, or one is
            needed and there is none; the retriever is one that a store cannot serve.
    """

    namespace: Namespace
    retriever: Retriever
    embedder: Embedder | None = None
    k: int | None = 5
    budget: int | None = None
    dedupe: bool = False
    merge: bool = False
    separator: int = 0
    threshold: float | None = None
    reranker: Reranker | None = None
    distinct: float | None = None
    closes: Store | None = None
    _analyzer: Analyzer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        info = self.namespace.info
        object.__setattr__(self, "_analyzer", Analyzer(info.language))
        own = "" if self.embedder is None else self.embedder.fingerprint
        if self.retriever.needs_vectors and not info.dim:
            raise InvalidConfig(
                f"{self.retriever} needs vectors, but namespace {info.name!r} holds none: take bm25"
            )
        if info.dim and own and own != info.fingerprint:
            raise InvalidConfig(
                f"namespace {info.name!r} was embedded by {info.fingerprint}, but the question "
                f"would be by {own}: take the embedder that it was ingested with, or ingest anew"
            )
        wanted = getattr(self.retriever, "language", AUTO)
        if wanted not in (AUTO, info.language):
            raise InvalidConfig(
                f"the words of namespace {info.name!r} are {info.language or 'taken as they are'}, "
                f"but the retriever's language is {wanted}: leave it out, or ingest anew"
            )
        if self.retriever.needs_vectors and self.embedder is None:
            raise InvalidConfig(f"{self.retriever} needs the embedder {info.fingerprint}, got none")
        for name in ("k", "budget"):
            value = getattr(self, name)
            if value is not None and (type(value) is not int or value < 1):
                raise InvalidConfig(f"{name} must be at least 1, a whole number, got {value!r}")
        if self.distinct is not None and not 0 < self.distinct <= 1:
            raise InvalidConfig(f"distinct must be above 0 and at most 1, got {self.distinct}")

    def close(self) -> None:
        """Let go of the store, if it was given."""
        if self.closes is not None:
            self.closes.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def search(
        self,
        question: str,
        reader: Reader | None = None,
        *,
        k: int | None = None,
        budget: int | None = None,
    ) -> Answer:
        """The passages that answer a question, of what a reader may see.

        `k` and `budget` take the place of the searcher's, both of them where one is given.

        Raises:
            InvalidConfig: the question is blank, or the reader's `as_of` is not kept.
            StoreError: the store cannot be read.
        """
        if k is not None or budget is not None:
            return replace(self, k=k, budget=budget).search(question, reader)
        _check(question, reader)
        asked, times = self._ask(question)
        with self.namespace.read(reader or Reader()) as view:
            scope = view.scope(asked)
            late = late_of(self.retriever, self.embedder, question, view, scope)
            scored = score(self.retriever, scope, asked, times, late)
            passages = _Found(self, view, scope, scored).passages(question)
            revision = view.count().revision
        similarity = _nearest(scored, scope)
        enough = self.threshold is None or similarity is None or similarity >= self.threshold
        return Answer(
            question, passages, bool(passages) and enough, similarity, len(scope), revision
        )

    async def asearch(
        self,
        question: str,
        reader: Reader | None = None,
        *,
        k: int | None = None,
        budget: int | None = None,
    ) -> Answer:
        """As `search`, in a thread of its own."""
        return await asyncio.to_thread(self.search, question, reader, k=k, budget=budget)

    def _ask(self, question: str) -> tuple[Asked, FloatArray]:
        vector = None
        if self.embedder is not None and self.retriever.needs_vectors:
            vector = self.embedder.embed_queries([question])[0]
        terms, times = asked_terms(self._analyzer, question)
        return Asked(vector, terms, max(_DEPTH, self.k or 0)), times


def _check(question: Any, reader: Any) -> None:
    if not isinstance(question, str) or not question.strip():
        raise InvalidConfig(f"the question must be a text that is not blank, got {question!r}")
    if reader is not None and not isinstance(reader, Reader):
        raise InvalidConfig(f"the reader must be a Reader(tenant, access), got {reader!r}")


def late_of(
    retriever: Retriever, embedder: object, question: str, view: View, scope: Scope
) -> Late | None:
    """What scores the best chunks of a scope once more, where the retriever wants that.

    Raises:
        InvalidConfig: it does, and the embedder has no vectors of tokens.
    """
    if not getattr(retriever, "needs_token_vectors", False):
        return None
    embedder = getattr(embedder, "embedder", embedder)
    if not isinstance(embedder, SupportsTokenVectors):
        raise InvalidConfig(
            f"rerank=maxsim needs an embedder with embed_tokens, got {type(embedder).__name__}"
        )
    kept = kept_tokens(embedder)
    rescore = MaxSim(lambda rows: _indexed(view, scope, rows), kept).prepare([question])
    one = np.zeros(1, np.int32)
    return lambda scores: rescore(scores[None], one, 0)


def _nearest(scored: Scored, scope: Scope) -> float | None:
    """The highest cosine of a chunk that may be shown."""
    if scored.dense is None or not len(scope):
        return None
    dense = scored.dense if scope.eligible is None else scored.dense[scope.eligible]
    return float(dense.max()) if len(dense) else None


def _places(scope: Scope, rows: Sequence[int]) -> list[tuple[int, int]]:
    return [(int(scope.document[row]), int(scope.ordinal[row])) for row in rows]


def _texts(view: View, scope: Scope, rows: Sequence[int]) -> list[str]:
    """The text of some rows of a scope."""
    places = _places(scope, rows)
    columns = view.columns(sorted({number for number, _ in places}))
    return view.texts(
        [
            (number, int(columns[number][0].start[i]), int(columns[number][0].end[i]))
            for number, i in places
        ]
    )


def _indexed(view: View, scope: Scope, rows: Sequence[int]) -> list[str]:
    """What is indexed of some rows of a scope."""
    places = _places(scope, rows)
    details = view.details(sorted({number for number, _ in places}))
    return [
        details[number].heads[i] + ("" if details[number].whole[i] else text)
        for (number, i), text in zip(places, _texts(view, scope, rows), strict=True)
    ]


class _Found:
    """The best chunks of a scope, on their way to passages."""

    def __init__(self, searcher: Searcher, view: View, scope: Scope, scored: Scored) -> None:
        self.searcher = searcher
        self.view = view
        self.scope = scope
        self.scored = scored
        self.documents: dict[int, tuple[Columns, IntArray]] = {}
        self.order: NDArray[np.intp] | None = None
        self.reranked: dict[int, float] = {}  # the reranker's scores by row
        self.apart = Distinct(searcher.distinct) if searcher.distinct is not None else None

    def passages(self, question: str) -> tuple[Passage, ...]:
        """What is shown: looked for deeper and deeper until it is enough."""
        searcher = self.searcher
        fills = searcher.budget is not None or searcher.k is None
        depth = _FIRST if fills else _EACH * (searcher.k or 1)
        if searcher.reranker is not None:
            depth = max(depth, searcher.reranker.top)
        while True:
            found = self.scored.best(min(depth, len(self.scope)), self.scope.eligible)
            best = self._distinct(self._reranked(question, found))
            numbers, shown = self._shown(best)
            if len(found) < depth or self._enough(shown):
                return self._told(best, numbers, shown)
            depth *= 4

    def _reranked(self, question: str, best: IntArray) -> IntArray:
        """The rows with those that the reranker is shown in its order, which is asked for once."""
        reranker = self.searcher.reranker
        if reranker is None or not len(best):
            return best
        if self.order is None:
            texts = _indexed(self.view, self.scope, best[: reranker.top].tolist())
            given = reranker.scores(question, texts)
            self.order = np.argsort(-given, kind="stable")
            self.reranked = dict(zip(best.tolist(), given.tolist(), strict=False))
        return np.concatenate((best[self.order], best[len(self.order) :]))

    def _distinct(self, best: IntArray) -> IntArray:
        """The rows without those that say nearly the same as one before."""
        if self.apart is None or not len(best):
            return best
        fresh = best[self.apart.n_seen :]
        self.apart.add(_texts(self.view, self.scope, fresh.tolist()))
        return best[self.apart.kept]

    def _enough(self, shown: Shown) -> bool:
        searcher = self.searcher
        full = searcher.budget is not None and int(shown.tokens.sum()) >= searcher.budget
        return full or (searcher.k is not None and shown.hits >= searcher.k)

    def _shown(self, best: IntArray) -> tuple[list[int], Shown]:
        """The documents of the best chunks, and what is shown of these; `chunk` is into `best`."""
        searcher = self.searcher
        owners = self.scope.document[best]
        numbers, doc = np.unique(owners, return_inverse=True)
        missing = [number for number in numbers.tolist() if number not in self.documents]
        self.documents |= self.view.columns(missing)
        # A table must be in document order: `order` are places in `best`.
        order = np.lexsort((self.scope.ordinal[best], doc.reshape(-1)))
        rank = np.empty(len(best), np.int32)
        rank[order] = np.arange(len(best), dtype=np.int32)
        shown = assemble(
            rank,
            self.scored.scores[best],
            self._table(numbers.tolist(), best[order]),
            k=searcher.k,
            budget=searcher.budget,
            dedupe=searcher.dedupe,
            merge=searcher.merge,
            separator_tokens=searcher.separator,
            token_ends=[self.documents[number][1] for number in numbers.tolist()],
        )
        chunk = order[shown.chunk].astype(np.int32)
        return numbers.tolist(), Shown(
            shown.doc, shown.start, shown.end, shown.tokens, shown.scores, chunk, shown.hits
        )

    def _table(self, numbers: Sequence[int], rows: NDArray[Any]) -> ChunkTable:
        """The table of rows of the scope, in document order."""
        owners, ordinals = self.scope.document[rows], self.scope.ordinal[rows]
        parts = [
            (place, self.documents[number][0], ordinals[owners == number])
            for place, number in enumerate(numbers)
        ]

        def column(name: str) -> IntArray:
            picked = [getattr(columns, name)[own] for _, columns, own in parts]
            return np.concatenate([np.empty(0, np.int32), *picked])

        lengths = [len(own) for _, _, own in parts]
        return ChunkTable(
            doc=np.repeat(np.arange(len(parts), dtype=np.int32), lengths),
            **{name: column(name) for name in _TABLE},
        )

    def _told(self, best: IntArray, numbers: list[int], shown: Shown) -> tuple[Passage, ...]:
        rows = best[shown.chunk]
        owners = [numbers[doc] for doc in shown.doc.tolist()]
        held, details = self.view.held(sorted(set(owners))), self.view.details(sorted(set(owners)))
        spans = list(zip(owners, shown.start.tolist(), shown.end.tolist(), strict=True))
        texts = self.view.texts(spans)
        found = zip(rows.tolist(), spans, texts, shown.tokens.tolist(), strict=True)
        # Of a hit that was shown before but for its white space, nothing is worth showing.
        said = [one for one in found if one[2].strip()]
        return tuple(
            self._passage(rank, row, span, text, tokens, held[span[0]], details[span[0]])
            for rank, (row, span, text, tokens) in enumerate(said, 1)
        )

    def _passage(
        self,
        rank: int,
        row: int,
        span: tuple[int, int, int],
        text: str,
        tokens: int,
        held: Held,
        details: Details,
    ) -> Passage:
        ordinal, scored = int(self.scope.ordinal[row]), self.scored
        columns = self.documents[span[0]][0]
        context, metadata = cited(columns, details, ordinal, span[1], text)
        return Passage(
            rank=rank,
            doc_id=held.doc_id,
            start=span[1],
            end=span[2],
            text=text,
            context=context,
            tokens=tokens,
            score=float(scored.scores[row]),
            dense=None if scored.dense is None else float(scored.dense[row]),
            words=None if scored.words is None else float(scored.words[row]),
            parts={name: float(part[row]) for name, part in scored.parts.items()},
            reranked=self.reranked.get(row),
            ordinal=ordinal,
            version=held.version,
            source=held.source,
            metadata=metadata,
            document=held.metadata,
        )


_TABLE = (
    "start",
    "end",
    "tokens",
    "parent_start",
    "parent_end",
    "parent_tokens",
    "context_tokens",
    "reach",
)
