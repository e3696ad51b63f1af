"""Where regions may begin: in C where a compiler is at hand, else every line of a paragraph.

`heads.pxd` and `heads.h` hold the C code. It leaves out only what the expressions
of the finders would not match.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from seamline.scan import COMPILED
from seamline.types import Blocks

__all__ = ["Outer", "count_words", "has_pair", "outer_blocks"]

_LONGEST_LINE = 160  # code points of a paragraph that may be a question without any mark
_FAR = 140  # code points from the start of a line to the first sign of a turn
_DEEPEST = 20  # blanks before a turn
_SIGN = re.compile("[:：<]")
_LINE = re.compile(r"\n([ \t]*)(?=\S)")


class Outer(NamedTuple):
    """The blocks that lie in no other, a list for each property, and where regions may begin.

    `places` are the blocks among all. `asking` are those of them whose words may be
    a question: a heading, a short paragraph, one that begins in bold. Offsets are
    `stops`, where headings and rules begin, and first characters of lines, in
    paragraphs of each line, in other blocks of the first.
    """

    kinds: list[str]
    starts: list[int]
    ends: list[int]
    titles: list[str]
    places: list[int]
    asking: list[int]
    stops: list[int]
    turns: list[int]
    labels: list[int]
    numbered: list[int]

    def place(self, offset: int) -> int:
        """The index of the block that begins at `offset` or is a paragraph around it; else -1."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0:
            return -1
        if self.starts[at] == offset or (self.kinds[at] == "paragraph" and offset < self.ends[at]):
            return at
        return -1

    def holds(self, offset: int) -> bool:
        """Whether `offset` lies in a block, behind its start."""
        at = bisect_left(self.starts, offset) - 1
        return at >= 0 and offset < self.ends[at]


def outer_blocks(text: str, blocks: Blocks) -> Outer:
    """The blocks of a document that lie in no other. Linear in both.

    Example:
        >>> outer_blocks("Ann: Why?", Blocks(["paragraph"], [0], [9], [0], [""])).turns
        [0]
    """
    all_kinds, all_titles = blocks.kinds, blocks.titles
    all_starts, all_ends = blocks.starts, blocks.ends
    outer = Outer([], [], [], [], [], [], [], [], [], [])
    kinds, starts, ends, titles, places, asking, stops, turns, labels, numbered = outer
    end = 0
    for at in range(len(all_starts)):
        start = all_starts[at]
        if start < end:
            continue
        end, kind, title = all_ends[at], all_kinds[at], all_titles[at]
        if kind == "heading" or kind == "rule":  # noqa: PLR1714 - no tuple for every block
            stops.append(start)
        if _may_ask(text, kind, title, start, end):
            asking.append(len(places))
        stop = end if kind == "paragraph" else start + 1
        if COMPILED:
            c_line_heads(text, start, stop, turns, labels, numbered)
        else:
            _line_heads(text, (start, stop), outer)
        kinds.append(kind)
        starts.append(all_starts[at])
        ends.append(all_ends[at])
        titles.append(title)
        places.append(at)
    return outer


def _may_ask(text: str, kind: str, title: str, start: int, end: int) -> bool:
    if kind == "heading":
        return "?" in title or "？" in title
    if kind != "paragraph":
        return False
    return text[start] in "*_" or (end - start <= _LONGEST_LINE and text[end - 1] in "?？")


def _line_heads(text: str, span: tuple[int, int], outer: Outer) -> None:
    start, stop = span
    line = start
    while line > 0 and text[line - 1] in " \t":
        line -= 1
    lines = [(line, start)] if line == 0 or text[line - 1] == "\n" else []
    lines += [(found.start(1), found.end()) for found in _LINE.finditer(text, start, stop)]
    for low, at in lines:
        outer.labels.append(at)
        outer.numbered.append(at)
        sign = _SIGN.search(text, low, low + _FAR + (low == 0))
        if at - low <= _DEEPEST and sign and text.find("\n", low, sign.start()) < 0:
            outer.turns.append(at)


def has_pair(text: str, pair: str) -> bool:
    """Whether two characters of ASCII stand side by side in the text: `pair in text`."""
    if COMPILED:
        return c_has_pair(text, ord(pair[0]), ord(pair[1]))
    return pair in text


def count_words(text: str, words: tuple[str, ...], low: int, high: int) -> int:
    """How often the words, small letters of ASCII, are in [low, high), in capitals too.

    Example:
        >>> count_words("Shall it, or SHALL it not?", ("shall", "it"), 0, 20)
        3
    """
    if COMPILED:
        return c_count_words(text, low, high, words)
    return _count(text[low:high].lower(), words)


def _count(text: str, words: tuple[str, ...]) -> int:
    return sum(text.count(word) for word in words)
