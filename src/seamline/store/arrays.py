"""Arrays as bytes and back, in the narrowest type that holds them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.errors import StoreError

__all__ = ["Grown", "narrowed", "pack_arrays", "sealed", "unpack_arrays", "unsealed"]

_TYPES = [np.dtype(name) for name in ("<u1", "<u2", "<u4", "<u8", "<i4", "<i8", "<f4", "<f8")]
_CODES = {dtype: code for code, dtype in enumerate(_TYPES)}
_SEAL = 4  # bytes of a checksum


def narrowed(values: NDArray[Any]) -> NDArray[Any]:
    """The same whole numbers, which are 0 or more, in the narrowest unsigned type.

    Example:
        >>> narrowed(np.array([0, 300])).dtype.itemsize
        2
    """
    most = int(values.max(initial=0))
    return values.astype(_TYPES[(most > 0xFF) + (most > 0xFFFF)])


def pack_arrays(arrays: Sequence[NDArray[Any]]) -> bytes:
    """Arrays of one dimension in one piece, to be read by `unpack_arrays`.

    Example:
        >>> packed = pack_arrays([np.array([1, 2], np.int32), np.array([], np.float32)])
        >>> [array.tolist() for array in unpack_arrays(packed)]
        [[1, 2], []]
    """
    rows = [array.astype(array.dtype.newbyteorder("<"), copy=False) for array in arrays]
    head = [struct.pack("<I", len(rows))]
    head += [struct.pack("<BQ", _CODES[row.dtype], len(row)) for row in rows]
    return b"".join([*head, *(row.tobytes() for row in rows)])


def unpack_arrays(data: bytes | memoryview) -> list[NDArray[Any]]:
    """The arrays in what `pack_arrays` made, read-only views of it."""
    (n,) = struct.unpack_from("<I", data)
    heads = [struct.unpack_from("<BQ", data, 4 + 9 * i) for i in range(n)]
    at, out = 4 + 9 * n, []
    for code, length in heads:
        dtype = _TYPES[code]
        out.append(np.frombuffer(data, dtype, length, at))
        at += length * dtype.itemsize
    return out


def sealed(data: bytes) -> bytes:
    """Bytes with their checksum, four bytes more."""
    return data + struct.pack("<I", zlib.crc32(data))


def unsealed(data: bytes) -> memoryview:
    """What was given to `sealed`, not copied.

    Raises:
        StoreError: it has changed since, by a disk or by a program that is not seamline.

    Example:
        >>> bytes(unsealed(sealed(b"as it was")))
        b'as it was'
    """
    whole = memoryview(data)
    inner = whole[:-_SEAL]
    if len(whole) < _SEAL or whole[-_SEAL:] != struct.pack("<I", zlib.crc32(inner)):
        raise StoreError(
            "what is stored of a document must be whole, but is damaged: restore the index from a "
            "copy, or delete it and ingest again"
        )
    return inner


class Grown:
    """An array that rows are added to; what was handed out before stays as it was.

    Rows are copied when the capacity doubles, so adding costs what is added.
    """

    def __init__(self, dtype: Any, width: int = 0) -> None:
        self._shape = (width,) if width else ()
        self._rows = np.empty((0, *self._shape), dtype)
        self.n = 0

    def reserve(self, n: int) -> None:
        """Make room for n rows in all, so that adding them copies none."""
        if n > len(self._rows):
            fresh = np.empty((n, *self._shape), self._rows.dtype)
            fresh[: self.n] = self._rows[: self.n]
            self._rows = fresh

    def add(self, parts: Sequence[NDArray[Any]]) -> None:
        """Add the rows of `parts`."""
        more = sum(map(len, parts))
        if self.n + more > len(self._rows):
            self.reserve(max(self.n + more, 2 * self.n))
        for part in parts:
            self._rows[self.n : self.n + len(part)] = part
            self.n += len(part)

    @property
    def rows(self) -> NDArray[Any]:
        """All rows so far."""
        return self._rows[: self.n]
