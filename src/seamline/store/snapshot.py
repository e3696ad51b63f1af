"""A namespace in memory, in columns: every chunk is scored, so what is found is exact."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.store.arrays import Grown
from seamline.store.base import Rows
from seamline.store.exact import cosines
from seamline.store.values import Columns, Ints, Reader, Terms
from seamline.types import FloatArray, IntArray

__all__ = ["Filed", "Postings", "Snapshot", "SnapshotScope"]

_LIVE = np.iinfo(np.int64).max
_BLOCK = 256  # documents that are taken together
_SCOPES = 32  # readers whose chunks are remembered
_SEGMENTS = 6  # lists of postings that a question looks through


@dataclass(frozen=True, slots=True, eq=False)
class Filed:
    """A document on its way into a snapshot."""

    number: int
    tenant: str
    access: frozenset[str]
    added: int
    removed: int | None
    columns: Columns
    vectors: FloatArray | None


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Where terms are, for a range of rows: term t in `row[first[t]:first[t + 1]]`."""

    term: Terms
    first: Ints
    row: IntArray
    count: FloatArray

    @classmethod
    def of(cls, term: Terms, row: IntArray, count: FloatArray) -> Postings:
        """The postings of parallel columns, a row a pair of term and chunk."""
        order = np.lexsort((row, term))
        distinct, first = np.unique(term[order], return_index=True)
        edges = np.append(first, len(term)).astype(np.int64)
        return cls(distinct, edges, row[order], count[order])

    @classmethod
    def merged(cls, parts: Sequence[Postings]) -> Postings:
        """Several lists as one; later ones have the higher rows."""
        terms = [np.repeat(part.term, np.diff(part.first)) for part in parts]
        rows = _joined([part.row for part in parts], np.int32)
        return cls.of(
            _joined(terms, np.uint64), rows, _joined([part.count for part in parts], np.float32)
        )

    def find(self, terms: Terms) -> tuple[IntArray, IntArray, FloatArray]:
        """Which of `terms`, in which row, how often: by term, then by row."""
        at = np.searchsorted(self.term, terms)
        known = np.flatnonzero(at < len(self.term))
        known = known[self.term[at[known]] == terms[known]]
        spans = [slice(int(self.first[i]), int(self.first[i + 1])) for i in at[known].tolist()]
        counts = [span.stop - span.start for span in spans]
        return (
            np.repeat(known, counts).astype(np.int32),
            _joined([self.row[span] for span in spans], np.int32),
            _joined([self.count[span] for span in spans], np.float32),
        )

    def __len__(self) -> int:
        return len(self.row)


Words = tuple[Terms, IntArray, FloatArray]
"""uint64[m], int32[m], float32[m]: a term, the row that holds it, and how often."""


def words_of(parts: Sequence[tuple[int, Columns]]) -> Words:
    """The words of documents, each with the number of its first row."""
    rows = [first + np.repeat(np.arange(len(one)), np.diff(one.term_first)) for first, one in parts]
    return (
        _joined([one.vocabulary[one.term] for _, one in parts], np.uint64),
        _joined(rows, np.int32),
        _joined([one.count for _, one in parts], np.float32),
    )


def _joined(parts: Sequence[NDArray[Any]], dtype: Any) -> NDArray[Any]:
    return np.concatenate([np.empty(0, dtype), *parts], dtype=dtype, casting="unsafe")


@dataclass(slots=True, eq=False)
class _Codes:
    """Numbers for values that many documents share."""

    known: dict[Any, int] = field(default_factory=dict)

    def of(self, values: Iterable[Any]) -> NDArray[np.int32]:
        found = [self.known.setdefault(value, len(self.known)) for value in values]
        return np.array(found, np.int32)


