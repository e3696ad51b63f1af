"""Tables where GFM's own rules stop short: several header rows, no blank line before.

GFM takes the one line above the delimiter row for the header and leaves further
header rows in the paragraph before. `pyromark` also leaves a table in the
paragraph when its rows have no outer pipes and text stands on the line above, or
when its delimiter row has no pipe or ends in a tab. All offsets are bytes.
"""

from __future__ import annotations

import re

__all__ = ["MARGIN", "header_top", "line_start", "rows_in_paragraph"]

MARGIN = b" \t>"  # what may stand before a line's content: indentation, quote markers

# Possessive throughout, so that no line can make it backtrack.
_DELIMITER_ROW = re.compile(
    rb"\n[ \t>]*+(\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?+[ \t]*+)(?=\n|\Z)"
)
_PIPE = re.compile(rb"(?<!\\)\|")


def line_start(data: bytes, offset: int) -> int:
    """Where the line of `offset` starts."""
    return data.rfind(b"\n", 0, offset) + 1


def header_top(data: bytes, limit: int, header: tuple[int, int]) -> int:
    """Where the header rows of a table begin, at `limit` or later.

    `header` is the row above the delimiter row. Lines above it belong to the
    header if they begin with a pipe as it does, or have as many cells.
    """
    top, line = header[0], line_start(data, header[0])
    n_cells, piped = _n_cells(data[slice(*header)]), data[top : top + 1] == b"|"
    while line > limit:
        stop, line = line - 1, max(limit, line_start(data, line - 1))
        low = _content(data, line, stop)
        row = data[low:stop]
        if not (row.startswith(b"|") if piped else _n_cells(row) == n_cells > 1):
            break
        top = low
    return top


def rows_in_paragraph(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    """The rows, header first, of a table that begins in the paragraph [start, end).

    The header reaches from its first row to the end of the delimiter row. Empty
    where the paragraph holds no table.
    """
    for found in _DELIMITER_ROW.finditer(data, start, end):
        stop, line = found.start(), line_start(data, found.start())
        low = max(start, _content(data, line, stop))
        # A line that goes on with a quote without its marker is no row of a table in it.
        quoted_alike = data[line:low].count(b">") == data[stop : found.start(1)].count(b">")
        if quoted_alike and _delimits(found[1], data[low:stop]):
            first = header_top(data, start, (low, stop)), found.end()
            return [first, *_lines(data, found.end() + 1, end)]
    return []


def _delimits(delimiters: bytes, header: bytes) -> bool:
    return b"|" in header and _n_cells(delimiters) == _n_cells(header)


def _n_cells(row: bytes) -> int:
    row = row.strip().removeprefix(b"|")
    pipes = [match.end() for match in _PIPE.finditer(row)]
    return len(pipes) + 1 - (bool(pipes) and pipes[-1] == len(row))


def _content(data: bytes, start: int, stop: int) -> int:
    """Where the content of the line [start, stop) begins."""
    return stop - len(data[start:stop].lstrip(MARGIN))


def _lines(data: bytes, start: int, end: int) -> list[tuple[int, int]]:
    lines = []
    while start < end:
        stop = data.find(b"\n", start, end)
        stop = end if stop < 0 else stop
        low = _content(data, start, stop)
        if low < stop:
            lines.append((low, stop))
        start = stop + 1
    return lines
