"""Writes the generated parts of the documentation, or checks that they are in step.

    python scripts/docs.py --write
    python scripts/docs.py --check

docs/cli.md is the command's own help. README.md holds a table for each registry
between `<!-- strategies -->` and `<!-- end of strategies -->` (and so on): names, with the first
sentence of each docstring.
"""

import argparse
import importlib
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REGISTRIES = {"strategies": "seamline.split.strategies:STRATEGIES"}


def cli_page() -> str:
    """The help of every command, as one Markdown page."""
    command = [sys.executable, "-m", "typer", "seamline.cli", "utils", "docs", "--name", "seamline"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"typer could not read the help of seamline.cli:\n{run.stderr}")
    note = "<!-- Written by `make docs` from the command's own help: edit that instead. -->"
    return f"{note}\n\n{run.stdout.strip()}\n"


def first_sentence(part: object) -> str:
    """What a docstring opens with, on one line, safe in a table cell."""
    opening = (inspect.getdoc(part) or "").partition("\n\n")[0]
    return " ".join(opening.split()).replace("|", "\\|")


def table(reference: str) -> str:
    """A registry's names and what each part is."""
    module, _, attribute = reference.partition(":")
    registry = getattr(importlib.import_module(module), attribute)
    rows = [f"| `{name}` | {first_sentence(registry.get(name))} |" for name in registry.names()]
    return "\n".join(["| name | what it does |", "|---|---|", *rows])


def with_tables(text: str) -> str:
    """`text` with the tables between its markers made anew."""
    for name, reference in REGISTRIES.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        pattern = re.compile(f"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
        if pattern.search(text):
            made = f"{start}\n{table(reference)}\n{end}"
            text = pattern.sub(lambda _, made=made: made, text)
    return text


def pages() -> dict[Path, str]:
    """Every page with generated parts, as it should read."""
    readme = ROOT / "README.md"
    wanted = {readme: with_tables(readme.read_text(encoding="utf-8"))}
    if hasattr(importlib.import_module("seamline.cli"), "app"):
        wanted[ROOT / "docs" / "cli.md"] = cli_page()
    return wanted


def main() -> None:
    """Write or check, as asked; exits with 1 where a page is out of step."""
    parser = argparse.ArgumentParser(description="Generated documentation")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--write", action="store_true")
    choice.add_argument("--check", action="store_true")
    write = parser.parse_args().write
    stale = [
        page
        for page, text in pages().items()
        if not page.exists() or page.read_text(encoding="utf-8") != text
    ]
    for page in stale:
        if write:
            page.write_text(pages()[page], encoding="utf-8")
        print(f"{page.relative_to(ROOT)}: {'written' if write else 'out of step, run `make docs`'}")
    sys.exit(1 if stale and not write else 0)


if __name__ == "__main__":
    main()
