"""The tables of reStructuredText: which lines each row has."""

from __future__ import annotations

import re
from itertools import pairwise

from seamline.parse.rst_lines import Lines

__all__ = ["Rows", "grid_rows", "simple_rows"]

_GRID_BORDER = re.compile(r"\+(?:[-=]+\+)+$")
_SIMPLE_BORDER = re.compile(r"=[= ]*=$")
_SPAN_LINE = re.compile(r"-[- ]*$")

# The rows as (first line, line after the last), whether the first is the header, and the line
# after the table. Rows hold the drawn lines below them, the first also those above it.
Rows = tuple[list[tuple[int, int]], bool, int]


def grid_rows(lines: Lines, first: int, last: int) -> Rows | None:
    """The rows of a table drawn with `+---+` that begins at `first`; None if it is none."""
    stop = lines.run_end(first, last)
    end = first + 1
    while end < stop and lines[end][0] in "+|":
        end += 1
    borders = [at for at in range(first, end) if _GRID_BORDER.match(lines[at])]
    if len(borders) < 2 or borders[-1] != end - 1:
        return None
    bounds = [first, *(border + 1 for border in borders[1:])]
    headed = len(borders) > 2 and "=" in lines[borders[1]]
    return list(pairwise(bounds)), headed, end


def simple_rows(lines: Lines, first: int, last: int) -> Rows | None:
    """The rows of a table between lines of `====  ====`; None if it has no end."""
    base, borders, at = lines.columns[first], [first], first + 1
    while at < last and lines.columns[at] >= base:
        if lines.columns[at] == base and _SIMPLE_BORDER.match(lines[at]):
            borders.append(at)
            if len(borders) == 3 or at + 1 == last or lines.gaps[at + 1]:
                break
        at += 1
    if len(borders) == 1:
        return None
    headed, end = len(borders) == 3, borders[-1] + 1
    second = base + len(lines[first].split(" ", 1)[0])  # where the first column ends
    bounds = [first]
    for at in range(borders[-2] + 1, borders[-1]):
        opens = lines.columns[at] < second and not _SPAN_LINE.match(lines[at])
        if opens and (at > first + 1 or headed):
            bounds.append(at)
    return list(zip(bounds, [*bounds[1:], end], strict=True)), headed, end
