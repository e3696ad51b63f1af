"""The peers on the odd shapes, each in a process of its own with a time limit."""

from __future__ import annotations

import peers
from sections import Context
from sections.shapes import call
from texts import SHAPES
from timing import Table

LEFT_OUT = "langchain recursive, start index"


def run(context: Context) -> list[Table]:
    tables = []
    for unit, tools in (("characters", peers.CHARACTERS), ("tokens", peers.TOKENS)):
        table = Table(f"The peers on odd shapes by {unit}, MB / CPU-s")
        for shape in SHAPES:
            row = {"shape": shape}
            for name in tools:
                if name != LEFT_OUT:
                    found = call("peer", name, shape, unit, context.timeout)
                    row[name] = found.get("mb_per_second", found.get("failed"))
            table.rows.append(row)
        tables.append(table)
    return tables
