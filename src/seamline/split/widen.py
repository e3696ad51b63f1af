"""Overlap: each chunk begins a little before the end of the one before it.

By whole sentences or lines where they fill at least half the overlap, else by
whole words, else between grapheme clusters; always inside the size limit. A chunk
that is full gets what room is left: `pack` keeps some free.
"""

from __future__ import annotations

from seamline.sizers.rulers import Ruler
from seamline.split.graphemes import is_border, next_border
from seamline.split.pack import (
    INDENT,
    Cuts,
    content_end,
    content_start,
    forced_end,
    in_range,
    skip_blank,
)
from seamline.split.sentences import next_sentence_end

__all__ = ["widen", "windows"]

# A sentence may end this far before the window that its successor begins in.
_MARGIN = 4


def widen(text: str, cuts: Cuts, ruler: Ruler, size: int, overlap: int) -> Cuts:
    """The same ends with starts moved back by at most `overlap`.

    Starts keep increasing. Cost: linear.
    """
    if not overlap:
        return cuts
    return _widen(text, list(cuts[0]), list(cuts[1]), ruler, in_range(size), in_range(overlap))


def _widen(
    text: str, starts: list[int], ends: list[int], ruler: Ruler, size: int, overlap: int
) -> Cuts:
    for i in range(1, len(starts)):
        start, end = starts[i], ends[i]
        room = min(overlap, size - ruler.size(start, end))
        floor = starts[i - 1]
        low = max(ruler.back(start, room), floor + 1) if room > 0 else start
        while low < start:
            candidate = _unit(text, low, start, floor)
            if candidate >= start:
                break
            if ruler.size(candidate, end) <= size:
                starts[i] = candidate
                break
            low = candidate + 1
    return starts, ends


def windows(text: str, ruler: Ruler, size: int, overlap: int) -> Cuts:
    """Windows of `size`, each beginning `overlap` before the end of the one before it.

    Both move to the nearest grapheme border inside, and past white space. Cost: linear.
    """
    return _windows(text, ruler, in_range(size), in_range(overlap))


def _windows(text: str, ruler: Ruler, size: int, overlap: int) -> Cuts:
    starts: list[int] = []
    ends: list[int] = []
    limit = content_end(text)
    last = floor = 0
    while last < limit:
        after = content_start(text, last, skip_blank(text, last), size // 2)
        low = max(ruler.back(after, overlap), floor + 1) if last and overlap else after
        start = min(_border(text, low, after, floor), after) if low < after else after
        end = forced_end(text, ruler, start, limit, size)
        if end <= skip_blank(text, last):  # the overlap or the indentation fills the window
            start = after if end <= after else skip_blank(text, last)
            end = forced_end(text, ruler, start, limit, size)
        starts.append(start)
        ends.append(end)
        floor, last = start, end
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
    start = high
    mark = max(low - _MARGIN, 0)
    for _turn in range(2):
        mark = next_sentence_end(text, mark, high)
        if mark < 0:
            break
        start = _nearer(text, mark, low, start, floor)
    start = _nearer(text, text.find("\n", max(low - 1, 0), high), low, start, floor)
    start = _indented(text, low, start)
    if start < high and 2 * (high - start) >= high - low:
        return start
    return _word(text, low, high, floor)


def _nearer(text: str, mark: int, low: int, start: int, floor: int) -> int:
    """Where content begins after `mark` if that lies in `[low, start)`, else `start`."""
    begin = _border(text, mark, start, floor) if mark > floor else start
    return begin if low <= begin < start else start


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
