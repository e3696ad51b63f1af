"""Which blocks make a table, and what is left of the blocks around it."""

from __future__ import annotations

from seamline.split import parse_strategy
from seamline.split.table_blocks import Between, tables_of
from seamline.testing import check_strategy
from seamline.types import Block, Document, Span


def document(text, *blocks):
    """A document with `(kind, text of the block, title)`, each found from the last's start on."""
    made, at = [], 0
    for kind, words, *title in blocks:
        at = text.index(words, at)
        made.append(Block(kind, Span(at, at + len(words)), 0, *title))
    return Document.from_text(text, blocks=made)


def test_a_table_inside_a_table_is_part_of_its_row():
    found = document(
        "a1|b1\nx|[y|z] w\nv|u",
        ("table", "a1|b1\nx|[y|z] w\nv|u"),
        ("table_row", "a1|b1", "header"),
        ("table_row", "x|[y|z] w"),
        ("table", "y|z"),
        ("table_row", "y|z"),
        ("table_row", "v|u"),
    )
    [table] = tables_of(found)
    assert [found.text[row.start : row.end] for row in table.rows] == ["x|[y|z] w", "v|u"]
    texts = [chunk.text for chunk in check_strategy(parse_strategy("table_rows"), found)]
    assert texts == ["a1|b1\nx|[y|z] w", "v|u"]


def test_a_block_around_a_table_is_cut_to_what_stands_before_and_behind_it():
    text = "Before.\na|b\nc|d\nAfter."
    found = document(text, ("quote", text), ("paragraph", "Before."), ("table", "a|b\nc|d"))
    between = Between(found)
    before = between.part(0, 8)
    assert before is not None
    assert before.text == "Before.\n"
    assert [(b.kind, b.span) for b in before.blocks] == [
        ("quote", Span(0, 8)),
        ("paragraph", Span(0, 7)),
    ]
    after = between.part(15, len(text))
    assert after is not None
    assert [(b.kind, b.span) for b in after.blocks] == [("quote", Span(0, len("\nAfter.")))]
    assert between.part(len(text), len(text)) is None


def test_a_row_without_a_table_and_a_table_without_rows_are_no_tables():
    found = document("x|y\na|b\nc|d", ("table_row", "x|y"), ("table", "a|b"), ("table_row", "c|d"))
    assert tables_of(found) == []
