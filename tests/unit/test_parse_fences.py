"""Code inside documents, read by its language."""

import json
import subprocess
import sys
import textwrap

import pytest

from seamline.parse import parse_text
from seamline.parse.fences import with_code
from seamline.split.structured import Adaptive, Structure
from seamline.types import Block, Span

TANK = '''import os

class Tank:
    """Holds water.

    Never more than it can."""

    def drain(self):
        level = 0
        for step in range(900):
            level = self.open_valve(step, level)  # one step at a time, as the valve is slow
        return level

    def fill(self):
        self.note = """
            a long note
        """
        return self.close_valve(self.note, self.level, self.name, self.pressure)
'''
KINDS = {"definition", "signature", "statement", "string"}


def parse(text, media_type="text/markdown"):
    return parse_text(text, "a", media_type=media_type)


def seen(document):
    """Of the blocks of code: kind's first letters, level, title, first and last line."""
    found = []
    for block in document.blocks:
        lines = document.text[block.span.start : block.span.end].split("\n")
        if block.kind in KINDS:
            found.append((block.kind[:3], block.level, block.title, lines[0], lines[-1]))
    return found


def fenced(code, info="python", fence="```"):
    return f"{fence}{info}\n{code}{fence}"


EXPECTED = [
    ("sta", 0, "", "```python", "import os"),
    ("def", 1, "class Tank", "class Tank:", "```"),
    ("sig", 1, "", "class Tank:", '    Never more than it can."""'),
    ("str", 1, "", '"""Holds water.', '    Never more than it can."""'),
    ("def", 2, "def drain", "    def drain(self):", "        return level"),
    ("sig", 2, "", "    def drain(self):", "    def drain(self):"),
    (
        "def",
        2,
        "def fill",
        "    def fill(self):",
        "```",
    ),
    ("sig", 2, "", "    def fill(self):", "    def fill(self):"),
    ("str", 2, "", '"""', '        """'),
]


def test_a_fence_holds_the_blocks_of_its_language_and_its_own_lines_belong_to_them():
    text = f"# Tanks\n\nSome text.\n\n{fenced(TANK)}\n\nMore text.\n"
    document = parse(text)
    assert seen(document) == EXPECTED
    code = next(b for b in document.blocks if b.kind == "code")
    assert text[code.span.start : code.span.end] == fenced(TANK)
    assert document.blocks[-1].kind == "paragraph"


@pytest.mark.parametrize(
    ("fence", "info"), [("~~~~", "py"), ("`````", "{.python #id}"), ("```", "Python title=a.py")]
)
def test_any_fence_and_any_name_of_the_language(fence, info):
    found = seen(parse(fenced(TANK, info, fence)))
    assert [row[:3] for row in found] == [row[:3] for row in EXPECTED]
    assert found[0][3] == fence + info
    assert found[1][4] == fence


def test_a_fence_without_an_end_is_read_to_the_end():
    found = seen(parse(fenced(TANK)[:-3]))
    assert [row[:3] for row in found] == [row[:3] for row in EXPECTED]


@pytest.mark.parametrize("marker", ["- ", "10. ", "- - "])
@pytest.mark.parametrize("own_line", [True, False])
def test_in_lists_the_margin_of_each_line_is_left_out_of_the_code(marker, own_line):
    margin = " " * len(marker)
    code = textwrap.indent(fenced(TANK), margin)
    text = f"{marker}Like this:\n\n{code}\n" if own_line else f"{marker}{code.lstrip()}\n"
    found = seen(parse(text))
    assert [row[:3] for row in found] == [row[:3] for row in EXPECTED]
    assert [row[3] for row in found[1:3]] == [f"{margin}class Tank:"] * 2
    assert found[4][3:] == (f"{margin}    def drain(self):", f"{margin}        return level")


def test_what_is_left_as_it_is():
    quoted = "".join(f"> {line}\n" for line in fenced(TANK).split("\n"))
    session = fenced("".join(f">>> step({n})\n{n}\n" for n in range(60)))
    short = fenced("def drain():\n    pass\n")
    for text in (quoted, session, short, fenced(TANK, "text"), fenced(TANK, "")):
        assert not seen(parse(text))
        assert any(b.kind == "code" for b in parse(text).blocks)


def test_other_languages():
    go = "func (t *Tank) Drain() int {\n" + "\topenValve(t.level, t.name)\n" * 20 + "}\n"
    assert [row[2] for row in seen(parse(fenced(go, "go")))] == ["func (t *Tank) Drain", ""]


def test_code_of_a_page():
    escaped = TANK.replace('"', "&quot;")
    page = f'<p>So:<pre><code class="language-python">{escaped}</code></pre><p>More.'
    document = parse(page, "text/html")
    found = seen(document)
    assert [row[:3] for row in found] == [row[:3] for row in EXPECTED]
    assert found[0][3] == "import os"
    assert found[1][4].startswith("        return self.close_valve")


def test_cells_of_a_notebook_with_commands_to_ipython():
    source = "%matplotlib inline\n!pip install pumps\n" + TANK
    cells = [
        {"cell_type": "markdown", "source": "# Tanks\n\n" + fenced(TANK)},
        {"cell_type": "code", "source": source, "outputs": []},
    ]
    document = parse(json.dumps({"nbformat": 4, "cells": cells}), "application/x-ipynb+json")
    rows = seen(document)
    assert rows[: len(EXPECTED)] == EXPECTED
    titles = [row[2] for row in rows[len(EXPECTED) :] if row[0] == "def"]
    assert titles == ["class Tank", "def drain", "def fill"]


@pytest.mark.parametrize(
    "strategy", [Structure(size=60), Adaptive(target=24, size=60)], ids=["structure", "adaptive"]
)
def test_a_long_fence_is_cut_along_its_definitions_which_are_context(strategy):
    document = parse(f"# Tanks\n\nSome text.\n\n{fenced(TANK)}\n\nMore text.\n")
    chunks = strategy.split(document)
    for at, block in enumerate(document.blocks):
        if block.kind == "string":
            assert not any(block.span.start < chunk.start < block.span.end for chunk in chunks), at
    hung = {chunk.context for chunk in chunks}
    assert "class Tank" in hung or "class Tank \u203a def drain" in hung
    last = chunks[-1]
    assert last.text.endswith("More text.")
    assert all(chunk.text.strip("`\n ") for chunk in chunks)


def test_the_path_of_a_definition_ends_with_its_fence():
    filler = "Water flows from here to there. " * 30
    document = parse(f"# Pumps\n\n{fenced(TANK)}\n\n{filler}\n")
    after = [c for c in Structure(size=60).split(document) if c.text.startswith("Water flows")]
    assert len(after) > 2
    assert all("Tank" not in chunk.indexed for chunk in after)


def test_without_the_extra_nothing_changes_and_nothing_is_raised():
    program = textwrap.dedent("""
        import sys
        sys.modules["tree_sitter"] = None
        from seamline.parse import parse_text
        text = "```python\\n" + "x = 1\\n" * 200 + "```"
        document = parse_text(text, media_type="text/markdown")
        print([(block.kind, block.title) for block in document.blocks])
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[('code', 'python')]\n", done.stderr


def test_blocks_without_code_come_back_as_they_are():
    blocks = (Block("paragraph", Span(0, 3)),)
    assert with_code("Oil", blocks) == blocks
