"""Atoms: the smallest pieces that structure offers, before they are joined into units.

An atom is a sentence, a list item, a table row, a line of code, a heading, a
formula. Between two atoms lies a border that says what a cut there costs.

This module is compiled where a C compiler is at hand (`atoms.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from seamline.scan import next_set
from seamline.sizers.rulers import Ruler
from seamline.split.graphemes import at_least
from seamline.split.pack import Cuts, content_start, ink_beside, is_led, skip_blank
from seamline.split.sentences import next_sentence_end, opens_item
from seamline.types import Blocks, Document

__all__ = ["Atoms", "find_atoms", "larger_than", "spans_of"]

# The flags of atoms, as `optimal_units` takes them.
_BEGINS, _HEADING = 1, 2
# What else may be known of an offset: a sentence ends, a part of a block or all of one
# begins or ends, what the line before it introduces begins, a section that fits begins.
_SENTENCE, _PART, _BLOCK, _INTRODUCED, _FITS = 4, 8, 16, 32, 64
# What a cut costs, by the first three of these as bits: between blocks nothing, between the
# parts of a block little, between sentences a hair more than inside one (see _INSIDE).
_COSTS = (0.3, 0.30000001192092896, *2 * (0.20000000298023224,), *4 * (0.0,))
_INSIDE = 0.3
# What is known of kinds of blocks: they are parts of others; are never cut inside if they fit;
# are cut between lines; hold no sentences; belong to a line before them that ends in a colon;
# must not end a unit (rows if they are headers); and four kinds by themselves.
_PARTS, _WHOLE, _LINES, _NO_PROSE, _LED, _HEADS = 1, 2, 4, 8, 16, 32
_HEADINGS, _DEFINED, _ALONE, _STRING = 64, 128, 256, 512
_KINDS: dict[str, int] = {}
for _bits, _kinds in (
    (_PARTS, "list_item table_row turn clause statement"),
    (_WHOLE | _NO_PROSE, "heading table_row math front_matter signature string"),
    (_LINES | _NO_PROSE, "code html definition statement"),
    (_NO_PROSE, "table"),
    (_LED, "list table code math clause"),
    (_HEADS, "heading signature table_row"),
    (_HEADINGS, "heading"),
    (_DEFINED, "definition"),
    (_ALONE, "qa_pair"),
    (_STRING, "string"),
):
    for _kind in _kinds.split():
        _KINDS[_kind] = _KINDS.get(_kind, 0) | _bits
_PROVISOS = ("provided", "except ", "unless ", "sofern ", "es sei denn", "sauf ", "toutefois")
# How many units the cut ends of a span may count otherwise than inside a larger one.
_SLACK = 16


class Atoms:
    """n atoms, or pieces of joined or cut ones, without white space at their ends.

    Parallel lists: `starts` and `ends`; `weights`: their sizes with what follows up
    to the next; `borders`: what a cut before each costs, 0 to 0.3; `flags`: 1 where
    a unit must begin, a section with a body or an atomic region, 2 where the atom is
    a heading, the header of a table or a line that introduces what follows: none
    should end a unit.
    """

    def __init__(self) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.weights: list[int] = []
        self.borders: list[float] = []
        self.flags: list[int] = []

    def add(self, start: int, end: int, weight: int, border: float, flag: int) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.weights.append(weight)
        self.borders.append(border)
        self.flags.append(flag)


def find_atoms(
    document: Document,
    ruler: Ruler,
    *,
    most: int,
    whole: Mapping[str, int],
    cut: Callable[[int, int], Cuts],
    sure: int = 0,
) -> Atoms:
    """All the text in atoms, by its blocks; sentences where it has none. Cost: linear.

    Blocks of the kinds in `whole` are one atom each if they are within the size
    given there; question-answer pairs also stand alone. An atom over `most` is cut
    by `cut(start, end)`. A section of at most `sure` characters is one atom: it is
    within the size that units should have, so no cut in it could be better than none.
    """
    text, blocks = document.text, document.columns
    known = [_KINDS.get(kind, 0) for kind in blocks.kinds]
    ends = blocks.ends.copy()
    marks = bytearray(len(text) + 1)
    _mark_sections(text, known, blocks.starts, ends, sure, marks)
    _mark_blocks(text, known, blocks.starts, blocks.ends, blocks.titles, marks)
    _mark_sentences(text, _Spans(known, _NO_PROSE, blocks.starts, ends), marks)
    _mark_lines(text, known, blocks.starts, ends, marks)
    return _between(text, marks, _Joined(ruler, most, cut, _Regions(blocks, ruler, dict(whole))))


def _mark_sections(
    text: str, known: list[int], starts: list[int], ends: list[int], sure: int, marks: bytearray
) -> int:
    """Note where sections begin, and which of them surely fit.

    The heading of one that does ends from here on where its section does.
    """
    open_until = last_heading = section = -1
    for i in range(len(known)):
        kind, start, end = known[i], starts[i], ends[i]
        if kind & _HEADINGS:
            # A heading that nothing follows before the next one opens a section with that.
            if last_heading < 0 or _solid(text, last_heading, start) < start:
                marks[start] |= _BEGINS
                if start < open_until:
                    section = -1
                else:
                    _fit(text, starts, ends, section, start, sure, marks)
                    section = i
            last_heading = end
        elif kind & _ALONE:
            section = -1
        open_until = max(open_until, end)
    return _fit(text, starts, ends, section, len(text), sure, marks)


def _fit(
    text: str,
    starts: list[int],
    ends: list[int],
    section: int,
    after: int,
    sure: int,
    marks: bytearray,
) -> int:
    """Note a section that surely fits with the white space up to what is `after` it."""
    if section >= 0:
        most = starts[section] + sure
        if after <= most and _solid(text, after, min(most + 1, len(text))) <= most:
            ends[section] = after
            marks[starts[section]] |= _FITS
    return 0


def _mark_blocks(
    text: str,
    known: list[int],
    starts: list[int],
    ends: list[int],
    titles: list[str],
    marks: bytearray,
) -> int:
    """Note where blocks begin and end, and what must not end a unit."""
    open_until = clause = clause_end = -1
    for i in range(len(known)):
        kind, start, end = known[i], starts[i], ends[i]
        if kind & _LED and kind & _PARTS:
            clause, clause_end = start, max(clause_end, end)
        nested = start < open_until and not kind & _DEFINED
        mark = _PART if nested or kind & _PARTS else _BLOCK
        open_until = max(open_until, end)
        # A string does not part its first line, as in `query = """`, nor its last.
        if not kind & _STRING or not ink_beside(text, end, 1):
            marks[end] |= mark
        if kind & _STRING and ink_beside(text, start, -1):
            continue
        if kind & _HEADS and (not kind & _PARTS or titles[i] == "header"):
            mark |= _HEADING
        # So does a clause the proviso below it.
        goes_on = not kind and clause < start < clause_end and text.startswith(_PROVISOS, start)
        if goes_on or (kind & _LED and is_led(text, start)):
            mark |= _INTRODUCED
        if mark != _PART or not nested or not opens_item(text, start):
            marks[start] |= mark
    return 0


class _Spans:
    """The outermost blocks of some kinds, asked about offsets that do not decrease."""

    def __init__(self, known: list[int], kinds: int, starts: list[int], ends: list[int]) -> None:
        self._known, self._starts, self._ends = known, starts, ends
        self._of = kinds
        self._at = 0
        self._end = 0

    def end(self, offset: int) -> int:
        """Where the last of them ends that begins before `offset`, which may be before it."""
        while self._at < len(self._known):
            kind, start = self._known[self._at], self._starts[self._at]
            if start >= offset:
                break
            if kind & self._of and start >= self._end:
                self._end = self._ends[self._at]
            self._at += 1
        return self._end


def _mark_sentences(text: str, other: _Spans, marks: bytearray) -> int:
    """Note where sentences end in prose."""
    at = next_sentence_end(text, 0, len(text))
    while at >= 0:
        end = other.end(at)
        if at < end:
            at = end
        elif not opens_item(text, at):
            marks[at] |= _SENTENCE
        at = next_sentence_end(text, at, len(text))
    return 0


def _mark_lines(
    text: str, known: list[int], starts: list[int], ends: list[int], marks: bytearray
) -> int:
    """Note where lines of code begin; a fence's own lines stay with the code's first and last."""
    whole = _Spans(known, _WHOLE, starts, ends)
    last = 0
    for i in range(len(known)):
        kind, start, end = known[i], starts[i], ends[i]
        if kind & _HEADINGS:
            last = max(last, end)
        if not kind & _LINES or end <= last:
            continue
        opened = _solid(text, start, end)
        fence = opened < end and text[opened] in "`~"
        at = text.find("\n", max(start, last), end)
        before, is_first = -1, True
        while at >= 0:
            while at < end and text[at] == "\n":
                at += 1
            if before >= 0 and before >= whole.end(before):
                marks[before] |= _PART
            before, is_first = -1 if fence and is_first else at, False
            at = text.find("\n", at, end)
        solid = _solid(text, before, end) if fence and before >= 0 else end
        closed = solid < end and text[solid] == text[opened]
        if before >= 0 and not closed and before >= whole.end(before):
            marks[before] |= _PART
        last = end
    return 0


