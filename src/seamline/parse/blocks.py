"""The blocks of Markdown: CommonMark's, GFM's tables and footnotes.

Line by line, as the specification's appendix says: which open containers a line
goes on with, what it opens, and what is left to the block at the innermost place.
Nothing is ever looked at twice but the blanks and markers at a line's start.

This module is compiled where a C compiler is at hand (`blocks.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from typing import NamedTuple

from seamline.parse.containers import Box
from seamline.parse.leaves import Leaves
from seamline.parse.references import note_label
from seamline.types import Blocks

__all__ = ["Found", "collect_blocks"]

_QUOTE, _ITEM, _NOTE = 1, 2, 3
_PARAGRAPH, _CODE, _TABLE = 1, 2, 3
_NEVER = 1 << 30  # columns that no line is indented by


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
    scanner = Scanner(text if text.endswith("\n") else text + "\n", begin)
    scanner.scan()
    title = scanner.resolve_titles()
    unclosed = scanner.unclosed()
    return Found(scanner.found(), title, unclosed)


class Scanner(Leaves):
    """Keeps the open containers, from the outermost to the innermost."""

    def scan(self) -> None:
        """Read the whole text."""
        while self.next_line():
            self._line()
        self.close(0, False)

    def _line(self) -> None:
        depth = self._match() if self.boxes else 0
        if self.leaf > _PARAGRAPH and depth == len(self.boxes) and self.goes_on():
            self.blank = -1
        elif self.ink == self.stop:
            self._blank_line(depth)
        else:
            self._open(depth)
            self.blank = -1
            self.content_end = self.stop
        if self.ink < self.stop:
            self.content_end = self.marked_end = self.stop
        elif self.marked > self.start:
            self.marked_end = self.stop

    def _match(self) -> int:
        """How many of the open containers the line goes on with; takes their markers."""
        boxes, depth = self.boxes, 0
        n_boxes = len(boxes)
        while depth < n_boxes:
            box = boxes[depth]
            if box.kind == _QUOTE:
                if self.indent > 3 or self.text[self.ink] != ">":
                    break
                self._take_quote()
            elif self.ink == self.stop:
                # A blank line goes on with all up to the next quote.
                last = boxes[n_boxes - 1]
                if box.quotes == last.quotes:
                    return n_boxes
                depth = self.quotes[box.quotes] - 1
            elif self.indent >= box.indent:
                self.skip(box.indent)
            else:
                break
            depth += 1
        return depth

    def _take_quote(self) -> None:
        """Take `>` and a blank behind it."""
        self.take(1)
        if self.indent:
            self.skip(1)

    def _blank_line(self, depth: int) -> None:
        boxes = self.boxes
        if depth < len(boxes):
            self.close(depth, False)
        elif self.leaf and self.leaf != _CODE:
            self.end_leaf(self.marked_end)
        self.blank = 0
        if boxes:
            box = boxes[len(boxes) - 1]
            self.blank = box.quotes
            if box.kind == _ITEM and box.empty:  # an item may begin with one blank line only
                box.indent = _NEVER

    def _open(self, depth: int) -> None:
        """Open the containers that the line begins, then what stands in them."""
        while self.indent < 4:
            c = self.text[self.ink]
            if c == ">":
                self._open_quote(depth)
            elif c == "[":
                if not self._open_note(depth):
                    break
            elif not ("*" <= c <= "9" and self._open_item(depth)):
                break
            depth = len(self.boxes)
            if self.ink == self.stop:
                return
        self.open_leaf(depth)

    def _open_quote(self, depth: int) -> None:
        self.begin(depth)
        box = self.push(_QUOTE)
        box.row = self.add("quote", self.ink, box.quotes, "")
        self.quotes.append(len(self.boxes) - 1)
        self._take_quote()

    def _open_note(self, depth: int) -> bool:
        if self.text[self.ink + 1] != "^":
            return False
        label, after = note_label(self.text, self.ink, self.stop)
        if not after:
            return False
        boxes = self.boxes
        if depth:
            box = boxes[depth - 1]
            if box.kind == _NOTE:  # a footnote ends where the next begins
                depth -= 1
        self.begin(depth)
        box = self.push(_NOTE)
        box.indent = 4
        self.note_start, self.note_depth = self.ink, depth
        self.notes.append(label)
        self.indent = 0
        self.take(after - self.ink)
        self.at, self.column, self.indent = self.ink, 0, 0
        return True

    def _open_item(self, depth: int) -> bool:
        width = self.marker()
        if not width:
            return False
        if self.leaf == _PARAGRAPH and depth == len(self.boxes) and not self._interrupts(width):
            return False
        mark = self.text[self.ink + width - 1]
        if (mark == "-" or mark == "*") and self.is_rule():  # noqa: PLR1714
            return False
        self._new_item(depth, mark, width)
        return True

    def _interrupts(self, width: int) -> bool:
        """Whether the list marker at `ink` ends the paragraph that the line else goes on with."""
        if width == 1 and self.setext_level():
            return False
        if width == 1 and self.line_start == self.text_start and self.delimits():
            return False
        return self.is_first(width) and not self.is_blank(self.ink + width)

    def _new_item(self, depth: int, mark: str, width: int) -> None:
        """Open an item, in the list whose last item ended above if it goes on with that."""
        boxes, ink = self.boxes, self.ink
        if depth < len(boxes):
            box = boxes[depth]
            if box.kind == _ITEM and box.mark == mark:
                self.close(depth, True)
                if self.blank == box.quotes:
                    box.loose = True
                self.blank = -1
            else:
                box = self._new_list(depth, mark, width)
        else:
            box = self._new_list(depth, mark, width)
        box.row = self.add("list_item", ink, box.lists, "")
        indent = self.indent + width
        self.take(width)
        box.empty = self.ink == self.stop
        blanks = 1 if box.empty or self.indent > 4 else self.indent
        if not box.empty:
            self.skip(blanks)
        box.indent = indent + blanks

    def _new_list(self, depth: int, mark: str, width: int) -> Box:
        self.begin(depth)
        box = self.push(_ITEM)
        box.mark = mark
        title = "bullet" if width == 1 else "ordered"
        box.list_row = self.add("list", self.ink, box.lists, title)
        return box
