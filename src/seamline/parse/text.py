"""Plain text: paragraphs between blank lines, pages between form feeds."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from seamline.parse.encoding import decode
from seamline.types import Block, Document, Span

__all__ = ["PARSER", "PlainTextParser", "page_starts", "read_text"]

# One whitespace run that holds two line feeds, and the indentation after it.
_BLANK_LINES = re.compile(r"\n\s*\n[^\S\n]*")


class PlainTextParser:
    """Reads text/plain: each paragraph is a block of kind `paragraph`."""

    media_type = "text/plain"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document with its paragraphs; `metadata["pages"]` where pages break.

        A paragraph runs from its first character that is not whitespace to the end
        of its last line. A line of whitespace alone is blank.

        Raises:
            InvalidDocument: the bytes are not UTF-8.

        Example:
            >>> document = PlainTextParser().parse("One.\n\nTwo\nlines.\n", "a.txt")
            >>> [(block.span.start, block.span.end) for block in document.blocks]
            [(0, 4), (6, 16)]
        """
        document = read_text(data, source, self.media_type)
        return replace(document, blocks=_paragraphs(document.text))


PARSER = PlainTextParser()


def read_text(data: bytes | str, source: str, media_type: str) -> Document:
    """The document without blocks: decoded, line ends and page breaks settled."""
    text = data if isinstance(data, str) else decode(data, source)
    document = Document(id=source, text=text, source=source, media_type=media_type)
    pages = page_starts(document.text)
    metadata: dict[str, Any] = {"pages": pages} if len(pages) > 1 else {}
    return replace(document, metadata=metadata) if metadata else document


def page_starts(text: str) -> tuple[int, ...]:
    r"""Offsets where pages start: 0, and after every form feed that text follows.

    Example:
        >>> page_starts("one\ftwo\f")
        (0, 4)
    """
    starts = [0]
    while (found := text.find("\f", starts[-1])) >= 0:
        starts.append(found + 1)
    if len(starts) > 1 and starts[-1] == len(text):
        starts.pop()
    return tuple(starts)


def _paragraphs(text: str) -> tuple[Block, ...]:
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    if begin >= end:
        return ()
    spans = []
    for gap in _BLANK_LINES.finditer(text, begin, end):
        spans.append(Span(begin, gap.start()))
        begin = gap.end()
    spans.append(Span(begin, end))
    return tuple(Block("paragraph", span) for span in spans)