def _solid(text: str, low: int, high: int) -> int:
    """The first offset from `low` on that holds no white space, at most `high`."""
    while low < high and text[low].isspace():
        low += 1
    return low


class _Regions:
    """The blocks that stay whole, asked about atoms in their order."""

    def __init__(self, blocks: Blocks, ruler: Ruler, whole: dict[str, int]) -> None:
        self._kinds, self._starts, self._ends = blocks.kinds, blocks.starts, blocks.ends
        self._ruler = ruler
        self._whole = whole
        self._at = 0
        self._low = self._high = self._size = 0  # what was measured last, and how large it is
        self.alone = False

    def end(self, before: int, start: int) -> int:
        """Where the region ends that the atom at `start` begins, 0 if it begins none.

        `before` is where the atom before it begins.
        """
        found = 0
        while self._at < len(self._starts):
            low = self._starts[self._at]
            if low > start:
                break
            if low > before and not found:
                found = self._end(start)
            self._at += 1
        return found

    def _end(self, start: int) -> int:
        kind, low, high = self._kinds[self._at], self._starts[self._at], self._ends[self._at]
        most = self._whole.get(kind, -1)
        if high <= start or most < 0 or self._larger(low, high, most):
            return 0
        self.alone = kind == "qa_pair"
        return high

    def _larger(self, low: int, high: int, limit: int) -> bool:
        """Whether a span is over `limit`; inside one that is far over it, told by what is missing.

        No character has more than four units; so thousands of blocks in each other
        are not all measured.
        """
        if self._low <= low and high <= self._high:
            missing = low - self._low + self._high - high
            if self._size - 4 * missing - _SLACK > limit:
                return True
        self._low, self._high = low, high
        self._size = self._ruler.size(low, high)
        return self._size > limit


