"""What CommonMark, GFM and the common sense of hostile files ask of Markdown's blocks."""

import time

import pytest

from seamline.parse.blocks import collect_blocks


def seen(text, *kinds):
    blocks = collect_blocks(text).blocks
    rows = zip(blocks.kinds, blocks.starts, blocks.ends, strict=True)
    return [(kind, text[start:end]) for kind, start, end in rows if not kinds or kind in kinds]


def title(text):
    (found,) = [block.title for block in collect_blocks(text).blocks if block.kind == "heading"]
    return found


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("*a* **b** ***c*** _d_ __e__", "a b c d e"),
        ("a*b*c snake_case_name 2 * 3", "abc snake_case_name 2 * 3"),
        ("**a*b**c*", "a*bc*"),
        ("*a `*` b*", "a * b"),
        ("``a`b`` `c", "a`b `c"),
        ("`a\\`b", "a\\b"),
        ("a` b `c a`  b`c", "abc a bc"),
        ("~~a~~ ~b~ ~~~c~~~ d~~", "a b ~~~c~~~ d~~"),
        ("\\*a\\* \\a &amp; &#35; &#x23; &#0; &nosuch; &amp", "*a* \\a & # # \ufffd &nosuch; &amp"),
        ("[a](u) [b](<u v> 't') [c]( u \"t\" ) [d](u(v)w)", "a b c d"),
        ("[a](u v) [b](u", "[a](u v) [b](u"),
        ("![a](u) ![b *c* [d](e)](f)", "a b c d"),
        ("[a [b](c)](d)", "[a b](d)"),
        ("[a][X] [x][] [x] [y] [x][y]", "a x x [y] [x][y]"),
        ("[Y  Z] [\\]]", "Y Z [\\]]".replace("\\", "")),
        ("a[^1] b[^2] ![^1]", "a b[^2] !"),
        ("<b>a</b> <br/> <x y='z' w> <!-- c --> <?d?> <!E> <![CDATA[f]]>", "a"),
        ("<http://a.b> <c@d.ef> a<b <1> <!-- x", "http://a.b c@d.ef a<b <1> <!-- x"),
        ("a\\", "a\\"),
    ],
)
def test_titles_are_what_is_read(raw, read):
    assert title(f"# {raw}\n\n[x]: u\n[y z]: u\n\n[^1]: n\n") == read


def test_titles_of_several_lines_are_one_line():
    assert title("> a *b\n>   c*\\\n> d\n> ===\n") == "a b c d"
    assert title("- a `b\n  c`\n  ---\n") == "a b c"


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        ("[a]: b\n[c]:\n<d e>\n'two\nlines'\n", []),
        ("[a]: b 'c\n\nd'\n", ["[a]: b 'c", "d'"]),
        ("[a]: b 'c' d\n", ["[a]: b 'c' d"]),
        ("[a]: b\n'c' d\n", ["'c' d"]),
        ("[a]: (b\n", ["[a]: (b"]),
        ("[a]:\n", ["[a]:"]),
        ("[ ]: b\n", ["[ ]: b"]),
        ("[a[b]: c\n", ["[a[b]: c"]),
        ("text\n[a]: b\n", ["text\n[a]: b"]),
        ("> [a]: b\nc\n", ["c"]),
        ("[a]: b\n===\nc\n", ["===\nc"]),
        ("[^a]: b\n\n    c\n\nd\n", ["[^a]: b", "c", "d"]),
        ("[^a]: b\n[^c]: d\n", ["[^a]: b", "[^c]: d"]),
        ("[^a]:\n    b\n", ["[^a]:\n    b"]),
    ],
)
def test_link_definitions_are_in_no_paragraph(text, paragraphs):
    assert [cut for _, cut in seen(text, "paragraph")] == paragraphs


