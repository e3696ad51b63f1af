"""What every embedder shares: prefixes, usage, unit rows, and one rule for over-long text."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from importlib.util import find_spec
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from seamline.errors import EmbeddingError, InvalidConfig, MissingExtra
from seamline.types import FloatArray

__all__ = [
    "BaseEmbedder",
    "Kind",
    "Overlong",
    "Progress",
    "Usage",
    "checked_rows",
    "fingerprint",
    "need",
    "unit_rows",
]

Kind = Literal["document", "query"]
Overlong = Literal["truncate", "mean_of_windows", "error"]
Progress = Callable[[int], None]

_TOLERANCE = 1e-3
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
    models want them). `overlong` says what happens to a text longer than the
    model reads: `truncate` keeps its start and counts the rest in `usage`,
    `mean_of_windows` averages over all of it, `error` refuses it. All three are
    part of the fingerprint. `progress`, if set, is called with the number of
    texts just done, from any thread.

    Raises:
        InvalidConfig: `overlong` is none of the three, or a prefix is no string.
    """

    overlong: Overlong = "truncate"
    prefix_document: str = ""
    prefix_query: str = ""
    usage: Usage = field(default_factory=Usage, init=False, repr=False)
    progress: Progress | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.overlong not in get_args(Overlong):
            raise InvalidConfig(
                f"overlong must be one of {', '.join(get_args(Overlong))}, got {self.overlong!r}"
            )
        for name in ("prefix_document", "prefix_query"):
            if not isinstance(getattr(self, name), str):
                raise InvalidConfig(f"{name} must be a string, got {getattr(self, name)!r}")

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        return self._embed(checked(texts, prefix=self.prefix_document))

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        return self._embed(checked(texts, prefix=self.prefix_query))

    def _embed(self, texts: list[str]) -> FloatArray:
        raise NotImplementedError

    def _done(self, n_texts: int) -> None:
        if self.progress is not None and n_texts:
            self.progress(n_texts)


def checked(texts: Sequence[str], prefix: str = "") -> list[str]:
    """The texts with `prefix` before each.

    Raises:
        InvalidConfig: one string in place of a list, or a text with a lone surrogate.
    """
    if isinstance(texts, str):
        raise InvalidConfig("texts must be a list of strings, got one string: put it in a list")
    for i, text in enumerate(texts):
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError:
                raise InvalidConfig(
                    f"texts must be valid Unicode, but text {i} holds a lone surrogate: "
                    "decode it with errors='replace' first"
                ) from None
    return [prefix + text for text in texts]


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


def need(module: str, extra: str) -> None:
    """Nothing, if the optional `module` is installed; it is not imported.

    Raises:
        MissingExtra: it is not installed; names the extra that brings it.
    """
    if find_spec(module) is None:
        raise MissingExtra(
            f"this embedder needs {module}, which is not installed: pip install 'seamline[{extra}]'"
        )


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
    array, lengths = _matrix(vectors, n_texts, source)
    lengths[lengths == 0] = 1
    rows: FloatArray = (array / lengths[:, None]).astype(np.float32)
    return rows


def checked_rows(vectors: Any, n_texts: int, source: str) -> FloatArray:
    """float32[n_texts, dim]: the vectors as they came, if an `Embedder` may give them.

    Raises:
        EmbeddingError: as `unit_rows`, or a row's length is neither 1 (to a
            thousandth) nor 0.

    Example:
        >>> checked_rows([[0.6, 0.8], [0.0, 0.0]], 2, "example").shape
        (2, 2)
    """
    array, lengths = _matrix(vectors, n_texts, source)
    wrong = np.flatnonzero((np.abs(lengths - 1) > _TOLERANCE) & (lengths != 0))
    if len(wrong):
        raise EmbeddingError(
            f"{source} must answer with vectors of length 1 (or all zero), got length "
            f"{lengths[wrong[0]]:g} in vector {wrong[0]} of {n_texts}: normalise them"
        )
    rows: FloatArray = array.astype(np.float32)
    return rows


def _matrix(
    vectors: Any, n_texts: int, source: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """float64[n_texts, dim] and the length of each row, if they are finite numbers."""
    try:
        given = np.asarray(vectors)
    except (TypeError, ValueError, RuntimeError):
        given = np.empty(0, object)
    if given.size == n_texts == 0:
        return np.zeros((0, given.shape[1] if given.ndim > 1 else 0)), np.zeros(0)
    if given.dtype.kind not in "fiu":
        held = f" of {given.dtype}" if isinstance(vectors, np.ndarray) else ""
        raise EmbeddingError(
            f"{source} must answer with vectors of numbers, all of one length, "
            f"got a {type(vectors).__name__}{held}"
        )
    if given.ndim != 2 or len(given) != n_texts or not given.shape[1]:
        raise EmbeddingError(
            f"{source} must answer with one vector a text: sent {n_texts} texts, "
            f"got an array of shape {given.shape}"
        )
    array = given.astype(np.float64)
    lengths = np.sqrt((array * array).sum(axis=1))
    if not np.isfinite(lengths).all():
        bad = int(np.flatnonzero(~np.isfinite(lengths))[0])
        raise EmbeddingError(
            f"{source} must answer with finite numbers, but vector {bad} of {n_texts} has others"
        )
    return array, lengths
