"""Cuts that moved: where they were, where they are, and the text around both."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Literal

from seamline.lock.digest import Cuts
from seamline.lock.lock import LockedDocument

__all__ = ["NO_MOVES", "Around", "Move", "Moves", "moves_of"]

Kind = Literal["start", "end", "indexed"]
Spans = Sequence[tuple[int, int]]

_AROUND = 32  # characters shown on each side of a cut


@dataclass(frozen=True, slots=True)
class Around:
    """An offset, and the text before and after it."""

    at: int
    before: str
    after: str

    @classmethod
    def of(cls, text: str, at: int) -> Around:
        """The surroundings of an offset of `text`."""
        return cls(at, text[max(0, at - _AROUND) : at], text[at : at + _AROUND])


@dataclass(frozen=True, slots=True)
class Move:
    """A cut of a document that is elsewhere now: `old` is None of a new one, `new` of one gone.

    `kind` says what moved: where chunks start, or only where they end. With `indexed`
    all chunks lie where they did, but what is searched or shown of one is other text;
    `old` and `new` are None.
    """

    doc_id: str
    kind: Kind
    old: Around | None = None
    new: Around | None = None


@dataclass(frozen=True, slots=True)
class Moves:
    """All moved cuts, by document; those documents are `n_documents` and had `n_before` chunks."""

    moves: tuple[Move, ...] = ()
    n_documents: int = 0
    n_before: int = 0

    def __bool__(self) -> bool:
        return bool(self.moves)


NO_MOVES = Moves()


def moves_of(
    locked: Mapping[str, LockedDocument], cuts: Mapping[str, Cuts], texts: Mapping[str, str]
) -> Moves:
    """What moved in the documents of `texts`, whose text is what it was; sorted by document."""
    found: list[Move] = []
    other = [id_ for id_ in sorted(texts) if locked[id_].boundaries != cuts[id_].digest]
    for id_ in other:
        found += _moves(id_, locked[id_].spans, cuts[id_].spans, texts[id_])
    return Moves(tuple(found), len(other), sum(len(locked[id_].spans) for id_ in other))


def _moves(doc_id: str, was: Spans, now: Spans, text: str) -> list[Move]:
    """The moved starts of chunks; where none is, the moved ends."""
    kinds: tuple[tuple[Kind, int], ...] = (("start", 0), ("end", 1))
    for kind, side in kinds:
        pairs = _pairs({span[side] for span in was}, {span[side] for span in now})
        if pairs:
            return [
                Move(doc_id, kind, _around(text, old), _around(text, new)) for old, new in pairs
            ]
    return [Move(doc_id, "indexed")]


def _around(text: str, at: int | None) -> Around | None:
    return None if at is None else Around.of(text, at)


def _pairs(was: set[int], now: set[int]) -> list[tuple[int | None, int | None]]:
    """Offsets in one of the sets only, those between the same neighbours beside each other.

    Example:
        >>> _pairs({0, 10, 50, 90}, {0, 12, 50, 70, 80})
        [(10, 12), (90, 70), (None, 80)]
    """
    shared = [-1, *sorted(was & now), max(was | now, default=0) + 1]
    gone, new = sorted(was - now), sorted(now - was)
    found: list[tuple[int | None, int | None]] = []
    for low, high in pairwise(shared):
        found += zip_longest(_between(gone, low, high), _between(new, low, high))
    return found


def _between(offsets: Sequence[int], low: int, high: int) -> Sequence[int]:
    return offsets[bisect_right(offsets, low) : bisect_left(offsets, high)]
