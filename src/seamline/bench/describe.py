"""What can be said of a strategy's chunks before any question is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.bench.columns import omega, overlapping
from seamline.bench.corpus import Corpus
from seamline.measure import (
    BoundaryCuts,
    ChunkMeasure,
    Measure,
    boundary_cuts,
    containment,
    size_distribution,
)
from seamline.retrieve.table import ChunkTable
from seamline.sizers import parse_sizer, sizes
from seamline.spans import SpanArray
from seamline.types import Chunk

__all__ = ["chunk_values", "describe_chunks", "spans_by_document"]

Row = dict[str, Any]
Values = NDArray[np.float64]


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


def chunk_values(
    measures: Sequence[Measure | ChunkMeasure], table: ChunkTable, corpus: Corpus
) -> dict[str, Values]:
    """The values (float64[q]) of those measures that need no retrieval."""
    spans = spans_by_document(table, corpus)
    out: dict[str, Values] = {}
    for measure in measures:
        if not isinstance(measure, ChunkMeasure):
            continue
        if measure.name == "PrecisionOmega":
            out[str(measure)] = _omega(measure, spans, table, corpus)
        else:
            out[str(measure)] = measure.values(corpus.questions, spans)
    return out


def _omega(
    measure: ChunkMeasure, spans: dict[str, SpanArray], table: ChunkTable, corpus: Corpus
) -> Values:
    """All questions at once; those whose gold has alternatives one by one."""
    golds = corpus.columns
    pairs = overlapping(table.doc, table.start, table.end, golds)
    values = omega(table.start, table.end, pairs, golds)
    rest = np.flatnonzero(~golds.plain)
    values[rest] = measure.values([corpus.questions[i] for i in rest], spans)
    return values


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
