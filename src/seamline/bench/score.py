"""From rankings to a value a question and measure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.bench.columns import GoldColumns, Meeting, Pieces, TokenEnds, overlapping
from seamline.bench.corpus import Corpus
from seamline.bench.results import canonical
from seamline.config import BenchConfig
from seamline.measure import MEASURES, Cutoff, Measure, Shown, score_all
from seamline.measure.coverage import PrecisionUnique
from seamline.retrieve import Ranks
from seamline.retrieve.assemble import assemble, assemble_budgets
from seamline.retrieve.table import ChunkTable
from seamline.retrieve.walk import Shown as Assembled

__all__ = ["CURVE", "Scorer", "Scores"]

Values = NDArray[np.float64]
Hit = list[float]

CURVE = {"recall": "Recall", "whole": "HitWhole", "precision": "Precision"}
"""The curves over the token budget, and the measure each is of."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What one strategy scored: `values` (float64[q]) by the measure's name.

    `n_relevant` (int64[q]) is how many distinct pieces of `table` overlap gold,
    `retrieved` has the first k pieces of each question as [doc, start, end,
    score], `first` (int32[q]) is the chunk of the first one, -1 without any.
    """

    table: ChunkTable
    n_relevant: NDArray[np.int64]
    values: dict[str, Values]
    retrieved: list[list[Hit]]
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
    _ends: TokenEnds = field(init=False)

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
        ends = TokenEnds(self.corpus.documents, self.corpus.ends)
        object.__setattr__(self, "_ends", ends)

    def start(self, table: ChunkTable) -> Scores:
        """The scores of no question yet."""
        n = len(self.corpus.questions)
        names = [str(measure) for measures in self._at.values() for measure in measures]
        return Scores(
            table,
            _n_relevant(table, self.corpus.columns),
            {name: np.full(n, np.nan) for name in names},
            [],
            np.full(n, -1, np.int32),
        )

    def add(self, scores: Scores, rows: slice, ranks: Ranks) -> None:
        """Add the questions `rows`, whose rankings are `ranks`."""
        scores.first[rows] = ranks.ids[:, 0]
        numbers = np.arange(rows.start, rows.stop)
        if self.config.dedupe or self.config.merge:
            shown = self.add_some(scores, numbers, ranks)
            near = np.arange(self.config.k)
            scores.retrieved.extend(self._hits(own, near[: len(own)]) for own in shown)
            return
        pieces = Pieces.of(
            ranks,
            scores.table,
            k=self.k,
            budget=self.budgets[-1],
            separator=self.config.separator,
        )
        self._add_columns(scores, rows, pieces)
        scores.retrieved.extend(self._first(pieces))
        rest = np.flatnonzero(~self.corpus.columns.plain[rows])
        if len(rest):
            left = Ranks(ranks.ids[rest], ranks.scores[rest])
            self.add_some(scores, numbers[rest], left)

    def _hits(self, pieces: Pieces | Shown, at: NDArray[np.intp]) -> list[Hit]:
        """[document, start, end, score] of the pieces `at`, as their chunks were cut."""
        doc, end = pieces.doc[at].astype(np.int64), pieces.end[at].astype(np.int64)
        ends = self.corpus.blanks.trim(doc, end)
        columns = map(canonical, (doc, pieces.start[at], ends, pieces.scores[at]))
        return list(map(list, zip(*columns, strict=True)))

    def _first(self, pieces: Pieces) -> list[list[Hit]]:
        """The first k hits of each question."""
        near = np.flatnonzero(pieces.rank < self.config.k)
        hits = self._hits(pieces, near)
        edges = np.searchsorted(pieces.row[near], np.arange(len(pieces.first))).tolist()
        return [hits[a:b] for a, b in pairwise(edges)]

    def _add_columns(self, scores: Scores, rows: slice, pieces: Pieces) -> None:
        """Score a block of questions at once; right for questions with plain gold."""
        meeting = Meeting.of(pieces, self.corpus.columns.block(rows))
        relevant = scores.n_relevant[rows].tolist()
        for cutoff, measures in self._at.items():
            cut = pieces.top(self.k) if cutoff is None else pieces.within(cutoff, self._ends)
            for k in {measure.cutoff.k for measure in measures}:
                own = cut if k is None else pieces.top(k)
                group = [measure for measure in measures if measure.cutoff.k == k]
                unique = any(isinstance(measure, PrecisionUnique) for measure in group)
                facts = meeting.facts(own, relevant, unique=unique)
                for measure in group:
                    values = np.fromiter(map(measure.value, facts), np.float64, len(facts))
                    scores.values[str(measure)][rows] = values

    def add_some(self, scores: Scores, numbers: NDArray[np.intp], ranks: Ranks) -> list[Shown]:
        """Score some questions one by one, whatever their gold; what each is shown at k."""
        config, table = self.config, scores.table
        options: dict[str, Any] = {
            "token_ends": self.corpus.ends,
            "dedupe": config.dedupe,
            "separator_tokens": config.separator,
        }
        golds = [self.corpus.golds[number] for number in numbers]
        relevant = scores.n_relevant[numbers].tolist()
        shown: dict[int | None, list[Shown]] = {cutoff: [] for cutoff in self._at}
        for ids, own, n_relevant in zip(ranks.ids, ranks.scores, relevant, strict=True):
            top = assemble(ids, own, table, k=self.k, **options)
            fit = assemble_budgets(
                ids, own, table, budgets=self.budgets, merge=config.merge, **options
            )
            for cutoff, pieces in zip((None, *self.budgets), (top, *fit), strict=True):
                shown[cutoff].append(_told(pieces, n_relevant))
        for cutoff, measures in self._at.items():
            columns = score_all(measures, golds, shown[cutoff]).T
            for measure, column in zip(measures, columns, strict=True):
                scores.values[str(measure)][numbers] = column
        return shown[None]


def _told(pieces: Assembled, n_relevant: int) -> Shown:
    return Shown(pieces.doc, pieces.start, pieces.end, pieces.tokens, pieces.scores, n_relevant)


def _n_relevant(table: ChunkTable, golds: GoldColumns) -> NDArray[np.int64]:
    """int64[q]: how many distinct pieces of the whole index overlap each question's gold."""
    pairs = overlapping(table.doc, table.shown_start, table.shown_end, golds)
    question = np.repeat(np.arange(len(golds.doc)), np.diff(golds.first))[pairs.gold]
    width = max(1, len(table))
    distinct = np.unique(question * width + table.piece[pairs.row])
    return np.bincount(distinct // width, minlength=len(golds.doc))
