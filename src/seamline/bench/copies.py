"""Pieces that say again what another piece says: the same words, or nearly."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.retrieve.lexical import expand
from seamline.retrieve.table import ChunkTable
from seamline.types import Document, IntArray

__all__ = ["Copies", "Phrases"]

Ints = NDArray[np.int64]

_WORDS = re.compile(r"\w+")
_RUN = 3  # words of a phrase
_ALIKE = 0.8  # of their phrases near-duplicates have in common
_COMPARED = 16  # pieces that one is compared with for each of its rarest phrases


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """The runs of three words of all documents, numbered: `code` has one a word.

    Case and what stands between words do not count. `start` and `end` are where the words
    lie on a line on which document d begins at `base[d]`. The code of the last two words
    of a document is that of a run that goes on in the next one.
    """

    base: Ints
    start: Ints
    end: Ints
    code: Ints

    @classmethod
    def of(cls, documents: Sequence[Document]) -> Phrases:
        """The phrases of these documents. Cost: linear in the text."""
        base = np.cumsum([0, *(len(document.text) + 1 for document in documents)])
        numbers: dict[str, int] = {}
        spans: list[tuple[int, int]] = []
        words: list[int] = []
        for document, first in zip(documents, base.tolist(), strict=False):
            for found in _WORDS.finditer(document.text):
                spans.append((first + found.start(), first + found.end()))
                words.append(numbers.setdefault(found.group().casefold(), len(numbers)))
        line = np.array([*words, *[len(numbers)] * (_RUN - 1)], np.int64)
        runs = np.stack([line[at : at + len(words)] for at in range(_RUN)], axis=1)
        code = np.unique(runs, axis=0, return_inverse=True)[1].reshape(-1)
        table = np.array(spans, np.int64).reshape(-1, 2)
        return cls(base, table[:, 0], table[:, 1], code)


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """Which of the pieces that chunks are shown as say nearly the same.

    Two pieces are near-duplicates where at least 0.8 of the phrases of both together
    are in each; so are two of the same words. `kind` (int64[n]) is alike for chunks
    whose pieces have the same phrases; `near` has the kinds that are near-duplicates of
    each. Pieces under three words are told apart by where they lie alone.
    """

    kind: Ints
    near: dict[int, set[int]]

    @classmethod
    def of(cls, phrases: Phrases, table: ChunkTable) -> Copies:
        """The near-duplicates among the pieces of a table.

        Cost: that of sorting the text's words; of pieces that share their rarest phrases
        with many others each is compared with the 16 before it.
        """
        _, first, piece = np.unique(table.piece, return_index=True, return_inverse=True)
        owner, code = _pairs(phrases, table, first)
        kind = _alike(owner, code, len(first))
        one = np.unique(kind, return_index=True)[1]
        is_one = np.isin(owner, one)
        sets = np.split(code[is_one], np.flatnonzero(np.diff(owner[is_one])) + 1)
        owners = np.unique(owner[is_one])
        found = dict(zip(kind[owners].tolist(), sets, strict=False))
        near: dict[int, set[int]] = defaultdict(set)
        for left, right in _candidates(found):
            if _is_near(found[left], found[right]):
                near[left].add(right)
                near[right].add(left)
        return cls(kind[piece.reshape(-1)], dict(near))

    def left_out(self, ids: IntArray, kept: Collection[int]) -> IntArray:
        """The ranking `ids` with -1 for each near-duplicate of a better-ranked piece.

        The chunks `kept` stay, and near-duplicates of them go wherever they rank.
        """
        out, own = ids.copy(), set(kept)
        seen = {int(self.kind[chunk]) for chunk in own}
        for at, chunk in enumerate(ids.tolist()):
            if chunk < 0 or chunk in own:
                continue
            kind = int(self.kind[chunk])
            if kind in seen or not seen.isdisjoint(self.near.get(kind, ())):
                out[at] = -1
            else:
                seen.add(kind)
        return out


def _pairs(phrases: Phrases, table: ChunkTable, rows: Ints) -> tuple[Ints, Ints]:
    """The phrases that each piece holds, once each: the piece's number, and the phrase."""
    base = phrases.base[table.doc[rows]]
    low = np.searchsorted(phrases.start, base + table.shown_start[rows])
    high = np.searchsorted(phrases.end, base + table.shown_end[rows], side="right")
    owner, nth = expand(np.maximum(high - low - (_RUN - 1), 0))
    code = phrases.code[low[owner] + nth]
    width = int(phrases.code.max(initial=0)) + 1
    owner, code = np.divmod(np.unique(owner * width + code), width)
    return owner, code


def _alike(owner: Ints, code: Ints, n: int) -> Ints:
    """int64[n]: the first piece with the same phrases; itself for one that has none."""
    first: dict[bytes, int] = {}
    kind = np.arange(n)
    edges = np.searchsorted(owner, np.arange(n + 1)).tolist()
    for number in np.unique(owner).tolist():
        key = code[edges[number] : edges[number + 1]].tobytes()
        kind[number] = first.setdefault(key, number)
    return kind


def _candidates(found: dict[int, Ints]) -> Iterator[tuple[int, int]]:
    """Pairs that may be near-duplicates: those that share one of their rarest phrases.

    Of two sets of which at least 0.8 is common, the fifth of either that comes first in
    any one order has something in common with that of the other.
    """
    if not found:
        return
    n_sets = np.bincount(np.concatenate(list(found.values())))
    holders: dict[int, list[int]] = defaultdict(list)
    for kind, code in found.items():
        rarest = code[np.lexsort((code, n_sets[code]))]
        others: set[int] = set()
        for phrase in rarest[: len(code) - int(np.ceil(_ALIKE * len(code))) + 1].tolist():
            if n_sets[phrase] > 1:
                others.update(holders[phrase][-_COMPARED:])
                holders[phrase].append(kind)
        yield from ((other, kind) for other in others)


def _is_near(left: Ints, right: Ints) -> bool:
    small, large = sorted((len(left), len(right)))
    if small < _ALIKE * large:
        return False
    common = len(np.intersect1d(left, right, assume_unique=True))
    return common >= _ALIKE * (small + large - common)