def test_a_list_ends_before_link_definitions():
    assert seen("- a\n\n[b]: c\n", "list") == [("list", "- a")]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("<div>\nx\n\ny\n", ["html", "paragraph"]),
        ("<SCRIPT>\n\nx\n</scRipt>\ny\n", ["html", "paragraph"]),
        ("<!-- a\n\nb --> c\nd\n", ["html", "paragraph"]),
        ("a\n<b>\n", ["paragraph"]),
        ("<b c='d'>\ne\n", ["html"]),
        ("<b c='d'> e\n", ["paragraph"]),
        ("</b >\ne\n", ["html"]),
        ("~~~\na\n~~~\t\nb\n", ["code", "paragraph"]),
        ("```\na\n    ```\n", ["code"]),
        ("``` a`b\n", ["paragraph"]),
        ("+ + +\n", ["list", "list_item"] * 3),
        ("- - -\n", ["rule"]),
        ("a\n2. b\n", ["paragraph"]),
        ("> a\n2. b\n", ["quote", "paragraph", "list", "list_item"]),
        ("-\n\n  a\n", ["list", "list_item", "paragraph"]),
        ("- a\n  > b\n  >\n- c\n", ["list", "list_item", "quote", "paragraph", "list_item"]),
        ("- a\n\n  b\n", ["list", "list_item", "paragraph", "paragraph"]),
        ("- a\n- | b |\n  |---|\n", ["list", "list_item", "list_item", "table", "table_row"]),
        ("| a |\n---\n", ["heading"]),
        ("a|b\n-|-\nc\n|\n", ["table", "table_row", "table_row", "paragraph"]),
        ("\f\n\na\n", ["paragraph"]),
        ("\t\f\n", []),
    ],
)
def test_blocks_are_those_of_the_specifications(text, kinds):
    assert [kind for kind, _ in seen(text)] == kinds


def test_blocks_begin_where_they_are_asked_for():
    found = collect_blocks("# Not this\n# This", 11)
    assert (found.title, found.blocks.starts, found.blocks.ends) == ("This", [11], [17])


HOSTILE = {
    "quotes in quotes": lambda n: ">" * n + "x\n" + "\n" * n,
    "lists in lists": lambda n: "- " * n + "x\n" + "\n" * n,
    "lazy lines in lists": lambda n: "- " * n + "x\n" + "y\n" * n,
    "lists in quotes": lambda n: "- > " * n + "x\n" + "\n" * n,
    "dashes that are no rule": lambda n: "- - " * n + "x",
    "blanks": lambda n: " " * n + "\n" + "\t" * n + "x",
    "definitions": lambda n: "[a]: b 'c\n" * n,
    "brackets of definitions": lambda n: "[" * n + "\n[a]: " + "(" * n,
    "delimiter rows": lambda n: "|a\n:-\n" * n + "|" * n + "\n" + "|-" * n,
    "header rows": lambda n: "|a|b|\n" * n + "|-|-|\n",
    "tags": lambda n: "<a b='\n" * n + "<a " + "b=c " * n,
    "title of brackets": lambda n: "# " + "[a" * n + "]" * n,
    "title of links": lambda n: "# " + "[x](" * n + "![[]()" * n,
    "title of emphasis": lambda n: "# " + "*_" * n + "*a_ " * n + "~~a ~" * n,
    "title of comments": lambda n: "# " + "<!--" * n + "<?" * n + '<a b="' * n,
    "title of backquotes": lambda n: "# " + " ".join("`" * i for i in range(int(n**0.5))),
    "titles with links": lambda n: "# [a][b]\n" * n + "[b]: c\n\n" * n,
}


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_text_takes_linear_time(shape):
    def seconds(n):
        text = HOSTILE[shape](n)
        start = time.process_time()
        collect_blocks(text)
        return time.process_time() - start

    # Eight times the text would take 64 times as long were it quadratic.
    assert min(seconds(8_000) for _ in range(3)) < 25 * max(seconds(1_000), 0.002)
