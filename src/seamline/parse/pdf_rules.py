"""The straight lines drawn on a PDF page, and the grids of cells they form."""

from __future__ import annotations

import ctypes
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

__all__ = ["Box", "Grid", "Rule", "Span", "grids", "page_rules"]

Box = tuple[float, float, float, float]

_MOST_PATHS = 5_000  # a page with more is a drawing
_MOST_SEGMENTS = 20_000
_MOST_PAIRS = 200_000  # of lines that may cross
_MOST_CELLS = 20_000
_STRAIGHT = 1.0  # points that a line may lean
_THIN = 3.0  # points: a filled shape no wider is a line
_NEAR = 3.0  # points: what is no further apart meets
_TALLEST = 0.34  # of the page: a taller cell is a frame or a column
_PATH = 2


class Rule(NamedTuple):
    """A line: how far down (across: from the left) it runs, and from where to where."""

    at: float
    start: float
    end: float


class Span(NamedTuple):
    """A cell: the row and column in which it begins and how many it covers."""

    row: int
    column: int
    n_rows: int
    n_columns: int


class Grid(NamedTuple):
    """A ruled table: where its rows and columns part, and the cell at each place."""

    xs: list[float]
    ys: list[float]
    spans: list[list[Span]]

    @property
    def box(self) -> Box:
        """Its place on the page."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def at(self, x: float, y: float) -> Span | None:
        """The cell around a point.

        Example:
            >>> cell = Span(0, 0, 1, 1)
            >>> Grid([0, 10], [0, 10], [[cell]]).at(5, 5) == cell
            True
        """
        row, column = bisect_right(self.ys, y) - 1, bisect_right(self.xs, x) - 1
        if 0 <= row < len(self.spans) and 0 <= column < len(self.spans[0]):
            return self.spans[row][column]
        return None


def page_rules(
    raw: Any, page: Any, place: Callable[[float, float, float, float], Box]
) -> tuple[list[Rule], list[Rule]]:
    """The lines across a page and those down it; none where there are too many.

    `place` turns left, bottom, right and top into a box whose y grows downwards.
    """
    across, down = list[Rule](), list[Rule]()
    n_paths = n_segments = 0
    for index in range(raw.FPDFPage_CountObjects(page)):
        shape = raw.FPDFPage_GetObject(page, index)
        if raw.FPDFPageObj_GetType(shape) != _PATH:
            continue
        n_paths += 1
        n_segments += max(0, raw.FPDFPath_CountSegments(shape))
        if n_paths > _MOST_PATHS or n_segments > _MOST_SEGMENTS:
            return [], []
        for x0, y0, x1, y1 in _lines(raw, shape):
            left, top, right, bottom = place(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
            if right - left > bottom - top:
                across.append(Rule((top + bottom) / 2, left, right))
            else:
                down.append(Rule((left + right) / 2, top, bottom))
    return across, down


def _lines(raw: Any, shape: Any) -> Iterator[Box]:
    """The lines that a path draws: its straight strokes, or its thin filled shapes."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(shape, ctypes.byref(fill), ctypes.byref(stroke))
    for points in _outlines(raw, shape) if fill.value or stroke.value else ():
        if stroke.value:
            edges = [(*one, *other) for one, other in pairwise(points)]
            yield from (edge for edge in edges if _is_line(edge, _STRAIGHT))
        else:
            xs, ys = [x for x, _ in points], [y for _, y in points]
            around = min(xs), min(ys), max(xs), max(ys)
            if _is_line(around, _THIN):
                yield around


def _is_line(box: Box, most: float) -> bool:
    width, height = sorted((abs(box[2] - box[0]), abs(box[3] - box[1])))
    return width <= most and height > _NEAR


def _outlines(raw: Any, shape: Any) -> Iterator[list[tuple[float, float]]]:
    """The corners of each part of a path, on the page; parts with curves are left out."""
    matrix, x, y = raw.FS_MATRIX(), ctypes.c_float(), ctypes.c_float()
    raw.FPDFPageObj_GetMatrix(shape, ctypes.byref(matrix))
    points: list[tuple[float, float]] = []
    is_curved = False
    for index in range(raw.FPDFPath_CountSegments(shape)):
        segment = raw.FPDFPath_GetPathSegment(shape, index)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            if len(points) > 1 and not is_curved:
                yield points
            points, is_curved = [], False
        is_curved = is_curved or kind == raw.FPDF_SEGMENT_BEZIERTO
        raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        points.append(
            (
                matrix.a * x.value + matrix.c * y.value + matrix.e,
                matrix.b * x.value + matrix.d * y.value + matrix.f,
            )
        )
        if raw.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if len(points) > 1 and not is_curved:
        yield points


def grids(
    across: Sequence[Rule], down: Sequence[Rule], *, width: float, height: float
) -> list[Grid]:
    """The tables that lines form on a page of a size, the smallest first.

    Example:
        >>> lines = [Rule(0, 0, 200), Rule(20, 0, 200), Rule(40, 0, 200)]
        >>> columns = [Rule(0, 0, 40), Rule(100, 0, 40), Rule(200, 0, 40)]
        >>> [grid.xs for grid in grids(lines, columns, width=600, height=800)]
        [[0.0, 100.0, 200.0]]
    """
    across, down = _joined(_inside(across, height, width)), _joined(_inside(down, width, height))
    if len(across) * len(down) > _MOST_PAIRS:
        return []
    found = [_grid(*group, height) for group in _groups(across, down)]
    return sorted((grid for grid in found if grid), key=_area)


