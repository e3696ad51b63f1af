"""What a reader of an HTML page sees, and the blocks around it."""

from pathlib import Path

import pytest

from seamline.errors import InvalidDocument
from seamline.parse import parse_bytes, parse_text
from seamline.parse.html import HtmlParser
from seamline.parse.limits import Limits

SHARED = Path(__file__).resolve().parents[2].parent / "shared"


def parse(text, **options):
    return HtmlParser(**options).parse(text, "a.html")


def cuts(document, *kinds):
    return [
        document.text[block.span.start : block.span.end]
        for block in document.blocks
        if block.kind in kinds
    ]


def outline(document):
    return [(block.kind, block.level, block.title) for block in document.blocks]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>One<p>two", "One\n\ntwo"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("  a \n\t b&nbsp;&nbsp;c ", "a b c"),
        ("<div>a<div>b</div>c</div>", "a\n\nb\n\nc"),
        ("<b>bo</b>ld <i>it</i>", "bold it"),
        ("<b><p>a</b>b</p>c", "ab\n\nc"),
        ("&lt;p&gt; &copy; &#x41; &amp;amp; &nosuch;", "<p> © A &amp; &nosuch;"),
        ("&#" + "9" * 5000 + ";", "\ufffd"),
        ("a < b and 1<2", "a < b and 1<2"),
        ("x <y <b>z</b>", "x <y z"),
        ("<a title='>'>a</a><a title=\">\">b</a>", "ab"),
        ('<a title="open>text</a> more', "text more"),
        ("cut <a hre", "cut"),
        ("<!-- a > b -->c<!---->d<!>e<?pi?>f<!DOCTYPE html>g", "cdefg"),
        ("<!-- open", ""),
        ("<script>if (a<b) '</p>'</script>a<style>p{}</style>b", "ab"),
        ("<script>open <p>a", ""),
        ("<SCRIPT>a</ScRiPt >b", "b"),
        ("a<![CDATA[<b>]]>c", "a<b>c"),
        ("10<sup>6</sup> m<sup>2</sup> 1<sup>st</sup> H<sub>2</sub>O", "10⁶ m² 1st H2O"),
        ("a <q>b</q>", "a “b”"),
        ("co\xadop&shy;er", "cooper"),
        ("a<img alt='a pump'>b<img src=x>", "aa pumpb"),
        ("</p></div></td>a", "a"),
        ("a\0b", "ab"),
        ("a\r\nb<pre>c\r\nd\re&#13;f</pre>", "a b\n\nc\nd\ne\nf"),
        ("", ""),
        ("<ruby>漢<rp>(</rp><rt>kan</rt></ruby>字", "漢字"),
    ],
)
def test_the_text_is_what_a_reader_sees(page, text):
    assert parse(page).text == text


@pytest.mark.parametrize(
    "page",
    [
        "<div hidden>x</div>a",
        "<p style='color:red; DISPLAY : none'>x</p>a",
        "<p style='visibility:hidden'>x<p>a",
        "<span aria-hidden=true>x</span>a",
        "<span class='a sr-only'>x</span>a",
        "<nav><ul><li>x</ul></nav>a",
        "<div role=navigation>x</div>a",
        "a<footer>x</footer>",
        "<template><p>x</template>a",
        "<svg><title>x</title><path/><text>x</text></svg>a",
        "<select><option>x</select>a",
        "<button>x</button>a",
        "<noscript>x</noscript>a",
        "<textarea>x</textarea>a",
        "<dialog>x</dialog>a",
        "<a class=headerlink>x</a>a",
        "<div hidden><div>x</div><p>x<script>x</script></div>a",
        "<img alt=x hidden>a",
        "<iframe><p>x</iframe>a",
    ],
)
def test_what_nobody_sees_is_left_out(page):
    assert parse(page).text == "a"


def test_what_a_control_opens_is_kept():
    page = "<h3><button aria-controls='a1'>Why?</button></h3><div id=a1 hidden>So.</div>"
    assert parse(page).text == "Why?\n\nSo."
    assert parse("<div hidden=until-found>a</div><dialog open>b</dialog>").text == "a\n\nb"


def test_headings_have_levels_and_the_title_is_the_pages_or_the_first():
    document = parse("<h2>Two</h2><h1>Big <em>one</em><br>here</h1><h6>x</h6>")
    assert outline(document) == [
        ("heading", 2, "Two"),
        ("heading", 1, "Big one here"),
        ("heading", 6, "x"),
    ]
    assert document.metadata["title"] == "Big one here"
    assert parse("<title> A &amp;\nB </title><h1>c</h1>").metadata["title"] == "A & B"
    assert "title" not in parse("<p>a").metadata


