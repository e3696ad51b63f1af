"""What can be said of a strategy's chunks before any question is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.bench.columns import omega, overlapping
from seamline.bench.corpus import Corpus
from seamline.measure import (
    BoundaryCuts,
    ChunkMeasure,
    Containment,
    Measure,
    SplitGold,
    boundary_cuts,
    containment,
    precision_omega,
    size_distribution,
)
from seamline.retrieve.table import ChunkTable
from seamline.sizers import parse_sizer, sizes
from seamline.spans import SpanArray
from seamline.types import Chunk

__all__ = ["describe_chunks", "spans_by_document"]

Row = dict[str, Any]
Values = NDArray[np.float64]


def spans_by_document(table: ChunkTable, corpus: Corpus) -> dict[str, SpanArray]:
    """The spans (int64[n, 2]) of each document's chunks, in chunk order."""
    edges = np.searchsorted(table.doc, np.arange(len(corpus.documents) + 1))
    spans = np.stack((table.start, table.end), axis=1).astype(np.int64)
    return {
        document.id: spans[edges[i] : edges[i + 1]] for i, document in enumerate(corpus.documents)
    }


def describe_chunks(
    chunks: Sequence[Sequence[Chunk]],
    table: ChunkTable,
    corpus: Corpus,
    measures: Sequence[Measure | ChunkMeasure],
) -> tuple[Row, dict[str, Values]]:
    """The keys `chunks`, `parents`, `size`, `containment` and `boundaries` of a row.

    And the values (float64[q]) of those measures that need no retrieval.
    """
    spans = spans_by_document(table, corpus)
    words = sizes(parse_sizer("words"), [chunk.text for own in chunks for chunk in own])
    found = containment(corpus.questions, spans)
    row: Row = {
        "chunks": spans,
        "size": {
            "tokens": size_distribution(table.tokens).as_dict(),
            "words": size_distribution(words).as_dict(),
        },
        "containment": {"rate": found.rate, "split": list(map(_split_row, found.split))},
        "boundaries": _boundaries(corpus, spans),
    }
    if (table.parent_start >= 0).any():
        row["parents"] = {
            document.id: [[c.parent.start, c.parent.end] if c.parent else None for c in own]
            for document, own in zip(corpus.documents, chunks, strict=True)
        }
    counted: dict[str, Callable[[], Values]] = {
        "Containment": lambda: found.values,
        "SplitRate": lambda: _split_rate(found, corpus),
        "PrecisionOmega": lambda: _omega(spans, table, corpus),
    }
    names = [measure.name for measure in measures if isinstance(measure, ChunkMeasure)]
    return row, {name: counted[name]() for name in names}


def _split_rate(found: Containment, corpus: Corpus) -> Values:
    """float64[q]: as `split_rate`, from the split slots that are known already."""
    cut = Counter(one.question for one in found.split)
    return np.array([cut[question.id] / len(question.slots) for question in corpus.questions])


def _omega(spans: dict[str, SpanArray], table: ChunkTable, corpus: Corpus) -> Values:
    """float64[q]: all questions at once; those whose gold has alternatives one by one."""
    golds = corpus.columns
    pairs = overlapping(table.doc, table.start, table.end, golds)
    values = omega(table.start, table.end, pairs, golds)
    rest = np.flatnonzero(~golds.plain)
    values[rest] = precision_omega([corpus.questions[i] for i in rest], spans).values
    return values


def _split_row(one: SplitGold) -> Row:
    return {
        "question": one.question,
        "slot": one.slot,
        "span": [one.span.start, one.span.end],
        "pieces": [[piece.start, piece.end] for piece in one.pieces],
    }


def _boundaries(corpus: Corpus, spans: dict[str, SpanArray]) -> Row:
    total = BoundaryCuts()
    for document, regions in zip(corpus.documents, corpus.regions, strict=True):
        total += boundary_cuts(document, spans[document.id], regions)
    return total.as_dict()
