"""Finds a quote again in a document that changed, by the quote and its context."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from seamline.golden.findings import Problem, clip
from seamline.golden.search import QuoteIndex
from seamline.types import Document, Question, Span

__all__ = ["Expansion", "agreement", "anchor", "expand_identical", "find_all", "is_whole", "places"]

# A quote this long that occurs once is evidence enough without its context.
LONG_QUOTE = 20
# East Asian scripts, which put no space between words, begin about here.
_SPACELESS = 0x2E80


def _joins(left: str, right: str) -> bool:
    return left.isalnum() and right.isalnum() and ord(left) < _SPACELESS and ord(right) < _SPACELESS


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether the span does not start or end inside a word (a number counts as one).

    Example:
        >>> is_whole("1308 games", 1, 4)
        False
    """
    cut_left = start > 0 and _joins(text[start - 1], text[start])
    return not (cut_left or (end < len(text) and _joins(text[end - 1], text[end])))


def find_all(text: str, quote: str) -> list[int]:
    """The starts of a quote's occurrences that do not overlap, ascending."""
    starts: list[int] = []
    start = text.find(quote)
    while start >= 0:
        starts.append(start)
        start = text.find(quote, start + len(quote))
    return starts


def places(starts: Sequence[int], shown: int = 5) -> str:
    """The first few offsets of a list, for a message."""
    return ", ".join(map(str, starts[:shown])) + (", …" if len(starts) > shown else "")


def agreement(text: str, start: int, end: int, before: str, after: str) -> float:
    """Share of the context's characters that stand where they should, counted from the quote."""
    left = text[max(0, start - len(before)) : start]
    same_left = _shared(left[::-1], before[::-1])
    same_right = _shared(text[end : end + len(after)], after)
    return (same_left + same_right) / (len(before) + len(after))


def _shared(a: str, b: str) -> int:
    """How many characters two strings begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))


def anchor(
    document: Document,
    quote: str,
    *,
    before: str = "",
    after: str = "",
    starts: list[int] | None = None,
) -> Span:
    """Where `quote` stands in `document` now, by the context around it.

    An occurrence is accepted when at least half of the context's characters
    agree, and more than at any other; a quote of 20 characters or more that
    occurs once needs no context. Occurrences inside a longer word count only
    where there is no other. `starts` are the occurrences, where they are known.

    Raises:
        Problem: the quote is not there, or several places are equally good.
    """
    starts = find_all(document.text, quote) if starts is None else starts
    whole = [s for s in starts if is_whole(document.text, s, s + len(quote))]
    starts = whole or starts
    if not starts:
        raise Problem("quote", f"the quote {clip(quote)} must stand in document {document.id!r}")
    context = bool(before or after)
    if len(starts) == 1 and (len(quote) >= LONG_QUOTE or not context):
        return Span(starts[0], starts[0] + len(quote))
    if context:
        return _best(document, quote, starts, before, after)
    raise Problem("ambiguous", _ambiguous(document, quote, starts), 'give "before" and "after"')


def _best(document: Document, quote: str, starts: list[int], before: str, after: str) -> Span:
    size = len(quote)
    scores = [agreement(document.text, s, s + size, before, after) for s in starts]
    best = max(scores)
    if best < 0.5 or scores.count(best) > 1:  # noqa: PLR2004 - half of the context, as documented
        raise Problem(
            "ambiguous",
            _ambiguous(document, quote, starts) + ", and no one place fits its context best",
            "give the offsets of the one that is meant",
        )
    start = starts[scores.index(best)]
    return Span(start, start + size)


def _ambiguous(document: Document, quote: str, starts: list[int]) -> str:
    times = "once" if len(starts) == 1 else f"{len(starts)} times"
    return (
        f"the quote {clip(quote)} must point to one place in document {document.id!r}, "
        f"but occurs {times}, at {places(starts)}"
    )


@dataclass(frozen=True, slots=True)
class Expansion:
    """Questions whose gold was expanded, and how many of them that touched.

    `elsewhere` counts the questions whose gold also stands in another document:
    a question's gold lies in one document, so those occurrences stay out.
    """

    questions: tuple[Question, ...]
    touched: int
    elsewhere: int


def expand_identical(
    questions: Sequence[Question], documents: Mapping[str, Document] | Sequence[Document]
) -> Expansion:
    """The questions with every identical occurrence of a gold span as an alternative of it.

    Occurrences that start or end inside a word, or that overlap a gold span of
    the same slot, are left out. One pass over each document.

    Example:
        >>> doc = Document.from_text("Press F5. Later, press F5.", "a.md")
        >>> question = Question("q", "a.md", "Which key?", ((Span(6, 8),),))
        >>> expand_identical([question], [doc]).questions[0].slots
        ((Span(start=6, end=8), Span(start=23, end=25)),)
    """
    texts = {doc.id: doc.text for doc in _values(documents)}
    index = QuoteIndex(texts[q.doc_id][s.start : s.end] for q in questions for s in q.spans)
    found = {doc_id: index.find(text, accept=is_whole) for doc_id, text in texts.items()}
    expanded = [_expand(question, texts, found) for question in questions]
    touched = sum(new.slots != old.slots for new, old in zip(expanded, questions, strict=True))
    documents_with: dict[str, int] = {}
    for places in found.values():
        for quote in places:
            documents_with[quote] = documents_with.get(quote, 0) + 1
    elsewhere = sum(
        any(documents_with.get(texts[q.doc_id][s.start : s.end], 0) > 1 for s in q.spans)
        for q in questions
    )
    return Expansion(tuple(expanded), touched, elsewhere)


def _values(documents: Mapping[str, Document] | Sequence[Document]) -> Sequence[Document]:
    return list(documents.values()) if isinstance(documents, Mapping) else documents


def _expand(
    question: Question, texts: Mapping[str, str], found: Mapping[str, dict[str, list[int]]]
) -> Question:
    text, places = texts[question.doc_id], found[question.doc_id]
    slots = []
    for slot in question.slots:
        spans = list(slot)
        for gold in slot:
            size = len(gold)
            for start in places.get(text[gold.start : gold.end], ()):
                if all(start >= s.end or start + size <= s.start for s in spans):
                    spans.append(Span(start, start + size))
        slots.append(tuple(sorted(spans)))
    return replace(question, slots=tuple(slots))
