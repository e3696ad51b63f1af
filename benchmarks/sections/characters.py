"""Recursive, 1,000 characters: chunk objects with exact spans beside the peers."""

from __future__ import annotations

import peers
from ours import split
from sections import Context
from timing import Check, Table, measure, ratios, speed

OURS = "seamline"
SPEC = "recursive(size=1000, overlap=0, unit=characters)"
SHORT = {
    "langchain recursive": 3.5,
    "semantic-text-splitter": 2.0,
    "chonkie recursive": 10.0,
    "semchunk": 10.0,
}
BARE = "slices alone, no cut looked for"
LONG = {"semantic-text-splitter": 20.0}
SHORT_TOTAL, LONG_SIZE = 600_000, 3_000_000


def run(context: Context) -> list[Table]:
    tools = {OURS: split(SPEC)} | peers.made(peers.CHARACTERS, 1000) | {BARE: slices}
    short = measure(tools, lambda: context.fresh.documents(SHORT_TOTAL), context.rounds)
    long = measure(tools, lambda: [context.fresh.document(LONG_SIZE)], max(3, context.rounds // 2))
    return [
        compare("Recursive, 1,000 characters, documents of 2 to 20 KB", short, SHORT),
        compare("Recursive, 1,000 characters, one document of 3 MB", long, LONG),
    ]


def slices(text: str) -> list[str]:
    """What no splitter in Python can be faster than: slices, wherever they fall."""
    return [text[at : at + 1000] for at in range(0, len(text), 1000)]


def compare(title: str, costs: dict[str, list[float]], limits: dict[str, float]) -> Table:
    """A row a tool: its speed, and how many times as fast the first tool is."""
    table = Table(title)
    ours = next(iter(costs.values()))
    for name, values in costs.items():
        ratio, spread = ratios(values, ours)
        table.rows.append(
            {
                "tool": name,
                "MB / CPU-s": speed(values),
                f"{OURS} is × as fast": Check(ratio, limits[name]) if name in limits else ratio,
                "range over rounds": spread,
            }
        )
    return table
