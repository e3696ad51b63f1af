"""The one cutter: chooses where to cut among the seams that others propose.

`pack` goes through the text once. From the start of a chunk it asks the ruler
how far the limit reaches and takes the strongest seam in that window, the last
of its strength; where no seam is, it cuts between grapheme clusters. What it
emits is measured, and cut shorter where a tokenizer was not additive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain

from seamline.sizers.characters import CharacterRuler
from seamline.sizers.rulers import Ruler
from seamline.split.graphemes import at_least, at_most, is_border, next_border
from seamline.split.levels import Level

__all__ = ["INDENT", "Cuts", "pack", "skip_blank"]

Cuts = tuple[list[int], list[int]]
"""Starts and ends of chunks, parallel, both increasing."""

_Choice = Callable[[int, int], int]

_BLANK = re.compile(r"\s*").match
INDENT = 64
# No character below this one joins a neighbour into a grapheme cluster.
_JOINING = "\u0300"


def skip_blank(text: str, offset: int) -> int:
    """The first offset at or after `offset` that holds no white space."""
    if offset < len(text) and not text[offset].isspace():
        return offset
    blank = _BLANK(text, offset)
    return blank.end() if blank else offset


def content_start(text: str, offset: int, solid: int, room: int) -> int:
    """Where a chunk begins whose first solid character after `offset` is at `solid`.

    The indentation of a line is content too, if it is at most `room` characters
    (code stays code); so is a space that carries a combining mark. A single
    space is no indentation.
    """
    if solid == offset:
        return solid
    if text[solid] < _JOINING and (text[solid - 1] == "\n" or (offset and solid - offset == 1)):
        return solid
    if not is_border(text, solid, offset):
        return at_most(text, solid, offset)
    if text[solid - 1] in " \t":
        line = text.rfind("\n", offset, solid) + 1
        indent = solid - line
        deep = indent > 1 or text[line] == "\t"
        deep = deep and indent <= min(room, INDENT) and not text[line:solid].strip(" \t")
        if deep and (line or not offset):
            return line
    return solid


class _Chooser:
    """Picks cuts from levels, remembering how far the next cut of each level is."""

    def __init__(self, text: str, levels: Sequence[Level]) -> None:
        self._text = text
        self._levels = levels
        # For each level: an offset before which it is known to have no cut.
        self._next = [0] * len(levels)
        self._deepest = -1  # no level beyond this one knows anything
        self._lasts = [level.last for level in levels]
        self._closed = [i for i, level in enumerate(levels) if level.closed]

    def last(self, start: int, stop: int) -> int:
        """Where a chunk from `start` ends that may reach `stop`: there, or where its section does.

        Only the end of a section that did not fit whole counts: its rest does
        not join the next one.
        """
        ends = [self._next[i] for i in self._closed if start < self._next[i] < stop]
        return min(ends, default=stop)

    def choose(self, start: int, soft: int, hard: int, bound: int) -> int:
        """The cut in `(start, hard]`: the last of the strongest level up to `soft`.

        A piece that ends between `soft` and `hard` is kept whole.
        """
        known = self._next
        for i, level in enumerate(self._levels):
            ahead = known[i]
            cut = -1
            if ahead <= start or (ahead <= soft and not level.closed):
                cut = level.last(start, soft)
                if cut <= start:
                    known[i] = ahead = level.next(soft, bound)
                    self._deepest = max(self._deepest, i)
            if cut <= start:
                if ahead > hard:
                    bound = ahead
                    continue
                cut = ahead
            if i <= self._deepest:
                known[i:] = [0] * (len(known) - i)
                self._deepest = i - 1
            return cut
        return self._force(start, soft)

    def plain(self, limit: int) -> tuple[_Choice, _Choice]:
        """`choose` without overlap, and `last`."""
        if self._closed:
            return (lambda start, hard: self.choose(start, hard, hard, limit)), self.last
        return self._choose_last, lambda _start, stop: stop

    def _choose_last(self, start: int, hard: int) -> int:
        """`choose` where `soft` is `hard` and no level is closed: nothing need be remembered."""
        for last in self._lasts:
            cut = last(start, hard)
            if cut > start:
                return cut
        return self._force(start, hard)

    def _force(self, start: int, soft: int) -> int:
        cut = at_most(self._text, soft, start)
        return cut if cut > start else next_border(self._text, start, start)


def pack(
    text: str,
    levels: Sequence[Level],
    ruler: Ruler,
    size: int,
    *,
    reserve: int = 0,
    keep: int = 0,
    bounds: Sequence[int] = (),
) -> Cuts:
    """Starts and ends of the chunks of `text`, none over `size` but a single grapheme.

    `reserve` is kept free for overlap in every chunk but the first, unless a
    piece would be cut for it; `keep` of it stays free in any case. `bounds` are
    increasing offsets that no chunk crosses. Cost: linear in the text.
    """
    if type(ruler) is CharacterRuler and not reserve and not bounds:
        return _pack_characters(text, levels, size)
    starts: list[int] = []
    ends: list[int] = []
    limit = len(text.rstrip())
    chooser = _Chooser(text, levels)
    stops = chain((b for b in bounds if b < limit), (limit,))
    stop = next(stops)
    room = size // 2
    most, soft = size, size
    at = 0
    while (solid := skip_blank(text, at)) < limit:
        while solid >= stop:
            stop = next(stops)
        start = content_start(text, at, solid, room)
        at = _end(text, chooser, ruler, start, stop, most, soft)
        if at <= solid:  # the indentation alone filled the chunk
            start = solid
            at = _end(text, chooser, ruler, start, stop, most, soft)
        starts.append(start)
        ends.append(at)
        most, soft = size - keep, size - reserve
    return starts, ends


def _pack_characters(text: str, levels: Sequence[Level], size: int) -> Cuts:
    """`pack` by characters, without overlap or bounds: the same cuts, twice as fast."""
    starts: list[int] = []
    ends: list[int] = []
    limit = len(text.rstrip())
    chooser = _Chooser(text, levels)
    choose, last = chooser.plain(limit)
    at = 0
    while at < limit:
        start = solid = at
        if text[at].isspace():
            solid = at + 1
            if text[solid].isspace():
                solid = skip_blank(text, solid)
            start = solid
            if text[solid] >= _JOINING or text[solid - 1] != "\n":
                start = content_start(text, at, solid, size // 2)
        hard = start + size
        cut = end = choose(start, hard) if hard < limit else last(start, limit)
        while text[end - 1].isspace() and end > solid:
            end -= 1
        if text[end - 1] >= _JOINING or (end < limit and text[end] >= _JOINING):
            end = _tidy(text, start, cut)
        if end <= solid:
            at = solid  # the indentation alone filled the chunk
            continue
        starts.append(start)
        ends.append(end)
        at = end
    return starts, ends


def _tidy(text: str, start: int, end: int) -> int:
    """`end` moved to a grapheme border, without white space before it where that leaves one."""
    if not is_border(text, end, start):
        end = at_most(text, end, start)
        end = end if end > start else next_border(text, start, start)
    while text[end - 1].isspace() and end > start + 1:
        end -= 1
    return at_least(text, end, start)


def _end(
    text: str, chooser: _Chooser, ruler: Ruler, start: int, stop: int, size: int, preferred: int
) -> int:
    """Where the chunk from `start` ends, trimmed and measured."""
    hard = ruler.reach(start, size)
    while True:
        if hard >= stop:
            end = chooser.last(start, stop)
        else:
            soft = min(ruler.reach(start, preferred), hard) if preferred < size else hard
            end = chooser.choose(start, soft, hard, stop)
        end = _tidy(text, start, end)
        over = ruler.size(start, end) - size
        if over <= 0 or end <= next_border(text, start, start):
            return end
        hard = min(end - 1, ruler.reach(start, max(size - over, 0)))
