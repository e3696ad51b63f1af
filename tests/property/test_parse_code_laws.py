"""What holds for the blocks of any source code, whole, broken or none at all."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from seamline.parse import code_walk
from seamline.parse.code import CodeParser, code_blocks
from seamline.parse.code_grammars import GRAMMARS
from seamline.parse.code_points import code_points, line_starts
from seamline.parse.fences import with_code
from seamline.types import Block, Span

PIECES = """
def f():|class A:|class A {|function f() {|fn a() {|impl A for B {|func (t *T) D() {|struct a {|type A struct {|
namespace n {|template <class T>|export default |const f = () => {|@dec|@dec({ a() {} })|#[attr]|# c|// c|-- c|/* c|*/|
if x:|if (x) {|return 1|x = 1;|};|}|{|(|)|[|]|end|do|begin|private |<<~EOS|<<EOS|EOS|$$|CREATE TABLE a (|
CREATE FUNCTION f() AS |;|,|:|"|'|`|\"\"\"|'''|#define A(x) \\|#ifdef A|#endif|extern "C" {|typedef |enum E {|
<?php|?>|=>|=|module M|interface I {|public |static |async |lambda: |pass
""".replace("\n", "").split("|")
PIECES += [
    "\n",
    "\n\n",
    "\n    ",
    "\n\t",
    "    ",
    "\t",
    " ",
    "\f",
    "\0",
    "é",
    "漢字",
    "👩‍👩‍👧",
    "\u2028",
]

languages = st.sampled_from([grammar.name for grammar in GRAMMARS])
any_code = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map("".join)
BLANK = " \t\n\r\f\v"


def parse(language, text):
    return CodeParser(language).parse(text, "a")


def check(document):
    """The blocks lie in the text, nested or disjoint, parents first, and cover what is not blank."""
    text, parents, last, covered = document.text, [], (-1, 0), 0
    for block in document.blocks:
        start, end = block.span.start, block.span.end
        assert 0 <= start < end <= len(text)
        assert last <= (start, -end)
        last = (start, -end)
        while parents and parents[-1].span.end <= start:
            parents.pop()
        assert not parents or end <= parents[-1].span.end
        assert text[start:end].strip(BLANK)
        assert text[end - 1] not in BLANK
        check_place(block, parents)
        if not parents:
            assert not text[covered:start].strip(BLANK)
            covered = end
        parents.append(block)
    assert not text[covered:].strip(BLANK)
    check_signatures(document.blocks)


def check_place(block, parents):
    kinds = [parent.kind for parent in parents]
    assert "string" not in kinds
    if block.kind == "definition":
        assert kinds == ["definition"] * (block.level - 1)
        assert block.title
    if block.kind in ("statement", "signature"):
        assert not kinds or kinds[-1] == "definition"


def check_signatures(blocks):
    for at, block in enumerate(blocks):
        if block.kind == "definition":
            assert blocks[at + 1].kind == "signature"
            assert blocks[at + 1].span.start == block.span.start


@example("rust", 'fn a(x"{\n\n}')
@example("python", "def a():\n    x\n    # c\ndef b(): pass")
@example("ruby", "d = <<~ef\n z\n\ndef b\nend")
@settings(max_examples=300)
@given(languages, any_code)
def test_blocks_of_any_code_are_nested_or_disjoint_and_cover_it(language, text):
    check(parse(language, text))


@pytest.mark.parametrize("language", [grammar.name for grammar in GRAMMARS])
@pytest.mark.parametrize("end", ["\U000d358a", "\U0001f600", "\U0010ffff", "\u4e00", "\xe4"])
def test_characters_beyond_ascii_crash_no_grammar(language, end):
    for begin in (
        "EOS{",
        "<<",
        "${",
        "$",
        "#",
        "(",
        "'",
        "@",
        "x=",
        "",
        "EOS module Mimpl A for B {",
    ):
        check(parse(language, f"{begin}{end}{end}x = 1;{begin}\n{end}\n"))


@pytest.mark.parametrize("language", [grammar.name for grammar in GRAMMARS])
@settings(max_examples=25)
@given(text=any_code)
def test_each_language_takes_any_code(language, text):
    check(parse(language, text))


@given(languages, any_code)
def test_line_ends_change_nothing(language, text):
    document = parse(language, text)
    assert parse(language, document.text.replace("\n", "\r\n")) == document


@given(any_code)
def test_bytes_and_text_give_the_same_document(text):
    text = text.replace("\0", "").removeprefix("\ufeff")
    assert parse("python", text.encode()) == parse("python", text)


@given(languages, any_code)
def test_a_piece_of_code_has_the_blocks_of_a_file(language, text):
    document = parse(language, text)
    if language != "php":  # where a piece may leave out the opening tag
        assert code_blocks(document.text, language) == document.blocks


LINES = [
    *("x = 'a'", "x = 'it''s'", 'x = f"{a}"', "y = f\"{d['k']} {", '    }"', "defer = classes"),
    *(
        "y = '''",
        "'''",
        'z = """doc',
        '"""',
        "# it's",
        "# def a",
        "def g():",
        "class B:",
        "    pass",
    ),
    *(
        "x = 'a\\",
        "b'",
        "x = \\",
        "f(",
        '    "def f",',
        ")",
        "return {",
        "}",
        "@dec",
        "async def h(a='",
    ),
    *("x = rb'\\\\'", "def\\tk(): return 1", "class\\"),
]


@given(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(["", "\n"]))
def test_functions_passed_over_hold_nothing(lines, gap):
    body = "".join(f"    {line}\n{gap}" for line in lines)
    text = f"def f(a):\n{body}\ndef last(): pass\n"
    found = []
    for passes_over in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(code_walk, "COMPILED", passes_over)
            found.append(parse("python", text))
    assert found[0] == found[1]


@given(
    languages, any_code, st.sampled_from(["", "  ", "    - "]), st.sampled_from(["```", "~~~~~"])
)
def test_blocks_of_any_fence_are_nested_or_disjoint_and_inside_it(language, code, margin, fence):
    lines = f"{code}\n{'x = 1;' * 70}".replace("`", "").replace("~", "").split("\n")
    blank = " " * len(margin)
    text = "\n".join(
        [f"{margin}{fence}{language}", *(blank + line for line in lines), blank + fence]
    )
    text = text.replace("\r", "\n") + "\n\nEnd."
    start, end = len(margin), len(text) - 6
    found = with_code(
        text,
        [Block("code", Span(start, end), 0, language), Block("paragraph", Span(end + 2, end + 6))],
    )
    assert [block.kind for block in found if block.span.start > end] == ["paragraph"]
    kinds = [block.kind for block in found]
    assert kinds[0] == "code"
    assert len(kinds) > 2
    open_ends, last = [], (-1, 0)
    for block in found:
        assert last <= (block.span.start, -block.span.end)
        last = (block.span.start, -block.span.end)
        while open_ends and open_ends[-1] <= block.span.start:
            open_ends.pop()
        assert not open_ends or block.span.end <= open_ends[-1]
        assert text[block.span.start : block.span.end].strip(BLANK)
        open_ends.append(block.span.end)
    assert found[1].span.start == start
    assert max(block.span.end for block in found[1:-1]) == end


@given(st.text(), st.data())
def test_code_points_are_counted_as_python_does(text, data):
    data_bytes = text.encode()
    points = data.draw(st.lists(st.integers(0, len(text)), max_size=9))
    offsets = [len(text[:point].encode()) for point in points]
    assert code_points(data_bytes, offsets) == points


@given(st.text(st.sampled_from("aé漢👩\n")))
def test_lines_start_where_text_follows_a_line_feed(text):
    expected = [0] + [at + 1 for at, c in enumerate(text[:-1]) if c == "\n"]
    assert line_starts(text.encode()) == expected


def test_code_points_beyond_one_window():
    text = "é" * 300_000 + "a\n" + "漢" * 100_000
    points = [0, 131_072, 131_073, 300_000, 300_001, 300_002, len(text)]
    assert code_points(text.encode(), [len(text[:p].encode()) for p in points]) == points
    assert line_starts(text.encode()) == [0, 300_002]
