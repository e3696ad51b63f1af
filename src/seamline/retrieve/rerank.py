"""The best chunks of a question scored once more, by the vectors of their single tokens."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from seamline.protocols import SupportsTokenVectors
from seamline.retrieve.base import best_of
from seamline.types import FloatArray, IntArray

__all__ = ["KeptTokens", "MaxSim", "Rescore", "Texts", "kept_tokens"]

Texts = Callable[[Sequence[int]], Sequence[str]]
"""What is indexed of the chunks of these numbers."""

Rescore = Callable[[FloatArray, IntArray, int], None]
"""(scores, rows, first): scores float32[len(rows), n] of chunks from `first` on, in place."""

_TOP = 100  # chunks a question that are looked at again
_WEIGHT = 0.3  # of the late scores, against the spread of the others among these chunks
_MOST_BYTES = 256 << 20  # token vectors that are kept at a time

Floats = NDArray[np.float64]


@dataclass(slots=True, eq=False)
class MaxSim:
    """Adds late interaction to the scores of each question's 100 best chunks.

    That is the mean over the question's tokens of the highest cosine to a token of the
    chunk, standardised among the 100, times 0.3 of how far their scores spread. `texts`
    gives what is indexed. Chunks are embedded when they first come up, so a question costs
    up to 100 of them; of their vectors 256 MB are kept.

    Source: Khattab and Zaharia, ColBERT (2020), for the late interaction.
    """

    texts: Texts
    embedder: SupportsTokenVectors
    _kept: dict[int, FloatArray] = field(init=False, default_factory=dict)
    _bytes: int = field(init=False, default=0)

    def prepare(self, questions: Sequence[str]) -> Rescore:
        """What rescores these questions, by their numbers."""
        asked = self.embedder.embed_tokens(questions, query=True) if len(questions) else []

        def rescore(scores: FloatArray, rows: IntArray, first: int) -> None:
            for row, line in zip(rows.tolist(), scores, strict=True):
                best = best_of(line, _TOP, -np.inf)
                if len(best) > 1:
                    found = self._tokens((best + first).tolist())
                    late = np.array([_late(asked[row], tokens) for tokens in found])
                    spread = float(line[best].std(dtype=np.float64))
                    line[best] += (_WEIGHT * spread * _standard(late)).astype(np.float32)

        return rescore

    def _tokens(self, ids: Sequence[int]) -> list[FloatArray]:
        missing = [number for number in ids if number not in self._kept]
        if missing:
            if self._bytes > _MOST_BYTES:
                self._kept, self._bytes = {}, 0
                missing = list(ids)
            found = self.embedder.embed_tokens(self.texts(missing))
            self._kept.update(zip(missing, found, strict=True))
            self._bytes += sum(rows.nbytes for rows in found)
        return [self._kept[number] for number in ids]


@dataclass(slots=True, eq=False)
class KeptTokens:
    """An embedder of tokens that keeps the vectors of the texts it was asked for last: 256 MB.

    Chunks that one question brings up are likely to be brought up by the next one. Safe to
    use from several threads.
    """

    embedder: SupportsTokenVectors
    _kept: OrderedDict[str, FloatArray] = field(init=False, default_factory=OrderedDict)
    _bytes: int = field(init=False, default=0)
    _lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def embed_tokens(self, texts: Sequence[str], *, query: bool = False) -> list[FloatArray]:
        """See `SupportsTokenVectors`; questions are not kept."""
        if query:
            return self.embedder.embed_tokens(texts, query=True)
        with self._lock:
            found = {text: self._kept[text] for text in texts if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        made = dict(zip(missing, self.embedder.embed_tokens(missing), strict=True))
        found |= made
        with self._lock:
            self._keep(made, found)
        return [found[text] for text in texts]

    def _keep(self, made: dict[str, FloatArray], found: dict[str, FloatArray]) -> None:
        for text, rows in made.items():
            self._bytes += rows.nbytes if text not in self._kept else 0
            self._kept.setdefault(text, rows)
        for text in found.keys() & self._kept.keys():
            self._kept.move_to_end(text)
        while self._bytes > _MOST_BYTES:
            self._bytes -= self._kept.popitem(last=False)[1].nbytes


def kept_tokens(embedder: SupportsTokenVectors) -> KeptTokens:
    """The `KeptTokens` of an embedder: the same as the last time, for the last two of them."""
    return _kept_tokens(embedder) if isinstance(embedder, Hashable) else KeptTokens(embedder)


_kept_tokens = lru_cache(maxsize=2)(KeptTokens)


def _late(asked: FloatArray, tokens: FloatArray) -> float:
    """The mean over the rows of `asked` of the highest product with a row of `tokens`."""
    return float((asked @ tokens.T).max(axis=1).mean(dtype=np.float64))


def _standard(values: Floats) -> Floats:
    out: Floats = (values - values.mean()) / (float(values.std()) or 1.0)
    return out