class Snapshot:
    """The documents of a namespace; never changes, `extended` gives the next one.

    The columns of all snapshots of a line lie in the same memory, which only grows.
    """

    def __init__(self, dim: int) -> None:
        self.dim = dim
        self.revision = 0
        self.waste = 0  # chunks that nobody will read any more
        self._tenants, self._labels = _Codes(), _Codes()
        self._by_document = {
            "number": Grown(np.int64),
            "tenant": Grown(np.int32),
            "labels": Grown(np.int32),
            "added": Grown(np.int64),
            "n": Grown(np.int64),
        }
        self._by_chunk: dict[str, Grown] = {
            "document": Grown(np.int64),
            "ordinal": Grown(np.int32),
            "section": Grown(np.int64),
            "centre": Grown(np.float64),
            "tokens": Grown(np.int64),
            "lengths": Grown(np.float32),
        }
        self._vectors = Grown(np.float32, dim) if dim else None
        self._segments: tuple[Postings, ...] = ()
        self._n_sections = 0
        self._take(np.empty(0, np.int64))

    def _take(self, removed: Ints) -> None:
        self.removed = removed
        self.documents = {name: grown.rows for name, grown in self._by_document.items()}
        self.chunks = {name: grown.rows for name, grown in self._by_chunk.items()}
        self.vectors = None if self._vectors is None else self._vectors.rows
        self.first = np.concatenate(([0], np.cumsum(self.documents["n"])))
        self.tenants, self.labels = dict(self._tenants.known), dict(self._labels.known)
        self._scopes: OrderedDict[Any, SnapshotScope] = OrderedDict()

    def __len__(self) -> int:
        return len(self.chunks["document"])

    def extended(
        self,
        filed: Iterable[Filed],
        revision: int,
        *,
        removed: Mapping[int, int] | None = None,
        purged: Mapping[int, int] | None = None,
        n_chunks: int = 0,
    ) -> Snapshot:
        """The next snapshot: with these documents, and others `removed` at a revision.

        Documents are taken a few at a time; `n_chunks` says how many they have, if it is known,
        so that a first load makes room once. Numbers rise from snapshot to snapshot. Those
        `purged` are not kept any longer; they stay here as if removed, and are counted in
        `waste`.
        """
        new = copy(self)
        if n_chunks > len(self):  # else doubling is cheaper, as many small ones may follow
            new._reserve(len(self) + n_chunks)  # noqa: SLF001 - its own
        new._follow(  # noqa: SLF001 - its own
            filed, {**(purged or {}), **(removed or {})}, revision
        )
        numbers = new.documents["number"]
        lost = np.isin(numbers, np.fromiter(purged or (), np.int64))
        new.waste += int(new.documents["n"][lost].sum())
        return new

    def _reserve(self, n: int) -> None:
        for grown in (*self._by_chunk.values(), *([self._vectors] if self._vectors else [])):
            grown.reserve(n)

    def _follow(self, filed: Iterable[Filed], removed: Mapping[int, int], revision: int) -> None:
        changed = self._add_all(filed) | dict(removed)
        numbers = self._by_document["number"].rows
        gone = np.full(len(numbers), _LIVE)
        gone[: len(self.removed)] = self.removed
        asked = np.fromiter(changed, np.int64)
        at = np.searchsorted(numbers, asked)
        known = np.flatnonzero(at < len(numbers))
        known = known[numbers[at[known]] == asked[known]]
        gone[at[known]] = np.fromiter(changed.values(), np.int64)[known]
        self.revision = revision
        self._take(gone)

    def _add_all(self, filed: Iterable[Filed]) -> dict[int, int]:
        """Add documents, a block at a time; those of them that were removed, and when."""
        left, gone, words = iter(filed), dict[int, int](), list[Words]()
        while block := list(islice(left, _BLOCK)):
            words.append(words_of(self._add(block)))
            gone |= {one.number: one.removed for one in block if one.removed is not None}
        if words:
            self._index(words)
        return gone

    def _add(self, filed: Sequence[Filed]) -> list[tuple[int, Columns]]:
        """Add documents; the columns of each with the number of its first row."""
        all_columns = [one.columns for one in filed]
        base = len(self._by_chunk["document"].rows)
        self._add_documents(filed, [len(columns) for columns in all_columns])
        firsts = (base + np.cumsum([0, *map(len, all_columns)])).tolist()
        add = {name: grown.add for name, grown in self._by_chunk.items()}
        add["document"]([np.full(len(one.columns), one.number) for one in filed])
        add["ordinal"]([np.arange(len(columns), dtype=np.int32) for columns in all_columns])
        add["centre"]([columns.middle / 2 for columns in all_columns])
        add["tokens"]([columns.covered for columns in all_columns])
        add["lengths"]([columns.lengths for columns in all_columns])
        for columns in all_columns:
            add["section"]([columns.section + np.int64(self._n_sections)])
            self._n_sections += int(columns.section.max(initial=-1)) + 1
        if self._vectors is not None:
            given = (one.vectors for one in filed)
            self._vectors.add([vectors for vectors in given if vectors is not None])
        return list(zip(firsts, all_columns, strict=False))

    def _add_documents(self, filed: Sequence[Filed], counts: Sequence[int]) -> None:
        columns: dict[str, NDArray[Any]] = {
            "number": np.array([one.number for one in filed], np.int64),
            "tenant": self._tenants.of(one.tenant for one in filed),
            "labels": self._labels.of(one.access for one in filed),
            "added": np.array([one.added for one in filed], np.int64),
            "n": np.array(counts, np.int64),
        }
        for name, column in columns.items():
            self._by_document[name].add([column])

    def _index(self, words: Sequence[Words]) -> None:
        """Add a list of postings; small ones are joined, so that there are few."""
        term, row, count = (
            _joined(list(column), column[0].dtype) for column in zip(*words, strict=True)
        )
        segments = [*self._segments, Postings.of(term, row, count)]
        while len(segments) > 1 and (
            len(segments) > _SEGMENTS or len(segments[-1]) * 2 > len(segments[-2])
        ):
            segments[-2:] = [Postings.merged(segments[-2:])]
        self._segments = tuple(segments)

    def postings(self, terms: Terms) -> tuple[IntArray, IntArray, FloatArray]:
        """See `Scope.postings`, over all rows."""
        found = [segment.find(terms) for segment in self._segments]
        if len(found) == 1:
            return found[0]
        term, row, count = (
            _joined([part[i] for part in found], kind)
            for i, kind in enumerate((np.int32, np.int32, np.float32))
        )
        order = np.argsort(term, kind="stable")
        return term[order], row[order], count[order]

    def scope(self, reader: Reader, chosen: Iterable[int] | None) -> SnapshotScope:
        """What a reader may search; `chosen` are the documents that its `where` picks, if any."""
        mask = self._readable(reader)
        if chosen is not None:
            mask &= np.isin(self.documents["number"], np.fromiter(chosen, np.int64))
        return SnapshotScope.of(self, mask)

    def remembered(self, key: Any) -> SnapshotScope | None:
        """A scope that was kept under a key."""
        return self._scopes.get(key)

    def remember(self, key: Any, scope: SnapshotScope) -> SnapshotScope:
        """Keep a scope for the next question."""
        self._scopes[key] = scope
        while len(self._scopes) > _SCOPES:
            self._scopes.popitem(last=False)
        return scope

    def _readable(self, reader: Reader) -> NDArray[np.bool_]:
        """bool[documents]: those that the reader may search."""
        code = self.tenants.get(reader.tenant, -1)
        labels = [i for access, i in self.labels.items() if reader.may_read(access)]
        at = self.revision if reader.as_of is None else reader.as_of
        known = self.documents
        mask: NDArray[np.bool_] = known["tenant"] == code
        mask &= (known["added"] <= at) & (self.removed > at)
        if len(labels) < len(self.labels):
            mask &= np.isin(known["labels"], labels)
        return mask


