"""HTML's tags and text, one at a time, into a writer's blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol

from seamline.parse.grid import write_table
from seamline.parse.html_hidden import HIDDEN_ELEMENTS, is_hidden, may_matter, revealed_ids
from seamline.parse.html_lists import Lists
from seamline.parse.html_stack import BLOCKS, VOID, Closer, Stack
from seamline.parse.html_table import HtmlTable
from seamline.parse.html_tokens import attributes
from seamline.parse.limits import Limits
from seamline.parse.writer import Writer

__all__ = ["PARAGRAPH", "HtmlReader", "Opener"]

PARAGRAPH = ("paragraph", 0)
_SPACES = re.compile(r"[ \t\n\r\f\xa0]+")
_UNEVEN = re.compile(r"[\t\n\r\f\xa0]|  ")
_DOUBLE = re.compile(r"  +")
_BREAK = re.compile(r" ?\n ?")
_SOFT_HYPHEN = "\xad"
_MOST_KNOWN = 1_000
# All others without attributes that matter, and without an opener, change nothing.
_SPECIAL = BLOCKS | VOID | HIDDEN_ELEMENTS | {"html", "head", "button", "dialog"}
_NOTHING: tuple[Mapping[str, str], bool] = ({}, False)


class Terms(Protocol):
    """The terms of a `dl` that is open, and whether the last one is a question."""

    asks: bool

    def begin(self, *, is_term: bool) -> None:
        """A `dt` or `dd` begins."""


Opener = Callable[["HtmlReader", str, Mapping[str, str]], Closer | None]


class HtmlReader:
    """Takes tokens in order; `writer` holds what came out after `finish`.

    An opener is called when an element begins that is seen; what it returns is
    called when the element ends.
    """

    def __init__(self, text: str, openers: Mapping[str, Opener], *, limits: Limits) -> None:
        self.writer = Writer()
        self.stack = Stack()
        self.lists = Lists()
        self.run: list[str] = []
        self.kind = PARAGRAPH
        self.n_quotes = 0
        self.n_pre = 0
        self.language = ""
        self.math_start = -1
        self.untitled: list[tuple[int, bool]] = []
        self.terms: Terms | None = None
        self.table: HtmlTable | None = None
        self.table_place = -1
        self.in_cell = False
        self.main: list[tuple[int, int]] = []
        self._openers = openers
        self._special = _SPECIAL.union(openers)
        self._limits = limits
        self._revealed = revealed_ids(text)
        self._known: dict[str, tuple[Mapping[str, str], bool]] = {}
        self._in_title = False
        self._title = ""
        self._heading = ""

    def text(self, text: str) -> None:
        """Text between tags."""
        if self._in_title:
            self._title = self._title or " ".join(text.split())
        elif not self.stack.n_hidden:
            if _SOFT_HYPHEN in text:
                text = text.replace(_SOFT_HYPHEN, "")
            if self.n_pre:
                self.run.append(text.replace("\xa0", " ").replace("\r", "\n"))
            else:
                self.run.append(_SPACES.sub(" ", text) if _UNEVEN.search(text) else text)

    def start(self, name: str, source: str) -> None:
        """A start tag."""
        if name not in self._special and not (source and (source[-1] == "/" or may_matter(source))):
            self._in_title = False
            if self.stack.matters(name):
                self.stack.push(name, None, hidden=False)
        elif name in VOID:
            self._void(name, source)
        elif name not in ("html", "head"):
            self._start(name, source)

    def _start(self, name: str, source: str) -> None:
        if name in BLOCKS:
            self.stack.imply(name)
            if self.run or self.in_cell:
                self.end_run()
        if source.endswith("/") and self.stack.last("svg", "math") >= 0:
            return
        opener = self._openers.get(name)
        matters = source and (opener or name == "dialog" or may_matter(source))
        found, folded = self._attributes(source) if matters else _NOTHING
        hidden = folded or self._is_hidden(name, found)
        self._in_title = name == "title" and not self.stack.n_hidden
        seen = not hidden and not self.stack.n_hidden
        opener = opener or (self._openers["*"] if found else None)
        closer = opener(self, name, found) if opener and seen else None
        if closer is not None or hidden or self.stack.matters(name):
            self.stack.push(name, closer, hidden=hidden)

    def end(self, name: str) -> None:
        """An end tag."""
        self._in_title = False
        if name == "br":
            self._void("br", "")
            return
        if (self.run or self.in_cell) and name in BLOCKS:
            self.end_run()
        self.stack.end(name)

    def finish(self) -> tuple[int, int] | None:
        """Ends everything; where the page's main content stands, if it says so."""
        self.stack.close_to(0)
        self.end_run()
        if title := self._title or self._heading:
            self.writer.metadata["title"] = title
        main = [(start, end) for start, end in self.main if start < end]
        return (main[0][0], main[-1][1]) if main else None

    def end_run(self) -> None:
        """What was collected becomes a block, or goes on in its cell or listing."""
        if self.in_cell:
            self.run.append(" ")
        elif self.n_pre:
            if self.run and not self.run[-1].endswith("\n"):
                self.run.append("\n")
        elif self.run:
            text = _clean("".join(self.run))
            self.run.clear()
            if text:
                self.write(text, *self.kind)

    def write(self, text: str, kind: str, level: int = 0, *, title: str = "") -> None:
        """A block, or a line of a list item where there is no kind."""
        self.lists.mark(self.writer)
        plain = text.replace("\n", " ")
        if kind == "heading":
            text = title = plain
            if level == 1:
                self._heading = self._heading or plain
        if self.untitled and self._name_questions(plain):
            kind = kind or "paragraph"
        if kind != "code":
            self.language = ""
        self.writer.write(text, kind, level, title=title, n_lines=2 if kind else 1)

    def _name_questions(self, text: str) -> bool:
        """Whether the blocks that waited for a title are a question's, which `text` is."""
        asks = text.endswith(("?", "？"))
        for number, is_term in self.untitled:
            if asks or not is_term:
                self.writer.rename(number, "qa_pair", title=text)
            if is_term and self.terms is not None:
                self.terms.asks = asks
        self.untitled.clear()
        return asks

    def set_kind(self, kind: tuple[str, int]) -> Closer:
        """Runs of text become blocks of this kind, until the closer is called."""
        before, self.kind = self.kind, kind

        def close() -> None:
            self.end_run()
            self.kind = before

        return close

    def open_block(
        self, kind: str, level: int = 0, *, title: str = "", wants_title: bool = False
    ) -> Closer:
        """A block around what follows, until the closer is called; none inside a cell."""
        if self.in_cell:
            return self.end_run
        self.end_run()
        number = self.writer.open(kind, level, title)
        if wants_title:
            self.untitled.append((number, False))

        def close() -> None:
            self.end_run()
            self.writer.close(number)

        return close

    def take_cell(self) -> str:
        """The text of the cell that ends, on one line."""
        text = _clean("".join(self.run)).replace("\n", " ").rstrip("; ")
        self.run.clear()
        self.in_cell = False
        return text

    def write_table(self) -> None:
        """The collected table, or its texts if it holds no data."""
        table = self.table
        if table is None:
            return
        table.end_section()
        if table.is_layout():
            self.dissolve_table()
            return
        self.table, self.table_place = None, -1
        if table.rows:
            self.lists.mark(self.writer)
            write_table(self.writer, table.rows, limits=self._limits)

    def dissolve_table(self) -> None:
        """The collected table turns out to lay out the page: its cells are paragraphs."""
        table, self.table, self.table_place = self.table, None, -1
        here, self.run = self.run, []
        for text in table.texts() if table is not None else ():
            if text:
                self.write(text, "paragraph")
        self.run = here
        self.in_cell = False
        self.end_run()

    def _void(self, name: str, source: str) -> None:
        if self.stack.n_hidden:
            return
        if name == "br":
            self.run.append(" " if self.in_cell and not self.n_pre else "\n")
        elif name == "hr":
            self.stack.imply(name)
            self.end_run()
            if not self.in_cell and not self.n_pre:
                self.write("---", "rule")
        elif name == "img":
            found, hidden = self._attributes(source)
            if not hidden:
                self.run.append(_SPACES.sub(" ", found.get("alt", "")))

    def _attributes(self, source: str) -> tuple[Mapping[str, str], bool]:
        """A tag's attributes, and whether they hide it; most stand there many times."""
        known = self._known.get(source)
        if known is None:
            found = attributes(source)
            known = found, bool(found) and is_hidden(found, self._revealed)
            if len(self._known) < _MOST_KNOWN:
                self._known[source] = known
        return known

    def _is_hidden(self, name: str, found: Mapping[str, str]) -> bool:
        if name in HIDDEN_ELEMENTS:
            return True
        if name == "button":
            return self.kind[0] != "heading" and self.stack.last("summary", "dt") < 0
        if name == "footer":
            return self.stack.last("article", "section", "blockquote", "figure", "#cell") < 0
        return name == "dialog" and "open" not in found


def _clean(text: str) -> str:
    """Single spaces, none at the ends of lines; every step is linear."""
    if "  " in text:
        text = _DOUBLE.sub(" ", text)
    if "\n" in text:
        text = _BREAK.sub("\n", text)
    return text.strip(" \n")