def test_only_the_main_element_counts_unless_asked():
    page = "<header>h</header><main><h1>M</h1><p>m</main><aside>a</aside>"
    assert parse(page).text == "M\n\nm"
    assert [block.kind for block in parse(page).blocks] == ["heading", "paragraph"]
    assert parse(page, main_only=False).text == "h\n\nM\n\nm\n\na"
    assert parse("<main></main>a").text == "a"
    assert parse("x<div role=main>a</div>").text == "a"


def test_lists_nest_and_number():
    document = parse("<ol start=3><li>a<ul><li>b<li>c</ul><li value=9>d<li><p>e<p>f</ol>g")
    assert document.text == "3. a\n  - b\n  - c\n9. d\n10. e\n\nf\n\ng"
    assert outline(document)[:4] == [
        ("list", 1, "ordered"),
        ("list_item", 1, ""),
        ("list", 2, "bullet"),
        ("list_item", 2, ""),
    ]
    assert cuts(document, "list_item")[:3] == ["3. a\n  - b\n  - c", "- b", "- c"]
    assert cuts(document, "paragraph") == ["e", "f", "g"]


@pytest.mark.parametrize(
    ("attributes", "markers"),
    [
        ("type=a", "a. b."),
        ("type=I start=4", "IV. V."),
        ("reversed start=2", "2. 1."),
        ("reversed", "- -"),
        ("start=x", "1. 2."),
    ],
)
def test_markers_are_those_a_reader_sees(attributes, markers):
    text = parse(f"<ol {attributes}><li>x<li>x</ol>").text
    assert [line.split()[0] for line in text.split("\n")] == markers.split()


def test_terms_are_items_and_questions_are_pairs():
    document = parse("<dl><dt>Pump<dd>Moves oil.<dt>Why?<dd>It must.<dd>Really.</dl>")
    assert cuts(document, "list_item") == ["Pump\nMoves oil."]
    assert cuts(document, "qa_pair") == ["Why?\n\nIt must.\n\nReally."]
    assert ("qa_pair", 1, "Why?") in outline(document)


@pytest.mark.parametrize(
    "page",
    [
        "<details><summary>How?</summary><p>So.</p><ul><li>x</ul></details>",
        (
            "<div itemscope itemtype='https://schema.org/Question'><h3>How?</h3><p>So.</p>"
            "<ul><li>x</ul></div>"
        ),
    ],
)
def test_folded_answers_are_pairs(page):
    document = parse(page)
    assert cuts(document, "qa_pair") == ["How?\n\nSo.\n\n- x"]
    assert outline(document)[0] == ("qa_pair", 0, "How?")
    assert document.blocks[1].span.start == 0


def test_code_keeps_its_lines_and_names_its_language():
    page = "<pre><code class='language-py'>\ndef f():\n    return 1 &lt; 2\n\n</code></pre>a"
    document = parse(page)
    assert outline(document)[0] == ("code", 0, "py")
    assert cuts(document, "code") == ["def f():\n    return 1 < 2"]
    assert cuts(parse("<div class=highlight-sh><pre>ls</pre></div><pre>x</pre>"), "code") == [
        "ls",
        "x",
    ]


def test_quotes_nest():
    document = parse("<blockquote><p>a<blockquote>b</blockquote></blockquote>c")
    assert [block[:2] for block in outline(document)] == [
        ("quote", 1),
        ("paragraph", 0),
        ("quote", 2),
        ("paragraph", 0),
        ("paragraph", 0),
    ]


def test_formulas_are_tex_where_the_page_has_it():
    page = (
        "<p>It is <math alttext='{\\displaystyle E=mc^2}'><mi>E</mi></math>.</p>"
        "<math display=block><semantics><mi>E</mi>"
        "<annotation encoding='application/x-tex'>E=1</annotation></semantics></math>"
    )
    document = parse(page)
    assert document.text == "It is $E=mc^2$.\n\n$$E=1$$"
    assert cuts(document, "math") == ["$$E=1$$"]
    assert parse("<math><mi>x</mi><mo>+</mo></math>").text == "x+"


def test_tables_are_rows_with_the_header_marked():
    page = (
        "<table><caption>Load</caption><thead><tr><th>Day<th>am</thead>"
        "<tr><td>Mon<td>a|b<tr><th>Tue<td><p>x<p>y</table>"
    )
    document = parse(page)
    assert document.text == "Load\n\n| Day | am |\n|---|---|\n| Mon | a\\|b |\n| Tue | x y |"
    assert outline(document) == [
        ("paragraph", 0, ""),
        ("table", 0, ""),
        ("table_row", 0, "header"),
        ("table_row", 0, ""),
        ("table_row", 0, ""),
    ]


