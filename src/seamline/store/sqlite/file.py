"""A SQLite file as a store: its tables, their versions, and errors that say what to do."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from seamline.errors import StoreError

__all__ = ["SqliteFile", "guarded"]

_APPLICATION = 0x5EA3711E  # PRAGMA application_id: a seamline index
_WAIT_SECONDS = 60.0
_CACHE_KB = 16_384
_MOST_IDLE = 16  # connections that wait for the next transaction


def _version_1(connection: sqlite3.Connection) -> None:
    """Namespaces; documents and their content; text in pages; what left for good."""
    for statement in (
        """CREATE TABLE namespace (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, info TEXT NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0, oldest INTEGER NOT NULL DEFAULT 0)""",
        """CREATE TABLE document (
            number INTEGER PRIMARY KEY AUTOINCREMENT, namespace INTEGER NOT NULL,
            tenant TEXT NOT NULL, doc_id TEXT NOT NULL, version INTEGER NOT NULL,
            digest BLOB NOT NULL, access TEXT NOT NULL, tags TEXT NOT NULL, metadata TEXT NOT NULL,
            source TEXT NOT NULL, media_type TEXT NOT NULL, n_chunks INTEGER NOT NULL,
            added INTEGER NOT NULL, removed INTEGER)""",
        """CREATE UNIQUE INDEX document_current
            ON document (namespace, tenant, doc_id) WHERE removed IS NULL""",
        "CREATE INDEX document_versions ON document (namespace, tenant, doc_id, number)",
        "CREATE INDEX document_added ON document (namespace, added)",
        "CREATE INDEX document_removed ON document (namespace, removed)",
        """CREATE TABLE content (
            number INTEGER PRIMARY KEY, columns BLOB NOT NULL, ends BLOB NOT NULL,
            details BLOB NOT NULL, vectors BLOB)""",
        "CREATE TABLE page (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
        """CREATE TABLE purged (
            namespace INTEGER NOT NULL, revision INTEGER NOT NULL, number INTEGER NOT NULL,
            removed INTEGER NOT NULL)""",
        "CREATE INDEX purged_since ON purged (namespace, revision)",
    ):
        connection.execute(statement)


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_version_1,)
"""What makes a file of version i one of version i + 1; never changed, only added to."""


class SqliteFile:
    """Connections to a file: each transaction has one to itself, and some stay for the next.

    Raises:
        StoreError: the file cannot be opened, is no index, or of a later version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pid = os.getpid()
        self._idle: list[sqlite3.Connection] = []
        self._inside = threading.local()
        self._forked: list[sqlite3.Connection] = []  # the parent's, not to be closed by a child
        self._closed = False
        self._give(self._connect())
        self._identity = _identity(path)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that writes: all of it is kept, or nothing."""
        with self._transaction("IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees the file as it is now, however long it takes."""
        with self._transaction("DEFERRED") as connection:
            yield connection

    def close(self) -> None:
        """Close the connections of this process; those in use at the end of their transaction."""
        self._closed = True
        while self._idle and self._pid == os.getpid():
            self._idle.pop().close()

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[sqlite3.Connection]:
        if getattr(self._inside, "pid", None) == os.getpid():
            raise StoreError(
                "a thread must end reading a store before it reads or writes it again, but it is "
                "still inside"
            )
        with guarded(self.path):
            connection = self._take()
            self._inside.pid = os.getpid()
            try:
                connection.execute(f"BEGIN {kind}")
                try:
                    yield connection
                    connection.execute("COMMIT")
                except BaseException:
                    _roll_back(connection)
                    raise
            finally:
                self._inside.pid = None
                self._give(connection)

    def _take(self) -> sqlite3.Connection:
        """A connection that nobody uses; a process that was forked off makes its own."""
        if self._closed:
            raise StoreError(f"index {str(self.path)!r} must be open, but was closed: open it anew")
        if _identity(self.path) != self._identity:
            raise StoreError(
                f"index {str(self.path)!r} must be the file that was opened, but that was moved, "
                "removed or replaced: open it anew"
            )
        if self._pid != os.getpid():
            self._forked += self._idle
            self._idle, self._pid = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self._connect()

    def _give(self, connection: sqlite3.Connection) -> None:
        # No lock: a process may be forked off while another thread holds it.
        if self._closed or len(self._idle) >= _MOST_IDLE:
            connection.close()
        else:
            self._idle.append(connection)

    def _connect(self) -> sqlite3.Connection:
        folder = self.path.parent
        if not folder.is_dir():
            raise StoreError(
                f"the folder of an index must be there, got {str(self.path)!r}: make the folder"
            )
        with guarded(self.path):
            connection = sqlite3.connect(
                _address(self.path),
                timeout=_WAIT_SECONDS,
                isolation_level=None,
                check_same_thread=False,
                uri=True,
            )
            try:
                _prepare(connection, self.path)
            except UnicodeDecodeError as error:  # of a statement in the file, in SQLite's message
                connection.close()
                raise StoreError(f"index {str(self.path)!r}: {_HINTS['SQLITE_CORRUPT']}") from error
            except BaseException:
                connection.close()
                raise
        return connection


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another at the same path; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _address(path: Path) -> str:
    """What SQLite opens: on a disk that nobody can write to, without the files beside it."""
    frozen = path.is_file() and bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    return f"{path.absolute().as_uri()}{'?immutable=1' if frozen else ''}"


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # a full disk ends it by itself
        connection.execute("ROLLBACK")


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
    connection.execute("PRAGMA synchronous = NORMAL")
    if _version(connection, path) == len(MIGRATIONS):
        return
    # Page size and WAL belong to the file; both are kept once set.
    connection.execute("PRAGMA page_size = 8192")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        at = _version(connection, path)
        for migrate in MIGRATIONS[at:]:
            migrate(connection)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of the tables in the file, 0 if it is new."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and application != _APPLICATION:
        raise StoreError(
            f"{str(path)!r} must be an index of seamline, but is another SQLite database: give "
            "another path"
        )
    if version > len(MIGRATIONS):
        raise StoreError(
            f"the tables of {str(path)!r} must be of version {len(MIGRATIONS)} or before, got "
            f"{version}: a newer seamline made them, install that one"
        )
    return int(version)


_HINTS = {
    "SQLITE_FULL": "there must be room on the disk, but it is full",
    "SQLITE_BUSY": "another process writes into it for over a minute: wait for it to end",
    "SQLITE_READONLY": "it must be writable",
    "SQLITE_CANTOPEN": "it must be a file that can be read and written",
    "SQLITE_NOTADB": "it is no SQLite database: give another path",
    "SQLITE_CORRUPT": "it is damaged: delete it and ingest again",
    "SQLITE_IOERR": "reading or writing it failed: look at the disk",
}


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ones that say what must hold and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        hint = next((hint for code, hint in _HINTS.items() if name.startswith(code)), None)
        raise StoreError(f"index {str(path)!r}: {hint or error}") from error
