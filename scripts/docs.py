"""Writes the generated parts of the documentation, or checks that they are in step.

    python scripts/docs.py --write
    python scripts/docs.py --check

docs/cli.md is the command's own help. README.md holds the tables of strategies, presets and
measures, each between `<!-- strategies -->` and `<!-- end of strategies -->` (and so on), as
`seamline strategies --json` and `seamline measures --json` tell them.
"""

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
CLI = ROOT / "docs" / "cli.md"
NOTE = "<!-- Written by `make docs` from the command's own help: edit that instead. -->"


def run(*arguments: str) -> str:
    """What a Python module prints."""
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout


def told(command: str) -> Any:
    """What `seamline COMMAND --json` says."""
    return json.loads(run("seamline", command, "--json"))


def cli_page() -> str:
    """The help of every command, as one Markdown page."""
    page = run("typer", "seamline.cli.entry", "utils", "docs", "--name", "seamline")
    return f"{NOTE}\n\n{page.strip()}\n"


def table(heads: list[str], rows: Iterable[list[str]]) -> str:
    """A Markdown table."""
    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    lines = [heads, ["---"] * len(heads), *escaped]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def tables() -> dict[str, str]:
    """The generated tables by the name of their markers."""
    listed = told("strategies")
    return {
        "strategies": table(
            ["strategy", "parameters", "what it does"],
            [
                [
                    f"`{one['name']}`",
                    ", ".join(f"`{key}`" for key in one["parameters"]),
                    one["about"],
                ]
                for one in listed["strategies"]
            ],
        ),
        "presets": table(
            ["preset", "stands for"],
            [[f"`{name}`", f"`{spec}`"] for name, spec in listed["presets"].items()],
        ),
        "measures": table(
            ["measure", "range", "what it says"],
            [[f"`{one['example']}`", one["range"], one["about"]] for one in told("measures")],
        ),
    }


def with_tables(text: str) -> str:
    """`text` with what stands between its markers made anew."""
    for name, made in tables().items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        between = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
        text = between.sub(lambda _, made=f"{start}\n{made}\n{end}": made, text)
    return text


def main() -> None:
    """Write or check, as asked; exits with 1 where a page is out of step."""
    parser = argparse.ArgumentParser(description="Generated documentation")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true")
    choice.add_argument("--check", action="store_true")
    write = parser.parse_args().write
    pages = {README: with_tables(README.read_text(encoding="utf-8")), CLI: cli_page()}
    stale = [
        page
        for page, text in pages.items()
        if not page.exists() or page.read_text(encoding="utf-8") != text
    ]
    for page in stale:
        if write:
            page.write_text(pages[page], encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {'written' if write else 'out of step, run `make docs`'}")
    sys.exit(1 if stale and not write else 0)


if __name__ == "__main__":
    main()
