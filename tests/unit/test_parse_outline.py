"""The outline of plain text: headings, lists, code, tables, quotes; and what is none of them."""

import pytest

from seamline.parse import parse_text

PROSE = "A pump moves a fluid from here to there, and it wears out where it does so."


def seen(text, *kinds):
    """(kind, level, title, text) of the blocks, of all kinds or of those named."""
    document = parse_text(text)
    return [
        (block.kind, block.level, block.title, document.text[block.span.start : block.span.end])
        for block in document.blocks
        if not kinds or block.kind in kinds
    ]


def kinds(text):
    return [kind for kind, *_ in seen(text)]


def headings(text):
    return [(level, title) for _, level, title, _ in seen(text, "heading")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Pumps\n=====\n", "Pumps"),
        ("=====\nPumps\n=====\n", "Pumps"),
        ("Two words\n---------\nBody, with no blank line between.\n", "Two words"),
        (f"INTRODUCTION\n\n{PROSE}", "INTRODUCTION"),
        (f"R E C I T A L S\n\n{PROSE}", "RECITALS"),
        (f"Getting Started\n\n{PROSE}", "Getting Started"),
        (f"How chunking works#\n\n{PROSE}", "How chunking works"),
        (f"CHAPTER 2\n\n{PROSE}", "CHAPTER 2"),
        (f"Section 4.\n\n{PROSE}", "Section 4."),
        (f"ARTICLE IV DEFINITIONS\n\n{PROSE}", "ARTICLE IV DEFINITIONS"),
        (f"§ 7 Haftung\n\n{PROSE}", "§ 7 Haftung"),
        (f"Appendix B: Tables\n\n{PROSE}", "Appendix B: Tables"),
        (f"1. Scope\n\n{PROSE}", "1. Scope"),
        (f"2.3 Payment\n\n{PROSE}", "2.3 Payment"),
        ("3.WARRANTY AND LIMITATIONS\n\nNone.\n", "3.WARRANTY AND LIMITATIONS"),
    ],
)
def test_lines_that_head_what_follows_are_headings(text, title):
    assert headings(text) == [(1, title)]


