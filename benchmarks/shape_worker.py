"""One tool on one odd shape, in a process of its own; prints a line of JSON.

Called by the sections shapes and peer_shapes, which give it a time limit.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import peers
from ours import broken_laws, split, tokens_by_tiktoken, without_fast
from texts import FreshText, shape

ROUNDS = 3
CLEAR = Path("/proc/self/clear_refs")
UNTIMED = "A sentence to load everything. " * 200


def _status(field: str) -> int:
    found = re.search(rf"^{field}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


def peak_bytes(run: Callable[[str], Any], text: str) -> int:
    """The most memory the process held over the state before, while `run(text)` ran."""
    before = _status("VmRSS")
    CLEAR.write_text("5")  # starts the peak anew
    run(text)
    return _status("VmHWM") - before


def seconds(run: Callable[[str], Any], text: str) -> float:
    start = time.process_time()
    run(text)
    return time.process_time() - start


def ours(spec: str, name: str, unit: str) -> dict[str, Any]:
    """Memory, cost beside a yardstick (prose or tokenising), and the laws that broke."""
    run, fresh = split(spec), FreshText()
    tokenise = None
    if unit == "tokens":
        import toktok

        without_fast()
        tokenise = toktok._encoding("cl100k_base").encode_to_numpy  # noqa: SLF001 - no other door
        tokenise(UNTIMED)
    run(UNTIMED)
    text = shape(name, fresh.seed())
    size = len(text.encode())
    memory = None
    if CLEAR.exists():  # Linux
        own = peak_bytes(tokenise, text) if tokenise else 0
        memory = max(0, peak_bytes(run, text) - own) / size
    here, beside = [], []
    for _ in range(ROUNDS):
        text, other = shape(name, fresh.seed()), shape(name, fresh.seed())
        yardstick = other if tokenise else fresh.document(len(text))
        here.append(seconds(run, text))
        beside.append(seconds(tokenise or run, yardstick))
    limit = int(re.search(r"size=(\d+)", spec)[1])  # type: ignore[index] # every spec has one
    sizes = tokens_by_tiktoken if tokenise else (lambda texts: [len(text) for text in texts])
    return {
        "ratio": statistics.median(here) / statistics.median(beside),
        "memory": memory,
        "mb_per_second": size / 1e6 / statistics.median(here),
        "broken": broken_laws(text, run(text), limit, sizes),
    }


def peer(tool: str, name: str, unit: str) -> dict[str, Any]:
    """The speed of a peer on the shape."""
    table, size = (peers.TOKENS, 512) if unit == "tokens" else (peers.CHARACTERS, 1000)
    run = table[tool](size)
    run(UNTIMED)
    text = shape(name, 1)
    return {"mb_per_second": len(text.encode()) / 1e6 / seconds(run, text)}


if __name__ == "__main__":
    kind, tool, shape_name, unit = sys.argv[1:]
    print(json.dumps((ours if kind == "ours" else peer)(tool, shape_name, unit)))
