"""Scores evened out inside a section: what stands around a chunk speaks for it."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from seamline.retrieve.places import Neighbours, Places
from seamline.types import FloatArray

__all__ = ["Kernel"]

Floats = NDArray[np.float64]

_SHARE = 0.7  # what neighbours have of the score
_CELLS = 1 << 18  # scores evened out at a time: they stay in the cache


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """0.3 of a chunk's own score, 0.7 of the mean around it, weighted by nearness and tokens.

    The token at distance d counts 1 - d / `reach`, so a section that goes on to both
    sides has `reach` tokens of weight. What is missing of them, at the edges of a
    section, goes to the chunk itself.
    """

    places: Places
    reach: int
    _near: Neighbours = field(init=False)
    _tokens: Floats = field(init=False)
    _around: Floats = field(init=False)

    def __post_init__(self) -> None:
        near = Neighbours(self.places, self.reach)
        tokens = self.places.tokens[near.order].astype(np.float64)
        around = near.weighted(tokens) - tokens
        for name, value in (("_near", near), ("_tokens", tokens), ("_around", around)):
            object.__setattr__(self, name, value)

    def smooth(self, scores: FloatArray, first: int, last: int) -> None:
        """Even out `scores` (float32[q, last - first]) in place; whole documents' chunks."""
        step = max(1, _CELLS // max(1, last - first))
        order = self._near.order[first:last] - first
        for at in range(0, len(scores), step):
            block = scores[at : at + step, order].astype(np.float64)
            scores[at : at + step, order] = self._smooth(block, first, last)

    def _smooth(self, scores: Floats, first: int, last: int) -> Floats:
        tokens, around = self._tokens[first:last], self._around[first:last]
        mass = scores * tokens
        others = self._near.weighted(mass, first, last) - mass
        total = np.maximum(around, self.reach)
        mean = (others + (total - around) * scores) / total
        out: Floats = (1 - _SHARE) * scores + _SHARE * mean
        return out
