"""Cosines that do not depend on the order in which products are added up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamline.types import FloatArray

__all__ = ["cosines", "on_grid"]

Rows = NDArray[np.int64]

# Components are rounded to multiples of 2**-25 (an error under 1.5e-8, less than
# float32's own). Products are then multiples of 2**-50 and their sums stay under 2, so
# float64 adds them without rounding: the result cannot depend on the order of the
# additions, hence not on block sizes, threads or the BLAS.
_GRID = np.float32(2**25)
_COPYING = 5  # copying a row costs that many products with one
_EXACT = 256  # of the best chunks; the others are off by about 1e-7


def on_grid(vectors: FloatArray) -> FloatArray:
    """float32, as `vectors`: each component rounded to a multiple of 2**-25."""
    snapped: FloatArray = np.rint(np.asarray(vectors, np.float32) * _GRID) / _GRID
    return snapped


def cosines(vectors: FloatArray, vector: FloatArray, rows: Rows | None = None) -> FloatArray:
    """float32[n]: the product of each of `rows` (or all) with a vector, exact for the highest.

    Those are the 256 highest. Rows that are alike have the same product, wherever they
    stand: other than in a BLAS, each is added up by itself, which is no slower for a single
    vector.

    Example:
        >>> cosines(np.eye(2, dtype=np.float32), np.float32([0.5, 0.75])).tolist()
        [0.5, 0.75]
    """
    found = _products(vectors, vector, rows)
    best = np.arange(len(found))
    if len(found) > _EXACT:
        best = np.flatnonzero(found >= np.partition(found, -_EXACT)[-_EXACT])
    own = vectors[best if rows is None else rows[best]]
    found[best] = on_grid(own).astype(np.float64) @ on_grid(vector).astype(np.float64)
    return found


def _products(vectors: FloatArray, vector: FloatArray, rows: Rows | None) -> FloatArray:
    """As `cosines`, off by about 1e-7."""
    if rows is None:
        return np.asarray(np.einsum("ij,j->i", vectors, vector))
    if len(rows) * _COPYING > len(vectors):
        return np.asarray(np.einsum("ij,j->i", vectors, vector)[rows])
    return np.asarray(np.einsum("ij,j->i", vectors[rows], vector))
