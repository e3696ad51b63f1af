"""Documents as rows of SQLite's tables."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from sqlite3 import Connection
from typing import Any

from seamline.errors import StoreError
from seamline.store import records
from seamline.store.snapshot import Filed
from seamline.store.values import Entry, Held

__all__ = [
    "HELD",
    "INSERT",
    "MANY",
    "SHIFT",
    "described",
    "filed_of",
    "held_of",
    "marks",
    "packed",
    "parts",
    "purge",
]

SHIFT = 20
"""Bits of a page number in the id of a page."""

MANY = 500
"""Parameters of a statement at most."""

HELD = (
    "number, doc_id, tenant, version, digest, access, tags, metadata, source, media_type, "
    "n_chunks, added, removed"
)
INSERT = (
    "INSERT INTO document (namespace, tenant, doc_id, version, digest, access, tags, metadata, "
    "source, media_type, n_chunks, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def packed(entry: Entry) -> tuple[Any, ...]:
    """What of an entry goes into `content`, as bytes."""
    return (
        records.pack_columns(entry.columns),
        records.pack_ends(entry.ends),
        records.pack_details(entry.details),
        records.pack_vectors(entry.vectors),
    )


def described(entry: Entry) -> tuple[Any, ...]:
    """What of an entry goes into `document`, from `digest` to `n_chunks`."""
    return (
        entry.digest,
        json.dumps(sorted(entry.access)),
        json.dumps(sorted(entry.tags)),
        json.dumps(entry.metadata),
        entry.source,
        entry.media_type,
        len(entry.columns),
    )


def held_of(row: Sequence[Any]) -> Held:
    """A document from the columns `HELD`."""
    values = list(row)
    values[5], values[6] = (frozenset(_parsed(text)) for text in values[5:7])
    values[7] = _parsed(values[7])
    return Held(*values)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError) as error:
        raise StoreError(
            f"what is stored of a document must be whole, but its labels or metadata are not "
            f"({error}): delete the index and ingest again"
        ) from None


def filed_of(row: Sequence[Any], dim: int) -> Filed:
    """A document for a snapshot."""
    number, tenant, access, added, removed, columns, vectors = row
    return Filed(
        number,
        tenant,
        frozenset(_parsed(access)),
        added,
        removed,
        records.load_columns(columns),
        records.load_vectors(vectors, dim) if dim else None,
    )


def purge(connection: Connection, numbers: Sequence[int]) -> None:
    """Delete documents with all that belongs to them."""
    for number in numbers:
        connection.execute("DELETE FROM document WHERE number = ?", (number,))
        connection.execute("DELETE FROM content WHERE number = ?", (number,))
        connection.execute(
            "DELETE FROM page WHERE id BETWEEN ? AND ?",
            (number << SHIFT, ((number + 1) << SHIFT) - 1),
        )


def parts(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The values in runs of at most `MANY`."""
    for at in range(0, len(values), MANY):
        yield values[at : at + MANY]


def marks(values: Sequence[Any]) -> str:
    """A question mark for each value, for `IN (…)`."""
    return ", ".join("?" * len(values))
