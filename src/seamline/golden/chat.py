"""A language model behind any server that speaks OpenAI's `POST /chat/completions`."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import Any, Self

from seamline.embed.server import check_name, check_url, key_of
from seamline.errors import EmbeddingError, InvalidConfig, ModelError

__all__ = ["Chat", "Prompt", "Rejected"]

KEY_ENV = "OPENAI_API_KEY"


@dataclass(frozen=True, slots=True)
class Prompt:
    """The two messages of a call."""

    system: str
    user: str

    @property
    def messages(self) -> list[dict[str, str]]:
        """As `POST /chat/completions` takes them."""
        return [
            {"role": "system", "content": self.system},
            {"role": "user", "content": self.user},
        ]


class Rejected(Exception):
    """A window that gave no question, and why."""


@dataclass(eq=False, kw_only=True)
class Chat:
    """Any server that speaks OpenAI's `POST /chat/completions`; use it in a `with` block.

    `url` is the base that `/chat/completions` is added to. The key is read from the
    environment variable `key_env`, which must then be set, or else from
    OPENAI_API_KEY where that is set. Retries are those of the HTTP embedder.
    `calls` and `tokens` (as the server counts them) are what was used.

    Raises:
        InvalidConfig: a `url` or `model` that cannot work, or `key_env` names no set variable.
        MissingExtra: httpx is not installed.

    Example:
        >>> Chat(url="http://localhost:11434/v1", model="qwen3").endpoint
        'http://localhost:11434/v1/chat/completions'
    """

    url: str
    model: str
    key_env: str | None = None
    timeout: float = 180.0
    retries: int = 5
    calls: int = field(default=0, init=False)
    tokens: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        check_url(
            self.url,
            wanted="llm must be the server's base url, such as http://localhost:11434/v1",
        )
        if not self.model:
            raise InvalidConfig(f"a model must be named for {self.url}: give --model NAME")
        check_name(self.model)
        self._key()
        self._lock = Lock()
        self._poster: Any = None

    @property
    def endpoint(self) -> str:
        """Where requests go."""
        base = self.url.rstrip("/")
        return base if base.endswith("/chat/completions") else f"{base}/chat/completions"

    def _key(self) -> str | None:
        if self.key_env is None and not os.environ.get(KEY_ENV):
            return None
        return key_of(self.key_env or KEY_ENV, self.endpoint)

    def __enter__(self) -> Self:
        # Imported here: the rest of seamline does without httpx.
        from seamline.embed.post import Poster

        self._poster = Poster(
            self.endpoint, key=self._key(), timeout=self.timeout, retries=self.retries
        )
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._poster.__exit__()

    def reply(self, prompt: Prompt, key: str) -> dict[str, Any]:
        """The JSON object with `key` in the model's reply; from several threads.

        Raises:
            ModelError: the server refused, gave up or answered something else.
            Rejected: the model did not reply with such an object.
        """
        try:
            answer = self._poster.post({"model": self.model, "messages": prompt.messages})
        except EmbeddingError as error:
            raise ModelError(str(error)) from None
        try:
            said = answer["choices"][0]["message"]["content"] or ""
        except (KeyError, IndexError, TypeError):
            raise ModelError(
                f"{self.endpoint} must answer with choices[0].message.content, but does not"
            ) from None
        with self._lock:
            self.calls += 1
            self.tokens += _total_tokens(answer)
        return _object(str(said), key)


def _total_tokens(answer: dict[str, Any]) -> int:
    usage = answer.get("usage")
    tokens = usage.get("total_tokens") if isinstance(usage, dict) else 0
    return tokens if type(tokens) is int and tokens > 0 else 0


def _object(said: str, key: str) -> dict[str, Any]:
    """The first JSON object that has the key; models think aloud, and put fences around it."""
    said = said.rsplit("</think>", 1)[-1]
    decoder = json.JSONDecoder()
    for found in re.finditer(r"\{", said):
        try:
            value, _ = decoder.raw_decode(said, found.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and key in value:
            return value
    raise Rejected("reply is no JSON")
