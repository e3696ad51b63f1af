"""Gold spans as chunks of their own: what could be found if cutting left nothing to ask for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seamline.bench.chunked import Chunked
from seamline.bench.columns import GoldColumns, overlapping
from seamline.bench.configuration import Configuration
from seamline.bench.corpus import Corpus
from seamline.retrieve.table import ChunkTable
from seamline.sizers import sizes
from seamline.split.context import contexts
from seamline.split.outline import indexed_texts
from seamline.types import Chunk, FloatArray

__all__ = ["Exact", "Extended", "extend"]

Ints = NDArray[np.int64]
Row = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Exact:
    """m spans that stand for gold, in document order (columns are int64[m]).

    Span i (`start` to `end` of document `doc`) stands for slot `slot[i]` of question
    `question[i]`. A gold span stands for itself, and so do the whole sentences, rows or
    lines that it is a part of: a lone number answers a question, but only its row says
    which. `host` is the chunk that holds most of the span, -1 where none holds any.
    """

    question: Ints
    slot: Ints
    doc: Ints
    start: Ints
    end: Ints
    host: Ints

    def __len__(self) -> int:
        return len(self.question)

    @classmethod
    def of(cls, corpus: Corpus, cuts: ChunkTable, questions: Iterable[int]) -> Exact:
        """The spans of some questions, at least one, of a corpus that is cut like `cuts`."""
        bare: list[Row] = [
            (number, nth, corpus.golds[number].doc, start, end)
            for number in questions
            for nth, slot in enumerate(corpus.golds[number].slots)
            for start, end in slot.tolist()
        ]
        hosts = _hosts(np.array(bare, np.int64), cuts).tolist()
        wide = [
            (*row[:3], *_widened(corpus, row, _span(cuts, host)))
            for row, host in zip(bare, hosts, strict=True)
        ]
        rows = {(*row, host) for own in (bare, wide) for row, host in zip(own, hosts, strict=True)}
        columns = np.array(sorted(rows, key=lambda row: (row[2:], row)), np.int64).T
        return cls(*columns)


def _hosts(rows: Ints, cuts: ChunkTable) -> Ints:
    """int64[m]: the chunk that holds most of each row's span, the first of equals."""
    golds = GoldColumns(
        doc=rows[:, 2],
        first=np.arange(len(rows) + 1),
        start=rows[:, 3],
        end=rows[:, 4],
        plain=np.ones(len(rows), np.bool_),
    )
    pairs = overlapping(cuts.doc, cuts.start, cuts.end, golds)
    low = np.maximum(cuts.start[pairs.row], rows[pairs.gold, 3])
    held = np.minimum(cuts.end[pairs.row], rows[pairs.gold, 4]) - low
    order = np.lexsort((pairs.row, -held, pairs.gold))
    gold, first = np.unique(pairs.gold[order], return_index=True)
    host = np.full(len(rows), -1, np.int64)
    host[gold] = pairs.row[order][first]
    return host


def _span(cuts: ChunkTable, chunk: int) -> tuple[int, int]:
    return (int(cuts.start[chunk]), int(cuts.end[chunk])) if chunk >= 0 else (0, 0)


def _widened(corpus: Corpus, row: Row, host: tuple[int, int]) -> tuple[int, int]:
    """The sentences that hold a span, no further than the chunk that holds it whole."""
    number, (start, end) = row[2], row[3:]
    text, edges = corpus.documents[number].text, corpus.regions[number].sentence_starts
    first = int(np.searchsorted(edges, start, side="right")) - 1
    after = int(np.searchsorted(edges, end, side="left"))
    low = int(edges[first]) if first >= 0 else start
    high = int(edges[after]) if after < len(edges) else len(text)
    high = max(end, low + len(text[low:high].rstrip()))
    if host[0] <= start and end <= host[1]:
        low, high = max(low, host[0]), min(high, host[1])
    return low, high


