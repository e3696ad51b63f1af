"""The best chunks of a ranking put in order anew, by the vectors of their single tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamline.protocols import SupportsTokenVectors
from seamline.retrieve.base import Index, Ranks
from seamline.types import FloatArray, IntArray

__all__ = ["MaxSim"]

_TOP = 50  # chunks a question that are looked at again
_WEIGHT = 0.5  # of the late score beside the ranking's own, both as z-scores
_MOST_BYTES = 256 << 20  # token vectors that are kept at a time

Floats = NDArray[np.float64]


@dataclass(slots=True, eq=False)
class MaxSim:
    """An index whose 50 best chunks a question are ordered anew.

    To the z-score of each among the 50 half the z-score of its late interaction is
    added: the mean over the question's tokens of the highest cosine to a token of the
    chunk. `texts` are what is indexed. Chunks are embedded when they first come up,
    so a question costs up to 50 of them; of their vectors 256 MB are kept.

    Source: Khattab and Zaharia, ColBERT (2020), for the late interaction.
    """

    index: Index
    texts: Sequence[str]
    embedder: SupportsTokenVectors
    _kept: dict[int, FloatArray] = field(init=False, default_factory=dict)
    _bytes: int = field(init=False, default=0)

    def rank(
        self,
        questions: Sequence[str],
        query_vectors: FloatArray | None = None,
        *,
        depth: int,
        scope: IntArray | None = None,
    ) -> Ranks:
        """See `Index.rank`; scores keep their order, so they end where the 51st begins."""
        ranks = self.index.rank(questions, query_vectors, depth=max(depth, _TOP), scope=scope)
        asked = self.embedder.embed_tokens(questions, query=True) if len(questions) else []
        for ids, scores, tokens in zip(ranks.ids, ranks.scores, asked, strict=True):
            n = int(np.count_nonzero(ids[:_TOP] >= 0))
            if n > 1:
                self._reorder(ids[:n], scores[:n], tokens)
        return Ranks(ranks.ids[:, :depth], ranks.scores[:, :depth])

    def _reorder(self, ids: IntArray, scores: FloatArray, asked: FloatArray) -> None:
        late = [_late(asked, tokens) for tokens in self._tokens(ids.tolist())]
        fused = _standard(scores.astype(np.float64)) + _WEIGHT * _standard(np.array(late))
        fresh = (scores[-1] + fused - fused.min()).astype(np.float32)
        order = np.lexsort((ids, -fresh))
        ids[:], scores[:] = ids[order], fresh[order]

    def _tokens(self, ids: Sequence[int]) -> list[FloatArray]:
        missing = [number for number in ids if number not in self._kept]
        if missing:
            if self._bytes > _MOST_BYTES:
                self._kept, self._bytes = {}, 0
                missing = list(ids)
            found = self.embedder.embed_tokens([self.texts[number] for number in missing])
            self._kept.update(zip(missing, found, strict=True))
            self._bytes += sum(rows.nbytes for rows in found)
        return [self._kept[number] for number in ids]


def _late(asked: FloatArray, tokens: FloatArray) -> float:
    """The mean over the rows of `asked` of the highest product with a row of `tokens`."""
    return float((asked @ tokens.T).max(axis=1).mean(dtype=np.float64))


def _standard(values: Floats) -> Floats:
    out: Floats = (values - values.mean()) / (float(values.std()) or 1.0)
    return out
