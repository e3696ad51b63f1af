"""Sizes in words: runs of characters between white space."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamline.scan import word_bounds
from seamline.sizers.rulers import WordRuler
from seamline.types import IntArray

__all__ = ["Words"]


class Words:
    """The number of words, as `str.split` counts them.

    Example:
        >>> Words().size("two  words")
        2
    """

    name = "words"
    per_unit = 6.0

    def size(self, text: str) -> int:
        return len(text.split())

    def sizes(self, texts: Sequence[str]) -> IntArray:
        return np.fromiter((len(t.split()) for t in texts), dtype=np.int32, count=len(texts))

    def ends(self, text: str) -> IntArray:
        return word_bounds(text)[1]

    def ruler(self, text: str) -> WordRuler:
        return WordRuler(text, *word_bounds(text))
