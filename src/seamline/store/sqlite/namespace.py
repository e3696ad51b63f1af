"""The documents of a namespace in SQLite's tables, and their snapshot in memory."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from sqlite3 import Connection
from typing import Any

from seamline.errors import StoreError
from seamline.store import records
from seamline.store.base import View
from seamline.store.common import check_entries, check_keep, check_revision, facts
from seamline.store.snapshot import Snapshot
from seamline.store.sqlite.file import SqliteFile
from seamline.store.sqlite.rows import (
    HELD,
    INSERT,
    MANY,
    SHIFT,
    described,
    filed_of,
    held_of,
    marks,
    packed,
    parts,
    purge,
)
from seamline.store.sqlite.view import SqliteView
from seamline.store.values import Entry, Held, NamespaceInfo, Reader
from seamline.store.where import Where
from seamline.types import FloatArray

__all__ = ["SqliteNamespace"]

_BYTES = """
    SELECT
        (SELECT sum(length(columns) + length(ends) + length(details) + ifnull(length(vectors), 0))
            FROM content JOIN document USING (number) WHERE namespace = ?),
        (SELECT sum(length(CAST(text AS BLOB)))
            FROM document JOIN page
            ON page.id BETWEEN document.number << 20 AND ((document.number + 1) << 20) - 1
            WHERE namespace = ?)
