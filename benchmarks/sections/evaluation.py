"""Scoring beside chunking and embedding, and the second run beside the first."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from seamline.bench import run_bench
from seamline.config import DEFAULT_STRATEGIES, BenchConfig
from seamline.golden import load_golden
from seamline.parse import read_documents
from sections import Context
from texts import REPOSITORY
from timing import Check, Table

N_STRATEGIES, N_QUESTIONS = 10, 1_000
SCORING = ("describe", "rank", "measure", "intervals")
PREPARING = ("split", "embed", "embed questions")


def golden_set() -> Path:
    """The folder of the largest golden set at hand."""
    found = REPOSITORY.parent / "shared" / "data" / "xquad_en"
    return found if found.exists() else REPOSITORY / "examples" / "runbooks"


def run(_context: Context) -> list[Table]:
    folder = golden_set()
    documents = list(read_documents([folder / "docs"]))
    asked = list(load_golden(folder / "golden.jsonl", documents))[:N_QUESTIONS]
    table = Table(f"{N_STRATEGIES} strategies, {len(asked)} questions of {folder.name}, CPU-s")
    with tempfile.TemporaryDirectory() as cache:
        config = BenchConfig(strategies=DEFAULT_STRATEGIES[:N_STRATEGIES], cache_dir=cache)
        table.rows.append(_row("first", documents, asked, config))
        table.rows.append(_row("second, vectors cached", documents, asked, config))
    first, second = table.rows
    first["scoring ÷ (chunking + embedding)"] = Check(
        float(first["scoring"]) / float(first["chunking + embedding"]), 1.0, at_least=False
    )
    second["× as fast, CPU"] = float(first["all"]) / float(second["all"])
    second["× as fast, elapsed"] = Check(float(first["elapsed s"]) / float(second["elapsed s"]), 10)
    return [table]


def _row(name: str, documents: Any, questions: Any, config: BenchConfig) -> dict[str, Any]:
    start, wall = time.process_time(), time.perf_counter()
    timings = run_bench(documents, questions, config).timings
    return {
        "run": name,
        "chunking + embedding": _stages(timings, PREPARING),
        "scoring": _stages(timings, SCORING),
        "all": time.process_time() - start,
        "elapsed s": time.perf_counter() - wall,
    }


def _stages(timings: Mapping[str, Any], names: tuple[str, ...]) -> float:
    tables = [timings["stages"], *timings["strategies"].values()]
    return sum(table[name]["cpu_seconds"] for table in tables for name in names if name in table)
