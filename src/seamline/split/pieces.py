"""Atoms with their sizes, ready to be joined: whole regions as one, long atoms in several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from seamline.sizers import Ruler
from seamline.split.atoms import BEGINS, Atoms
from seamline.split.pack import Cuts
from seamline.types import Document

__all__ = ["Pieces", "pieces_of"]

# What a cut inside an atom that is too long costs.
_INSIDE = 0.3
_ALONE = frozenset({"qa_pair"})


@dataclass(eq=False)
class Pieces:
    """Parallel lists: spans, sizes, what a cut before each costs, flags as of `Atoms`."""

    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    borders: list[float] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)

    def add(self, start: int, end: int, weight: int, *, border: float, flag: int) -> None:
        self.starts.append(start)
        self.ends.append(end)
        self.weights.append(weight)
        self.borders.append(border)
        self.flags.append(flag)


def pieces_of(
    document: Document,
    atoms: Atoms,
    ruler: Ruler,
    *,
    most: int,
    whole: Mapping[str, int],
    cut: Callable[[int, int], Cuts],
) -> Pieces:
    """The pieces of a document's atoms.

    Blocks of the kinds in `whole` are one piece each if they are within the size
    given there; question-answer pairs also stand alone. An atom over `most` is cut
    by `cut(start, end)`.
    """
    starts, ends = atoms.starts.tolist(), atoms.ends.tolist()
    borders, flags = atoms.borders.tolist(), atoms.flags.tolist()
    bounds = [*starts, len(document.text)]
    regions = _regions(document, atoms, ruler, whole)
    found = Pieces()
    at = begins = 0
    while at < len(starts):
        after, alone = regions.get(at, (at + 1, False))
        start, end = starts[at], ends[after - 1]
        weight = ruler.size(start, bounds[after])
        border, flag = borders[at], flags[at] | begins
        begins = BEGINS if alone else 0
        if at in regions or weight <= most:
            found.add(start, end, weight, border=border, flag=flag | begins)
        else:
            for low, high in zip(*cut(start, end), strict=True):
                found.add(low, high, ruler.size(low, high), border=border, flag=flag)
                border, flag = _INSIDE, 0
        at = after
    return found


def _regions(
    document: Document, atoms: Atoms, ruler: Ruler, whole: Mapping[str, int]
) -> dict[int, tuple[int, bool]]:
    """The first atom of each region that stays whole; the atom after it, whether it is alone."""
    blocks = [
        block
        for block in document.blocks
        if block.kind in whole and ruler.size(block.span.start, block.span.end) <= whole[block.kind]
    ]
    firsts = np.searchsorted(atoms.starts, [block.span.start for block in blocks])
    afters = np.searchsorted(atoms.starts, [block.span.end for block in blocks])
    found: dict[int, tuple[int, bool]] = {}
    last = 0
    for block, first, after in zip(blocks, firsts.tolist(), afters.tolist(), strict=True):
        if last <= first < after:
            found[first] = after, block.kind in _ALONE
            last = after
    return found