class _Joined:
    """Atoms in the making; the last one waits for what follows it."""

    def __init__(
        self, ruler: Ruler, most: int, cut: Callable[[int, int], Cuts], regions: _Regions
    ) -> None:
        self.found = Atoms()
        self._ruler, self._most, self._cut, self._regions = ruler, most, cut, regions
        self._start = self._last = -1  # of the waiting atom, and of the last one joined to it
        self._end = self._region_end = self._flag = self._begins = 0
        self._border = 0.0

    def introduce(self) -> None:
        """The waiting atom introduces what follows."""
        if self._start == self._last:
            self._flag |= _HEADING

    def take(self, start: int, end: int, border: float, flag: int) -> None:
        """Join an atom to the waiting one, if that is a region that holds it, or let it wait."""
        if start >= self._region_end:
            self.finish(start)
            self._border, self._flag = border, flag | self._begins
            self._region_end = self._regions.end(self._last, start)
            self._start = start
        self._last, self._end = start, end

    def finish(self, after: int) -> None:
        """Keep the waiting atom, as the next one begins at `after`."""
        if self._start < 0:
            return
        weight = self._ruler.size(self._start, after)
        self._begins = _BEGINS if self._region_end and self._regions.alone else 0
        if self._region_end or weight <= self._most:
            flag = self._flag | self._begins
            if flag & _HEADING and self.found.flags and self.found.flags[-1] & _HEADING:
                flag = self._flag  # a pair whose question is a heading, below another heading
            self.found.add(self._start, self._end, weight, self._border, flag)
            return
        border, flag = self._border, self._flag
        lows, highs = self._cut(self._start, self._end)
        for low, high in zip(lows, highs, strict=True):
            self.found.add(low, high, self._ruler.size(low, high), border, flag)
            border, flag = _INSIDE, 0


def _between(text: str, marks: bytearray, joined: _Joined) -> Atoms:
    """What lies between the marks."""
    at, known = 0, _BLOCK
    while at < len(text):
        known |= marks[at]
        if known & _INTRODUCED:
            joined.introduce()
        high = next_set(marks, at + 1)
        while known & _FITS and high < len(text) and not marks[high] & _BEGINS:
            high = next_set(marks, high + 1)
        high = min(high, len(text))
        low = _solid(text, at, high)
        at = high
        if low < high:
            while text[high - 1].isspace():
                high -= 1
            joined.take(low, high, _COSTS[known >> 2 & 7], known & (_BEGINS | _HEADING))
            known = 0
    joined.finish(len(text))
    return joined.found


def spans_of(text: str, atoms: Atoms, firsts: list[int], room: int) -> Cuts:
    """The units that begin with these atoms, from where their content begins to where it ends.

    Indentation of at most `room` characters is content, and clusters are whole.
    """
    starts: list[int] = []
    ends: list[int] = []
    before = 0
    for i in range(len(firsts)):
        after = firsts[i + 1] if i + 1 < len(firsts) else len(atoms.starts)
        last = atoms.ends[after - 1]
        solid = skip_blank(text, max(atoms.starts[firsts[i]], before))
        if solid < last:
            begin = content_start(text, before, solid, room)
            before = at_least(text, last, begin)
            starts.append(begin)
            ends.append(before)
    return starts, ends


def larger_than(rooms: list[int], starts: list[int], ends: list[int], ruler: Ruler) -> list[int]:
    """The indices of the spans that are larger than their room."""
    return [i for i in range(len(rooms)) if ruler.size(starts[i], ends[i]) > rooms[i]]
