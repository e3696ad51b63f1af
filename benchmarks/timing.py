"""Interleaved rounds of CPU time, what is made of them, and how it is shown."""

from __future__ import annotations

import gc
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Run = Callable[[str], Any]


@dataclass(frozen=True)
class Check:
    """A measured figure beside the figure to reach; None where there is none."""

    value: float | None
    limit: float
    at_least: bool = True

    @property
    def passed(self) -> bool:
        if self.value is None:
            return False
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    def __str__(self) -> str:
        sign = "≥" if self.at_least else "≤"
        value = "no figure" if self.value is None else f"{self.value:.3g}"
        return f"{value} ({sign} {self.limit:g} {'met' if self.passed else 'MISSED'})"


Cell = Check | float | int | str | None


@dataclass
class Table:
    """Rows of one question, with the columns in the order of the first row."""

    title: str
    rows: list[dict[str, Cell]] = field(default_factory=list)
    note: str = ""

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))


def cpu_seconds(run: Run, texts: Sequence[str]) -> float:
    """CPU seconds of this process for running over `texts`, all threads counted."""
    gc.collect()
    start = time.process_time()
    for text in texts:
        run(text)
    return time.process_time() - start


def n_bytes(texts: Sequence[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def turn(names: Iterable[str], index: int) -> list[str]:
    """The names in the order of round `index`, which begins with another one each time."""
    order = list(names)
    first = index % len(order)
    return order[first:] + order[:first]


def measure(
    tools: Mapping[str, Run], fresh: Callable[[], list[str]], rounds: int
) -> dict[str, list[float]]:
    """CPU seconds a megabyte for every tool and round; each run gets a text of its own."""
    for run in tools.values():  # lazy imports, vocabularies and first calls are not measured
        cpu_seconds(run, fresh()[:1])
    costs: dict[str, list[float]] = {name: [] for name in tools}
    gc.collect()
    gc.freeze()
    for index in range(rounds):
        for name in turn(tools, index):
            texts = fresh()
            costs[name].append(cpu_seconds(tools[name], texts) / n_bytes(texts) * 1e6)
    gc.unfreeze()
    return costs


def ratios(others: Sequence[float], ours: Sequence[float]) -> tuple[float, str]:
    """The ratio of the medians, and the lowest and highest ratio of a round."""
    each = sorted(b / a for a, b in zip(ours, others, strict=True))
    return statistics.median(others) / statistics.median(ours), f"{each[0]:.3g}–{each[-1]:.3g}"


def speed(costs: Sequence[float]) -> float:
    """Median megabytes (10^6 bytes of UTF-8) a CPU second."""
    return 1 / statistics.median(costs)


def slope(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The least-squares slope of log seconds over log size."""
    import numpy as np

    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def machine() -> dict[str, str]:
    """What the figures depend on; no names of hosts or people."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        lines = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].partition(":")[2].strip() if lines else model
    return {
        "cpu": model,
        "cores": str(os.cpu_count()),
        "load average": f"{os.getloadavg()[0]:.1f}",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }
