"""Sizes in characters (Python code points)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamline.types import IntArray

__all__ = ["CharacterRuler", "Characters"]


class CharacterRuler:
    """A ruler that needs no measuring."""

    __slots__ = ("_length",)

    def __init__(self, text: str) -> None:
        self._length = len(text)

    def size(self, start: int, end: int) -> int:
        return end - start

    def reach(self, start: int, budget: int) -> int:
        return min(start + budget, self._length)

    def back(self, end: int, budget: int) -> int:
        return max(end - budget, 0)


class Characters:
    """The number of code points.

    Example:
        >>> Characters().size("naïve")
        5
    """

    name = "characters"
    per_unit = 1.0

    def size(self, text: str) -> int:
        return len(text)

    def sizes(self, texts: Sequence[str]) -> IntArray:
        return np.fromiter(map(len, texts), dtype=np.int32, count=len(texts))

    def ruler(self, text: str) -> CharacterRuler:
        return CharacterRuler(text)
