"""What a question's gold is, what its reader was shown, and how the two meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.types import FloatArray, IntArray, Question

__all__ = ["Facts", "Gold", "Shown", "facts_of"]

SpanArray = NDArray[np.int64]
Rows = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What a reader was shown for one question, in rank order after assembly.

    `doc`, `start`, `end`, `tokens` (int32[m]) and `scores` (float32[m]): piece i
    is the slice `[start, end)` of document number `doc`, costs `tokens` and
    ranked by `scores`. Pieces may overlap or repeat. `n_relevant` is how many
    pieces of the whole index overlap the gold, for the ideal ranking of nDCG;
    where it is -1 (not known) those that were shown stand in for it.

    Raises:
        InvalidConfig: the columns differ in length.
    """

    doc: IntArray
    start: IntArray
    end: IntArray
    tokens: IntArray
    scores: FloatArray
    n_relevant: int = -1

    def __post_init__(self) -> None:
        columns = (self.doc, self.start, self.end, self.tokens, self.scores)
        lengths = {len(column) for column in columns}
        if len(lengths) > 1:
            raise InvalidConfig(
                f"the columns of what was shown must be equally long, got {sorted(lengths)}"
            )

    @classmethod
    def of(cls, pieces: Iterable[Sequence[float]], n_relevant: int = -1) -> Shown:
        """What was shown, from rows of (doc, start, end, tokens, score).

        Example:
            >>> len(Shown.of([(0, 10, 20, 3, 0.9), (0, 40, 60, 5, 0.8)]))
            2
        """
        table = np.asarray(list(pieces), dtype=np.float64).reshape(-1, 5)
        doc, start, end, tokens = table[:, :4].T.astype(np.int32)
        return cls(doc, start, end, tokens, table[:, 4].astype(np.float32), n_relevant)

    def __len__(self) -> int:
        return len(self.doc)


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The gold of one question: a document's number and its slots.

    Every slot (int64[k, 2], k spans) is needed; within a slot any one span is
    enough. No slots: the question has no gold.

    Raises:
        InvalidConfig: a slot or a span is empty.
    """

    doc: int
    slots: tuple[SpanArray, ...]
    _slots: tuple[Rows, ...] = field(init=False, repr=False)
    _every: Rows = field(init=False, repr=False)

    def __post_init__(self) -> None:
        slots = tuple([(int(start), int(end)) for start, end in slot] for slot in self.slots)
        if not all(slot and all(start < end for start, end in slot) for slot in slots):
            raise InvalidConfig(f"gold needs slots of spans with start < end, got {slots}")
        object.__setattr__(self, "_slots", slots)
        object.__setattr__(self, "_every", _union([span for slot in slots for span in slot]))

    @classmethod
    def of(cls, question: Question, numbers: Mapping[str, int]) -> Gold:
        """The gold of a question; `numbers` maps a document's id to its number."""
        slots = tuple(
            np.array([(span.start, span.end) for span in slot], dtype=np.int64)
            for slot in question.slots
        )
        return cls(numbers[question.doc_id], slots)

    def overlaps(self, start: int, end: int) -> bool:
        """Whether `[start, end)` of the document holds a character of any gold span."""
        return any(max(start, a) < min(end, b) for a, b in self._every)


class Facts(NamedTuple):
    """The counts all measures of one question and cutoff are made of.

    Characters are code points. `gold` and `covered` are those of the
    alternatives chosen, one a slot; `relevant_shown` those of any alternative
    that were shown, each counted once; `shown` counts repeated text each time,
    `unique` once. `ranks` are the 1-based ranks of pieces that overlap any
    gold; `whole` says whether every slot has an alternative that was shown
    completely.
    """

    pieces: int
    ranks: list[int]
    whole: bool
    gold: int
    covered: int
    relevant_shown: int
    shown: int
    unique: int
    tokens: int
    top_score: float
    n_relevant: int


def facts_of(gold: Gold, shown: Shown, k: int | None = None) -> Facts:
    """The facts about the first `k` pieces (all with None) that were shown.

    Of a slot's alternatives the one with the largest share of its characters
    covered is chosen; ties go to the shorter, then to the first.
    """
    starts, ends = shown.start[:k].tolist(), shown.end[:k].tolist()
    docs, tokens = shown.doc[:k].tolist(), shown.tokens[:k].tolist()
    ranks: list[int] = []
    here: Rows = []
    others: dict[int, Rows] = {}
    for rank, (doc, start, end) in enumerate(zip(docs, starts, ends, strict=True), 1):
        if doc != gold.doc:
            others.setdefault(doc, []).append((start, end))
            continue
        here.append((start, end))
        if gold.overlaps(start, end):
            ranks.append(rank)
    union = _union(here)
    chosen, whole = _choose(gold, union)
    elsewhere = sum(_length(_union(rows)) for rows in others.values())
    n_relevant = shown.n_relevant
    return Facts(
        pieces=len(docs),
        ranks=ranks,
        whole=whole,
        gold=_length(chosen),
        covered=_common(chosen, union),
        relevant_shown=_common(gold._every, union),  # noqa: SLF001 - the two belong together
        shown=sum(ends) - sum(starts),
        unique=_length(union) + elsewhere,
        tokens=sum(tokens),
        top_score=float(shown.scores[0]) if docs else 0.0,
        n_relevant=n_relevant if n_relevant >= 0 else _count_relevant(gold, shown),
    )


def _count_relevant(gold: Gold, shown: Shown) -> int:
    rows = zip(shown.doc.tolist(), shown.start.tolist(), shown.end.tolist(), strict=True)
    return sum(doc == gold.doc and gold.overlaps(start, end) for doc, start, end in rows)


def _choose(gold: Gold, union: Rows) -> tuple[Rows, bool]:
    """The chosen alternatives as disjoint spans, and whether all are covered completely."""
    chosen: Rows = []
    whole = True
    for slot in gold._slots:  # noqa: SLF001 - the two belong together
        best, most = slot[0], _share(slot[0], union)
        for span in slot[1:]:
            share = _share(span, union)
            if share > most or (share == most and span[1] - span[0] < best[1] - best[0]):
                best, most = span, share
        chosen.append(best)
        whole = whole and most == 1.0
    return (_union(chosen) if len(chosen) > 1 else chosen), whole


def _share(span: tuple[int, int], union: Rows) -> float:
    return _common([span], union) / (span[1] - span[0])


# Plain loops: a question has a handful of spans, where numpy's calls cost more.
def _union(rows: Rows) -> Rows:
    """The same characters as sorted, disjoint spans; empty ones dropped."""
    if len(rows) == 1 and rows[0][0] < rows[0][1]:
        return rows
    merged: Rows = []
    for start, end in sorted(rows):
        if merged and start <= merged[-1][1]:
            if end > merged[-1][1]:
                merged[-1] = (merged[-1][0], end)
        elif start < end:
            merged.append((start, end))
    return merged


def _length(rows: Rows) -> int:
    return sum(end - start for start, end in rows)


def _common(a: Rows, b: Rows) -> int:
    """Characters in both of two lists of sorted, disjoint spans."""
    total = i = j = 0
    while i < len(a) and j < len(b):
        low, high = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        total += max(0, high - low)
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return total
