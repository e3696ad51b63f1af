from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from seamline.parse import parse_text
from seamline.parse.tables import header_top

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def parse(text):
    return parse_text(text, "a.md", media_type="text/markdown")


def seen(text, *kinds):
    """(kind, level, title, text) of the blocks, of all kinds or of those named."""
    document = parse(text)
    return [
        (block.kind, block.level, block.title, document.text[block.span.start : block.span.end])
        for block in document.blocks
        if not kinds or block.kind in kinds
    ]


def kinds(text):
    return [kind for kind, *_ in seen(text)]


@pytest.mark.parametrize(
    ("text", "level", "title", "cut"),
    [
        ("# Pumps", 1, "Pumps", "# Pumps"),
        ("###### Six\n", 6, "Six", "###### Six"),
        ("  ## Two blanks in front", 2, "Two blanks in front", "## Two blanks in front"),
        ("## B ##\n", 2, "B", "## B ##"),
        ("# C# \\#\n", 1, "C# #", "# C# \\#"),
        (
            "# Run `make` on *all* [hosts](h.md) ~~now~~ &amp; wait",
            1,
            "Run make on all hosts now & wait",
            None,
        ),
        ("# ![Logo](l.png) Seams <br> here", 1, "Logo Seams here", None),
        ("#\tTab", 1, "Tab", "#\tTab"),
        ("#\n", 1, "", "#"),
        ("Title\n=====\n", 1, "Title", "Title\n====="),
        ("Two\nlines *here*\n---\n", 2, "Two lines here", "Two\nlines *here*\n---"),
        ("Été à Köln 🏝\n---", 2, "Été à Köln 🏝", None),
    ],
)
def test_headings_have_their_level_and_their_title_without_markup(text, level, title, cut):
    assert seen(text) == [("heading", level, title, cut or text)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("####### seven\n", "paragraph"),
        ("#hashtag\n", "paragraph"),
        ("\\# escaped\n", "paragraph"),
        ("    # indented\n", "code"),
        ("\t# behind a tab\n", "code"),
        ("```\n# in a fence\n```\n", "code"),
        ("<!--\n# in a comment\n-->\n", "html"),
    ],
)
def test_what_only_looks_like_a_heading_is_none(text, kind):
    assert kinds(text) == [kind]


