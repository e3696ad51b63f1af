"""Connections to PostgreSQL: their transactions, and errors that say what to do."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from seamline.errors import InvalidConfig, StoreError
from seamline.store.postgres.binary import register

__all__ = ["LOCK_SECONDS", "READER", "SCHEMA", "Connection", "Link", "become"]

Connection = psycopg.Connection[Any]

SCHEMA = "seamline"
READER = "seamline_reader"
"""The role that reads: no owner, so that row-level security binds it."""

_IDLE = 8  # connections kept for the next one who asks
_CONNECT_SECONDS = 10
LOCK_SECONDS = 60
"""So long a transaction waits for another's lock."""


class Link:
    """Connections to one database, made when they are needed and kept for the next.

    `url` opens it again, without the password. `reader` is the role to read as, None where
    there is none; `vectors` the schema of pgvector's types.

    Raises:
        InvalidConfig: the URL cannot be read.
    """

    def __init__(self, url: str) -> None:
        try:
            self._given = conninfo_to_dict(url)
        except psycopg.Error:  # its message may hold the password
            raise InvalidConfig(
                "the URL of a PostgreSQL store must be like postgresql://user@host/database, with "
                "special characters of the password percent-encoded"
            ) from None
        self._password = str(self._given.get("password") or "")
        self.url = _without_password(self._given)
        self.reader: str | None = None
        self.vectors = "public"
        self._lock = threading.Lock()
        self._closed = False
        self._idle: list[tuple[int, Connection]] = []

    @contextmanager
    def writing(self, tenant: str | None = None) -> Iterator[Connection]:
        """A transaction that writes: all of it is kept, or nothing."""
        with self._transaction("READ WRITE", "READ COMMITTED") as connection:
            if tenant is not None:
                become(connection, tenant)
            yield connection

    @contextmanager
    def reading(self, tenant: str | None = None) -> Iterator[Connection]:
        """A transaction that sees the database as it is now, however long it takes."""
        with self._transaction("READ ONLY", "REPEATABLE READ") as connection:
            if tenant is not None:
                become(connection, tenant)
            yield connection

    @contextmanager
    def plain(self) -> Iterator[Connection]:
        """A transaction as the server has it, before it is known what is in the database."""
        with self.guarded(), self._taken() as connection, connection.transaction():
            yield connection

    @contextmanager
    def _transaction(self, kind: str, isolation: str) -> Iterator[Connection]:
        begin = sql.SQL(
            "BEGIN ISOLATION LEVEL {} {}; SET LOCAL search_path = {}, {}, pg_temp; "
            "SET LOCAL client_min_messages = warning; SET LOCAL lock_timeout = {}"
        ).format(
            sql.SQL(isolation),
            sql.SQL(kind),
            sql.Identifier(SCHEMA),
            sql.Identifier(self.vectors),
            sql.Literal(f"{LOCK_SECONDS}s"),
        )
        with self.guarded(), self._begun(begin) as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _begun(self, begin: sql.Composed) -> Iterator[Connection]:
        with self._taken() as connection:
            try:
                connection.execute(begin)
            except psycopg.OperationalError:
                connection.close()  # it lay idle while the server went: a new one may do
                with self._new() as fresh:
                    fresh.execute(begin)
                    yield fresh
                return
            yield connection

    @contextmanager
    def _taken(self) -> Iterator[Connection]:
        """A connection, given back in the end unless something is wrong with it."""
        with self._lock:
            own = [one for one in self._idle if one[0] == os.getpid()]
            if own:
                self._idle.remove(own[-1])
        with self._kept(own[-1][1] if own else self._connect()) as connection:
            yield connection

    @contextmanager
    def _new(self) -> Iterator[Connection]:
        with self._kept(self._connect()) as connection:
            yield connection

    @contextmanager
    def _kept(self, connection: Connection) -> Iterator[Connection]:
        try:
            yield connection
        except BaseException:
            if not connection.closed:
                _roll_back(connection)
            raise
        finally:
            self._give_back(connection)

    def _give_back(self, connection: Connection) -> None:
        idle = psycopg.pq.TransactionStatus.IDLE
        if connection.closed or connection.info.transaction_status != idle:
            connection.close()
            return
        with self._lock:
            room = len(self._idle) < _IDLE and not self._closed
            if room:
                self._idle.append((os.getpid(), connection))
        if not room:
            connection.close()

    def _connect(self) -> Connection:
        if self._closed:
            raise StoreError(f"store {self.url!r} must be open, but was closed: open it anew")
        # Plans are made anew for each question: a generic one would ignore what is set for it.
        settings: dict[str, Any] = {
            "connect_timeout": _CONNECT_SECONDS,
            "application_name": "seamline",
        }
        made: Connection = psycopg.connect(
            make_conninfo(**{**settings, **self._given}), autocommit=True, prepare_threshold=None
        )
        register(made)
        return made

    def close(self) -> None:
        """Close the connections of this process that nobody uses; no more are made."""
        with self._lock:
            self._closed = True
            for pid, connection in self._idle:
                if pid == os.getpid():
                    connection.close()
            # Those of a process that this one was forked off from stay its own.
            self._idle = [one for one in self._idle if one[0] != os.getpid()]

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn PostgreSQL's errors into ones that say what must hold and what to do."""
        try:
            yield
        except (psycopg.Error, UnicodeEncodeError) as error:
            told = " ".join(str(error).split())
            if self._password:
                told = told.replace(self._password, "…")
            hint = _hint(error, told)
            # The cause may hold the password; what it says is said.
            raise StoreError(f"store {self.url!r}: {hint or told}") from None


