"""The indexes of a namespace that has become large: built once, after what was loaded."""

from __future__ import annotations

from seamline.store.postgres.link import Connection, Link
from seamline.store.postgres.schema import Tables

__all__ = ["FROM_CHUNKS", "settle"]

FROM_CHUNKS = 20_000
"""Below this every chunk is scored, so no index is needed."""

MOST_DIM = 4_000
"""Dimensions that pgvector can index of a halfvec."""

_GRAPH_BYTES = 400  # of a chunk in the graph, beside its vector
_MEMORY_MB = (64, 2_048)


def settle(link: Link, tables: Tables, dim: int) -> bool:
    """Build what is due: the HNSW graph and the index of terms; whether it was time."""
    with link.writing() as connection:
        # Readers go on meanwhile, writers wait.
        tables.lock(connection, dim, "SHARE ROW EXCLUSIVE")
        row = connection.execute(
            "SELECT chunks, settled FROM seamline.namespace WHERE id = %s FOR UPDATE", [tables.key]
        ).fetchone()
        due = row is not None and row[0] >= FROM_CHUNKS and not row[1]
        if due:
            _build(connection, tables, chunks=row[0] if row else 0, dim=dim)
        for name in ("document", "content", "page", *(["chunk"] if dim else []), "word"):
            connection.execute(tables.sql(f"ANALYZE @{name}"))
    return due


def _build(connection: Connection, tables: Tables, *, chunks: int, dim: int) -> None:
    low, high = _MEMORY_MB
    memory = min(max(low, chunks * (2 * dim + _GRAPH_BYTES) * 3 // 2 >> 20), high)
    connection.execute(f"SET LOCAL maintenance_work_mem = '{memory}MB'".encode())
    connection.execute(tables.sql("CREATE INDEX ON @word USING gin (terms)"))
    if 0 < dim <= MOST_DIM:
        connection.execute(
            tables.sql(
                "CREATE INDEX ON @chunk USING hnsw (vec halfvec_ip_ops) "
                "WITH (m = 16, ef_construction = 64)"
            )
        )
    connection.execute("UPDATE seamline.namespace SET settled = true WHERE id = %s", [tables.key])
