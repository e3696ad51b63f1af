"""One chunk a table row, indexed as a sentence; what is no table as `structure` cuts it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from seamline.errors import InvalidConfig
from seamline.protocols import Sizer
from seamline.sizers import make_ruler
from seamline.split.chunks import make_chunks
from seamline.split.graphemes import is_border
from seamline.split.levels import Offsets, make_levels
from seamline.split.optimal import trim_spans
from seamline.split.outline import join_path
from seamline.split.pack import Cuts, content_start, pack
from seamline.split.rows import RowSentences, sentences_of
from seamline.split.structured import Structure
from seamline.split.table_blocks import Between, Table, line_start, tables_of
from seamline.split.wording import TEMPLATES, fields_of
from seamline.types import Chunk, Document, Span

__all__ = ["TableRows"]

_INSIDE_CELLS = ("sentence", ";", ",", "word")
_MOST_BETWEEN = 64  # characters of white space between a heading and its table
_JOINING = "\u0300"  # no character below it joins the one before


@dataclass(slots=True)
class _Found:
    """Chunks in the making: spans, what each hangs on, what is indexed (empty: by default)."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    indexed: list[str] = field(default_factory=list)

    def add(self, start: int, end: int, context: str = "", indexed: str = "") -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.contexts.append(context)
        self.indexed.append(indexed)


