"""The blocks of Markdown that hold text: paragraphs, headings, code, HTML, tables.

This module is compiled where a C compiler is at hand (`leaves.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import re

from seamline.parse.containers import Containers
from seamline.parse.html_starts import html_end
from seamline.parse.inlines import unescaped
from seamline.parse.tables import header_top, is_delimiter_row

__all__ = ["Leaves"]

_QUOTE, _ITEM, _NOTE = 1, 2, 3
_PARAGRAPH, _CODE, _TABLE, _FENCE, _HTML = 1, 2, 3, 4, 5


class Leaves(Containers):
    """Keeps the one open block that holds text."""

    def goes_on(self) -> bool:
        """Whether the line belongs to the open code or HTML, whatever is in it."""
        if self.leaf == _FENCE:
            if self.indent < 4 and self.text[self.ink] == self.fence_mark:
                at = self.run(self.ink)
                if at - self.ink >= self.fence_length and self.is_blank(at):
                    self.ends[self.leaf_row] = self.stop
                    self.leaf = 0
            return True
        if self.ink == self.stop:
            return self.leaf == _HTML and self.html_mark != ""
        if self.leaf == _CODE:
            if self.indent < 4:
                return False
            self.leaf_end = self.stop
            return True
        if self.leaf == _HTML:
            self._html_line()
            return True
        return False

    def open_leaf(self, depth: int) -> None:
        """Begin the block that stands at `ink`, or go on with the open one."""
        if self.indent > 3:
            if self.leaf == _PARAGRAPH or self._in_table(depth):
                self._text(depth)
            else:
                self._open_code(depth)
        elif not self._begins(depth):
            self._text(depth)

    def _begins(self, depth: int) -> bool:
        """Begin what is no mere text, if something is begun."""
        c = self.text[self.ink]
        if c == "#":
            return self._heading(depth)
        if c == "`" or c == "~":  # noqa: PLR1714 - two comparisons in C
            return self._fence(depth)
        if c == "<":
            return self._html(depth)
        return self._is_mark(c) and self._marks(depth)

    def _is_mark(self, c: str) -> bool:
        return c == "-" or c == "*" or c == "_" or c == "=" or c == "|" or c == ":"  # noqa: PLR1714

    def _marks(self, depth: int) -> bool:
        """Rules, and what makes the paragraph above a heading or a table."""
        c = self.text[self.ink]
        whole = self.leaf == _PARAGRAPH and depth == len(self.boxes)
        if whole and (self._underline() or self._table()):
            return True
        if (c == "-" or c == "*" or c == "_") and self.is_rule():  # noqa: PLR1714
            self.begin(depth)
            self.ends[self.add("rule", self.ink, 0, "")] = self.stop
            return True
        return False

    def _in_table(self, depth: int) -> bool:
        return self.leaf == _TABLE and depth == len(self.boxes)

    def _text(self, depth: int) -> None:
        """One line of a paragraph or a row of a table."""
        stop = self.stop
        if self.leaf == _PARAGRAPH:
            self.leaf_end = stop
            self.line_start = self.ink
            self.lazy = depth < len(self.boxes)
            if self.lines:
                self.lines.append((self.ink, stop))
        elif self._in_table(depth) and not self._is_pipe():
            self.leaf_end = stop
            self.ends[self.add("table_row", self.ink, 0, "")] = stop
        else:
            self._open_paragraph(depth)

    def _is_pipe(self) -> bool:
        return self.text[self.ink] == "|" and self.is_blank(self.ink + 1)

    def _open_paragraph(self, depth: int) -> None:
        self.begin(depth)
        if self.text[self.ink] < " " and self.is_blank(self.ink):
            return
        start = self.note_start if self._begins_note(depth) else self.ink
        if depth:
            box = self.boxes[depth - 1]
            if box.kind == _ITEM:
                self.paragraphs.append(len(self.kinds))
        self.text_start = self.ink
        self.leaf = _PARAGRAPH
        self.leaf_row = self.add("paragraph", start, 0, "")
        self.leaf_end = self.stop
        self.line_start = self.ink
        self.lazy = False
        if self.text[self.ink] == "[":
            self.lines = [(self.ink, self.stop)]

    def _begins_note(self, depth: int) -> bool:
        """Whether a paragraph is the first block in the last footnote, or behind it if empty."""
        if not self.note_depth <= depth <= self.note_depth + 1:
            return False
        return not self.starts or self.note_start > self.starts[len(self.starts) - 1]

    def _code_start(self, fenced: bool) -> int:
        """Code begins with its indentation: all of it, or all but the blank behind a marker."""
        if self.marked == self.start:
            return self.start
        return self.ink if fenced else self.marked + 1

    def _open_code(self, depth: int) -> None:
        self.begin(depth)
        if self.text[self.ink] < " " and self.is_blank(self.ink):
            return
        self.leaf = _CODE
        self.leaf_row = self.add("code", self._code_start(False), 0, "")
        self.leaf_end = self.stop

    def _fence(self, depth: int) -> bool:
        length = self.fence()
        if not length:
            return False
        self.begin(depth)
        info = self.text[self.ink + length : self.stop].strip()
        if "\\" in info or "&" in info:
            info = unescaped(info).strip()
        self.leaf = _FENCE
        self.leaf_row = self.add("code", self._code_start(True), 0, info)
        self.fence_mark = self.text[self.ink]
        self.fence_length = length
        return True

    def _html(self, depth: int) -> bool:
        mark = html_end(self.text, self.ink, self.stop)
        if mark is None or (mark == " " and self.leaf == _PARAGRAPH):
            return False
        self.begin(depth)
        self.leaf = _HTML
        self.leaf_row = self.add("html", self.ink, 0, "")
        self.html_mark = mark.strip()
        self._html_line()
        return True

    def _html_line(self) -> None:
        if self.html_mark and self.html_mark in self.text[self.ink : self.stop].lower():
            self.ends[self.leaf_row] = self.stop
            self.leaf = 0

    def _heading(self, depth: int) -> bool:
        level = self.atx_level()
        if not level:
            return False
        self.begin(depth)
        raw = self.text[self.ink + level : self.stop].strip(" \t")
        if raw.endswith("#"):
            rest = raw.rstrip("#")
            if not rest or rest[-1] in " \t":
                raw = rest.rstrip(" \t")
        row = self.add("heading", self.ink, level, "")
        self.ends[row] = self.stop
        self.entitle(row, raw)
        return True

    def _underline(self) -> bool:
        """Make the paragraph above a heading, if the line underlines it."""
        level = self.setext_level()
        if not level or not self.settle():
            return False
        row = self.leaf_row
        start = self.text_start
        raw = self.text[start : self.leaf_end]
        if "\n" in raw:
            raw = self._without_markers(raw)
        self._turn(row, "heading")
        self.starts[row] = start
        self.levels[row] = level
        self.ends[row] = self.stop
        self.leaf = 0
        self.entitle(row, raw)
        return True

    def _without_markers(self, raw: str) -> str:
        """The lines of a paragraph without the markers of the quotes that it lies in."""
        quotes = 0
        if self.boxes:
            box = self.boxes[len(self.boxes) - 1]
            quotes = box.quotes
        return re.sub(rf"\n[ \t]*(?:>[ \t]*){{0,{quotes}}}", "\n", raw)

    def _turn(self, row: int, kind: str) -> None:
        """Make the paragraph at `row` another block."""
        self.kinds[row] = kind
        if self.boxes:
            box = self.boxes[len(self.boxes) - 1]
            if box.kind == _ITEM:
                self.paragraphs.pop()

    def delimits(self) -> bool:
        """Whether the line from `ink` on is a delimiter row below a line with as many cells."""
        if self.lazy:
            return False
        header = self.text[self.line_start : self.leaf_end]
        return is_delimiter_row(self.text, self.ink, header)

    def _table(self) -> bool:
        """Make the paragraph's last lines the header of a table, if the line says so."""
        if not self.delimits() or not self.settle():
            return False
        row, start = self.leaf_row, self.line_start
        top = header_top(self.text, self.text_start, start, self.leaf_end)
        if top <= self.text_start:
            top = self.starts[row] = self.text_start
            self._turn(row, "table")
        else:
            self.ends[row] = self.text.rfind("\n", 0, top)
            row = self.add("table", top, 0, "")
        self.ends[self.add("table_row", top, 0, "header")] = self.stop
        self.leaf, self.leaf_row, self.leaf_end = _TABLE, row, self.stop
        return True
