"""Sizes in BPE tokens of the public OpenAI vocabularies, exact and offline.

A text is tokenised once. A slice is then counted from that one pass: its head
and its tail are counted alone up to the nearest *sync point*, an offset where
any tokenisation of any surrounding text must have a border, and the tokens
between the two are subtracted from a running count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

import numpy as np
import toktok
from numpy.typing import NDArray

from seamline.scan import PART, token_ends
from seamline.sizers.rulers import BpeRuler
from seamline.types import IntArray

__all__ = ["BPE_VOCABULARIES", "BpeTokens"]

BPE_VOCABULARIES = ("cl100k_base", "o200k_base")


@cache
def _vocabulary(name: str) -> tuple[Any, NDArray[np.uint16]]:
    """The tokenizer, and the widths of its tokens as `token_ends` takes them."""
    tokenizer = toktok._encoding(name)  # noqa: SLF001 - the only door to ids; toktok-rs is pinned
    values = tokenizer.token_byte_values()
    return tokenizer, np.fromiter(map(_width, values), np.uint16, count=len(values))


def _width(token: bytes) -> int:
    try:
        return len(token.decode()) << 8 | len(token)
    except UnicodeDecodeError:
        return PART << 8 | len(token)


class BpeTokens:
    """The number of tokens of `cl100k_base` or `o200k_base`; special tokens are plain text.

    Example:
        >>> BpeTokens("cl100k_base").size("hello world")
        2
    """

    per_unit = 4.0

    def __init__(self, name: str) -> None:
        self.name = name

    def size(self, text: str) -> int:
        return cast("int", _vocabulary(self.name)[0].count(text))

    def sizes(self, texts: Sequence[str]) -> IntArray:
        count = _vocabulary(self.name)[0].count
        return np.fromiter(map(count, texts), dtype=np.int32, count=len(texts))

    def ends(self, text: str) -> IntArray:
        """int32[n_tokens]: where each token ends, in code points, rounded up."""
        tokenizer, widths = _vocabulary(self.name)
        return token_ends(text, tokenizer.encode_to_numpy(text, disallowed_special=()), widths)

    def ruler(self, text: str) -> BpeRuler:
        # Rounded up, the tokens that end at or before a border are those of the text before it.
        return BpeRuler(text, _vocabulary(self.name)[0].count, self.ends(text))

    def __reduce__(self) -> tuple[type[BpeTokens], tuple[str]]:
        return BpeTokens, (self.name,)