@pytest.mark.parametrize(
    "text",
    [
        f"This is a sentence.\n\n{PROSE}",
        f"{PROSE[:-1]}\n\nGetting Started\n\n{PROSE}",
        "THE END",
        "THE END\n",
        f"MOSSIMO, INC.\n\n{PROSE}",
        f"REYNOLDS HOLDING CORP\n\n{PROSE}",
        f"John Smith\n\nChief Executive\n\n{PROSE[:20]}",
        f"Section 4 of the law applies here.\n\n{PROSE}",
        f"lower case words\n\n{PROSE}",
        f"NAME    TITLE\n\n{PROSE}",
        f"Page 9\n\n{PROSE}",
        f"Page 9 of 12\n\n{PROSE}",
        f"- 7 -\n\n{PROSE}",
        f"{PROSE} {PROSE}\n===\n",
        "* * *\n=====\n",
        f"1. Turn the key to the left.\n\n{PROSE}",
        f"3 Items were lost\n\n{PROSE}",
        f"A. Smith\n\n{PROSE}",
        "8.2.2 The parties shall introduce\n\nnew methods of work.\n",
        f"Remember the fear, record losses?\n\n{PROSE}",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text):
    assert headings(text) == []


def test_the_head_of_every_page_is_no_heading():
    assert headings("\n\n".join(f"ACME MANUAL\n\n{PROSE} {page}" for page in range(3))) == []
    assert headings(f"ACME MANUAL\n\n{PROSE}") == [(1, "ACME MANUAL")]


def test_levels_follow_the_depth_of_the_numbers():
    text = "1. Scope\n\n{0}\n\n2. Terms\n\n2.1 Pump\n\n{0}\n\n2.1.1 Seal\n\n{0}\n\n2.2 Oil\n\n{0}\n\n3. End\n\n{0}"
    assert headings(text.format(PROSE)) == [
        (1, "1. Scope"), (1, "2. Terms"), (2, "2.1 Pump"), (3, "2.1.1 Seal"), (2, "2.2 Oil"),
        (1, "3. End"),
    ]  # fmt: skip


def test_levels_follow_the_rank_of_the_kind_and_then_the_first_appearance():
    text = f"ARTICLE I\n\nSection 1. Oil\n\n{PROSE}\n\nARTICLE II\n\nSection 2. Fat\n\n{PROSE}"
    assert [level for level, _ in headings(text)] == [1, 2, 1, 2]
    assert headings("Sub\n---\n\nTop\n===\n\nSub\n---\n") == [(1, "Sub"), (2, "Top"), (1, "Sub")]
    mixed = f"MANUAL\n\nFirst Things\n\n{PROSE}\n\nLast Things\n\n{PROSE}"
    assert headings(mixed) == [(1, "MANUAL"), (2, "First Things"), (2, "Last Things")]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("- a\n- b\n", "bullet"),
        ("• a\n\n• b\n", "bullet"),
        ("1. a\n2. b\n3. c\n", "ordered"),
        ("1) a\n2) b\n", "ordered"),
        ("(1) a\n(2) b\n", "ordered"),
        ("a) x\nb) y\n", "ordered"),
        ("(i) x\n(ii) y\n(iii) z\n", "ordered"),
        ("Step 1: turn\nStep 2: lift\n", "ordered"),
        ("Schritt 1: drehen\n\nSchritt 2: heben\n", "ordered"),
        ("3. x\n4. y\n", "ordered"),
        ("1.1 a thing,\n1.2 a thing,\n", "ordered"),
    ],
)
def test_two_items_make_a_list(text, title):
    found = seen(text)
    assert [block[:3] for block in found[:2]] == [("list", 1, title), ("list_item", 1, "")]
    assert found[0][3] == text.strip()
    assert {kind for kind, *_ in found} == {"list", "list_item"}


@pytest.mark.parametrize(
    "text",
    [
        "- only one\n",
        "1. only one.\n",
        "He was born in\n1990. He died in\n2001. That was all.\n",
        "1. one\n3. three\n",
        "Well,\n- he said.\n",
        "A. Smith came\nB.C. was gone\n",
    ],
)
def test_what_does_not_count_up_is_a_paragraph(text):
    assert kinds(text) == ["paragraph"]
    assert seen(text)[0][3] == text.strip()


def test_lists_nest_by_indentation_and_by_kind_of_number():
    by_indentation = "1. a\n   - x\n   - y\n     more\n2. b\n"
    by_kind = "1. a\n(a) x\n(b) y\n2. b\n"
    for text in (by_indentation, by_kind):
        assert [block[:2] for block in seen(text)] == [
            ("list", 1), ("list_item", 1), ("list", 2), ("list_item", 2), ("list_item", 2),
            ("list_item", 1),
        ]  # fmt: skip


def test_a_letter_that_is_a_roman_number_too_is_what_its_list_says():
    letters = "\n".join(f"({letter}) x" for letter in "abcdefghij")
    assert kinds(letters) == ["list", *["list_item"] * 10]


def test_what_stands_between_two_steps_belongs_to_the_first():
    text = (
        "1. Turn.\n\n2. Lift:\n\n    $ lift --now\n\nMind your hand.\n\n3. Look.\n\nThat was all.\n"
    )
    items = [cut for *_, cut in seen(text, "list_item")]
    assert items[1] == "2. Lift:\n\n    $ lift --now\n\nMind your hand."
    assert kinds(text)[-1] == "paragraph"
    assert seen(text)[-1][3] == "That was all."


def test_steps_with_much_below_them_are_headings():
    body = "\n\n".join([PROSE] * 9)
    text = "\n\n".join(f"Step {n}: Oil it\n\n{body}" for n in (1, 2, 3))
    assert headings(text) == [(1, f"Step {n}: Oil it") for n in (1, 2, 3)]


