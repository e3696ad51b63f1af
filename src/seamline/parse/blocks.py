"""Markdown's events into blocks, in bytes until all are found.

`pyromark` names the blocks and says where they lie; here it is settled where each
starts and ends, so that blocks are nested or disjoint whatever the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pyromark

from seamline.parse.code_points import code_points
from seamline.parse.tables import MARGIN, header_top, line_start, rows_in_paragraph
from seamline.types import Blocks

__all__ = ["Found", "collect_blocks"]

# Footnotes are on so that a definition's text is a paragraph, not a link target.
_OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
)
_BREAK = ord("\n")
_SPACE = ord(" ")
_BLANK = b" \t\n"

Events = Iterator[tuple[Any, Any]]


class Found(NamedTuple):
    """The blocks of a text, and what else is told by them.

    `title` is that of the first level-1 heading outside lists and quotes, `unclosed`
    where the last block begins if that is a fence without an end, else -1.
    """

    blocks: Blocks
    title: str
    unclosed: int


def collect_blocks(text: str, begin: int = 0) -> Found:
    """The blocks of a Markdown text from `begin` on, in document order, parents before children."""
    found = _columns(text[begin:])
    starts, ends = code_points(found.data, found.starts), code_points(found.data, found.ends)
    if begin:
        starts, ends = [begin + start for start in starts], [begin + end for end in ends]
    blocks = Blocks(found.kinds, starts, ends, found.levels, found.titles)
    return Found(blocks, found.title, starts[-1] if found.ends_in_open_fence() else -1)


def _columns(text: str) -> BlockColumns:
    found = BlockColumns(text.encode())
    # A copy, as pyromark would leave a UTF-8 form cached in the caller's string.
    events: Events = pyromark.events_with_range(found.data.decode(), options=_OPTIONS)
    for event, where in events:
        if "Start" in event:
            tag = event["Start"]
            add = _BLOCKS.get(tag if isinstance(tag, str) else next(iter(tag)))
            if add is not None:
                add(found, tag, where["start"], where["end"], events)
        elif event == "Rule":
            found.add("rule", where["start"], where["end"])
    return found


class BlockColumns:
    """Blocks in document order, nested or disjoint, a list for each property.

    Lists of plain values, as the garbage collector would walk a million tuples
    again and again. Offsets are UTF-8 bytes of `data`.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.levels: list[int] = []
        self.titles: list[str] = []
        self.title = ""
        self.last_start = -1
        self.last_fence = -1
        self.note_start = -1
        self.table_start = 0
        self.list_ends: list[int] = []
        self.quote_ends: list[int] = []
        self._open_ends: list[int] = []
        self._trimmed: dict[tuple[int, bytes], int] = {}

    def add(self, kind: str, start: int, end: int, level: int = 0, title: str = "") -> None:
        """One more block, without the blank lines at its end, inside whatever is open.

        With tabs after list markers `pyromark` may put a start a few bytes early
        or an end beyond the parent's: both are pulled in.
        """
        data, open_ends = self.data, self._open_ends
        if data[start] <= _SPACE and kind != "code":
            start = end - len(data[start:end].lstrip(_BLANK))
        if start < self.last_start:  # noqa: PLR1730 - a call less for every block
            start = self.last_start
        if data[end - 1] == _BREAK:
            end -= 1
        if data[end - 1] <= _SPACE:
            end = self._trim(end)
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and open_ends[-1] < end:
            end = open_ends[-1]
        if start < end:
            open_ends.append(end)
            self.last_start = start
            self.kinds.append(kind)
            self.starts.append(start)
            self.ends.append(end)
            self.levels.append(level)
            self.titles.append(title)

    def _trim(self, end: int, blank: bytes = _BLANK) -> int:
        """The end of the last line before `end` that is not blank; each run is walked once."""
        if (end, blank) not in self._trimmed:
            low, step, kept = end, 16, b""
            while low and not kept:
                high, low = low, max(0, low - step)
                kept, step = self.data[low:high].rstrip(blank), 2 * step
            stop = self.data.find(b"\n", low + len(kept), end)
            self._trimmed[end, blank] = end if stop < 0 else stop
        return self._trimmed[end, blank]

    def list_end(self, start: int, end: int) -> int:
        """The end of a list or item without the quote markers of blank lines behind it."""
        quoted = self.depth(self.quote_ends, start)
        return self._trim(end, _BLANK + MARGIN) if quoted else end

    def end_paragraph_above(self, offset: int) -> None:
        """Let the last block, a paragraph, end above the line of `offset`, or be no block."""
        start = self.starts.pop()
        for column in (self.kinds, self.ends, self.levels, self.titles, self._open_ends):
            column.pop()
        end = line_start(self.data, offset)
        if start < end:
            self.add("paragraph", start, end)

    def depth(self, ends: list[int], start: int) -> int:
        """How many of the containers that end at `ends` are still open at `start`."""
        while ends and ends[-1] <= start:
            ends.pop()
        return len(ends)

    def ends_in_open_fence(self) -> bool:
        """Whether the last block is a code fence that ran to the end of the text unclosed."""
        if not self.kinds or self.kinds[-1] != "code" or self.last_fence < self.last_start:
            return False
        start, end = self.last_fence, self.ends[-1]
        if self.data[end:].strip(_BLANK):
            return False
        fence, mark = self.data[start:end], self.data[start : start + 1]
        n_marks = len(fence) - len(fence.lstrip(mark))
        last = fence[fence.rfind(b"\n") + 1 :].strip(MARGIN)
        return b"\n" not in fence or len(last) < n_marks or last.strip(mark) != b""


