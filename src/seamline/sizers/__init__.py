"""Sizers: what a size of 512 counts. Characters, words or tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from seamline.errors import InvalidConfig
from seamline.protocols import Sizer
from seamline.registry import suggest
from seamline.sizers.characters import Characters
from seamline.sizers.huggingface import TokenizerFile
from seamline.sizers.rulers import Ruler, make_ruler
from seamline.sizers.tokens import BPE_VOCABULARIES, BpeTokens
from seamline.sizers.words import Words
from seamline.types import IntArray

__all__ = ["UNITS", "CountingSizer", "Ruler", "make_ruler", "parse_sizer", "sizes"]

UNITS = ("characters", "words", "tokens", *BPE_VOCABULARIES)


@dataclass(frozen=True)
class CountingSizer:
    """A sizer made of any function that counts the units of a text."""

    count: Callable[[str], int]
    name: str = "custom"

    def size(self, text: str) -> int:
        return self.count(text)


def parse_sizer(unit: str | Sizer | Callable[[str], int]) -> Sizer:
    """The sizer of a unit: its name, the path of a tokenizer.json, or a function.

    `tokens` means `cl100k_base`.

    Raises:
        InvalidConfig: no such unit.
        MissingInput: the tokenizer.json is not there.

    Example:
        >>> parse_sizer("words").size("three little words")
        3
    """
    if isinstance(unit, Sizer):
        return unit
    if callable(unit):
        return CountingSizer(unit, getattr(unit, "__name__", "custom"))
    if not isinstance(unit, str):
        raise InvalidConfig(
            "unit must be a name, the path of a tokenizer.json, a sizer or a function, "
            f"got {unit!r}"
        )
    if unit in ("characters", "chars"):
        return Characters()
    if unit == "words":
        return Words()
    if unit == "tokens" or unit in BPE_VOCABULARIES:
        return BpeTokens(BPE_VOCABULARIES[0] if unit == "tokens" else unit)
    if unit.endswith(".json"):
        return TokenizerFile(unit)
    raise InvalidConfig(
        f"unit must be one of {', '.join(UNITS)} or the path of a tokenizer.json, "
        f"got {unit!r}; {suggest(unit, UNITS)}"
    )


def sizes(sizer: Sizer, texts: Sequence[str]) -> IntArray:
    """int32[n]: the size of each text, in one batch where the sizer can."""
    batch = getattr(sizer, "sizes", None)
    if batch is not None:
        return np.asarray(batch(texts), dtype=np.int32)
    return np.fromiter(map(sizer.size, texts), dtype=np.int32, count=len(texts))
