"""The tables of a store in PostgreSQL, their versions, and who may read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from psycopg import errors, sql

from seamline.errors import StoreError
from seamline.store.postgres.link import READER, SCHEMA, Connection, Link

if TYPE_CHECKING:
    from psycopg.sql import Composed

__all__ = ["MIGRATIONS", "Tables", "is_prepared", "prepare"]

_LOCK = 0x5EA3711E  # of pg_advisory_xact_lock: one session at a time changes the tables
_OLDEST = (0, 8, 4)  # pgvector: before it, vacuum could damage an HNSW index
_PLAIN_DIM = 3_000  # a longer vector may not fit into a row's page

# Each setting is read by a SELECT of its own: once a statement, and not once a row.
_TENANT = (
    "(SELECT current_setting('seamline.tenant', true) LIKE '=%') AND "
    "tenant = (SELECT substr(current_setting('seamline.tenant', true), 2))"
)
_ACCESS = (
    "(access = '{}' OR "
    "access && (SELECT nullif(current_setting('seamline.access', true), '')::text[]))"
)
# As a part of the policy it may use the index: what a user asks is looked at after the policy.
_TERMS = "terms && (SELECT nullif(current_setting('seamline.terms', true), '')::bigint[])"


class Tables:
    """The tables of one namespace; `sql` puts their names where a statement has `@name`."""

    NAMES = ("document", "content", "page", "chunk", "word")

    def __init__(self, key: int) -> None:
        self.key = key

    def sql(self, statement: str) -> bytes:
        """The statement, with `@document` and so on as the names of this namespace's tables."""
        return re.sub(r"@([a-z]+)", rf"{SCHEMA}.\1_{self.key}", statement).encode()

    def create(self, connection: Connection, dim: int, *, guarded: bool) -> None:
        """Make the tables; `guarded` where there is a role to read as."""
        for name in self._names(dim):
            connection.execute(self.sql(_TABLES[name].replace("@dim", str(dim))))
            if name == "chunk" and dim <= _PLAIN_DIM:
                connection.execute(self.sql("ALTER TABLE @chunk ALTER vec SET STORAGE PLAIN"))
            self._protect(connection, name, guarded=guarded)
        for statement in _INDEXES:
            connection.execute(self.sql(statement))

    def _names(self, dim: int) -> list[str]:
        return [name for name in self.NAMES if dim or name != "chunk"]

    def _protect(self, connection: Connection, name: str, *, guarded: bool) -> None:
        statements = [
            f"ALTER TABLE @{name} ENABLE ROW LEVEL SECURITY",
            f"ALTER TABLE @{name} FORCE ROW LEVEL SECURITY",
            f"CREATE POLICY writing ON @{name} TO CURRENT_USER USING ({_TENANT})",
        ]
        if guarded:
            condition = f"{_TENANT} AND {_ACCESS}" + (f" AND {_TERMS}" if name == "word" else "")
            statements += [
                f"CREATE POLICY reading ON @{name} FOR SELECT TO {READER} USING ({condition})",
                f"GRANT SELECT ON @{name} TO {READER}",
            ]
        for statement in statements:
            connection.execute(self.sql(statement))

    def size(self, connection: Connection, dim: int) -> int:
        """The bytes of the tables and their indexes."""
        sizes = [f"pg_total_relation_size('@{name}')" for name in self._names(dim)]
        row = connection.execute(self.sql(f"SELECT {' + '.join(sizes)}")).fetchone()
        return int(row[0]) if row else 0

    def lock(self, connection: Connection, dim: int, mode: str) -> None:
        """Lock the chunks' tables. All who lock the namespace's row too do this before it."""
        names = ", ".join(f"@{name}" for name in self._names(dim) if name in ("chunk", "word"))
        connection.execute(self.sql(f"LOCK TABLE {names} IN {mode} MODE"))

    def are_there(self, connection: Connection, dim: int) -> bool:
        """Whether all tables are there, as somebody may have dropped one."""
        named = [f"to_regclass('@{name}') IS NOT NULL" for name in self._names(dim)]
        row = connection.execute(self.sql(f"SELECT {' AND '.join(named)}")).fetchone()
        return bool(row and row[0])

    def drop(self, connection: Connection, dim: int) -> None:
        """Remove the tables and all that is in them."""
        names = ", ".join(f"@{name}" for name in self._names(dim))
        connection.execute(self.sql(f"DROP TABLE IF EXISTS {names}"))


