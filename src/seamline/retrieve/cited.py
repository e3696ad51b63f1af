"""Where a passage lies in its document, and what stands before it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any

import numpy as np

from seamline.store.values import Columns, Details

__all__ = ["cited"]

_LINES = "line_range"
_RANGE = "_range"  # of pages, rows, cells, lines: the first and the last


def cited(
    columns: Columns, details: Details, ordinal: int, start: int, text: str
) -> tuple[str, dict[str, Any]]:
    """The context and the metadata of the passage `text` at `start`, shown by chunk `ordinal`.

    Its pages and rows are those of all chunks in it, its lines its own where it begins with a
    chunk, its headings those that they share.
    The context is that of the chunk it begins with; a parent has none, as it is shown whole.
    """
    inside = (columns.start >= start) & (columns.start < start + len(text))
    inside[ordinal] = True
    rows = np.flatnonzero(inside).tolist()
    opens = next((row for row in rows if columns.start[row] == start), ordinal)
    context = "" if columns.parent_start[opens] >= 0 else details.contexts[opens]
    own = details.metadata[ordinal]
    sheet = own.get("sheet")
    within = [details.metadata[row] for row in rows]
    near = [one for one in within if one.get("sheet") == sheet]
    found = {key: _united(key, near) if key.endswith(_RANGE) else own[key] for key in own}
    if "headings" in own:
        paths = [one.get("headings", []) for one in within]
        found["headings"] = _shared([list(map(str, path)) for path in paths])
    if _LINES in found and columns.start[opens] == start and "cell_range" not in found:
        first = details.metadata[opens][_LINES][0]
        found[_LINES] = [first, first + text.count("\n", 0, len(text) - 1)]
    return context, found


def _shared(paths: Sequence[Sequence[str]]) -> list[str]:
    """What all paths begin with."""
    levels = takewhile(lambda level: len(set(level)) == 1, zip(*paths, strict=False))
    return [level[0] for level in levels]


def _united(key: str, within: Sequence[Mapping[str, Any]]) -> list[Any]:
    ranges = [one[key] for one in within if key in one]
    return [min(first for first, _ in ranges), max(last for _, last in ranges)]
