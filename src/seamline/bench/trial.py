"""One strategy's part of a benchmark: cut, index, rank, measure."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.describe import describe_chunks
from seamline.bench.plan import Plan
from seamline.bench.results import Plain, canonical
from seamline.bench.score import Scorer, Scores, Values
from seamline.bench.tables import curve_row
from seamline.measure import Measure, share_under
from seamline.protocols import Strategy
from seamline.retrieve.assemble import sufficient_depth
from seamline.retrieve.base import Index, ScoredIndex
from seamline.retrieve.dense import Dense, dense_scores, top_similarity
from seamline.retrieve.table import ChunkTable
from seamline.sizers import sizes
from seamline.split import Foreign
from seamline.split.strategies import Cutter
from seamline.types import Chunk, FloatArray, IntArray

__all__ = ["Progress", "Trials"]

Progress = Callable[[str, str, int, int], None]
"""(stage, strategy, done, total); called from any thread, never from two at once."""

Row = dict[str, Any]
_CELLS = 1 << 22  # places in a block of rankings: 32 MB
_BLOCK = 1024  # questions whose pieces are held at a time


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """What all strategies of a benchmark share, to measure one after the other."""

    plan: Plan
    corpus: Corpus
    asked: list[str]
    queries: FloatArray | None
    clock: Clock
    progress: Progress

    def run(self, strategy: Strategy) -> tuple[Row, dict[str, Values]]:
        """The strategy's row without intervals, and its values by measure."""
        spec = str(strategy)
        self.plan.embedder.reset()
        chunks, aligned = self._split(strategy, spec)
        with self.clock.stage("describe", spec):
            table = ChunkTable.from_chunks(self.corpus.documents, chunks, self._size)
            row, own = describe_chunks(chunks, table, self.corpus, self.plan.measures)
            row |= {"spec": spec, "aligned": aligned}
        texts = [chunk.indexed for own in chunks for chunk in own]
        vectors = self._embed(texts, spec)
        scores = self._score(texts, vectors, self.corpus.blanks.extend(table), spec)
        row["cost"] = self._cost(texts, vectors, table)
        row["curve"] = curve_row(scores.values, self.plan.config.budgets)
        row["retrieved"] = Plain(scores.retrieved)
        with self.clock.stage("measure", spec):
            row |= self._similarity(scores, vectors, table)
        return row, scores.values | own

    def _size(self, texts: list[str]) -> IntArray:
        return sizes(self.plan.sizer, texts)

    def _split(self, strategy: Strategy, spec: str) -> tuple[list[Sequence[Chunk]], Row | None]:
        """Each document's chunks; of a foreign splitter also how many are exact."""
        chunks: list[Sequence[Chunk]] = []
        n_exact = 0
        documents = self.corpus.documents
        foreign = strategy if isinstance(strategy, Foreign) else None
        if foreign and isinstance(foreign.splitter, Cutter):  # one of seamline's own, named
            foreign = None
        with self.clock.stage("split", spec):
            for done, document in enumerate(documents, 1):
                if foreign:
                    own, exact = foreign.split_counted(document)
                    n_exact += exact
                else:
                    own = list(strategy.split(document))
                chunks.append(own)
                self.progress("split", spec, done, len(documents))
        aligned = {"chunks": sum(map(len, chunks)), "exact": n_exact}
        return chunks, aligned if foreign else None

    def _embed(self, texts: list[str], spec: str) -> FloatArray | None:
        if not self.plan.retriever.needs_vectors:
            return None
        with self.clock.stage("embed", spec), self._embedding(spec, len(texts)):
            return self.plan.embedder.embed_documents(texts)

    @contextmanager
    def _embedding(self, spec: str, total: int) -> Iterator[None]:
        """Pass the embedder's progress on while texts of a strategy are embedded."""
        lock, done = threading.Lock(), 0

        def hook(n_texts: int) -> None:
            nonlocal done
            with lock:
                done += n_texts
                self.progress("embed", spec, done, total)

        cached = self.plan.embedder.cached
        before, cached.progress = cached.progress, hook
        try:
            yield
        finally:
            cached.progress = before

    def _score(
        self, texts: list[str], vectors: FloatArray | None, table: ChunkTable, spec: str
    ) -> Scores:
        config, corpus = self.plan.config, self.corpus
        scorer = Scorer(
            corpus, config, [one for one in self.plan.measures if isinstance(one, Measure)]
        )
        scores = scorer.start(table)
        with self.clock.stage("rank", spec):
            index = self._index(texts, vectors, table)
        depth = sufficient_depth(
            table,
            k=scorer.k,
            budget=scorer.budgets[-1],
            dedupe=config.dedupe,
            merge=config.merge,
            separator_tokens=config.separator,
        )
        if config.scope == "document":
            depth = min(depth, int(np.bincount(table.doc, minlength=1).max()))
        depth, n = max(depth, 1), len(self.asked)
        step = min(_BLOCK, max(1, _CELLS // depth))
        for at in range(0, n, step):
            rows = slice(at, min(at + step, n))
            with self.clock.stage("rank", spec):
                ranks = index.rank(
                    self.asked[rows],
                    None if self.queries is None else self.queries[rows],
                    depth=depth,
                    scope=corpus.doc_of[rows] if config.scope == "document" else None,
                )
            with self.clock.stage("measure", spec):
                scorer.add(scores, rows, ranks)
            self.progress("measure", spec, rows.stop, n)
        return scores

    def _index(self, texts: list[str], vectors: FloatArray | None, table: ChunkTable) -> Index:
        retriever = self.plan.retriever
        more: dict[str, Any] = {}
        if getattr(retriever, "needs_places", False):
            more["places"] = self.corpus.layout.of(table)
        if getattr(retriever, "needs_token_vectors", False):
            more["embedder"] = self.plan.embedder.cached.embedder
        return retriever.index(texts, vectors, table.doc, **more)

    def _cost(self, texts: list[str], vectors: FloatArray | None, table: ChunkTable) -> Row:
        embedder = self.plan.embedder
        indexed = int(self._size(texts).sum())
        source = sum(map(len, self.corpus.ends))
        return {
            "chunks": len(table),
            "indexed_tokens": indexed,
            "source_tokens": source,
            "inflation": indexed / source if source else None,
            "embedding_calls": embedder.texts,
            "embedding_tokens": embedder.tokens,
            "vector_bytes": 0 if vectors is None else vectors.nbytes,
            "truncated_share": embedder.truncated_share,
        }

    def _similarity(self, scores: Scores, vectors: FloatArray | None, table: ChunkTable) -> Row:
        """The best cosine of each question; `Similarity@1` is that of the chunk ranked first."""
        best, first = scores.first, np.full(len(self.asked), np.nan)
        highest = first
        if vectors is not None and self.queries is not None:
            best = self._nearest(scores, vectors, table)
            first = top_similarity(scores.first, vectors, self.queries).astype(np.float64)
            highest = top_similarity(best, vectors, self.queries).astype(np.float64)
        if "Similarity@1" in scores.values:
            scores.values["Similarity@1"] = first
        top = [
            None if value is None else self._hit(table, chunk, value)
            for chunk, value in zip(best.tolist(), canonical(highest), strict=True)
        ]
        share = share_under(highest.tolist(), self.plan.config.threshold)
        return {"top1": Plain(top), "under_threshold": share}

    def _nearest(self, scores: Scores, vectors: FloatArray, table: ChunkTable) -> IntArray:
        """int32[q]: the chunk in scope of the highest cosine, the first of equals; -1 for none."""
        if isinstance(self.plan.retriever, Dense):
            return scores.first
        index = ScoredIndex(table.doc, dense_scores(vectors, len(table)))
        scope = self.corpus.doc_of if self.plan.config.scope == "document" else None
        return index.rank(self.asked, self.queries, depth=1, scope=scope).ids[:, 0]

    def _hit(self, table: ChunkTable, chunk: int, similarity: float) -> Row:
        return {
            "similarity": similarity,
            "doc_id": self.corpus.documents[table.doc[chunk]].id,
            "start": int(table.start[chunk]),
            "end": int(table.end[chunk]),
        }
