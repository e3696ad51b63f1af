"""What pages quote of the bundled example is what the commands beside it print today.

A block below `<!-- printed at N columns -->` holds commands, each with what it prints on stdout
at that width. `python tests/docs/test_quoted.py` writes them anew. The last bits of vectors depend
on the processor and the version of ONNX Runtime, and may turn a question over, so pages are
compared only where texts get the very vectors that they got when the pages were printed.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from seamline.embed.minilm import MiniLM

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("README.md", "docs/comparing.md", "docs/explain.md", "docs/howto/golden-set.md")
PAGES = [ROOT / name for name in NAMES]
QUOTED = re.compile(
    r"(?<=<!-- printed at )(\d+)( columns -->\n```console\n)(.*?)(?=^```$)",
    re.MULTILINE | re.DOTALL,
)
PRINTED_WITH = ROOT / "tests" / "docs" / "printed_with.txt"
# What stands on a page for a reader who has not installed the command yet, and what it runs.
SAME = {"make demo": "seamline demo"}


def printed(command, folder, columns):
    """The lines on stdout of a command as a page writes it."""
    plain = command.partition("   #")[0]
    kept = {name: os.environ[name] for name in ("HOME", "SEAMLINE_CACHE_DIR") if name in os.environ}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail\n{SAME.get(plain, plain)}"],
        cwd=folder,
        env={**kept, "PATH": path, "COLUMNS": columns, "LANG": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, (command, done.stderr)
    return [line.rstrip() for line in done.stdout.rstrip("\n").split("\n") if done.stdout]


def rewritten(page, folder):
    """The page with what its commands print today, run one after the other in `folder`."""
    (folder / "examples").symlink_to(ROOT / "examples")

    def block(found):
        columns, mark, text = found.groups()
        commands = [line for line in text.splitlines() if line.startswith("$ ")]
        lines = [
            line
            for command in commands
            for line in (command, *printed(command.removeprefix("$ "), folder, columns))
        ]
        return f"{columns}{mark}{chr(10).join(lines)}\n"

    return QUOTED.sub(block, page.read_text(encoding="utf-8"))


def vectors_here():
    """What names the vectors that texts get on this machine, to the last bit."""
    lines = (ROOT / "examples/handbook/docs/handbook.md").read_text("utf-8").split("\n")
    rows = MiniLM().embed_documents([line for line in lines if line.strip()])
    return hashlib.blake2b(rows.tobytes(), digest_size=8).hexdigest()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_quotes_is_what_its_commands_print(page, tmp_path):
    text = page.read_text(encoding="utf-8")
    assert QUOTED.search(text)
    if vectors_here() != PRINTED_WITH.read_text("utf-8").strip():
        pytest.skip("the pages were printed where texts get other vectors")
    assert text == rewritten(page, tmp_path)


def test_every_page_that_quotes_is_checked():
    marked = [
        page
        for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
        if "<!-- printed at" in page.read_text(encoding="utf-8")
    ]
    assert sorted(marked) == sorted(PAGES)


if __name__ == "__main__":
    PRINTED_WITH.write_text(f"{vectors_here()}\n", encoding="utf-8")
    for each in PAGES:
        with tempfile.TemporaryDirectory() as home:
            each.write_text(rewritten(each, Path(home)), encoding="utf-8")
