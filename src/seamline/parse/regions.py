"""Regions over the blocks: questions with their answers, turns, clauses.

Each finder (`qa`, `turns`, `clauses`) says where regions begin and end, in
offsets of the text. Here they are fitted to the blocks, so that all stay nested
or disjoint: a region begins where a block outside all others does, or in such a
paragraph, which is then cut there.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from seamline.parse.columns import merged, replaced
from seamline.parse.heads import Outer, outer_blocks
from seamline.types import Block, Blocks, Span

__all__ = ["Region", "add_regions"]

_INK = re.compile(r"\S")


class Region(NamedTuple):
    """A region to be added, up to where the next thing begins; `cuts` are inside it.

    At each cut the paragraph there is cut too: a question's from its answer's.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    title: str = ""
    cuts: tuple[int, ...] = ()


Finder = Callable[[str, Outer], list[Region]]


def add_regions(text: str, blocks: Blocks, finders: Sequence[Finder]) -> Blocks:
    """The blocks with the regions that the finders see among them.

    Where regions of two finders would overlap, the first finder's stays; a
    region may lie around those of finders before.
    """
    outer = outer_blocks(text, blocks)
    regions: list[Region] = []
    for find in finders:
        found = [fitted for region in find(text, outer) if (fitted := _fitted(text, outer, region))]
        regions += _beside(found, regions)
    if not regions:
        return blocks
    ends = _line_ends(text, regions)
    added = [Block(r.kind, Span(r.start, ends[r.end]), r.level, r.title) for r in regions]
    return merged(_cut(blocks, outer, ends), added)


def _fitted(text: str, outer: Outer, region: Region) -> Region | None:
    """The region from ink to ink; None where it would cross a block that cannot be cut."""
    ink = _INK.search(text, region.start, region.end)
    if ink is None or outer.place(ink.start()) < 0:
        return None
    after = _INK.search(text, region.end)
    end = after.start() if after else len(text)
    if outer.place(end) < 0 and outer.holds(end):
        return None
    cuts = tuple(cut for cut in region.cuts if ink.start() < cut < end and outer.place(cut) >= 0)
    return region._replace(start=ink.start(), end=end, cuts=cuts)


def _beside(found: list[Region], kept: list[Region]) -> list[Region]:
    """Those of `found` that neither begin inside one of `kept` nor end inside one."""
    kept = sorted(kept, key=lambda region: region.start)
    starts = [region.start for region in kept]

    def is_free(region: Region) -> bool:
        first, last = bisect_right(starts, region.start) - 1, bisect_left(starts, region.end) - 1
        begins_inside = first >= 0 and region.start < kept[first].end
        return not begins_inside and (last < 0 or kept[last].end <= region.end)

    return [region for region in found if is_free(region)]


def _line_ends(text: str, regions: Sequence[Region]) -> dict[int, int]:
    """For each offset where something begins, the end of the last line with ink before it."""
    bounds = sorted({bound for r in regions for bound in (r.start, r.end, *r.cuts)})
    ends: dict[int, int] = {}
    last = end = 0
    for bound in bounds:
        ink = _ink_end(text, last, bound)
        if ink > last:
            line_end = text.find("\n", ink, bound)
            end = bound if line_end < 0 else line_end
        ends[bound] = end
        last = bound
    return ends


def _ink_end(text: str, low: int, high: int) -> int:
    """Where the last ink in [low, high) ends, `low` if there is none."""
    step = 16
    while high > low:
        begin = max(low, high - step)
        if kept := text[begin:high].rstrip():
            return begin + len(kept)
        high, step = begin, 2 * step
    return low


def _cut(blocks: Blocks, outer: Outer, ends: dict[int, int]) -> Blocks:
    """The blocks, where the keys of `ends` lie in a paragraph the paragraphs between them.

    Only a paragraph that lies in no other block has any.
    """
    cuts: dict[int, list[int]] = {}
    for cut in sorted(ends):
        at = outer.place(cut)
        if at >= 0 and outer.starts[at] < cut:
            cuts.setdefault(outer.places[at], []).append(cut)
    return replaced(blocks, {at: _parts(blocks, at, inside, ends) for at, inside in cuts.items()})


def _parts(blocks: Blocks, at: int, cuts: list[int], ends: dict[int, int]) -> list[Block]:
    """The paragraphs between cuts in one."""
    starts = [blocks.starts[at], *cuts]
    stops = [*(ends[cut] for cut in cuts), blocks.ends[at]]
    return [Block("paragraph", Span(*edges)) for edges in zip(starts, stops, strict=True)]
