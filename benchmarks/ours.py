"""Our own side: strategies as functions of a text, and the laws their chunks must keep."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from seamline.embed import parse_embedder
from seamline.parse import fences
from seamline.protocols import Embedder, Strategy
from seamline.scan import token_ends
from seamline.sizers.rulers import BpeRuler
from seamline.sizers.tokens import _WORTH_LOADING, BpeTokens, _Vocabulary, _vocabulary
from seamline.split import parse_strategy
from seamline.types import Chunk, Document

Run = Callable[[str], Any]


def split(strategy: str | Strategy) -> Run:
    """From a plain string to chunk objects; making the document counts too."""
    made = parse_strategy(strategy) if isinstance(strategy, str) else strategy
    return lambda text: made.split(Document.from_text(text, doc_id="d"))


def embedded_model() -> Embedder:
    """The model that seamline ships."""
    return parse_embedder("minilm")


def semantic(embed: Callable[[Sequence[str]], Any]) -> Run:
    """Our semantic strategy with that embedding function and langchain's threshold."""

    class Given:
        fingerprint = "given"

        def embed_documents(self, texts: Sequence[str]) -> Any:
            return embed(texts)

        embed_queries = embed_documents

    return split(parse_strategy("semantic(size=512, percentile=95)", embedder=Given()))


def fast_tokenizer() -> Run | None:
    """The tokenizer of the extra `fast`, in use from now on; None without the extra."""
    vocabulary = _vocabulary("cl100k_base")
    for _ in range(3):
        vocabulary.encode("a b " * _WORTH_LOADING)
    return None if isinstance(vocabulary._encode, partial) else vocabulary.encode  # noqa: SLF001


def without_fast() -> None:
    """Count by the tokenizer that is always there, even where the extra `fast` is installed."""
    _vocabulary("cl100k_base")._seen = -1  # noqa: SLF001 - never changes to the faster one


def code_in_documents(*, read: bool) -> None:
    """Whether code in Markdown is read by its language, as where the extra `code` is installed."""
    fences._LEAST = 400 if read else sys.maxsize  # noqa: SLF001 - longer than any code


class ToktokTokens(BpeTokens):
    """cl100k_base as it is counted without the extra `fast`."""

    def __init__(self) -> None:
        super().__init__("cl100k_base")
        self._vocabulary = _Vocabulary(self.name)
        self._vocabulary._seen = -1  # noqa: SLF001 - never changes to the faster one

    def ends(self, text: str) -> np.ndarray:
        return token_ends(text, self._vocabulary.encode(text), self._vocabulary.widths)


class TiktokenTokens:
    """cl100k_base counted by tiktoken: the same vocabulary and cutter, a slower tokenizer."""

    name = "tiktoken"
    per_unit = 4.0

    def __init__(self, encoding: Any) -> None:
        self._encoding = encoding
        self._widths = _vocabulary("cl100k_base").widths

    def size(self, text: str) -> int:
        return len(self._encoding.encode_ordinary(text))

    def ends(self, text: str) -> np.ndarray:
        return token_ends(text, self._encoding.encode_to_numpy(text), self._widths)

    def ruler(self, text: str) -> BpeRuler:
        return BpeRuler(text, self.size, self.ends(text))


def tokens_by_tiktoken(texts: list[str]) -> list[int]:
    """The number of cl100k_base tokens of each text, counted by the reference."""
    import peers

    counted = peers.tiktoken_encoding().encode_ordinary_batch(texts, num_threads=1)
    return [len(ids) for ids in counted]


def broken_laws(
    text: str, chunks: Sequence[Chunk], size: int, sizes: Callable[[list[str]], Sequence[int]]
) -> list[str]:
    """What is wrong with the chunks of `text`: an empty list where every law holds.

    Slices exact, starts and ends increasing, everything but whitespace covered, no
    chunk over `size` unless it is a single grapheme, ids unique.
    """
    import regex

    spans = [(c.start, c.end) for c in chunks]
    broken = []
    if any(c.text != text[c.start : c.end] for c in chunks):
        broken.append("a chunk is not its slice")
    if any(a[0] >= b[0] or a[1] >= b[1] for a, b in pairwise(spans)):
        broken.append("starts and ends do not both increase")
    at = 0
    for start, end in [*spans, (len(text), len(text))]:
        if start > at and text[at:start].strip():
            broken.append(f"text [{at}, {start}) is in no chunk")
            break
        at = max(at, end)
    measured = zip(sizes([c.text for c in chunks]), chunks, strict=True)
    over = [c for n, c in measured if n > size and not regex.fullmatch(r"\X", c.text)]
    if over:
        broken.append(f"{len(over)} chunks over {size}, the first at {over[0].start}")
    if len({c.id for c in chunks}) != len(chunks):
        broken.append("ids are not unique")
    return broken
