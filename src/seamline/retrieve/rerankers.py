"""Rerankers: models that read question and passage together, by name."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, Protocol, runtime_checkable
from urllib.parse import urlsplit

import numpy as np

from seamline.errors import EmbeddingError, InvalidConfig, MissingExtra, ModelError, UnknownName
from seamline.registry import Registry, build, parse_spec, spec_of, suggest
from seamline.types import FloatArray

__all__ = ["LATE", "RERANKERS", "CrossEncoder", "HttpReranker", "Reranker", "parse_reranker"]

LATE = "maxsim"
"""What reranks too, but as a part of the ranking `hybrid`: `hybrid(rerank=maxsim)`."""

_APIS = ("documents", "texts")


@runtime_checkable
class Reranker(Protocol):
    """Scores how well passages answer a question; `top` is how many it is shown."""

    top: int

    def scores(self, question: str, texts: Sequence[str]) -> FloatArray:
        """float32[n]: higher is better; only their order counts."""
        ...


RERANKERS = Registry(
    "reranker",
    "seamline.rerankers",
    {
        "cross-encoder": "seamline.retrieve.rerankers:CrossEncoder",
        "http": "seamline.retrieve.rerankers:HttpReranker",
    },
)


def parse_reranker(text: str) -> Reranker:
    """The reranker that a spec names; its model is loaded at the first question.

    Raises:
        UnknownName: no such reranker, or no such parameter of it.
        InvalidConfig: the spec cannot be read, or a value cannot work.

    Example:
        >>> parse_reranker("http(url='http://localhost:8080/rerank', model=m)").top
        50
    """
    spec = parse_spec(text)
    if spec.name not in RERANKERS:
        raise _unknown(spec.name)
    reranker: Reranker = build(RERANKERS.get(spec.name), spec, RERANKERS.kind)
    return reranker


def _unknown(name: str) -> UnknownName:
    if name == LATE:
        return UnknownName(
            f"{LATE} is a part of the ranking, without parameters, and no reranker of its own: "
            f"take the retriever hybrid(rerank={LATE}), or --rerank {LATE}"
        )
    known = [*RERANKERS.names(), LATE]
    return UnknownName(f"no {RERANKERS.kind} named {name!r}; {suggest(name, known)}")


def _need(module: str, extra: str) -> None:
    if find_spec(module) is None:
        raise MissingExtra(
            f"this reranker needs {module}, which is not installed: pip install 'seamline[{extra}]'"
        )


def _check_top(top: Any) -> None:
    if not isinstance(top, int) or isinstance(top, bool) or top < 1:
        raise InvalidConfig(f"top must be a whole number of at least 1, got {top!r}")


@dataclass(frozen=True)
class CrossEncoder:
    """A cross-encoder of sentence-transformers, by folder or hub name; needs torch.

    Raises:
        InvalidConfig: no `model`, or `top` is no number from 1.
        MissingExtra: sentence-transformers is not installed.
    """

    model: str = ""
    device: str | None = None
    top: int = 50

    def __post_init__(self) -> None:
        if not (self.model and isinstance(self.model, str)):
            raise InvalidConfig(
                f"cross-encoder needs model=FOLDER or model=NAME, got {self.model!r}"
            )
        _check_top(self.top)
        _need("sentence_transformers", "sentence-transformers")

    @cached_property
    def _model(self) -> Any:
        package = import_module("sentence_transformers")
        return package.CrossEncoder(self.model, device=self.device)

    def scores(self, question: str, texts: Sequence[str]) -> FloatArray:
        """See `Reranker.scores`."""
        found = self._model.predict([(question, text) for text in texts], show_progress_bar=False)
        return _checked(found, len(texts), f"cross-encoder {self.model!r}")

    def __str__(self) -> str:
        return str(spec_of(self, "cross-encoder"))


@dataclass(frozen=True)
class HttpReranker:
    """A rerank endpoint: Cohere, Jina, Voyage, vLLM (`api=documents`) or TEI (`api=texts`).

    `url` is the whole address, such as https://api.cohere.com/v2/rerank. The key, if one is
    needed, is read from the environment variable `key_env`. Failing requests are tried
    again as by the HTTP embedder.

    Raises:
        InvalidConfig: no `url`, or `key_env` names no set variable.
        MissingExtra: httpx is not installed.
    """

    url: str = ""
    model: str = ""
    key_env: str | None = None
    api: Literal["documents", "texts"] = "documents"
    top: int = 50
    timeout: float = 60.0
    retries: int = 5

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(str(self.url))
            usable = parts.scheme in {"http", "https"} and bool(parts.hostname)
        except ValueError:
            usable = False
        if not usable:
            raise InvalidConfig(
                "http needs the address of a rerank endpoint, such as "
                f"http(url='http://localhost:8080/rerank', api=texts), got {self.url!r}"
            )
        if self.api not in _APIS:
            raise InvalidConfig(f"api must be one of {', '.join(_APIS)}, got {self.api!r}")
        if self.key_env is not None and not re.fullmatch(r"[A-Za-z_]\w*", str(self.key_env)):
            raise InvalidConfig("key_env must name an environment variable, not hold the key")
        _check_top(self.top)
        _need("httpx", "http")
        self._key()

    def _key(self) -> str | None:
        if self.key_env is None:
            return None
        if not (key := os.environ.get(self.key_env)):
            raise InvalidConfig(
                f"the environment variable {self.key_env} must hold the key for {self.url}, but "
                "is not set"
            )
        return key

    def scores(self, question: str, texts: Sequence[str]) -> FloatArray:
        """See `Reranker.scores`.

        Raises:
            ModelError: refused, still failing after the last retry, or nonsense.
        """
        from seamline.embed.post import Poster

        body: dict[str, Any] = {"query": question, self.api: list(texts)}
        if self.model:
            body["model"] = self.model
        try:
            with Poster(
                self.url, key=self._key(), timeout=self.timeout, retries=self.retries
            ) as poster:
                answer = poster.post(body)
        except EmbeddingError as error:
            raise ModelError(str(error)) from None
        return _checked(_ordered(answer, len(texts), self.url), len(texts), self.url)

    def __str__(self) -> str:
        return str(spec_of(self, "http"))


def _ordered(answer: Any, n: int, source: str) -> list[Any]:
    """The scores by index, of `{"results": [{"index", "relevance_score"}]}` or TEI's list."""
    rows = answer.get("results", answer.get("data")) if isinstance(answer, dict) else answer
    scores: list[Any] = [None] * n
    if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
        for row in rows:
            place = row.get("index")
            if type(place) is int and 0 <= place < n:
                scores[place] = row.get("relevance_score", row.get("score"))
    if any(score is None for score in scores):
        raise ModelError(
            f"{source} must answer with a score for each of the {n} passages, by index: ask for "
            "all of them, and check `api`"
        )
    return scores


def _checked(scores: Any, n: int, source: str) -> FloatArray:
    try:
        found = np.asarray(scores, np.float32).reshape(-1)
    except (TypeError, ValueError):
        found = np.empty(0, np.float32)
    if len(found) != n or not np.isfinite(found).all():
        raise ModelError(f"{source} must give one finite score a passage, got {len(found)} of {n}")
    return found