def test_a_list_of_a_million_items_is_one_list():
    text = "\n".join(f"{n % 999}. x" for n in range(1, 20_000))
    found = seen(text, "list")
    assert sum(cut.count("\n") + 1 for *_, cut in found) == 19_999


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    return x + 1",
        "function f(x) {\n  const y = g(x);\n\n  return y;\n}",
        "import json\nfrom pathlib import Path",
        "from a import b\n\ndef f(\n    x: int,\n    y: int = 2,\n) -> int:\n    return b(x, y)",
        "    $ make\n    $ make test",
        '{\n  "key": [1, 2],\n  "other": null\n}',
    ],
)
def test_code_is_code_without_a_fence(code):
    assert seen(f"{PROSE}\n\n{code}\n\n{PROSE}\n", "code") == [("code", 0, "", code)]
    assert kinds(f"{PROSE}\n\n{code}\n\n{PROSE}\n") == ["paragraph", "code", "paragraph"]


def test_a_closed_fence_is_code_whatever_is_in_it():
    fence = "```py\n# x\n\n1. one\n2. two\n```"
    assert seen(f"Run:\n\n{fence}\n\nDone.\n", "code") == [("code", 0, "py", fence)]
    assert "code" not in kinds(f"Run:\n\n```\n{PROSE}\n")


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("| a | b |\n|---|---|\n| 1 | 2 |", [("header", 2), ("", 1)]),
        ("| a | b |\n| 1 | 2 |", [("header", 1), ("", 1)]),
        ("a | b\n1 | 2\n3 | 4", [("header", 1), ("", 1), ("", 1)]),
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+", [("header", 3), ("", 2)]),
        (
            "Name   Age  Town\nAnna   31   Bern\nBob    7    Basel",
            [("header", 1), ("", 1), ("", 1)],
        ),
        ("Name   Age\n-----  ---\nAnna   31\nBob    7", [("header", 2), ("", 1), ("", 1)]),
        ("a\tb\n1\t2\n3\t4", [("header", 1), ("", 1), ("", 1)]),
        ("x\ty\na\tb\nc\td", [("", 1), ("", 1), ("", 1)]),
    ],
)
@pytest.mark.parametrize("before", ["", "Sales of the year:\n"])
def test_tables_drawn_or_in_columns(table, rows, before):
    found = seen(f"{before}{table}\n")
    assert [cut for kind, _, _, cut in found if kind == "table"] == [table]
    in_rows = [(title, cut.count("\n") + 1) for kind, _, title, cut in found if kind == "table_row"]
    assert in_rows == rows
    assert [cut for kind, _, _, cut in found if kind == "paragraph"] == [before.strip()][
        : len(before)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "One sentence.  Another one\nthat goes on.  And a third\none to end with.  So.\n",
        "choose a | b\nor not\n",
        "a\tb\nc\n",
        "just  two\nlines  here\n",
    ],
)
def test_what_is_not_in_columns_is_no_table(text):
    assert kinds(text) == ["paragraph"]


def test_quotes_and_rules():
    text = "> one\n> two\n\n-----\n\n* * *\n\n> three\n"
    assert [block[:2] for block in seen(text)] == [
        ("quote", 1), ("rule", 0), ("rule", 0), ("quote", 1),
    ]  # fmt: skip


def test_formulas_win_over_what_is_in_them():
    formula = "$$\nE = m c^2 \\\\\n- x\n- y\n$$"
    text = f"Given by\n{formula}\nwhere m is mass.\n\n\\[ a \\]\n\n```math\nx\n```\n"
    assert [block[::3] for block in seen(text)] == [
        ("paragraph", "Given by"), ("math", formula), ("paragraph", "where m is mass."),
        ("math", "\\[ a \\]"), ("math", "```math\nx\n```"),
    ]  # fmt: skip


def test_a_hundred_thousand_fences_cost_no_more_than_their_sum():
    assert len(parse_text("```\n" * 100_000).blocks) == 50_000
