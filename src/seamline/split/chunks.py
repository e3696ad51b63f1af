"""Cuts into chunk objects, with what a reader would cite: pages, rows, cells, sheets, lines."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any

from seamline.scan import rows_of
from seamline.split.outline import heading_paths
from seamline.split.pack import Cuts
from seamline.types import Chunk, Document, Span

__all__ = ["make_chunks"]

# Where each place begins in a document, what its numbers are called if they are not 1, 2, 3 …,
# and what a chunk's metadata says of it.
_PLACES = (
    ("pages", "page_numbers", "page_range"),
    ("rows", "row_numbers", "row_range"),
    ("cells", "cell_numbers", "cell_range"),
    ("lines", "line_numbers", "line_range"),
)
_SHEETS, _SHEET_NAMES = "sheets", "sheet_names"
_HEADINGS = "headings"
# Lists as long as the document: a chunk that took them along would weigh as much.
_LISTS = {_SHEETS, _SHEET_NAMES, *(name for place in _PLACES for name in place[:2])}


def make_chunks(
    document: Document,
    cuts: Cuts,
    parents: Sequence[Span | None] | None = None,
    *,
    contexts: list[str] | None = None,
    indexed: list[str | None] | None = None,
) -> list[Chunk]:
    r"""Chunk objects of the given cuts, in order; the one place where they are made.

    `parents`, `contexts` and `indexed` are one a chunk, none unless given. A chunk
    shares its document's metadata. Where that says where places begin
    (increasing offsets in `pages`, `rows`, `cells` or `lines`; form feeds are
    page breaks too), the chunk has, in their stead, `page_range`, `row_range`,
    `cell_range` and `line_range`: the first and the last that it touches, counted
    from 1 or as `row_numbers` and the like say. With `sheets` and `sheet_names`
    it has `sheet`, the name of its sheet, and no `row_range` where it touches
    several, whose names are then joined by commas. In a document with headings or
    definitions it has `headings`, a tuple of the titles over its first text, the
    outermost first.

    Example:
        >>> document = Document.from_text("a,b\n1,2\n3,4", metadata={"rows": [0, 4, 8]})
        >>> [chunk.metadata for chunk in make_chunks(document, ([0, 8], [7, 11]))]
        [{'row_range': (1, 2)}, {'row_range': (3, 3)}]
    """
    text, doc_id = document.text, document.id
    places = _places(document)
    paths = [] if _HEADINGS in document.metadata else heading_paths(document, *cuts)
    each: Iterable[Mapping[str, Any]] = repeat(document.metadata)
    if places:
        each = _metadata(document.metadata, cuts, places)
    if paths:
        each = _under(paths, each)
    if parents is None and not places:
        shared = each if isinstance(each, list) else document.metadata
        return rows_of(Chunk, doc_id, text, *cuts, shared, contexts, indexed)
    rows = zip(  # noqa: B905 - endless
        each, *cuts, contexts or repeat(""), parents or repeat(None), indexed or repeat(None)
    )
    return [
        Chunk(doc_id, start, end, text[start:end], i, context, parent, line, data)
        for i, (data, start, end, context, parent, line) in enumerate(rows)
    ]


def _under(
    paths: list[tuple[str, ...]], metadata: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The metadata with the heading path; chunks after each other share what is the same."""
    found: list[Mapping[str, Any]] = []
    made: Mapping[str, Any] = {}
    over: tuple[str, ...] = ()
    known: Mapping[str, Any] = {}
    for path, data in zip(paths, metadata):  # noqa: B905 - endless
        if path is not over or data is not known:
            over, known = path, data
            made = {**data, _HEADINGS: path} if path else data
        found.append(made)
    return found


def _places(document: Document) -> dict[str, Sequence[int]]:
    """The offsets where places begin, by their name in `_LISTS`; none in most documents."""
    known = document.metadata
    found = {name: known[name] for name in (_SHEETS, *(p[0] for p in _PLACES)) if name in known}
    if "pages" not in found and "\f" in document.text:
        found["pages"] = [0, *(found.end() for found in re.finditer("\f", document.text))]
    return {name: starts for name, starts in found.items() if len(starts)}


def _metadata(
    known: Mapping[str, Any], cuts: Cuts, places: Mapping[str, Sequence[int]]
) -> Iterator[dict[str, Any]]:
    """Each chunk's metadata: its document's, and what it touches of each kind of place."""
    base = {name: value for name, value in known.items() if name not in _LISTS}
    kinds = [
        (places[name], known.get(numbers), result)
        for name, numbers, result in _PLACES
        if name in places
    ]
    sheets, names = places.get(_SHEETS, ()), known.get(_SHEET_NAMES, ())
    for start, end in zip(*cuts, strict=True):
        data = dict(base)
        first, last = _touched(sheets, start, end)
        for starts, numbers, result in kinds:
            low, high = _touched(starts, start, end)
            if result == "row_range" and sheets:
                if first != last:
                    continue
                low = max(low, bisect_left(starts, sheets[first]))
            if low <= high:
                data[result] = (_number(numbers, low), _number(numbers, high))
        if names and last >= 0:
            data["sheet"] = ", ".join(names[first : last + 1])
        yield data


def _touched(starts: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The numbers from 0 of the places in which `[start, end)` begins and ends.

    The second is -1, so less than the first, where it ends before the first place.
    """
    return max(0, bisect_right(starts, start) - 1), bisect_right(starts, end - 1) - 1


def _number(numbers: Sequence[int] | None, index: int) -> int:
    return index + 1 if numbers is None else numbers[index]
