"""Questions about a window by a language model, and their answers found again by it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from seamline.golden.chat import Chat, Prompt, Rejected
from seamline.golden.filters import fault
from seamline.golden.rows import MODEL, Draft
from seamline.golden.verbatim import find_verbatim
from seamline.golden.windows import Window
from seamline.protocols import Sizer
from seamline.scan import first_surrogate
from seamline.types import Span

__all__ = ["asking", "draft_from", "finding"]

_MOST_SPANS = 3

_ASKING = """\
You write test questions for a search engine. You are given one passage of a document. Write one \
question that somebody would type who needs what the passage says but has never seen it.

The question
- names what it is about, so that it can be understood alone; it never mentions the passage or \
document;
- uses its author's everyday words, not the phrases of the passage;
- can be answered in full from the passage, and not from general knowledge;
- is in the language of the passage.

The answer is copied from the passage, character for character: the shortest whole sentences, \
list items or table rows that answer the question in full, as one string, or as two or three \
strings if they stand apart.

Reply with nothing but JSON: {"question": "...", "answer": ["..."]}
If the passage says nothing worth asking for, reply {"question": null, "answer": []}"""

_FINDING = """\
You are given an excerpt of a document and a question. Copy from the excerpt, character for \
character, the shortest whole sentences, list items or table rows that answer the question in \
full: as one string, or as two or three strings if they stand apart. Add nothing, change nothing.

Reply with nothing but JSON: {"answer": ["..."]}
If the excerpt does not answer the question, reply {"answer": []}"""


def asking(window: Window) -> Prompt:
    """What asks for a question about a window; says where in which document it stands."""
    where = f"Document: {window.document.id}"
    where += f"\nSection: {window.section}" if window.section else ""
    return Prompt(_ASKING, f"{where}\n\n<passage>\n{window.text}\n</passage>")


def finding(window: Window, question: str) -> Prompt:
    """What asks for the answer again, in a wider passage and blind to the first answer."""
    excerpt = f"<excerpt>\n{window.wide_text}\n</excerpt>"
    return Prompt(_FINDING, f"{excerpt}\n\nQuestion: {question}")


def draft_from(window: Window, chat: Chat, sizer: Sizer) -> Draft:
    """A question about a window whose answer stands there and was found again.

    Cost: two calls, one where the first answer is no good already.

    Raises:
        Rejected: no such question; says why.
        ModelError: see `Chat.reply`.
    """
    reply = chat.reply(asking(window), "question")
    question = reply["question"]
    if not isinstance(question, str) or not question.strip():
        raise Rejected("nothing to ask")
    question = " ".join(question.split())
    if first_surrogate(question) >= 0:
        raise Rejected("reply is no JSON")
    spans = _spans(window, reply.get("answer"), within=window.span)
    if not spans:
        raise Rejected("gold not verbatim in its passage")
    draft = Draft(window.document, question, tuple(spans), MODEL, chat.model)
    if why := fault(draft, sizer):
        raise Rejected(why)
    again = _spans(window, chat.reply(finding(window, question), "answer")["answer"], window.wide)
    if not all(any(_touch(span, other) for other in again or ()) for span in spans):
        raise Rejected("answer not found again")
    return draft


def _spans(window: Window, answer: Any, within: Span) -> list[Span] | None:
    """The places of the quotes in an answer, sorted; None unless all stand there verbatim."""
    quotes = [answer] if isinstance(answer, str) else answer
    if not isinstance(quotes, list) or not 0 < len(quotes) <= _MOST_SPANS:
        return None
    text = window.document.text
    found = [
        find_verbatim(text, quote, within=within) if isinstance(quote, str) else None
        for quote in quotes
    ]
    spans = sorted({span for span in found if span is not None})
    return spans if None not in found and _apart(spans) else None


def _apart(spans: Sequence[Span]) -> bool:
    return all(a.end <= b.start for a, b in pairwise(spans))


def _touch(span: Span, other: Span) -> bool:
    return span.start < other.end and other.start < span.end
