"""Overlap: each chunk begins a little before the end of the one before it.

By whole sentences or lines where they fill at least half the overlap, else by
whole words, else between grapheme clusters; always inside the size limit. A chunk
that is full gets what room is left: `pack` keeps some free.
"""

from __future__ import annotations

from itertools import chain, islice

from seamline.sizers.rulers import Ruler
from seamline.split.graphemes import is_border, next_border
from seamline.split.pack import INDENT, Cuts, skip_blank
from seamline.split.sentences import sentence_ends_between

__all__ = ["widen"]

# A sentence may end this far before the window that its successor begins in.
_MARGIN = 4


def widen(
    text: str, cuts: Cuts, ruler: Ruler, size: int, overlap: int, *, anywhere: bool = False
) -> Cuts:
    """The same ends with starts moved back by at most `overlap`.

    `anywhere` moves them by exactly that, to the nearest grapheme border, as
    windows of a fixed size want it. Starts keep increasing. Cost: linear.
    """
    if not overlap:
        return cuts
    starts, ends = list(cuts[0]), cuts[1]
    place = _border if anywhere else _unit
    for i in range(1, len(starts)):
        start, end = starts[i], ends[i]
        room = min(overlap, size - ruler.size(start, end))
        floor = starts[i - 1]
        low = max(ruler.back(start, room), floor + 1) if room > 0 else start
        while low < start:
            candidate = place(text, low, start, floor)
            if candidate >= start:
                break
            if ruler.size(candidate, end) <= size:
                starts[i] = candidate
                break
            low = candidate + 1
    return starts, ends


def _border(text: str, low: int, high: int, floor: int) -> int:
    """The first offset from `low` on where content may begin; `floor` is a border before it."""
    low = skip_blank(text, low)
    while low < high and not is_border(text, low, floor):
        low = skip_blank(text, next_border(text, low, floor))
    return low


def _unit(text: str, low: int, high: int, floor: int) -> int:
    """The first whole sentence or line that begins in `[low, high)`, else the first word.

    A line keeps its indentation; it is taken where it fills at least half the room.
    """
    marks = chain(
        islice(sentence_ends_between(text, max(low - _MARGIN, 0), high), 2),
        [text.find("\n", max(low - 1, 0), high)],
    )
    begins = (_border(text, mark, high, floor) for mark in marks if mark > floor)
    start = min((begin for begin in begins if low <= begin < high), default=high)
    start = _indented(text, low, start)
    if start < high and 2 * (high - start) >= high - low:
        return start
    return _word(text, low, high, floor)


def _indented(text: str, low: int, start: int) -> int:
    """The beginning of the line if only its indentation lies before `start`, not before `low`."""
    line = text.rfind("\n", low - 1, start) + 1 if low else 0
    indent = text[line:start] if line >= low and line else ""
    return line if 1 < len(indent) <= INDENT and not indent.strip(" \t") else start


def _word(text: str, low: int, high: int, floor: int) -> int:
    at = low
    while 0 < at < high and not text[at - 1].isspace():
        at += 1
    at = _border(text, at, high, floor)
    return at if at < high else _border(text, low, high, floor)
