"""Whether gold survives the cuts: no retrieval, only chunks and gold spans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.spans import SpanArray
from seamline.types import Chunk, Question, Span

__all__ = [
    "ChunkSpans",
    "ChunksByDocument",
    "Containment",
    "SplitGold",
    "containment",
    "span_array",
    "split_rate",
]

ChunksByDocument = Mapping[str, Sequence[Chunk] | SpanArray]
Values = NDArray[np.float64]


def span_array(chunks: Sequence[Chunk] | SpanArray) -> SpanArray:
    """int64[n, 2]: the starts and ends of chunks, which may be given as such an array."""
    if isinstance(chunks, np.ndarray):
        return chunks.astype(np.int64, copy=False).reshape(-1, 2)
    flat = (edge for chunk in chunks for edge in (chunk.start, chunk.end))
    return np.fromiter(flat, dtype=np.int64, count=2 * len(chunks)).reshape(-1, 2)


class ChunkSpans:
    """The chunks of one document, sorted by start, to be asked about spans."""

    def __init__(self, chunks: Sequence[Chunk] | SpanArray) -> None:
        rows = span_array(chunks)
        self.rows = rows[np.argsort(rows[:, 0], kind="stable")]
        # How far chunks reach that start no later: ends need not be sorted.
        self._reach = np.maximum.accumulate(self.rows[:, 1])

    def hold(self, span: Span) -> bool:
        """Whether one chunk holds the whole span."""
        before = int(np.searchsorted(self.rows[:, 0], span.start, side="right"))
        return before > 0 and bool(self._reach[before - 1] >= span.end)

    def around(self, span: Span, *, touching: bool = False) -> SpanArray:
        """int64[m, 2]: the chunks that overlap the span; with `touching` also those beside it."""
        slack = 1 if touching else 0
        low = np.searchsorted(self._reach, span.start + 1 - slack, side="left")
        high = np.searchsorted(self.rows[:, 0], span.end - 1 + slack, side="right")
        rows = self.rows[low:high]
        return rows[rows[:, 1] > span.start - slack]


@dataclass(frozen=True, slots=True)
class SplitGold:
    """A slot of a question's gold that no single chunk holds.

    `pieces` are the parts of `span` that chunks hold, in document order; where
    the slot has alternatives, `span` is the one with the largest share in one
    piece.
    """

    question: str
    slot: int
    span: Span
    pieces: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Containment:
    """How many questions' gold lies whole inside one chunk a slot.

    `values` (float64[n]) is 1 or 0 a question, NaN where it has no gold; `rate`
    is their mean (NaN where no question has gold); `split` has all slots that
    failed.
    """

    rate: float
    values: Values
    split: tuple[SplitGold, ...]


class _Cache(dict[str, ChunkSpans]):
    """The chunks of each document, sorted when first asked for."""

    def __init__(self, chunks: ChunksByDocument) -> None:
        super().__init__()
        self._chunks = chunks

    def __missing__(self, doc_id: str) -> ChunkSpans:
        self[doc_id] = found = ChunkSpans(self._chunks.get(doc_id, ()))
        return found


def containment(questions: Sequence[Question], chunks: ChunksByDocument) -> Containment:
    """The share of questions of which one chunk holds the whole gold, slot by slot, 0 to 1.

    Each needed slot asks for some chunk that holds one of its spans from start
    to end; different slots may lie in different chunks. `chunks` maps a
    document's id to its chunks or their spans (int[n, 2]); a document that is
    missing has none.

    Example:
        >>> from seamline.types import Question, Span
        >>> question = Question("q1", "a.md", "Why?", ((Span(3, 8),),))
        >>> found = containment([question], {"a.md": np.array([[0, 5], [5, 9]])})
        >>> found.rate, found.split[0].pieces
        (0.0, (Span(start=3, end=5), Span(start=5, end=8)))
    """
    spans = _Cache(chunks)
    values = np.full(len(questions), np.nan)
    split: list[SplitGold] = []
    for i, question in enumerate(questions):
        failed = list(_split_slots(question, spans[question.doc_id]))
        split += failed
        if question.slots:
            values[i] = not failed
    known = values[~np.isnan(values)]
    return Containment(float(known.mean()) if len(known) else float("nan"), values, tuple(split))


def split_rate(questions: Sequence[Question], chunks: ChunksByDocument) -> Values:
    """float64[n]: the share of each question's gold slots that are cut, 0 to 1; NaN without gold.

    A slot is cut where no single chunk holds one of its spans.

    Example:
        >>> from seamline.types import Question, Span
        >>> question = Question("q1", "a.md", "Why?", ((Span(0, 2),), (Span(3, 8),)))
        >>> split_rate([question], {"a.md": np.array([[0, 5], [5, 9]])}).tolist()
        [0.5]
    """
    spans = _Cache(chunks)
    return np.array(
        [
            len(list(_split_slots(q, spans[q.doc_id]))) / len(q.slots) if q.slots else np.nan
            for q in questions
        ]
    )


def _split_slots(question: Question, spans: ChunkSpans) -> Iterator[SplitGold]:
    for number, slot in enumerate(question.slots):
        if any(spans.hold(span) for span in slot):
            continue
        options = [(_pieces(span, spans), span) for span in slot]
        pieces, span = max(options, key=lambda option: _largest(option[0]) / len(option[1]))
        yield SplitGold(question.id, number, span, pieces)


def _pieces(span: Span, spans: ChunkSpans) -> tuple[Span, ...]:
    rows = spans.around(span).clip(span.start, span.end)
    return tuple(Span(start, end) for start, end in rows.tolist())


def _largest(pieces: Sequence[Span]) -> int:
    return max(map(len, pieces), default=0)
