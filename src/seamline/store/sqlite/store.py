"""The embedded store: one SQLite file, any number of processes, every chunk scored."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Self

from seamline.errors import InvalidConfig
from seamline.store import records
from seamline.store.base import Namespace
from seamline.store.common import check_info, no_namespace
from seamline.store.sqlite.file import SqliteFile
from seamline.store.sqlite.namespace import SqliteNamespace
from seamline.store.sqlite.rows import purge
from seamline.store.values import NamespaceInfo

__all__ = ["SqliteStore"]

_PREFIX = "sqlite:///"


class SqliteStore:
    """Documents in the SQLite file that `sqlite:///index.db` names.

    It is safe to be used by many threads and processes at once: readers never wait, writers
    wait for each other. What was committed survives a killed process. A reader process
    keeps the vectors and terms of what it searches in memory: 1.8 KB a chunk of 384
    dimensions.

    Raises:
        InvalidConfig: the URL has no path.
        StoreError: the file cannot be opened, is no index, or of a later version.
    """

    def __init__(self, url: str) -> None:
        name = url.removeprefix(_PREFIX)
        if not url.startswith(_PREFIX) or not name or "\0" in name:
            raise InvalidConfig(
                f"the URL of a SQLite store must be like sqlite:///index.db, got {url!r}"
            )
        self.url = url
        self._file = SqliteFile(Path(name))
        self._known: dict[int, SqliteNamespace] = {}
        self._lock = threading.Lock()

    @staticmethod
    def is_there(url: str) -> bool:
        """Whether there is a file at the path of a URL."""
        return Path(url.removeprefix(_PREFIX)).is_file()

    def namespaces(self) -> list[NamespaceInfo]:
        with self._file.reading() as connection:
            rows = connection.execute("SELECT info FROM namespace ORDER BY name").fetchall()
        return [records.info_from(info) for (info,) in rows]

    def create(self, info: NamespaceInfo) -> Namespace:
        with self._file.writing() as connection:
            connection.execute(
                "INSERT INTO namespace (name, info) VALUES (?, ?) ON CONFLICT DO NOTHING",
                (info.name, records.info_text(info)),
            )
        namespace = self.open(info.name)
        check_info(namespace.info, info)
        return namespace

    def open(self, name: str) -> Namespace:
        with self._file.reading() as connection:
            row = connection.execute(
                "SELECT id, info FROM namespace WHERE name = ?", (name,)
            ).fetchone()
            if row is None:
                names = connection.execute("SELECT name FROM namespace").fetchall()
                raise no_namespace(name, (one for (one,) in names))
        with self._lock:
            made = SqliteNamespace(self._file, row[0], records.info_from(row[1]))
            return self._known.setdefault(row[0], made)

    def drop(self, name: str) -> bool:
        with self._file.writing() as connection:
            row = connection.execute("SELECT id FROM namespace WHERE name = ?", (name,)).fetchone()
            if row is None:
                return False
            numbers = connection.execute("SELECT number FROM document WHERE namespace = ?", row)
            purge(connection, [number for (number,) in numbers.fetchall()])
            connection.execute("DELETE FROM purged WHERE namespace = ?", row)
            connection.execute("DELETE FROM namespace WHERE id = ?", row)
        return True

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
