"""How the cost grows from 100 KB to 10 MB, for every strategy that embeds nothing."""

from __future__ import annotations

import statistics

from ours import split, without_fast
from seamline.sizers import parse_sizer
from sections import Context
from sections.characters import BARE, slices
from timing import Check, Table, cpu_seconds, slope, turn

SIZES = (100_000, 316_000, 1_000_000, 3_160_000, 10_000_000)
SPECS = (
    "fixed(size=1000, overlap=150, unit=characters)",
    "fixed(size=512, overlap=64, unit=tokens)",
    "fixed(size=200, overlap=20, unit=words)",
    "sliding(size=400, step=200, unit=tokens)",
    "sentence(size=1000, unit=characters)",
    "sentence(size=512, unit=tokens)",
    "recursive(size=1000, overlap=0, unit=characters)",
    "recursive(size=1000, overlap=100, unit=characters)",
    "recursive(size=512, overlap=0, unit=tokens)",
    "recursive(size=512, overlap=64, unit=tokens)",
    "recursive(size=200, overlap=0, unit=words)",
    "hierarchical(parent=512, size=128, unit=tokens)",
    "whole",
)
LIMIT = 1.05
ALONE = "counting tokens alone"


def run(context: Context) -> list[Table]:
    without_fast()
    tokenise = parse_sizer("tokens").size
    table = Table("Growth of the cost with the text, 100 KB to 10 MB in one document")
    tools = {spec: split(spec) for spec in SPECS} | {ALONE: tokenise, BARE: slices}
    seconds: dict[str, dict[int, list[float]]] = {s: {n: [] for n in SIZES} for s in tools}
    for tool in tools.values():
        cpu_seconds(tool, [context.fresh.document(SIZES[0])])
    for index in range(max(5, context.rounds // 2)):
        for size in SIZES:
            for spec in turn(tools, 3 * index):
                repeats = max(1, 1_000_000 // size)
                texts = [context.fresh.document(size) for _ in range(repeats)]
                seconds[spec][size].append(cpu_seconds(tools[spec], texts) / repeats)
    for spec, by_size in seconds.items():
        medians = [statistics.median(values) for values in by_size.values()]
        growth = slope(SIZES, medians)
        table.rows.append(
            {
                "strategy": spec,
                "MB / CPU-s at 100 KB": SIZES[0] / 1e6 / medians[0],
                "at 10 MB": SIZES[-1] / 1e6 / medians[-1],
                "log-log slope": growth
                if spec in (ALONE, BARE)
                else Check(growth, LIMIT, at_least=False),
            }
        )
    return [table]
