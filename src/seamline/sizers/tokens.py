"""Sizes in BPE tokens of the public OpenAI vocabularies, exact and offline.

A text is tokenised once. A slice is then counted from that one pass: its head
and its tail are counted alone up to the nearest *sync point*, an offset where
any tokenisation of any surrounding text must have a border, and the tokens
between the two are subtracted from a running count.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import toktok
from numpy.typing import NDArray

from seamline.scan import PART, token_ends
from seamline.sizers.rulers import BpeRuler
from seamline.types import IntArray

__all__ = ["BPE_VOCABULARIES", "BpeTokens"]

BPE_VOCABULARIES = ("cl100k_base", "o200k_base")


# Characters after which the faster tokenizer, if it is installed, is worth its loading.
_WORTH_LOADING = 2_000_000


class _Vocabulary:
    """A tokenizer, and the widths of its tokens as `token_ends` takes them."""

    def __init__(self, name: str) -> None:
        self._tokenizer = toktok._encoding(name)  # noqa: SLF001 - the only door to ids; pinned
        self._spelled = self._tokenizer.token_byte_values()
        self.widths = np.fromiter(map(_width, self._spelled), np.uint16, count=len(self._spelled))
        self.count: Callable[[str], int] = self._tokenizer.count
        self._encode = partial(self._tokenizer.encode_to_numpy, disallowed_special=())
        self._name = name
        self._seen = 0

    def encode(self, text: str) -> NDArray[np.uint32]:
        """uint32[n]: the ids of the tokens of `text`."""
        if 0 <= self._seen < _WORTH_LOADING:
            self._seen += len(text)
        elif self._seen > 0:
            self._seen = -1
            self._encode = _fast_encode(self._name, self._spelled) or self._encode
        return cast("NDArray[np.uint32]", self._encode(text))


_vocabulary = cache(_Vocabulary)


@lru_cache(maxsize=1)
def _ends(name: str, text: str) -> IntArray:
    """The ends of a text's tokens; kept for the last text, whose cut is then sized by them."""
    vocabulary = _vocabulary(name)
    ends = token_ends(text, vocabulary.encode(text), vocabulary.widths)
    ends.flags.writeable = False
    return ends


def _fast_encode(name: str, spelled: list[bytes]) -> Any:
    """The encoder of gigatoken, which gives the same ids in half the time; None without it."""
    try:
        from gigatoken import Tokenizer
    except ImportError:
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.tiktoken"
        lines = (b"%b %d\n" % (b64encode(token), i) for i, token in enumerate(spelled))
        path.write_bytes(b"".join(lines))
        encode = Tokenizer.from_tiktoken(path, name.partition("_")[0], {}).encode
    # The first text makes it import parts of numpy. At the end of a long one Ctrl-C would reach
    # that import, and be taken there for a failure of it.
    encode("a")
    return encode


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
        return _vocabulary(self.name).count(text)

    def sizes(self, texts: Sequence[str]) -> IntArray:
        count = _vocabulary(self.name).count
        return np.fromiter(map(count, texts), dtype=np.int32, count=len(texts))

    def ends(self, text: str) -> IntArray:
        """int32[n_tokens]: where each token ends, in code points, rounded up."""
        return _ends(self.name, text)

    def ruler(self, text: str) -> BpeRuler:
        # Rounded up, the tokens that end at or before a border are those of the text before it.
        return BpeRuler(text, _vocabulary(self.name).count, self.ends(text))

    def __reduce__(self) -> tuple[type[BpeTokens], tuple[str]]:
        return BpeTokens, (self.name,)
