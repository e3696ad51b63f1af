"""A document as a store keeps it: its chunks in columns, with their terms and places."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seamline.errors import InvalidConfig
from seamline.ingest.metadata import plain
from seamline.protocols import Sizer, Strategy, SupportsTokenEnds
from seamline.retrieve.analyze import Analyzer
from seamline.retrieve.lexical import count_terms
from seamline.retrieve.places import Layout
from seamline.retrieve.table import ChunkTable
from seamline.retrieve.terms import hashed
from seamline.sizers import sizes
from seamline.store.values import Columns, Details
from seamline.types import Chunk, Document, IntArray

__all__ = ["Cut", "Maker"]

_DIGEST = 16  # bytes


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A document cut: `indexed` is what is embedded, a text a chunk."""

    document: Document
    columns: Columns
    details: Details
    ends: IntArray
    indexed: list[str]


@dataclass(frozen=True, slots=True, eq=False)
class Maker:
    """Cuts documents by a strategy; counts tokens by a sizer and terms by an analyzer.

    Raises:
        InvalidConfig: the sizer cannot say where tokens end.
    """

    strategy: Strategy
    sizer: Sizer
    analyzer: Analyzer

    def __post_init__(self) -> None:
        if not isinstance(self.sizer, SupportsTokenEnds):
            raise InvalidConfig(
                f"tokenizer must say where its tokens end, which {self.sizer.name!r} does not: "
                "take tokens, cl100k_base, o200k_base, words or the path of a tokenizer.json"
            )

    def cut(self, document: Document) -> Cut:
        """The document's chunks in columns."""
        chunks = list(self.strategy.split(document))
        texts = [chunk.indexed for chunk in chunks]
        ends = self._ends(document.text)
        columns = self._columns(document, chunks, texts, ends)
        return Cut(document, columns, _details(document, chunks, texts, columns), ends, texts)

    def _ends(self, text: str) -> IntArray:
        sizer = self.sizer
        assert isinstance(sizer, SupportsTokenEnds)  # noqa: S101 - see __post_init__
        return sizer.ends(text)

    def _columns(
        self, document: Document, chunks: Sequence[Chunk], texts: list[str], ends: IntArray
    ) -> Columns:
        table = ChunkTable.from_chunks([document], [chunks], lambda some: sizes(self.sizer, some))
        places = Layout([document], [ends]).of(table)
        terms = self.analyzer.encode(texts)
        counts = count_terms(terms)
        vocabulary, number = np.unique(hashed(terms.vocabulary.terms()), return_inverse=True)
        order = np.lexsort((counts.term, counts.text))
        per_chunk = np.bincount(counts.text, minlength=len(chunks))
        return Columns(
            start=table.start,
            end=table.end,
            parent_start=table.parent_start,
            parent_end=table.parent_end,
            tokens=table.tokens,
            parent_tokens=table.parent_tokens,
            context_tokens=table.context_tokens,
            reach=table.shown_reach,
            section=places.section.astype(np.int32),
            middle=(2 * places.centre).astype(np.int32),
            covered=places.tokens.astype(np.int32),
            term_first=np.concatenate(([0], np.cumsum(per_chunk))).astype(np.int32),
            term=number.reshape(-1)[counts.term[order]].astype(np.int32),
            count=counts.count[order].astype(np.int32),
            vocabulary=vocabulary,
        )


def _details(
    document: Document, chunks: Sequence[Chunk], texts: Sequence[str], columns: Columns
) -> Details:
    whole = [not text.endswith(chunk.text) for text, chunk in zip(texts, chunks, strict=True)]
    heads = [
        text if own else text[: len(text) - len(chunk.text)]
        for own, text, chunk in zip(whole, texts, chunks, strict=True)
    ]
    return Details(
        digests=tuple(
            hashlib.blake2b(text.encode(), digest_size=_DIGEST).digest() for text in texts
        ),
        heads=tuple(heads),
        whole=tuple(whole),
        contexts=tuple(chunk.context for chunk in chunks),
        metadata=tuple(
            plain(
                {
                    key: value
                    for key, value in chunk.metadata.items()
                    if key not in document.metadata or document.metadata[key] != value
                }
                | ({} if _PLACES & chunk.metadata.keys() else {"line_range": lines})
            )
            for chunk, lines in zip(chunks, _lines(document.text, columns), strict=True)
        ),
    )


_PLACES = {"page_range", "row_range", "cell_range", "line_range"}


def _lines(text: str, columns: Columns) -> list[list[int]]:
    """The first and the last line of each chunk, from 1."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
    breaks = np.flatnonzero(points == ord("\n"))
    first = np.searchsorted(breaks, columns.start) + 1
    last = np.searchsorted(breaks, np.maximum(columns.end - 1, columns.start)) + 1
    return [list(pair) for pair in zip(first.tolist(), last.tolist(), strict=True)]
