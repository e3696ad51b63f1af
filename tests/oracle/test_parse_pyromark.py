"""pyromark (pulldown-cmark) reads CommonMark and GFM's tables, so its blocks must be ours.

Left out is where it departs from the specifications: tabs behind the marker of a
quote, form feeds, empty footnotes, indented or odd delimiter rows, and the end of
a list before link definitions.
"""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.parse.blocks import collect_blocks

pyromark = pytest.importorskip("pyromark", reason="pyromark is a development dependency")

ROOT = Path(__file__).parents[2]
OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_STRIKETHROUGH
)
KINDS = {
    "Paragraph": "paragraph",
    "Heading": "heading",
    "List": "list",
    "Item": "list_item",
    "BlockQuote": "quote",
    "CodeBlock": "code",
    "HtmlBlock": "html",
    "TableRow": "table_row",
}
# Of the others the end depends on how blank lines at the end are counted.
ENDED = ("paragraph", "heading", "rule", "table_row")

pieces = st.sampled_from(
    [
        *("# ", "## ", "- ", "* ", "+ ", "1. ", "10) ", "2. ", "> ", ">", "```", "````", "~~~"),
        *(
            "---",
            "===",
            "***",
            "- - -",
            "_",
            "    ",
            "   ",
            "  ",
            " ",
            "\n",
            "\n",
            "\n\n",
            "\n\n\n",
        ),
        *("[a]: b", "[a]:", "<b> 't'", '"tit', 'le"', "[a]", "word", "é漢", "👩", "\xa0", "\0"),
        *(
            "<div>",
            "</div>",
            "<pre>",
            "</pre>",
            "<!--",
            "-->",
            "<?",
            "?>",
            "<!A",
            "<![CDATA[",
            "]]>",
        ),
        *('<a href="x">', "</b>", "<br/>", "`", "*", "**", "_", "&amp;", "\\", "[a](u)", "![b][a]"),
    ]
)
texts = st.lists(pieces, max_size=40).map("".join)
cells = st.lists(st.sampled_from(["a", "b c", "\\|", "`x`", "é"]), min_size=1, max_size=3)
tables = st.lists(cells, min_size=2, max_size=5).map(
    lambda rows: "\n".join(
        "|" + "|".join(row) + "|" for row in [rows[0], ["-"] * len(rows[0]), *rows[1:]]
    )
)


def told(text):
    """(kind, start, end, level, title) of the blocks, as its events tell them."""
    data, rows, title = text.encode(), [], None
    for event, where in pyromark.events_with_range(text, options=OPTIONS):
        tag = event.get("Start") if isinstance(event, dict) else None
        kind = KINDS.get(tag if isinstance(tag, str) else next(iter(tag or [""])))
        if kind or event == "Rule":
            rows.append(row(data, kind or "rule", tag, where["start"], where["end"]))
        if kind == "heading":
            title = []
        elif title is not None and "End" in event and "Heading" in event["End"]:
            rows[-1][4] = " ".join("".join(title).split())
            title = None
        elif title is not None:
            title.append(
                event.get("Text", event.get("Code", "")) if isinstance(event, dict) else " "
            )
    return rows


def row(data, kind, tag, start, end):
    content = data[start:end]
    start += len(content) - len(content.lstrip(b" \n"))
    end = start + len(content.strip(b" \n"))
    end = data.find(b"\n", end) if b"\n" in data[end:] else len(data)
    level = int(tag["Heading"]["level"][1:]) if kind == "heading" else 0
    end = len(data[:end].decode()) if kind in ENDED else 0
    return [kind, len(data[:start].decode()), end, level, ""]


def ours(text):
    blocks = collect_blocks(text).blocks
    rows = zip(blocks.kinds, blocks.starts, blocks.ends, blocks.levels, blocks.titles, strict=True)
    return [
        [
            kind,
            start + len(text[start:end]) - len(text[start:end].lstrip(" \n")),
            end if kind in ENDED else 0,
            level if kind == "heading" else 0,
            title if kind == "heading" else "",
        ]
        for kind, start, end, level, title in rows
        if kind != "table" and title != "header"
    ]


@given(texts)
def test_blocks_are_those_of_pyromark(text):
    assert ours(text) == told(text)


@given(st.lists(tables | texts, max_size=3).map("\n\n".join))
def test_rows_of_tables_are_those_of_pyromark(text):
    assert ours(text) == told(text)


@pytest.mark.parametrize(
    "file", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]),
    ids=lambda file: str(file.relative_to(ROOT)),
)  # fmt: skip
def test_real_documents_have_the_blocks_that_pyromark_tells(file):
    text = file.read_text("utf-8")
    assert ours(text) == told(text)