@dataclass(frozen=True)
class TableRows(Structure):
    r"""One chunk a table row, indexed as a sentence made of heading, header and cells.

    The chunk's text is the row, the first one's with the headings right above and the
    header, which is the `context` of the others. No model writes the sentences.
    `template` is `auto` (English under English headers, else `key — header: value; …`), `sentence`,
    `neutral`, or a format string with {table}, {path}, {key}, {cells} and the
    names of columns. A row over `size` is cut between cells, and its key said
    again. What is no table is cut as `structure` does.

    Example:
        >>> from seamline.types import Block, Span
        >>> text = "Plan | Fee | Refundable\nBasic | $5 | No"
        >>> header = Block("table_row", Span(0, 23), title="header")
        >>> blocks = Block("table", Span(0, 39)), header, Block("table_row", Span(24, 39))
        >>> [chunk.indexed for chunk in TableRows().split(Document.from_text(text, blocks=blocks))]
        ['The Basic plan has a fee of $5 and is not refundable.']
    """

    name: ClassVar[str] = "table_rows"
    template: str = field(default="auto", kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        given: Any = self.template
        if not isinstance(given, str) or ("{" not in given and given not in TEMPLATES):
            raise InvalidConfig(
                f"template must be {', '.join(TEMPLATES)} or a format string like "
                f"'{{key}}: {{cells}}', got {given!r}"
            )
        if given not in TEMPLATES:
            fields_of(given)

    def reason(self, kind: str, document: Document | None = None) -> str:
        told = "a row a chunk, indexed as a sentence of its header and cells"
        return told if kind == "table" else super().reason(kind, document)

    def split(self, document: Document) -> list[Chunk]:
        tables = tables_of(document)
        if not tables:
            return super().split(document)
        found = self._found(document, tables)
        cuts = found.starts, found.ends
        said = [line or None for line in found.indexed]
        indexed = self._said(document, cuts, found.contexts, said)
        return make_chunks(document, cuts, contexts=found.contexts, indexed=indexed)

    def cut(self, document: Document) -> Cuts:
        tables = tables_of(document)
        if not tables:
            return super().cut(document)
        found = self._found(document, tables)
        return found.starts, found.ends

    def _found(self, document: Document, tables: Sequence[Table]) -> _Found:
        found, between = _Found(), Between(document)
        headings = list(document.columns.places("heading"))
        at = 0
        for table in tables:
            start = line_start(document.text, table.span.start, at)
            start = _headed(document, headings, at, start)
            self._take(found, between.part(at, start), at)
            _Rows(self, document, table, found).cut(start)
            at = table.span.end
        self._take(found, between.part(at, len(document.text)), at)
        return found

    def _take(self, found: _Found, part: Document | None, offset: int) -> None:
        """Cut what lies between tables."""
        if part is None:
            return
        if _is_plain(part) and len(part.text) <= self._sure(part.text, self.size):
            solid = len(part.text) - len(part.text.lstrip())
            start = content_start(part.text, 0, solid, self.size // 2)
            found.add(start + offset, len(part.text.rstrip()) + offset)
            return
        (starts, ends), contexts, _ = self._cut(part)
        for start, end, context in zip(starts, ends, contexts, strict=True):
            found.add(start + offset, end + offset, context)


def _headed(document: Document, headings: Sequence[int], least: int, start: int) -> int:
    """Where the headings begin that stand right above `start`, not before `least`; else `start`."""
    text, blocks = document.text, document.columns
    place = bisect_left(headings, start, key=blocks.starts.__getitem__) - 1
    while place >= 0:
        low, high = blocks.starts[headings[place]], blocks.ends[headings[place]]
        if low < least or not 0 <= start - high <= _MOST_BETWEEN or text[high:start].strip():
            break
        start = line_start(text, low, least)
        place -= 1
    return start


def _is_plain(document: Document) -> bool:
    """Whether there is but one section, of paragraphs alone: one chunk if it fits."""
    kinds = document.columns.kinds
    return kinds.count("paragraph") + (kinds[:1] == ["heading"]) == len(kinds) > 0


class _Rows:
    """Cuts one table into its rows."""

    def __init__(
        self, strategy: TableRows, document: Document, table: Table, found: _Found
    ) -> None:
        self._text, self._table, self._found = document.text, table, found
        self._sizer: Sizer = strategy._sizer  # noqa: SLF001 - two halves of one thing
        self._limit, self._sure = strategy.size, strategy._sure  # noqa: SLF001
        self._sentences: RowSentences = sentences_of(document, table, strategy.template)
        prefix = strategy.prefix and "{path}" not in strategy.template
        self._titles = [*table.path, *filter(None, [table.title])] if prefix else []
        self._line = f"{join_path(self._titles)}\n" if self._titles else ""
        self._context, self._cost = "", 0

    def cut(self, start: int) -> None:
        """A chunk for each row from `start` to the table's end, all text in one of them."""
        text, rows = self._text, self._table.rows
        ends = [*(row.end for row in rows[:-1]), self._table.span.end]
        starts = [start, *ends[:-1]]
        lows, highs = trim_spans(text, starts, ends)
        sure = self._sure(text, self._limit - self._cost)
        spans = zip(rows, starts, lows, highs, self._sentences.of(rows), strict=True)
        is_first = True
        for row, at, low, high, said in spans:
            if low == high:  # a blank row, which no parser gives
                continue
            begin = low if text[low] < _JOINING else content_start(text, at, low, 0)
            if high - begin <= sure:
                self._found.add(begin, high, self._context, self._indexed(said))
            else:
                self._measured(row, Span(begin, high), said)
            if is_first:
                is_first = False
                self._show_header()
                sure = self._sure(text, self._limit - self._cost)

    def _show_header(self) -> None:
        """From here on rows stand without their header: it is their context."""
        if self._table.header is not None:
            header = self._table.header
            self._context = self._text[header.start : header.end]
            self._cost = self._sizer.size(f"{self._context}\n")

    def _measured(self, row: Span, span: Span, said: str) -> None:
        """A row that may not fit, whole if it does, with what it hangs on if there is room."""
        start, end = span.start, span.end
        size = self._sizer.size(self._text[start:end])
        if size > self._limit and start < row.start and not self._context:
            start = self._cut_header(row, start)
            if start >= end:  # the first row is blank
                return
            size = self._sizer.size(self._text[start:end])
        if size + self._cost <= self._limit:
            context, cost = self._context, self._cost
        else:
            enough = 4 * self._cost <= self._limit
            context, cost = (self._context, self._cost) if enough else ("", 0)
        if size + cost <= self._limit:
            self._found.add(start, end, context, self._indexed(said))
        else:
            self._pieces(row, Span(start, end), context, self._limit - cost)

    def _cut_header(self, row: Span, start: int) -> int:
        """The header in chunks of its own, as it does not fit with the first row."""
        for low, high in zip(*self._pack(start, row.start, self._limit, []), strict=True):
            self._found.add(low, high)
        self._show_header()
        return row.start

    def _pieces(self, row: Span, span: Span, context: str, limit: int) -> None:
        borders = self._sentences.borders(row)
        cuts = self._pack(span.start, span.end, limit, borders)
        pieces = [Span(low, high) for low, high in zip(*cuts, strict=True)]
        said = self._sentences.parts(row, pieces)
        for piece, line in zip(pieces, said, strict=True):
            fits = self._sizer.size(self._text[piece.start : piece.end]) <= limit
            self._found.add(piece.start, piece.end, context if fits else "", self._indexed(line))

    def _pack(self, start: int, end: int, limit: int, borders: Sequence[int]) -> Cuts:
        """A span in pieces of at most `limit`, at the borders of cells where that will do."""
        part = self._text[start:end]
        inside = (border - start for border in borders if start < border < end)
        seams = Offsets([at for at in inside if is_border(part, at)])
        levels = (seams, *make_levels(part, _INSIDE_CELLS))
        starts, ends = pack(part, levels, make_ruler(self._sizer, part), limit)
        return [start + at for at in starts], [start + at for at in ends]

    def _indexed(self, said: str) -> str:
        """A sentence under the titles that it does not name itself; empty if it is."""
        if not said or not self._line:
            return said
        for title in self._titles:
            if title in said:
                line = join_path([other for other in self._titles if other not in said])
                return f"{line}\n{said}" if line else said
        return self._line + said
