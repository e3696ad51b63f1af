"""Small inputs that break chunkers: what seamline and its peers make of each, as a table.

Each tool cuts each input at the same limit, and every verdict is a check of its chunks
(judging/checks.py) that is made anew in every run. Nothing is downloaded. The exit code is 1 if
seamline is wrong anywhere.
"""

from __future__ import annotations

import argparse
import io
import sys
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path

from judging.checks import judge
from judging.ours import make_ours
from judging.piece import Case
from judging.rows import SECTIONS
from judging.tools import PEERS
from peers import versions

INPUTS = Path(__file__).with_name("cases")
OURS = "seamline"
FAMILIES = (OURS, "langchain", "llama-index", "chonkie", "semantic-text-splitter", "semchunk")
NOT_RUN = "not run"
HEAD = """# Small inputs that break chunkers

Each row is a small input (benchmarks/cases/NAME.txt) that every tool cut at the same limit; a
verdict is a check of its chunks: `ok`, or what went wrong, `–` where a tool was not given the row.
Before it stands what cut the row: of seamline the strategy, of a library its splitter.
The tables are the output of `{command}`
on {date}, not written by hand; benchmarks/README.md says how it judges.

The rows were collected from faults that were seen in chunkers, and seamline was written knowing
them: they say what holds, not how often a tool errs on other text.

Versions: {versions}.
"""

Verdicts = dict[str, dict[str, dict[str, str]]]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("names", nargs="*", metavar="CASE", help="only these (default: all)")
    add("--cases", type=Path, default=INPUTS, metavar="DIR", help="the inputs, NAME.txt each")
    add("--markdown", type=Path, metavar="FILE", help="write docs/cases.md")
    return parser.parse_args()


def main() -> int:
    given = arguments()
    found = {
        section: {
            case.name: verdicts(case, read(given.cases, case))
            for case in cases
            if not given.names or case.name in given.names
        }
        for section, cases in SECTIONS.items()
    }
    tables = "\n".join(page(found))
    print(tables)
    if given.markdown:
        given.markdown.write_text(f"{head()}{tables}\n", encoding="utf-8")
    return int(any(wrong[OURS] for rows in found.values() for wrong in rows.values()))


def read(folder: Path, case: Case) -> str:
    """The input of a case, its line ends as they are."""
    with (folder / f"{case.name}.txt").open(encoding="utf-8", newline="") as file:
        return file.read()


def verdicts(case: Case, text: str) -> dict[str, str]:
    """What is wrong with each tool's chunks; nothing where all is right."""
    found = {OURS: judge(case, make_ours(case), text)}
    for name in case.peers:
        try:
            tool = PEERS[name](case)
        except ImportError:
            found[name] = NOT_RUN
            continue
        with redirect_stdout(io.StringIO()), warnings.catch_warnings(action="ignore"):
            found[name] = judge(case, tool, text)
    return found


def head() -> str:
    command = f"python benchmarks/cases.py {' '.join(sys.argv[1:])}"
    listed = ", ".join(
        f"{name} {number}"
        for name, number in versions().items()
        if name.startswith(FAMILIES) and not name.endswith("experimental")
    )
    return HEAD.format(command=command, date=time.strftime("%Y-%m-%d"), versions=listed)


def page(found: Verdicts) -> Iterator[str]:
    """The tables, in Markdown."""
    about = {case.name: case for cases in SECTIONS.values() for case in cases}
    for section, rows in found.items():
        if rows:
            yield f"\n## {section}\n"
            yield f"| case | what is right | {' | '.join(FAMILIES)} |"
            yield "|---|---|" + "---|" * len(FAMILIES)
        for name, wrong in rows.items():
            case = about[name]
            ours = f"{case.ours.partition('(')[0]}: {wrong[OURS] or 'ok'}"
            cells = [ours, *(cell(family, wrong) for family in FAMILIES if family != OURS)]
            yield f"| {name} | {case.right} | {' | '.join(cells)} |"
    yield "\n## Right, of the cases that a tool was given\n"
    yield "| tool | right | cases |\n|---|--:|--:|"
    for name in (OURS, *PEERS):
        given = [wrong[name] for rows in found.values() for wrong in rows.values() if name in wrong]
        if given and NOT_RUN not in given:
            yield f"| {name} | {given.count('')} | {len(given)} |"


def cell(family: str, wrong: Mapping[str, str]) -> str:
    """The verdicts on the tools of one family."""
    mine = {
        name.removeprefix(family).strip(): why
        for name, why in wrong.items()
        if name.startswith(family)
    }
    told = [f"{name}: {why or 'ok'}".removeprefix(": ") for name, why in mine.items()]
    return "<br>".join(told) or "–"


if __name__ == "__main__":
    sys.exit(main())
