"""What one question's ranking shows of its gold at a cutoff, and where the gold stands in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from seamline.bench.corpus import Corpus
from seamline.measure import Cutoff, Gold, Shown
from seamline.measure.context import facts_of
from seamline.retrieve.assemble import assemble
from seamline.retrieve.table import ChunkTable
from seamline.retrieve.walk import Shown as Assembled
from seamline.spans import contains, union
from seamline.types import IntArray

__all__ = ["Viewer"]


@dataclass(frozen=True, slots=True, eq=False)
class Viewer:
    """Shows rankings of the chunks of `table` at a cutoff; `k` pieces are what counts as first."""

    corpus: Corpus
    table: ChunkTable
    cutoff: Cutoff
    k: int
    dedupe: bool
    merge: bool
    separator: int

    @property
    def room(self) -> float:
        """The tokens that can be shown, infinite where pieces are counted."""
        return self.cutoff.at if self.cutoff.in_tokens else inf

    def on(self, table: ChunkTable) -> Viewer:
        """The same for other chunks."""
        return replace(self, table=table)

    def deduped(self) -> Viewer:
        """The same with what was shown before cut off."""
        return replace(self, dedupe=True)

    def missing(self, ids: IntArray, gold: Gold) -> list[int]:
        """The slots of which no span is shown whole."""
        told = self._told(ids)
        if facts_of(gold, told, self.cutoff.k).whole:
            return []
        slots = ((number, Gold(gold.doc, (slot,))) for number, slot in enumerate(gold.slots))
        return [number for number, one in slots if not facts_of(one, told, self.cutoff.k).whole]

    def recall(self, ids: IntArray, gold: Gold) -> float:
        """The share of the gold's characters that is shown, 0 to 1."""
        facts = facts_of(gold, self._told(ids), self.cutoff.k)
        return facts.covered / facts.gold

    def needed(self, ids: IntArray, gold: Gold, slot: int) -> int | None:
        """The first place at which the hits up to it show a span of the slot whole, cut by nothing.

        None where all of them together do not.
        """
        ends = (self._covers(ids, gold.doc, *span) for span in gold.slots[slot].tolist())
        return min((end for end in ends if end is not None), default=None)

    def _covers(self, ids: IntArray, doc: int, start: int, end: int) -> int | None:
        table, places = self.table, np.flatnonzero(ids >= 0)
        hits = ids[places]
        low, high = table.shown_start[hits], table.shown_end[hits]
        inside = np.flatnonzero((table.doc[hits] == doc) & (low < end) & (high > start))
        covered = union([])
        for at in inside.tolist():
            covered = union([*covered.tolist(), (int(low[at]), int(high[at]))])
            if contains(covered, [(start, end)]):
                return int(places[at])
        return None

    def rank(self, ids: IntArray, at: int) -> int:
        """The rank, from 1, of the hit at a place: what is shown for it counts once."""
        hits = ids[: at + 1]
        return len(np.unique(self.table.piece[hits[hits >= 0]]))

    def ranked_in(self, ids: IntArray, at: int) -> bool:
        """Whether the hit at a place begins within the cutoff, or is among the first k."""
        if not self.cutoff.in_tokens:
            return self.rank(ids, at) <= self.cutoff.at
        if self.rank(ids, at) <= self.k:
            return True
        return int(self._shown(ids[:at]).tokens.sum()) < self.cutoff.at

    def _told(self, ids: IntArray) -> Shown:
        shown = self._shown(ids)
        return Shown(shown.doc, shown.start, shown.end, shown.tokens, shown.scores)

    def _shown(self, ids: IntArray) -> Assembled:
        in_tokens, at = self.cutoff.in_tokens, self.cutoff.at
        return assemble(
            ids,
            np.zeros(len(ids), np.float32),
            self.table,
            k=None if in_tokens else at,
            budget=at if in_tokens else None,
            dedupe=self.dedupe,
            merge=self.merge and in_tokens,
            separator_tokens=self.separator,
            token_ends=self.corpus.ends,
        )