_OWNER = 'tenant text COLLATE "C" NOT NULL, access text[] NOT NULL, number bigint NOT NULL'
_TABLES = {
    "document": f"""CREATE TABLE @document ({_OWNER} PRIMARY KEY,
        doc_id text COLLATE "C" NOT NULL, version integer NOT NULL, digest bytea NOT NULL,
        tags text[] NOT NULL, metadata jsonb NOT NULL, verbatim text NOT NULL,
        source text COLLATE "C" NOT NULL, media_type text COLLATE "C" NOT NULL,
        n_chunks integer NOT NULL, added bigint NOT NULL, removed bigint)""",
    "content": f"""CREATE TABLE @content ({_OWNER} PRIMARY KEY,
        columns bytea STORAGE EXTERNAL NOT NULL, ends bytea STORAGE EXTERNAL NOT NULL,
        details bytea STORAGE EXTERNAL NOT NULL)""",
    "page": f"""CREATE TABLE @page ({_OWNER}, page integer NOT NULL, text bytea NOT NULL,
        PRIMARY KEY (number, page))""",
    "chunk": f"""CREATE TABLE @chunk ({_OWNER}, ordinal integer NOT NULL,
        vec halfvec(@dim) NOT NULL, PRIMARY KEY (tenant, number, ordinal))""",
    "word": f"""CREATE TABLE @word ({_OWNER}, ordinal integer NOT NULL,
        length integer NOT NULL, terms bigint[] NOT NULL, counts smallint[] NOT NULL,
        PRIMARY KEY (tenant, number, ordinal))""",
}
_INDEXES = (
    "CREATE UNIQUE INDEX ON @document (tenant, doc_id) WHERE removed IS NULL",
    "CREATE INDEX ON @document (tenant, doc_id, version)",
    "CREATE INDEX ON @document (tenant, number)",
)


def _version_1(connection: Connection) -> None:
    """Namespaces, the numbers of documents, and the role that reads."""
    guarded = _make_reader(connection)
    for statement in (
        "CREATE TABLE seamline.setting (guarded boolean NOT NULL)",
        """CREATE TABLE seamline.namespace (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text COLLATE "C" NOT NULL UNIQUE, info text NOT NULL,
            revision bigint NOT NULL DEFAULT 0, oldest bigint NOT NULL DEFAULT 0,
            chunks bigint NOT NULL DEFAULT 0, settled boolean NOT NULL DEFAULT false)""",
        "CREATE SEQUENCE seamline.number",
    ):
        connection.execute(statement)
    connection.execute("INSERT INTO seamline.setting VALUES (%s)", [guarded])
    if guarded:
        reader = sql.Identifier(READER)
        connection.execute(sql.SQL("GRANT USAGE ON SCHEMA seamline TO {}").format(reader))
        connection.execute(sql.SQL("GRANT SELECT ON seamline.namespace TO {}").format(reader))


def _version_2(connection: Connection) -> None:
    """Whoever may only read can open the store."""
    if _one(connection, "SELECT count(*) FROM seamline.setting WHERE guarded"):
        reader = sql.Identifier(READER)
        tables = sql.SQL("GRANT SELECT ON seamline.migration, seamline.setting TO {}")
        connection.execute(tables.format(reader))


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_version_1, _version_2)
"""What makes tables of version i ones of version i + 1; never changed, only added to."""


def _make_reader(connection: Connection) -> bool:
    """Make the role that reads, where this user may; whether this user can read as it."""
    try:
        with connection.transaction():
            connection.execute(_make_role())
            connection.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(READER)))
    except errors.InsufficientPrivilege:
        pass  # an administrator may have made it
    return _may_become_reader(connection)


def _make_role() -> Composed:
    """It belongs to the server, so two databases may try at once."""
    return sql.SQL(
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = {}) THEN "
        "CREATE ROLE {} NOLOGIN; END IF; "
        "EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"
    ).format(sql.Literal(READER), sql.Identifier(READER))


def _may_become_reader(connection: Connection) -> bool:
    role = sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(READER))
    try:
        with connection.transaction():
            connection.execute(role)
            connection.execute("SET LOCAL ROLE NONE")
    except (errors.InsufficientPrivilege, errors.InvalidParameterValue):
        return False
    return True