def _inside(rules: Sequence[Rule], depth: float, length: float) -> list[Rule]:
    """Lines as far as they are on the page."""
    return [
        Rule(at, max(0.0, start), min(length, end))
        for at, start, end in rules
        if 0 <= at <= depth and start < length and end > 0
    ]


def _area(grid: Grid) -> float:
    x0, y0, x1, y1 = grid.box
    return (x1 - x0) * (y1 - y0)


def _joined(rules: Sequence[Rule]) -> list[Rule]:
    """Lines in the same place as one, those that go on in each other too."""
    found: list[Rule] = []
    for at, group in _clusters(rules):
        joined: list[Rule] = []
        for rule in sorted(group, key=lambda one: one.start):
            if joined and rule.start <= joined[-1].end + _NEAR:
                joined[-1] = Rule(at, joined[-1].start, max(joined[-1].end, rule.end))
            else:
                joined.append(rule._replace(at=at))
        found.extend(joined)
    return found


def _clusters(rules: Sequence[Rule]) -> Iterator[tuple[float, list[Rule]]]:
    group: list[Rule] = []
    for rule in sorted(rules):
        if group and rule.at - group[0].at > _NEAR:
            yield (group[0].at + group[-1].at) / 2, group
            group = []
        group.append(rule)
    if group:
        yield (group[0].at + group[-1].at) / 2, group


def _groups(across: list[Rule], down: list[Rule]) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Lines that meet, directly or by others."""
    meet: list[list[int]] = [[] for _ in across + down]
    for i, line in enumerate(across):
        for j, other in enumerate(down, len(across)):
            on_line = line.start - _NEAR <= other.at <= line.end + _NEAR
            if on_line and other.start - _NEAR <= line.at <= other.end + _NEAR:
                meet[i].append(j)
                meet[j].append(i)
    seen: set[int] = set()
    for start in range(len(across)):
        waiting, group = [start], list[int]()
        while waiting:
            index = waiting.pop()
            if index not in seen:
                seen.add(index)
                group.append(index)
                waiting.extend(meet[index])
        if group:
            n = len(across)
            yield [across[i] for i in group if i < n], [down[i - n] for i in group if i >= n]


def _grid(across: list[Rule], down: list[Rule], height: float) -> Grid | None:
    grid = _cut(across, down, _edges(down, across), _edges(across, down))
    if grid:  # again without the places where no cell begins, as under a word
        spans = {span for places in grid.spans for span in places}
        rows = {span.row for span in spans} | {len(grid.spans)}
        columns = {span.column for span in spans} | {len(grid.spans[0])}
        xs = [x for i, x in enumerate(grid.xs) if i in columns]
        grid = _cut(across, down, xs, [y for i, y in enumerate(grid.ys) if i in rows])
    if grid is None:
        return None
    tallest = max(
        grid.ys[span.row + span.n_rows] - grid.ys[span.row]
        for places in grid.spans
        for span in places
    )
    return grid if tallest < _TALLEST * height else None


def _cut(across: list[Rule], down: list[Rule], xs: list[float], ys: list[float]) -> Grid | None:
    n_rows, n_columns = len(ys) - 1, len(xs) - 1
    if n_rows < 2 or n_columns < 2 or n_rows * n_columns > _MOST_CELLS:
        return None
    spans = _spans(n_rows, n_columns, _walls(across, ys, xs), _walls(down, xs, ys))
    return Grid(xs, ys, spans) if spans else None


def _edges(rules: list[Rule], crossing: list[Rule]) -> list[float]:
    """Where lines part a table, and where it ends if no line is drawn there."""
    found = sorted({rule.at for rule in rules})
    start = min((rule.start for rule in crossing), default=0.0)
    end = max((rule.end for rule in crossing), default=0.0)
    if found and start < found[0] - _NEAR:
        found.insert(0, start)
    if found and end > found[-1] + _NEAR:
        found.append(end)
    return found


def _walls(rules: list[Rule], places: list[float], steps: list[float]) -> set[tuple[int, int]]:
    """The (place, step) between which a line is drawn."""
    index = {place: i for i, place in enumerate(places)}
    return {
        (index[rule.at], i)
        for rule in rules
        if rule.at in index
        for i, (start, end) in enumerate(pairwise(steps))
        if rule.start <= start + _NEAR and rule.end >= end - _NEAR
    }


def _spans(
    n_rows: int, n_columns: int, over: set[tuple[int, int]], beside: set[tuple[int, int]]
) -> list[list[Span]] | None:
    """The cell at each place; None if any is no rectangle."""
    spans: dict[tuple[int, int], Span] = {}
    for row in range(n_rows):
        for column in range(n_columns):
            if (row, column) in spans:
                continue
            end, below = column + 1, row + 1
            while end < n_columns and (end, row) not in beside:
                end += 1
            while below < n_rows and (below, column) not in over:
                below += 1
            places = [(i, j) for i in range(row, below) for j in range(column, end)]
            span = Span(row, column, below - row, end - column)
            if any(place in spans for place in places) or not _is_closed(span, over, beside):
                return None
            spans.update(dict.fromkeys(places, span))
    return [[spans[row, column] for column in range(n_columns)] for row in range(n_rows)]


def _is_closed(span: Span, over: set[tuple[int, int]], beside: set[tuple[int, int]]) -> bool:
    """Whether no line runs through the cell."""
    rows = range(span.row, span.row + span.n_rows)
    columns = range(span.column, span.column + span.n_columns)
    return not any((row, column) in over for row in rows[1:] for column in columns) and not any(
        (column, row) in beside for column in columns[1:] for row in rows
    )
