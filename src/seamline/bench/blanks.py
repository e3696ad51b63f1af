"""White space inside gold, which trimmed chunks leave out and readers do not miss."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from seamline.retrieve.table import ChunkTable
from seamline.spans import union
from seamline.types import Document, IntArray, Question, Span

__all__ = ["Blanks", "trimmed"]

_BLANK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, eq=False)
class Blanks:
    """The runs of white space inside gold, `start` to `end`, documents laid end to end.

    `base` is where each document begins on that line.
    """

    base: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    @classmethod
    def of(
        cls, documents: Sequence[Document], questions: Iterable[Question], doc_of: IntArray
    ) -> Blanks:
        """The runs inside the gold of the questions, each about document `doc_of`."""
        base = np.cumsum([0, *(len(document.text) + 1 for document in documents)])
        gold: dict[int, list[tuple[int, int]]] = {}
        for question, number in zip(questions, doc_of.tolist(), strict=True):
            gold.setdefault(number, []).extend((s.start, s.end) for s in question.spans)
        runs = [
            (base[number] + run.start(), base[number] + run.end())
            for number, spans in sorted(gold.items())
            for start, end in union(spans).tolist()
            for run in _BLANK.finditer(documents[number].text, start, end)
        ]
        table = np.array(runs, np.int64).reshape(-1, 2)
        return cls(base, table[:, 0], table[:, 1])

    def extend(self, table: ChunkTable) -> ChunkTable:
        """The table with spans that end inside gold extended over the white space there.

        Chunks are trimmed, so the blank line between two of them belongs to none;
        gold that runs across it is whole all the same when both are shown.
        """
        return replace(
            table,
            end=self._extended(table.doc, table.end),
            parent_end=self._extended(table.doc, table.parent_end),
        )

    def _extended(self, doc: IntArray, ends: IntArray) -> IntArray:
        if not len(self.start):
            return ends
        at = self.base[doc] + ends
        run = np.searchsorted(self.start, at, side="right") - 1
        inside = (run >= 0) & (at < self.end[run])
        return np.where(inside, self.end[run] - self.base[doc], ends).astype(np.int32)

    def trim(self, doc: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.int64]:
        """Ends as they were before `extend`."""
        if not len(self.start):
            return ends
        at = self.base[doc] + ends
        run = np.minimum(np.searchsorted(self.end, at), len(self.end) - 1)
        return np.where(self.end[run] == at, self.start[run] - self.base[doc], ends)


def trimmed(question: Question, document: Document) -> Question:
    """The question without white space at the ends of its gold, which no chunk has either."""
    slots = tuple(tuple(_trim(span, document.text) for span in slot) for slot in question.slots)
    return replace(question, slots=slots)


def _trim(span: Span, text: str) -> Span:
    inner = text[span.start : span.end]
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, start + len(inner.strip())) if inner.strip() else span
