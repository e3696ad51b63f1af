"""Documents and questions, with everything about them that no strategy changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seamline.bench.blanks import Blanks, trimmed
from seamline.bench.columns import GoldColumns
from seamline.bench.sources import tag_sources
from seamline.errors import InvalidConfig, InvalidDocument, InvalidGold, MissingInput
from seamline.golden import expand_identical
from seamline.measure import Gold, Regions, regions_of
from seamline.protocols import Sizer, SupportsTokenEnds
from seamline.retrieve.places import Layout
from seamline.types import Document, IntArray, Question

__all__ = ["Corpus"]


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """What is cut and what is asked, each counted once for all strategies.

    `ends` has the token ends of each document, `layout` where its sections lie,
    `regions` what is better left whole. `questions` are those with gold, its ends
    trimmed of white space; `golds` and `columns` are their gold, `blanks` the white
    space in it and `doc_of` (int32[q]) the number of each one's document. `skipped`
    have no gold.
    """

    documents: tuple[Document, ...]
    ends: tuple[IntArray, ...]
    layout: Layout
    regions: tuple[Regions, ...]
    questions: tuple[Question, ...]
    golds: tuple[Gold, ...]
    columns: GoldColumns
    blanks: Blanks
    doc_of: IntArray
    skipped: tuple[Question, ...]
    n_expanded: int = 0

    @classmethod
    def of(
        cls,
        documents: Iterable[Document],
        questions: Iterable[Question],
        sizer: Sizer,
        *,
        identical: bool = False,
    ) -> Corpus:
        """The corpus of these documents and questions, in the order given.

        If there are synthetic questions, all have a tag for their source.
        With `identical` a gold passage counts wherever it stands again in its
        document; `n_expanded` questions have such a passage.

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
        docs = _all(Document, "documents", documents)
        asked = tag_sources(_all(Question, "questions", questions))
        numbers = _numbers(docs)
        _check(asked, docs, numbers)
        n_expanded = 0
        if identical:
            expansion = expand_identical(asked, docs)
            asked, n_expanded = expansion.questions, expansion.touched
        usable = tuple(
            trimmed(question, docs[numbers[question.doc_id]])
            for question in asked
            if question.slots
        )
        if not usable:
            raise InvalidGold(
                f"at least one question must have gold, got {len(asked)} questions with none"
            )
        golds = tuple(Gold.of(question, numbers) for question in usable)
        doc_of = np.array([gold.doc for gold in golds], np.int32)
        ends = tuple(sizer.ends(document.text) for document in docs)
        return cls(
            documents=docs,
            ends=ends,
            layout=Layout(docs, ends),
            regions=tuple(map(regions_of, docs)),
            questions=usable,
            golds=golds,
            columns=GoldColumns.of(golds),
            blanks=Blanks.of(docs, usable, doc_of),
            doc_of=doc_of,
            skipped=tuple(question for question in asked if not question.slots),
            n_expanded=n_expanded,
        )


def _all(kind: type, name: str, given: Any) -> tuple[Any, ...]:
    """The items of `given`, each of which must be a `kind`."""
    items = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else (given,)
    for item in items:
        if not isinstance(item, kind):
            raise InvalidConfig(
                f"{name} must be {kind.__name__} objects, got a {type(item).__name__}: "
                f"{'read_documents' if kind is Document else 'load_golden'} reads files"
            )
    return items


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
