"""Vectors kept on disk, so that a text is embedded once whatever strategy cut it."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from seamline.embed.base import Kind, Progress, Usage, checked, checked_rows
from seamline.embed.vectorfile import Memory, VectorFile, Vectors
from seamline.errors import BudgetSpent, EmbeddingError
from seamline.protocols import Embedder
from seamline.types import FloatArray

__all__ = ["CachedEmbedder", "cache_path"]

_COMMIT = 1024  # texts embedded between two commits: what a killed run can lose
_BLOCK = 8192  # texts looked up at a time: bounds the memory beside the result


def cache_path() -> Path:
    """Where vectors are kept: `SEAMLINE_CACHE_DIR`, else the system's cache folder.

    That is `$XDG_CACHE_HOME/seamline` or `~/.cache/seamline`, on macOS
    `~/Library/Caches/seamline`, on Windows `%LOCALAPPDATA%/seamline`.

    Example:
        >>> cache_path().name
        'vectors.sqlite3'
    """
    return _cache_dir() / "vectors.sqlite3"


def _cache_dir() -> Path:
    if chosen := os.environ.get("SEAMLINE_CACHE_DIR"):
        return Path(chosen).expanduser()
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "seamline"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "seamline"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "seamline"


class CachedEmbedder:
    """An embedder that asks `embedder` only for texts it has not seen.

    Vectors are kept in the SQLite file `path`, shared with other processes and
    other embedders, or in memory if `path` is None. The key is the embedder's
    fingerprint (and `runtime`, where it has one), document or query, and the text.
    A text repeated in one call is embedded once. What is embedded is committed
    every 1,024 texts, so an interrupted run loses at most these.

    `hits` and `misses` count texts: `misses` were embedded, `hits` were not. With `most`
    a call after which there would be more misses than that is refused before it begins.
    A cache that cannot be read or written warns and is done without. Unless `keep`, what is
    embedded is not put into it.

    Raises:
        EmbeddingError: `embedder` answered with what are no unit vectors, one a text
            and all of one length.
        BudgetSpent: `most` does not allow a call.

    Example:
        >>> from seamline.embed.minilm import MiniLM
        >>> cached = CachedEmbedder(MiniLM(), None)
        >>> cached.embed_documents(["twice", "once", "twice"]).shape
        (3, 384)
        >>> cached.hits, cached.misses
        (1, 2)
    """

    def __init__(self, embedder: Embedder, path: str | Path | None, *, keep: bool = True) -> None:
        self.embedder = embedder
        self.keep = keep
        self.path = None if path is None else Path(path)
        self.hits = 0
        self.misses = 0
        self.most: int | None = None
        self._progress: Progress | None = None
        self._row_bytes = 0
        self._lock = threading.Lock()
        self._vectors: Vectors = Memory() if self.path is None else VectorFile(self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(CachedEmbedder, keep=self.keep), (self.embedder, self.path)

    @property
    def fingerprint(self) -> str:
        """The embedder's own."""
        return self.embedder.fingerprint

    @property
    def usage(self) -> Usage:
        """The embedder's own, zeros if it does not count."""
        usage: Usage = getattr(self.embedder, "usage", None) or Usage()
        return usage

    @property
    def progress(self) -> Progress | None:
        """Called with the number of texts just done, cached ones at once."""
        return self._progress

    @progress.setter
    def progress(self, hook: Progress | None) -> None:
        self._progress = hook
        if hasattr(self.embedder, "progress"):
            self.embedder.progress = hook

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        return self._embed(texts, "document", self.embedder.embed_documents)

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        return self._embed(texts, "query", self.embedder.embed_queries)

    def close(self) -> None:
        """Close the file; the next call opens it again."""
        if isinstance(self._vectors, VectorFile):
            self._vectors.close()

    def _embed(
        self, texts: Sequence[str], kind: Kind, embed: Callable[[Sequence[str]], FloatArray]
    ) -> FloatArray:
        texts = checked(texts)
        if not texts:
            return checked_rows(embed([]), 0, self._source())
        if self.most is not None and (need := self.misses + self._missing(texts, kind)) > self.most:
            raise BudgetSpent(
                f"at most {self.most:,} texts may be embedded, but this makes {need:,}: allow more"
            )
        blocks = [texts[start : start + _BLOCK] for start in range(0, len(texts), _BLOCK)]
        first = self._embed_block(blocks[0], kind, embed)
        vectors = np.empty((len(texts), first.shape[1]), np.float32)
        vectors[: len(first)] = first
        for i, block in enumerate(blocks[1:], start=1):
            vectors[i * _BLOCK : i * _BLOCK + len(block)] = self._embed_block(block, kind, embed)
        return vectors

    def _missing(self, texts: Sequence[str], kind: Kind) -> int:
        """How many of the texts, each counted once, are not in the cache."""
        keys = list(dict.fromkeys(self._keys(texts, kind)))
        blocks = (keys[start : start + _BLOCK] for start in range(0, len(keys), _BLOCK))
        return len(keys) - sum(len(self._vectors.get(block)) for block in blocks)

    def _embed_block(
        self, texts: Sequence[str], kind: Kind, embed: Callable[[Sequence[str]], FloatArray]
    ) -> FloatArray:
        keys = self._keys(texts, kind)
        wanted = dict(zip(keys, texts, strict=True))
        found = self._vectors.get(list(wanted))
        missing = [key for key in wanted if key not in found]
        self._count(len(texts), len(missing))
        for start in range(0, len(missing), _COMMIT):
            batch = missing[start : start + _COMMIT]
            answer = embed([wanted[key] for key in batch])
            rows = checked_rows(answer, len(batch), self._source()).astype("<f4")
            fresh = {key: row.tobytes() for key, row in zip(batch, rows, strict=True)}
            if self.keep:
                self._vectors.put(fresh)
            found |= fresh
            if self._progress is not None and not hasattr(self.embedder, "progress"):
                self._progress(len(batch))
        return self._rows([found[key] for key in keys])

    def _rows(self, vectors: list[bytes]) -> FloatArray:
        self._row_bytes = self._row_bytes or len(vectors[0])
        if {self._row_bytes, *map(len, vectors)} != {self._row_bytes}:
            raise EmbeddingError(
                f"vectors of one fingerprint must have one length, but there are several "
                f"for {self.fingerprint!r}: change the fingerprint whenever the model changes"
            )
        joined = np.frombuffer(b"".join(vectors), "<f4")
        return joined.reshape(len(vectors), -1).astype(np.float32)

    def _source(self) -> str:
        return f"embedder {self.fingerprint!r}"

    def _keys(self, texts: Sequence[str], kind: Kind) -> list[bytes]:
        runtime = getattr(self.embedder, "runtime", "")
        space = hashlib.blake2b(repr((self.fingerprint, runtime, kind)).encode()).digest()
        return [
            hashlib.blake2b(text.encode(), digest_size=16, key=space).digest() for text in texts
        ]

    def _count(self, n_texts: int, n_missing: int) -> None:
        with self._lock:
            self.hits += n_texts - n_missing
            self.misses += n_missing
        if self._progress is not None and n_texts > n_missing:
            self._progress(n_texts - n_missing)
