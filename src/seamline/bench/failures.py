"""Why a question failed: one label each, by what would have happened otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seamline.bench.chunked import Chunked
from seamline.bench.configuration import Configuration
from seamline.bench.copies import Copies
from seamline.bench.corpus import Corpus
from seamline.bench.rounds import InPlace
from seamline.bench.viewer import Viewer
from seamline.measure import Gold
from seamline.protocols import Sizer
from seamline.sizers import parse_sizer
from seamline.types import IntArray

__all__ = ["LABELS", "Failure", "Judge", "fits_of"]

LOST, CUT, CROWDED, DILUTED, MISSED, TRUNCATED = LABELS = (
    "lost in parsing",
    "cut",
    "crowded out",
    "diluted",
    "missed",
    "truncated",
)
"""Why questions fail, in the order in which the reasons are looked for."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a question failed.

    `slot` is the slot of its gold that the label is about. `rank` is that of the chunk
    with which the slot would be shown whole (with the last of them, where several hold
    it), `exact_rank` that of the gold span in its place; both count what is shown for a
    hit once, and are None where it was not ranked at all. `larger` says that no chunk
    of the strategy could hold the slot, which has `tokens`.
    """

    label: str
    slot: int
    rank: int | None
    exact_rank: int | None
    larger: bool
    tokens: int


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Labels questions that failed, given their rankings as they are and with gold in place."""

    corpus: Corpus
    viewer: Viewer
    in_place: InPlace
    copies: Copies
    sizer: Sizer
    fits: Callable[[str], bool]

    @property
    def _exact(self) -> Viewer:
        return self.viewer.on(self.in_place.table)

    def failure(self, number: int, ids: IntArray, missing: Sequence[int]) -> Failure:
        """Of the labels of the slots that are missing the one that comes first."""
        found = [self._slot(number, ids, slot) for slot in missing]
        return min(found, key=lambda one: (LABELS.index(one.label), one.slot))

    def _slot(self, number: int, ids: IntArray, slot: int) -> Failure:
        gold, exact_ids = self.corpus.golds[number], self.in_place.ids[number]
        tokens = min(map(self.sizer.size, self._texts(gold, slot)))
        at = self.viewer.needed(ids, gold, slot)
        exact_at = self._exact.needed(exact_ids, gold, slot)
        held = self._is_held(gold, slot)
        larger = not held and not self._fits(gold, slot)
        if not held and not larger:
            label = CUT
        elif at is not None and self._is_crowded_out(number, ids[: at + 1], slot):
            label = CROWDED
        elif at is not None and self.viewer.ranked_in(ids, at):
            label = TRUNCATED
        elif exact_at is None or not self._exact.ranked_in(exact_ids, exact_at):
            label = MISSED
        else:
            label = DILUTED if tokens <= self.viewer.room else TRUNCATED
        return Failure(
            label=label,
            slot=slot,
            rank=None if at is None else self.viewer.rank(ids, at),
            exact_rank=None if exact_at is None else self._exact.rank(exact_ids, exact_at),
            larger=larger,
            tokens=tokens,
        )

    def _is_held(self, gold: Gold, slot: int) -> bool:
        """Whether what is shown for some chunk holds a span of the slot whole."""
        table = self.viewer.table
        own = np.flatnonzero(table.doc == gold.doc)
        low, high = table.shown_start[own], table.shown_end[own]
        spans = gold.slots[slot].tolist()
        return any(bool(((low <= start) & (high >= end)).any()) for start, end in spans)

    def _fits(self, gold: Gold, slot: int) -> bool:
        return any(map(self.fits, self._texts(gold, slot)))

    def _texts(self, gold: Gold, slot: int) -> list[str]:
        text = self.corpus.documents[gold.doc].text
        return [text[start:end] for start, end in gold.slots[slot].tolist()]

    def _is_crowded_out(self, number: int, ids: IntArray, slot: int) -> bool:
        """Whether the slot is shown once nothing is said twice before it."""
        gold, table = self.corpus.golds[number], self.viewer.table
        hits = np.unique(ids[ids >= 0])
        near = hits[table.doc[hits] == gold.doc]
        spans = zip(table.shown_start[near].tolist(), table.shown_end[near].tolist(), strict=True)
        own = [
            chunk for chunk, span in zip(near.tolist(), spans, strict=True) if gold.overlaps(*span)
        ]
        rest = self.copies.left_out(ids, own)
        return slot not in self.viewer.deduped().missing(rest, gold)


def fits_of(chunked: Chunked, sizer: Sizer) -> Callable[[str], bool]:
    """Whether a text fits in one chunk of the strategy.

    That is in the size that its spec gives (a parent's, where chunks have some), in the
    spec's unit, or in the largest piece that it shows of these documents; if there is
    none, anything does.
    """
    knobs: dict[str, Any] = Configuration(chunked.spec, "").knobs
    sizes = [value for name in ("size", "parent") if type(value := knobs.get(name)) is int]
    largest = int(chunked.table.shown_tokens.max(initial=0))
    unit = parse_sizer(str(knobs["unit"])) if sizes and "unit" in knobs else sizer

    def fits(text: str) -> bool:
        return (
            not largest or sizer.size(text) <= largest or unit.size(text) <= max(sizes, default=0)
        )

    return fits
