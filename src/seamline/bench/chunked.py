"""What one strategy makes of the documents, whatever ranks it afterwards."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.describe import describe_chunks
from seamline.bench.plan import CountingEmbedder, Plan
from seamline.bench.score import Values
from seamline.protocols import Strategy
from seamline.retrieve.table import ChunkTable
from seamline.sizers import sizes
from seamline.split import Foreign
from seamline.split.strategies import Cutter
from seamline.types import Chunk, FloatArray, IntArray

__all__ = ["Chunked", "Progress", "chunk_all"]

Progress = Callable[[str, str, int, int], None]
"""(stage, strategy, done, total); called from any thread, never from two at once."""

Row = dict[str, Any]


@dataclass(slots=True, eq=False)
class Chunked:
    """One strategy's chunks of a corpus: `texts` are what is indexed, `table` where they lie.

    In `table` white space at a chunk's end belongs to it, in `cuts` it does not.
    `described` has the keys of a row that need no ranking and `values` (float64[q]) the
    measures that need none. `vectors` are made when they are first asked for, and so
    paid for by those that need them only.
    """

    spec: str
    plan: Plan
    clock: Clock
    progress: Progress
    texts: list[str]
    table: ChunkTable
    cuts: ChunkTable
    described: Row
    values: dict[str, Values]
    _split_cost: Row
    _index_cost: Row | None = None
    _vectors: FloatArray | None = field(default=None)

    @property
    def vectors(self) -> FloatArray:
        """float32[n, d]: a unit vector a chunk."""
        if self._vectors is None:
            embedder = self.plan.embedder
            with self.clock.stage("embed", self.spec), self._told():
                self._vectors = embedder.embed_documents(self.texts)
            self._index_cost = _counted(embedder)
        return self._vectors

    def cost(self, *, embedded: bool) -> Row:
        """What ingest costs, with a vector a chunk or without."""
        vectors = self.vectors if embedded else None
        counted = self._index_cost if embedded else None
        return {
            **self.described["cost"],
            **(counted or self._split_cost),
            "vector_bytes": 0 if vectors is None else vectors.nbytes,
        }

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Pass the embedder's progress on while the texts are embedded."""
        lock, done = threading.Lock(), 0

        def hook(n_texts: int) -> None:
            nonlocal done
            with lock:
                done += n_texts
                self.progress("embed", self.spec, done, len(self.texts))

        cached = self.plan.embedder.cached
        before, cached.progress = cached.progress, hook
        try:
            yield
        finally:
            cached.progress = before


def chunk_all(
    strategy: Strategy, plan: Plan, corpus: Corpus, clock: Clock, progress: Progress
) -> Chunked:
    """The corpus as the strategy cuts it, counted and described."""
    spec = str(strategy)
    plan.embedder.reset()
    with clock.stage("split", spec):
        chunks, aligned = _split(strategy, corpus, progress)
    with clock.stage("describe", spec):

        def size(texts: list[str]) -> IntArray:
            return sizes(plan.sizer, texts)

        cuts = ChunkTable.from_chunks(corpus.documents, chunks, size)
        row, values = describe_chunks(chunks, cuts, corpus, plan.measures)
        texts = [chunk.indexed for own in chunks for chunk in own]
        indexed, source = int(size(texts).sum()), sum(map(len, corpus.ends))
    row["cost"] = {
        "chunks": len(cuts),
        "indexed_tokens": indexed,
        "source_tokens": source,
        "inflation": indexed / source if source else None,
    }
    row |= {"aligned": aligned}
    counted = _counted(plan.embedder)
    table = corpus.blanks.extend(cuts)
    return Chunked(spec, plan, clock, progress, texts, table, cuts, row, values, counted)


def _split(
    strategy: Strategy, corpus: Corpus, progress: Progress
) -> tuple[list[Sequence[Chunk]], Row | None]:
    """Each document's chunks; of a foreign splitter also how many are exact."""
    chunks: list[Sequence[Chunk]] = []
    n_exact = 0
    foreign = strategy if isinstance(strategy, Foreign) else None
    if foreign and isinstance(foreign.splitter, Cutter):  # one of seamline's own, named
        foreign = None
    for done, document in enumerate(corpus.documents, 1):
        if foreign:
            own, exact = foreign.split_counted(document)
            n_exact += exact
        else:
            own = list(strategy.split(document))
        chunks.append(own)
        progress("split", str(strategy), done, len(corpus.documents))
    aligned = {"chunks": sum(map(len, chunks)), "exact": n_exact}
    return chunks, aligned if foreign else None


def _counted(embedder: CountingEmbedder) -> Row:
    """What was embedded since the embedder began to count."""
    return {
        "embedding_calls": embedder.texts,
        "embedding_tokens": embedder.tokens,
        "truncated_share": embedder.truncated_share,
    }
