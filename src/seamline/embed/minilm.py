"""The embedded default: all-MiniLM-L6-v2 in int8, offline, the same bytes every time.

A text's vector must not depend on its batch mates, or results would change with
the batching. So no padding: texts are run together only with texts of exactly
as many tokens, and activations are quantised with ranges fixed at export.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from itertools import groupby, islice, pairwise
from pathlib import Path
from platform import machine
from typing import TYPE_CHECKING

import numpy as np

from seamline.embed.base import BaseEmbedder, checked, fingerprint, unit_rows
from seamline.errors import EmbeddingError, InvalidConfig
from seamline.types import FloatArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

__all__ = ["MiniLM"]

DATA = Path(__file__).parent / "data" / "minilm"
MAX_TOKENS = 256
DIM = 384
_CLS, _SEP = 101, 102
_BODY = MAX_TOKENS - 2
# Measured: below, short texts pay the overhead of a run; above, activations leave the cache.
_BATCH_TOKENS = 384
_SLAB = 4096  # texts tokenised, sorted and run at a time
_WORDS = 1 << 16  # words whose number of pieces is kept
_LOADING = threading.Lock()


@cache
def _manifest() -> dict[str, str]:
    digests: dict[str, str] = json.loads((DATA / "manifest.json").read_text())["sha256"]
    return digests


def _read(name: str) -> bytes:
    data = (DATA / name).read_bytes()
    if hashlib.sha256(data).hexdigest() != _manifest()[name]:
        raise EmbeddingError(
            f"{DATA / name} must be the file that seamline ships, but its SHA-256 differs: "
            "reinstall seamline"
        )
    return data


# Imported where needed because they take longer to import than the rest of seamline.
@cache
def _load_tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(_read("tokenizer.json"))
    tokenizer.encode_special_tokens = True  # "[SEP]" in a document is plain text
    return tokenizer


@cache
def _load_session() -> InferenceSession:
    # Or importing it writes a device id and a database for its maker into the home folder.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = 1  # threads run whole batches instead, see _run
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False  # shapes change from run to run
    return InferenceSession(_read("model.onnx"), options, providers=["CPUExecutionProvider"])


def _tokenizer() -> Tokenizer:
    with _LOADING:
        return _load_tokenizer()


def _session() -> InferenceSession:
    with _LOADING:
        return _load_session()


@lru_cache(_WORDS)
def _n_pieces(word: str) -> int:
    return len(_tokenizer().encode(word, add_special_tokens=False).ids)


def _batched(items: Iterator[int], size: int) -> Iterator[list[int]]:
    while batch := list(islice(items, size)):
        yield batch


def _n_workers() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(eq=False, kw_only=True)
class MiniLM(BaseEmbedder):
    """all-MiniLM-L6-v2 in int8, shipped with seamline: English, 384 dimensions, 256 tokens.

    `overlong` says what happens to a text of over 256 word pieces: `truncate`
    keeps the first 254 (and counts the rest in `usage`), `mean_of_windows`
    averages over all its pieces, `error` refuses it. The model is read from
    disk at the first text and shared by all instances of a process.

    Empty text has a vector too. A text's vector is the same bytes alone, in any
    batch and in any process of one machine and one version of ONNX Runtime.

    Raises:
        InvalidConfig: `overlong` is none of the three, or a text is too long.

    Example:
        >>> MiniLM().embed_queries(["how do I reset my password?"]).shape
        (1, 384)
    """

    @property
    def dim(self) -> int:
        """The number of columns, 384."""
        return DIM

    @property
    def max_tokens(self) -> int:
        """How many word pieces the model sees of a text, two of them its own marks."""
        return MAX_TOKENS

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the files, the pooling, the window, the policy or a prefix."""
        parts = sorted(_manifest().items()), "mean", MAX_TOKENS, self.overlong
        return fingerprint("minilm", *parts, self.prefix_document, self.prefix_query)

    @property
    def runtime(self) -> str:
        """What may move the last bits of a vector without changing the model."""
        return f"onnxruntime {version('onnxruntime')} {machine()}"

    def beyond_window(self, texts: Sequence[str]) -> tuple[int, int]:
        """Word pieces of `texts` as documents: those that are cut off, and all.

        Counts the prefix, not the model's two marks. Nothing is cut off unless
        `overlong` is `truncate`. The model is not loaded.

        Example:
            >>> MiniLM().beyond_window(["money " * 300, "two words"])
            (46, 302)
        """
        # No piece crosses a space, and texts share most words: each is cut up once.
        counts = [
            sum(map(_n_pieces, text.replace("\n", " ").split(" ")))
            for text in checked(texts, prefix=self.prefix_document)
        ]
        cuts = self.overlong == "truncate"
        return sum(max(count - _BODY, 0) for count in counts) if cuts else 0, sum(counts)

    def _embed(self, texts: list[str]) -> FloatArray:
        vectors = np.empty((len(texts), DIM), np.float32)
        for start in range(0, len(texts), _SLAB):
            slab = texts[start : start + _SLAB]
            windows, firsts = self._windows(slab)
            sums = self._run(windows, firsts)
            whole = np.add.reduceat(sums, firsts, axis=0)  # its length is evened out next
            vectors[start : start + len(slab)] = unit_rows(whole, len(slab), "MiniLM")
        return vectors

    def embed_tokens(self, texts: Sequence[str], *, query: bool = False) -> list[FloatArray]:
        """float32[n_pieces, 384] a text: a unit vector for each word piece that the model sees.

        The model's two marks are left out, unless a text has nothing else.

        Example:
            >>> [rows.shape for rows in MiniLM().embed_tokens(["reset my password", ""])]
            [(3, 384), (2, 384)]
        """
        prefix = self.prefix_query if query else self.prefix_document
        windows, firsts = self._windows(checked(texts, prefix=prefix))
        rows: list[FloatArray] = [np.empty((0, DIM), np.float32)] * len(windows)
        for batch in _batches([len(window) for window in windows]):
            ids = np.array([windows[i] for i in batch], np.int64)
            (tokens,) = _session().run(["tokens"], {"ids": ids})
            for i, own in zip(batch, tokens, strict=True):
                inner = own[1:-1] if len(own) > len((_CLS, _SEP)) else own
                rows[i] = inner / np.linalg.norm(inner, axis=1, keepdims=True)
            self.usage.add(calls=1, tokens=ids.size)
        return [np.concatenate(rows[a:b]) for a, b in pairwise([*firsts, len(windows)])]

    def _windows(self, texts: list[str]) -> tuple[list[list[int]], list[int]]:
        """The token windows of all texts, and the index of each text's first one."""
        tokenizer = _tokenizer()
        windows: list[list[int]] = []
        firsts: list[int] = []
        for text in texts:
            firsts.append(len(windows))
            ids = tokenizer.encode(text, add_special_tokens=False).ids
            if len(ids) > _BODY:
                ids = self._shorten(ids, text)
            starts = range(0, max(len(ids), 1), _BODY)
            windows += [[_CLS, *ids[start : start + _BODY], _SEP] for start in starts]
        return windows, firsts

    def _shorten(self, ids: list[int], text: str) -> list[int]:
        if self.overlong == "mean_of_windows":
            return ids
        if self.overlong == "error":
            raise InvalidConfig(
                f"a text must have at most {_BODY} word pieces, got {len(ids)} in "
                f"{text[:40]!r}…: cut smaller, or set overlong=truncate or mean_of_windows"
            )
        self.usage.add(truncated_texts=1, truncated_tokens=len(ids) - _BODY)
        return ids[:_BODY]

    def _run(self, windows: list[list[int]], firsts: list[int]) -> FloatArray:
        """float32[n_windows, 384]: the sum of each window's token vectors."""
        session = _session()
        sums = np.full((len(windows), DIM), np.nan, np.float32)  # a row left out must show
        is_first = np.zeros(len(windows), bool)
        is_first[firsts] = True

        def run(batch: list[int]) -> None:
            ids = np.array([windows[i] for i in batch], np.int64)
            (tokens,) = session.run(["tokens"], {"ids": ids})
            # Summed one by one: numpy may add in another order over a larger array.
            for i, vectors in zip(batch, tokens, strict=True):
                sums[i] = vectors.sum(axis=0)
            n_texts = int(is_first[batch].sum())
            self.usage.add(calls=1, texts=n_texts, tokens=ids.size)
            self._done(n_texts)

        batches = list(_batches([len(window) for window in windows]))
        workers = min(_n_workers(), len(batches))
        if workers > 1:
            with ThreadPoolExecutor(workers) as pool:
                deque(pool.map(run, batches), maxlen=0)
        else:
            deque(map(run, batches), maxlen=0)
        return sums


def _batches(lengths: list[int]) -> Iterator[list[int]]:
    """Indices of windows of one length, as many as fit a batch; the longest first."""
    order = sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True)
    for length, group in groupby(order, key=lengths.__getitem__):
        size = max(1, _BATCH_TOKENS // length)
        yield from _batched(group, size)
