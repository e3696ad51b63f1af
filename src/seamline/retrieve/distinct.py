"""Passages that say nearly the same as a better one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz

__all__ = ["distinct"]

_PERCENT = 100.0


def distinct(texts: Sequence[str], most: float) -> NDArray[np.bool_]:
    """bool[n]: which texts are less than `most` (0..1) alike to every text kept before them.

    How alike two texts are is the share of characters that an edit from one to the other
    leaves in place, case and white space aside: 2 * kept / (sum of lengths). Texts whose
    lengths alone rule it out are not compared. Cost: a comparison for each pair kept.

    Example:
        >>> distinct(["Oil the pump.", "oil the  pump", "Check the belt."], 0.9).tolist()
        [True, False, True]
    """
    plain = [" ".join(text.casefold().split()) for text in texts]
    out = np.zeros(len(texts), np.bool_)
    kept: list[str] = []
    for i, text in enumerate(plain):
        if not any(_alike(text, other, most) for other in kept):
            out[i] = True
            kept.append(text)
    return out


def _alike(left: str, right: str, most: float) -> bool:
    short, long = sorted((len(left), len(right)))
    if 2 * short < most * (short + long):
        return False
    return bool(fuzz.ratio(left, right, score_cutoff=_PERCENT * most) > 0)
