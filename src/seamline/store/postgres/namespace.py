"""The documents of a namespace in PostgreSQL's tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from seamline.errors import StoreError
from seamline.store import records
from seamline.store.base import View
from seamline.store.common import check_entries, check_keep, check_revision
from seamline.store.postgres.binary import halves
from seamline.store.postgres.known import Known
from seamline.store.postgres.link import Connection, Link, become
from seamline.store.postgres.rows import HELD, Batch, copy, held_of
from seamline.store.postgres.schema import Tables
from seamline.store.postgres.settle import settle
from seamline.store.postgres.source import Source, State
from seamline.store.postgres.view import PostgresView
from seamline.store.values import Entry, Held, NamespaceInfo, Reader
from seamline.types import FloatArray

__all__ = ["PostgresNamespace"]

_IDS = 10_000  # ids of documents read at a time


class PostgresNamespace:
    """See `Namespace`."""

    def __init__(self, link: Link, key: int, info: NamespaceInfo) -> None:
        self.info = info
        self._link = link
        self._key = key
        self._tables = Tables(key)
        self._known = Known()

    def put(self, entries: Sequence[Entry], *, keep_versions: int = 0) -> int:
        check_entries(entries, self.info)
        check_keep(keep_versions)
        with self._writing() as connection:
            # All that is heavy comes before the lock, so that writers work side by side.
            batches = [
                self._fill(connection, tenant, some) for tenant, some in _by_tenant(entries).items()
            ]
            revision, oldest = self._locked(connection)
            n_put = chunks = 0
            for batch in batches:
                fresh = self._fresh(connection, batch)
                ended, gone = self._replace(connection, fresh, keep_versions, revision + 1)
                oldest = max(oldest, ended)
                n_put += len(fresh)
                chunks += fresh.chunks - gone
            if n_put:
                revision += 1
                self._advance(connection, revision, oldest, chunks)
        return revision

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._link.writing() as connection:
            self._tables.lock(connection, self.info.dim, "ROW EXCLUSIVE")
            yield connection

    def _numbers(self, connection: Connection, n: int) -> list[int]:
        rows = connection.execute(
            "SELECT nextval('seamline.number') FROM generate_series(1, %s)", [n]
        ).fetchall()
        return [number for (number,) in rows]

    def _fill(self, connection: Connection, tenant: str, entries: Sequence[Entry]) -> Batch:
        """Put in what needs no lock, of the documents that are not there as they are."""
        become(connection, tenant)
        same = self._same(connection, tenant, entries)
        fresh = [entry for entry in entries if entry.doc_id not in same]
        batch = Batch(tenant, fresh, self._numbers(connection, len(fresh)))
        for name, rows in batch.contents().items():
            if rows:
                copy(connection, self._tables, name, rows)
        return batch

    def _same(self, connection: Connection, tenant: str, entries: Sequence[Entry]) -> set[str]:
        """The ids of those documents that are there with the same digest."""
        rows = connection.execute(
            self._tables.sql(
                "SELECT d.doc_id FROM @document d JOIN unnest(%s::text[], %s::bytea[]) "
                "AS n (doc_id, digest) ON d.doc_id = n.doc_id AND d.digest = n.digest "
                "WHERE d.tenant = %s AND d.removed IS NULL"
            ),
            ([one.doc_id for one in entries], [one.digest for one in entries], tenant),
        ).fetchall()
        return {doc_id for (doc_id,) in rows}

    def _fresh(self, connection: Connection, batch: Batch) -> Batch:
        """Without the documents that another writer has put since, just as they are."""
        become(connection, batch.tenant)
        same = self._same(connection, batch.tenant, batch.entries)
        if not same:
            return batch
        fresh, dropped = batch.without(same)
        self._delete(connection, batch.tenant, dropped)
        return fresh

    def _replace(
        self, connection: Connection, batch: Batch, keep: int, revision: int
    ) -> tuple[int, int]:
        """Put documents in the place of their former versions; see `_keep`."""
        if not len(batch):
            return 0, 0
        doc_ids = [entry.doc_id for entry in batch.entries]
        former = connection.execute(
            self._tables.sql(
                "SELECT doc_id, max(version) FROM @document WHERE tenant = %s "
                "AND doc_id = ANY (%s) GROUP BY doc_id"
            ),
            (batch.tenant, doc_ids),
        ).fetchall()
        known = [doc_id for doc_id, _ in former]
        if known:
            self._retire(connection, batch.tenant, known, revision)
        copy(connection, self._tables, "document", batch.documents(dict(former), revision))
        return self._keep(connection, batch.tenant, known, keep)

    def remove(self, tenant: str, doc_ids: Sequence[str], *, keep_versions: int = 0) -> int:
        check_keep(keep_versions)
        with self._writing() as connection:
            revision, oldest = self._locked(connection)
            become(connection, tenant)
            ended = self._retire(connection, tenant, doc_ids, revision + 1)
            if ended:
                last, chunks = self._keep(connection, tenant, ended, keep_versions)
                self._advance(connection, revision + 1, max(oldest, last), -chunks)
            return len(ended)

    def _locked(self, connection: Connection) -> tuple[int, int]:
        """The revision and the oldest that is kept; no other writer goes on until the end."""
        found = self._state(connection, lock=True)
        return found.revision, found.oldest

    def _state(self, connection: Connection, *, lock: bool = False) -> State:
        statement = "SELECT revision, oldest, chunks, settled FROM namespace WHERE id = %s"
        row = connection.execute(
            statement + " FOR UPDATE" if lock else statement, [self._key]
        ).fetchone()
        if row is None:
            raise StoreError(f"namespace {self.info.name!r} was dropped: ingest it again")
        return State(*row)

    def _retire(
        self, connection: Connection, tenant: str, doc_ids: Sequence[str], at: int
    ) -> list[str]:
        """End the current versions of documents; those of which there was one."""
        rows = connection.execute(
            self._tables.sql(
                "UPDATE @document SET removed = %s WHERE tenant = %s AND doc_id = ANY (%s) "
                "AND removed IS NULL RETURNING doc_id"
            ),
            (at, tenant, list(doc_ids)),
        ).fetchall()
        return [doc_id for (doc_id,) in rows]

    def _keep(
        self, connection: Connection, tenant: str, doc_ids: Sequence[str], keep: int
    ) -> tuple[int, int]:
        """Delete the versions that are not kept: when the last of them ended, their chunks."""
        if not doc_ids:
            return 0, 0
        rows = connection.execute(
            self._tables.sql(
                "DELETE FROM @document WHERE tenant = %s AND number IN (SELECT number FROM ("
                "SELECT number, row_number() OVER (PARTITION BY doc_id ORDER BY version DESC) "
                "AS nth FROM @document WHERE tenant = %s AND doc_id = ANY (%s) "
                "AND removed IS NOT NULL) former WHERE nth > %s) "
                "RETURNING number, removed, n_chunks"
            ),
            (tenant, tenant, list(doc_ids), keep),
        ).fetchall()
        if rows:
            self._delete(connection, tenant, [row[0] for row in rows])
        return max((row[1] for row in rows), default=0), sum(row[2] for row in rows)

    def _delete(self, connection: Connection, tenant: str, numbers: Sequence[int]) -> None:
        """Delete all that belongs to documents but their rows in `document`."""
        for name in ("content", "page", "word", *(["chunk"] if self.info.dim else [])):
            connection.execute(
                self._tables.sql(f"DELETE FROM @{name} WHERE tenant = %s AND number = ANY (%s)"),  # noqa: S608
                (tenant, list(numbers)),
            )

    def _advance(self, connection: Connection, revision: int, oldest: int, chunks: int) -> None:
        connection.execute(
            "UPDATE namespace SET revision = %s, oldest = %s, chunks = chunks + %s WHERE id = %s",
            (revision, oldest, chunks, self._key),
        )

    def settle(self) -> bool:
        """Build the indexes of a namespace that has become large; whether it was time.

        To be called when an ingest ends: what is loaded before costs no upkeep of indexes,
        and what is asked before is answered exactly, only slower.
        """
        return settle(self._link, self._tables, self.info.dim)

    @property
    def n_bytes(self) -> int:
        """What the namespace takes on disk, with its indexes."""
        with self._link.reading() as connection:
            return self._tables.size(connection, self.info.dim)

    def digests(self, tenant: str, doc_ids: Sequence[str]) -> dict[str, bytes]:
        rows = self._own(
            "SELECT doc_id, digest FROM @document WHERE tenant = %s AND doc_id = ANY (%s) "
            "AND removed IS NULL",
            (tenant, list(doc_ids)),
        )
        return {doc_id: bytes(digest) for doc_id, digest in rows}

    def doc_ids(self, tenant: str) -> Iterator[str]:
        last, more = "", True
        while more:
            rows = self._own(
                "SELECT doc_id FROM @document WHERE tenant = %s AND doc_id > %s "
                "AND removed IS NULL ORDER BY doc_id LIMIT %s",
                (tenant, last, _IDS),
            )
            yield from (doc_id for (doc_id,) in rows)
            more = len(rows) == _IDS
            last = rows[-1][0] if rows else last

    def vectors(self, tenant: str, doc_id: str) -> dict[bytes, FloatArray]:
        if not self.info.dim:
            return {}
        rows = self._own(
            "SELECT details, string_agg(halfvec_send(vec), '' ORDER BY ordinal) FROM @document d "
            "JOIN @content c USING (number) JOIN @chunk k USING (number) WHERE d.tenant = %s "
            "AND k.tenant = d.tenant AND d.doc_id = %s AND d.removed IS NULL GROUP BY details",
            (tenant, doc_id),
        )
        if not rows:
            return {}
        vectors = halves(rows[0][1], self.info.dim)
        return dict(zip(records.load_details(rows[0][0]).digests, vectors, strict=True))

    def versions(self, tenant: str, doc_id: str) -> list[Held]:
        rows = self._own(
            f"SELECT {HELD} FROM @document d WHERE d.tenant = %s AND d.doc_id = %s "  # noqa: S608
            "ORDER BY d.version DESC",
            (tenant, doc_id),
        )
        return list(map(held_of, rows))

    def _own(self, statement: str, parameters: tuple[Any, ...]) -> list[Any]:
        """What a statement finds among all of a tenant's documents, the first parameter's."""
        with self._link.reading(parameters[0]) as connection:
            return connection.execute(self._tables.sql(statement), parameters).fetchall()

    @contextmanager
    def read(self, reader: Reader) -> Iterator[View]:
        with self._link.reading() as connection:
            become(connection, reader.tenant, sorted(reader.access), self._link.reader)
            state = self._state(connection)
            check_revision(reader, state.oldest, state.revision)
            source = Source(connection, self._tables, reader, state, self.info.dim)
            try:
                yield PostgresView(self.info, source, self._known)
            finally:
                source.ended.append(True)


def _by_tenant(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.tenant, []).append(entry)
    return groups
