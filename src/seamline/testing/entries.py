"""Documents for stores to be tested with: cut into sentences, with vectors that follow from texts."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from seamline.ingest.cut import Maker
from seamline.retrieve.analyze import Analyzer
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy
from seamline.store.values import Entry, NamespaceInfo
from seamline.types import Document, FloatArray

__all__ = ["DIM", "INFO", "make_entry", "vector_of"]

DIM = 8
INFO = NamespaceInfo("laws", "sentence(size=8)", DIM, "laws-1")
_MAKER = Maker(parse_strategy("sentence(size=8, unit=words)"), parse_sizer("words"), Analyzer(None))


def vector_of(text: str, dim: int = DIM) -> FloatArray:
    """float32[dim] of length 1 that a text always gets."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")
    row = np.random.default_rng(seed).standard_normal(dim).astype(np.float32)
    return np.asarray(row / np.linalg.norm(row), np.float32)


def make_entry(doc_id: str, text: str, *, dim: int = DIM, **facts: Any) -> Entry:
    """A document cut into sentences, with vectors that follow from the texts alone.

    Example:
        >>> len(make_entry("a", "One two three four five. Six seven eight nine ten.").columns)
        2
    """
    cut = _MAKER.cut(Document.from_text(text, doc_id))
    rows = [vector_of(one, dim) for one in cut.indexed] if dim else []
    vectors = np.array(rows, np.float32).reshape(-1, dim) if dim else None
    digest = hashlib.blake2b(repr((text, sorted(facts.items(), key=str))).encode()).digest()
    return Entry(doc_id, text, digest, cut.columns, cut.details, vectors, cut.ends, **facts)
