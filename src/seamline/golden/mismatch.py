"""Says why a gold span does not hold its text, and where the text stands."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from seamline.golden.anchor import find_all, places
from seamline.golden.findings import Problem, clip
from seamline.types import Document, Span

__all__ = ["answer_json", "mismatch"]

# What other tools count, and how far they get to where a text begins.
_UNITS: tuple[tuple[str, Callable[[str], int]], ...] = (
    (r"\r\n line ends as two characters", lambda head: len(head) + head.count("\n")),
    ("UTF-8 bytes", lambda head: len(head.encode())),
    ("UTF-16 code units", lambda head: len(head.encode("utf-16-le")) // 2),
)
_LOOKED_AT = 20


def answer_json(document: Document, span: Span) -> str:
    """A span as an answer of a golden set, ready to paste."""
    text = document.text[span.start : span.end]
    return json.dumps({"start": span.start, "end": span.end, "text": text}, ensure_ascii=False)


def _other_unit(text: str, start: int, starts: Sequence[int]) -> tuple[str, int] | None:
    """The unit in which one of `starts` is counted as `start`, and that one."""
    for at in starts[:_LOOKED_AT]:
        for name, count in _UNITS:
            # All units count at least one a character, so most places need no counting.
            if at < start and count(text[:at]) == start:
                return name, at
    return None


def mismatch(document: Document, start: int, end: int, text: str | None) -> Problem:
    """The problem of a span whose slice is not `text` or that ends after the document."""
    size = len(document.text)
    if end > size:
        what = f"gold span [{start}, {end}) ends after document {document.id!r} ({size} characters)"
    else:
        held = clip(document.text[start:end])
        what = (
            f"gold span [{start}, {end}) of document {document.id!r} "
            f"must hold {clip(text or '')}, but holds {held}"
        )
    if text is None:
        return Problem("offsets", f"{what}: was the document changed since?")
    starts = find_all(document.text, text)
    if not starts:
        return Problem(
            "quote", f"{what}, and the text stands nowhere in it: was the document changed since?"
        )
    other = _other_unit(document.text, start, starts)
    if other is None and len(starts) > 1:
        return Problem(
            "offsets",
            f"{what}; the text occurs {len(starts)} times, at {places(starts)}",
            "give the offsets of the one that is meant",
        )
    unit, at = other or ("", starts[0])
    why = (
        rf"the offsets count {unit}, but must count code points of the text with \n line ends"
        if unit
        else f"the text stands at {at}: was the document changed since?"
    )
    return Problem("offsets", f"{what}; {why}", answer_json(document, Span(at, at + len(text))))
