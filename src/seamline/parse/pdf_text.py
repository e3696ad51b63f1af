"""The lines of a PDF into headings, paragraphs and lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from seamline.parse.grid import Cell, Row, write_table
from seamline.parse.pdf_chars import Piece
from seamline.parse.pdf_layout import Line, Region
from seamline.parse.pdf_ruled import read_page
from seamline.parse.writer import Writer
from seamline.types import Document

__all__ = ["PdfWriter", "clean_title"]

_HYPHEN = re.compile(r"[-\xad\u2010]\Z")
_COMPOUND = re.compile(r"\b\w+-\w+\b")
_WORD_START, _WORD_END = re.compile(r"\w+"), re.compile(r"\w+\Z")
_MARKER = re.compile(
    r"(?:(?P<bullet>[•‣◦▪▸●○■□–—*·-])"
    r"|(?P<number>\(?\d{1,3}[.)]|\(?[a-zA-Z]\)|\(?[ivx]{1,5}\)))\s+(?=\S)"
)
_LEADERS = re.compile(r"(?:\. ?){4}|…{2}")  # between a title and its page in a table of contents
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,5}(?=\.?\s)")
_SENTENCE_END = re.compile(r"[.!?:;…。！？：；][\"'”’)\]]*\Z")
_WIDE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")  # written without spaces
_LARGE = 1.15  # of the body's font: from here on a line is a heading
_LOOSE = 1.35  # of the usual step between lines: from here on a paragraph ends
_NEXT = 1.2  # of that step: from here on another heading begins
_LONGEST_HEADING = 200
_DEEPEST_INDENT = 80


def clean_title(text: str) -> str:
    """A title's letters and digits alone, to be compared.

    Example:
        >>> clean_title("1.2  The Pump")
        '12thepump'
    """
    return "".join(letter for letter in text.lower() if letter.isalnum())


class _Part(NamedTuple):
    """Lines that belong together: their kind, level, and each line with its page."""

    kind: str
    level: int
    lines: list[tuple[Line, int]]


class PdfWriter:
    """Takes pages in order; `document` settles what is a heading by all of them."""

    def __init__(self, bookmarks: Mapping[tuple[int, str], int]) -> None:
        self._bookmarks = bookmarks
        self._pages: list[list[Region]] = []
        self._writer = Writer()
        self._starts: dict[int, int] = {}
        self._compounds: set[str] = set()
        self._body = 0.0
        self._levels: dict[float, int] = {}
        self._step = 0.0
        self._has_code = False
        self._heading = ""
        self._list = -1
        self._list_title = ""

    def add_page(self, pieces: Sequence[Piece]) -> None:
        """The next page's pieces."""
        self._pages.append(read_page(pieces))

    def document(self, source: str, media_type: str, *, title: str = "") -> Document:
        """Everything that was added as one document."""
        lines = [line for page in self._pages for region in page for line in region.lines]
        self._measure(lines)
        waiting: _Part | None = None
        for page, regions in enumerate(self._pages):
            for region in regions:
                if region.rows:
                    self._flush(waiting)
                    waiting = None
                    self._write_rows(region, page)
                for line in region.lines:
                    waiting = self._add(waiting, line, page)
        self._flush(waiting)
        self._writer.metadata["pages"] = self._page_starts()
        if title or self._heading:
            self._writer.metadata["title"] = title or self._heading
        return self._writer.document(source, media_type)

    def _measure(self, lines: list[Line]) -> None:
        """Learns the body's font, the larger ones, and the usual step between lines."""
        sizes: Counter[float] = Counter()
        for line in lines:
            sizes[_size(line)] += len(line.text)
            self._compounds.update(_COMPOUND.findall(line.text.lower()))
        self._body = sizes.most_common(1)[0][0] if sizes else 0.0
        n_mono = sum(len(line.text) for line in lines if line.mono)
        self._has_code = 2 * n_mono < sum(sizes.values())  # else all of it looks like code
        large = sorted({_size(line) for line in lines if self._is_large(line)}, reverse=True)
        self._levels = {size: min(6, level) for level, size in enumerate(large, 1)}
        steps = [
            (low.y0 - high.y0) / high.height
            for high, low in pairwise(lines)
            if _size(high) == _size(low) == self._body and 0 < low.y0 - high.y0 < 3 * high.height
        ]
        self._step = median(steps) if steps else 1.2

    def _is_large(self, line: Line) -> bool:
        return _size(line) >= _LARGE * self._body and len(line.text) < _LONGEST_HEADING

    def _level(self, line: Line, page: int) -> int:
        """The level of a heading, 0 for other lines."""
        if _LEADERS.search(line.text) or self._is_code(line):
            return 0
        if level := self._bookmarks.get((page, clean_title(line.text)), 0):
            return min(6, level)
        numbered = _NUMBERED.match(line.text)
        if self._is_large(line) and any(map(str.isalpha, line.text)):
            return min(6, numbered[0].count(".") + 1) if numbered else self._levels[_size(line)]
        short = line.x1 - line.left < 0.8 * (line.right - line.left) and len(line.text) < 90
        if line.bold and short and line.text[:1].isalnum() and not _SENTENCE_END.search(line.text):
            return min(6, numbered[0].count(".") + 1 if numbered else len(self._levels) + 1)
        return 0

    def _is_code(self, line: Line) -> bool:
        return line.mono and self._has_code

    def _add(self, part: _Part | None, line: Line, page: int) -> _Part:
        """The part the line went to: the one given, or a new one after it is written."""
        level = self._level(line, page)
        if part is not None and self._goes_on(part, line, page, level=level):
            part.lines.append((line, page))
            return part
        self._flush(part)
        if level:
            return _Part("heading", level, [(line, page)])
        if self._is_code(line):
            return _Part("code", 0, [(line, page)])
        kind = "list_item" if _MARKER.match(line.text) else "paragraph"
        return _Part(kind, 0, [(line, page)])

    def _goes_on(self, part: _Part, line: Line, page: int, *, level: int) -> bool:
        last, last_page = part.lines[-1]
        if part.level or level:
            same = part.level == level and _size(last) == _size(line) and page == last_page
            near = 0 < line.y0 - last.y0 < _NEXT * min(1.35, max(1.0, self._step)) * last.height
            near = near and _is_below(last, line)
            by_name = (page, clean_title(last.text)) in self._bookmarks
            return same and near and not by_name and not _MARKER.match(line.text)
        if part.kind == "code" or self._is_code(line):
            near = page == last_page and 0 < line.y0 - last.y0 < 3 * last.height
            return part.kind == "code" and self._is_code(line) and near
        if _MARKER.match(line.text) or abs(_size(last) - _size(line)) > 0.12 * _size(last):
            return False
        if page != last_page or line.y0 < last.y0:  # the next column or page
            broken = not _SENTENCE_END.search(last.text)
            return broken and not line.text[:1].isupper() and not line.text[:1].isdigit()
        return self._is_next(part, last, line)

    def _is_next(self, part: _Part, last: Line, line: Line) -> bool:
        """Whether the line below goes on with the paragraph or item, by its place."""
        if (line.y0 - last.y0) / last.height > _LOOSE * self._step:
            return False
        first = part.lines[0][0]
        if part.kind == "list_item":
            return line.x0 > first.x0 + 0.3 * line.height or not _SENTENCE_END.search(last.text)
        indented = line.x0 - last.x0 > 0.8 * line.height and abs(line.x0 - first.x0) < line.height
        starts = line.x0 - last.x0 > 0.8 * line.height and len(part.lines) > 1
        ended = last.x1 < line.right - 0.25 * (line.right - line.left)
        ended = ended and _SENTENCE_END.search(last.text) is not None
        return not (indented or starts or ended)

    # Writing

    def _flush(self, part: _Part | None) -> None:
        if part is None:
            return
        text, starts = (_code if part.kind == "code" else self._join)(part.lines)
        if part.kind != "list_item":
            self._end_list()
        if part.kind == "heading":
            if part.level == 1:
                self._heading = self._heading or text
            self._writer.write(text, "heading", part.level, title=text)
        elif part.kind == "list_item":
            self._open_list(text)
            self._writer.write(text, "list_item", 1, n_lines=1)
        else:
            self._writer.write(text, part.kind)
        begin = self._writer.length - len(text)
        for page, at in starts:
            self._starts.setdefault(page, begin + at)

    def _open_list(self, text: str) -> None:
        found = _MARKER.match(text)
        title = "ordered" if found and found["number"] else "bullet"
        if title != self._list_title:
            self._end_list()
        if self._list < 0:
            self._writer.separate()
            self._list, self._list_title = self._writer.open("list", 1, title), title

    def _end_list(self) -> None:
        if self._list >= 0:
            self._writer.close(self._list)
            self._writer.separate()
            self._list = -1

    def _write_rows(self, region: Region, page: int) -> None:
        self._end_list()
        rows = [
            Row([Cell(self._in_cell(text)) for text in cells], number == 0 and region.has_header)
            for number, cells in enumerate(region.rows)
        ]
        self._writer.separate()
        n_before = self._writer.length + (2 if self._writer.length else 0)
        write_table(self._writer, rows)
        self._starts.setdefault(page, n_before)

    def _in_cell(self, text: str) -> str:
        lines = text.split("\n")
        joined = [self._before(line, following) for line, following in pairwise(lines)]
        return _shown("".join([*joined, lines[-1]]))

    def _join(self, lines: list[tuple[Line, int]]) -> tuple[str, list[tuple[int, int]]]:
        """The lines as one text, and each line's page with where it begins in it."""
        texts: list[str] = []
        length, starts = 0, list[tuple[int, int]]()
        for line, page in lines:
            if texts:
                before = texts[-1]
                texts[-1] = self._before(before, line.text)
                length += len(texts[-1]) - len(before)
            starts.append((page, length))
            texts.append(line.text)
            length += len(line.text)
        return _shown("".join(texts)), starts

    def _before(self, line: str, following: str) -> str:
        """A line as it stands before the following one: with a space, or joined to it."""
        if not _HYPHEN.search(line):
            is_wide = _WIDE.match(line[-1:]) and _WIDE.match(following[:1])
            return line if is_wide else f"{line} "
        start, end = _WORD_END.search(line[:-1]), _WORD_START.match(following)
        if start is None or end is None:
            return f"{line} "
        is_compound = f"{start[0]}-{end[0]}".lower() in self._compounds
        return line[:-1] if following[0].islower() and not is_compound else line

    def _page_starts(self) -> tuple[int, ...]:
        """Where each page begins; one without text begins where the next one does."""
        last = max(self._starts, default=0)
        starts, at = [], self._writer.length
        for page in range(last, -1, -1):
            at = self._starts.get(page, at)
            starts.append(at)
        return (0, *reversed(starts[:-1]))


def _code(lines: list[tuple[Line, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Lines of code, indented as they stand; and the page with where it begins."""
    left = min(line.x0 for line, _ in lines)
    texts = []
    for line, _ in lines:
        width = max(0.1, (line.x1 - line.x0) / len(line.text))
        indent = min(_DEEPEST_INDENT, round((line.x0 - left) / width))
        texts.append(" " * indent + line.text)
    return _shown("\n".join(texts)), [(lines[0][1], 0)]


def _is_below(high: Line, low: Line) -> bool:
    """Whether a heading's line begins, ends or is centred where the one above is, or further in."""
    off_centre = abs(high.x0 + high.x1 - low.x0 - low.x1) / 2
    return low.x0 > high.x0 - low.height or min(off_centre, abs(high.x1 - low.x1)) < low.height


def _size(line: Line) -> float:
    """The height of a line's font, to half a point."""
    return round(2 * line.height) / 2


def _shown(text: str) -> str:
    """The text with visible hyphens, as long as before."""
    return text.replace("\xad", "-")