def _add_as(kind: str) -> Callable[..., None]:
    def add(found: BlockColumns, _tag: Any, start: int, end: int, _events: Events) -> None:
        found.add(kind, start, end)

    return add


def _footnote(found: BlockColumns, _tag: Any, start: int, _end: int, _events: Events) -> None:
    found.note_start = start


def _paragraph(found: BlockColumns, _tag: Any, start: int, end: int, _events: Events) -> None:
    data = found.data
    if found.note_start > found.last_start:
        start = found.note_start
    found.add("paragraph", start, end)
    if data.find(b"|", start, end) >= 0 and (rows := rows_in_paragraph(data, start, end)):
        found.end_paragraph_above(rows[0][0])
        found.add("table", rows[0][0], end)
        for index, (low, high) in enumerate(rows):
            found.add("table_row", low, high, 0, "" if index else "header")


def _heading(found: BlockColumns, tag: Any, start: int, end: int, events: Events) -> None:
    level, title = int(tag["Heading"]["level"][1:]), _plain_title(events)
    found.add("heading", start, end, level, title)
    depth = found.depth(found.list_ends, start) + found.depth(found.quote_ends, start)
    if level == 1 and depth == 0:
        found.title = found.title or title


def _plain_title(events: Events) -> str:
    """The heading's text without markup; leaves `events` after its end."""
    parts = []
    for event, _ in events:
        if "Text" in event:
            parts.append(event["Text"])
        elif "Code" in event:
            parts.append(event["Code"])
        elif event in ("SoftBreak", "HardBreak"):
            parts.append(" ")
        elif "End" in event and "Heading" in event["End"]:
            break
    return " ".join("".join(parts).split())


def _list(found: BlockColumns, tag: Any, start: int, end: int, _events: Events) -> None:
    level = found.depth(found.list_ends, start) + 1
    found.list_ends.append(end)
    title = "bullet" if tag["List"] is None else "ordered"
    found.add("list", start, found.list_end(start, end), level, title)


def _item(found: BlockColumns, _tag: Any, start: int, end: int, _events: Events) -> None:
    level = found.depth(found.list_ends, start)
    found.add("list_item", start, found.list_end(start, end), level)


def _quote(found: BlockColumns, _tag: Any, start: int, end: int, _events: Events) -> None:
    level = found.depth(found.quote_ends, start) + 1
    found.quote_ends.append(end)
    found.add("quote", start, end, level)


def _code(found: BlockColumns, tag: Any, start: int, end: int, _events: Events) -> None:
    """Starts with the first line's indentation, so that the code is whole."""
    info, title, data = tag["CodeBlock"], "", found.data
    if info != "Indented":
        found.last_fence, title = start, info["Fenced"].strip()
    if start and data[start - 1] != _BREAK:
        start -= _n_indents(data[line_start(data, start) : start], fenced=info != "Indented")
    found.add("code", start, end, 0, title)


def _n_indents(margin: bytes, *, fenced: bool) -> int:
    """How much of what stands before the first line of code belongs to the code.

    Behind a list or quote marker that is the indentation of indented code, less
    the blank that belongs to the marker.
    """
    n_blanks = len(margin) - len(margin.rstrip(_BLANK))
    if n_blanks == len(margin):
        return n_blanks
    return 0 if fenced else max(0, n_blanks - 1)


def _table(found: BlockColumns, _tag: Any, start: int, end: int, _events: Events) -> None:
    if found.kinds and found.kinds[-1] == "paragraph":
        header = start, found.data.find(b"\n", start)
        top = header_top(found.data, found.starts[-1], header)
        if top < start:
            found.end_paragraph_above(top)
            start = top
    found.table_start = start
    found.add("table", start, end)


def _table_head(found: BlockColumns, _tag: Any, _start: int, end: int, _events: Events) -> None:
    """From the first header row to the end of the delimiter row, which has no event."""
    stop = found.data.find(b"\n", end)
    found.add("table_row", found.table_start, stop if stop >= 0 else len(found.data), 0, "header")


_BLOCKS: dict[str, Callable[..., None]] = {
    "Paragraph": _paragraph,
    "Heading": _heading,
    "List": _list,
    "Item": _item,
    "BlockQuote": _quote,
    "CodeBlock": _code,
    "Table": _table,
    "TableHead": _table_head,
    "TableRow": _add_as("table_row"),
    "HtmlBlock": _add_as("html"),
    "FootnoteDefinition": _footnote,
}
