"""What can be said of a strategy's chunks before any question is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from seamline.bench.corpus import Corpus
from seamline.measure import BoundaryCuts, boundary_cuts, containment, size_distribution
from seamline.retrieve.table import ChunkTable
from seamline.sizers import parse_sizer, sizes
from seamline.spans import SpanArray
from seamline.types import Chunk

__all__ = ["describe_chunks", "spans_by_document"]

Row = dict[str, Any]


def spans_by_document(table: ChunkTable, corpus: Corpus) -> dict[str, SpanArray]:
    """The spans (int64[n, 2]) of each document's chunks, in chunk order."""
    edges = np.searchsorted(table.doc, np.arange(len(corpus.documents) + 1))
    spans = np.stack((table.start, table.end), axis=1).astype(np.int64)
    return {
        document.id: spans[edges[i] : edges[i + 1]] for i, document in enumerate(corpus.documents)
    }


def describe_chunks(chunks: Sequence[Sequence[Chunk]], table: ChunkTable, corpus: Corpus) -> Row:
    """The keys `chunks`, `parents`, `size`, `containment` and `boundaries`."""
    spans = spans_by_document(table, corpus)
    words = sizes(parse_sizer("words"), [chunk.text for own in chunks for chunk in own])
    row: Row = {
        "chunks": spans,
        "size": {
            "tokens": size_distribution(table.tokens).as_dict(),
            "words": size_distribution(words).as_dict(),
        },
        "containment": _containment(corpus, spans),
        "boundaries": _boundaries(corpus, spans),
    }
    if (table.parent_start >= 0).any():
        row["parents"] = {
            document.id: [[c.parent.start, c.parent.end] if c.parent else None for c in own]
            for document, own in zip(corpus.documents, chunks, strict=True)
        }
    return row


def _containment(corpus: Corpus, spans: dict[str, SpanArray]) -> Row:
    found = containment(corpus.questions, spans)
    split = [
        {
            "question": one.question,
            "slot": one.slot,
            "span": [one.span.start, one.span.end],
            "pieces": [[piece.start, piece.end] for piece in one.pieces],
        }
        for one in found.split
    ]
    return {"rate": found.rate, "split": split}


def _boundaries(corpus: Corpus, spans: dict[str, SpanArray]) -> Row:
    total = BoundaryCuts()
    for document, regions in zip(corpus.documents, corpus.regions, strict=True):
        total += boundary_cuts(document, spans[document.id], regions)
    return total.as_dict()
