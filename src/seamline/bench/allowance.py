"""What a sweep may spend: minutes, and texts to embed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

from seamline.embed.cache import CachedEmbedder
from seamline.errors import InvalidConfig

__all__ = ["Allowance", "Budget"]


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that a sweep may take; None for no limit.

    `embed_calls` counts the texts, questions among them, that the embedder is sent: those
    that the cache does not hold.

    Raises:
        InvalidConfig: minutes that are no number above 0, calls that are no whole number
            from 0.
    """

    minutes: float | None = None
    embed_calls: int | None = None

    def __post_init__(self) -> None:
        minutes, calls = self.minutes, self.embed_calls
        number = isinstance(minutes, int | float) and not isinstance(minutes, bool)
        if minutes is not None and not (number and 0 < minutes < math.inf):
            raise InvalidConfig(f"minutes must be a number above 0, got {minutes!r}")
        if calls is not None and (type(calls) is not int or calls < 0):
            raise InvalidConfig(f"embed_calls must be a whole number from 0, got {calls!r}")

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.minutes is not None or self.embed_calls is not None

    def __str__(self) -> str:
        parts = [] if self.minutes is None else [f"{self.minutes:g} minutes"]
        parts += [] if self.embed_calls is None else [f"{self.embed_calls:,} texts embedded"]
        return " or ".join(parts)


class Allowance:
    """What is left of a budget, from the moment that this is made.

    The embedder refuses what would go beyond the calls (`BudgetSpent`) until this is left;
    the clock is asked.
    """

    def __init__(self, budget: Budget, embedder: CachedEmbedder) -> None:
        self._embedder = embedder
        self._before = embedder.most
        seconds = math.inf if budget.minutes is None else 60 * budget.minutes
        self._deadline = time.monotonic() + seconds
        if budget.embed_calls is not None:
            embedder.most = embedder.misses + budget.embed_calls

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._embedder.most = self._before

    @property
    def seconds(self) -> float:
        """Seconds that are left, at least 0."""
        return max(0.0, self._deadline - time.monotonic())

    @property
    def calls(self) -> float:
        """Texts that may still be embedded."""
        most = self._embedder.most
        return math.inf if most is None else most - self._embedder.misses

    @contextmanager
    def half(self) -> Iterator[None]:
        """Inside, half of what is left is all there is."""
        deadline, most = self._deadline, self._embedder.most
        self._deadline = time.monotonic() + self.seconds / 2
        if most is not None:
            self._embedder.most = self._embedder.misses + int(self.calls) // 2
        try:
            yield
        finally:
            self._deadline, self._embedder.most = deadline, most
