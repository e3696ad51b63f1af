"""What a document is made of, region by region, and what a strategy does with each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seamline.types import Document

__all__ = ["PROSE", "SHORT", "Region", "chunks_in", "reason", "regions"]

# The kinds of blocks that make a region of their own; the rest is prose.
_OWN = {
    "table": "table",
    "code": "code",
    "definition": "code",
    "statement": "code",
    "qa_pair": "questions and answers",
    "turn": "turns",
    "clause": "clauses",
    "list": "list",
    "math": "formula",
    "front_matter": "front matter",
    "html": "markup",
    "heading": "",
}
_PROSE, _BARE = PROSE = "prose", "text without structure"
_REASONS = {
    "table": "rows stay whole; a unit that begins below the header has the header as context",
    "code": "cut between lines and definitions, never inside a string; what is above is context",
    "questions and answers": "a question stays with its answer; a long answer repeats it",
    "turns": "cut between turns; the rest of a turn has its speaker and the question as context",
    "clauses": "cut between clauses; the rest of a long one has its number and title as context",
    "list": "cut between items; the line that introduces them is context",
    "steps": "cut between steps; a later part says after which step it begins",
    "formula": "stays whole",
    "front matter": "stays whole",
    "markup": "cut between lines",
    _PROSE: "paragraphs and whole sentences, inside their section",
    _BARE: "whole sentences, as there is nothing else to go by",
}


SHORT = "the whole document is one unit, as it is within the target"


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of one kind: `kind` in words, `start` and `end` in code points, its sections."""

    kind: str
    start: int
    end: int
    n_sections: int


def regions(document: Document) -> list[Region]:
    """The document in stretches of one kind, in order; headings belong to what follows.

    Cost: linear in the blocks.

    Example:
        >>> [region.kind for region in regions(Document.from_text("Only a line."))]
        ['text without structure']
    """
    merged: list[Region] = []
    heading: Region | None = None  # headings that wait for what follows
    for kind, start, end, n_sections in _stretches(document):
        if not kind:
            begun, n_before = (heading.start, heading.n_sections) if heading else (start, 0)
            heading = Region("", begun, end, n_before + n_sections)
            continue
        last = merged[-1] if merged else None
        begun, n_before = (heading.start, heading.n_sections) if heading else (start, 0)
        if last and last.kind == kind:
            merged[-1] = Region(kind, last.start, end, last.n_sections + n_before)
        else:
            merged.append(Region(kind, begun, end, n_before))
        heading = None
    if heading:
        merged.append(Region(PROSE[0], heading.start, heading.end, heading.n_sections))
    return merged


def _stretches(document: Document) -> Iterator[tuple[str, int, int, int]]:
    """Outermost blocks and the text between them: kind, start, end, whether it is a heading."""
    text, at = document.text, 0
    plain = _PROSE if any(b.kind != "paragraph" for b in document.blocks) else _BARE
    for block in document.blocks:
        start, end = block.span.start, block.span.end
        if start < at:
            continue
        if text[at:start].strip():
            yield plain, at, start, 0
        kind = _OWN.get(block.kind, plain)
        if block.kind == "list" and block.title == "ordered":
            kind = "steps"
        yield kind, start, end, int(block.kind == "heading")
        at = end
    if text[at:].strip():
        yield plain, at, len(text), 0


def reason(kind: str) -> str:
    """Why a region of this kind is cut as it is by `adaptive` and `structure`."""
    return _REASONS.get(kind, _REASONS[_PROSE])


def chunks_in(region: Region, starts: Sequence[int], ends: Sequence[int]) -> range:
    """Which chunks hold some of a region's text; `starts` and `ends` are theirs, in order.

    Example:
        >>> chunks_in(Region("table", 4, 9, 0), starts=[0, 3, 6, 9], ends=[3, 6, 9, 12])
        range(1, 3)
    """
    return range(bisect_right(ends, region.start), bisect_left(starts, region.end))
