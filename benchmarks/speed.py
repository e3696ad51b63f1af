"""Speed and memory of seamline beside its peers, in one process, on text never seen before."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any

import peers
from render import as_json, as_markdown, show
from sections import NAMES, Context
from texts import FreshText
from timing import Check, Table, machine


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "sections", nargs="*", metavar="SECTION", help=f"all, or some of {', '.join(NAMES)}"
    )
    parser.add_argument("--rounds", type=int, default=9, help="interleaved rounds (default 9)")
    parser.add_argument("--seed", type=int, default=0, help="other texts (default 0)")
    parser.add_argument(
        "--timeout", type=float, default=10, help="seconds a peer has on an odd shape (default 10)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    given = parser.parse_args()
    unknown = set(given.sections) - set(NAMES)
    if unknown:
        parser.error(f"no section {min(unknown)!r}; there are: {', '.join(NAMES)}")
    return given


def main() -> int:
    given = arguments()
    peers.offline_vocabulary()
    context = Context(FreshText(given.seed), given.rounds, given.timeout)
    about: dict[str, Any] = {
        "command": " ".join(["python benchmarks/speed.py", *given.sections]),
        "date": time.strftime("%Y-%m-%d"),
        "text": context.fresh.origin,
        "rounds": given.rounds,
        "seed": given.seed,
        "timeout": given.timeout,
        "machine": machine(),
        "versions": peers.versions(),
    }
    tables: list[Table] = []
    for name in given.sections or NAMES:
        for table in importlib.import_module(f"sections.{name}").run(context):
            show(table)
            tables.append(table)
    if given.json:
        given.json.write_text(json.dumps(as_json(about, tables), indent=1) + "\n")
    if given.markdown:
        given.markdown.write_text(as_markdown(about, tables))
    checks = [c for t in tables for row in t.rows for c in row.values() if isinstance(c, Check)]
    print(f"{sum(c.passed for c in checks)} of {len(checks)} figures met", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
