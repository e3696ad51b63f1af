"""Terms as numbers that mean the same in every process: what stores keep of a text's words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seamline.retrieve.analyze import Analyzer

__all__ = ["asked_terms", "hashed"]

Terms = NDArray[np.uint64]


@lru_cache(maxsize=1 << 16)
def _hash(term: str) -> int:
    digest = hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def hashed(terms: Sequence[str]) -> Terms:
    """uint64[n]: a number for each term; that two of a corpus share one is next to impossible."""
    return np.fromiter(map(_hash, terms), np.uint64, len(terms))


def asked_terms(analyzer: Analyzer, question: str) -> tuple[Terms, NDArray[np.float32]]:
    """uint64[t] and float32[t]: the distinct terms of a question and how often it has each."""
    terms, counts = np.unique(hashed(analyzer.terms(question)), return_counts=True)
    return terms, counts.astype(np.float32)
