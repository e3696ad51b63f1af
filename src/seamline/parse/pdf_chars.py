"""The characters of a PDF page, gathered into pieces of text with their places."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from seamline.parse.pdf_rules import Box, Grid, Span, grids, page_rules

__all__ = ["Piece", "page_pieces"]

_BOLD = re.compile(r"(?i)bold|black|heavy|demi")
_MONO = re.compile(
    r"(?i)mono|nimbusmon|courier|consolas|menlo|typewriter|(?:\A|\+)(?:cm|ec|sf|pc|la)?tt\d"
)
_FIXED_PITCH = 1
_LINE_ENDS = (10, 13)
_HYPHENS = (0x02, 0xAD, 0xFFFE)  # what PDFium makes of a hyphen at a line's end
_GAP = 1.2  # of the font's height: wider gaps part columns and cells
_TOUCH = 0.1  # of the font's height: letters nearer are of one word
_NAME_BYTES = 128
_SAMPLES = 50


class Piece(NamedTuple):
    """Text on one line, in one cell, without a wide gap; points from the page's top left."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    bold: bool = False
    upright: bool = True
    mono: bool = False
    grid: Grid | None = None  # the ruled table it stands in
    span: Span | None = None  # its cell there

    @property
    def height(self) -> float:
        """The height of its font's box, in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Where its line runs."""
        return (self.y0 + self.y1) / 2


def page_pieces(raw: Any, page: Any) -> tuple[list[Piece], float]:
    """The pieces of a `pypdfium2` page in the order in which they are drawn, and its height.

    A page whose text runs sideways is turned first. `raw` is `pypdfium2.raw`.
    Costs two calls into PDFium for each character.
    """
    text_page = page.get_textpage()
    try:
        gather = _Gather(raw, page, text_page.raw)
        return list(gather.pieces()), gather.height
    finally:
        text_page.close()


class _Gather:
    """Walks over a page's characters; y grows downwards from the top of the text."""

    def __init__(self, raw: Any, page: Any, text_page: Any) -> None:
        self._raw = raw
        self._page = text_page
        self._n_chars = raw.FPDFText_CountChars(text_page)
        left, bottom, right, top = page.get_cropbox()
        self._edges = left, bottom, right, top
        self._turn = self._usual_turn()
        sides = right - left, top - bottom
        width, self.height = reversed(sides) if self._turn % 2 else sides
        rules = page_rules(raw, page, self._place)
        self._grids = grids(*rules, width=width, height=self.height)
        self._rect = ctypes.pointer(raw.FS_RECTF())
        self._letters: list[str] = []
        self._first = self._last = 0
        self._box: Box = (0.0, 0.0, 0.0, 0.0)
        self._cell: tuple[Grid | None, Span | None] = (None, None)

    def pieces(self) -> Iterator[Piece]:
        """The page's pieces."""
        raw, text_page = self._raw, self._page
        for index in range(self._n_chars):
            code = raw.FPDFText_GetUnicode(text_page, index)
            if code in _LINE_ENDS:
                yield from self._end()
            elif code <= 32 and code not in _HYPHENS:
                if self._letters and self._letters[-1] != " ":
                    self._letters.append(" ")
            elif raw.FPDFText_GetLooseCharBox(text_page, index, self._rect):
                rect = self._rect.contents
                box = self._place(rect.left, rect.bottom, rect.right, rect.top)
                cell = self._cell_of(box) if self._grids else self._cell
                if self._letters and (_parts(self._box, box) or cell != self._cell):
                    yield from self._end()
                self._cell = cell
                self._add(index, _letter(code), box)
        yield from self._end()

    def _add(self, index: int, letter: str, box: Box) -> None:
        if self._letters:
            x0, y0, x1, y1 = self._box
            box = min(x0, box[0]), min(y0, box[1]), max(x1, box[2]), max(y1, box[3])
        else:
            self._first = index
        self._letters.append(letter)
        self._last = index
        self._box = box

    def _end(self) -> Iterator[Piece]:
        text = "".join(self._letters).strip()
        self._letters = []
        if text:
            x0, y0, x1, y1 = self._box
            upright = self._turn_of(self._first) == self._turn
            fonts = [
                self._font(at) for at in {self._first, (self._first + self._last) // 2, self._last}
            ]
            bold, mono = all(font[0] for font in fonts), all(font[1] for font in fonts)
            yield Piece(x0, y0, x1, y1, text, bold, upright, mono, *self._cell)

    def _cell_of(self, box: Box) -> tuple[Grid | None, Span | None]:
        """The table and the cell in which a character stands: that in which its word begins."""
        if self._letters and self._letters[-1] != " " and _touches(self._box, box):
            return self._cell
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        for grid in self._grids:
            if span := grid.at(x, y):
                return grid, span
        return None, None

    def _font(self, index: int) -> tuple[bool, bool]:
        """Whether the character's font is bold, and whether all its letters are equally wide."""
        name, flags = ctypes.create_string_buffer(_NAME_BYTES), ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._page, index, name, _NAME_BYTES, ctypes.byref(flags))
        words = name.value.decode("latin-1")
        return _BOLD.search(words) is not None, (
            _MONO.search(words) is not None or bool(flags.value & _FIXED_PITCH)
        )

    def _turn_of(self, index: int) -> int:
        """How many right angles the character is turned, counterclockwise."""
        angle: float = self._raw.FPDFText_GetCharAngle(self._page, index)  # clockwise
        return round(-2 * angle / math.pi) % 4

    def _usual_turn(self) -> int:
        step = max(1, self._n_chars // _SAMPLES)
        turns = Counter(
            self._turn_of(index)
            for index in range(0, self._n_chars, step)
            if self._raw.FPDFText_GetUnicode(self._page, index) > 32
        )
        return turns.most_common(1)[0][0] if turns else 0

    def _place(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A box as it stands once the page is turned, with y from the top."""
        left, bottom, right, top = self._edges
        x0, x1 = sorted((x0, x1))
        y0, y1 = sorted((y0, y1))
        if self._turn == 0:
            return x0 - left, top - y1, x1 - left, top - y0
        if self._turn == 1:
            return y0 - bottom, x0 - left, y1 - bottom, x1 - left
        if self._turn == 2:
            return right - x1, y0 - bottom, right - x0, y1 - bottom
        return top - y1, right - x1, top - y0, right - x0


def _letter(code: int) -> str:
    if code in _HYPHENS:
        return "\xad"
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else "\ufffd"


def _touches(box: Box, here: Box) -> bool:
    """Whether the character at `here` goes on with the word before it."""
    is_next = abs(here[0] - box[2]) < _TOUCH * (here[3] - here[1])
    return is_next and not _parts(box, here)


def _parts(box: Box, here: Box) -> bool:
    """Whether the character at `here` begins a new piece."""
    height = max(box[3] - box[1], here[3] - here[1], 0.1)
    off_line = abs((box[1] + box[3]) - (here[1] + here[3])) > 1.2 * height
    return off_line or here[0] - box[2] > _GAP * height or here[0] < box[0] - height / 2
