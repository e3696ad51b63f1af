"""Documents and questions, with everything about them that no strategy changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seamline.errors import InvalidConfig, InvalidDocument, InvalidGold, MissingInput
from seamline.measure import Gold, Regions, regions_of
from seamline.protocols import Sizer, SupportsTokenEnds
from seamline.retrieve.table import ChunkTable
from seamline.spans import union
from seamline.split.pack import skip_blank
from seamline.types import Document, IntArray, Question, Span

__all__ = ["Corpus"]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """What is cut and what is asked, each counted once for all strategies.

    `ends` has the token ends of each document, `regions` what is better left
    whole. `questions` are those with gold, `golds` their gold and `doc_of`
    (int32[q]) the number of each one's document; `skipped` have no gold.
    """

    documents: tuple[Document, ...]
    ends: tuple[IntArray, ...]
    regions: tuple[Regions, ...]
    questions: tuple[Question, ...]
    golds: tuple[Gold, ...]
    doc_of: IntArray
    skipped: tuple[Question, ...]

    @classmethod
    def of(
        cls, documents: Iterable[Document], questions: Iterable[Question], sizer: Sizer
    ) -> Corpus:
        """The corpus of these documents and questions, in the order given.

        Raises:
            MissingInput: no document.
            InvalidDocument: two documents of one id.
            InvalidGold: two questions of one id, a question whose document is not
                there, a span past its end, or no question with gold.
            InvalidConfig: the sizer cannot say where tokens end.
        """
        if not isinstance(sizer, SupportsTokenEnds):
            raise InvalidConfig(
                f"tokenizer must say where its tokens end, which {sizer.name!r} does not: take "
                "tokens, cl100k_base, o200k_base, words or the path of a tokenizer.json"
            )
        docs, asked = tuple(documents), tuple(questions)
        numbers = _numbers(docs)
        _check(asked, docs, numbers)
        usable = tuple(
            _trimmed(question, docs[numbers[question.doc_id]])
            for question in asked
            if question.slots
        )
        if not usable:
            raise InvalidGold(
                f"at least one question must have gold, got {len(asked)} questions with none"
            )
        return cls(
            documents=docs,
            ends=tuple(sizer.ends(document.text) for document in docs),
            regions=tuple(map(regions_of, docs)),
            questions=usable,
            golds=tuple(Gold.of(question, numbers) for question in usable),
            doc_of=np.array([numbers[question.doc_id] for question in usable], np.int32),
            skipped=tuple(question for question in asked if not question.slots),
        )

    def over_blanks(self, table: ChunkTable) -> ChunkTable:
        """The table with spans that end inside gold extended over the white space there.

        Chunks are trimmed, so the blank line between two of them belongs to none;
        gold that runs across it is whole all the same when both are shown.
        """
        return replace(
            table,
            end=self._solid(table.doc, table.end),
            parent_end=self._solid(table.doc, table.parent_end),
        )

    def _solid(self, doc: IntArray, ends: IntArray) -> IntArray:
        solid = ends.copy()
        for number in set(self.doc_of.tolist()):
            asked = zip(self.questions, self.doc_of.tolist(), strict=True)
            gold = union((s.start, s.end) for q, at in asked if at == number for s in q.spans)
            rows = np.flatnonzero(doc == number)
            at = np.searchsorted(gold[:, 0], ends[rows]) - 1
            for row in rows[(at >= 0) & (ends[rows] < gold[at, 1])].tolist():
                solid[row] = skip_blank(self.documents[number].text, int(ends[row]))
        return solid


def _trimmed(question: Question, document: Document) -> Question:
    """The question without white space at the ends of its gold, which no chunk has either."""
    slots = tuple(tuple(_trim(span, document.text) for span in slot) for slot in question.slots)
    return replace(question, slots=slots)


def _trim(span: Span, text: str) -> Span:
    inner = text[span.start : span.end]
    start = span.start + len(inner) - len(inner.lstrip())
    return Span(start, start + len(inner.strip())) if inner.strip() else span


def _numbers(documents: Sequence[Document]) -> dict[str, int]:
    if not documents:
        raise MissingInput("at least one document is needed, got none")
    numbers = {document.id: number for number, document in enumerate(documents)}
    if len(numbers) < len(documents):
        ((twice, _),) = Counter(document.id for document in documents).most_common(1)
        raise InvalidDocument(f"document ids must be unique, got {twice!r} twice: rename one")
    return numbers


def _check(
    questions: Sequence[Question], documents: Sequence[Document], numbers: dict[str, int]
) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise InvalidGold(f"question ids must be unique, got {question.id!r} twice: rename one")
        seen.add(question.id)
        if question.doc_id not in numbers:
            raise InvalidGold(
                f"the document of question {question.id!r} must be among the documents, "
                f"but {question.doc_id!r} is not: add it or drop the question"
            )
        document = documents[numbers[question.doc_id]]
        last = max((span.end for span in question.spans), default=0)
        if last > len(document.text):
            raise InvalidGold(
                f"gold of question {question.id!r} must end inside document {document.id!r} "
                f"({len(document.text)} characters), but ends at {last}: "
                "was the document changed since?"
            )
