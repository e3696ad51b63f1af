"""Draws chunk borders on a document's text, with the chunks of each line in the margin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from seamline.cli.output import count, dim, visible
from seamline.types import Chunk, Document, IntArray

__all__ = ["headline", "show"]

_NEXT = re.compile(r"\n|\S")
_CUT = " ⋯"


def headline(chunk: Chunk, tokens: int, *, repeats: int = 0) -> str:
    """The line that stands above a chunk: number, where it lies, how long it is."""
    parts = [f"{chunk.start}-{chunk.end}", count(tokens, "token")]
    if repeats > 0:
        parts.append(f"repeats {count(repeats, 'character')}")
    if chunk.parent is not None:
        parts.append(f"in {chunk.parent.start}-{chunk.parent.end}")
    return f"── {chunk.ordinal + 1} ── {' · '.join(parts)}"


def show(document: Document, chunks: Sequence[Chunk], tokens: IntArray) -> Iterator[str]:
    """Lines: the whole text once, a rule where a chunk starts, its number in the margin.

    Text in two chunks (an overlap) has both numbers; a line that a border cuts
    ends in ⋯.
    """
    text = document.text
    width = len(_label(chunks[-2:]))
    edges = sorted({0, len(text), *(c.start for c in chunks), *(c.end for c in chunks)})
    active: list[Chunk] = []
    at, inside = 0, False  # the next chunk; whether the line so far has text
    for start, end in pairwise(edges):
        active = [chunk for chunk in active if chunk.end > start]
        while at < len(chunks) and chunks[at].start == start:
            repeats = chunks[at - 1].end - start if at else 0
            yield dim(headline(chunks[at], int(tokens[at]), repeats=repeats))
            active.append(chunks[at])
            at += 1
        pieces = text[start:end].split("\n")
        if inside and not pieces[0].strip():
            pieces = pieces[1:]  # only what ends the line that was drawn
        inside = _goes_on(text, end) and bool(pieces) and bool(pieces[-1].strip())
        if pieces and not pieces[-1].strip():
            pieces.pop()
        for i, piece in enumerate(pieces, start=1):
            cut = _CUT if inside and i == len(pieces) else ""
            margin = f"{_label(active):>{width}} │ "
            yield f"{dim(margin)}{visible(piece)}{dim(cut)}".rstrip()


def _goes_on(text: str, at: int) -> bool:
    """Whether the line holds more text from `at` on."""
    found = _NEXT.search(text, at)
    return found is not None and found.group() != "\n"


def _label(chunks: Sequence[Chunk]) -> str:
    numbers = [str(chunk.ordinal + 1) for chunk in chunks]
    return "+".join(numbers) if len(numbers) < 3 else f"{numbers[0]}-{numbers[-1]}"
