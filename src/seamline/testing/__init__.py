"""The laws every strategy keeps, as plain functions: test your own with them.

Each `check_*` raises an AssertionError that says which law broke and where.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import pairwise

import regex

from seamline.protocols import Sizer, Strategy
from seamline.types import Chunk, Document

__all__ = ["check_chunks", "check_strategy"]


def _check_slices(document: Document, chunks: Sequence[Chunk]) -> None:
    for i, chunk in enumerate(chunks):
        exact = document.text[chunk.start : chunk.end]
        assert chunk.text == exact, f"chunk {i} is no slice: {chunk.text!r} is not {exact!r}"
        assert chunk.text.strip(), f"chunk {i} is blank"
        assert chunk.doc_id == document.id, f"chunk {i} names document {chunk.doc_id!r}"
        assert chunk.ordinal == i, f"chunk {i} has ordinal {chunk.ordinal}"
        if chunk.parent is not None:
            inside = chunk.parent.start <= chunk.start and chunk.end <= chunk.parent.end
            assert inside, f"chunk {i} is not inside its parent {chunk.parent}"


def _check_order(chunks: Sequence[Chunk]) -> None:
    for i, (last, this) in enumerate(pairwise(chunks), 1):
        assert last.start < this.start, f"chunk {i} starts at {this.start}, not after {last.start}"
        assert last.end < this.end, f"chunk {i} ends at {this.end}, not after {last.end}"
    assert len({chunk.id for chunk in chunks}) == len(chunks), "two chunks share an id"


def _check_cover(document: Document, chunks: Sequence[Chunk]) -> None:
    at = 0
    for chunk in [*chunks, None]:
        gap = document.text[at : chunk.start if chunk else None]
        assert not gap.strip(), f"text from offset {at} on is in no chunk: {gap.strip()[:80]!r}"
        at = chunk.end if chunk else at


def _check_graphemes(document: Document, chunks: Sequence[Chunk]) -> None:
    if document.text.isascii():
        return
    borders = {0}
    borders.update(found.end() for found in regex.finditer(r"\X", document.text))
    for i, chunk in enumerate(chunks):
        for offset in (chunk.start, chunk.end):
            assert offset in borders, f"chunk {i} cuts a grapheme cluster at {offset}"


def _check_size(chunks: Sequence[Chunk], sizer: Sizer, limit: int) -> None:
    for i, chunk in enumerate(chunks):
        size = sizer.size(chunk.text)
        single = regex.fullmatch(r"\X", chunk.text) is not None
        assert size <= limit or single, f"chunk {i} has {size} {sizer.name}, over {limit}"


def check_chunks(
    document: Document,
    chunks: Sequence[Chunk],
    *,
    sizer: Sizer | None = None,
    limit: int | None = None,
) -> None:
    """Check a split: slices exact, in order, covering, whole graphemes, within the limit.

    Example:
        >>> document = Document.from_text("abc")
        >>> check_chunks(document, [Chunk("text", 0, 3, "abc")])
    """
    _check_slices(document, chunks)
    _check_order(chunks)
    _check_cover(document, chunks)
    _check_graphemes(document, chunks)
    if sizer is not None and limit is not None:
        _check_size(chunks, sizer, limit)


def check_strategy(
    strategy: Strategy,
    document: Document,
    *,
    sizer: Sizer | None = None,
    limit: int | None = None,
) -> list[Chunk]:
    """Check all laws for one document and return its chunks.

    Beside `check_chunks`: the same again, the same after pickling the strategy,
    the same for CRLF line ends, nothing for blank text.
    """
    chunks = list(strategy.split(document))
    check_chunks(document, chunks, sizer=sizer, limit=limit)
    assert list(strategy.split(document)) == chunks, "a second run gave other chunks"
    copy = pickle.loads(pickle.dumps(strategy))  # noqa: S301 - made one line above
    assert list(copy.split(document)) == chunks, "the pickled strategy gave other chunks"
    windows = Document.from_text(
        document.text.replace("\n", "\r\n"),
        document.id,
        media_type=document.media_type,
        blocks=document.blocks,
        metadata=document.metadata,
    )
    assert list(strategy.split(windows)) == chunks, "CRLF line ends gave other chunks"
    blank = Document.from_text(" \n\t\n", document.id)
    assert not list(strategy.split(blank)), "blank text gave chunks"
    return chunks