@dataclass(slots=True, eq=False)
class SnapshotScope(Rows):
    """Some documents of a snapshot, or all (`rows` None)."""

    snapshot: Snapshot = field(kw_only=True)
    rows: Ints | None = field(kw_only=True)
    documents: Ints = field(kw_only=True)

    @classmethod
    def of(cls, snapshot: Snapshot, mask: NDArray[np.bool_]) -> SnapshotScope:
        """The documents where `mask` (bool[documents]) holds."""
        rows = None
        if not mask.all():
            rows = np.flatnonzero(np.repeat(mask, snapshot.documents["n"]))
        columns: dict[str, Any] = snapshot.chunks
        if rows is not None:
            columns = {name: column[rows] for name, column in columns.items()}
        numbers = snapshot.documents["number"][mask]
        return cls(**columns, snapshot=snapshot, rows=rows, documents=numbers)

    def dense(self, vector: FloatArray) -> FloatArray:
        """See `Scope.dense`."""
        vectors = self.snapshot.vectors
        if vectors is None:
            return np.zeros(len(self), np.float32)
        return cosines(vectors, vector, self.rows)

    def postings(self, terms: Terms) -> tuple[IntArray, IntArray, FloatArray]:
        """See `Scope.postings`."""
        term, row, count = self.snapshot.postings(terms)
        if self.rows is None:
            return term, row, count
        at = np.searchsorted(self.rows, row)
        inside = at < len(self.rows)
        inside[inside] = self.rows[at[inside]] == row[inside]
        return term[inside], at[inside].astype(np.int32), count[inside]
