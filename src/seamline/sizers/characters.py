"""Sizes in characters (Python code points)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from seamline.sizers.rulers import CharacterRuler
from seamline.types import IntArray

__all__ = ["Characters"]


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
