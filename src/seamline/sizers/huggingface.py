"""Sizes in tokens of any Hugging Face `tokenizer.json`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from seamline.errors import InvalidConfig, MissingInput
from seamline.types import IntArray

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["TokenizerFile"]

# Long lines are tokenised in pieces: one call over megabytes costs memory, and
# WordPiece takes a word of over 100 characters for a single unknown token.
_PIECE = 20_000


@cache
def _load(path: str) -> Tokenizer:
    from tokenizers import Tokenizer

    if not Path(path).is_file():
        raise MissingInput(
            f"a tokenizer must be 'tokens', 'o200k_base' or the path of a tokenizer.json, "
            f"got {path!r}, which is not a file"
        )
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:  # noqa: BLE001 - the library raises nothing more precise
        raise InvalidConfig(f"{path!r} is not a tokenizer.json that can be read: {error}") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _pieces(text: str) -> list[str]:
    lines = text.splitlines(keepends=True)
    return [line[i : i + _PIECE] for line in lines for i in range(0, len(line), _PIECE)]


class TokenizerFile:
    """The number of tokens of a `tokenizer.json`, without special tokens.

    Counts are exact; `ends` tokenises line by line, which may differ by a token
    at a line's edge. Offsets are those the tokenizer reports.
    """

    per_unit = 4.0

    def __init__(self, path: str) -> None:
        self.name = path
        _load(path)

    def size(self, text: str) -> int:
        return len(_load(self.name).encode(text, add_special_tokens=False))

    def sizes(self, texts: Sequence[str]) -> IntArray:
        encodings = _load(self.name).encode_batch_fast(list(texts), add_special_tokens=False)
        return np.fromiter(map(len, encodings), dtype=np.int32, count=len(texts))

    def ends(self, text: str) -> IntArray:
        """int32[n_tokens]: where each token ends, in code points."""
        tokenizer, pieces = _load(self.name), _pieces(text)
        starts = accumulate(map(len, pieces), initial=0)
        parts = [np.empty(0, dtype=np.int32)]
        for at in range(0, len(pieces), 1000):
            batch = tokenizer.encode_batch(pieces[at : at + 1000], add_special_tokens=False)
            parts += [
                np.asarray([end + start for _, end in encoding.offsets], dtype=np.int32)
                for encoding, start in zip(batch, starts, strict=False)
            ]
        return np.maximum.accumulate(np.concatenate(parts))

    def __reduce__(self) -> tuple[type[TokenizerFile], tuple[str]]:
        return TokenizerFile, (self.name,)
