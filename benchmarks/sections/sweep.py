"""A sweep of the full grid from a cold start, beside each configuration measured alone."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from seamline.bench import run_bench, run_sweep
from seamline.bench.configuration import Configuration
from seamline.bench.grid import expand
from seamline.config import BenchConfig
from seamline.golden import load_golden
from seamline.parse import read_documents
from sections import Context
from texts import REPOSITORY
from timing import Check, Table

N_ALONE = 12  # configurations measured alone, evenly spaced over the grid
MOST_MINUTES = 6.0


def run(_context: Context) -> list[Table]:
    shared = REPOSITORY.parent / "shared" / "data" / "techdocs"
    folder = shared if shared.exists() else REPOSITORY / "examples" / "runbooks"
    documents = list(read_documents([folder / "docs"]))
    asked = list(load_golden(folder / "golden.jsonl", documents))
    chosen = expand(BenchConfig(grid="full")).configurations
    table = Table(f"{len(chosen)} configurations on {folder.name}, each from an empty cache")
    with cold() as cache:
        config = BenchConfig(grid="full", cache_dir=cache)
        swept = _timed("sweep", len(chosen), lambda: run_sweep(documents, asked, config))
        again = _timed(
            "again, all of it kept", len(chosen), lambda: run_sweep(documents, asked, config)
        )
    some = chosen[:: len(chosen) // N_ALONE][:N_ALONE]
    alone = _timed("each alone", len(some), lambda: [_alone(documents, asked, one) for one in some])
    table.rows += [swept, again, alone]
    for row in (swept, again):
        row["CPU of each alone ÷"] = float(alone["CPU-s each"]) / float(row["CPU-s each"])
    swept["minutes"] = Check(float(swept["minutes"]), MOST_MINUTES, at_least=False)
    return [table]


@contextmanager
def cold() -> Iterator[str]:
    """A folder for a cache that holds nothing."""
    with tempfile.TemporaryDirectory() as folder:
        yield folder


def _alone(documents: Any, asked: Any, one: Configuration) -> None:
    with cold() as cache:
        run_bench(
            documents,
            asked,
            BenchConfig(
                strategies=(one.strategy,),
                retriever=one.retriever,
                dedupe=one.dedupe,
                merge=one.merge,
                cache_dir=cache,
            ),
        )


def _timed(name: str, n: int, work: Any) -> dict[str, Any]:
    start, wall = time.process_time(), time.perf_counter()
    work()
    spent = time.process_time() - start
    return {
        "run": name,
        "configurations": n,
        "minutes": (time.perf_counter() - wall) / 60,
        "CPU-s": spent,
        "CPU-s each": spent / n,
    }
