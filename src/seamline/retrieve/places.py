"""Where chunks lie: in which section of their document, and how far from each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.retrieve.table import ChunkTable
from seamline.types import Document, IntArray

__all__ = ["Layout", "Neighbours", "Places", "needed_places"]

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The places of n chunks, in document order.

    `section` (int64[n]) is alike for the chunks of one section and rises with the
    documents. `centre` (float64[n], whole or half) is how many tokens lie before the
    middle of a chunk in its document, `tokens` (int64[n]) how many are in it.

    Raises:
        InvalidConfig: the columns differ in length.
    """

    section: Ints
    centre: Floats
    tokens: Ints

    def __post_init__(self) -> None:
        lengths = [len(self.section), len(self.centre), len(self.tokens)]
        if len(set(lengths)) > 1:
            raise InvalidConfig(
                f"section, centre and tokens of places must be equally long, got {lengths}"
            )

    def __len__(self) -> int:
        return len(self.section)


class Layout:
    """Where the tokens of documents end and their sections begin, whatever cuts them.

    A section begins with each heading and runs to the next one, of any level; what
    stands before the first heading is a section too, so a document without headings
    is one section. `token_ends` holds for each document the code-point end of every
    token.

    Example:
        >>> document = Document.from_text("one two three four")
        >>> layout = Layout([document], [np.array([3, 7, 13, 18], np.int32)])
        >>> column = lambda *values: np.array(values, np.int32)
        >>> places = layout.places(doc=column(0, 0), start=column(0, 8), end=column(7, 18))
        >>> places.section.tolist(), places.centre.tolist(), places.tokens.tolist()
        ([0, 0], [1.0, 3.0], [2, 2])
    """

    def __init__(self, documents: Sequence[Document], token_ends: Sequence[IntArray]) -> None:
        lengths = [len(document.text) + 1 for document in documents]
        self._base = np.cumsum([0, *lengths], dtype=np.int64)
        self._before = np.cumsum([0, *map(len, token_ends)], dtype=np.int64)
        based = (own + base for own, base in zip(token_ends, self._base, strict=False))
        self._ends = np.concatenate([np.empty(0, np.int64), *based])
        headings = [
            base + block.span.start
            for document, base in zip(documents, self._base.tolist(), strict=False)
            for block in document.blocks
            if block.kind == "heading"
        ]
        starts = np.concatenate((self._base[:-1], np.array(headings, np.int64)))
        self._starts = np.unique(starts)

    def of(self, table: ChunkTable) -> Places:
        """The places of the chunks of a table."""
        return self.places(doc=table.doc, start=table.start, end=table.end)

    def places(self, *, doc: IntArray, start: IntArray, end: IntArray) -> Places:
        """The places of the chunks [`start`, `end`) of documents `doc`.

        A chunk belongs to the section of its middle character.
        """
        base = self._base[doc]
        first, last = (
            np.searchsorted(self._ends, base + edge, side="right") - self._before[doc]
            for edge in (start, end)
        )
        middle = base + (start.astype(np.int64) + end) // 2
        section = np.searchsorted(self._starts, middle, side="right") - 1
        return Places(section, (first + last) / 2, last - first)


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """Which chunks of a section lie less than `reach` tokens apart, middle to middle.

    Chunks stand in a line, by section, then by place; `order` (int64[n]) is the chunk
    at each place of the line, `rank` the place of each chunk. Those near the chunk at
    place i are at `low[i]` to `high[i]`. Memory is linear in the chunks, however many
    are near each other: sums over neighbours are differences of running sums.
    """

    places: Places
    reach: int
    order: Ints = field(init=False)
    rank: Ints = field(init=False)
    centre: Floats = field(init=False)
    low: Ints = field(init=False)
    high: Ints = field(init=False)

    def __post_init__(self) -> None:
        places, n = self.places, len(self.places)
        order = np.lexsort((places.centre, places.section))
        rank = np.empty(n, np.int64)
        rank[order] = np.arange(n)
        section, centre = places.section[order], places.centre[order]
        # Sections so far apart that none is within reach of another.
        apart = float(centre.max(initial=0)) + self.reach + 1
        line = np.unique(section, return_inverse=True)[1].reshape(-1) * apart + centre
        values = {
            "order": order,
            "rank": rank,
            "centre": centre,
            "low": np.searchsorted(line, line - self.reach, side="right"),
            "high": np.searchsorted(line, line + self.reach, side="left"),
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def weighted(self, values: Floats, first: int = 0, last: int | None = None) -> Floats:
        """float64, as `values` [..., m]: for each place the sum over it and its neighbours.

        Each neighbour counts 1 - distance / `reach`. `values` are those of the places
        `first` to `last` of the line, which must hold whole sections. Exact for whole
        values under 2**40.
        """
        last = len(self.order) if last is None else last
        centre = self.centre[first:last]
        low, high = self.low[first:last] - first, self.high[first:last] - first
        plain, moment = _running(values), _running(values * centre)
        return self.tents(
            centre,
            [part[..., 1:] - part[..., low] for part in (plain, moment)],
            [part[..., high] - part[..., 1:] for part in (plain, moment)],
        )

    def tents(self, centre: Floats, left: Sequence[Floats], right: Sequence[Floats]) -> Floats:
        """The weighted sums at `centre` from [sum of values, sum of values * centre] beside it."""
        rising = (self.reach - centre) * left[0] + left[1]
        falling = (self.reach + centre) * right[0] - right[1]
        sums: Floats = (rising + falling) / self.reach
        return sums


def _running(values: Floats) -> Floats:
    """Running sums along the last axis, from 0."""
    out = np.zeros((*values.shape[:-1], values.shape[-1] + 1))
    np.cumsum(values, axis=-1, out=out[..., 1:])
    return out


def needed_places(places: Places | None, n: int, what: str) -> Places:
    """`places`, which `what` needs, one a chunk.

    Raises:
        InvalidConfig: there are none, or not `n` of them.
    """
    if places is None or len(places) != n:
        got = "none" if places is None else str(len(places))
        raise InvalidConfig(
            f"{what} must know where each of the {n} chunks lies, got {got} places: "
            "pass places=Layout(documents, token_ends).of(table)"
        )
    return places
