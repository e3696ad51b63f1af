"""A probe of the model: what it makes of one text, to notice another model under the same name."""

from __future__ import annotations

from base64 import b64decode, b64encode

import numpy as np

from seamline.embed.base import checked_rows
from seamline.protocols import Embedder

__all__ = ["ALIKE", "agreement", "probe_of"]

ALIKE = 0.95
"""From this cosine on two vectors are one model's: another processor only rounds otherwise."""

_TEXT = "A seam is where a text may be cut: 3 of 4 lie between sentences."


def probe_of(embedder: Embedder) -> str:
    """The vector of a fixed text in base64, a byte a dimension; the model is asked, no cache."""
    (row,) = checked_rows(embedder.embed_documents([_TEXT]), 1, f"embedder {embedder.fingerprint}")
    steps = np.round(row / np.abs(row).max() * 127).astype("<i1")
    return b64encode(steps.tobytes()).decode()


def agreement(was: str, now: str) -> float:
    """The cosine of two probes, -1 to 1; 0 where they have different dimensions.

    Example:
        >>> agreement("fwA=", "fwA="), agreement("fwA=", "AH8="), agreement("fwA=", "fwB/")
        (1.0, 0.0, 0.0)
    """
    a, b = (np.frombuffer(b64decode(text), "<i1").astype(np.float64) for text in (was, now))
    if len(a) != len(b):
        return 0.0
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))
