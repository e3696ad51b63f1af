"""Markdown has the same blocks whether its scanner runs compiled or as plain Python."""

import hashlib
import random
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
PIECES = [
    *("# ", "## ", "- ", "* ", "+ ", "1. ", "10) ", "> ", ">", "```", "~~~", "---", "===", "***"),
    *("    ", "   ", " ", "\t", "\n", "\n", "\n\n", "[^1]: ", "[a]: b", "[a]:", "[a]", "'t'"),
    *("<div>", "</div>", "<pre>", "</pre>", "<!--", "-->", "<b c='d'>", "`", "*", "_", "~~"),
    *("|", "| a | b |", "|---|---|", "a|b", "-|-", ":-", "\\", "&amp;", "word", "\f", "\0"),
    *("\xe9", "\u6f22", "\U0001f469", "\xa0", "\u2028", "![", "](u)", "(", ")"),
]


def digests():
    """Lines that are equal where the blocks are, the first saying what engine it was."""
    from seamline.parse.blocks import collect_blocks
    from seamline.scan import COMPILED

    yield f"compiled {COMPILED}"
    draw = random.Random(21)
    for _ in range(40):
        found = [
            collect_blocks("".join(draw.choices(PIECES, k=draw.randrange(80)))) for _ in range(100)
        ]
        told = [(tuple(each.blocks), each.title, each.unclosed) for each in found]
        n_blocks = sum(len(each.blocks) for each in found)
        yield f"{n_blocks} {hashlib.sha256(repr(told).encode()).hexdigest()}"


def told(plain):
    first = "import plain_engine; " if plain else ""
    command = f"import sys; sys.path[:0] = sys.argv[1:]; {first}import test_parse_engine as t; print(*t.digests(), sep=chr(10))"
    done = subprocess.run(
        [sys.executable, "-c", command, TESTS, TESTS / "property"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_compiled_and_plain_scanner_see_the_same_blocks():
    compiled, plain = told(plain=False), told(plain=True)
    assert plain[0] == "compiled False"
    if compiled[0] == "compiled False":
        pytest.skip("the engine is not compiled here: no C compiler")
    assert compiled[1:] == plain[1:]
    assert all(int(line.split()[0]) > 200 for line in plain[1:])
