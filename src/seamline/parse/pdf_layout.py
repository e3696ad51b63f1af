"""The pieces of a PDF page into reading order: columns one after the other, tables in rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from seamline.parse.pdf_chars import Piece
from seamline.parse.pdf_rules import Box

__all__ = ["Line", "Region", "has_header", "lines_of", "read_page"]

Gap = tuple[float, float]
Cells = list[list[str]]

_GUTTER = 0.8  # of the font's height: a narrower gap is no gutter
_SAME_LINE = 0.5
_JOIN = 1.2
_SPACE = 0.12
_CLOSE = 0.9  # of the usual step: a line nearer goes on with the row above
_MOST_GAPS = 60  # a line with more is no row of a table
_DEEPEST = 4
_APART = 0.6
_WORDY = 18  # characters a line: columns of text have more, columns of a table less
_FULL = 0.55  # of its column's width: lines of text fill more
_MARKER = re.compile(r"[•‣◦▪▸●○■□–—*·-]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]")
_DIGIT = re.compile(r"\d")


class Line(NamedTuple):
    """A line of a column, with the column's edges."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    bold: bool
    left: float
    right: float
    mono: bool = False

    @property
    def height(self) -> float:
        """The height of the line's font box, in points."""
        return self.y1 - self.y0


class Region(NamedTuple):
    """A part of a page in reading order: lines of text, or a table's rows of cells."""

    lines: list[Line]
    rows: Cells
    has_header: bool = False
    box: Box = (0.0, 0.0, 0.0, 0.0)  # of a table


def read_page(pieces: Sequence[Piece]) -> list[Region]:
    """The regions of a page in reading order; text that is not upright comes last."""
    upright = [piece for piece in pieces if piece.upright and piece.text]
    regions = list(_read(lines_of(upright), 0))
    turned = [piece for piece in pieces if not piece.upright and piece.text]
    if turned:
        text = " ".join(piece.text for piece in turned)
        box = turned[0]
        line = Line(text, box.x0, box.y0, box.x1, box.y1, box.bold, box.x0, box.x1)
        regions.append(Region([line], []))
    return regions


def lines_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces by line from top to bottom, each from left to right, near ones joined."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda one: (one.middle, one.x0)):
        last = rows[-1][0] if rows else None
        if last and piece.middle - last.middle < _SAME_LINE * min(last.height, piece.height):
            rows[-1].append(piece)
        elif last and piece.y1 < last.y1 + 0.1 * last.height and piece.height < last.height:
            rows[-1].append(piece)  # a small sign on the line, such as a footnote's number
        else:
            rows.append([piece])
    return [_joined(sorted(row)) for row in rows]


def _joined(row: list[Piece]) -> list[Piece]:
    groups: list[tuple[Piece, list[str]]] = []
    for piece in row:
        last, texts = groups[-1] if groups else (piece, [])
        height = max(last.height, piece.height)
        gap = piece.x0 - last.x1
        if not texts or gap > _JOIN * height:
            groups.append((piece, [piece.text]))
            continue
        texts.append(f" {piece.text}" if gap > _SPACE * height else piece.text)
        taller = piece if piece.height > last.height else last
        around = last._replace(
            x1=max(last.x1, piece.x1),
            y0=taller.y0,
            y1=taller.y1,
            bold=last.bold and piece.bold,
            mono=last.mono and piece.mono,
        )
        groups[-1] = around, texts
    return [piece._replace(text="".join(texts)) for piece, texts in groups]


def _read(rows: list[list[Piece]], depth: int) -> Iterator[Region]:
    if not rows:
        return
    left = min(piece.x0 for row in rows for piece in row)
    right = max(piece.x1 for row in rows for piece in row)
    plain: list[list[Piece]] = []
    for band in _bands(rows, left, right):
        gutters = _gutters(band, left, right)
        if not gutters or depth >= _DEEPEST:
            plain.extend(band)
            continue
        head, body, tail = _table_part(band, gutters)
        if _is_text(band, gutters):
            yield from _plain(plain, left, right)
            plain = []
            for column in _columns(band, gutters):
                yield from _read(lines_of(column), depth + 1)
        elif _is_table(body, gutters):
            yield from _plain(plain + head, left, right)
            plain = tail
            yield _table(body, gutters)
        else:
            plain.extend(band)
    yield from _plain(plain, left, right)


def _plain(rows: list[list[Piece]], left: float, right: float) -> Iterator[Region]:
    lines = []
    for row in rows:
        bold = all(piece.bold for piece in row)
        first = max(row, key=lambda piece: len(piece.text))
        text = " ".join(piece.text for piece in row)
        end = max(piece.x1 for piece in row)
        mono = all(piece.mono for piece in row)
        lines.append(Line(text, row[0].x0, first.y0, end, first.y1, bold, left, right, mono))
    if lines:
        yield Region(lines, [])


def _bands(rows: list[list[Piece]], left: float, right: float) -> Iterator[list[list[Piece]]]:
    """Runs of lines that leave the same room free from top to bottom."""
    band: list[list[Piece]] = []
    free: list[Gap] = []
    between: list[Gap] = []  # room with text on both sides of it on some line
    for row in rows:
        least = _GUTTER * row[0].height
        here, inner = _free(row, left, right), _free(row, row[0].x0, row[-1].x1)
        shared = _shared(free, here, least) if band else here
        lost = any(not _shared([gap], shared, least) for gap in between + inner)
        if band and (lost or (not shared and (free or here)) or _is_apart(band[-1], row)):
            yield band
            band, shared, between = [], here, []
        band.append(row)
        free = shared
        between = _shared(free, sorted(between + inner), least)
    yield band


