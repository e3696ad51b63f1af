"""Cells in every layout that a table is met in: where they are cut, what is left of their marks."""

from __future__ import annotations

import pytest

from seamline.parse import parse_text
from seamline.split import parse_strategy
from seamline.split.cells import layout_of
from seamline.testing import check_strategy
from seamline.types import Block, Document, Span


def chunks(text, media_type, *, size=1000, template="auto"):
    """The text of each chunk, with what is indexed of it."""
    document = parse_text(text, media_type=media_type)
    spec = f"table_rows(size={size}, unit=characters, prefix=false, template={template})"
    return [(c.text, c.indexed) for c in check_strategy(parse_strategy(spec), document)]


def said(text, media_type, **options):
    return [indexed for _, indexed in chunks(text, media_type, **options)]


def rows_of(text):
    """A document whose lines are the rows of one table."""
    at, rows = 0, []
    for line in text.split("\n"):
        rows.append(Block("table_row", Span(at, at + len(line))))
        at += len(line) + 1
    return Document.from_text(text, blocks=(Block("table", Span(0, len(text))), *rows))


def test_the_last_cell_counts_where_no_pipe_closes_it():
    text = "|Part|Use\n|-|-\n|oil|wet"
    assert said(text, "text/markdown") == ["Part oil has a use of wet."]
    assert said(f"{text}\n|nut|dry", "text/markdown")[1:] == ["Part nut has a use of dry."]


def test_a_pipe_before_a_row_of_a_table_without_frame_opens_its_first_cell():
    text = "Part | Use\n--|--\noil | wet\n| dry\nnut | loud"
    assert said(text, "text/markdown")[1:] == ["Part dry", "Part nut has a use of loud."]


def test_an_escaped_pipe_of_a_table_that_was_html_is_said_as_a_pipe():
    text = "<table><tr><th>Part<th>Use<tr><td>oil<td>wet | dry<tr><td>nut<td>*</table>"
    assert said(text, "text/html") == [
        "Part oil has a use of wet | dry.",
        "Part nut has a use of *.",
    ]


@pytest.mark.parametrize(
    ("text", "media_type"),
    [
        ("Part | Use\n--|--\nvalve | to hold back water\nnut | b", "text/markdown"),
        ("| Part | Use |\n|--|--|\n| valve | to hold back water |\n| nut | b |", "text/markdown"),
        ("Part\tUse\nvalve\tto hold back water\nnut\tb", "text/tab-separated-values"),
        ("Part,Use\nvalve,to hold back water\nnut,b", "text/csv"),
        ('Part,Use\nvalve,"to hold\nback water"\nnut,b', "text/csv"),
        (
            "=====  =====\nPart   Use\n=====  =====\nvalve  to hold back water\nnut    b\n=====  =====",
            "text/x-rst",
        ),
        (
            "<table><tr><th>Part<th>Use<tr><td>valve<td>to hold back water<tr><td>nut<td>b</table>",
            "text/html",
        ),
    ],
)
def test_a_row_over_the_limit_is_cut_where_its_cells_begin(text, media_type):
    found = said(text, media_type, size=22)
    assert found[found.index("Part valve") :][:2] == [
        "Part valve",
        "Part valve has a use of to hold back water.",
    ]


def test_a_tabbed_row_is_cut_where_its_cells_begin():
    text = "Part\tUse\tSize\nvalve\tto hold back water\tbig\nnut\tb\tc"
    assert chunks(text, "text/plain", size=24)[1:3] == [
        ("valve\tto hold back water", "valve, to hold back water"),
        ("big", "valve, big"),
    ]


def test_pieces_of_a_row_of_several_piped_lines_stand_under_its_key():
    text = (
        "+-----+--------+\n|Part |Use     |\n+=====+========+\n|valve|to hold |\n|     |water   |\n"
        "+-----+--------+\n|nut  |dry     |\n+-----+--------+"
    )
    assert chunks(text, "text/x-rst", size=17)[3:5] == [
        ("|valve|to hold |", "valve: valve|to hold"),
        ("|     |water", "valve: water"),
    ]


def test_a_line_too_wide_for_columns_is_one_cell():
    narrow, wide = "a  b\nc  d", f"a  {'b' * 500}\nc  d"
    for text, cells in ((narrow, ["a", "b"]), (wide, [wide.split("\n", 1)[0]])):
        document = rows_of(text)
        spans = [block.span for block in document.blocks[1:]]
        assert layout_of(document, spans).cells(text, spans[0]) == cells


def test_a_row_of_nothing_but_drawn_lines_has_no_cell_to_say():
    text = "----\n----"
    row = Block("table_row", Span(0, 9))
    document = Document.from_text(text, blocks=(Block("table", Span(0, 9)), row))
    [chunk] = check_strategy(parse_strategy("table_rows"), document)
    assert (chunk.text, chunk.indexed_as) == (text, None)


def test_a_quoted_cell_longer_than_csv_reads_is_said_whole():
    words = " ".join(["long"] * 40_000)
    text = f'Part,Use\n"oil","{words}"\n"nut","b, c"'
    assert said(text, "text/csv", size=10**6) == [
        f"Part oil. Use: {words}.",
        "Part nut. Use: b, c.",
    ]


def test_a_quote_that_csv_closes_elsewhere_leaves_the_row_its_own():
    text = 'Part,Use,Size\n"oil,wet,b\nnut,"c, d",e'
    rows = [Span(14, 24), Span(25, 37)]
    layout = layout_of(Document.from_text(text, media_type="text/csv"), rows)
    assert layout.columns(text, rows) == []
    assert layout.cells(text, rows[1]) == ["nut", "c, d", "e"]
    assert layout.borders(text, rows[1]) == [25, 29, 36]
