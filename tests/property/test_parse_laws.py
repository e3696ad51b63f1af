"""What holds for the blocks of any text, and for those of a text made from known blocks."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from seamline.parse import parse_bytes, parse_text
from seamline.types import Block, Document, Span

PIECES = """
# |## |###### |- |* |+ |1. |10) |> |>|```|````|~~~|---|===|***|+++|- [ ] |$$|[^1]: |[^1]|[a]: b
""".strip().split("|")
PIECES += [
    "    ",
    "\t",
    " ",
    "\n",
    "\n\n",
    "\n\n\n",
    "\r\n",
    "\r",
    "|",
    "| a | b |\n",
    "|---|---|\n",
]
PIECES += ["a|b\n-|-\n", "<div>", "</div>", "<!--", "-->", "[", "](u)", "![", "`", "**", "_", "~~"]
PIECES += ["\\", "&amp;", "&#0;", "\0", "\f", "\v", "\xa0", "\u2028", "\ufeff", "title: x", "word "]
PIECES += ["é", "漢字", "👩‍👩‍👧", "e\u0301", "\u200d", "🇨🇭"]

any_text = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=40).map("".join)

# What structure in plain text is made of; many in one text, so that they meet.
LEGAL = "The parties hereto agree that this agreement shall bind, pursuant hereto, the licensee "
MARKS = (
    """