def is_prepared(link: Link) -> bool:
    """Whether there are tables, of whatever version."""
    with link.plain() as connection:
        return bool(_one(connection, _THERE))


def prepare(link: Link) -> None:
    """See that the tables are there and this user can work with them.

    Raises:
        StoreError: they are of a later version; pgvector is missing or too old; this user may
            not do what is needed.
    """
    with link.plain() as connection:
        if _version(connection) < len(MIGRATIONS):
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            _migrate(connection)
        link.vectors = _check_vectors(connection)
        (guarded,) = connection.execute("SELECT guarded FROM seamline.setting").fetchone() or (0,)
        if guarded and not _may_become_reader(connection):
            raise StoreError(
                f"store {link.url!r}: the user must be a member of the role {READER}: have an "
                f"administrator GRANT {READER} to it"
            )
        link.reader = READER if guarded else None


# Asked of the catalogue itself: to_regclass may not know yet what was made meanwhile.
_THERE = (
    "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
    "WHERE nspname = 'seamline' AND relname = 'migration'"
)


_TAKEN = (
    "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace "
    "WHERE nspname = 'seamline'"
)


def _version(connection: Connection) -> int:
    """The version of the tables, 0 if there are none."""
    if not _one(connection, _THERE):
        return 0
    version = _one(connection, "SELECT coalesce(max(version), 0) FROM seamline.migration")
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the tables in schema {SCHEMA} must be of version {len(MIGRATIONS)} or before, got "
            f"{version}: a newer seamline made them, install that one"
        )
    return int(version)


def _migrate(connection: Connection) -> None:
    # A server with tables of a later version is left as it is, so that is looked at first.
    at = _version(connection)
    connection.execute("SET LOCAL client_min_messages = warning")
    _make_vectors(connection)
    _check_vectors(connection)
    if not at:
        _make_schema(connection)
    for version, migrate in list(enumerate(MIGRATIONS, 1))[at:]:
        migrate(connection)
        connection.execute("INSERT INTO seamline.migration (version) VALUES (%s)", [version])


def _make_schema(connection: Connection) -> None:
    if _one(connection, _TAKEN):
        raise StoreError(
            f"the schema {SCHEMA} of the database must be this library's own, but holds tables of "
            "another: give another database"
        )
    try:
        with connection.transaction():
            if not _one(connection, "SELECT count(*) FROM pg_namespace WHERE nspname = 'seamline'"):
                connection.execute("CREATE SCHEMA seamline")
            connection.execute(
                "CREATE TABLE seamline.migration ("
                "version integer PRIMARY KEY, made timestamptz NOT NULL DEFAULT now())"
            )
    except errors.InsufficientPrivilege as error:
        raise StoreError(
            f"the user must be allowed to make the schema {SCHEMA} and tables in it "
            f"({_told(error)}): have an administrator GRANT CREATE ON DATABASE to it"
        ) from None


def _make_vectors(connection: Connection) -> None:
    if _one(connection, "SELECT count(*) FROM pg_extension WHERE extname = 'vector'"):
        return
    try:
        with connection.transaction():
            connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except errors.InsufficientPrivilege as error:
        raise StoreError(
            f"the database must have the extension vector, and this user may not make it "
            f"({_told(error)}): have an administrator run CREATE EXTENSION vector"
        ) from None
    except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
        raise StoreError(
            f"the server must have pgvector {_dotted(_OLDEST)} or later, and has none "
            f"({_told(error)}): install it there"
        ) from None


def _check_vectors(connection: Connection) -> str:
    """The schema of pgvector's types."""
    row = connection.execute(
        "SELECT extversion, nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace "
        "WHERE extname = 'vector'"
    ).fetchone()
    if row is None:
        raise StoreError("the extension vector is gone: run CREATE EXTENSION vector")
    if tuple(map(int, re.findall(r"\d+", row[0]))) < _OLDEST:
        raise StoreError(
            f"pgvector must be of version {_dotted(_OLDEST)} or later, since before it VACUUM can "
            f"damage an index, got {row[0]}: install it, then run ALTER EXTENSION vector UPDATE"
        )
    return str(row[1])


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _told(error: Exception) -> str:
    return " ".join(str(error).split())


def _one(connection: Connection, statement: str) -> Any:
    row = connection.execute(statement.encode()).fetchone()
    return row[0] if row else None
