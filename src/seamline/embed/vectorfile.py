"""The two places where vectors are kept: a SQLite file, and memory.

Both map a 16-byte key to the bytes of a vector. The file runs in WAL mode, so
any number of processes share it and a killed one leaves it whole.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

__all__ = ["Memory", "VectorFile", "Vectors"]

_VERSION = 1
_IDS = 1000  # ids a query; SQLite sorts them, so neighbours are read together
_WAIT_SECONDS = 30.0
_Result = TypeVar("_Result")


class Vectors(Protocol):
    """What a cache keeps its vectors in."""

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are there; missing keys are left out."""
        ...

    def put(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these vectors; a key that is there already is replaced."""
        ...


class Memory:
    """Vectors kept as long as the process runs."""

    def __init__(self) -> None:
        self._vectors: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are there; missing keys are left out."""
        return {key: self._vectors[key] for key in keys if key in self._vectors}

    def put(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these vectors; a key that is there already is replaced."""
        self._vectors.update(vectors)


class VectorFile:
    """Vectors kept in a SQLite file, opened at the first use.

    A file that is damaged is renamed to `NAME.damaged-N` and a new one begun; one
    that cannot be opened or written is replaced by memory until the process
    ends. Both warn (`RuntimeWarning`) and lose nothing but time.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._opened: tuple[int, int] = (0, 0)  # process id and inode
        self._fallback: Memory | None = None

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The vectors that are there; missing keys are left out."""
        return self._try(lambda connection: _select(connection, keys), lambda m: m.get(keys))

    def put(self, vectors: Mapping[bytes, bytes]) -> None:
        """Keep these vectors in one transaction."""
        self._try(lambda connection: _insert(connection, vectors), lambda m: m.put(vectors))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._forget()

    def _try(
        self,
        work: Callable[[sqlite3.Connection], _Result],
        instead: Callable[[Memory], _Result],
    ) -> _Result:
        with self._lock:
            for _ in range(2):
                if self._fallback is not None:
                    break
                try:
                    return work(self._open())
                except (sqlite3.OperationalError, OSError) as error:
                    self._give_up(error)
                except sqlite3.DatabaseError as error:
                    self._set_aside(error)
            else:
                self._give_up(None)
            return instead(self._fallback or Memory())

    def _open(self) -> sqlite3.Connection:
        if self._connection is not None and self._opened[0] == os.getpid():
            return self._connection
        # A connection must not be used, nor closed, by a process forked from its owner.
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        weakref.finalize(self, _close_in, os.getpid(), connection)
        self._connection = connection
        self._opened = os.getpid(), self.path.stat().st_ino
        _prepare(connection)
        return connection

    def _forget(self) -> None:
        if self._connection is not None and self._opened[0] == os.getpid():
            self._connection.close()
        self._connection = None

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        opened = self._opened[1]
        self._forget()
        if not self.path.exists() or self.path.stat().st_ino != opened:
            return  # another process was faster
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged-{number}")).exists():
            number += 1
        self.path.replace(aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        _warn(f"the embedding cache {self.path} is damaged ({error}): kept as {aside.name}")

    def _give_up(self, error: Exception | None) -> None:
        self._forget()
        self._fallback = Memory()
        reason = error or "damaged again after it was begun anew"
        _warn(
            f"the embedding cache {self.path} cannot be used ({reason}): vectors are kept in "
            "memory for this run; set SEAMLINE_CACHE_DIR to a folder that can be written"
        )


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=7)


def _close_in(process: int, connection: sqlite3.Connection) -> None:
    if os.getpid() == process:
        connection.close()


def _prepare(connection: sqlite3.Connection) -> None:
    """Begin the file if it is new; several processes may do so at once."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in {0, _VERSION}:
        raise sqlite3.OperationalError("it was written by another version of seamline")
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            connection.execute("PRAGMA page_size = 8192")
            connection.execute("PRAGMA journal_mode = WAL")
            break
        except sqlite3.OperationalError as error:
            # Switching to WAL does not wait for a lock as everything else does.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS vectors"
        " (id INTEGER PRIMARY KEY, rest BLOB NOT NULL, vector BLOB NOT NULL)"
    )
    if version == 0:
        connection.execute(f"PRAGMA user_version = {_VERSION}")


def _row_id(key: bytes) -> int:
    return int.from_bytes(key[:8], "little", signed=True)


def _select(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, bytes]:
    by_id = {_row_id(key): key for key in keys}
    ids = list(by_id)
    found: dict[bytes, bytes] = {}
    for start in range(0, len(ids), _IDS):
        listed = ",".join(map(str, ids[start : start + _IDS]))
        query = f"SELECT id, rest, vector FROM vectors WHERE id IN ({listed})"  # noqa: S608 - ints
        rows = connection.execute(query)
        for row_id, rest, vector in rows:
            key = by_id[row_id]
            if key[8:] == rest:  # else another text's: 64 bits can collide, 128 do not
                found[key] = vector
    return found


def _insert(connection: sqlite3.Connection, vectors: Mapping[bytes, bytes]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        connection.executemany(
            "INSERT OR REPLACE INTO vectors (id, rest, vector) VALUES (?, ?, ?)",
            ((_row_id(key), key[8:], vector) for key, vector in vectors.items()),
        )
