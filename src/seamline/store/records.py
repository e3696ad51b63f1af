"""Documents as rows of a database, and rows as documents."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping

import numpy as np

from seamline.errors import StoreError
from seamline.store.arrays import narrowed, pack_arrays, sealed, unpack_arrays, unsealed
from seamline.store.values import Columns, Details, NamespaceInfo
from seamline.types import FloatArray, IntArray

__all__ = [
    "PAGE",
    "info_from",
    "info_text",
    "load_columns",
    "load_details",
    "load_ends",
    "load_vectors",
    "pack_columns",
    "pack_details",
    "pack_ends",
    "pack_vectors",
    "pages",
    "slice_of",
]

PAGE = 4096
"""Code points of a page of text: what is read at least for a slice."""

_SIGNED = ("parent_start", "parent_end")
_INT32 = np.int32


def pack_columns(columns: Columns) -> bytes:
    """The columns of a document, each in the narrowest type."""
    parts = []
    for name in _FIELDS:
        column = getattr(columns, name)
        if name == "vocabulary":
            parts.append(column.astype("<u8"))
        elif name in _SIGNED:
            parts.append(narrowed(column + 1))
        else:
            parts.append(narrowed(column))
    return sealed(pack_arrays(parts))


def load_columns(data: bytes) -> Columns:
    """The columns in what `pack_columns` made."""
    arrays = dict(zip(_FIELDS, unpack_arrays(unsealed(data)), strict=True))
    for name, column in arrays.items():
        if name != "vocabulary":
            arrays[name] = column.astype(_INT32) - _INT32(name in _SIGNED)
    return Columns(**arrays)


_FIELDS = (
    "start",
    "end",
    "parent_start",
    "parent_end",
    "tokens",
    "parent_tokens",
    "context_tokens",
    "reach",
    "section",
    "middle",
    "covered",
    "term_first",
    "term",
    "count",
    "vocabulary",
)


def pack_ends(ends: IntArray) -> bytes:
    """The ends of tokens as their distances: about a byte each."""
    return sealed(pack_arrays([narrowed(np.diff(ends, prepend=0))]))


def load_ends(data: bytes) -> IntArray:
    """The ends in what `pack_ends` made."""
    return np.cumsum(unpack_arrays(unsealed(data))[0], dtype=np.int32)


def pack_vectors(vectors: FloatArray | None) -> bytes | None:
    """float32 in little-endian order, row by row."""
    return None if vectors is None else sealed(vectors.astype("<f4").tobytes())


def load_vectors(data: bytes | None, dim: int) -> FloatArray | None:
    """float32[n, dim], a read-only view."""
    return None if data is None else np.frombuffer(unsealed(data), "<f4").reshape(-1, dim)


def pack_details(details: Details) -> bytes:
    """The details of a document's chunks as compressed JSON; strings that repeat once."""
    strings: dict[str, int] = {}

    def number(text: str) -> int:
        return strings.setdefault(text, len(strings))

    found = {
        "digests": b"".join(details.digests).hex(),
        "heads": [number(text) for text in details.heads],
        "whole": [i for i, one in enumerate(details.whole) if one],
        "contexts": [number(text) for text in details.contexts],
        "metadata": [number(_json(one)) for one in details.metadata],
        "strings": list(strings),
    }
    return sealed(zlib.compress(_json(found).encode("utf-8", "surrogatepass"), 1))


def load_details(data: bytes) -> Details:
    """The details in what `pack_details` made."""
    found = json.loads(zlib.decompress(unsealed(data)))
    strings, digests = found["strings"], bytes.fromhex(found["digests"])
    n, whole = len(found["heads"]), set(found["whole"])
    width = len(digests) // max(n, 1)
    return Details(
        digests=tuple(digests[i * width : (i + 1) * width] for i in range(n)),
        heads=tuple(strings[i] for i in found["heads"]),
        whole=tuple(i in whole for i in range(n)),
        contexts=tuple(strings[i] for i in found["contexts"]),
        metadata=tuple(json.loads(strings[i]) for i in found["metadata"]),
    )


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode


def pages(text: str) -> Iterator[tuple[int, str]]:
    """The pages of a text with their numbers."""
    for at in range(0, len(text), PAGE):
        yield at // PAGE, text[at : at + PAGE]


def slice_of(pages: Mapping[int, str], start: int, end: int) -> str:
    """`text[start:end]` from the pages that hold it."""
    if start >= end:
        return ""
    first, last = start // PAGE, (end - 1) // PAGE
    try:
        joined = "".join(pages[number] for number in range(first, last + 1))
    except KeyError as error:
        raise StoreError(
            f"the text of a document must be whole, but page {error} of it is not there: restore "
            "the index from a copy, or delete it and ingest again"
        ) from None
    return joined[start - first * PAGE : end - first * PAGE]


def info_text(info: NamespaceInfo) -> str:
    """A namespace's description as JSON."""
    return _json({name: getattr(info, name) for name in NamespaceInfo.__slots__})


def info_from(text: str) -> NamespaceInfo:
    """The description in what `info_text` made."""
    try:
        return NamespaceInfo(**json.loads(text))
    except (TypeError, ValueError) as error:
        raise StoreError(
            f"the description of a namespace must be whole, but is not: {error}"
        ) from None