def test_headings_may_jump_levels_and_repeat():
    text = "# Book\n\n### Deep\n\nAlpha.\n\n## Chapter\n\n# Book\n"
    assert [(level, title) for _, level, title, _ in seen(text, "heading")] == [
        (1, "Book"), (3, "Deep"), (2, "Chapter"), (1, "Book"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fence", "inside"),
    [
        ("```", "print(1)"),
        ("````", "```python\nprint(1)\n```\n# Not a heading"),
        ("~~~", "# comment\n```\nkey: 1"),
        ("~~~~~", "~~~\n~~~~ x"),
        ("```", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("```", "- item\n\n> quote\n\n\n    deep"),
        ("```", ""),
    ],
)
def test_a_fence_ends_at_a_fence_of_its_kind_and_length(fence, inside):
    code = f"{fence}lang info\n{inside}\n{fence}"
    assert seen(f"Before.\n\n{code}\n\n## After\n") == [
        ("paragraph", 0, "", "Before."),
        ("code", 0, "lang info", code),
        ("heading", 2, "After", "## After"),
    ]


@pytest.mark.parametrize(
    "code", ["```bash\nmake\n\n# Results\n\nAll is well.", "~~~\nx\n```", "```", "````\nx\n```"]
)
def test_an_unclosed_fence_runs_to_the_end_and_is_noted(code):
    document = parse(f"# Log\n\n{code}\n\n\n")
    block = document.blocks[-1]
    assert (block.kind, document.text[block.span.start : block.span.end]) == ("code", code)
    assert document.metadata["unclosed_fence"] == block.span.start == 7


@pytest.mark.parametrize(
    "text",
    [
        "- ```\n  x\n\n[a]: b\n",
        "```\nx\n```",
        "> ```\n> x\n> ```\n",
        "- ~~~\n  x\n  ~~~\n",
        "```\nx\n```\n\ny",
        "    x",
    ],
)
def test_a_closed_fence_is_not_noted(text):
    assert "unclosed_fence" not in parse(text).metadata


def test_code_keeps_its_indentation_byte_for_byte():
    fenced = "   ```sh\n   # fetch\n   \tmake get\n   ```"
    indented = "       x = 1\n\n         y = 2"
    text = f"1. Install:\n\n{fenced}\n\n2. Then:\n\n{indented}\n\n# Next\n"
    assert [cut for *_, cut in seen(text, "code")] == [fenced, indented]
    assert kinds(text)[-1] == "heading"


def test_code_behind_a_marker_starts_behind_the_marker():
    assert seen("-     x\n      y\n", "code") == [("code", 0, "", "    x\n      y")]
    assert seen(">     x\n>     y\n", "code") == [("code", 0, "", "    x\n>     y")]
    assert seen("> ~~~\n> x\n> ~~~\n", "code") == [("code", 0, "", "~~~\n> x\n> ~~~")]


def test_lists_say_their_depth_and_whether_they_are_ordered():
    text = "1. one\n   - inner\n     more\n\n     * deep\n2. two\n\nAfter.\n"
    assert [block[:3] for block in seen(text)] == [
        ("list", 1, "ordered"),
        ("list_item", 1, ""),
        ("list", 2, "bullet"),
        ("list_item", 2, ""),
        ("paragraph", 0, ""),
        ("list", 3, "bullet"),
        ("list_item", 3, ""),
        ("list_item", 1, ""),
        ("paragraph", 0, ""),
    ]
    assert seen(text, "list_item")[1][3] == "- inner\n     more\n\n     * deep"


def test_the_depth_of_a_list_starts_anew_behind_another():
    assert [level for _, level, *_ in seen("- a\n  - b\n\n---\n\n- c\n", "list")] == [1, 2, 1]


def test_blank_lines_belong_to_no_block():
    text = "- a\n   \n\n\n- b\n \n \nc\n\n\n"
    assert seen(text, "list", "list_item") == [
        ("list", 1, "bullet", "- a\n   \n\n\n- b"),
        ("list_item", 1, "", "- a"),
        ("list_item", 1, "", "- b"),
    ]


def test_quotes_nest_and_hold_blocks():
    assert seen("> a\n> > b\n> lazy\n\n> c\n", "quote") == [
        ("quote", 1, "", "> a\n> > b\n> lazy"),
        ("quote", 2, "", "> b\n> lazy"),
        ("quote", 1, "", "> c"),
    ]
    assert kinds("> # h\n>\n> - i\n") == ["quote", "heading", "list", "list_item"]


def test_lists_in_quotes_end_before_the_markers_of_blank_lines():
    text = "> 1. one\n>\n>    ***\n>\n>\n> after <b>\n"
    assert [cut for *_, cut in seen(text, "list", "list_item")] == ["1. one\n>\n>    ***"] * 2
    assert seen("> - see <b>\n", "list")[0][3] == "- see <b>"


def test_fifty_quotes_inside_each_other():
    levels = [level for _, level, *_ in seen("> " * 50 + "deep\n", "quote")]
    assert levels == list(range(1, 51))


def rows(text):
    return [(title, cut) for _, _, title, cut in seen(text, "table_row")]


PIPED = "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 | 4 |"
BARE = "a | b\n--- | :-:\n1 | 2\n3 | 4"
TABBED = "| a | b |\n|---\t|\t---|\t\n| 1 | 2 |\n| 3 | 4 |"
ONE_CELL = "| a |\n:--\n| 1 |\n| 3 |"


@pytest.mark.parametrize("table", [PIPED, BARE, TABBED, ONE_CELL])
@pytest.mark.parametrize("before", ["", "Caption:\n\n", "Caption:\n", "One line,\nthen *two*:\n"])
@pytest.mark.parametrize("after", ["", "\n\nAfter.\n", "\n# After\n"])
def test_tables_with_and_without_outer_pipes_wherever_they_stand(table, before, after):
    lines = table.split("\n")
    text = before + table + after
    assert [cut for *_, cut in seen(text, "table")] == [table]
    assert rows(text) == [("header", "\n".join(lines[:2])), ("", lines[2]), ("", lines[3])]
    assert [cut for *_, cut in seen(text, "paragraph")] == [
        part.strip() for part in (before, after) if part.strip() and "#" not in part
    ]


@pytest.mark.parametrize(
    ("header", "body"),
    [
        ("| Region | 2024 |\n|        | kEUR |\n|--------|------|", "| R1 | 10 |"),
        ("| All |\n| x | y | z |\n| a | b | c |\n|---|---|---|", "| 1 | 2 | 3 |"),
        ("Region | 2024\nname | kEUR\n--- | ---", "R1 | 10"),
    ],
)
@pytest.mark.parametrize("before", ["", "Sales:\n\n", "Sales, in thousands:\n"])
def test_the_header_is_everything_up_to_the_delimiter_row(header, body, before):
    text = f"{before}{header}\n{body}\n"
    assert rows(text) == [("header", header), ("", body)]
    assert [cut for *_, cut in seen(text, "table")] == [f"{header}\n{body}"]
    assert [cut for *_, cut in seen(text, "paragraph")] == [before.strip()][: len(before)]


def test_nothing_is_left_of_a_paragraph_that_was_all_header():
    assert kinds("| a | b |\n| c | d |\n|---|---|\n\n \n") == ["table", "table_row"]


def test_header_rows_are_found_in_quotes_and_loose_items():
    table = "| a | b |\n| c | d |\n|---|---|\n| 1 | 2 |"
    for first, rest in (("> ", "> "), ("- x\n\n  ", "  ")):
        text = first + table.replace("\n", "\n" + rest)
        assert [title for title, _ in rows(text)] == ["header", ""]
        assert rows(text)[0][1].count("\n") == 2


@pytest.mark.parametrize(
    "text",
    [
        "a | b\nc | d\n",
        "choose a | b\nor not\n--- no rule\n",
        "choose a | b\nor not\n:--\n",
        "one\ntwo | three\n-|-|-\n",
        "x\na \\| b\n--|--\n",
        "| a | b |\n|---|---|---|\n",
        "    | a | b |\n    |---|---|\n",
        "> a | b\n--|--\n1 | 2\n",
    ],
)
def test_pipes_without_a_fitting_delimiter_row_make_no_table(text):
    assert "table" not in kinds(text)


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("| x | y |\n\n| a | b |\n|---|---|\n", "| a | b |\n|---|---|"),
        ("Pick x | y | z\na | b\n--|--\n1 | 2\n", "a | b\n--|--"),
        ("Pick x\n| a |\n|---|\n", "| a |\n|---|"),
        ("- a | b\n  c | d\n  --|--\n\n  more\n", "a | b\n  c | d\n  --|--"),
        ("- a | b\n  --|--\t\n\n  more\n", "a | b\n  --|--\t"),
    ],
)
def test_the_header_takes_no_more_than_header_rows(text, header):
    assert [title for title in rows(text) if title[0]] == [("header", header)]


