"""A SQLite namespace as one reader sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from sqlite3 import Connection
from typing import Any

from seamline.store import records
from seamline.store.base import Asked, Scope
from seamline.store.common import check_vector
from seamline.store.snapshot import Snapshot, SnapshotScope
from seamline.store.sqlite.rows import HELD, SHIFT, held_of, marks, parts
from seamline.store.values import Columns, Details, Held, NamespaceInfo, Reader, Totals
from seamline.store.where import Where
from seamline.types import IntArray

__all__ = ["SqliteView"]


class SqliteView:
    """See `View`."""

    def __init__(
        self,
        info: NamespaceInfo,
        connection: Connection,
        reader: Reader,
        snapshot: Snapshot,
        at: int,
        revision: int,
        chosen: set[int] | None,
    ) -> None:
        self.reader = reader
        self._info = info
        self._connection = connection
        self._snapshot = snapshot
        self._at = at
        self._revision = revision
        self._chosen = chosen

    def _scope(self, where: Where | None = None) -> SnapshotScope:
        """What the reader may search, narrowed down by `where`."""
        reader = replace(self.reader, as_of=self._at, where=where)
        known = self._snapshot.remembered(reader)
        if known is None:
            scope = self._snapshot.scope(reader, None if where is None else self._chosen)
            scope.whole = None if where is None else self._scope()
            known = self._snapshot.remember(reader, scope)
        return known

    def count(self) -> Totals:
        scope = self._scope(self.reader.where)
        return Totals(len(scope.documents), len(scope), self._revision)

    def scope(self, asked: Asked | None = None) -> Scope:
        if asked is not None:
            check_vector(asked.vector, self._info)
        return self._scope(self.reader.where)

    def _readable(self, numbers: Sequence[int]) -> list[int]:
        documents = self._scope(self.reader.where).documents
        at = documents.searchsorted(numbers)
        return [
            number
            for number, place in zip(numbers, at.tolist(), strict=True)
            if place < len(documents) and documents[place] == number
        ]

    def _rows(self, columns: str, table: str, numbers: Sequence[int]) -> Iterator[tuple[Any, ...]]:
        for some in parts(sorted(set(self._readable(numbers)))):
            yield from self._connection.execute(
                f"SELECT {columns} FROM {table} WHERE number IN ({marks(some)})",  # noqa: S608
                some,
            )

    def held(self, numbers: Sequence[int]) -> dict[int, Held]:
        return {row[0]: held_of(row) for row in self._rows(HELD, "document", numbers)}

    def columns(self, numbers: Sequence[int]) -> dict[int, tuple[Columns, IntArray]]:
        rows = self._rows("number, columns, ends", "content", numbers)
        return {
            number: (records.load_columns(columns), records.load_ends(ends))
            for number, columns, ends in rows
        }

    def details(self, numbers: Sequence[int]) -> dict[int, Details]:
        rows = self._rows("number, details", "content", numbers)
        return {number: records.load_details(data) for number, data in rows}

    def texts(self, spans: Sequence[tuple[int, int, int]]) -> list[str]:
        readable = set(self._readable(sorted({number for number, _, _ in spans})))
        return [self._text(*span) if span[0] in readable else "" for span in spans]

    def _text(self, number: int, start: int, end: int) -> str:
        base = number << SHIFT
        first, last = start // records.PAGE, max(end - 1, start) // records.PAGE
        rows = self._connection.execute(
            "SELECT id, text FROM page WHERE id BETWEEN ? AND ?", (base + first, base + last)
        )
        pages = {page - base: text for page, text in rows}
        return records.slice_of(pages, start, end)
