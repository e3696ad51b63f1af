"""Where a gold span stands in a document that may have changed since it was marked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seamline.golden.anchor import LONG_QUOTE, agreement, anchor, find_all, places
from seamline.golden.findings import Problem, clip
from seamline.golden.records import Quote, Record
from seamline.types import Document, Span

__all__ = ["CERTAIN", "Anchored", "State", "lost", "span_now"]

State = Literal["unchanged", "moved", "lost", "ambiguous"]
CERTAIN = ("unchanged", "moved")


@dataclass(frozen=True, slots=True)
class Anchored:
    """What became of one gold span of a question, in the order of the file.

    `old` and `new` are where it was and is, None where that is not known;
    `doc_id` is the document as it is called now. `why` says what is wrong with a
    span that is lost or ambiguous, `near` is the passage that is most like a lost one.
    """

    line: int
    question: str
    doc_id: str
    state: State
    old: Span | None
    new: Span | None
    text: str
    why: str = ""
    near: Span | None = None
    near_text: str = ""


def lost(record: Record, quote: Quote, why: str) -> Anchored:
    """A span of a question whose document is not there."""
    old = _old(quote)
    return Anchored(record.line, record.id, record.doc_id, "lost", old, None, quote.text or "", why)


def _old(quote: Quote) -> Span | None:
    return None if quote.start is None or quote.end is None else Span(quote.start, quote.end)


def span_now(record: Record, document: Document, quote: Quote, *, same: bool = False) -> Anchored:
    r"""What became of a span in a document; `same` if that is known not to have changed.

    Example:
        >>> quote = Quote("Press F5 to refresh.", 0, 20)
        >>> record = Record(1, "q1", "keys.md", "Refresh?", ((quote,),))
        >>> found = span_now(record, Document("keys.md", "# Keys\n\nPress F5 to refresh."), quote)
        >>> found.state, found.new
        ('moved', Span(start=8, end=28))
    """
    old, text = _old(quote), quote.text or ""
    state: State
    try:
        new = _where(document, quote, old, same=same)
        state = "moved" if old and old != new else "unchanged"
        text = document.text[new.start : new.end]
        return Anchored(record.line, record.id, document.id, state, old, new, text)
    except Problem as problem:
        state = "lost" if problem.code == "quote" else "ambiguous"
        why = _gone(document, text, same=same) if state == "lost" else problem.message
        return Anchored(record.line, record.id, document.id, state, old, None, text, why)


def _gone(document: Document, text: str, *, same: bool) -> str:
    stands = "does not stand" if same else "no longer stands"
    return f"the quote {clip(text)} {stands} in {document.id!r}"


def _where(document: Document, quote: Quote, old: Span | None, *, same: bool) -> Span:
    """Where a quote stands now.

    Raises:
        Problem: nowhere (code `quote`), or nothing says which place it is.
    """
    text = quote.text
    if text is None:
        if old and same and old.end <= len(document.text):
            return old
        raise Problem("ambiguous", "it has no text to look for, and the document may have changed")
    if old and document.text[old.start : old.end] == text and (same or _fits(document, quote, old)):
        return old
    if quote.occurrence is not None and not old:
        return _numbered(document, text, quote, same=same)
    span = anchor(document, text, before=quote.before, after=quote.after)
    if len(text) < LONG_QUOTE and old and not (quote.before or quote.after):
        raise Problem(
            "ambiguous",
            f"the quote {clip(text)} stands at {span.start} now, but is short and brings no "
            "context to know it by",
        )
    return span


def _fits(document: Document, quote: Quote, old: Span) -> bool:
    """Whether what stands at the old place may well be the quote, by length or by context."""
    if len(old) >= LONG_QUOTE or not (quote.before or quote.after):
        return True
    before, after = quote.before, quote.after
    return agreement(document.text, old.start, old.end, before, after) >= 0.5  # noqa: PLR2004


def _numbered(document: Document, text: str, quote: Quote, *, same: bool) -> Span:
    starts = find_all(document.text, text)
    number = quote.occurrence or 1
    if number <= len(starts) and (same or len(starts) == 1):
        return Span(starts[number - 1], starts[number - 1] + len(text))
    if not starts or quote.before or quote.after:
        return anchor(document, text, before=quote.before, after=quote.after)
    raise Problem(
        "ambiguous",
        f"the quote {clip(text)} was number {number} of several, and stands at {places(starts)} "
        "now that the document may have changed",
    )
