"""Exact retrieval for the benchmark: rank chunks, then assemble what the reader is shown.

A retriever is also a string: `dense`, `bm25(k1=1.2)`, `hybrid(alpha=0.5, fusion=rrf)`.
"""

from __future__ import annotations

from seamline.registry import Registry, build, parse_spec
from seamline.retrieve.base import Index, Ranks, Retriever

__all__ = ["RETRIEVERS", "Index", "Ranks", "Retriever", "parse_retriever"]

RETRIEVERS = Registry(
    "retriever",
    "seamline.retrievers",
    {
        "dense": "seamline.retrieve.dense:Dense",
        "bm25": "seamline.retrieve.lexical:Bm25",
        "hybrid": "seamline.retrieve.hybrid:Hybrid",
    },
)


def parse_retriever(text: str) -> Retriever:
    """The retriever that `text` describes; `str()` of it is the canonical spec.

    Raises:
        UnknownName: no such retriever or parameter; the message suggests the nearest.
        InvalidConfig: the text is not a spec, or a value is out of range.

    Example:
        >>> str(parse_retriever("hybrid(fusion=rrf, k1=1.2)"))
        'hybrid(alpha=0.5, fusion=rrf)'
    """
    spec = parse_spec(text)
    retriever: Retriever = build(RETRIEVERS.get(spec.name), spec, "retriever")
    return retriever
