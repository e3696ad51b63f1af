"""Odd shapes: our cost, memory and laws, each strategy in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from sections import Context
from texts import SHAPES
from timing import Check, Table

SPECS = {
    "characters": {
        "recursive": "recursive(size=1000, overlap=0, unit=characters)",
        "with overlap": "recursive(size=1000, overlap=100, unit=characters)",
        "sentence": "sentence(size=1000, unit=characters)",
        "fixed": "fixed(size=1000, overlap=150, unit=characters)",
    },
    "tokens": {
        "recursive": "recursive(size=512, overlap=0, unit=tokens)",
        "with overlap": "recursive(size=512, overlap=64, unit=tokens)",
        "sentence": "sentence(size=512, unit=tokens)",
        "fixed": "fixed(size=512, overlap=64, unit=tokens)",
    },
}
SLOWEST = {"characters": 5.0, "tokens": 2.0}
MEMORY = 6.0
TITLES = {
    "characters": "Odd shapes by characters: time a character, × that of prose",
    "tokens": "Odd shapes by tokens: time × that of tokenising the shape once",
}
WORKER = Path(__file__).parents[1] / "shape_worker.py"


def call(kind: str, tool: str, shape: str, unit: str, timeout: float) -> dict[str, Any]:
    """What the worker found, or why it found nothing under `failed`."""
    command = [sys.executable, str(WORKER), kind, tool, shape, unit]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return {"failed": f"over {timeout:g} s"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1]
        return {"failed": last.partition(":")[0][:40]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(context: Context) -> list[Table]:
    tables: list[Table] = []
    for unit, specs in SPECS.items():
        cost = Table(TITLES[unit])
        memory = Table(f"Odd shapes by {unit}: peak memory × the text")
        broken: list[str] = []
        for shape in SHAPES:
            found = {
                name: call("ours", spec, shape, unit, 10 * context.timeout)
                for name, spec in specs.items()
            }
            cost.rows.append(_row(shape, found, "ratio", SLOWEST[unit]))
            memory.rows.append(_row(shape, found, "memory", MEMORY))
            broken += [
                f"{shape}, {name}: {law}"
                for name, one in found.items()
                for law in one.get("broken", [one.get("failed")])
            ]
        cost.note = f"BROKEN: {'; '.join(broken)}" if broken else "Every law holds on every shape."
        tables += [cost, memory]
    return tables


def _row(shape: str, found: dict[str, Any], figure: str, limit: float) -> dict[str, Any]:
    checks = {name: Check(one.get(figure), limit, at_least=False) for name, one in found.items()}
    return {"shape": shape, **checks}
