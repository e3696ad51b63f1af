"""The parts of a text in reStructuredText that wait to be read, and the blocks found so far."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from seamline.parse.rst_lines import Lines
from seamline.types import Blocks

__all__ = ["DEEPEST", "Part", "Parts"]

DEEPEST, _DEEPEST_TITLE = 50, 6
_HIGHLIGHT = re.compile(r"^\.\. highlight:: *(\S*)", re.MULTILINE)


@dataclass(slots=True)
class Part:
    """Lines that are read as one body, and what they lie in.

    `lead` is where the first block in them begins if that is before them, on the line of
    their directive, else -1. `base` is their leftmost column.
    """

    first: int
    last: int
    lists: int = 0
    quotes: int = 0
    depth: int = 0
    lead: int = -1
    is_item: bool = False
    base: int = 0


class Parts:
    """Blocks in any order, and the parts that are not read yet."""

    def __init__(self, text: str) -> None:
        self.lines = Lines(text)
        self.waiting = [Part(0, len(self.lines))]
        self._found: list[tuple[int, int, int, str, int, str]] = []
        self._styles: list[str] = []
        highlights = list(_HIGHLIGHT.finditer(text))
        self._language_starts = [0, *(found.start() for found in highlights)]
        self._languages = ["", *(found[1] for found in highlights)]

    def blocks(self) -> Blocks:
        """The blocks, nested or disjoint, sorted by (start, -end)."""
        rows = sorted(self._found)
        return Blocks(
            [row[3] for row in rows],
            [row[0] for row in rows],
            [-row[1] for row in rows],
            [row[4] for row in rows],
            [row[5] for row in rows],
        )

    def add(
        self, part: Part, first: int, last: int, kind: str, *, level: int = 0, title: str = ""
    ) -> None:
        """A block of the lines from `first` to before `last`."""
        start = self.lines.starts[first]
        if part.lead >= 0:
            start, part.lead = part.lead, -1
        self.put(start, last, kind, level=level, title=title)

    def put(self, start: int, last: int, kind: str, *, level: int = 0, title: str = "") -> None:
        """A block from an offset on that ends before the line `last`."""
        end = self.lines.ends[last - 1]
        self._found.append((start, -end, len(self._found), kind, level, title))

    def enter(self, part: Part, first: int, last: int, **about: Any) -> None:
        """Has the lines read later, as a part of this one; none of those too deep."""
        if first < last and part.depth < DEEPEST:
            within = {"lists": part.lists, "quotes": part.quotes, **about}
            self.waiting.append(Part(first, last, depth=part.depth + 1, **within))

    def enter_behind(
        self, part: Part, at: int, last: int, *, width: int, hangs: bool = False, **about: Any
    ) -> None:
        """The same for what stands behind a marker of some width, and the lines below it.

        They stand in the column behind the marker if it `hangs`, else in any that is deeper.
        """
        lines, column = self.lines, part.base + width
        if lines.starts[at] + width >= lines.ends[at]:
            self.enter(part, at + 1, last, **about)
            return
        lines.starts[at] += width
        below = lines.columns[at + 1 : last]
        lines.columns[at] = min(below) if below and not hangs else column
        self.enter(part, at, last, **about)

    def take_lead(self, part: Part, at: int) -> int:
        """Where the first block in a directive is to begin."""
        lead, part.lead = part.lead, -1
        return lead if lead >= 0 else self.lines.starts[at]

    def language(self, at: int) -> str:
        """The language that the last `highlight` directive before a line names."""
        return self._languages[bisect_right(self._language_starts, self.lines.starts[at]) - 1]

    def level(self, style: str) -> int:
        """The level of a title, by the order in which the styles come up first."""
        if style not in self._styles:
            self._styles.append(style)
        return min(self._styles.index(style) + 1, _DEEPEST_TITLE)
