"""The tables among a document's blocks, and the documents between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from seamline.split.outline import outline
from seamline.types import Blocks, Document, Span

__all__ = ["Between", "Table", "line_start", "tables_of"]

# What may stand on a table's first line before it: quote and list markers.
_MARGIN = " \t>*+-.)0123456789"
_LONGEST_MARGIN = 64


@dataclass(slots=True)
class Table:
    """Where a table lies, its header and its rows, the titles above it and its own."""

    span: Span
    header: Span | None = None
    rows: list[Span] = field(default_factory=list)
    path: tuple[str, ...] = ()
    title: str = ""


def tables_of(document: Document) -> list[Table]:
    r"""The tables of a document that have rows, those inside others left out. Cost: linear.

    Example:
        >>> from seamline.types import Block
        >>> header = Block("table_row", Span(0, 7), title="header")
        >>> blocks = Block("table", Span(0, 12)), header, Block("table_row", Span(9, 12))
        >>> [table.rows for table in tables_of(Document.from_text("|a|\n|-|\n |1|", blocks=blocks))]
        [[Span(start=9, end=12)]]
    """
    found: list[Table] = []
    blocks = document.columns
    until = 0
    for kind, start, end, title in zip(
        blocks.kinds, blocks.starts, blocks.ends, blocks.titles, strict=True
    ):
        if kind == "table_row":
            if start < until:
                _take(found[-1], Span(start, end), title)
        elif kind == "table" and start >= until:
            found.append(Table(Span(start, end), title=title))
            until = end
    found = [table for table in found if table.rows]
    if found:
        sections = outline(document)
        for table in found:
            table.path = sections.path(table.span.start)
    return found


def _take(table: Table, span: Span, title: str) -> None:
    rows = table.rows
    if rows and span.start < rows[-1].end:
        return
    if title != "header" or rows:
        rows.append(span)
    else:
        table.header = Span(table.header.start if table.header else span.start, span.end)


def line_start(text: str, offset: int, least: int) -> int:
    """Where the line of a table begins if only markers of quotes and lists stand before it."""
    low = max(least, offset - _LONGEST_MARGIN)
    start = max(low, text.rfind("\n", low, offset) + 1)
    at_start = start == least or text[start - 1] == "\n"
    return start if at_start and not text[start:offset].strip(_MARGIN) else offset


class Between:
    """What lies between tables, as documents of their own, asked for in order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._at = 0
        self._open: list[int] = []  # the indices of blocks that reach into what follows

    def part(self, start: int, end: int) -> Document | None:
        """The document of a span with the blocks in it, those that reach out cut; None if blank."""
        blocks = self._inside(start, end)
        text = self._document.text[start:end]
        if not text.strip():
            return None
        return replace(self._document, text=text, blocks=blocks, metadata={})

    def _inside(self, start: int, end: int) -> Blocks:
        known = self._document.columns
        self._open = [at for at in self._open if known.ends[at] > start]
        found = list(self._open)
        while self._at < len(known) and known.starts[self._at] < end:
            if known.ends[self._at] > start:
                found.append(self._at)
            if known.ends[self._at] > end:
                self._open.append(self._at)
            self._at += 1
        return Blocks(
            [known.kinds[at] for at in found],
            [max(known.starts[at], start) - start for at in found],
            [min(known.ends[at], end) - start for at in found],
            [known.levels[at] for at in found],
            [known.titles[at] for at in found],
        )
