"""What a configuration costs, in one order: this is what "cheaper" means everywhere."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from seamline.bench.schema import Cost
from seamline.measure import ChunkMeasure, parse_measure
from seamline.registry import parse_spec

__all__ = ["PREFER", "Prefer", "Price", "shown_measure"]

Prefer = Literal["tokens", "index", "latency"]
PREFER: tuple[Prefer, ...] = ("tokens", "index", "latency")

_BYTES_A_TOKEN = 4  # of indexed text, about
_ALIKE = 1.05  # prices closer than this ratio differ in nothing that is worth points
_NOISE = 1.25  # times closer than this differ from run to run


@dataclass(frozen=True, slots=True)
class Price:
    """What a configuration costs a question, and what its index costs.

    `shown` is the tokens that the reader is given a question where configurations
    differ in that: with a measure at k; None at a token budget, which gives all the
    same, and where tokens were not measured. `index_bytes` is the size of the vectors
    and, at four bytes a token, of the indexed text. `embedding_tokens` are embedded
    once, at ingest. `unlimited` says that no chunk has a size limit. `seconds` to rank
    a question are known where a run's timings are.
    """

    shown: float | None
    index_bytes: int
    embedding_tokens: int
    chunks: int
    unlimited: bool = False
    seconds: float | None = None

    @classmethod
    def of(
        cls,
        cost: Cost,
        strategy: str,
        *,
        shown: float | None = None,
        seconds: float | None = None,
    ) -> Price:
        """The price of a row of results.json with this `cost`."""
        return cls(
            shown,
            cost["vector_bytes"] + _BYTES_A_TOKEN * cost["indexed_tokens"],
            cost["embedding_tokens"],
            cost["chunks"],
            unlimited=_unlimited(strategy),
            seconds=seconds,
        )

    def key(self, prefer: Prefer = "tokens") -> tuple[float, ...]:
        """A sort key, the cheapest first.

        `tokens`: what recurs with every question comes first, the tokens shown, then
        the index. `index`: the index alone: its size, the tokens embedded to make it,
        then its chunks. `latency`: the seconds to rank a question, then as `tokens`. Sizes
        are compared in steps of 5 %, times in steps of a quarter. Of equal ones a strategy
        that limits its chunks is preferred to one that does not, since the next document
        may be longer.

        Example:
            >>> small, large = Price(None, 1_000, 0, 9), Price(None, 4_000, 900, 3)
            >>> small.key() < large.key()
            True
        """
        return (*self.paid(prefer), float(self.chunks), float(self.unlimited))

    def paid(self, prefer: Prefer = "tokens") -> tuple[float, ...]:
        """The part of the key that is paid for; what follows only breaks ties."""
        index = _step(self.index_bytes), _step(self.embedding_tokens)
        if prefer == "index":
            return index
        tokens = (_step(self.shown or 0.0), *index)
        return tokens if prefer == "tokens" else (_step(self.seconds or 0.0, _NOISE), *tokens)


def _step(value: float, ratio: float = _ALIKE) -> float:
    """The number of the step that `value` is on, steps growing by `ratio`."""
    return float(round(math.log(value, ratio))) if value > 0 else -math.inf


def _unlimited(strategy: str) -> bool:
    try:
        return parse_spec(strategy).name == "whole"
    except ValueError:  # a splitter of the user's own may have any name
        return False


def shown_measure(config: Mapping[str, Any], measured: Iterable[str]) -> str | None:
    """The measure that counts the tokens shown within the primary measure's cutoff.

    None where the cutoff is a token budget, or where that was not measured. Measures
    that need no retrieval have no cutoff: `k` of the run takes its place.

    Example:
        >>> shown_measure({"primary": "Recall@5", "k": 3}, ["Recall@5", "Tokens@5"])
        'Tokens@5'
    """
    primary = parse_measure(config["primary"])
    if not isinstance(primary, ChunkMeasure) and primary.cutoff.in_tokens:
        return None
    at = config["k"] if isinstance(primary, ChunkMeasure) else primary.cutoff.at
    return name if (name := f"Tokens@{at}") in measured else None