def become(
    connection: Connection, tenant: str, access: Sequence[str] = (), role: str | None = None
) -> None:
    """Tell row-level security for whom the rest of the transaction works, and by which role."""
    # The sign before the tenant tells no tenant at all from one without a name.
    statement = (
        "SELECT set_config('seamline.tenant', %s, true), "
        "set_config('seamline.access', %s::text[]::text, true)"
    )
    given = ["=" + tenant, list(access)]
    if role is None:
        connection.execute(statement, given)
    else:
        connection.execute(statement + ", set_config('role', %s, true)", [*given, role])


def _roll_back(connection: Connection) -> None:
    try:
        connection.execute("ROLLBACK")
    except psycopg.Error:
        connection.close()


def _without_password(given: Mapping[str, Any]) -> str:
    """A URL of these parameters, but for what is secret."""
    rest = {key: str(value) for key, value in given.items() if key not in _SECRET}
    user, database = (quote(rest.pop(key, ""), safe="") for key in ("user", "dbname"))
    host = rest.get("host", "")
    place = ""
    if host and not set(host) & set("/,:@[]"):
        place = quote(rest.pop("host"), safe="")
        place += f":{rest.pop('port')}" if rest.get("port") else ""
    more = f"?{urlencode(rest, safe='/,')}" if rest else ""
    return f"postgresql://{user}{'@' if user else ''}{place}/{database}{more}"


_SECRET = ("password", "sslpassword")

_HINTS = {
    "08": "the connection was lost: look at the server, then try again",
    "22P05": "text must not hold lone surrogates: {told}",
    "25006": "it must be writable, but this server only reads: give the primary's URL",
    "28": "user and password must be right: {told}",
    "3D000": "the database must be there: {told}: create it, or correct the URL",
    "3F000": "its tables are gone: open the store again",
    "40": "another writer was in the way: try again: {told}",
    "42501": "the user must be allowed to: {told}",
    "42P01": "the namespace was dropped, or tables of it are gone: drop it, and ingest again: "
    "{told}",
    "53100": "there must be room on its disk: {told}",
    "53": "the server must have connections, memory and room to spare: {told}",
    "54000": "ids, tenants and labels must be under 2,600 bytes: {told}",
    "55P03": "another has its tables locked: wait for that to end: {told}",
    "57014": "the server ended what took too long (statement_timeout): {told}",
    "57": "the server ended the connection: look at the server, then try again: {told}",
    "58": "the server failed to read or write: look at its disk: {told}",
}
_TOLD = {
    "password authentication failed": "user and password must be right: {told}",
    "no password supplied": "a password is needed: give it in the URL or in PGPASSWORD: {told}",
    "does not exist": "the user and the database must be there: {told}: create them, or correct "
    "the URL",
    "server closed the connection": "the connection was lost: look at the server, then try again",
    "connection is closed": "the connection was lost: look at the server, then try again",
    "connection is lost": "the connection was lost: look at the server, then try again",
    "too many clients": "the server must have connections to spare: {told}",
    "invalid integer value": "the URL must be right: {told}",
    "invalid port number": "the URL must be right: {told}",
    "number of parameters": "a condition must have fewer values: {told}",
}


def _hint(error: Exception, told: str) -> str:
    """What to do about an error; empty where nothing better is known than what it says."""
    if isinstance(error, UnicodeEncodeError):
        return "text must not hold lone surrogates"
    state = getattr(error, "sqlstate", None) or ""
    hint = next((_HINTS[state[:n]] for n in (5, 2) if state[:n] in _HINTS), "")
    if not hint and not state and isinstance(error, psycopg.OperationalError):
        default = "it must be reachable: {told}: start the server, or correct the URL"
        hint = next((hint for said, hint in _TOLD.items() if said in told), default)
    return hint.format(told=told)
