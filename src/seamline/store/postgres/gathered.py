"""The chunks of documents in columns, to be scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamline.store.base import Counted, Rows
from seamline.store.values import Columns, Ints, Terms
from seamline.types import FloatArray, IntArray

__all__ = ["Gathered", "Laid", "PostgresScope", "Run"]

_APART = 1 << 32  # from a section to the next in `Laid.line`; no document is that long


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """The columns of a document as `Rows` have them, n chunks, m pairs of a term and a chunk.

    `line` (int64[n]) rises with the section, then with twice the centre; `order` (int64[n])
    are the chunks in that order, None where they are in it already.
    """

    columns: Columns
    section: Ints
    centre: NDArray[np.float64]
    tokens: Ints
    lengths: FloatArray
    hashes: Terms
    row: IntArray
    count: FloatArray
    line: Ints
    order: Ints | None

    @classmethod
    def of(cls, columns: Columns) -> Laid:
        """The document of these columns."""
        counts = np.diff(columns.term_first)
        section = columns.section.astype(np.int64)
        line = section * _APART + columns.middle
        order = None if np.all(np.diff(line) >= 0) else np.argsort(line, kind="stable")
        return cls(
            columns,
            section,
            columns.middle / 2,
            columns.covered.astype(np.int64),
            columns.lengths,
            columns.vocabulary[columns.term],
            np.repeat(np.arange(len(columns), dtype=np.int32), counts),
            columns.count.astype(np.float32),
            line if order is None else line[order],
            order,
        )

    @property
    def nbytes(self) -> int:
        """The bytes of all columns."""
        names = [name for name in self.__slots__ if name != "columns"]
        found = [getattr(self, name) for name in names]
        found += [getattr(self.columns, name) for name in Columns.__slots__]
        return 500 + sum(int(column.nbytes) for column in found if column is not None)


class Run(NamedTuple):
    """The chunks from `low` to before `high` of a document."""

    number: int
    laid: Laid
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """The columns of `Rows` by name, and of each term in each chunk its hash, row and count.

    `memo` is for what callers derive from them.
    """

    columns: dict[str, NDArray[Any]]
    hashes: Terms
    row: IntArray
    count: FloatArray
    memo: dict[Any, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Gathered:
        """The chunks of runs, which are in order."""
        spans = [(one.laid, slice(one.low, one.high), slice(*_edges(one))) for one in runs]
        lengths = np.array([one.high - one.low for one in runs], np.int64)
        pairs = np.array([terms.stop - terms.start for _, _, terms in spans], np.int64)
        before = np.cumsum(lengths) - lengths - np.array([one.low for one in runs], np.int64)
        columns = {
            "document": np.repeat(np.array([one.number for one in runs], np.int64), lengths),
            "ordinal": _joined([np.arange(one.low, one.high) for one in runs], np.int32),
            "section": _joined([own.section[rows] for own, rows, _ in spans], np.int64)
            + np.repeat(_bases(runs), lengths),
            "centre": _joined([own.centre[rows] for own, rows, _ in spans], np.float64),
            "tokens": _joined([own.tokens[rows] for own, rows, _ in spans], np.int64),
            "lengths": _joined([own.lengths[rows] for own, rows, _ in spans], np.float32),
        }
        row = _joined([own.row[terms] for own, _, terms in spans], np.int64)
        return cls(
            columns,
            _joined([own.hashes[terms] for own, _, terms in spans], np.uint64),
            (row + np.repeat(before, pairs)).astype(np.int32),
            _joined([own.count[terms] for own, _, terms in spans], np.float32),
        )

    def __len__(self) -> int:
        return len(self.columns["document"])

    @property
    def nbytes(self) -> int:
        """The bytes of all columns."""
        own: list[NDArray[Any]] = [self.hashes, self.row, self.count, *self.columns.values()]
        return 1000 + sum(column.nbytes for column in own)

    def postings(self, terms: Terms) -> tuple[IntArray, IntArray, FloatArray]:
        """See `Scope.postings`."""
        found = [np.flatnonzero(self.hashes == term) for term in terms]
        at = _joined(found, np.int64)
        which = np.repeat(np.arange(len(terms)), [len(one) for one in found])
        return which.astype(np.int32), self.row[at], self.count[at]


def _edges(run: Run) -> tuple[int, int]:
    """Where the pairs of a run's chunks begin and end."""
    first = run.laid.columns.term_first
    return int(first[run.low]), int(first[run.high])


def _bases(runs: Sequence[Run]) -> Ints:
    """int64[runs]: what makes the sections of each document others than those before it."""
    bases, base = [], 0
    for before, run in zip([None, *runs], runs, strict=False):
        if before is not None and before.number != run.number:
            base += int(before.laid.section.max(initial=0)) + 1
        bases.append(base)
    return np.array(bases, np.int64)


def _joined(parts: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *parts], dtype=dtype, casting="unsafe")


@dataclass(slots=True, eq=False)
class PostgresScope(Rows):
    """See `Scope`; `score` asks the server for the scores of vectors."""

    gathered: Gathered = field(kw_only=True)
    score: Callable[[FloatArray], FloatArray] = field(kw_only=True)

    @classmethod
    def of(
        cls,
        gathered: Gathered,
        score: Callable[[FloatArray], FloatArray],
        weight: NDArray[np.float64] | None = None,
        eligible: NDArray[np.bool_] | None = None,
        counted: Counted | None = None,
    ) -> PostgresScope:
        """The scope of these columns."""
        columns: dict[str, Any] = gathered.columns
        return cls(
            **columns,
            weight=weight,
            eligible=eligible,
            counted=counted,
            memo=gathered.memo,
            gathered=gathered,
            score=score,
        )

    def dense(self, vector: FloatArray) -> FloatArray:
        """See `Scope.dense`."""
        return self.score(vector) if len(self) else np.zeros(0, np.float32)

    def postings(self, terms: Terms) -> tuple[IntArray, IntArray, FloatArray]:
        """See `Scope.postings`."""
        return self.gathered.postings(terms)
