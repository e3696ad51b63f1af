"""Rows of tables: GFM's, and header rows above the one that GFM knows.

GFM takes the one line above the delimiter row for the header and leaves further
header rows in the paragraph before.
"""

from __future__ import annotations

import re

__all__ = ["header_top", "is_delimiter_row", "n_cells"]

_MARGIN = " \t>"  # what may stand before a line's content: indentation, quote markers
# Possessive throughout, so that no line can make it backtrack.
_DELIMITER_ROW = re.compile(
    r"\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?+[ \t]*+(?=\n)"
)


def is_delimiter_row(text: str, at: int, header: str) -> bool:
    """Whether the line from `at` on is the delimiter row of a table with this header."""
    found = _DELIMITER_ROW.match(text, at)
    return found is not None and "|" in header and n_cells(found[0]) == n_cells(header)


def n_cells(row: str) -> int:
    """How many cells a row has."""
    row = row.strip(" \t\n\v\f").removeprefix("|")
    closed = row.endswith("|") and not row.endswith("\\|")
    return row.count("|") - row.count("\\|") + 1 - closed


def header_top(text: str, limit: int, start: int, stop: int) -> int:
    """Where the header rows of a table begin, at `limit` or later.

    `[start, stop)` is the row above the delimiter row. Lines above it belong to the
    header if they begin with a pipe as it does, or have as many cells.
    """
    top, line = start, text.rfind("\n", 0, start) + 1
    cells, piped = n_cells(text[start:stop]), text[start] == "|"
    while line > limit:
        stop, line = line - 1, max(limit, text.rfind("\n", 0, line - 1) + 1)
        row = text[line:stop].lstrip(_MARGIN)
        if not (row.startswith("|") if piped else n_cells(row) == cells > 1):
            break
        top = stop - len(row)
    return top