def _is_apart(above: list[Piece], row: list[Piece]) -> bool:
    """Whether a line stands below the others as a heading does."""
    gap = row[0].y0 - max(piece.y1 for piece in above)
    differs = row[0].height > 1.1 * above[0].height or (row[0].bold and not above[0].bold)
    return len(row) == 1 and differs and gap > _APART * row[0].height


def _free(row: list[Piece], left: float, right: float) -> list[Gap]:
    gaps, at = [], left
    least = _GUTTER * row[0].height
    for piece in row:
        if piece.x0 - at >= least:
            gaps.append((at, piece.x0))
        at = max(at, piece.x1)
    if right - at >= least:
        gaps.append((at, right))
    return gaps if len(gaps) <= _MOST_GAPS else []


def _shared(some: list[Gap], others: list[Gap], least: float) -> list[Gap]:
    """The room that both leave; both are sorted."""
    found, i, j = [], 0, 0
    while i < len(some) and j < len(others):
        low, high = max(some[i][0], others[j][0]), min(some[i][1], others[j][1])
        if high - low >= least:
            found.append((low, high))
        if some[i][1] < others[j][1]:
            i += 1
        else:
            j += 1
    return found


def _gutters(band: list[list[Piece]], left: float, right: float) -> list[Gap]:
    """The room between columns: what all lines leave free, with text on both sides of it."""
    free = _free(band[0], left, right)
    for row in band[1:]:
        free = _shared(free, _free(row, left, right), _GUTTER * row[0].height)
    start = min(piece.x0 for row in band for piece in row)
    end = max(piece.x1 for row in band for piece in row)
    inner = [gap for gap in free if gap[0] > start and gap[1] < end]
    while inner:
        marked = [
            gap
            for gap, column in zip(inner, _columns(band, inner), strict=False)
            if all(_MARKER.fullmatch(piece.text) for piece in column)
        ]
        if not marked:
            break
        inner = [gap for gap in inner if gap not in marked]
    return inner


def _columns(band: list[list[Piece]], gutters: list[Gap]) -> list[list[Piece]]:
    columns: list[list[Piece]] = [[] for _ in range(len(gutters) + 1)]
    for row in band:
        for piece in row:
            columns[_column(piece, gutters)].append(piece)
    return columns


def _column(piece: Piece, gutters: list[Gap]) -> int:
    return sum(piece.x0 >= gap[1] - 0.01 for gap in gutters)


def _is_text(band: list[list[Piece]], gutters: list[Gap]) -> bool:
    """Whether the columns hold running text, to be read one after the other."""
    columns = _columns(band, gutters)
    if len(columns) > 4 or min(map(len, columns)) < 2:
        return False
    for column in columns:
        width = max(piece.x1 for piece in column) - min(piece.x0 for piece in column)
        filled = median(piece.x1 - piece.x0 for piece in column) / max(width, 0.1)
        if median(len(piece.text) for piece in column) < _WORDY or filled < _FULL:
            return False
    return True


def _table_part(
    band: list[list[Piece]], gutters: list[Gap]
) -> tuple[list[list[Piece]], list[list[Piece]], list[list[Piece]]]:
    """Lines before the first and after the last with several cells, and those between."""
    several = [i for i, row in enumerate(band) if len({_column(p, gutters) for p in row}) > 1]
    if not several:
        return band, [], []
    first, last = several[0], several[-1] + 1
    while last < len(band) and band[last][0].y0 - band[last - 1][0].y1 < 0.3 * band[last][0].height:
        if _column(band[last][0], gutters) == 0:
            break
        last += 1
    return band[:first], band[first:last], band[last:]


def _is_table(body: list[list[Piece]], gutters: list[Gap]) -> bool:
    several = sum(len({_column(piece, gutters) for piece in row}) > 1 for row in body)
    return several >= (3 if len(gutters) == 1 else 2) and 2 * several >= len(body)


def _table(body: list[list[Piece]], gutters: list[Gap]) -> Region:
    steps = [low[0].middle - high[0].middle for high, low in pairwise(body)]
    usual = median(steps) if steps else 0.0
    parts: list[list[list[str]]] = []
    for number, row in enumerate(body):
        cells: list[list[str]] = [[] for _ in range(len(gutters) + 1)]
        for piece in row:
            cells[_column(piece, gutters)].append(piece.text)
        if number > 0 and not cells[0] and steps[number - 1] < _CLOSE * usual:
            for cell, more in zip(parts[-1], cells, strict=True):
                cell.extend(more)
        else:
            parts.append(cells)
    rows = [[" ".join(cell) for cell in cells] for cells in parts]
    bold = [all(piece.bold for piece in row) for row in body]
    pieces = [piece for row in body for piece in row]
    left, right = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    box = left, body[0][0].y0, right, body[-1][0].y1
    return Region([], rows, has_header(bold, rows), box)


def has_header(bold: Sequence[bool], rows: Cells) -> bool:
    """Whether a table's first row is a header, by which lines are bold and where digits are."""
    if bold[0] and not all(bold):
        return True
    digits = [any(_DIGIT.search(cell) for cell in cells) for cells in rows]
    return len(rows) > 1 and not digits[0] and sum(digits) * 2 > len(rows) - 1
