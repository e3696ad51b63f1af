"""Whether the statistics of `seamline.compare` keep what they promise, by simulation.

Prints the tables of docs/calibration.md, or with --write puts them there. Everything is
drawn from fixed seeds. Random sign patterns are 1,999 in place of 10,000, which changes
no error rate (p counts the pattern that was seen) and little power.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

from calibrating.tables import TABLES, Row
from seamline.compare import randomization

PAGE = Path(__file__).resolve().parents[1] / "docs" / "calibration.md"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", help=f"of these: {', '.join(TABLES)} (default: all)")
    parser.add_argument("--n", type=int, default=2000, help="draws of each world (default 2000)")
    parser.add_argument("--write", action="store_true", help="write them into docs/calibration.md")
    given = parser.parse_args()
    if unknown := [name for name in given.tables if name not in TABLES]:
        parser.error(f"a table must be one of {', '.join(TABLES)}, got {', '.join(unknown)}")
    randomization.N_RANDOM = 1999
    for name in given.tables or TABLES:
        began = time.process_time()
        rows = []
        for row in TABLES[name](given.n):
            rows.append(row)
            print(" | ".join(row), flush=True)
        print(f"{name}: {time.process_time() - began:,.0f} s\n", file=sys.stderr)
        if given.write:
            write(name, rows)
    return 0


def write(name: str, rows: list[Row]) -> None:
    """Put a table into the page, between its markers."""
    head, *rest = rows
    lines = [head, ["---"] * len(head), *rest]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    between = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    text = PAGE.read_text(encoding="utf-8")
    assert start in text, f"{PAGE.name} has no place for {name}"
    PAGE.write_text(between.sub(f"{start}\n{table}\n{end}", text), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
