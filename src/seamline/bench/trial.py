"""One configuration's part of a benchmark: cut, index, rank, measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.bench.chunked import Chunked, Progress, Row, chunk_all
from seamline.bench.clock import Clock
from seamline.bench.configuration import Configuration
from seamline.bench.copies import Phrases
from seamline.bench.corpus import Corpus
from seamline.bench.plan import Plan
from seamline.bench.results import Plain, canonical
from seamline.bench.score import Scorer, Scores, Values
from seamline.bench.tables import curve_row
from seamline.measure import share_under
from seamline.protocols import Strategy
from seamline.retrieve import Ranks, Retriever
from seamline.retrieve.assemble import sufficient_depth
from seamline.retrieve.base import Index, ScoredIndex
from seamline.retrieve.dense import Dense, dense_scores, top_similarity
from seamline.retrieve.table import ChunkTable
from seamline.types import FloatArray, IntArray

__all__ = ["Ranking", "Trials"]

_CELLS = 1 << 22  # places in a block of rankings: 32 MB
_BLOCK = 1024  # questions whose pieces are held at a time


@dataclass(frozen=True, slots=True)
class Ranking:
    """How chunks are ranked and shown; `name` is the row's spec."""

    name: str
    retriever: Retriever
    dedupe: bool
    merge: bool


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """What all configurations of a benchmark share, to measure one after the other."""

    plan: Plan
    corpus: Corpus
    asked: list[str]
    queries: FloatArray | None
    clock: Clock
    progress: Progress
    _scorers: dict[tuple[bool, bool], Scorer] = field(default_factory=dict)
    _phrases: list[Phrases] = field(default_factory=list)

    def usual(self, spec: str) -> Ranking:
        """The ranking that the plan names, for a strategy of this spec."""
        config = self.plan.config
        return Ranking(spec, self.plan.retriever, config.dedupe, config.merge)

    def chunk(self, strategy: Strategy) -> Chunked:
        """What the strategy makes of the documents, to be ranked in one or several ways."""
        return chunk_all(strategy, self.plan, self.corpus, self.clock, self.progress)

    def rank(self, chunked: Chunked, ranking: Ranking) -> tuple[Row, dict[str, Values]]:
        """The row of one configuration without intervals, and its values by measure."""
        name, retriever = ranking.name, ranking.retriever
        shown = {"dedupe": ranking.dedupe, "merge": ranking.merge}
        own = Configuration(chunked.spec, str(retriever), **shown)
        cost = chunked.cost(embedded=retriever.needs_vectors)
        scores = self.score(chunked, ranking)
        row = {**chunked.described, "spec": name, "strategy": own.strategy, **shown}
        row |= {"retriever": own.retriever, "knobs": own.knobs, "cost": cost}
        row["curve"] = curve_row(scores.values, self.plan.config.budgets)
        row["retrieved"] = Plain(scores.retrieved)
        with self.clock.stage("measure", name):
            row |= self._similarity(scores, chunked, retriever)
        return row, scores.values | chunked.values

    def score(self, chunked: Chunked, ranking: Ranking, index: Index | None = None) -> Scores:
        """What every question scores, at every cutoff that the measures and the curve need.

        Searched in `index`, or else in the retriever's own.
        """
        table, scorer = chunked.table, self.scorer(ranking)
        scores = scorer.start(table)
        if index is None:
            with self.clock.stage("index", ranking.name):
                index = self.index_of(chunked, ranking.retriever)
        depth, n = self._depth(scorer, table), len(self.asked)
        step = min(_BLOCK, max(1, _CELLS // depth))
        for at in range(0, n, step):
            rows = slice(at, min(at + step, n))
            with self.clock.stage("rank", ranking.name):
                ranks = self.ranks(index, np.arange(rows.start, rows.stop), depth=depth)
            with self.clock.stage("measure", ranking.name):
                scorer.add(scores, rows, ranks)
            self.progress("measure", ranking.name, rows.stop, n)
        return scores

    def ranks(self, index: Index, asked: NDArray[np.intp], *, depth: int) -> Ranks:
        """The rankings of the questions of these numbers, each in its scope."""
        return index.rank(
            [self.asked[number] for number in asked],
            None if self.queries is None else self.queries[asked],
            depth=depth,
            scope=self.corpus.doc_of[asked] if self.plan.config.scope == "document" else None,
        )

    def scorer(self, ranking: Ranking) -> Scorer:
        """Scores rankings whose pieces are shown that way."""
        key = ranking.dedupe, ranking.merge
        if key not in self._scorers:
            config = replace(self.plan.config, dedupe=ranking.dedupe, merge=ranking.merge)
            measures = [*self.plan.ranked, self.plan.whole]
            self._scorers[key] = Scorer(self.corpus, config, measures)
        return self._scorers[key]

    def phrases(self) -> Phrases:
        """The phrases of the documents, found when they are first asked for."""
        if not self._phrases:
            self._phrases.append(Phrases.of(self.corpus.documents))
        return self._phrases[0]

    def _depth(self, scorer: Scorer, table: ChunkTable) -> int:
        """How many chunks a question's ranking must have for every cutoff to be full."""
        config = scorer.config
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
        return max(depth, 1)

    def index_of(self, chunked: Chunked, retriever: Retriever) -> Index:
        """The retriever's index of a strategy's chunks, which lie where they were cut."""
        vectors = chunked.vectors if retriever.needs_vectors else None
        return self.index(retriever, chunked.cuts, chunked.texts, vectors)

    def index(
        self,
        retriever: Retriever,
        table: ChunkTable,
        texts: Sequence[str],
        vectors: FloatArray | None,
    ) -> Index:
        """What the retriever makes of chunks, with whatever it needs to know of the corpus."""
        more: dict[str, Any] = {}
        if getattr(retriever, "needs_places", False):
            more["places"] = self.corpus.layout.of(table)
        if getattr(retriever, "needs_token_vectors", False):
            more["embedder"] = self.plan.embedder.cached.embedder
        return retriever.index(texts, vectors, table.doc, **more)

    def _similarity(self, scores: Scores, chunked: Chunked, retriever: Retriever) -> Row:
        """The best cosine of each question; `Similarity@1` is that of the chunk ranked first."""
        best, first = scores.first, np.full(len(self.asked), np.nan)
        highest = first
        if retriever.needs_vectors and self.queries is not None:
            vectors = chunked.vectors
            best = self._nearest(scores, chunked, retriever)
            first = top_similarity(scores.first, vectors, self.queries).astype(np.float64)
            highest = top_similarity(best, vectors, self.queries).astype(np.float64)
        if "Similarity@1" in scores.values:
            scores.values["Similarity@1"] = first
        top = [
            None if value is None else self._hit(chunked.cuts, chunk, value)
            for chunk, value in zip(best.tolist(), canonical(highest), strict=True)
        ]
        share = share_under(highest.tolist(), self.plan.config.threshold)
        return {"top1": Plain(top), "under_threshold": share}

    def _nearest(self, scores: Scores, chunked: Chunked, retriever: Retriever) -> IntArray:
        """int32[q]: the chunk in scope of the highest cosine, the first of equals; -1 for none."""
        if isinstance(retriever, Dense):
            return scores.first
        table = chunked.table
        index = ScoredIndex(table.doc, dense_scores(chunked.vectors, len(table)))
        scope = self.corpus.doc_of if self.plan.config.scope == "document" else None
        return index.rank(self.asked, self.queries, depth=1, scope=scope).ids[:, 0]

    def _hit(self, table: ChunkTable, chunk: int, similarity: float) -> Row:
        return {
            "similarity": similarity,
            "doc_id": self.corpus.documents[table.doc[chunk]].id,
            "start": int(table.start[chunk]),
            "end": int(table.end[chunk]),
        }
