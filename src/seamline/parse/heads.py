"""Where regions may begin: in C where a compiler is at hand, else every line of a paragraph.

`heads.pxd` and `heads.h` hold the C code. It leaves out only what the expressions
of the finders would not match.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from seamline.scan import COMPILED
from seamline.types import Blocks

__all__ = ["Heads", "count_words", "find_heads", "has_pair"]

_LONGEST_LINE = 160  # code points of a paragraph that may be a question without any mark
_FAR = 140  # code points from the start of a line to the first sign of a turn
_DEEPEST = 20  # blanks before a turn
_SIGN = re.compile("[:：<]")
_LINE = re.compile(r"\n([ \t]*)(?=\S)")


class Heads(NamedTuple):
    """The blocks that lie in no other, and the places in them where a region may begin.

    `places` are those blocks among all, `asking` those of `places` whose words may be
    a question: a heading, a short paragraph, one that begins in bold. The others
    are offsets of first characters of lines: in paragraphs each line, of other
    blocks the first.
    """

    places: list[int]
    asking: list[int]
    turns: list[int]
    labels: list[int]
    numbered: list[int]


def find_heads(blocks: Blocks, text: str) -> Heads:
    """What may begin a region of `text`, in order. Linear in both.

    Example:
        >>> find_heads(Blocks(["paragraph"], [0], [9], [0], [""]), "Ann: Why?").turns
        [0]
    """
    kinds, starts, ends, titles = blocks.kinds, blocks.starts, blocks.ends, blocks.titles
    heads = Heads([], [], [], [], [])
    places, asking, turns, labels, numbered = heads
    end = 0
    for at in range(len(starts)):
        start = starts[at]
        if start < end:
            continue
        end, kind = ends[at], kinds[at]
        if kind == "heading":
            title = titles[at]
            if "?" in title or "？" in title:
                asking.append(len(places))
        elif kind == "paragraph":
            is_short = end - start <= _LONGEST_LINE
            if text[start] in "*_" or (is_short and text[end - 1] in "?？"):
                asking.append(len(places))
        stop = end if kind == "paragraph" else start + 1
        if COMPILED:
            c_line_heads(text, start, stop, turns, labels, numbered)
        else:
            _line_heads(text, (start, stop), heads)
        places.append(at)
    return heads


def _line_heads(text: str, span: tuple[int, int], heads: Heads) -> None:
    start, stop = span
    line = start
    while line > 0 and text[line - 1] in " \t":
        line -= 1
    lines = [(line, start)] if line == 0 or text[line - 1] == "\n" else []
    lines += [(found.start(1), found.end()) for found in _LINE.finditer(text, start, stop)]
    for low, at in lines:
        heads.labels.append(at)
        heads.numbered.append(at)
        sign = _SIGN.search(text, low, low + _FAR + (low == 0))
        if at - low <= _DEEPEST and sign and text.find("\n", low, sign.start()) < 0:
            heads.turns.append(at)


def has_pair(text: str, pair: str) -> bool:
    """Whether two characters of ASCII stand side by side in the text: `pair in text`."""
    if COMPILED:
        return c_has_pair(text, ord(pair[0]), ord(pair[1]))
    return pair in text


def count_words(text: str, words: tuple[str, ...]) -> int:
    """How often the words, small letters of ASCII, are in the text, in capitals too.

    Example:
        >>> count_words("Shall it, or SHALL it not?", ("shall", "it"))
        4
    """
    if COMPILED:
        return c_count_words(text, words)
    return _count(text.lower(), words)


def _count(text: str, words: tuple[str, ...]) -> int:
    return sum(text.count(word) for word in words)
