"""What makes a drafted question worthless, and how many were."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from seamline.golden.anchor import is_whole
from seamline.golden.checks import LEAST_TOKENS, LONGEST_TOKEN, copied_words, terms
from seamline.golden.rows import MODEL, Draft
from seamline.golden.search import QuoteIndex
from seamline.protocols import Embedder, Sizer
from seamline.types import Document, Question, Span

__all__ = ["Sieve", "fault"]

_LEAST_TERMS, _MOST_QUESTION = 2, 400
_MOST_GOLD = 2_000  # code points: a longer answer is no evidence but a reading task
# Known items ask in their document's own words, so these may repeat their gold's.
_COPIES = ("docstring", "row")
# Near duplicates: shares of the terms of two questions, and cosines, see `_asks_alike`.
_SAME_TERMS, _LIKE_TERMS, _LIKE_COSINE = 0.8, 0.4, 0.9
_POINTS = re.compile(
    r"\b(?:(?:this|the|given|above|following)\s+(?:passage|excerpt|document|text|section|"
    r"paragraph|snippet|article)|according to (?:the|this)|(?:mentioned|described|shown|listed) "
    r"(?:above|below|here))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def fault(draft: Draft, sizer: Sizer) -> str:
    """Why a draft is worthless by itself; empty if nothing is wrong with it.

    Example:
        >>> from seamline.sizers import parse_sizer
        >>> document = Document.from_text("Oil the pump once a week, in the morning.")
        >>> draft = Draft(document, "What does the passage say of oil?", (Span(0, 41),), "model")
        >>> fault(draft, parse_sizer("tokens"))
        'question points at its passage'
    """
    question = draft.question
    if len(set(terms(question))) < _LEAST_TERMS or len(question) > _MOST_QUESTION:
        return "question too short or too long"
    if draft.kind == MODEL and _POINTS.search(question):
        return "question points at its passage"
    if any(sizer.size(text[: LEAST_TOKENS * LONGEST_TOKEN]) < LEAST_TOKENS for text in draft.texts):
        return f"gold under {LEAST_TOKENS} tokens"
    if sum(map(len, draft.spans)) > _MOST_GOLD:
        return f"gold over {_MOST_GOLD:,} characters"
    if draft.kind not in _COPIES and any(copied_words(question, text) for text in draft.texts):
        return "question copies its gold"
    return ""


class _Asked(NamedTuple):
    """A question that is kept, as others are compared with it."""

    text: str
    terms: frozenset[str]
    numbers: frozenset[str]


class Sieve:
    """Keeps the drafts that are sound and unlike those before; counts the others by reason.

    `existing` are questions of a set that drafts are added to. `embedder` tells
    questions of a model apart that say the same in part in other words.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        existing: Iterable[Question],
        *,
        sizer: Sizer,
        embedder: Embedder | None = None,
    ) -> None:
        self.dropped: Counter[str] = Counter()
        self._texts = {document.id: document.text for document in documents}
        self.sizer = sizer
        self._embedder = embedder
        self._asked: list[_Asked] = []
        self._golds: dict[str, list[Span]] = {}
        for question in existing:
            self._keep(question.text, question.doc_id, question.spans)

    def sift(self, drafts: Sequence[Draft]) -> Iterator[Draft]:
        """Those to be kept, in order. Cost: one pass over all documents a call."""
        sound = [draft for draft in drafts if self._passes(fault(draft, self.sizer))]
        found = self._occurrences(sound)
        for draft in sound:
            if self._passes(self._why_not(draft, found)):
                self._keep(draft.question, draft.document.id, draft.spans)
                yield draft

    def _passes(self, why: str) -> bool:
        if why:
            self.dropped[why] += 1
        return not why

    def _why_not(self, draft: Draft, found: Mapping[str, int]) -> str:
        if any(found.get(text, 0) > 1 for text in draft.texts):
            return "gold stands elsewhere too"
        others = self._golds.get(draft.document.id, ())
        if any(_shares(span, other) for span in draft.spans for other in others):
            return "gold of another question"
        return "like another question" if self._is_like(draft) else ""

    def _occurrences(self, drafts: Sequence[Draft]) -> dict[str, int]:
        """How often each gold text stands in all documents together; counted up to two."""
        if not drafts:
            return {}
        index = QuoteIndex(text for draft in drafts for text in draft.texts)
        counts: Counter[str] = Counter()
        for text in self._texts.values():
            for quote, starts in index.find(text, 2, is_whole).items():
                counts[quote] += len(starts)
        return counts

    def _is_like(self, draft: Draft) -> bool:
        asked = _asked(draft.question)
        if draft.kind != MODEL:
            return any(asked.terms == other.terms for other in self._asked)
        near = [(i, _overlap(asked.terms, other.terms)) for i, other in enumerate(self._asked)]
        near = [(i, share) for i, share in near if asked.numbers == self._asked[i].numbers]
        if any(share >= _SAME_TERMS for _, share in near):
            return True
        rows = [i for i, share in near if share >= _LIKE_TERMS]
        return bool(rows) and self._asks_alike(asked.text, [self._asked[i].text for i in rows])

    def _asks_alike(self, text: str, others: Sequence[str]) -> bool:
        if self._embedder is None:
            return False
        vectors = self._embedder.embed_queries([text, *others])
        return bool(np.max(vectors[1:] @ vectors[0]) >= _LIKE_COSINE)

    def _keep(self, question: str, doc_id: str, spans: Iterable[Span]) -> None:
        self._asked.append(_asked(question))
        self._golds.setdefault(doc_id, []).extend(spans)


def _asked(question: str) -> _Asked:
    return _Asked(question, frozenset(terms(question)), frozenset(_NUMBER.findall(question)))


def _overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Terms of both over terms of either, 0 to 1."""
    return len(a & b) / max(len(a | b), 1)


def _shares(span: Span, other: Span) -> bool:
    """Whether two spans have more than half of the shorter one in common."""
    shared = min(span.end, other.end) - max(span.start, other.start)
    return 2 * shared > min(len(span), len(other))
