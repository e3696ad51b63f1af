"""Embedders: texts to unit vectors, by name."""

from __future__ import annotations

from seamline.embed.base import Usage
from seamline.protocols import Embedder
from seamline.registry import Registry, build, parse_spec

__all__ = ["EMBEDDERS", "Usage", "parse_embedder"]

EMBEDDERS = Registry(
    "embedder",
    "seamline.embedders",
    {
        "minilm": "seamline.embed.minilm:MiniLM",
        "http": "seamline.embed.http:HttpEmbedder",
        "sentence-transformers": "seamline.embed.local:SentenceTransformers",
        "model2vec": "seamline.embed.local:Model2Vec",
        "wordllama": "seamline.embed.local:WordLlama",
    },
)


def parse_embedder(text: str) -> Embedder:
    """The embedder that a spec names, made now; its model is loaded at the first text.

    Raises:
        UnknownName: no such embedder, or no such parameter of it.
        InvalidConfig: the spec cannot be read, or a value cannot work.

    Example:
        >>> parse_embedder("minilm(overlong=mean_of_windows)").overlong
        'mean_of_windows'
    """
    spec = parse_spec(text)
    embedder: Embedder = build(EMBEDDERS.get(spec.name), spec, EMBEDDERS.kind)
    return embedder
