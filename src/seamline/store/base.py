"""What every store can do: the one contract of memory, SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from seamline.store.values import (
    Columns,
    Details,
    Entry,
    Held,
    Ints,
    NamespaceInfo,
    Reader,
    Terms,
    Totals,
)
from seamline.types import FloatArray, IntArray

__all__ = [
    "Asked",
    "Counted",
    "Namespace",
    "Rows",
    "Scope",
    "Store",
    "SupportsSettle",
    "SupportsSize",
    "View",
]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question as a store sees it: float32[d] of length 1 or None, and its terms' hashes.

    `terms` is uint64[t], distinct. `depth` is how many of the best chunks are wanted: a
    store that does not score every chunk looks at no fewer by either arm.
    """

    vector: FloatArray | None
    terms: Terms
    depth: int


class Counted(NamedTuple):
    """In how many of all chunks some terms are: uint64[t] and int64[t]."""

    terms: Terms
    chunks: Ints


@runtime_checkable
class Scope(Protocol):
    """The n chunks that a question is scored against, sorted by document, then by place.

    These are all that the reader may search, each with `weight` None; or, where there are too
    many, the best by each arm, what lies near them in their sections, and a sample of the
    rest: then `weight` (float64[n]) is how many chunks each stands for in statistics, and only
    those in `eligible` (bool[n]) may be shown. With a `where` of the reader's, `whole` is the
    scope without it: document frequencies and lengths are those of all that may be read.

    `document` (int64[n]) and `ordinal` (int32[n]) name a chunk, `section` (int64[n]) is alike
    within a section, `centre` (float64[n]) and `tokens` (int64[n], those of the text in it) say
    where it lies, `lengths` (float32[n]) is its number of terms. `memo` is for what callers
    derive from these columns.
    """

    document: Ints
    ordinal: IntArray
    section: Ints
    centre: NDArray[np.float64]
    tokens: Ints
    lengths: FloatArray
    weight: NDArray[np.float64] | None
    eligible: NDArray[np.bool_] | None
    counted: Counted | None
    whole: Scope | None
    memo: dict[Any, Any]

    def __len__(self) -> int: ...

    def dense(self, vector: FloatArray) -> FloatArray:
        """float32[n]: the cosine of each chunk to a vector."""
        ...

    def postings(self, terms: Terms) -> tuple[IntArray, IntArray, FloatArray]:
        """int32[m], int32[m], float32[m]: which of `terms`, in which row, how often.

        Sorted by term, then by row.
        """
        ...


class View(Protocol):
    """A namespace as one reader sees it at one moment, however long it looks."""

    @property
    def reader(self) -> Reader: ...

    def count(self) -> Totals:
        """How many documents and chunks the reader may search."""
        ...

    def scope(self, asked: Asked | None = None) -> Scope:
        """The chunks to score for the reader; all of them if nothing is asked."""
        ...

    def held(self, numbers: Sequence[int]) -> dict[int, Held]:
        """These documents, those of them that the reader may read."""
        ...

    def columns(self, numbers: Sequence[int]) -> dict[int, tuple[Columns, IntArray]]:
        """The columns of these documents and the ends of their tokens."""
        ...

    def details(self, numbers: Sequence[int]) -> dict[int, Details]:
        """The details of the chunks of these documents."""
        ...

    def texts(self, spans: Sequence[tuple[int, int, int]]) -> list[str]:
        """The text of each (document number, start, end); empty where it may not be read."""
        ...


class Namespace(Protocol):
    """The documents cut by one strategy and embedded by one model."""

    @property
    def info(self) -> NamespaceInfo: ...

    def put(self, entries: Sequence[Entry], *, keep_versions: int = 0) -> int:
        """Store documents in one transaction, each in the place of its former version.

        Readers see all of it or nothing. A document whose current version has the same digest
        stays as it is. `keep_versions` former versions of each stay, for readers with `as_of`.
        Returns the revision after it, the same where nothing changed.

        Raises:
            InvalidConfig: vectors of another dimension, not finite or not of length 1; the
                same document twice.
        """
        ...

    def remove(self, tenant: str, doc_ids: Sequence[str], *, keep_versions: int = 0) -> int:
        """Remove a tenant's documents, in one transaction; how many of them were there."""
        ...

    def digests(self, tenant: str, doc_ids: Sequence[str]) -> dict[str, bytes]:
        """The digests of those of the documents that are stored."""
        ...

    def doc_ids(self, tenant: str) -> Iterator[str]:
        """The ids of all of a tenant's documents, sorted by code points."""
        ...

    def vectors(self, tenant: str, doc_id: str) -> dict[bytes, FloatArray]:
        """The vectors of a document by the digest of what is indexed; empty if it is not there."""
        ...

    def versions(self, tenant: str, doc_id: str) -> list[Held]:
        """The versions of a document that are kept, the newest first."""
        ...

    def read(self, reader: Reader) -> AbstractContextManager[View]:
        """The namespace as it is now for a reader, or as it was at its `as_of`.

        Raises:
            InvalidConfig: `as_of` names a revision that is not kept, or is still to come.
        """
        ...


@runtime_checkable
class SupportsSettle(Protocol):
    """A namespace whose indexes are built once a load has ended."""

    def settle(self) -> bool:
        """Build them if it has become large; whether it was time."""
        ...


@runtime_checkable
class SupportsSize(Protocol):
    """A namespace that can say what it takes on disk."""

    @property
    def n_bytes(self) -> int: ...


@runtime_checkable
class Store(Protocol):
    """A place with namespaces; also a context manager, which closes it."""

    @property
    def url(self) -> str:
        """What opens it again, without a password."""
        ...

    def namespaces(self) -> list[NamespaceInfo]:
        """What there is, by name."""
        ...

    def create(self, info: NamespaceInfo) -> Namespace:
        """The namespace of that name, made if it is not there.

        Raises:
            InvalidConfig: it is there, with another strategy, model, language or tokenizer.
        """
        ...

    def open(self, name: str) -> Namespace:
        """A namespace that is there.

        Raises:
            MissingInput: there is none of that name; says which there are.
        """
        ...

    def drop(self, name: str) -> bool:
        """Remove a namespace whole; whether it was there."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


@dataclass(slots=True, eq=False)
class Rows:
    """A `Scope` of plain columns; see there."""

    document: Ints
    ordinal: IntArray
    section: Ints
    centre: NDArray[np.float64]
    tokens: Ints
    lengths: FloatArray
    weight: NDArray[np.float64] | None = None
    eligible: NDArray[np.bool_] | None = None
    counted: Counted | None = None
    whole: Scope | None = None
    memo: dict[Any, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.document)
