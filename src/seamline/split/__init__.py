"""Strategies: from a document to chunks that are exact slices of it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from seamline.protocols import Embedder, Strategy
from seamline.registry import Registry, Spec, build, parse_spec
from seamline.split.align import Foreign, align, as_strategy
from seamline.split.strategies import SEPARATORS, Cutter

__all__ = [
    "PRESETS",
    "SEPARATORS",
    "STRATEGIES",
    "Foreign",
    "align",
    "as_strategy",
    "parse_strategy",
]

STRATEGIES = Registry(
    "strategy",
    "seamline.strategies",
    {
        "adaptive": "seamline.split.structured:Adaptive",
        "fixed": "seamline.split.strategies:Fixed",
        "sliding": "seamline.split.strategies:Sliding",
        "sentence": "seamline.split.strategies:Sentence",
        "recursive": "seamline.split.strategies:Recursive",
        "semantic": "seamline.split.semantic:Semantic",
        "hierarchical": "seamline.split.strategies:Hierarchical",
        "structure": "seamline.split.structured:Structure",
        "table_rows": "seamline.split.table_rows:TableRows",
        "routed": "seamline.split.routed:Routed",
        "whole": "seamline.split.strategies:Whole",
    },
)

PRESETS = {
    "fixed-512-50": "fixed(size=512, overlap=50)",
    "fixed-512-64": "fixed(size=512, overlap=64)",
    "fixed-400-50": "fixed(size=400, overlap=50)",
    "fixed-256-25": "fixed(size=256, overlap=25)",
    "fixed-1000c-150c": "fixed(size=1000, overlap=150, unit=characters)",
    "sliding-400-200": "sliding(size=400, step=200)",
    "recursive-512-64": "recursive(size=512, overlap=64)",
    "recursive-800-100": "recursive(size=800, overlap=100)",
    "recursive-1000-100": "recursive(size=1000, overlap=100)",
    "recursive-400": "recursive(size=400, overlap=0)",
    "semantic-0.75": "semantic(size=512, threshold=0.75)",
    "semantic-0.5": "semantic(size=512, threshold=0.5)",
    "semantic-0.45": "semantic(size=512, threshold=0.45)",
    "semantic-d0.35": "semantic(size=512, distance=0.35)",
    "hierarchical-sections-200": "hierarchical(parent=sections, size=200)",
    "hierarchical-512-128": "hierarchical(parent=512, size=128)",
    "hierarchical-128-64": "hierarchical(parent=128, size=64)",
}
"""Settings that published comparisons use, by a name that a spec may give instead."""


def parse_strategy(spec: str | Spec, *, embedder: Embedder | None = None) -> Strategy:
    """The strategy of a spec or a preset's name; `str(strategy)` parses back to it.

    Parameters given with a preset's name replace its own.

    `embedder` is handed to strategies that need one (semantic).

    Raises:
        UnknownName: no such strategy or parameter; the message suggests one.
        InvalidConfig: the text is no spec, or a parameter cannot work.

    Example:
        >>> str(parse_strategy("recursive(size=256, overlap=0)"))
        'recursive(size=256, overlap=0)'
    """
    parsed = spec if isinstance(spec, Spec) else parse_spec(spec)
    if parsed.name in PRESETS:
        preset = parse_spec(PRESETS[parsed.name])
        parsed = Spec(preset.name, {**preset.params, **parsed.params})
    factory = STRATEGIES.get(parsed.name)
    extra: dict[str, Any] = {}
    if is_dataclass(factory) and any(item.name == "embedder" for item in fields(factory)):
        extra["embedder"] = embedder
    strategy = build(factory, parsed, "strategy", **extra)
    return strategy if isinstance(strategy, Cutter) else Foreign(strategy, str(parsed))
