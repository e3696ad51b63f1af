"""Embeddings from any server that speaks OpenAI's `POST /embeddings`.

OpenAI `https://api.openai.com/v1`, ollama `http://localhost:11434/v1`, text
embeddings inference `http://localhost:8080/v1`, vLLM `http://localhost:8000/v1`,
LM Studio `http://localhost:1234/v1`.
"""

from __future__ import annotations

import base64
import re
import reprlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from seamline.embed.base import fingerprint
from seamline.embed.batched import BatchedEmbedder, Encode
from seamline.embed.server import check_name, check_url, key_of
from seamline.errors import EmbeddingError, InvalidConfig
from seamline.types import FloatArray

__all__ = ["HttpEmbedder"]


@dataclass(eq=False, kw_only=True)
class HttpEmbedder(BatchedEmbedder):
    """Any OpenAI-compatible endpoint: OpenAI, ollama, TEI, vLLM, LM Studio.

    `url` is the base that `/embeddings` is added to. The key, if one is needed, is
    read from the environment variable named by `key_env` and goes nowhere else.
    `dimensions` is asked of the server; an answer that is longer is cut to it and
    scaled to length 1 again. Status 408, 429 and 5xx, time-outs and broken
    connections are tried again up to `retries` times, waiting as `Retry-After`
    says, else 0.5 s doubling up to 30 s with jitter; nothing else is.

    Raises:
        InvalidConfig: no `url` or `model`, or `key_env` names no set variable.
        MissingExtra: httpx is not installed.
        EmbeddingError: the server refused, gave up or answered nonsense; names
            the endpoint, the status and the server's own message, never the key.

    Example:
        >>> HttpEmbedder(url="http://localhost:11434/v1", model="nomic-embed-text").endpoint
        'http://localhost:11434/v1/embeddings'
    """

    url: str = ""
    model: str = ""
    dimensions: int | None = None
    key_env: str | None = None
    encoding: Literal["float", "base64"] = "float"
    timeout: float = 60.0
    retries: int = 5
    concurrency: int = 4

    def __post_init__(self) -> None:
        super().__post_init__()
        check_url(
            self.url,
            wanted="url must be the server's base url, such as "
            'http(url="http://localhost:11434/v1", model=nomic-embed-text)',
        )
        if not self.model:
            raise InvalidConfig(f"http needs model=NAME for {self.url}, got {self.model!r}")
        if self.encoding not in {"float", "base64"}:
            raise InvalidConfig(f"encoding must be float or base64, got {self.encoding!r}")
        if self.key_env is not None and not re.fullmatch(r"[A-Za-z_]\w*", str(self.key_env)):
            raise InvalidConfig("key_env must name an environment variable, not hold the key")
        check_name(self.model)
        self._check_numbers()
        self._key()

    def _check_numbers(self) -> None:
        for name, least in (("dimensions", 1), ("retries", 0), ("concurrency", 1), ("timeout", 0)):
            value = getattr(self, name)
            kinds = (int, float) if name == "timeout" else int
            if value is not None and not (isinstance(value, kinds) and value >= least):
                raise InvalidConfig(f"{name} must be a number >= {least}, got {value!r}")

    @property
    def endpoint(self) -> str:
        """Where requests go."""
        base = self.url.rstrip("/")
        return base if base.endswith("/embeddings") else f"{base}/embeddings"

    @cached_property
    def fingerprint(self) -> str:
        """Changes with the endpoint, model, dimensions, prefixes and the rule for long texts."""
        parts = (self.endpoint, self.model, self.dimensions, self.max_chars, self.overlong)
        return fingerprint("http", *parts, self.prefix_document, self.prefix_query)

    def _source(self) -> str:
        return f"model {self.model!r} at {self.endpoint}"

    def _n_workers(self) -> int:
        return self.concurrency

    def _key(self) -> str | None:
        return None if self.key_env is None else key_of(self.key_env, self.endpoint)

    @contextmanager
    def _open(self) -> Iterator[Encode]:
        # Imported here: the rest of seamline does without httpx.
        from seamline.embed.post import Poster

        with Poster(
            self.endpoint, key=self._key(), timeout=self.timeout, retries=self.retries
        ) as poster:
            yield lambda texts: self._ask(poster.post, texts)

    def _ask(self, post: Callable[[dict[str, Any]], Any], texts: list[str]) -> FloatArray:
        # Servers refuse an empty string, and with it its whole batch.
        body: dict[str, Any] = {"model": self.model, "input": [text or " " for text in texts]}
        body["encoding_format"] = self.encoding
        if self.dimensions is not None:
            body["dimensions"] = self.dimensions
        answer = post(body)
        try:
            rows = _rows(answer, len(texts))
        except ValueError as error:
            raise EmbeddingError(
                f"the server's answer must be one embedding a text, but {self._source()} {error}"
            ) from None
        self.usage.add(tokens=_tokens(answer))
        return self._cut(rows)

    def _cut(self, rows: FloatArray) -> FloatArray:
        wanted = self.dimensions
        if wanted is None or rows.shape[1] == wanted:
            return rows
        if rows.shape[1] < wanted:
            raise EmbeddingError(
                f"{self._source()} must have at least dimensions={wanted}, got {rows.shape[1]}"
            )
        return rows[:, :wanted]


def _rows(answer: Any, n_texts: int) -> FloatArray:
    """float32[n_texts, dim] in the order of the texts, whatever the order of the answer.

    Raises:
        ValueError: the answer is something else; says what, as in "gave ...".
    """
    items = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError(f"gave no object with a list of objects in data, but {_shown(answer)}")
    places = [item.get("index", i) for i, item in enumerate(items)]
    if not all(type(place) is int for place in places) or sorted(places) != list(range(n_texts)):
        raise ValueError(f"was sent {n_texts} texts and gave embeddings numbered {_shown(places)}")
    decoded = [_decode(item.get("embedding")) for item in items]
    if len({len(row) for row in decoded}) != 1:
        raise ValueError("gave lists of numbers that are not of one length")
    rows = np.empty((n_texts, len(decoded[0])), np.float32)
    rows[places] = decoded
    if rows.size and not rows.any(axis=1).all():
        raise ValueError("gave a vector of nothing but zeros")
    return rows


def _decode(embedding: Any) -> FloatArray:
    """float32[dim] of a list of numbers, or of their bytes in base64."""
    try:
        if isinstance(embedding, str):
            return np.frombuffer(base64.b64decode(embedding, validate=True), "<f4")
        if isinstance(embedding, list) and {*map(type, embedding)} <= {int, float}:
            with np.errstate(over="ignore"):  # what is too large becomes infinite, and refused
                return np.array(embedding, np.float32)
    except (ValueError, OverflowError):
        pass
    raise ValueError(
        f"gave neither a list of numbers nor float32 in base64, but {_shown(embedding)}"
    )


def _tokens(answer: dict[str, Any]) -> int:
    """The tokens that the server counted, 0 where it does not tell."""
    usage = answer.get("usage")
    tokens = usage.get("prompt_tokens") if isinstance(usage, dict) else 0
    return tokens if type(tokens) is int and tokens > 0 else 0


def _shown(value: Any) -> str:
    return reprlib.repr(value)  # bounded in depth and length, as what is shown may be neither
