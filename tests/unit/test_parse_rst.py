"""reStructuredText: what each construct comes out as."""

import pytest

from seamline.parse import parse_bytes, parse_text
from seamline.parse.rst_lines import plain_title
from seamline.split.structured import Structure
from seamline.split.table_rows import TableRows


def parse(text):
    return parse_text(text, "a", media_type="text/x-rst")


def tree(text):
    """Every block, indented by how deep it lies: kind, level, title, its text."""
    document, ends, found = parse(text), [], []
    for block in document.blocks:
        while ends and ends[-1] <= block.span.start:
            ends.pop()
        cut = document.text[block.span.start : block.span.end]
        about = [block.kind, *([str(block.level)] if block.level else []), block.title]
        found.append("  " * len(ends) + " ".join(filter(None, about)) + ": " + cut)
        ends.append(block.span.end)
    return found


def test_titles_have_the_level_in_which_their_styles_come_up():
    text = "====\nBook\n====\n\nPart\n====\n\nOne\n---\n\nTwo\n---\n\nPart\n====\n\nLeaf\n~~~~\n"
    found = [(b.level, b.title) for b in parse(text).blocks]
    assert found == [(1, "Book"), (2, "Part"), (3, "One"), (3, "Two"), (2, "Part"), (4, "Leaf")]
    assert parse(text).metadata["title"] == "Book"


def test_a_title_is_both_its_lines_and_an_indented_one_under_a_line_too():
    assert tree("=======\n  Oil  \n=======\n") == ["heading 1 Oil: =======\n  Oil  \n======="]
    assert tree("Oil\n===\nText.") == ["heading 1 Oil: Oil\n===", "paragraph: Text."]


def test_what_is_no_title():
    for text in ("Oil and water\n==", "Oil\n\n===\nx", "- Oil\n  ===", "====\nOil\n-----"):
        assert not any(row.startswith("heading") for row in tree(text)), text


