"""Questions as lines of a golden set: drafts, and answers with what finds them again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seamline.types import Document, Span

__all__ = ["KNOWN_ITEM", "SYNTHETIC", "Draft", "answer_row", "draft_row", "line_of"]

SYNTHETIC = "synthetic"
KNOWN_ITEM = "known-item"
MODEL = "model"
_CONTEXT = 30  # characters before and after an answer, to find it again after an edit


@dataclass(frozen=True, slots=True)
class Draft:
    """A question that no person wrote, with the spans of one document that it asks for.

    `kind` is heading, docstring, row or faq of a known item, or model.
    """

    document: Document
    question: str
    spans: tuple[Span, ...]
    kind: str
    model: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What the spans hold."""
        return tuple(self.document.text[span.start : span.end] for span in self.spans)

    @property
    def tags(self) -> list[str]:
        """What reports group it by, unlike the tags that people give."""
        return [MODEL] if self.kind == MODEL else [KNOWN_ITEM, f"{KNOWN_ITEM}:{self.kind}"]


def answer_row(document: Document, span: Span) -> dict[str, Any]:
    """A span as an answer that is found again after an edit.

    Example:
        >>> answer_row(Document.from_text("Press F5. Wait."), Span(0, 9))
        {'start': 0, 'end': 9, 'text': 'Press F5.', 'before': '', 'after': ' Wait.'}
    """
    text = document.text
    return {
        "start": span.start,
        "end": span.end,
        "text": text[span.start : span.end],
        "before": text[max(0, span.start - _CONTEXT) : span.start],
        "after": text[span.end : span.end + _CONTEXT],
    }


def draft_row(draft: Draft, digest: str) -> dict[str, Any]:
    """A draft as an object of a golden set; `digest` is its document's.

    Its id is made of what it asks and where, so the same draft has the same id in
    every run.
    """
    made_of = json.dumps([draft.document.id, draft.question, draft.texts])
    number = hashlib.sha256(made_of.encode()).hexdigest()[:8]
    return {
        "id": f"{draft.kind}-{number}",
        "doc_id": draft.document.id,
        "question": draft.question,
        "answers": [answer_row(draft.document, span) for span in draft.spans],
        "mode": "all",
        "tags": draft.tags,
        "source": SYNTHETIC,
        "reviewed": False,
        "doc_sha256": digest,
        **({"model": draft.model} if draft.model else {}),
    }


def line_of(row: Mapping[str, Any]) -> str:
    """An object as one line of JSON, without the line end."""
    return json.dumps(row, ensure_ascii=False)
