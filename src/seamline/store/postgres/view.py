"""A namespace in PostgreSQL as one reader sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from seamline.store import records
from seamline.store.base import Asked, Scope
from seamline.store.common import check_vector
from seamline.store.postgres.candidates import candidates
from seamline.store.postgres.gathered import Gathered, PostgresScope, Run
from seamline.store.postgres.known import Known, key_of
from seamline.store.postgres.loading import laid_of
from seamline.store.postgres.rows import HELD, held_of
from seamline.store.postgres.source import Places, Source
from seamline.store.values import Columns, Details, Held, Ints, NamespaceInfo, Reader, Totals
from seamline.types import FloatArray, IntArray

__all__ = ["MOST_CHUNKS", "MOST_DOCUMENTS", "PostgresView"]

MOST_CHUNKS = 20_000
"""Every chunk is scored where the reader may search no more of them.

There that takes a fourth of the time of looking for candidates, with 40,000 as long.
"""

MOST_DOCUMENTS = 10_000


class PostgresView:
    """See `View`."""

    def __init__(self, info: NamespaceInfo, source: Source, known: Known) -> None:
        self.reader: Reader = source.reader
        self._info = info
        self._source = source
        self._known = known
        # What is read at a revision stays the same, so it may be remembered.
        self._key = key_of(source.reader, source.at)
        self._allowed: set[int] = set()

    def _few(self) -> Places | None:
        """The documents and their numbers of chunks; None if they are too many to score."""
        found = self._known.documents.get(self._key)
        if found is None:
            documents, counts = self._source.documents(MOST_DOCUMENTS)
            few = len(documents) <= MOST_DOCUMENTS and counts.sum() <= MOST_CHUNKS
            found = self._known.documents.put(self._key, ((documents, counts) if few else None,))
        few_documents: Places | None = found[0]
        return few_documents

    def count(self) -> Totals:
        few = self._few()
        if few is not None:
            return Totals(len(few[0]), int(few[1].sum()), self._source.state.revision)
        found = self._known.totals.get(self._key)
        if found is None:
            found = self._known.totals.put(self._key, self._source.totals())
        documents, chunks = found
        return Totals(documents, chunks, self._source.state.revision)

    def scope(self, asked: Asked | None = None) -> Scope:
        if asked is not None:
            check_vector(asked.vector, self._info)
        scope = self._scope(asked)
        if self.reader.where is not None and (asked is None or len(asked.terms)):
            scope.whole = self._without_where()._scope(  # noqa: SLF001 - its own kind
                None if asked is None else replace(asked, vector=None)
            )
        return scope

    def _without_where(self) -> PostgresView:
        """What the reader sees without its condition, at the same moment."""
        reader = replace(self.reader, where=None)
        return PostgresView(self._info, replace(self._source, reader=reader), self._known)

    def _scope(self, asked: Asked | None) -> PostgresScope:
        few = self._few()
        if few is None and asked is not None:
            totals = self.count()
            return candidates(self._source, self._known, asked, (totals.documents, totals.chunks))
        documents = few[0] if few is not None else self._source.documents()[0]
        key = documents.tobytes()
        gathered = self._known.scopes.get(key)
        if gathered is None:
            laid = laid_of(self._source, self._known, documents)
            gathered = Gathered.of([Run(n, one, 0, len(one.section)) for n, one in laid.items()])
            self._known.scopes.put(key, gathered)
        return PostgresScope.of(gathered, lambda vector: self._dense(vector, documents, gathered))

    def _dense(self, vector: FloatArray, documents: Ints, gathered: Gathered) -> FloatArray:
        n = len(gathered)
        if not self._info.dim:
            return np.zeros(n, np.float32)
        check_vector(vector, self._info)
        return self._source.scores(vector, documents, n)

    def _readable(self, numbers: Sequence[int]) -> Ints:
        """Those of the documents that may be read, in order."""
        asked = np.unique(np.array(numbers, np.int64))
        few = self._few()
        if few is not None:
            return asked[np.isin(asked, few[0])]
        unknown = np.array([n for n in asked.tolist() if n not in self._allowed], np.int64)
        if len(unknown):
            self._allowed |= set(self._source.among(unknown).tolist())
        return asked[[n in self._allowed for n in asked.tolist()]]

    def _rows(self, columns: str, table: str, numbers: Sequence[int]) -> Any:
        return self._source.rows(columns, table, self._readable(numbers))

    def held(self, numbers: Sequence[int]) -> dict[int, Held]:
        return {row[0]: held_of(row) for row in self._rows(HELD, "document", numbers)}

    def columns(self, numbers: Sequence[int]) -> dict[int, tuple[Columns, IntArray]]:
        allowed = self._readable(numbers)
        laid = laid_of(self._source, self._known, allowed)
        ends = self._source.rows("number, ends", "content", allowed)
        return {number: (laid[number].columns, records.load_ends(data)) for number, data in ends}

    def details(self, numbers: Sequence[int]) -> dict[int, Details]:
        rows = self._rows("number, details", "content", numbers)
        return {number: records.load_details(data) for number, data in rows}

    def texts(self, spans: Sequence[tuple[int, int, int]]) -> list[str]:
        allowed = set(self._readable([number for number, _, _ in spans]).tolist())
        wanted = sorted(
            {
                (number, page)
                for number, start, end in spans
                if number in allowed
                for page in range(start // records.PAGE, -(-end // records.PAGE))
            }
        )
        if not wanted:
            return [""] * len(spans)
        asked = np.array(wanted, np.int64)
        found: dict[int, dict[int, str]] = {}
        for (number, page), text in self._source.pages((asked[:, 0], asked[:, 1])).items():
            found.setdefault(number, {})[page] = text
        return [
            records.slice_of(found.get(number, {}), start, end) if number in allowed else ""
            for number, start, end in spans
        ]