def test_a_line_between_blank_lines_is_a_rule():
    assert tree("One.\n\n----\n\nTwo.") == ["paragraph: One.", "rule: ----", "paragraph: Two."]
    assert tree("One.\n\n---\n\nTwo.")[1] == "paragraph: ---"


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        (":mod:`json` --- *Read* and ``write``", "json --- Read and write"),
        ("`Oil <https://oil.example>`_ and |water|", "Oil and water"),
        (r"The \*args", "The *args"),
        (":py:func:`~a.b`", "a.b"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_titles_without_markup(markup, title):
    assert plain_title(markup) == title


def test_lists_with_nested_parts():
    text = "- one\n  more\n\n  second\n- two\n\n  1. in\n  2. in two\n\n+ other\n"
    assert tree(text) == [
        "list 1 bullet: - one\n  more\n\n  second\n- two\n\n  1. in\n  2. in two",
        "  list_item 1: - one\n  more\n\n  second",
        "    paragraph: one\n  more",
        "    paragraph: second",
        "  list_item 1: - two\n\n  1. in\n  2. in two",
        "    paragraph: two",
        "    list 2 ordered: 1. in\n  2. in two",
        "      list_item 2: 1. in",
        "      list_item 2: 2. in two",
        "list 1 bullet: + other",
        "  list_item 1: + other",
    ]


def test_numbers_that_begin_no_list():
    assert tree("A. Einstein was\nhere.") == ["paragraph: A. Einstein was\nhere."]
    assert tree("1. One\n2. Two")[0] == "list 1 ordered: 1. One\n2. Two"
    assert [row[:14] for row in tree("(a) One\n\n#. Two")[::2]] == ["list 1 ordered"] * 2


def test_fields_options_and_definitions_are_lists():
    assert tree(":Author: me\n:Date:\n  now") == [
        "list 1 bullet: :Author: me\n:Date:\n  now",
        "  list_item 1: :Author: me",
        "  list_item 1: :Date:\n  now",
    ]
    assert tree("-a, --all  Show.\n--to=FILE\n   Write.\n")[1:] == [
        "  list_item 1: -a, --all  Show.",
        "  list_item 1: --to=FILE\n   Write.",
    ]
    assert tree("oil\n  Thick.\n\nwater : thin\n  Wet.\n") == [
        "list 1 bullet: oil\n  Thick.\n\nwater : thin\n  Wet.",
        "  list_item 1: oil\n  Thick.",
        "    paragraph: Thick.",
        "  list_item 1: water : thin\n  Wet.",
        "    paragraph: Wet.",
    ]


def test_literal_text_quotes_sessions_and_line_blocks():
    assert tree("See::\n\n    a\n\n      b\n\nText.") == [
        "paragraph: See::",
        "code:     a\n\n      b",
        "paragraph: Text.",
    ]
    assert tree("See::\n\n> a\n> b\n\nText.")[1] == "code: > a\n> b"
    assert tree("x\n\n  quoted\n  text\n\n    deeper\n")[1:] == [
        "quote 1: quoted\n  text\n\n    deeper",
        "  paragraph: quoted\n  text",
        "  quote 2: deeper",
        "    paragraph: deeper",
    ]
    assert tree(">>> 1\n1\n\n| a\n| b") == ["code: >>> 1\n1", "paragraph: | a\n| b"]


def test_code_has_its_language_or_that_of_the_last_highlight():
    text = "a::\n\n  x\n\n.. highlight:: c\n\nb::\n\n  y\n\n.. code-block:: python\n   :linenos:\n\n   z\n"
    code = [row for row in tree(text) if row.startswith("code")]
    assert code == [
        "code:   x",
        "code c:   y",
        "code python: .. code-block:: python\n   :linenos:\n\n   z",
    ]


def test_long_code_is_read_by_its_language():
    body = "".join(f"       step({n}, 'forward')\n" for n in range(30))
    text = f"Do\n==\n\n.. code-block:: python\n   :linenos:\n\n   def drain():\n{body}\nText.\n"
    rows = tree(text)
    assert rows[2].startswith("  definition 1 def drain: .. code-block:: python\n")
    assert rows[3] == ("    signature 1: .. code-block:: python\n   :linenos:\n\n   def drain():")
    assert rows[-1] == "paragraph: Text."
    text = f"Do::\n\n   def drain():\n{body}\n.. highlight:: python\n\nAgain::\n\n   def fill():\n{body}"
    rows = tree(text)
    assert [row.split(":")[0].strip() for row in rows if "definition" in row] == [
        "definition 1 def fill"
    ]
    chunks = Structure(size=90).split(parse(text))
    assert "def fill" in {chunk.context for chunk in chunks}


def test_what_a_directive_holds_begins_with_its_line():
    text = ".. note:: Mind\n   the oil.\n\n   - a\n\n.. function:: f(a,\n                b)\n   :x: y\n\n   Does.\n"
    assert tree(text) == [
        "paragraph: .. note:: Mind\n   the oil.",
        "list 1 bullet: - a",
        "  list_item 1: - a",
        "paragraph: .. function:: f(a,\n                b)\n   :x: y\n\n   Does.",
    ]
    assert tree(".. image:: a.png\n   :alt: oil") == ["paragraph: .. image:: a.png\n   :alt: oil"]
    assert tree(".. math::\n\n   a = b\n\n.. raw:: html\n\n   <b>")[1:] == [
        "html: .. raw:: html\n\n   <b>"
    ]


def test_footnotes_are_paragraphs_comments_and_targets_no_blocks():
    text = ".. [1] See\n   below.\n\n.. _oil: x\n.. |a| image:: b\n.. not read\n   at all\n__ y\n\nEnd."
    assert tree(text) == ["paragraph: .. [1] See\n   below.", "paragraph: End."]
    assert tree("..\n\n   quoted")[0].startswith("quote")


GRID = """\
+-----+------+
| Day | Load |
+=====+======+
| Mon | 1    |
|     | high |
+-----+------+
| Tue | 2    |
+-----+------+"""
SIMPLE = """\
=====  =====
Day    Load
=====  =====
Mon    1
       high
Tue    2
=====  ====="""


@pytest.mark.parametrize("table", [GRID, SIMPLE], ids=["grid", "simple"])
@pytest.mark.parametrize("margin", ["", "   "])
def test_rows_of_tables_with_the_lines_drawn_around_them(table, margin):
    title = ".. table:: Load\n\n" if margin else ""
    text = title + "\n".join(margin + line for line in table.split("\n"))
    document = parse(f"{text}\n\nText.\n")
    rows = [
        document.text[b.span.start : b.span.end] for b in document.blocks if b.kind == "table_row"
    ]
    lines = text.split("\n")[2 if margin else 0 :]
    n = 6 if table is GRID else 5
    expected = ["\n".join(part).lstrip() for part in (lines[:3], lines[3:n], lines[n:])]
    assert rows == expected
    first = document.blocks[0]
    assert (first.kind, first.span.start, first.span.end) == ("table", 0, len(text))
    assert [b.title for b in document.blocks if b.kind == "table_row"] == ["header", "", ""]


def test_a_table_without_a_header_and_one_in_csv():
    table = "====  ====\na     1\nb     2\n====  ===="
    assert [row.split(": ")[0].strip() for row in tree(table)] == [
        "table",
        "table_row",
        "table_row",
    ]
    rows = tree(".. csv-table:: Load\n   :header: Day, Load\n\n   Mon, 1\n   Tue, 2\n")
    assert rows[1:] == [
        "  table_row header: .. csv-table:: Load\n   :header: Day, Load",
        "  table_row: Mon, 1",
        "  table_row: Tue, 2",
    ]


@pytest.mark.parametrize("table", [GRID, SIMPLE], ids=["grid", "simple"])
def test_rows_are_said_with_their_header(table):
    chunks = TableRows().split(parse(f"Pump\n====\n\n{table}\n"))
    said = [chunk.indexed for chunk in chunks if "Mon" in chunk.text]
    assert said == ["Pump\nDay Mon has a load of 1 high."]


def test_what_looks_like_a_table_and_is_none():
    assert tree("+---+---+\n| a\n\nText.")[0].startswith("paragraph")
    assert tree("===  ===\na    b\n\nText.")[0].startswith("paragraph")


def test_questions_and_answers_are_seen():
    found = tree("FAQ\n===\n\nQ: Which oil?\n\nA: Only VG 46.\n")
    assert found[1].startswith("qa_pair Which oil?")


def test_files_by_their_suffix():
    for name in ("a.rst", "b.REST"):
        assert parse_bytes(b"Oil\n===\n", name).blocks[0].kind == "heading"
