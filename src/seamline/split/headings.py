"""Where the sections of a document begin."""

from __future__ import annotations

import re

from seamline.types import Document

__all__ = ["section_starts"]

# Lines that open a section in a text whose parser saw no headings: `Section 3.`,
# `2.1 Scope`, `Article IV`, `## Title`. A number alone (`1. `) opens a list
# item as often as a section, so it counts only before a short line of its own.
_OPENERS = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]+\S"
    r"|(?:section|article|chapter|part|appendix|clause|annex|schedule|paragraph|\u00a7)\s*"
    r"(?:\d+|[ivxlc]+\b|[a-z]\b)"
    r"|\d{1,3}(?:\.\d{1,3})+\.?[ \t]+\S"
    r"|\d{1,3}\.?[ \t]+[A-Z][^\n.;:!?]{1,78}(?=\n\s*\n))",
    re.MULTILINE | re.IGNORECASE,
)


def section_starts(document: Document) -> list[int]:
    """The offsets where sections begin, increasing; empty if there are none.

    Heading blocks decide; where there are none, numbered sections do. A heading
    that no text follows before the next heading opens a section with that one.
    """
    headings = [block.span for block in document.blocks if block.kind == "heading"]
    if not headings:
        return [found.start() for found in _OPENERS.finditer(document.text)]
    starts: list[int] = []
    last_end = -1
    for span in headings:
        if last_end < 0 or document.text[last_end : span.start].strip():
            starts.append(span.start)
        last_end = span.end
    return starts
