"""What every embedder shares: prefixes, usage, and rows that are checked and of length 1."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np

from seamline.errors import EmbeddingError
from seamline.types import FloatArray

__all__ = ["BaseEmbedder", "Kind", "Progress", "Usage", "fingerprint", "unit_rows"]

Kind = Literal["document", "query"]
Progress = Callable[[int], None]

_COUNTING = threading.Lock()


@dataclass(slots=True)
class Usage:
    """What an embedder did since it was made; readable at any time.

    `calls` are requests to the model, `texts` and `tokens` what it was sent,
    `truncated_texts` and `truncated_tokens` what was cut off before it was sent.
    `tokens` stay 0 where the model does not tell.
    """

    calls: int = 0
    texts: int = 0
    tokens: int = 0
    truncated_texts: int = 0
    truncated_tokens: int = 0

    def add(self, **counts: int) -> None:
        """Add to the counters; safe from several threads."""
        with _COUNTING:
            for name, count in counts.items():
                setattr(self, name, getattr(self, name) + count)

    def copy(self) -> Usage:
        """The counters as they stand, to subtract from later ones."""
        return Usage(**{item.name: getattr(self, item.name) for item in fields(self)})


@dataclass(eq=False, kw_only=True)
class BaseEmbedder:
    """The base of seamline's embedders: a subclass says how texts become vectors.

    `prefix_document` and `prefix_query` are put before each text (E5 and Nomic
    models want them) and are part of the fingerprint. `progress`, if set, is
    called with the number of texts just done, from any thread.
    """

    prefix_document: str = ""
    prefix_query: str = ""
    usage: Usage = field(default_factory=Usage, init=False, repr=False)
    progress: Progress | None = field(default=None, init=False, repr=False)

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        return self._embed([self.prefix_document + text for text in texts])

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        return self._embed([self.prefix_query + text for text in texts])

    def _embed(self, texts: list[str]) -> FloatArray:
        raise NotImplementedError

    def _done(self, n_texts: int) -> None:
        if self.progress is not None and n_texts:
            self.progress(n_texts)


def fingerprint(name: str, *parts: Any) -> str:
    """`name-` and 16 hexadecimal digits that change with any of `parts`.

    Example:
        >>> fingerprint("minilm", 256) == fingerprint("minilm", 256)
        True
        >>> fingerprint("minilm", 256) == fingerprint("minilm", 128)
        False
    """
    digest = hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()
    return f"{name}-{digest}"


def unit_rows(vectors: Any, n_texts: int, source: str) -> FloatArray:
    """float32[n_texts, dim] with each row scaled to length 1.

    A row of zeros, as static models give for a text without a known word, stays
    zero: it is similar to nothing.

    Raises:
        EmbeddingError: not one row a text, no columns, or a value that is not finite.

    Example:
        >>> unit_rows([[3.0, 4.0]], 1, "example").round(1).tolist()
        [[0.6000000238418579, 0.800000011920929]]
    """
    try:
        array = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError):
        raise EmbeddingError(
            f"{source} must answer with vectors of numbers, all of one length, but did not"
        ) from None
    if array.ndim != 2 or len(array) != n_texts or not array.shape[1]:
        raise EmbeddingError(
            f"{source} must answer with one vector a text: sent {n_texts} texts, "
            f"got an array of shape {array.shape}"
        )
    lengths = np.sqrt((array * array).sum(axis=1))
    if not np.isfinite(lengths).all():
        bad = int(np.flatnonzero(~np.isfinite(lengths))[0])
        raise EmbeddingError(
            f"{source} must answer with finite numbers, but vector {bad} of {n_texts} has others"
        )
    lengths[lengths == 0] = 1
    rows: FloatArray = (array / lengths[:, None]).astype(np.float32)
    return rows
