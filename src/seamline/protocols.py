"""The roles of seamline's parts, and the capabilities asked for by `isinstance`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from seamline.types import Chunk, Document, FloatArray, IntArray, Seams

__all__ = [
    "Embedder",
    "Parser",
    "SeamFinder",
    "Sizer",
    "Strategy",
    "SupportsTokenEnds",
    "SupportsTokenVectors",
]


@runtime_checkable
class Sizer(Protocol):
    """Measures text in its own unit: characters, words, tokens."""

    @property
    def name(self) -> str:
        """How the unit is written in a strategy string."""
        ...

    def size(self, text: str) -> int:
        """The size of `text`, 0 for the empty string."""
        ...


@runtime_checkable
class SupportsTokenEnds(Protocol):
    """A sizer that can say in one pass where each token ends."""

    def ends(self, text: str) -> IntArray:
        """int32[n_tokens]: code-point end offset of every token, non-decreasing.

        A token that ends inside a character gets the end of that character.
        """
        ...


@runtime_checkable
class Parser(Protocol):
    """Turns a file's bytes (or a string) into a document with blocks."""

    def parse(self, data: bytes | str, source: str) -> Document:
        """The document; raises `InvalidDocument` naming `source`."""
        ...


@runtime_checkable
class SeamFinder(Protocol):
    """Knows where it would be good to cut; never where to cut."""

    def find(self, document: Document) -> Seams:
        """The seams of the document's text."""
        ...


@runtime_checkable
class Strategy(Protocol):
    """Cuts a document. Anything with this one method can be measured."""

    def split(self, document: Document) -> Sequence[Chunk]:
        """The chunks in document order; blank text gives none."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors.

    `fingerprint` changes whenever the vectors would (model, weights,
    quantisation, pooling, prefixes); caches are keyed by it.
    """

    @property
    def fingerprint(self) -> str:
        """Names the vectors: equal fingerprints, equal vectors."""
        ...

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], each row of length 1, in the order given."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], each row of length 1, in the order given."""
        ...


@runtime_checkable
class SupportsTokenVectors(Protocol):
    """An embedder that can also give a vector a token, for late interaction."""

    def embed_tokens(self, texts: Sequence[str], *, query: bool = False) -> list[FloatArray]:
        """float32[n_tokens, dim] a text, rows of length 1, at least one."""
        ...
