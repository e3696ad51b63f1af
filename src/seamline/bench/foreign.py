"""Embedders that callers bring: checked before work begins, LangChain's adapted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from seamline.embed import parse_embedder
from seamline.embed.base import unit_rows
from seamline.errors import InvalidConfig
from seamline.protocols import Embedder
from seamline.types import FloatArray

__all__ = ["LangChainEmbedder", "as_embedder"]

_MEMBERS = ("fingerprint", "embed_documents", "embed_queries")


@dataclass(frozen=True)
class LangChainEmbedder:
    """An embedder made of an object with LangChain's `embed_documents` and `embed_query`.

    Its fingerprint is the class's name and the object's `model`, `model_name` or
    `model_id`, whichever it has: vectors are kept under it only as long as the
    process lives, so other settings of the object do no harm.
    """

    embeddings: Any

    @property
    def fingerprint(self) -> str:
        """Class and model."""
        named = (getattr(self.embeddings, key, None) for key in ("model", "model_name", "model_id"))
        model = next((one for one in named if isinstance(one, str)), "")
        return f"{type(self.embeddings).__name__}-{model}"

    def embed_documents(self, texts: Sequence[str]) -> FloatArray:
        """float32[n, dim], rows of length 1 in the order of `texts`."""
        given = self.embeddings.embed_documents(list(texts))
        return unit_rows(given, len(texts), self.fingerprint)

    def embed_queries(self, texts: Sequence[str]) -> FloatArray:
        """As `embed_documents`, a call a text."""
        given = [self.embeddings.embed_query(text) for text in texts]
        return unit_rows(given, len(texts), self.fingerprint)


def as_embedder(thing: Any) -> Embedder:
    """The embedder that a spec names, or `thing` itself if it is one; LangChain's adapted.

    Raises:
        InvalidConfig: `thing` is no embedder; names what it lacks.
    """
    if isinstance(thing, str):
        return parse_embedder(thing)
    if isinstance(thing, type):
        raise InvalidConfig(
            f"an embedder must be an object, got the class {thing.__name__}: "
            f"make one, {thing.__name__}(...)"
        )
    missing = [name for name in _MEMBERS if not hasattr(thing, name)]
    if not missing and not (isinstance(thing.fingerprint, str) and thing.fingerprint):
        raise InvalidConfig(
            f"the fingerprint of an embedder must be a string that names its vectors, "
            f"got a {type(thing.fingerprint).__name__}: make it an attribute or a property"
        )
    if not missing:
        embedder: Embedder = thing
        return embedder
    if "embed_documents" not in missing and hasattr(thing, "embed_query"):
        return LangChainEmbedder(thing)
    raise InvalidConfig(
        f"an embedder must be a spec, or an object with {', '.join(_MEMBERS[:-1])} and "
        f"{_MEMBERS[-1]}, got a {type(thing).__name__} without {', '.join(missing)}: "
        "see docs/howto/embedder.md"
    )
