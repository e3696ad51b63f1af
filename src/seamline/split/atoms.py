"""Atoms: the smallest pieces that structure offers, before they are joined into units.

An atom is a sentence, a list item, a table row, a line of code, a heading, a
formula. Between two atoms lies a border that says what a cut there costs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.split.optimal import trim_spans
from seamline.split.sentences import sentence_ends
from seamline.types import Block, Document, FloatArray, IntArray, Span

__all__ = ["BEGINS", "HEADING", "Atoms", "find_atoms"]

BEGINS, HEADING = 1, 2
# What a cut costs: between blocks nothing, between the parts of a block little,
# between sentences more.
_PART, _SENTENCE = 0.2, 0.3
_PARTS = frozenset({"list_item", "table_row", "turn", "clause", "statement"})
# Never cut inside, if they fit.
_WHOLE = frozenset({"heading", "table_row", "math", "front_matter", "signature", "string"})
_BY_LINE = frozenset({"code", "html", "definition", "statement"})
_NOT_PROSE = _WHOLE | _BY_LINE | {"table"}
# What a line before them that ends in one of these marks belongs to.
_INTRODUCED = frozenset({"list", "table", "code", "math"})
_LEADS = (":", "\uff1a")
_LINES = re.compile("\n+")


@dataclass(frozen=True, eq=False)
class Atoms:
    """n atoms in document order, without white space at their ends, together all the text.

    `starts`, `ends` (int32[n]); `borders` (float32[n]): what a cut before each
    costs, 0 to 0.3; `flags` (int8[n]): `BEGINS` where a unit must begin, a section
    with a body or an atomic region, `HEADING` where the atom is a heading, the
    header of a table or a line that introduces what follows: none should end a unit.
    """

    starts: IntArray
    ends: IntArray
    borders: FloatArray
    flags: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.starts)


class _Spans:
    """Sorted spans, nested ones dropped, asked whether they hold offsets."""

    def __init__(self, blocks: Iterator[Block]) -> None:
        starts, ends = [], []
        last = -1
        for block in blocks:
            if block.span.start >= last:
                last = block.span.end
                starts.append(block.span.start)
                ends.append(last)
        self.starts = np.array(starts, dtype=np.int64)
        self.ends = np.array(ends, dtype=np.int64)

    def inside(self, offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
        """bool[n]: which offsets lie strictly inside a span."""
        if not len(self.starts):
            return np.zeros(len(offsets), dtype=bool)
        at = np.searchsorted(self.starts, offsets, side="left") - 1
        return (at >= 0) & (offsets < self.ends[at])


def find_atoms(document: Document) -> Atoms:
    """The atoms of a document, by its blocks; sentences where it has none. Cost: linear."""
    text, blocks = document.text, document.blocks
    borders = [*_block_borders(blocks), (0, 0.0), (len(text), 0.0)]
    offsets = np.array([offset for offset, _ in borders], dtype=np.int64)
    costs = np.array([cost for _, cost in borders], dtype=np.float32)
    finer = _finer(document)
    offsets = np.concatenate((offsets, *(at for at, _ in finer)))
    costs = np.concatenate((costs, *(np.full(len(at), cost, np.float32) for at, cost in finer)))
    order = np.lexsort((costs, offsets))
    offsets, costs = offsets[order], costs[order]
    first = np.concatenate(([True], offsets[1:] != offsets[:-1]))
    offsets, costs = offsets[first], costs[first]
    trimmed = trim_spans(text, offsets[:-1].tolist(), offsets[1:].tolist())
    starts, ends = (np.array(side, dtype=np.int32) for side in trimmed)
    solid = starts < ends
    flags = _flags(document, starts[solid])
    return Atoms(starts[solid], ends[solid], _cheapest(costs[:-1], solid), flags)


def _block_borders(blocks: Sequence[Block]) -> Iterator[tuple[int, float]]:
    """Where blocks begin and end, and what a cut there costs."""
    open_until = -1
    for block in blocks:
        nested = block.span.start < open_until
        part = block.kind in _PARTS or (nested and block.kind != "definition")
        cost = _PART if part else 0.0
        yield block.span.start, cost
        yield block.span.end, cost
        open_until = max(open_until, block.span.end)


def _finer(document: Document) -> list[tuple[NDArray[np.int64], float]]:
    """Sentence ends in prose and line starts in code, with their costs."""
    text, blocks = document.text, document.blocks
    whole = _Spans(block for block in blocks if block.kind in _WHOLE)
    other = _Spans(block for block in blocks if block.kind in _NOT_PROSE)
    by_line = [block.span for block in blocks if block.kind in _BY_LINE]
    sentences = sentence_ends(text).astype(np.int64)
    lines = np.array(_line_starts(text, by_line), dtype=np.int64)
    return [
        (sentences[~other.inside(sentences)], _SENTENCE),
        (lines[~whole.inside(lines)], _PART),
    ]


def _line_starts(text: str, spans: list[Span]) -> list[int]:
    """Where the lines of code begin; a fence's own lines stay with the code's first and last."""
    found: list[int] = []
    last = 0
    for span in spans:
        low = max(span.start, last)
        lines = [match.end() for match in _LINES.finditer(text, low, span.end)]
        if text[span.start] in "`~":
            closed = lines and text[lines[-1] : span.end].strip()[:1] == text[span.start]
            lines = lines[1:-1] if closed else lines[1:]
        found.extend(lines)
        last = max(last, span.end)
    return found


def _cheapest(costs: FloatArray, solid: NDArray[np.bool_]) -> FloatArray:
    """float32[n]: the least cost of a border since the solid atom before, for each solid one."""
    if not solid.any():
        return costs[:0]
    groups = np.concatenate(([0], np.flatnonzero(solid)[:-1] + 1))
    return np.minimum.reduceat(costs[: np.flatnonzero(solid)[-1] + 1], groups)


def _flags(document: Document, starts: IntArray) -> NDArray[np.int8]:
    flags = np.zeros(len(starts), dtype=np.int8)
    begins: list[int] = []
    heads: list[int] = []
    last_end = -1
    for block in document.blocks:
        if block.kind == "heading":
            heads.append(block.span.start)
            # A heading that nothing follows before the next one opens a section with that.
            if last_end < 0 or document.text[last_end : block.span.start].strip():
                begins.append(block.span.start)
            last_end = block.span.end
        elif block.kind == "signature" or (block.kind, block.title) == ("table_row", "header"):
            heads.append(block.span.start)
    flags[np.searchsorted(starts, begins)] |= BEGINS
    flags[np.searchsorted(starts, heads)] |= HEADING
    flags[_introductions(document, starts)] |= HEADING
    return flags


def _introductions(document: Document, starts: IntArray) -> list[int]:
    """The atoms that introduce a list, a table or code: the last before it, if it ends in `:`."""
    opened = [b.span.start for b in document.blocks if b.kind in _INTRODUCED]
    before = np.searchsorted(starts, opened) - 1
    lead = [document.text[max(0, at - 8) : at].rstrip()[-1:] for at in opened]
    return [
        at for at, mark in zip(before.tolist(), lead, strict=True) if at >= 0 and mark in _LEADS
    ]
