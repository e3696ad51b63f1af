"""What is compared without being kept: digests of cuts, gold and tokenizers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from pathlib import Path

import numpy as np

from seamline.bench.chunked import Chunked
from seamline.protocols import Sizer
from seamline.types import Document, Question

__all__ = [
    "Cuts",
    "cuts_of",
    "gold_digest",
    "pack_spans",
    "text_digest",
    "tokenizer_digest",
    "unpack_spans",
]

_BYTES = 8  # 16 hexadecimal digits: against accidents, not against forgers


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where one document was cut: its chunks' spans in order, and their size in tokens.

    `digest` changes with the spans, with the parents shown in their place, with the
    size of the context shown beside them and with what is indexed of them.
    """

    spans: tuple[tuple[int, int], ...]
    tokens: int
    digest: str


def _digest(parts: Iterable[bytes]) -> str:
    made = hashlib.blake2b(digest_size=_BYTES)
    for part in parts:
        made.update(len(part).to_bytes(8, "little"))  # so that no two lists of parts are alike
        made.update(part)
    return made.hexdigest()


def text_digest(*texts: str) -> str:
    """16 hexadecimal digits that change with any of the texts.

    Example:
        >>> text_digest("ab", "c") == text_digest("a", "bc")
        False
    """
    return _digest(text.encode() for text in texts)


def cuts_of(chunked: Chunked, n_documents: int) -> list[Cuts]:
    """The cuts of each document, in the order of the corpus."""
    table = chunked.cuts
    columns = (table.start, table.end, table.parent_start, table.parent_end, table.context_tokens)
    rows = np.stack(columns, axis=1).astype("<i8")
    edges = np.searchsorted(table.doc, np.arange(n_documents + 1)).tolist()
    found = []
    for first, last in pairwise(edges):
        own = rows[first:last]
        texts = (text.encode() for text in chunked.texts[first:last])
        spans = tuple((start, end) for start, end in own[:, :2].tolist())
        tokens = int(table.tokens[first:last].sum())
        found.append(Cuts(spans, tokens, _digest(chain([own.tobytes()], texts))))
    return found


def pack_spans(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Spans as small numbers: for each how far its start lies behind the last, and its length.

    Example:
        >>> pack_spans([(0, 512), (480, 1000)])
        [0, 512, 480, 520]
    """
    starts = [start for start, _ in spans]
    steps = [start - last for start, last in zip(starts, [0, *starts], strict=False)]
    return list(chain.from_iterable((s, b - a) for s, (a, b) in zip(steps, spans, strict=True)))


def unpack_spans(packed: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The spans that `pack_spans` made small.

    Example:
        >>> unpack_spans([0, 512, 480, 520])
        ((0, 512), (480, 1000))
    """
    starts = accumulate(packed[::2])
    return tuple((a, a + n) for a, n in zip(starts, packed[1::2], strict=True))


def gold_digest(question: Question, document: Document) -> str:
    """16 hexadecimal digits that change with the words of the gold, not with where they stand."""
    texts = [
        sorted(document.text[span.start : span.end] for span in slot) for slot in question.slots
    ]
    return text_digest(json.dumps(texts))


def tokenizer_digest(sizer: Sizer) -> str | None:
    """16 hexadecimal digits of a tokenizer's file; None of one that is known by its name."""
    path = Path(sizer.name)
    return _digest([path.read_bytes()]) if path.suffix == ".json" and path.is_file() else None
