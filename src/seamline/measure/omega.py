"""The best precision that any retriever could reach with these chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from seamline.measure.chunks import ChunksByDocument, ChunkSpans, Values, span_array
from seamline.spans import SpanArray, intersect, length, union
from seamline.types import Chunk, Document, Question, Span

__all__ = ["PrecisionOmega", "chroma_spans", "precision_omega"]


class PrecisionOmega(NamedTuple):
    """`values` (float64[n]) a question, 0 to 1, NaN without gold; `mean` of those with gold."""

    values: Values
    mean: float


def precision_omega(
    questions: Sequence[Question],
    chunks: ChunksByDocument,
    *,
    compat: Literal["chroma"] | None = None,
) -> PrecisionOmega:
    """Gold characters over the characters of every chunk that holds some, 0 to 1.

    |gold ∩ touched| / |touched|, where `touched` is the union of the chunks that
    overlap gold; 0 where none does. Of a slot's alternatives the one with the
    highest ratio of its own counts.

    With `compat="chroma"` a chunk that only lies beside gold counts as touched
    and gold that no chunk holds joins the denominator, as in Chroma's framework;
    its third quirk, how it locates a chunk, is in `chroma_spans`.

    Source: Smith and Troynikov, Evaluating Chunking Strategies for Retrieval
    (Chroma, 2024).

    Example:
        >>> from seamline.types import Question, Span
        >>> question = Question("q1", "a.md", "Why?", ((Span(3, 7),),))
        >>> chunks = {"a.md": np.array([[0, 5], [5, 10], [10, 15]])}
        >>> precision_omega([question], chunks).mean  # 4 / 10
        0.4
    """
    chroma = compat == "chroma"
    spans = {doc_id: ChunkSpans(chunks.get(doc_id, ())) for doc_id in {q.doc_id for q in questions}}
    values = np.full(len(questions), np.nan)
    for i, question in enumerate(questions):
        if question.slots:
            values[i] = _omega(question, spans[question.doc_id], chroma=chroma)
    known = values[~np.isnan(values)]
    return PrecisionOmega(values, float(known.mean()) if len(known) else float("nan"))


def _omega(question: Question, spans: ChunkSpans, *, chroma: bool) -> float:
    gold = [
        slot[0] if len(slot) == 1 else max(slot, key=lambda s: _ratio([s], spans, chroma=chroma))
        for slot in question.slots
    ]
    return _ratio(gold, spans, chroma=chroma)


def _ratio(gold: Sequence[Span], spans: ChunkSpans, *, chroma: bool) -> float:
    touched = union(np.concatenate([spans.around(span, touching=chroma) for span in gold]))
    wanted = [(span.start, span.end) for span in gold]
    below = union([*touched.tolist(), *wanted]) if chroma else touched
    return length(intersect(wanted, touched)) / length(below) if len(below) else 0.0


def chroma_spans(document: Document, chunks: Sequence[Chunk]) -> SpanArray:
    """int64[n, 2]: where Chroma's framework believes that chunks lie.

    It drops a final full stop and takes the first place where the rest occurs,
    so a chunk that repeats earlier text is located there.

    Example:
        >>> document = Document.from_text("One. Two. One. End.")
        >>> chroma_spans(document, [Chunk("text", 10, 14, "One.")]).tolist()
        [[0, 3]]
    """
    own = span_array(chunks)
    texts = [chunk.text.removesuffix(".") for chunk in chunks]
    starts = [document.text.find(text) for text in texts]
    ends = [start + len(text) for start, text in zip(starts, texts, strict=True)]
    return np.stack((starts, ends), axis=1).astype(np.int64) if len(own) else own
