"""What each stage took: kept apart from results, which hold no clock times."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = ["Clock", "peak_memory"]


def peak_memory() -> int | None:
    """The most bytes this process ever held in memory; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


class Clock:
    """Adds up wall and CPU seconds a stage and, where given, a strategy."""

    def __init__(self) -> None:
        self._stages: dict[tuple[str, str], dict[str, Any]] = {}

    @contextmanager
    def stage(self, name: str, strategy: str = "") -> Iterator[None]:
        """Time what runs inside; entered again, it adds up."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        row = self._stages.setdefault((strategy, name), {"seconds": 0.0, "cpu_seconds": 0.0})
        row["seconds"] += time.perf_counter() - wall
        row["cpu_seconds"] += time.process_time() - cpu
        row["peak_bytes"] = peak_memory()

    def of(self, strategy: str) -> dict[str, Any]:
        """The stages of one strategy."""
        return {name: row for (own, name), row in self._stages.items() if own == strategy}

    def take_over(self, strategy: str, stages: Mapping[str, dict[str, Any]]) -> None:
        """What an earlier run measured of a strategy, where this one measured nothing."""
        for name, row in stages.items():
            self._stages.setdefault((strategy, name), row)

    def timings(self) -> dict[str, Any]:
        """Stages of the whole run, then those of each strategy."""
        shared = {name: row for (strategy, name), row in self._stages.items() if not strategy}
        own: dict[str, dict[str, Any]] = {}
        for (strategy, name), row in self._stages.items():
            if strategy:
                own.setdefault(strategy, {})[name] = row
        return {"stages": shared, "strategies": own}
