"""What a chunk should be read with: the table's header, the question, the signature above it.

A chunk's `context` is shown with it and costs what it takes; the prefix (title and
heading path) is only indexed. Neither ever enters the text.

This module is compiled where a C compiler is at hand (`context.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamline.types import Document

__all__ = ["contexts"]

_CHILDREN = frozenset({"table_row", "list_item"})
_KINDS = _CHILDREN | {"table", "definition", "qa_pair", "list", "turn", "clause"}
# Characters of a context and of the line or question before it, at most.
_MOST, _MOST_BEFORE, _MOST_TITLE = 400, 200, 60


class _Open:
    """A block that chunks may begin in, and what of it lies before them."""

    def __init__(self, kind: str, start: int, end: int, title: str, before: str) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.title = title
        self.before = before
        self.header_end = 0
        self.n_items = 0
        self.item_start = 0
        self.item_end = 0

    def speaks(self) -> bool:
        """Whether a chunk inside may hang on it."""
        if self.kind == "list":
            return self.before != "" or self.title == "ordered"
        return self.title != "" or self.kind in ("definition", "table", "turn")

    def line(self, text: str, start: int) -> str:
        """What a chunk that begins at `start` inside the block hangs on."""
        if self.kind == "table":
            end = self.header_end if self.header_end <= start else 0
            return text[self.start : min(end, self.start + _MOST)]
        if self.kind == "list":
            return self._steps(text, start)
        if self.kind == "turn":
            return f"{self.before}\n{self.title}:".strip()
        if self.kind == "clause":
            return self._heading(text, start) or self.title
        return self.title

    def _heading(self, text: str, start: int) -> str:
        """The first line of a clause, if it is short: its number and title."""
        stop = text.find("\n", self.start, min(start, self.start + _MOST_TITLE))
        return " ".join(text[self.start : stop].split()) if stop > 0 else ""

    def _steps(self, text: str, start: int) -> str:
        """The introduction of numbered steps, and where in them the chunk begins."""
        if self.title != "ordered" or not self.n_items:
            return self.before
        place = "in" if self.item_end > start else "after"
        number = ""
        for sign in text[self.item_start : self.item_start + 9]:
            if not sign.isdecimal():
                break
            number += sign
        return f"{self.before} ({place} step {number or self.n_items})".strip()


def contexts(document: Document, starts: Sequence[int]) -> list[str]:
    r"""For each chunk that begins at one of the increasing `starts`, what it hangs on.

    A row hangs on its table's header, the rest of an answer on its question, a step
    on those before it, code on the classes and functions around it, the rest of a
    turn on its speaker and the question before. Empty for most. Cost: linear.

    Example:
        >>> from seamline.types import Block, Span
        >>> row, table = Block("table_row", Span(0, 5), title="header"), Block("table", Span(0, 11))
        >>> contexts(Document.from_text("|day|\n|Mon|", blocks=(table, row)), [0, 6])
        ['', '|day|']
    """
    found = document.columns
    return _contexts(
        document.text, found.kinds, found.starts, found.ends, found.titles, list(starts)
    )


def _contexts(
    text: str,
    kinds: list[str],
    lows: list[int],
    highs: list[int],
    titles: list[str],
    starts: list[int],
) -> list[str]:
    found: list[str] = []
    inside: list[_Open] = []  # all that are open, and those of them that may say something
    defined: list[_Open] = []
    speaking: list[_Open] = []
    at, n = 0, len(kinds)
    asked = ""  # the question that the last turn ended with
    for start in starts:
        while at < n and lows[at] < start:
            if kinds[at] in _KINDS:
                opened = _take(inside, text, kinds[at], lows[at], highs[at], titles[at], asked)
                if kinds[at] == "turn":
                    asked = _question(text, lows[at], highs[at])
                if opened is not None and opened.speaks():
                    others = defined if kinds[at] == "definition" else speaking
                    _leave(others, lows[at])
                    others.append(opened)
            at += 1
        _leave(inside, start)
        _leave(defined, start)
        _leave(speaking, start)
        line = _joined(defined, speaking, text, start) if defined or speaking else ""
        if asked and not line and at < n and lows[at] == start and kinds[at] == "turn":
            line = asked
        found.append(line)
    return found


def _joined(defined: list[_Open], speaking: list[_Open], text: str, start: int) -> str:
    """The lines of the open blocks; definitions in one, as `class Tank \u203a def drain`."""
    names: list[str] = []
    left = _MOST
    for block in defined:
        if left <= 0:
            break
        names.append(block.title)
        left -= len(block.title) + 1
    line = " \u203a ".join(names)
    lines = [line] if line else []
    left = _MOST
    for block in speaking:
        if left <= 0:
            break
        line = block.line(text, start)
        if line:
            lines.append(line)
            left -= len(line)
    return "\n".join(lines)[:_MOST]


def _take(
    inside: list[_Open], text: str, kind: str, start: int, end: int, title: str, asked: str
) -> _Open | None:
    """Open a block that begins before the chunk, or note it in the one that it is a part of."""
    _leave(inside, start)
    opened = None
    if kind not in _CHILDREN:
        if kind == "list" and len(inside):
            block = inside[-1]
            if block.kind == "clause":
                title = ""  # the numbers of a contract are no steps
        opened = _Open(kind, start, end, title, _before(text, kind, start, asked))
        inside.append(opened)
    elif len(inside):
        block = inside[-1]
        if kind == "list_item":
            block.n_items += 1
            block.item_start = start
            block.item_end = end
        elif title == "header":
            block.header_end = end
    return opened


def _leave(inside: list[_Open], offset: int) -> int:
    """Close the blocks that end at or before an offset."""
    while len(inside):
        block = inside[-1]
        if block.end > offset:
            break
        inside.pop()
    return 0


def _before(text: str, kind: str, start: int, asked: str) -> str:
    """The line that introduces a list, or the question that a turn answers."""
    if kind == "list":
        lead = text[max(0, start - _MOST_BEFORE) : start].rstrip()
        line = lead[lead.rfind("\n") + 1 :].strip()
        return line if line.endswith(":") else ""
    return asked if kind == "turn" else ""


def _question(text: str, start: int, end: int) -> str:
    """What a turn says last, if it asks."""
    said = text[start:end].rstrip()[-_MOST_BEFORE:]
    return said if said.endswith("?") else ""
