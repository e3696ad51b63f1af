"""Documents as rows of PostgreSQL's tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seamline.store import records
from seamline.store.postgres.binary import (
    HEAD,
    TAIL,
    big,
    chunk_rows,
    integer,
    numbers,
    packed_row,
    strings,
)
from seamline.store.postgres.link import Connection
from seamline.store.postgres.schema import Tables
from seamline.store.values import Columns, Entry, Held

__all__ = ["HELD", "Batch", "copy", "held_of"]

HELD = (
    "d.number, d.doc_id, d.tenant, d.version, d.digest, d.access, d.tags, d.verbatim, d.source, "
    "d.media_type, d.n_chunks, d.added, d.removed"
)
_COLUMNS = {
    "content": "tenant, access, number, columns, ends, details",
    "page": "tenant, access, number, page, text",
    "chunk": "tenant, access, number, ordinal, vec",
    "word": "tenant, access, number, ordinal, length, terms, counts",
    "document": "tenant, access, number, doc_id, version, digest, tags, metadata, verbatim, "
    "source, media_type, n_chunks, added, removed",
}
_MOST_COUNT = np.iinfo(np.int16).max


def held_of(row: Sequence[Any]) -> Held:
    """A document from the columns `HELD`."""
    values = list(row)
    values[4] = bytes(values[4])
    values[5], values[6] = frozenset(values[5]), frozenset(values[6])
    values[7] = json.loads(values[7])
    return Held(*values)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Documents of one tenant on their way into the tables, each with its number."""

    tenant: str
    entries: Sequence[Entry]
    numbers: Sequence[int]

    def __len__(self) -> int:
        return len(self.entries)

    @property
    def chunks(self) -> int:
        """How many chunks the documents have."""
        return sum(len(entry.columns) for entry in self.entries)

    def without(self, doc_ids: Collection[str]) -> tuple[Batch, list[int]]:
        """The batch without some documents, and their numbers."""
        pairs = list(zip(self.entries, self.numbers, strict=True))
        kept = [pair for pair in pairs if pair[0].doc_id not in doc_ids]
        dropped = [number for entry, number in pairs if entry.doc_id in doc_ids]
        return Batch(self.tenant, [one for one, _ in kept], [n for _, n in kept]), dropped

    def contents(self) -> dict[str, list[bytes]]:
        """The rows for each table but `document`, which need no lock on the namespace."""
        rows: dict[str, list[bytes]] = {"content": [], "page": [], "chunk": [], "word": []}
        for number, entry in zip(self.numbers, self.entries, strict=True):
            own = self._own(number, entry)
            rows["content"].append(packed_row([*own, *_packed(entry)]))
            for page, text in records.pages(entry.text):
                rows["page"].append(packed_row([*own, integer(page), text.encode()]))
            rows["word"] += _word_rows(own, entry.columns)
            if entry.vectors is not None and len(entry.columns):
                ordinal = np.arange(len(entry.columns), dtype=np.int32)
                rows["chunk"].append(
                    chunk_rows(
                        own[0], own[1], number=number, ordinal=ordinal, vectors=entry.vectors
                    )
                )
        return rows

    def documents(self, versions: dict[str, int], revision: int) -> list[bytes]:
        """The rows for `document`, with the version before this one."""
        return [
            packed_row(
                [
                    *self._own(number, entry),
                    entry.doc_id.encode(),
                    integer(versions.get(entry.doc_id, 0) + 1),
                    *_described(entry),
                    big(revision),
                    None,
                ]
            )
            for number, entry in zip(self.numbers, self.entries, strict=True)
        ]

    def _own(self, number: int, entry: Entry) -> list[bytes]:
        return [self.tenant.encode(), strings(sorted(entry.access)), big(number)]


def _packed(entry: Entry) -> list[bytes]:
    return [
        records.pack_columns(entry.columns),
        records.pack_ends(entry.ends),
        records.pack_details(entry.details),
    ]


def _described(entry: Entry) -> list[bytes]:
    metadata = json.dumps(entry.metadata).encode()
    return [
        entry.digest,
        strings(sorted(entry.tags)),
        b"\x01" + metadata,  # jsonb's binary form is of version 1
        metadata,
        entry.source.encode(),
        entry.media_type.encode(),
        integer(len(entry.columns)),
    ]


def _word_rows(own: list[bytes], columns: Columns) -> list[bytes]:
    terms = columns.vocabulary.view(np.int64)[columns.term]
    counts = np.minimum(columns.count, _MOST_COUNT)
    edges, lengths = columns.term_first.tolist(), columns.lengths.tolist()
    rows = []
    for i, length in enumerate(lengths):
        some = slice(edges[i], edges[i + 1])
        fields = [integer(i), integer(int(length)), numbers(terms[some])]
        rows.append(packed_row([*own, *fields, numbers(counts[some], "i2")]))
    return rows


def copy(connection: Connection, tables: Tables, name: str, rows: Iterable[bytes]) -> None:
    """Put rows in binary into a table."""
    # Where row-level security binds the writer, COPY may not write into the table itself.
    row = connection.execute(tables.sql(f"SELECT row_security_active('@{name}')")).fetchone()
    target = f"@{name}"
    if row and row[0]:
        target = f"staged_{name}"
        connection.execute(
            tables.sql(f"CREATE TEMP TABLE IF NOT EXISTS {target} (LIKE @{name}) ON COMMIT DROP")
        )
    columns = _COLUMNS[name]
    statement = tables.sql(f"COPY {target} ({columns}) FROM STDIN (FORMAT BINARY)")
    with connection.cursor() as cursor, cursor.copy(statement) as stream:
        stream.write(HEAD)
        for data in rows:
            stream.write(data)
        stream.write(TAIL)
    if target != f"@{name}":
        connection.execute(
            tables.sql(f"INSERT INTO @{name} ({columns}) SELECT {columns} FROM {target}")  # noqa: S608
        )
        connection.execute(tables.sql(f"TRUNCATE {target}"))