1. |2. |3. |1.1 |1.2 |2.1 |(a) |(b) |(c) |(i) |(ii) |a) |A. |B. |I. |Step 1: |Step 2: |Section 1. |
Section 2 |ARTICLE IV|CHAPTER 2|- |* |> |Q: |Q2. |A: |Frage: |问：|**Who?**|## Why?|How is it done?|
Ann: |Bob: |**Ann:** |[00:01] Bob: |<eve> |===|-----|$$|\\[|\\]|\\begin{equation}|\\end{equation}|
```math|```|a | b|a\tb|x  y|INTRODUCTION|Getting Started|def f(x):|return x;|IN WITNESS WHEREOF
""".strip()
    .replace("\n", "")
    .split("|")
)
marks = st.sampled_from(MARKS)
fillers = st.sampled_from(
    [
        "\n",
        "\n\n",
        "\n  ",
        "\n\n    ",
        "Oil it daily, and look at the seals. ",
        "word ",
        "? ",
        ". ",
        LEGAL,
    ]
)
plain_text = st.lists(marks | fillers | st.sampled_from(PIECES), max_size=60).map("".join)
plain_text |= st.lists(st.tuples(marks, fillers), max_size=40).map(
    lambda pairs: LEGAL * 3 + "".join(f"\n\n{mark}{filler}" for mark, filler in pairs)
)


def parse(text):
    return parse_text(text, "a.md", media_type="text/markdown")


def check(document):
    """The blocks lie in the text, nested or disjoint, parents first, and are not blank."""
    text, open_blocks, last = document.text, [], (-1, 0)
    for block in document.blocks:
        start, end = block.span.start, block.span.end
        assert 0 <= start < end <= len(text)
        assert last <= (start, -end)
        last = (start, -end)
        while open_blocks and open_blocks[-1].span.end <= start:
            open_blocks.pop()
        assert not open_blocks or end <= open_blocks[-1].span.end
        check_edges(block, text[start:end])
        check_parent(block, open_blocks[-1] if open_blocks else None)
        open_blocks.append(block)


def check_edges(block, cut):
    assert cut[-1] != "\n"
    assert cut.strip(" \t\n")
    assert cut.rsplit("\n", 1)[-1].strip(" \t")
    if block.kind != "code":
        assert cut[0] not in " \t\n"


def check_parent(block, parent):
    kind = parent.kind if parent else None
    if block.kind == "table_row":
        assert kind == "table"
    if block.kind == "heading":
        assert 1 <= block.level <= 6
    if block.kind in ("list", "list_item", "quote"):
        assert block.level >= 1
    assert kind in (None, "list", "list_item", "quote", "table", "qa_pair", "turn", "clause")
    if kind in ("qa_pair", "turn") and parent.span.start == block.span.start:
        assert block.kind not in ("qa_pair", "turn", "clause")


# Found by chance: tabs after list markers, where the parser's own ranges cross.
@example("+ 1. \n+ 10) \n\t10) <!---->x")
@example("* > a>10) b\n\t10) \n\n]")
@example("- 1. |---|---|\n\n\t- ")
@example("x\n1. >\t- <div>")
@example("- >>\t- `===")
@example(">[^1]: \na")
@given(any_text)
def test_blocks_of_any_text_are_nested_or_disjoint(text):
    check(parse(text))


@given(st.text())
def test_any_characters_at_all_can_be_parsed(text):
    check(parse(text))
    check(parse_text(text))


@given(any_text)
def test_line_ends_change_nothing(text):
    document = parse(text)
    assert parse(document.text) == document
    assert parse(document.text.replace("\n", "\r\n")) == document


@given(any_text.filter(lambda text: "\0" not in text))  # every second byte NUL means UTF-16
def test_bytes_and_text_give_the_same_document(text):
    document = parse(text.removeprefix("\ufeff"))
    from_bytes = parse_bytes(text.encode(), "a.md")
    assert (from_bytes.text, from_bytes.blocks) == (document.text, document.blocks)


@given(any_text | plain_text)
def test_blocks_of_plain_text_hold_all_of_it(text):
    document = parse_text(text)
    check(document)
    end, covered = 0, []
    for block in document.blocks:
        if block.span.start >= end:
            covered.append(document.text[block.span.start : block.span.end])
            end = block.span.end
        cut = document.text[block.span.start : block.span.end]
        assert block.kind != "paragraph" or all(line.strip() for line in cut.split("\n"))
    assert "".join("".join(covered).split()) == "".join(document.text.split())


@given(plain_text)
def test_regions_of_any_text_are_nested_or_disjoint(text):
    for media_type in ("text/plain", "text/markdown"):
        document = parse_text(text, media_type=media_type)
        check(document)
        assert document == parse_text(document.text, media_type=media_type)


# A text is made as lines, with what its blocks must come out as: kind, level, title, and
# the line and column where each begins and the line where it ends.

word = st.text(st.characters(categories=["L", "M", "N", "So"]), max_size=5).map("w{}".format)
words = st.lists(word, min_size=1, max_size=4).map(" ".join)


@st.composite
def headings(draw):
    level, title = draw(st.integers(1, 6)), draw(words)
    if level < 3 and draw(st.booleans()):
        return [title, "=-"[level - 1] * 3], [("heading", level, title, 0, 0, 1)]
    closing = draw(st.sampled_from(["", " #", " ###"]))
    return [f"{'#' * level} {title}{closing}"], [("heading", level, title, 0, 0, 0)]


@st.composite
def paragraphs(draw):
    lines = draw(st.lists(words, min_size=1, max_size=3))
    return lines, [("paragraph", 0, "", 0, 0, len(lines) - 1)]


@st.composite
def fences(draw):
    mark, n_marks = draw(st.sampled_from("`~")), draw(st.integers(3, 5))
    inside = st.sampled_from(
        ["", "# no heading", "- no item", "> no quote", "``", "    deep", "|-|"]
    )
    lines = draw(st.lists(inside | words, max_size=4))
    info = draw(st.just("") | words)
    fence = mark * n_marks
    return [fence + info, *lines, fence], [("code", 0, info, 0, 0, len(lines) + 1)]


@st.composite
def tables(draw):
    n_rows, n_headers = draw(st.integers(0, 3)), draw(st.integers(1, 2))
    n_cells, form = draw(st.integers(2, 3)), draw(st.sampled_from(["| {} |", "{}"]))
    cells = st.lists(word, min_size=n_cells, max_size=n_cells).map(" | ".join)
    lines = [form.format(draw(cells)) for _ in range(n_headers)]
    lines.append(form.format(" | ".join([draw(st.sampled_from(["---", ":-:", "--:"]))] * n_cells)))
    lines += [form.format(draw(cells)) for _ in range(n_rows)]
    last = len(lines) - 1
    rows = [("table_row", 0, "", line, 0, line) for line in range(n_headers + 1, last + 1)]
    header = ("table_row", 0, "header", 0, 0, n_headers)
    return lines, [("table", 0, "", 0, 0, last), header, *rows]


others = st.sampled_from(
    [
        (["***"], [("rule", 0, "", 0, 0, 0)]),
        (["<div>", "text", "</div>"], [("html", 0, "", 0, 0, 2)]),
    ]
)


def stack(parts):
    """The parts below each other, a blank line between them."""
    lines, blocks = [], []
    for part_lines, part_blocks in parts:
        shift = len(lines) + bool(lines)
        lines += [""] * bool(lines) + part_lines
        blocks += [(k, lv, t, a + shift, col, z + shift) for k, lv, t, a, col, z in part_blocks]
    return lines, blocks


def inside(part, first, rest, *parents):
    """The part behind prefixes, in `parents`; lists or quotes inside get one deeper."""
    lines, blocks = part
    prefixed = [f"{rest if n else first}{line}".rstrip() for n, line in enumerate(lines)]
    deeper = [
        (k, lv + (k in {kind for kind, *_ in parents}), t, a, col + len(first), z)
        for k, lv, t, a, col, z in blocks
    ]
    return prefixed, [(*parent, 0, 0, len(lines) - 1) for parent in parents] + deeper


@st.composite
def quotes(draw, children):
    return inside(draw(children), "> ", "> ", ("quote", 1, ""))


@st.composite
def lists(draw, children):
    title = draw(st.sampled_from(["ordered", "bullet"]))
    marker = "1. " if title == "ordered" else "- "
    # Two parts and a blank line in each item make the list loose: its paragraphs are blocks.
    parts = draw(st.lists(children, min_size=1, max_size=2))
    items = [inside(stack([draw(paragraphs()), part]), marker, " " * len(marker)) for part in parts]
    lines, blocks = stack(
        [(ls, [("list_item", 0, "", 0, 0, len(ls) - 1), *bs]) for ls, bs in items]
    )
    blocks = [(k, lv + (k in ("list", "list_item")), *place) for k, lv, *place in blocks]
    return lines, [("list", 1, title, 0, 0, len(lines) - 1), *blocks]


def stacks(children):
    """Parts in any order, no two lists in a row, as they would be one."""
    parts = st.lists(children, min_size=1, max_size=4)
    return parts.filter(
        lambda parts: (
            not any(one[1][0][0] == other[1][0][0] == "list" for one, other in pairwise(parts))
        )
    ).map(stack)


leaves = headings() | paragraphs() | fences() | tables() | others
trees = st.recursive(
    stacks(leaves),
    lambda children: stacks(leaves | quotes(children) | lists(children)),
    max_leaves=6,
)


def expected(lines, blocks):
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for kind, level, title, first, column, last in blocks:
        # Code begins with its indentation, unless a marker stands in its line.
        indented = kind == "code" and not lines[first][:column].strip()
        start = starts[first] + (0 if indented else column)
        yield Block(kind, Span(start, starts[last] + len(lines[last])), level, title)


@given(trees, st.sampled_from(["", "\n", "\n\n \n"]))
def test_a_text_made_of_blocks_is_parsed_into_them(tree, ending):
    lines, blocks = tree
    document = parse("\n".join(lines) + ending)
    assert list(document.blocks) == list(expected(lines, blocks)), document.text


@given(trees, st.data())
def test_a_text_cut_off_anywhere_can_be_parsed(tree, data):
    text = "\n".join(tree[0])
    check(parse(text[: data.draw(st.integers(0, len(text)))]))


def test_the_checks_can_fail():
    blocks = (Block("paragraph", Span(0, 3)), Block("paragraph", Span(2, 5)))
    try:
        check(Document("a", "abcdef", blocks))
    except AssertionError:
        return
    raise AssertionError("crossing blocks were let through")
