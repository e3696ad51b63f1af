"""One module a question; each has `run(context)` and returns tables."""

from __future__ import annotations

from dataclasses import dataclass

from texts import FreshText


@dataclass(frozen=True)
class Context:
    """What every section is given."""

    fresh: FreshText
    rounds: int
    timeout: float


NAMES = (
    "characters",
    "tokens",
    "fixed",
    "semantic",
    "linear",
    "shapes",
    "peer_shapes",
    "structure",
    "rows",
    "evaluation",
    "sweep",
    "store",
    "postgres",
    "code",
)
