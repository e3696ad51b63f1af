"""PostgreSQL's binary forms: rows for COPY, and arrays of numbers without a step by each."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from psycopg import Connection
from psycopg.adapt import Dumper, Loader
from psycopg.pq import Format

from seamline.types import FloatArray, IntArray

__all__ = [
    "HEAD",
    "TAIL",
    "big",
    "chunk_rows",
    "halves",
    "integer",
    "numbers",
    "packed_row",
    "register",
    "strings",
    "vector_text",
]

HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TAIL = b"\xff\xff"

_INT2, _INT8, _TEXT = 21, 20, 25
_ARRAYS = {1016: "i8", 1007: "i4", 1021: "f4"}
_ARRAY_HEAD = struct.Struct(">iiIii")


def packed_row(fields: Sequence[bytes | None]) -> bytes:
    """A row for COPY in binary."""
    parts = [struct.pack(">h", len(fields))]
    for field in fields:
        if field is None:
            parts.append(b"\xff\xff\xff\xff")
        else:
            parts += (struct.pack(">i", len(field)), field)
    return b"".join(parts)


def big(number: int) -> bytes:
    """A bigint."""
    return struct.pack(">q", number)


def integer(number: int) -> bytes:
    """An integer."""
    return struct.pack(">i", number)


def strings(values: Iterable[str]) -> bytes:
    """A text[]."""
    found = [value.encode() for value in values]
    if not found:
        return struct.pack(">iiI", 0, 0, _TEXT)
    parts = [_ARRAY_HEAD.pack(1, 0, _TEXT, len(found), 1)]
    for value in found:
        parts += (struct.pack(">i", len(value)), value)
    return b"".join(parts)


def numbers(values: NDArray[Any], kind: str = "i8") -> bytes:
    """A bigint[], or a smallint[] of `i2`."""
    oid = _INT8 if kind == "i8" else _INT2
    if not len(values):
        return struct.pack(">iiI", 0, 0, oid)
    rows = np.empty(len(values), [("length", ">i4"), ("value", f">{kind}")])
    rows["length"], rows["value"] = int(kind[1]), values
    return _ARRAY_HEAD.pack(1, 0, oid, len(values), 1) + rows.tobytes()


def chunk_rows(
    tenant: bytes, access: bytes, *, number: int, ordinal: IntArray, vectors: FloatArray
) -> bytes:
    """The rows (tenant, access, number, ordinal, vec halfvec) of a document's chunks."""
    dim = vectors.shape[1]
    fields: list[tuple[Any, ...]] = [
        ("n", ">i2"),
        ("tenant_length", ">i4"),
        ("tenant", f"V{len(tenant)}"),
        ("access_length", ">i4"),
        ("access", f"V{len(access)}"),
        ("number_length", ">i4"),
        ("number", ">i8"),
        ("ordinal_length", ">i4"),
        ("ordinal", ">i4"),
        ("vec_length", ">i4"),
        ("dim", ">i2"),
        ("unused", ">i2"),
        ("vec", ">f2", (dim,)),
    ]
    rows = np.zeros(len(ordinal), [field for field in fields if field[1] != "V0"])
    plain: dict[str, Any] = {
        "n": 5,
        "tenant_length": len(tenant),
        "access_length": len(access),
        "number_length": 8,
        "number": number,
        "ordinal_length": 4,
        "ordinal": ordinal,
        "vec_length": 4 + 2 * dim,
        "dim": dim,
        "vec": vectors,
    }
    for name, value in plain.items():
        rows[name] = value
    rows["access"] = np.void(access)
    if tenant:
        rows["tenant"] = np.void(tenant)
    return rows.tobytes()


def halves(data: bytes, dim: int) -> FloatArray:
    """float32[n, dim]: vectors that `halfvec_send` gave, one after the other."""
    rows = np.frombuffer(data, [("dim", ">i2"), ("unused", ">i2"), ("vec", ">f2", (dim,))])
    return rows["vec"].astype(np.float32)


def vector_text(vector: FloatArray) -> str:
    """A vector as pgvector reads it."""
    return "[" + ",".join(map(repr, vector.tolist())) + "]"


class _ArrayLoader(Loader):
    """Reads an array of numbers without nulls as numpy's."""

    format = Format.BINARY

    def load(self, data: Any) -> NDArray[Any]:
        kind = _ARRAYS[self.oid]
        if len(data) <= 12:
            return np.empty(0, kind)
        rows = np.frombuffer(data, [("length", ">i4"), ("value", f">{kind}")], offset=20)
        return rows["value"].astype(kind)


class _ArrayDumper(Dumper):
    """Writes numpy's whole numbers as a bigint[]."""

    format = Format.BINARY
    oid = 1016

    def dump(self, obj: NDArray[Any]) -> bytes:
        return numbers(obj.view(np.int64) if obj.dtype == np.uint64 else obj)


def register(connection: Connection[Any]) -> None:
    """Let a connection take and give numpy's arrays."""
    connection.adapters.register_dumper(np.ndarray, _ArrayDumper)
    for oid in _ARRAYS:
        connection.adapters.register_loader(oid, _ArrayLoader)
