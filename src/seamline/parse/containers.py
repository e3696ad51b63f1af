"""The containers of Markdown that are open, and the columns that blocks are gathered in.

This module is compiled where a C compiler is at hand (`containers.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from itertools import compress

from seamline.parse.lines import Lines, plain_title
from seamline.parse.references import count_definitions
from seamline.parse.titles import marked_titles
from seamline.types import Blocks

__all__ = ["Box", "Containers"]

_QUOTE, _ITEM, _NOTE = 1, 2, 3
_PARAGRAPH, _FENCE = 1, 4
_NOWHERE = -2  # no block is as deep


class Box:
    """An open container: a quote, a list with its last item, or a footnote.

    `row` is its block's place in the columns and `indent` how far its lines are
    indented; `quotes` and `lists` count those that it lies in and is. A list's
    paragraphs are those from `first` on.
    """

    def __init__(self, kind: int, quotes: int, lists: int) -> None:
        self.kind = kind
        self.quotes = quotes
        self.lists = lists
        self.row = self.list_row = self.first = self.indent = self.end = 0
        self.mark = " "
        self.empty = self.loose = False


class Containers(Lines):
    """Blocks as they are found: a row is added where one begins, its end set where it ends."""

    def __init__(self, text: str, begin: int) -> None:
        super().__init__(text, begin)
        self.boxes: list[Box] = []
        self.quotes: list[int] = []  # which of the boxes are quotes
        self.paragraphs: list[int] = []  # the rows of those right in an item of an open list
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.levels: list[int] = []
        self.titles: list[str] = []
        self.leaf = 0
        self.leaf_row = self.leaf_end = self.line_start = self.text_start = 0
        self.fence_mark, self.fence_length = " ", 0
        self.html_mark = ""
        self.lazy = False
        self.lines: list[tuple[int, int]] = []  # of a paragraph that may define links
        self.links: list[str] = []
        self.notes: list[str] = []
        self.note_start, self.note_depth = -1, _NOWHERE
        self.headings: list[tuple[int, str]] = []  # whose titles have markup
        self.top_rows: list[int] = []  # headings of level 1 outside lists and quotes
        self.fence_row = -1
        self.blank = -1  # in how many quotes the line before is blank
        self.content_end = self.marked_end = 0  # of the last line with text, with anything
        self.dropped = False

    def add(self, kind: str, start: int, level: int, title: str) -> int:
        """A new row, still without an end."""
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(0)
        self.levels.append(level)
        self.titles.append(title)
        return len(self.kinds) - 1

    def push(self, kind: int) -> Box:
        """Open a container in the innermost one."""
        boxes, quotes, lists = self.boxes, 0, 0
        if boxes:
            outer = boxes[len(boxes) - 1]
            quotes, lists = outer.quotes, outer.lists
        if kind == _QUOTE:
            quotes += 1
        elif kind == _ITEM:
            lists += 1
        box = Box(kind, quotes, lists)
        box.first = len(self.paragraphs)
        boxes.append(box)
        return box

    def begin(self, depth: int) -> None:
        """A block begins in the container at `depth` - 1; what is open deeper ends."""
        if self.leaf or depth < len(self.boxes):
            self.close(depth, False)
        if depth:
            box = self.boxes[depth - 1]
            box.empty = False
            if box.kind == _ITEM and self.blank == box.quotes:
                box.loose = True
        self.blank = -1

    def close(self, depth: int, sibling: bool) -> None:
        """Close the containers from `depth` on, the list there not if a sibling follows."""
        boxes = self.boxes
        n_boxes = len(boxes)
        limit = self._end_rows(depth, n_boxes)
        if self.leaf:
            self.end_leaf(limit)
        if sibling:
            depth += 1
        for at in range(n_boxes - 1, depth - 1, -1):
            box = boxes[at]
            if box.kind == _ITEM:
                self._close_list(box)
            elif box.kind == _QUOTE:
                self.quotes.pop()
        if depth < n_boxes:
            del boxes[depth:]

    def _end_rows(self, depth: int, n_boxes: int) -> int:
        """Set the ends of the containers from `depth` on; where what is in them ends at last."""
        limit = self.marked_end
        for at in range(depth, n_boxes):
            box = self.boxes[at]
            if box.kind == _ITEM and box.quotes:
                limit = self.content_end  # lines of `>` alone belong to no list
            box.end = limit
            if box.kind != _NOTE:
                self.ends[box.row] = limit
        return limit

    def _close_list(self, box: Box) -> None:
        self.ends[box.list_row] = box.end
        first, n_rows = box.first, len(self.paragraphs)
        if first < n_rows:
            if not box.loose:
                self.dropped = True
                for at in range(first, n_rows):
                    self.kinds[self.paragraphs[at]] = ""
            del self.paragraphs[first:]

    def end_leaf(self, limit: int) -> None:
        """End the open block that holds text; code or HTML without an end at `limit`."""
        if self.leaf == _PARAGRAPH:
            if self.settle():
                self.ends[self.leaf_row] = self.leaf_end
        elif self.leaf < _FENCE:
            self.ends[self.leaf_row] = self.leaf_end
        else:
            self.ends[self.leaf_row] = limit
            if self.leaf == _FENCE:
                self.fence_row = self.leaf_row
        self.leaf = 0

    def settle(self) -> bool:
        """Take the link definitions out of the open paragraph; whether any of it is left."""
        if not self.lines:
            return True
        lines, self.lines = self.lines, []
        if self.text.find("]:", self.text_start, self.leaf_end) < 0:
            return True
        n_defining, labels = count_definitions([self.text[low:high] for low, high in lines])
        self.links += labels
        if n_defining == len(lines):
            self.kinds[self.leaf_row] = ""
            self.dropped = True
            self.leaf = 0
            return False
        if n_defining:
            if self.starts[self.leaf_row] == self.text_start:
                self.starts[self.leaf_row] = lines[n_defining][0]
            self.text_start = lines[n_defining][0]
        return True

    def entitle(self, row: int, raw: str) -> None:
        """Give a heading its title; one with markup waits for the links of the whole text."""
        boxes, title = self.boxes, plain_title(raw)
        if self.levels[row] == 1:
            if not boxes:
                self.top_rows.append(row)
            else:
                box = boxes[len(boxes) - 1]
                if not box.quotes and not box.lists:
                    self.top_rows.append(row)
        if title is None:
            self.headings.append((row, raw))
        else:
            self.titles[row] = title

    def resolve_titles(self) -> str:
        """Give the headings their titles that waited; the title of the whole text."""
        raws = [raw for _, raw in self.headings]
        for at, title in enumerate(marked_titles(raws, self.links, self.notes)):
            self.titles[self.headings[at][0]] = " ".join(title.split())
        for row in self.top_rows:
            if self.titles[row]:
                return self.titles[row]
        return ""

    def unclosed(self) -> int:
        """Where the last block begins if it is a fence without an end, else -1."""
        row = self.fence_row
        if row < 0 or self.ends[row] < self.marked_end or row != len(self.kinds) - 1:
            return -1
        return self.starts[row]

    def found(self) -> Blocks:
        """The rows that are left, in the order of the text."""
        kinds = self.kinds
        if not self.dropped:
            return Blocks(kinds, self.starts, self.ends, self.levels, self.titles)
        return Blocks(
            list(compress(kinds, kinds)),
            list(compress(self.starts, kinds)),
            list(compress(self.ends, kinds)),
            list(compress(self.levels, kinds)),
            list(compress(self.titles, kinds)),
        )