SPANS = """<table><thead><tr><th rowspan="2">Day</th><th colspan="2">Load</th></tr><tr><th>am</th>
<th>pm</th></tr></thead><tbody><tr><td>Mon</td><td>40</td><td>42</td></tr></tbody></table>"""


def test_merged_cells_stand_in_every_place_they_cover():
    document = parse(SPANS)
    header = "| Day | Load | Load |\n| Day | am | pm |\n|---|---|---|"
    assert cuts(document, "table_row") == [header, "| Mon | 40 | 42 |"]


@pytest.mark.skipif(not SHARED.is_dir(), reason="the development data is not beside the repository")
def test_the_collected_case_is_a_full_grid():
    document = parse((SHARED / "cases" / "html_table_spans.txt").read_text(encoding="utf-8"))
    assert {row.count("|") for row in document.text.split("\n")} == {4}
    assert cuts(document, "table_row")[2] == "| Tue | 55 | 51 |"


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ("<tr><td>a<td rowspan=0>b<tr><td>c", "| a | b |\n| c | b |"),
        ("<tr><td rowspan=9>a<td>b<tbody><tr><td>c<td>d", "| a | b |\n| c | d |"),
        ("<tr><td colspan=1000>a<tr><td>b<td>c", "| a | a |\n| b | c |"),
        ("<tr><td>a<td>b<td>c<tr><td>d", "| a | b | c |\n| d |  |  |"),
        ("<tr><td>a<td><table><tr><td>b</table>", "a\n\nb"),
        ("<tr><td>a<tr><td>b", "a\n\nb"),
        ("<tr><td><h2>a</h2>b<td>c", "a\n\nb\n\nc"),
        (
            "<tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e</table>",
            "| a | b |\n|---|---|\n| c | d e |",
        ),
        ("<tr><td>a<td><ul><li>b<li>c</ul>", "| a | b; c |"),
        ("", ""),
    ],
)
def test_odd_tables(rows, text):
    assert parse(f"<table>{rows}</table>").text == text


def test_layout_tables_are_text():
    assert parse("<table role=presentation><tr><td>a<td>b</table>").text == "a\n\nb"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "café"),
        ("café".encode("utf-16"), "café"),
        (b"<meta charset=iso-8859-1>\x93caf\xe9\x94", "“café”"),
        (
            b"<meta http-equiv=Content-Type content='text/html; charset=shift_jis'>"
            + "漢字".encode("cp932"),
            "漢字",
        ),
        (b"<?xml version='1.0' encoding='windows-1251'?><p>" + "щи".encode("cp1251"), "щи"),
        (b"<meta charset=nosuch>caf\xc3\xa9", "café"),
        (b"<meta charset=utf-8>" + b"a" * 3000 + b"\xff", "a" * 3000 + "\ufffd"),
        (b"<meta charset=utf-16>caf\xc3\xa9", "café"),
    ],
)
def test_the_encoding_is_the_one_the_page_declares(data, text):
    assert parse(data).text == text


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1",
        b"caf\xe9 and no charset",
        b"<meta charset=utf-8>" + b"\xe9\xe8" * 50,
        "<p>a".encode("utf-32-le"),
    ],
)
def test_what_is_no_html_text_is_refused_by_name(data):
    with pytest.raises(InvalidDocument, match=r"a\.html"):
        parse(data)


def test_a_file_over_the_limit_is_refused():
    with pytest.raises(InvalidDocument, match=r"a\.html must be at most 3 bytes, got 4"):
        parse(b"<p>a", limits=Limits(max_bytes=3))


def test_what_merged_cells_repeat_is_bounded():
    wide = "<tr>" + "<td colspan=2>x" * 3 + "<tr>" + "<td>y" * 6
    document = parse(f"<table>{wide}</table>", limits=Limits(max_copies=2))
    assert document.text.split("\n")[0].count("x") == 5


@pytest.mark.parametrize("name", ["a.html", "b.htm", "c.XHTML"])
def test_html_files_are_read_by_extension(name):
    assert parse_bytes(b"<p>a", name).media_type == "text/html"
    assert parse_text("<p>a", media_type="text/html").text == "a"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<span>a<span hidden>x<span>x</span>x</span>b</span>c", "abc"),
        ("<span hidden>x<span>x</span>x</span>a", "a"),
        ("<i>a<i hidden>x</i>b</i>c", "abc"),
    ],
)
def test_end_tags_end_the_innermost_element_of_their_name(page, text):
    assert parse(page).text == text
