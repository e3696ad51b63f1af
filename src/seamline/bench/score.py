"""From rankings to a value a question and measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamline.bench.corpus import Corpus
from seamline.config import BenchConfig
from seamline.measure import MEASURES, Cutoff, Gold, Measure, Shown, score_all
from seamline.retrieve import Ranks
from seamline.retrieve.assemble import assemble, assemble_budgets
from seamline.retrieve.table import ChunkTable
from seamline.retrieve.walk import Shown as Pieces

__all__ = ["CURVE", "Scorer", "Scores"]

Values = NDArray[np.float64]

CURVE = {"recall": "Recall", "whole": "HitWhole", "precision": "Precision"}
"""The curves over the token budget, and the measure each is of."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What one strategy scored: `values` (float64[q]) by the measure's name.

    `n_relevant` (int64[q]) is how many distinct pieces of `table` overlap gold,
    `retrieved` has the first k pieces of each question as (doc, start, end,
    score), `first` (int32[q]) is the chunk of the first one, -1 without any.
    """

    table: ChunkTable
    n_relevant: NDArray[np.int64]
    values: dict[str, Values]
    retrieved: list[list[tuple[int, int, int, float]]]
    first: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """Scores rankings at every cutoff that the measures and the curve need."""

    corpus: Corpus
    config: BenchConfig
    measures: Sequence[Measure]
    k: int = field(init=False)
    budgets: tuple[int, ...] = field(init=False)
    _at: dict[int | None, list[Measure]] = field(init=False)

    def __post_init__(self) -> None:
        curve = [
            MEASURES[name](Cutoff(budget, in_tokens=True))
            for budget in self.config.budgets
            for name in CURVE.values()
        ]
        at: dict[int | None, list[Measure]] = {None: []}
        for measure in dict.fromkeys((*self.measures, *curve)):
            cutoff = measure.cutoff
            at.setdefault(cutoff.at if cutoff.in_tokens else None, []).append(measure)
        k = max([self.config.k, *(measure.cutoff.at for measure in at[None])])
        object.__setattr__(self, "k", k)
        object.__setattr__(self, "budgets", tuple(sorted(at.keys() - {None})))
        object.__setattr__(self, "_at", at)

    def start(self, table: ChunkTable) -> Scores:
        """The scores of no question yet."""
        n = len(self.corpus.questions)
        names = [str(measure) for measures in self._at.values() for measure in measures]
        return Scores(
            table,
            _n_relevant(table, self.corpus.golds),
            {name: np.full(n, np.nan) for name in names},
            [],
            np.full(n, -1, np.int32),
        )

    def add(self, scores: Scores, rows: slice, ranks: Ranks) -> None:
        """Add the questions `rows`, whose rankings are `ranks`."""
        scores.first[rows] = ranks.ids[:, 0]
        at_k, at_budgets = self._assemble(scores.table, ranks)
        scores.retrieved.extend(_rows(pieces, self.config.k) for pieces in at_k)
        golds, relevant = self.corpus.golds[rows], scores.n_relevant[rows].tolist()
        for cutoff, measures in self._at.items():
            shown = at_k if cutoff is None else at_budgets[cutoff]
            columns = score_all(measures, golds, list(map(_told, shown, relevant))).T
            for measure, column in zip(measures, columns, strict=True):
                scores.values[str(measure)][rows] = column

    def _assemble(
        self, table: ChunkTable, ranks: Ranks
    ) -> tuple[list[Pieces], dict[int, list[Pieces]]]:
        """What each question of a block is shown: the first k, and at each budget."""
        ends, dedupe = self.corpus.ends, self.config.dedupe
        at_k, at_budgets = [], []
        for ids, scores in zip(ranks.ids, ranks.scores, strict=True):
            at_k.append(assemble(ids, scores, table, k=self.k, dedupe=dedupe, token_ends=ends))
            at_budgets.append(
                assemble_budgets(
                    ids, scores, table, budgets=self.budgets, token_ends=ends, dedupe=dedupe
                )
            )
        by_budget = map(list, zip(*at_budgets, strict=True))
        return at_k, dict(zip(self.budgets, by_budget, strict=True))


def _rows(pieces: Pieces, k: int) -> list[tuple[int, int, int, float]]:
    columns = (pieces.doc, pieces.start, pieces.end, pieces.scores)
    return list(zip(*(column[:k].tolist() for column in columns), strict=True))


def _told(pieces: Pieces, n_relevant: int) -> Shown:
    return Shown(pieces.doc, pieces.start, pieces.end, pieces.tokens, pieces.scores, n_relevant)


def _n_relevant(table: ChunkTable, golds: Sequence[Gold]) -> NDArray[np.int64]:
    """int64[q]: how many distinct pieces of the whole index overlap each question's gold."""
    edges = np.searchsorted(table.doc, np.arange(int(table.doc.max(initial=0)) + 2))
    counts = np.zeros(len(golds), np.int64)
    for i, gold in enumerate(golds):
        if gold.doc + 1 >= len(edges):
            continue
        own = slice(edges[gold.doc], edges[gold.doc + 1])
        starts, ends = table.shown_start[own], table.shown_end[own]
        hit = np.zeros(len(starts), bool)
        for start, end in np.concatenate(gold.slots):
            hit |= (starts < end) & (ends > start)
        counts[i] = len(np.unique(table.piece[own][hit]))
    return counts