"""
_PURGED = 10_000  # revisions of which it is remembered what left
_MOST_WASTE = 0.5  # the share of chunks nobody reads at which a snapshot is made anew


class SqliteNamespace:
    """See `Namespace`."""

    def __init__(self, file: SqliteFile, key: int, info: NamespaceInfo) -> None:
        self.info = info
        self._file = file
        self._key = key
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._loaded = 0  # the revision at which the snapshot was begun
        self._chosen: dict[Where, tuple[int, set[int]]] = {}

    @property
    def n_bytes(self) -> int:
        """What the documents take in the file, without its indexes; reads all of them."""
        with self._file.reading() as connection:
            ((content, text),) = connection.execute(_BYTES, (self._key, self._key))
        return int(content or 0) + int(text or 0)

    def put(self, entries: Sequence[Entry], *, keep_versions: int = 0) -> int:
        check_entries(entries, self.info)
        check_keep(keep_versions)
        contents = [packed(entry) for entry in entries]
        with self._file.writing() as connection:
            revision, oldest = self._revision(connection)
            changed = False
            for entry, content in zip(entries, contents, strict=True):
                if self._same(connection, entry):
                    continue
                revision, changed = revision + (not changed), True
                self._retire(connection, entry.tenant, entry.doc_id, revision)
                self._insert(connection, entry, content, revision)
                purged = self._keep(connection, entry.tenant, entry.doc_id, keep_versions, revision)
                oldest = max(oldest, purged)
            if changed:
                self._advance(connection, revision, oldest)
        return revision

    def _same(self, connection: Connection, entry: Entry) -> bool:
        """Whether the current version of a document is the one that is put."""
        row = connection.execute(
            "SELECT digest FROM document WHERE namespace = ? AND tenant = ? AND doc_id = ? "
            "AND removed IS NULL",
            (self._key, entry.tenant, entry.doc_id),
        ).fetchone()
        return row is not None and bytes(row[0]) == entry.digest

    def remove(self, tenant: str, doc_ids: Sequence[str], *, keep_versions: int = 0) -> int:
        check_keep(keep_versions)
        with self._file.writing() as connection:
            revision, oldest = self._revision(connection)
            n, revision = 0, revision + 1
            for doc_id in dict.fromkeys(doc_ids):
                if self._retire(connection, tenant, doc_id, revision):
                    n += 1
                    purged = self._keep(connection, tenant, doc_id, keep_versions, revision)
                    oldest = max(oldest, purged)
            if n:
                self._advance(connection, revision, oldest)
        return n

    def _revision(self, connection: Connection) -> tuple[int, int]:
        row = connection.execute(
            "SELECT revision, oldest FROM namespace WHERE id = ?", (self._key,)
        ).fetchone()
        if row is None:
            raise StoreError(f"namespace {self.info.name!r} was dropped: ingest it again")
        return row[0], row[1]

    def _retire(self, connection: Connection, tenant: str, doc_id: str, at: int) -> bool:
        """End the current version of a document; whether there was one."""
        done = connection.execute(
            "UPDATE document SET removed = ? WHERE namespace = ? AND tenant = ? AND doc_id = ? "
            "AND removed IS NULL",
            (at, self._key, tenant, doc_id),
        )
        return done.rowcount > 0

    def _insert(
        self, connection: Connection, entry: Entry, content: tuple[Any, ...], revision: int
    ) -> None:
        key = self._key, entry.tenant, entry.doc_id
        (version,) = connection.execute(
            "SELECT coalesce(max(version), 0) + 1 FROM document "
            "WHERE namespace = ? AND tenant = ? AND doc_id = ?",
            key,
        ).fetchone()
        values = (*key, version, *described(entry), revision)
        number = connection.execute(INSERT, values).lastrowid
        connection.execute("INSERT INTO content VALUES (?, ?, ?, ?, ?)", (number, *content))
        base = (number or 0) << SHIFT
        connection.executemany(
            "INSERT INTO page VALUES (?, ?)",
            ((base + page, text) for page, text in records.pages(entry.text)),
        )

    def _keep(
        self, connection: Connection, tenant: str, doc_id: str, keep: int, revision: int
    ) -> int:
        """Delete the versions of a document that are not kept; when the last of them ended."""
        rows = connection.execute(
            "SELECT number, removed FROM document WHERE namespace = ? AND tenant = ? "
            "AND doc_id = ? AND removed IS NOT NULL ORDER BY number DESC LIMIT -1 OFFSET ?",
            (self._key, tenant, doc_id, keep),
        ).fetchall()
        purge(connection, [number for number, _ in rows])
        connection.executemany(
            "INSERT INTO purged VALUES (?, ?, ?, ?)",
            ((self._key, revision, *row) for row in rows),
        )
        return max((removed for _, removed in rows), default=0)

    def _advance(self, connection: Connection, revision: int, oldest: int) -> None:
        connection.execute(
            "UPDATE namespace SET revision = ?, oldest = ? WHERE id = ?",
            (revision, oldest, self._key),
        )
        connection.execute(
            "DELETE FROM purged WHERE namespace = ? AND revision <= ?",
            (self._key, revision - _PURGED),
        )

    def digests(self, tenant: str, doc_ids: Sequence[str]) -> dict[str, bytes]:
        with self._file.reading() as connection:
            found: dict[str, bytes] = {}
            for some in parts(doc_ids):
                statement = (
                    "SELECT doc_id, digest FROM document WHERE namespace = ? AND tenant = ? AND "  # noqa: S608
                    f"removed IS NULL AND doc_id IN ({marks(some)})"
                )
                found |= connection.execute(statement, (self._key, tenant, *some)).fetchall()
        return found

    def doc_ids(self, tenant: str) -> Iterator[str]:
        last, more = "", True
        while more:
            with self._file.reading() as connection:
                rows = connection.execute(
                    "SELECT doc_id FROM document WHERE namespace = ? AND tenant = ? AND doc_id > ? "
                    "AND removed IS NULL ORDER BY doc_id LIMIT 10000",
                    (self._key, tenant, last),
                ).fetchall()
            yield from (doc_id for (doc_id,) in rows)
            more = bool(rows)
            last = rows[-1][0] if rows else last

    def vectors(self, tenant: str, doc_id: str) -> dict[bytes, FloatArray]:
        with self._file.reading() as connection:
            row = connection.execute(
                "SELECT details, vectors FROM document JOIN content USING (number) WHERE "
                "namespace = ? AND tenant = ? AND doc_id = ? AND removed IS NULL",
                (self._key, tenant, doc_id),
            ).fetchone()
        vectors = records.load_vectors(row[1], self.info.dim) if row else None
        if vectors is None:
            return {}
        return dict(zip(records.load_details(row[0]).digests, vectors, strict=True))

    def versions(self, tenant: str, doc_id: str) -> list[Held]:
        with self._file.reading() as connection:
            rows = connection.execute(
                f"SELECT {HELD} FROM document WHERE namespace = ? AND tenant = ? AND doc_id = ? "  # noqa: S608
                "ORDER BY number DESC",
                (self._key, tenant, doc_id),
            ).fetchall()
        return list(map(held_of, rows))

    @contextmanager
    def read(self, reader: Reader) -> Iterator[View]:
        while True:
            with self._file.reading() as connection:
                revision, oldest = self._revision(connection)
                check_revision(reader, oldest, revision)
                snapshot = self._current(connection, revision)
                if snapshot is not None:
                    at = revision if reader.as_of is None else reader.as_of
                    chosen = self._choose(connection, reader.where, revision)
                    yield SqliteView(self.info, connection, reader, snapshot, at, revision, chosen)
                    return

    def _current(self, connection: Connection, revision: int) -> Snapshot | None:
        """A snapshot that knows a revision; None where another thread's is begun after it."""
        with self._lock:
            snapshot = self._snapshot
            if snapshot is not None and revision < self._loaded:
                return None
            if snapshot is None or _worn(snapshot, revision):
                snapshot, self._loaded = Snapshot(self.info.dim), revision
            if snapshot.revision < revision:
                snapshot = self._extended(connection, snapshot, revision)
            self._snapshot = snapshot
            return snapshot

    def _extended(self, connection: Connection, snapshot: Snapshot, revision: int) -> Snapshot:
        since = self._key, snapshot.revision
        rows = connection.execute(
            "SELECT number, tenant, access, added, removed, columns, vectors FROM document "
            "JOIN content USING (number) WHERE namespace = ? AND added > ? ORDER BY number",
            since,
        )
        removed = connection.execute(
            "SELECT number, removed FROM document WHERE namespace = ? AND removed > ?", since
        ).fetchall()
        purged = connection.execute(
            "SELECT number, removed FROM purged WHERE namespace = ? AND revision > ?", since
        ).fetchall()
        (n_chunks,) = connection.execute(
            "SELECT coalesce(sum(n_chunks), 0) FROM document WHERE namespace = ? AND added > ?",
            since,
        ).fetchone()
        return snapshot.extended(
            (filed_of(row, self.info.dim) for row in rows),
            revision,
            removed=dict(removed),
            purged=dict(purged),
            n_chunks=n_chunks,
        )

    def _choose(
        self, connection: Connection, where: Where | None, revision: int
    ) -> set[int] | None:
        """The documents that a condition picks; what is known of them is kept."""
        if where is None:
            return None
        with self._lock:
            known, numbers = self._chosen.get(where, (0, set()))
            rows = connection.execute(
                f"SELECT {HELD} FROM document WHERE namespace = ? AND added > ?",  # noqa: S608
                (self._key, known),
            )
            found = numbers | {
                held.number for held in map(held_of, rows) if where.matches(facts(held))
            }
            if len(self._chosen) >= MANY:
                self._chosen.clear()
            self._chosen[where] = max(known, revision), found
            return found


def _worn(snapshot: Snapshot, revision: int) -> bool:
    """Whether a snapshot is better made anew than extended to a revision."""
    behind = revision - snapshot.revision
    return behind >= _PURGED or (behind > 0 and snapshot.waste > _MOST_WASTE * len(snapshot))