def test_rows_begin_no_earlier_than_their_paragraph():
    assert header_top("- a | b\n  c | d\n  --|--", 2, 10, 15) == 2
    assert rows("- a | b\n  --|--\t\n  1 | 2") == [
        ("header", "a | b\n  --|--\t"),
        ("", "1 | 2"),
    ]


def test_indented_code_above_a_table_is_no_header():
    assert kinds("    | x | y |\n| a | b |\n|---|---|\n") == ["code", "table", "table_row"]


def test_escaped_pipes_do_not_part_cells():
    assert rows("x\na \\| b | c\n--|--\n1 | 2\n") == [
        ("header", "a \\| b | c\n--|--"),
        ("", "1 | 2"),
    ]


@pytest.mark.parametrize(
    ("front", "title"),
    [
        ("---\ntitle: Pump manual\nowner: ops\n---", "Pump manual"),
        ("---\ntitle: 'It: \"runs\"'  # was other\n---", 'It: "runs"'),
        ("---\nowner: ops\n\ntags:\n- a\n...", None),
        ("---\n---", None),
        ("---  \ntitle: >\n  folded\n---", None),
        ('+++\ntitle = "Pumpe für Öl"\n[params]\na = 1\n+++', "Pumpe für Öl"),
    ],
)
@pytest.mark.parametrize("rest", ["", "\n", "\n\nText.\n", "\n\nText – mit Strich.\n"])
def test_front_matter_is_a_block_and_may_give_the_title(front, title, rest):
    document = parse(front + rest)
    assert (document.blocks[0].kind, document.blocks[0].span.end) == ("front_matter", len(front))
    assert document.metadata.get("title") == title
    assert [document.text[b.span.start : b.span.end] for b in document.blocks[1:]] == (
        [rest.strip()] if rest.strip() else []
    )


@pytest.mark.parametrize(
    "text",
    [
        "---\nOnly a line between rules.\n---\n",
        "---\n\ntitle: behind a blank line\n\n---\n",
        "---\ntitle: never closed\n",
        "Text.\n\n---\ntitle: x\n---\n",
        "\n---\ntitle: x\n---\n",
        "----\ntitle: x\n----\n",
        "+++\nnothing here\n+++\n",
    ],
)
def test_what_only_looks_like_front_matter_is_none(text):
    assert "front_matter" not in kinds(text)


def test_the_title_is_the_front_matter_s_or_the_first_level_one_heading():
    assert parse("## a\n\n# B\n\n# C\n").metadata["title"] == "B"
    assert parse("> # quoted\n\n- # item\n\nReal\n===\n").metadata["title"] == "Real"
    assert parse("---\ntitle: F\n---\n# H\n").metadata["title"] == "F"
    assert "title" not in parse("## a\n").metadata


def test_html_rules_and_footnotes():
    text = (
        "<div>\n*x*\n</div>\n\n***\n\nSee[^1].\n\n[^1]: A note\n    over lines.\n\n[^2]: http://x\n"
    )
    assert seen(text) == [
        ("html", 0, "", "<div>\n*x*\n</div>"),
        ("rule", 0, "", "***"),
        ("paragraph", 0, "", "See[^1]."),
        ("paragraph", 0, "", "[^1]: A note\n    over lines."),
        ("paragraph", 0, "", "[^2]: http://x"),
    ]


