"""The store for many machines: PostgreSQL with pgvector."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Self

from seamline.errors import InvalidConfig, MissingExtra
from seamline.store import records
from seamline.store.base import Namespace
from seamline.store.common import check_info, no_namespace
from seamline.store.values import NamespaceInfo

if TYPE_CHECKING:
    from seamline.store.postgres.link import Link
    from seamline.store.postgres.namespace import PostgresNamespace

__all__ = ["PostgresStore"]

_PREFIXES = ("postgresql://", "postgres://")


class PostgresStore:
    """Documents in the PostgreSQL database that `postgresql://user@host/database` names.

    They lie in a schema of their own, `seamline`; what libpq reads from the environment and
    from `~/.pgpass` counts too. It is safe to be used by many threads, processes and machines
    at once. Vectors are kept in half precision. Up to 20,000 chunks that a reader may search,
    each is scored; beyond, the best are looked for by indexes, once `settle` has built them.

    Raises:
        MissingExtra: psycopg is not installed.
        InvalidConfig: it is no such URL.
        StoreError: the database cannot be reached, lacks pgvector 0.8.4 or later, or its
            tables are of a later version.
    """

    def __init__(self, url: str) -> None:
        self._link = _link(url)
        from seamline.store.postgres.namespace import PostgresNamespace
        from seamline.store.postgres.schema import Tables, prepare

        self._namespace, self._tables = PostgresNamespace, Tables
        self._known: dict[int, PostgresNamespace] = {}
        self._lock = threading.Lock()
        try:
            prepare(self._link)
        except BaseException:
            self._link.close()
            raise

    @staticmethod
    def is_there(url: str) -> bool:
        """Whether there is a store in the database of a URL."""
        link = _link(url)
        from seamline.store.postgres.schema import is_prepared

        try:
            return is_prepared(link)
        finally:
            link.close()

    @property
    def url(self) -> str:
        """What opens it again, without a password."""
        return self._link.url

    def namespaces(self) -> list[NamespaceInfo]:
        with self._link.reading() as connection:
            rows = connection.execute("SELECT info FROM namespace ORDER BY name").fetchall()
        return [records.info_from(info) for (info,) in rows]

    def create(self, info: NamespaceInfo) -> Namespace:
        with self._link.writing() as connection:
            row = connection.execute(
                "INSERT INTO namespace (name, info) VALUES (%s, %s) ON CONFLICT DO NOTHING "
                "RETURNING id",
                (info.name, records.info_text(info)),
            ).fetchone()
            if row is not None:
                guarded = self._link.reader is not None
                self._tables(row[0]).create(connection, info.dim, guarded=guarded)
        namespace = self.open(info.name)
        check_info(namespace.info, info)
        return namespace

    def open(self, name: str) -> Namespace:
        with self._link.reading() as connection:
            row = connection.execute(
                "SELECT id, info FROM namespace WHERE name = %s", (name,)
            ).fetchone()
            if row is None:
                names = connection.execute("SELECT name FROM namespace").fetchall()
                raise no_namespace(name, (one for (one,) in names))
        with self._lock:
            made = self._namespace(self._link, row[0], records.info_from(row[1]))
            return self._known.setdefault(row[0], made)

    def drop(self, name: str) -> bool:
        with self._link.writing() as connection:
            row = connection.execute(
                "SELECT id, info FROM namespace WHERE name = %s", (name,)
            ).fetchone()
            if row is None:
                return False
            tables, dim = self._tables(row[0]), records.info_from(row[1]).dim
            if tables.are_there(connection, dim):
                tables.lock(connection, dim, "ACCESS EXCLUSIVE")
            tables.drop(connection, dim)
            connection.execute("DELETE FROM namespace WHERE id = %s", row[:1])
        with self._lock:
            self._known.pop(row[0], None)
        return True

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _link(url: str) -> Link:
    if not url.startswith(_PREFIXES) or "\0" in url:
        raise InvalidConfig(
            "the URL of a PostgreSQL store must be like postgresql://user@host/database, got "
            f"{url.partition(':')[0]}:…"
        )
    try:
        from seamline.store.postgres.link import Link
    except ImportError as error:
        raise MissingExtra(
            f"a PostgreSQL store needs psycopg, which is not installed ({error}): "
            "pip install 'seamline[postgres]'"
        ) from None
    return Link(url)
