"""Runs the commands of docs/worked.md and writes what they print below them.

    python scripts/worked.py DATA [PAGE]

DATA is a folder of golden sets (`techdocs/docs`, `techdocs/golden.jsonl` and so on). Every line
that begins with `$ ` in a block marked `console` is run, one after the other, in a new folder that
holds copies of the sets; what it prints stands below it, and its exit code if that is not 0.
docs/worked-store.md wants the URL of an empty PostgreSQL database in DATABASE_URL.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "worked.md"
SETS = ("techdocs", "tatqa", "cuad")
_BLOCK = re.compile(r"(?<=```console\n).*?(?=```)", re.DOTALL)
_SHELL = "set -o pipefail\n"


def printed(command: str, folder: Path) -> list[str]:
    """What a command prints, a line an item, and its exit code unless that is 0."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", _SHELL + command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "130", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    # Marks of a fence would end the block that the output stands in.
    told = done.stdout.replace("```", "'''").rstrip("\n")
    lines = [line.rstrip() for line in told.split("\n")]
    # A pipe that `head` closed is no failure.
    code = [f"exit code {done.returncode}"] if done.returncode not in (0, 141) else []
    return [*(lines if lines != [""] else []), *code]


def written(block: str, folder: Path) -> str:
    """The block with what its commands print now."""
    out: list[str] = []
    commands = re.split(r"(?m)^\$ ", block)
    for part in commands[1:]:
        command = part.partition("\n")[0]
        print(f"$ {command}", file=sys.stderr)
        out += [f"$ {command}", *printed(command, folder)]
    return "\n".join(out) + "\n"


def main() -> None:
    """Bring the page up to date."""
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    data = Path(sys.argv[1])
    page = Path(sys.argv[2]) if len(sys.argv) == 3 else PAGE
    with tempfile.TemporaryDirectory() as folder:
        for name in SETS:
            shutil.copytree(data / name, Path(folder, name))
        text = page.read_text(encoding="utf-8")
        text = _BLOCK.sub(lambda found: written(found[0], Path(folder)), text)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
