"""The one cutter: chooses where to cut among the seams that others propose.

`pack` goes through the text once. From the start of a chunk it asks the ruler
how far the limit reaches and takes the strongest seam in that window, the last
of its strength; where no seam is, it cuts between grapheme clusters. What it
emits is measured, and cut shorter where a tokenizer was not additive.

This module is compiled where a C compiler is at hand (`pack.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from seamline.scan import COMPILED
from seamline.sizers.rulers import Ruler
from seamline.split.graphemes import at_least, at_most, is_border, next_border
from seamline.split.levels import Level

__all__ = ["INDENT", "Cuts", "forced_end", "in_range", "ink_beside", "is_led", "pack", "skip_blank"]

Cuts = tuple[list[int], list[int]]
"""Starts and ends of chunks, parallel, both increasing."""

INDENT = 64
# No text is larger, and offsets may be added to it.
_MOST = 1 << 60
_MOST_BLANK = 8
# No character below this one joins a neighbour into a grapheme cluster.
_JOINING = "\u0300"


def skip_blank(text: str, offset: int) -> int:  # pragma: no cover - compiled alone
    """The first offset at or after `offset` that holds no white space."""
    while offset < len(text) and text[offset].isspace():
        offset += 1
    return offset


def _skip_by_regex(text: str, offset: int) -> int:
    if offset < len(text) and not text[offset].isspace():
        return offset
    blank = _BLANK(text, offset)
    return blank.end() if blank else offset


_BLANK = re.compile(r"\s*").match
if not COMPILED:  # pragma: no branch
    globals().update(skip_blank=_skip_by_regex)  # the same, faster in plain Python


def ink_beside(text: str, at: int, step: int) -> bool:
    """Whether ink stands in the line of an offset: behind it with step 1, before it with -1."""
    at += step >> 1
    while 0 <= at < len(text) and text[at] != "\n" and text[at].isspace():
        at += step
    return 0 <= at < len(text) and text[at] != "\n"


def is_led(text: str, offset: int) -> bool:
    """Whether the line before an offset ends in a mark that introduces what follows."""
    at = offset
    while at > 0 and offset - at < _MOST_BLANK and text[at - 1].isspace():
        at -= 1
    return at > 0 and offset - at < _MOST_BLANK and text[at - 1] in (":", "\uff1a")


def content_end(text: str) -> int:
    """Where the text ends but for white space that joins no character before it."""
    return at_least(text, len(text.rstrip()), 0) if len(text) else 0  # len() refuses None


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
        self._levels = list(levels)
        self._deepest = -1  # no level beyond this one knows anything
        self._closed = [level for level in levels if level.closed]
        for level in levels:
            level.ahead = 0

    def last(self, start: int, stop: int) -> int:
        """Where a chunk from `start` ends that may reach `stop`: there, or where its section does.

        Only the end of a section that did not fit whole counts: its rest does
        not join the next one.
        """
        for level in self._closed:
            if start < level.ahead < stop:
                stop = level.ahead
        return stop

    def _forget(self, first: int) -> None:
        """Know nothing more of the levels from `first` on."""
        while self._deepest >= first:
            self._levels[self._deepest].ahead = 0
            self._deepest -= 1

    def choose(self, start: int, soft: int, hard: int, bound: int) -> int:
        """The cut in `(start, hard]`: the last of the strongest level up to `soft`.

        A piece that ends between `soft` and `hard` is kept whole.
        """
        for i, level in enumerate(self._levels):
            ahead = level.ahead
            cut = -1
            if ahead <= start or (ahead <= soft and not level.closed):
                cut = level.last(start, soft)
                if cut <= start:
                    if soft == hard and not level.closed:
                        continue  # no cut of this level fits, wherever its next one is
                    level.ahead = ahead = level.next(soft, bound)
                    self._deepest = max(self._deepest, i)
            if cut <= start:
                if ahead > hard:
                    bound = ahead
                    continue
                cut = ahead
            self._forget(i)
            return cut
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
    size = in_range(size)
    reserve, keep = (in_range(room, size - 1) for room in (reserve, keep))
    limit = content_end(text)
    return _pack(text, levels, ruler, limit, size, reserve, keep, bounds)


def in_range(room: int, most: int = _MOST) -> int:
    """`room`, which may be any whole number, within what C can add to an offset."""
    return max(0, min(room, most))


def _pack(
    text: str,
    levels: Sequence[Level],
    ruler: Ruler,
    limit: int,
    size: int,
    reserve: int,
    keep: int,
    bounds: Sequence[int],
) -> Cuts:
    starts: list[int] = []
    ends: list[int] = []
    chooser = _Chooser(text, levels)
    most, soft = size, size
    at = stop = floor = n_bounds = 0
    while (solid := skip_blank(text, at)) < limit:
        while solid >= stop:
            floor = stop
            stop = bounds[n_bounds] if n_bounds < len(bounds) else limit
            stop = min(stop, limit)
            n_bounds += 1
        start = max(content_start(text, at, solid, size // 2), floor)
        at = _end(text, chooser, ruler, start, stop, most, soft)
        if at <= solid:  # the indentation alone filled the chunk
            start = solid
            at = _end(text, chooser, ruler, start, stop, most, soft)
        starts.append(start)
        ends.append(at)
        most, soft = size - keep, size - reserve
    return starts, ends


def _tidy(text: str, start: int, end: int) -> int:
    """`end` moved to a grapheme border, without white space before it where that leaves one."""
    if not is_border(text, end, start):
        end = at_most(text, end, start)
        end = end if end > start else next_border(text, start, start)
    while text[end - 1].isspace() and end > start + 1:
        end -= 1
    return at_least(text, end, start)


def forced_end(text: str, ruler: Ruler, start: int, limit: int, size: int) -> int:
    """Where the chunk from `start` ends that is as long as `size` allows, wherever that cuts."""
    return _end(text, _Chooser(text, ()), ruler, start, limit, size, size)


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
