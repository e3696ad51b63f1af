"""Passages that say nearly the same as a better one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

__all__ = ["Distinct"]

_PERCENT = 100.0


class Distinct:
    """Which texts are less than `most` (0..1) alike to every text kept before them.

    How alike two texts are is the share of characters that an edit from one to the other
    leaves in place, case and white space aside: 2 * kept / (sum of lengths). Texts whose
    lengths alone rule it out are not compared. Cost: a comparison for each pair kept.

    Example:
        >>> apart = Distinct(0.9)
        >>> apart.add(["Oil the pump.", "oil the  pump"])
        >>> apart.add(["Check the belt."])
        >>> apart.kept.tolist()
        [True, False, True]
    """

    def __init__(self, most: float) -> None:
        self._most = most
        self._texts: list[str] = []
        self._kept: list[bool] = []

    @property
    def n_seen(self) -> int:
        """How many texts were added."""
        return len(self._kept)

    @property
    def kept(self) -> NDArray[np.bool_]:
        """bool[n]: for each text that was added."""
        return np.array(self._kept, np.bool_)

    def add(self, texts: Sequence[str]) -> None:
        """Look at more texts, worse ones than all before."""
        for text in texts:
            plain = " ".join(text.casefold().split())
            is_kept = not any(_alike(plain, other, self._most) for other in self._texts)
            self._kept.append(is_kept)
            if is_kept:
                self._texts.append(plain)


def _alike(left: str, right: str, most: float) -> bool:
    short, long = sorted((len(left), len(right)))
    if 2 * short < most * (short + long):
        return False
    return bool(fuzz.ratio(left, right, score_cutoff=_PERCENT * most) > 0)
