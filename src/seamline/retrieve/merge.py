"""A ranking walked once, with touching pieces joined into runs."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

import numpy as np

from seamline.retrieve.table import ChunkTable
from seamline.retrieve.walk import Shown, count_tokens, cut_end
from seamline.types import FloatArray, IntArray

__all__ = ["merged"]

_BLOCK = 128  # hits taken apart at a time: few budgets need more


class _Run(NamedTuple):
    """Text shown in one stretch: [start, end), and white space up to `reach`.

    `rank` is the place of its first hit, `tokens` the size of its text and `extra`
    what it costs beside it: the separator and the context of its first piece.
    """

    start: int
    end: int
    reach: int
    rank: int
    tokens: int
    extra: int

    @property
    def cost(self) -> int:
        return self.tokens + self.extra


@dataclass(slots=True)
class _Runs:
    """The runs of one document so far, none touching another, in order."""

    ends: IntArray
    runs: list[_Run] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    reaches: list[int] = field(default_factory=list)

    def touching(self, piece: _Run) -> slice:
        """The runs that `piece` overlaps or touches."""
        low = bisect_left(self.reaches, piece.start)
        return slice(low, max(low, bisect_right(self.starts, piece.reach)))

    def joined(self, piece: _Run, at: slice) -> _Run:
        """The one run that `piece` and the runs at `at` make."""
        old = self.runs[at]
        if not old:
            return piece
        if old[0].start <= piece.start and piece.end <= old[0].end:
            return old[0]
        first = min(old[0], piece, key=lambda run: run.start)
        last = max(old[-1], piece, key=lambda run: run.end)
        rank = min(run.rank for run in old)
        tokens = count_tokens(self.ends, first.start, last.end)
        return _Run(first.start, last.end, last.reach, rank, tokens, first.extra)

    def put(self, run: _Run, at: slice) -> None:
        self.runs[at], self.starts[at], self.reaches[at] = [run], [run.start], [run.reach]

    def cut(self, piece: _Run, at: slice, room: int) -> tuple[_Run, _Run | None] | None:
        """What fits of `piece` into `room` tokens: the run it makes, and which one that replaces.

        It goes on the run before it, if there is one, else stands alone; it ends
        before the next run.
        """
        old = self.runs[at]
        before = old[0] if old and old[0].start <= piece.start else None
        after = [run.start for run in old if run is not before]
        begin = before.end if before else piece.start
        room -= 0 if before else piece.extra
        if room <= 0:
            return None
        end = min([piece.end, *after, cut_end(self.ends, begin, piece.end, room)])
        if end <= begin:
            return None
        tokens = min(room, count_tokens(self.ends, begin, end))
        if before:
            return before._replace(end=end, reach=end, tokens=before.tokens + tokens), before
        return piece._replace(end=end, reach=end, tokens=tokens), None


def merged(
    ids: IntArray,
    scores: FloatArray,
    table: ChunkTable,
    *,
    k: int | None,
    budgets: Sequence[int | None],
    ends: Sequence[IntArray],
    separator: int,
) -> list[Shown]:
    """What is shown at each of the `budgets` (None: no limit) if touching pieces are joined.

    Runs are in the rank order of their first hits. Joining costs the text between,
    and saves the separator and the context of the later piece; so a budget ends at
    the first piece that does not fit, which is cut and is the last.
    """
    order = sorted(range(len(budgets)), key=lambda i: _limit(budgets[i]))
    out: dict[int, Shown] = {}
    documents: dict[int, _Runs] = {}
    spent = n_hits = 0
    for doc, piece in _pieces(ids, table, separator):
        if n_hits == k or len(out) == len(budgets):
            break
        runs = documents.get(doc) or documents.setdefault(doc, _Runs(ends[doc]))
        at = runs.touching(piece)
        run = runs.joined(piece, at)
        after = spent + run.cost - sum(old.cost for old in runs.runs[at])
        for i in order[len(out) :]:
            if after <= _limit(budgets[i]):
                break
            part = runs.cut(piece, at, int(_limit(budgets[i])) - spent)
            out[i] = _shown(documents, ids, scores, n_hits, doc, part)
        n_hits += [run] != runs.runs[at]
        runs.put(run, at)
        spent = after
    whole = _shown(documents, ids, scores, n_hits)
    return [out.get(i, whole) for i in range(len(budgets))]


def _limit(budget: int | None) -> float:
    return inf if budget is None else budget


def _pieces(ids: IntArray, table: ChunkTable, separator: int) -> Iterator[tuple[int, _Run]]:
    """The document and the piece of each hit, as a run of its own, in rank order."""
    hits = np.flatnonzero(ids >= 0)
    for at in range(0, len(hits), _BLOCK):
        ranks = hits[at : at + _BLOCK]
        rows = ids[ranks]
        columns = (
            table.doc[rows],
            table.shown_start[rows],
            table.shown_end[rows],
            table.shown_reach[rows],
            ranks,
            table.shown_tokens[rows],
            table.overhead[rows] + separator,
        )
        for doc, *run in zip(*(column.tolist() for column in columns), strict=True):
            yield doc, _Run(*run)


def _shown(
    documents: Mapping[int, _Runs],
    ids: IntArray,
    scores: FloatArray,
    hits: int,
    doc: int = -1,
    part: tuple[_Run, _Run | None] | None = None,
) -> Shown:
    """The runs of all documents; of `part` the first is shown in the place of the second."""
    fresh, stale = part or (None, None)
    rows = [
        (number, run) for number, own in documents.items() for run in own.runs if run is not stale
    ]
    if fresh is not None:
        rows.append((doc, fresh))
    rows.sort(key=lambda row: row[1].rank)
    columns = [(number, run.start, run.end, run.cost, run.rank) for number, run in rows]
    table = np.array(columns, np.int32).reshape(-1, 5)
    rank = table[:, 4]
    return Shown(table[:, 0], table[:, 1], table[:, 2], table[:, 3], scores[rank], ids[rank], hits)
