"""Embedding through a model of somebody else: batches, windows, and checked answers."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from seamline.embed.base import BaseEmbedder, unit_rows
from seamline.errors import EmbeddingError, InvalidConfig
from seamline.types import FloatArray

__all__ = ["BatchedEmbedder", "Encode"]

Encode = Callable[[list[str]], Any]
_BYTES_A_TOKEN = 3  # a cautious guess: prose has 4 to 5, CJK 3


@dataclass(eq=False, kw_only=True)
class BatchedEmbedder(BaseEmbedder):
    """A subclass opens a model that turns strings into vectors; the rest is done here.

    Texts are sent longest first, at most `batch_size` of them and about
    `batch_tokens` tokens at a time, and come back in the order given. With
    `max_chars` longer texts follow `overlong`; without, the model cuts them as it
    likes. A model that answers with other numbers of rows or columns, or with
    values that are not finite, is an error.

    Raises:
        InvalidConfig: a limit under 1, or a text that is too long.
        EmbeddingError: the answer cannot be used.
    """

    batch_size: int = 64
    batch_tokens: int = 16_384
    max_chars: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("batch_size", "batch_tokens", "max_chars"):
            value = getattr(self, name)
            optional = name == "max_chars" and value is None
            if not optional and not (isinstance(value, int) and value >= 1):
                raise InvalidConfig(f"{name} must be a whole number >= 1, got {value!r}")
        self._dim = 0

    @property
    def dim(self) -> int:
        """The number of columns, 0 until the first text was embedded."""
        return self._dim

    @abstractmethod
    def _open(self) -> AbstractContextManager[Encode]:
        """What turns a batch of strings into one vector each; closed after the last batch."""

    def _embed(self, texts: list[str]) -> FloatArray:
        windows, firsts = self._windows(texts)
        if not windows:
            return np.empty((0, self._dim), np.float32)
        rows = self._embed_windows(windows, firsts)
        vectors = rows[firsts]
        counts = np.diff([*firsts, len(windows)])
        for i in np.flatnonzero(counts > 1):
            part = slice(firsts[i], firsts[i] + counts[i])
            weights = np.array([len(window) for window in windows[part]], np.float32)
            vectors[i] = unit_rows([weights @ rows[part]], 1, self._source())[0]
        return vectors

    def _windows(self, texts: list[str]) -> tuple[list[str], list[int]]:
        """What is sent for all texts, and the index of each text's first window."""
        limit = self.max_chars
        windows: list[str] = []
        firsts: list[int] = []
        for text in texts:
            firsts.append(len(windows))
            if limit is None or len(text) <= limit:
                windows.append(text)
            elif self.overlong == "mean_of_windows":
                windows += [text[start : start + limit] for start in range(0, len(text), limit)]
            elif self.overlong == "truncate":
                self.usage.add(truncated_texts=1)
                windows.append(text[:limit])
            else:
                raise InvalidConfig(
                    f"a text must have at most max_chars={limit} characters, got {len(text)} in "
                    f"{text[:40]!r}…: cut smaller, or set overlong=truncate or mean_of_windows"
                )
        return windows, firsts

    def _embed_windows(self, windows: list[str], firsts: list[int]) -> FloatArray:
        is_first = np.zeros(len(windows), bool)
        is_first[firsts] = True
        batches = list(self._batches(windows))
        done: list[tuple[list[int], FloatArray]] = []

        def run(encode: Encode, batch: list[int]) -> None:
            answer = encode([windows[i] for i in batch])
            done.append((batch, unit_rows(answer, len(batch), self._source())))
            n_texts = int(is_first[batch].sum())
            self.usage.add(calls=1, texts=n_texts)
            self._done(n_texts)

        with self._open() as encode, ThreadPoolExecutor(self._n_workers()) as pool:
            deque(pool.map(partial(run, encode), batches), maxlen=0)
        return self._in_order(done, len(windows))

    def _batches(self, windows: list[str]) -> Iterator[list[int]]:
        order = sorted(range(len(windows)), key=lambda i: len(windows[i]), reverse=True)
        batch: list[int] = []
        n_tokens = 0
        for i in order:
            size = len(windows[i].encode("utf-8", "replace")) // _BYTES_A_TOKEN + 1
            full = len(batch) == self.batch_size or n_tokens + size > self.batch_tokens
            if batch and full:
                yield batch
                batch, n_tokens = [], 0
            batch.append(i)
            n_tokens += size
        yield batch

    def _in_order(self, done: list[tuple[list[int], FloatArray]], n_rows: int) -> FloatArray:
        for _, rows in done:
            self._dim = self._dim or rows.shape[1]
            if rows.shape[1] != self._dim:
                raise EmbeddingError(
                    f"{self._source()} must answer with vectors of one length, got "
                    f"{self._dim} and {rows.shape[1]} dimensions"
                )
        ordered = np.empty((n_rows, self._dim), np.float32)
        for batch, rows in done:
            ordered[batch] = rows
        return ordered

    def _n_workers(self) -> int:
        """How many batches are under way at a time."""
        return 1

    def _source(self) -> str:
        """What error messages call the model."""
        return type(self).__name__
