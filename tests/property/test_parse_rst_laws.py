"""What holds for the blocks of any reStructuredText, and of what looks like it."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seamline.parse import parse_bytes, parse_text

PIECES = """
- |* |+ |1. |(a) |#. |A. |:field: |:a:`b`|-a, --all  |--foo=BAR  |/x  |>>> x|| line|.. note::|
.. code-block:: python|.. [1] |.. _a: b|.. |x| image:: y|.. a comment|..|__ x|::|x::|===|====|-----|~~~~|
+---+---+|| a | b |+===+===+|=== ===|a   b|.. csv-table:: t|a,b|.. table:: x|   :opt: x|.. math::|
.. highlight:: python|def f():|    return 1|term|Q: Why?|A: So.|Title|word|**b**|``c``
""".replace("\n", "").split("|")
PIECES += ["| a | b |", "| line", "|", ".. |x| replace:: y"]
PIECES += ["\n", "\n\n", "\n   ", "\n  ", "\n    ", "\n\t", " ", "\f", "\v", "\0", "\xa0", "\u2028"]
PIECES += ["é", "漢字", "👩‍👩‍👧", "\n====\n", "\n\n===  ===\na    b\n===  ===\n"]
any_text = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=50).map("".join)
any_lines = st.lists(
    st.tuples(st.sampled_from(["", "  ", "   ", "    "]), st.sampled_from(PIECES)), max_size=40
).map(lambda rows: "\n".join(margin + piece for margin, piece in rows))

PARENTS = {"list", "list_item", "quote", "table", "qa_pair", "turn", "clause"}


def parse(text):
    return parse_text(text, "a", media_type="text/x-rst")


def check(document):
    """The blocks lie in the text, nested or disjoint, parents first, from ink to ink."""
    text, parents, last = document.text, [], (-1, 0)
    for block in document.blocks:
        start, end = block.span.start, block.span.end
        assert 0 <= start < end <= len(text)
        assert last <= (start, -end)
        last = (start, -end)
        while parents and parents[-1].span.end <= start:
            parents.pop()
        assert not parents or end <= parents[-1].span.end
        assert not parents or parents[-1].kind in PARENTS
        assert text[start:end].rsplit("\n", 1)[-1].strip()
        assert text[start].strip() or block.kind == "code"
        check_place(block, parents[-1].kind if parents else None)
        parents.append(block)


def check_place(block, parent):
    if block.kind == "table_row":
        assert parent == "table"
    if block.kind == "list_item":
        assert parent == "list"
    if block.kind == "heading":
        assert 1 <= block.level <= 6
        assert parent in (None, "qa_pair", "turn", "clause")
    if block.kind in ("list", "list_item", "quote"):
        assert block.level >= 1


@example("- a\n\n  - b\n\n    .. note::\n\n       c")
@example(".. [1]\n")
@example(".. note::\n\n   .. note::\n\n      .. a comment")
@example("Q: Why?\n- \n\x0c")
@example("Q: Why?\n- \n\x1c\u2003\x85")
@settings(max_examples=400)
@given(any_text | any_lines)
def test_blocks_of_any_text_are_nested_or_disjoint(text):
    check(parse(text))


@given(any_text | any_lines)
def test_line_ends_change_nothing(text):
    document = parse(text)
    assert parse(document.text) == document
    assert parse(document.text.replace("\n", "\r\n")) == document


@given(any_text.filter(lambda text: "\0" not in text))
def test_bytes_and_text_give_the_same_document(text):
    document = parse(text.removeprefix("\ufeff"))
    assert parse_bytes(text.encode(), "a.rst").blocks == document.blocks


@given(any_lines)
def test_rows_hold_all_of_a_table(text):
    document = parse(text)
    for block in document.blocks:
        if block.kind == "table":
            rows = [
                document.text[row.span.start : row.span.end]
                for row in document.blocks
                if row.kind == "table_row" and block.span.start <= row.span.start < block.span.end
            ]
            ink = "".join("".join(rows).split())
            assert "".join(document.text[block.span.start : block.span.end].split()).endswith(ink)


HOSTILE = {
    "bullets on one line": "- " * 100_000 + "x",
    "fields on one line": ":a: " * 100_000,
    "notes on one line": ".. [1] " * 100_000,
    "nested quotes": "\n\n".join(" " * n + "x" for n in range(1_500)),
    "nested lists": "\n\n".join(" " * 2 * n + "- x" for n in range(1_000)),
    "nested directives": "\n\n".join(" " * 3 * n + ".. note::" for n in range(900)),
    "bullets above blank lines": "- " * 5_000 + "\n" * 500_000 + "x",
    "tables without end": "===  ===\nx\n\n" * 30_000,
    "grids without end": "+---+---+\n| x\n\n" * 30_000,
    "one grid without end": "+---+\n" + "| a |\n" * 60_000,
    "titles of many marks": ("*a " * 100_000) + "\n" + "=" * 300_000,
    "many styles": "".join(f"t\n{mark * 4}\n\n" for mark in "=-~^#*+.:_`'\"!$%&" * 2_000),
    "colons": ":" * 300_000,
    "options": "-a, " * 100_000,
    "blank lines": "\n" * 2_000_000,
    "no space": "a" * 3_000_000,
    "enumerators": "i. " * 100_000,
    "terms": "a\n b\n" * 50_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_read(name):
    check(parse(HOSTILE[name]))