@dataclass(frozen=True, slots=True, eq=False)
class Extended:
    """A corpus' chunks with spans that stand for gold among them, in document order.

    `table`, `texts` and `vectors` (None unless the ranking needs them) have a row each;
    `exact` (int64[n]) is the number of the span that a row is, -1 for a chunk.
    """

    table: ChunkTable
    texts: list[str]
    vectors: FloatArray | None
    exact: Ints


def extend(chunked: Chunked, corpus: Corpus, exact: Exact, *, embedded: bool) -> Extended:
    """The chunks and `exact`, indexed as the strategy indexes: with its prefix.

    A span stands after the chunks that start no later.
    """
    table, own = chunked.table, _table(chunked, corpus, exact)
    texts = _indexed(chunked, corpus, exact)
    places = [_place(table, *at) for at in zip(exact.doc, exact.start, strict=True)]
    keys = np.concatenate((np.arange(len(table)), np.array(places) - 0.5))
    order = np.argsort(keys, kind="stable")
    columns = {
        name: np.concatenate((column, own.columns[name]))[order]
        for name, column in table.columns.items()
    }
    vectors = None
    if embedded:
        made = chunked.plan.embedder.cached.embed_documents(texts)
        vectors = np.concatenate((chunked.vectors, made))[order]
    both = [*chunked.texts, *texts]
    numbers = np.concatenate((np.full(len(table), -1), np.arange(len(exact))))
    return Extended(ChunkTable(**columns), [both[i] for i in order], vectors, numbers[order])


def _place(table: ChunkTable, doc: int, start: int) -> int:
    """The row before which a span goes."""
    first, last = np.searchsorted(table.doc, [doc, doc + 1])
    return int(first + np.searchsorted(table.start[first:last], start, side="right"))


def _table(chunked: Chunked, corpus: Corpus, exact: Exact) -> ChunkTable:
    """The spans as rows: shown as they are, with what their hosts are shown with."""
    own: list[list[Chunk]] = [[] for _ in corpus.documents]
    for doc, start, end in zip(exact.doc, exact.start.tolist(), exact.end.tolist(), strict=True):
        document = corpus.documents[doc]
        own[doc].append(Chunk(document.id, start, end, document.text[start:end]))
    made = ChunkTable.from_chunks(
        corpus.documents, own, lambda texts: sizes(chunked.plan.sizer, texts)
    )
    made = corpus.blanks.extend(made)
    beside = np.append(chunked.table.overhead, np.int32(0))  # the last one for those without host
    return replace(made, context_tokens=beside[exact.host])


def _indexed(chunked: Chunked, corpus: Corpus, exact: Exact) -> list[str]:
    """What is indexed of each span; what a chunk is indexed by, if the span is all of it."""
    prefixed = Configuration(chunked.spec, "").knobs.get("prefix", False)
    edges = np.searchsorted(exact.doc, np.arange(len(corpus.documents) + 1))
    out: list[str] = []
    for number, document in enumerate(corpus.documents):
        rows = slice(edges[number], edges[number + 1])
        starts, ends = exact.start[rows].tolist(), exact.end[rows].tolist()
        said: Sequence[str | None] = [None] * len(starts)
        if prefixed:
            said = indexed_texts(document, starts, ends, contexts(document, starts))
        for host, start, end, line in zip(exact.host[rows], starts, ends, said, strict=True):
            own = document.text[start:end]
            if host >= 0 and (start, end) == _span(chunked.cuts, host):
                out.append(chunked.texts[host])
            elif prefixed or host < 0:
                out.append(line or own)
            else:
                out.append(_prefix(chunked, document.text, host) + own)
    return out


def _prefix(chunked: Chunked, text: str, host: int) -> str:
    """What a splitter of the user's own puts before the text of a chunk that it indexes."""
    start, end = _span(chunked.cuts, host)
    own, line = text[start:end], chunked.texts[host]
    return line.removesuffix(own) if line.endswith(own) else ""