def test_spans_count_code_points():
    text = "# Grüße 👩‍👩‍👧\n\nÄ漢字 é\n\n- ß\n\n```\n→\n```\n"
    assert [cut for *_, cut in seen(text)] == [
        "# Grüße 👩‍👩‍👧", "Ä漢字 é", "- ß", "- ß", "```\n→\n```",
    ]  # fmt: skip


@pytest.mark.parametrize("length", [1, 2**17 - 2, 2**17 - 1, 2**17, 2**18 + 1])
def test_code_points_are_counted_across_windows(length):
    text = "é" * length + "\n\n# 漢\n"
    assert [cut for *_, cut in seen(text)] == ["é" * length, "# 漢"]
    assert [cut for *_, cut in seen("é" * length)] == ["é" * length]


def test_form_feeds_are_page_breaks():
    assert parse("One.\n\fTwo.\n\fThree.").metadata["pages"] == (0, 6, 12)
    assert "pages" not in parse("One.\n").metadata


@pytest.mark.parametrize("text", ["", "\n", "\n" * 100_000, " " * 100_000, " \t\n \n"])
def test_blank_text_has_no_blocks(text):
    assert parse(text).blocks == ()
    assert parse(text).text == text


def test_the_text_stays_as_it_was_but_for_line_ends():
    document = parse("a\r\n\r\n# b\rc")
    assert document.text == "a\n\n# b\nc"
    assert [block.kind for block in document.blocks] == ["paragraph", "heading", "paragraph"]


REFERENCE = MarkdownIt("commonmark").enable("table")
NAMES = {
    "heading_open": "heading", "paragraph_open": "paragraph", "bullet_list_open": "list",
    "ordered_list_open": "list", "list_item_open": "list_item", "fence": "code",
    "code_block": "code", "table_open": "table", "blockquote_open": "quote",
    "html_block": "html", "hr": "rule",
}  # fmt: skip


def without_regions(document):
    """The blocks as CommonMark has them: no regions, none of code, no paragraphs they have cut."""
    last = None
    inside_code = "definition", "signature", "statement", "string"
    for block in document.blocks:
        if block.kind in ("qa_pair", "turn", "clause", *inside_code):
            continue
        if last and block.kind == last.kind == "paragraph":
            between = document.text[last.span.end : block.span.start]
            if between.count("\n") < 2 and not between.strip():
                last = block
                continue
        last = block
        yield block


LISTS = ("list", "list_item", "paragraph")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
@pytest.mark.parametrize("folder", ["chroma", "techdocs", "tatqa", "qmsum", "cuad"])
def test_another_parser_sees_the_same_blocks_in_real_documents(folder):
    paths = sorted((SHARED / "data" / folder / "docs").iterdir())
    assert paths
    for path in paths:
        document = parse(path.read_text(encoding="utf-8"))
        ours = [
            (block.kind, document.text.count("\n", 0, block.span.start))
            for block in without_regions(document)
            if block.kind != "table_row"
        ]
        theirs = [
            (NAMES[token.type], token.map[0])
            for token in REFERENCE.parse(document.text)
            if token.type in NAMES and not token.hidden
        ]
        if any(block.kind == "clause" for block in document.blocks):
            # The numbered lists of a contract are clauses, their paragraphs part of these.
            ours, theirs = ([one for one in own if one[0] not in LISTS] for own in (ours, theirs))
        assert ours == theirs, path.name


CASES = {
    "unclosed_fence_drops_rest": ["heading", "paragraph", "code"],
    "fence_four_backticks": ["heading", "code", "heading", "paragraph"],
    "tilde_fence": ["heading", "code", "heading", "paragraph"],
    "fence_in_list": "list list_item paragraph code list_item paragraph heading paragraph".split(),
    "fence_indent_lost": ["heading", "code", "paragraph"],
    "setext_headings": ["heading", "paragraph"] * 3,
    "indented_hash_not_heading": "heading code paragraph paragraph heading paragraph".split(),
    "heading_jump_and_path": ["heading", *["heading", "paragraph"] * 3],
    "table_no_outer_pipes": ["paragraph", "table", *["table_row"] * 6, "paragraph"],
    "table_inside_code_fence": ["paragraph", "code", "paragraph", "table", *["table_row"] * 2],
    "table_multi_header": ["table", *["table_row"] * 9],
    "crlf_document": "heading paragraph paragraph heading paragraph".split(),
    "whitespace_only": [],
}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
@pytest.mark.parametrize("case", CASES)
def test_the_collected_cases_have_the_right_blocks(case):
    with (SHARED / "cases" / f"{case}.txt").open(encoding="utf-8", newline="") as file:
        assert kinds(file.read()) == CASES[case]
