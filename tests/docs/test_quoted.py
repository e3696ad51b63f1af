"""What pages quote of the bundled example is what the commands beside it print today.

A block below `<!-- printed at N columns -->` holds commands, each with what it prints on stdout
at that width. `python tests/docs/test_quoted.py` writes them anew. The last bits of vectors depend
on the processor, which may turn a question over: so a figure may be off by as much, and no more.
"""

import os
import re
import subprocess
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("README.md", "docs/comparing.md", "docs/explain.md", "docs/howto/golden-set.md")
PAGES = [ROOT / name for name in NAMES]
QUOTED = re.compile(
    r"(?<=<!-- printed at )(\d+)( columns -->\n```console\n)(.*?)(?=^```$)",
    re.MULTILINE | re.DOTALL,
)
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
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


def differing(quoted, today):
    """Lines that are not the same but for a question of a hundred that went the other way."""
    lines = zip_longest(quoted.splitlines(), today.splitlines(), fillvalue="")
    return [(old, new) for old, new in lines if old != new and not _is_near(old, new)]


def _is_near(old, new):
    words = [" ".join(NUMBER.sub("#", line).split()) for line in (old, new)]
    figures = [[float(one.replace(",", "")) for one in NUMBER.findall(line)] for line in (old, new)]
    # A question of 119 is 0.0084 of a mean; counts and sizes move by one, or by 2 %.
    near = [
        abs(a - b) <= (0.0085 if max(a, b) < 1 else max(1.0, 0.02 * b))
        for a, b in zip(*figures, strict=False)
    ]
    return words[0] == words[1] and all(near)


@pytest.mark.parametrize(
    ("old", "new", "near"),
    [
        ("recall 0.774 of 29", "recall 0.774  of 29", True),
        ("recall 0.774 of 29", "recall 0.766 of 30", True),
        ("recall 0.774 of 29", "recall 0.765 of 29", False),
        ("recall 0.774 of 29", "recall 0.774 of 34", False),
        ("3,000 more", "3,050 more", True),
        ("3,000 more", "3,100 more", False),
        ("−0.139 WORSE", "−0.139 BETTER", False),
        ("−0.139 WORSE", "+0.139 WORSE", False),
    ],
)
def test_how_far_a_quoted_line_may_be_off(old, new, near):
    assert _is_near(old, new) == near


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_quotes_is_what_its_commands_print(page, tmp_path):
    text = page.read_text(encoding="utf-8")
    assert QUOTED.search(text)
    assert differing(text, rewritten(page, tmp_path)) == []


def test_every_page_that_quotes_is_checked():
    marked = [
        page
        for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"))
        if "<!-- printed at" in page.read_text(encoding="utf-8")
    ]
    assert sorted(marked) == sorted(PAGES)


if __name__ == "__main__":
    for each in PAGES:
        with tempfile.TemporaryDirectory() as home:
            each.write_text(rewritten(each, Path(home)), encoding="utf-8")
