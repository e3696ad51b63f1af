"""Tables with lines drawn around their cells, put among the other regions of a PDF page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seamline.parse.grid import Cell, Row, fill_rows
from seamline.parse.pdf_chars import Piece
from seamline.parse.pdf_layout import Region, has_header, lines_of
from seamline.parse.pdf_layout import read_page as read_plain
from seamline.parse.pdf_rules import Grid, Span

__all__ = ["read_page"]

_MARK = "\0"  # stands for a table, as no character of a PDF does
_FILLED = 0.3  # of the cells: with less it is a chart or a form
_LEVEL = 3.0  # points: lines of cells side by side that are no further apart are one


def read_page(pieces: Sequence[Piece]) -> list[Region]:
    """The regions of a page in reading order, as `pdf_layout.read_page` and ruled tables."""
    rest, tables = _parted(pieces)
    alone: list[Region] = []
    beside: list[Region] = []
    for table in sorted(tables, key=lambda one: one.box[1]):
        top, bottom = table.box[1], table.box[3]
        others = [one.box for one in tables if one is not table]
        is_alone = not any(piece.upright and top < piece.middle < bottom for piece in rest)
        is_alone = is_alone and not any(box[1] < bottom and box[3] > top for box in others)
        (alone if is_alone else beside).append(table)
    regions = list(_unmarked(read_plain([*rest, *_marks(rest, alone)]), alone))
    for table in beside:
        regions = list(_inserted(regions, table))
    return regions


def _parted(pieces: Sequence[Piece]) -> tuple[list[Piece], list[Region]]:
    """Pieces outside ruled tables, and the tables."""
    rest: list[Piece] = []
    ruled: dict[int, list[Piece]] = {}
    for piece in pieces:
        if piece.grid and piece.upright:
            ruled.setdefault(id(piece.grid), []).append(piece)
        else:
            rest.append(piece)
    tables = []
    for group in ruled.values():
        table = _table(group)
        if table:
            tables.append(table)
        else:
            rest.extend(group)
    return rest, tables


def _table(pieces: list[Piece]) -> Region | None:
    grid = pieces[0].grid
    if grid is None:
        return None
    cells: dict[Span, list[Piece]] = {}
    for piece in pieces:
        if piece.span:
            cells.setdefault(piece.span, []).append(piece)
    n_cells = len({span for row in grid.spans for span in row})
    n_rows, n_columns = len({s.row for s in cells}), len({s.column for s in cells})
    if n_rows < 2 or n_columns < 2 or len(cells) < _FILLED * n_cells:
        return None
    rows = _without_empty(fill_rows(list(_rows(grid, cells))))
    bold = dict.fromkeys(sorted({span.row for span in cells}), True)
    for span, group in cells.items():
        bold[span.row] = bold[span.row] and all(piece.bold for piece in group)
    return Region([], rows, has_header(list(bold.values()), rows), grid.box)


def _without_empty(rows: list[list[str]]) -> list[list[str]]:
    """The rows without those rows and columns in which there is no text."""
    used = sorted({i for row in rows for i, text in enumerate(row) if text})
    return [[row[i] for i in used] for row in rows if any(row)]


def _rows(grid: Grid, cells: dict[Span, list[Piece]]) -> Iterator[Row]:
    """The cells that begin in each row, as several rows where they stand in lines alone."""
    for number, places in enumerate(grid.spans):
        begin = [s for i, s in enumerate(places) if (s.row, s.column) == (number, i)]
        lines = [[(row[0].middle, _text(row)) for row in lines_of(cells.get(s, ()))] for s in begin]
        parted = _by_level(lines) if all(span.n_rows == 1 for span in places) else []
        if len(parted) <= len(grid.spans):
            parted = [["\n".join(text for _, text in cell) for cell in lines]]
        for texts in parted:
            yield Row(
                [Cell(text, s.n_columns, s.n_rows) for s, text in zip(begin, texts, strict=True)]
            )


def _text(row: list[Piece]) -> str:
    return " ".join(piece.text for piece in row)


def _by_level(cells: list[list[tuple[float, str]]]) -> list[list[str]]:
    """The lines of cells side by side; none unless each has text in the first cell and others."""
    places = sorted((middle, i, text) for i, cell in enumerate(cells) for middle, text in cell)
    levels: list[list[str]] = []
    at = 0.0
    for middle, i, text in places:
        if not levels or middle - at > _LEVEL:
            levels.append([""] * len(cells))
            at = middle
        levels[-1][i] = f"{levels[-1][i]} {text}".strip()
    is_rows = all(level[0] and any(level[1:]) for level in levels)
    return levels if is_rows else []


def _marks(rest: list[Piece], tables: list[Region]) -> list[Piece]:
    """A line over the whole width for each table, which parts the text above from that below."""
    boxes = [piece[:4] for piece in rest] + [table.box for table in tables]
    left, right = min((b[0] for b in boxes), default=0.0), max((b[2] for b in boxes), default=0.0)
    marks = []
    for number, table in enumerate(tables):
        middle = (table.box[1] + table.box[3]) / 2
        marks.append(Piece(left, middle - 0.5, right, middle + 0.5, f"{_MARK}{number}"))
    return marks


def _unmarked(regions: Iterable[Region], tables: list[Region]) -> Iterator[Region]:
    """The regions with each table in the place of its mark."""
    for region in regions:
        start = 0
        for i, line in enumerate(region.lines):
            if line.text.startswith(_MARK):
                yield from _lines(region, start, i)
                yield tables[int(line.text[1:])]
                start = i + 1
        yield from _lines(region, start, len(region.lines))
        if region.rows:
            yield region


def _lines(region: Region, start: int, end: int) -> Iterator[Region]:
    if start < end:
        yield region._replace(lines=region.lines[start:end])


def _inserted(regions: Sequence[Region], table: Region) -> Iterator[Region]:
    """The regions with a table that has text beside it below what stands above it."""
    above, below = (-1, 0), (len(regions), 0)
    for number, region in enumerate(regions):
        boxes = [(line.x0, line.y0, line.x1, line.y1) for line in region.lines] or [region.box]
        for i, box in enumerate(boxes):
            if box[0] < table.box[2] and box[2] > table.box[0]:
                if box[1] < table.box[1]:
                    above = number, i + 1
                else:
                    below = min(below, (number, i))
    at, cut = above if above[0] >= 0 else below
    yield from regions[:at]
    if at < len(regions):
        region = regions[at]
        if region.rows:
            yield from (region, table) if cut else (table, region)
        else:
            yield from _lines(region, 0, cut)
            yield table
            yield from _lines(region, cut, len(region.lines))
        yield from regions[at + 1 :]
    else:
        yield table
