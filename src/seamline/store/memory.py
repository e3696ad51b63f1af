"""The store that others are held to: everything in dictionaries, gone with the process."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Self

from seamline.store.base import Asked, Namespace, Scope, View
from seamline.store.common import (
    by_code_points,
    check_entries,
    check_info,
    check_keep,
    check_revision,
    check_vector,
    facts,
    no_namespace,
)
from seamline.store.snapshot import Filed, Snapshot
from seamline.store.values import Columns, Details, Entry, Held, NamespaceInfo, Reader, Totals
from seamline.types import FloatArray, IntArray

__all__ = ["MemoryStore"]

Documents = dict[int, tuple[Held, Entry]]


@dataclass(frozen=True, slots=True)
class _State:
    """A namespace at one revision: never changed, only followed by another."""

    revision: int = 0
    oldest: int = 0
    documents: Documents = field(default_factory=dict)


class MemoryStore:
    """Documents kept as long as the process runs; every chunk is scored.

    Example:
        >>> store = MemoryStore()
        >>> list(store.create(NamespaceInfo("main", "whole")).doc_ids(tenant=""))
        []
    """

    def __init__(self, url: str = "memory://") -> None:
        self.url = url
        self._namespaces: dict[str, MemoryNamespace] = {}
        self._numbers = iter(range(1, 1 << 62))

    def namespaces(self) -> list[NamespaceInfo]:
        return [self._namespaces[name].info for name in sorted(self._namespaces)]

    def create(self, info: NamespaceInfo) -> Namespace:
        if info.name in self._namespaces:
            check_info(self._namespaces[info.name].info, info)
        return self._namespaces.setdefault(info.name, MemoryNamespace(info, self._numbers))

    def open(self, name: str) -> Namespace:
        if name not in self._namespaces:
            raise no_namespace(name, self._namespaces)
        return self._namespaces[name]

    def drop(self, name: str) -> bool:
        return self._namespaces.pop(name, None) is not None

    def close(self) -> None:
        self._namespaces = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class MemoryNamespace:
    """See `Namespace`."""

    def __init__(self, info: NamespaceInfo, numbers: Iterator[int]) -> None:
        self.info = info
        self._numbers = numbers
        self._state = _State()
        self._lock = threading.Lock()

    def put(self, entries: Sequence[Entry], *, keep_versions: int = 0) -> int:
        check_entries(entries, self.info)
        check_keep(keep_versions)
        with self._lock:
            state = self._state
            fresh = [entry for entry in entries if not self._same(entry)]
            if not fresh:
                return state.revision
            revision = state.revision + 1
            documents = dict(state.documents)
            for entry in fresh:
                self._retire(documents, entry.tenant, entry.doc_id, revision)
                former = _versions(documents, entry.tenant, entry.doc_id)
                held = _held(next(self._numbers), entry, former, revision)
                documents[held.number] = held, entry
                _drop(documents, former[keep_versions:])
            self._follow(state, documents, revision)
            return revision

    def _same(self, entry: Entry) -> bool:
        rows = self._current(entry.tenant)
        return any((h.doc_id, h.digest) == (entry.doc_id, entry.digest) for h, _ in rows)

    def remove(self, tenant: str, doc_ids: Sequence[str], *, keep_versions: int = 0) -> int:
        check_keep(keep_versions)
        with self._lock:
            state = self._state
            documents = dict(state.documents)
            revision = state.revision + 1
            n = 0
            for doc_id in dict.fromkeys(doc_ids):
                if self._retire(documents, tenant, doc_id, revision):
                    n += 1
                    _drop(documents, _versions(documents, tenant, doc_id)[keep_versions:])
            if n:
                self._follow(state, documents, revision)
            return n

    def _retire(self, documents: Documents, tenant: str, doc_id: str, at: int) -> bool:
        """End the current version of a document; whether there was one."""
        for held, entry in documents.values():
            if (held.tenant, held.doc_id, held.removed) == (tenant, doc_id, None):
                documents[held.number] = replace(held, removed=at), entry
                return True
        return False

    def _follow(self, state: _State, documents: Documents, revision: int) -> None:
        gone = {
            number: held for number, (held, _) in state.documents.items() if number not in documents
        }
        dropped = [revision if held.removed is None else held.removed for held in gone.values()]
        self._state = _State(revision, max([state.oldest, *dropped]), documents)

    def digests(self, tenant: str, doc_ids: Sequence[str]) -> dict[str, bytes]:
        wanted = set(doc_ids)
        return {
            held.doc_id: held.digest for held, _ in self._current(tenant) if held.doc_id in wanted
        }

    def doc_ids(self, tenant: str) -> Iterator[str]:
        return iter(sorted((held.doc_id for held, _ in self._current(tenant)), key=by_code_points))

    def vectors(self, tenant: str, doc_id: str) -> dict[bytes, FloatArray]:
        for held, entry in self._current(tenant):
            if held.doc_id == doc_id and entry.vectors is not None:
                return dict(zip(entry.details.digests, entry.vectors, strict=True))
        return {}

    def versions(self, tenant: str, doc_id: str) -> list[Held]:
        return _versions(self._state.documents, tenant, doc_id)

    def _current(self, tenant: str) -> list[tuple[Held, Entry]]:
        rows = self._state.documents.values()
        return [row for row in rows if row[0].tenant == tenant and row[0].removed is None]

    @contextmanager
    def read(self, reader: Reader) -> Iterator[View]:
        state = self._state
        check_revision(reader, state.oldest, state.revision)
        yield MemoryView(self.info, state, reader)


def _versions(documents: Documents, tenant: str, doc_id: str) -> list[Held]:
    """The versions of a document, the newest first."""
    found = [
        held for held, _ in documents.values() if (held.tenant, held.doc_id) == (tenant, doc_id)
    ]
    return sorted(found, key=lambda held: held.number, reverse=True)


def _drop(documents: Documents, versions: Sequence[Held]) -> None:
    for held in versions:
        del documents[held.number]


def _held(number: int, entry: Entry, former: Sequence[Held], revision: int) -> Held:
    return Held(
        number=number,
        doc_id=entry.doc_id,
        tenant=entry.tenant,
        version=former[0].version + 1 if former else 1,
        digest=entry.digest,
        access=entry.access,
        tags=entry.tags,
        metadata=entry.metadata,
        source=entry.source,
        media_type=entry.media_type,
        n_chunks=len(entry.columns),
        added=revision,
    )


class MemoryView:
    """See `View`."""

    def __init__(self, info: NamespaceInfo, state: _State, reader: Reader) -> None:
        self.reader = reader
        self._info = info
        self._state = state
        self._revision = state.revision
        self._documents = {
            number: row for number, row in state.documents.items() if self._may(row[0])
        }

    def _may(self, held: Held) -> bool:
        reader = self.reader
        at = self._revision if reader.as_of is None else reader.as_of
        current = held.added <= at and (held.removed is None or held.removed > at)
        if not current or held.tenant != reader.tenant or not reader.may_read(held.access):
            return False
        return reader.where is None or reader.where.matches(facts(held))

    def count(self) -> Totals:
        chunks = sum(held.n_chunks for held, _ in self._documents.values())
        return Totals(len(self._documents), chunks, self._revision)

    def scope(self, asked: Asked | None = None) -> Scope:
        if asked is not None:
            check_vector(asked.vector, self._info)
        filed = [
            Filed(
                number,
                held.tenant,
                held.access,
                held.added,
                None,
                entry.columns,
                entry.vectors,
            )
            for number, (held, entry) in sorted(self._documents.items())
        ]
        snapshot = Snapshot(self._info.dim).extended(filed, self._revision)
        scope = snapshot.scope(replace(self.reader, as_of=None, where=None), None)
        if self.reader.where is not None:
            everything = MemoryView(self._info, self._state, replace(self.reader, where=None))
            scope.whole = everything.scope(asked)
        return scope

    def held(self, numbers: Sequence[int]) -> dict[int, Held]:
        return {n: self._documents[n][0] for n in numbers if n in self._documents}

    def columns(self, numbers: Sequence[int]) -> dict[int, tuple[Columns, IntArray]]:
        found = {n: self._documents[n][1] for n in numbers if n in self._documents}
        return {n: (entry.columns, entry.ends) for n, entry in found.items()}

    def details(self, numbers: Sequence[int]) -> dict[int, Details]:
        return {n: self._documents[n][1].details for n in numbers if n in self._documents}

    def texts(self, spans: Sequence[tuple[int, int, int]]) -> list[str]:
        return [
            self._documents[n][1].text[start:end] if n in self._documents else ""
            for n, start, end in spans
        ]
