"""Cosines that do not depend on the order in which products are added up."""

from __future__ import annotations

import numpy as np

from seamline.types import FloatArray

__all__ = ["cosines", "on_grid"]

# Components are rounded to multiples of 2**-25 (an error under 1.5e-8, less than
# float32's own). Products are then multiples of 2**-50 and their sums stay under 2, so
# float64 adds them without rounding: the result cannot depend on the order of the
# additions, hence not on block sizes, threads or the BLAS.
_GRID = np.float32(2**25)
_EXACT = 1024  # of the best chunks; the others are off by about 1e-7


def on_grid(vectors: FloatArray) -> FloatArray:
    """float32, as `vectors`: each component rounded to a multiple of 2**-25."""
    snapped: FloatArray = np.rint(np.asarray(vectors, np.float32) * _GRID) / _GRID
    return snapped


def cosines(vectors: FloatArray, vector: FloatArray) -> FloatArray:
    """float32[n]: the product of each row with a vector, exact for the 1,024 highest.

    Rows that are alike have the same product, wherever they stand: other than in a BLAS, each
    is added up by itself, which is no slower for a single vector.

    Example:
        >>> cosines(np.eye(2, dtype=np.float32), np.float32([0.5, 0.75])).tolist()
        [0.5, 0.75]
    """
    found: FloatArray = np.einsum("ij,j->i", vectors, vector)
    best = np.arange(len(found))
    if len(found) > _EXACT:
        best = np.flatnonzero(found >= np.partition(found, -_EXACT)[-_EXACT])
    exact = on_grid(vectors[best]).astype(np.float64) * on_grid(vector).astype(np.float64)
    found[best] = exact.sum(axis=1)
    return found
