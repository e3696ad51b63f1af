"""No file, however damaged or made to do harm, does more than raise an error of ours."""

import io
import zipfile

import docx
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamline.errors import SeamlineError
from seamline.parse import parse_bytes

PAGE = b"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>P\xc3\xbcmp</title></head><body>
<nav>x</nav><main><h1>Pump &amp; oil</h1><p>One <b>two<p>three<ul><li>a<ol><li>b</ol></ul>
<table><thead><tr><th rowspan=2>Day<th colspan=2>Load<tr><th>am<th>pm</thead><tr><td>Mon<td>1<td>2
</table><pre><code class="language-py">x = 1</code></pre><dl><dt>Why?<dd>So.</dl><details><summary>
How?</summary><p>Thus.</details><blockquote><p>q</blockquote><hr><math alttext="x">y</math></main>"""


def word_file():
    document = docx.Document()
    document.add_heading("Pump", 1)
    document.add_paragraph("One.")
    document.add_paragraph("item", style="List Number")
    table = document.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(1, 0)).text = "x"
    document.add_paragraph("x = 1", style="macro")
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def workbook():
    book = openpyxl.Workbook()
    for row in (["part", "price"], ["Pump", 1], ["belt", 2.5]):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def ods_file():
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    cells = "".join(
        f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("Pump", "oil")
    )
    space = "urn:oasis:names:tc:opendocument:xmlns"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", kind)
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{space}:office:1.0" '
            f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0">'
            f'<office:body><office:spreadsheet><table:table table:name="S">'
            + f"<table:table-row>{cells}</table:table-row>" * 3
            + "</table:table></office:spreadsheet></office:body></office:document-content>",
        )
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return file.getvalue()


def with_body(data, body):
    """The archive with another body, its checksums right."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for entry in old.namelist():
            new.writestr(entry, body if entry == "word/document.xml" else old.read(entry))
    return file.getvalue()


def pdf_file(*pages):
    """Two pages: a heading and a table, and a paragraph; or a page twice."""
    first = "BT /F 18 Tf 50 700 Td (Pump) Tj ET " + " ".join(
        f"BT /F 10 Tf {50 + 90 * j} {650 - 14 * i} Td (c{i}{j}) Tj ET"
        for i in range(4)
        for j in range(3)
    )
    pages = [*pages, *pages] or [
        first,
        "BT /F 10 Tf 50 700 Td (One two.) Tj 0 -12 Td (Three.) Tj ET",
    ]
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R 5 0 R] /Count 2 >>",
    ]
    for i, page in enumerate(pages):
        objects += [
            (
                f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {4 + 2 * i} 0 R "
                "/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>"
            ),
            f"<< /Length {len(page)} >>\nstream\n{page}\nendstream",
        ]
    body = "".join(f"{n} 0 obj\n{content}\nendobj\n" for n, content in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer\n<< /Size 7 /Root 1 0 R >>\n%%EOF\n".encode()


FILES = {
    "a.html": PAGE,
    "a.docx": word_file(),
    "a.pdf": pdf_file(),
    "a.xlsx": workbook(),
    "a.ods": ods_file(),
}
ARCHIVES = [name for name, content in FILES.items() if content.startswith(b"PK")]


def check(document):
    """The blocks lie in the text, nested or disjoint, sorted by (start, -end)."""
    open_ends, last = [], (-1, 0)
    for block in document.blocks:
        start, end = block.span.start, block.span.end
        assert 0 <= start < end <= len(document.text)
        assert last <= (start, -end)
        assert document.text[start:end].strip()
        last = (start, -end)
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1]
        open_ends.append(end)
    pages = document.metadata.get("pages", ())
    assert list(pages) == sorted(pages)
    assert all(0 <= start <= len(document.text) for start in pages)


def read(data, name):
    try:
        check(parse_bytes(data, name))
    except SeamlineError as error:
        assert name in str(error)  # noqa: PT017 - either way is right


@pytest.mark.parametrize("name", FILES)
def test_the_whole_files_are_read(name):
    document = parse_bytes(FILES[name], name)
    check(document)
    assert {"heading", "table", "table_row"} <= {block.kind for block in document.blocks}
    assert "Pump" in document.text


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_by_name(name, data):
    content = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(0, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    read(bytes(content[: data.draw(st.integers(0, len(content)))]), name)
    read(bytes(content), name)


def headers_of(content):
    """The places of an archive's bytes that say where its parts lie and how they are packed."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        starts = [part.header_offset for part in archive.infolist()]
        directory = range(archive.start_dir, len(content))
    return [at for start in starts for at in range(start, start + 30)] + list(directory)


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_of_parts_without_a_name_is_read_or_refused_by_name(name):
    content = bytearray(FILES[name])
    at = content.find(b"PK\x01\x02")
    while at >= 0:
        content[at + 46] = 0  # a name ends at its first zero
        read(bytes(content), name)
        at = content.find(b"PK\x01\x02", at + 1)


@pytest.mark.parametrize("name", ARCHIVES)
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_an_archive_with_damaged_headers_is_read_or_refused_by_name(name, data):
    content = bytearray(FILES[name])
    places = st.sampled_from(headers_of(content))
    for at, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=30)):
        content[at] = value
    read(bytes(content), name)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_damaged_body_in_a_whole_archive_is_read_or_refused_by_name(data):
    whole = FILES["a.docx"]
    body = bytearray(zipfile.ZipFile(io.BytesIO(whole)).read("word/document.xml"))
    for _ in range(data.draw(st.integers(1, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(32, 126))
    read(with_body(whole, bytes(body)), "a.docx")


WORDS = """
p tbl tr tc r t br sdt sdtContent hyperlink ins del txbxContent tab lastRenderedPageBreak vMerge
gridSpan numPr numId ilvl pPr rPr tcPr trPr tblHeader pStyle footnoteReference vanish outlineLvl
""".split()
elements = st.recursive(
    st.sampled_from(["<w:r><w:t>a b</w:t></w:r>", "<w:t>\n</w:t>", '<w:br w:type="page"/>', "x"]),
    lambda inner: st.builds(
        lambda name, value, parts: f'<w:{name} w:val="{value}">{"".join(parts)}</w:{name}>',
        st.sampled_from(WORDS),
        st.sampled_from(["1", "2", "", "restart", "-9", "Heading1", "ListBullet", "99999999999"]),
        st.lists(inner, max_size=4),
    ),
    max_leaves=30,
)


@settings(max_examples=150, deadline=None)
@given(st.lists(elements, max_size=6).map("".join))
def test_any_well_formed_body_is_read(body):
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    xml = f'<w:document xmlns:w="{space}"><w:body>{body}</w:body></w:document>'
    check(parse_bytes(with_body(FILES["a.docx"], xml), "a.docx"))


TAGS = """
a b p div span li ul ol dl dt dd table tr td th thead tbody caption pre code h1 h2 blockquote
details summary main nav math annotation sup q br hr img script title svg template button select
dialog section footer
""".split()
ATTRIBUTES = [
    "",
    " hidden",
    " rowspan=3",
    " colspan=2",
    ' class="language-c"',
    " /",
    ' title="',
    " x='>'",
]
markup = st.one_of(
    st.builds("<{}{}>".format, st.sampled_from(TAGS), st.sampled_from(ATTRIBUTES)),
    st.builds("</{}>".format, st.sampled_from(TAGS)),
    st.sampled_from(
        ["text", " ", "\n", "?", "&amp;", "&#0;", "<", "<!--", "-->", "é", "\f", "\xad", "|"]
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(markup, max_size=60).map("".join))
def test_any_markup_is_read(page):
    check(parse_bytes(page.encode(), "a.html"))


HOSTILE = {
    "nested": "<div>" * 100_000 + "x",
    "nested lists": "<ul><li>x" * 20_000,
    "nested quotes": "<blockquote>x" * 20_000,
    "nested tables": "<table><tr><td>x" * 20_000,
    "unfinished tags": "<a " * 300_000,
    "quotes that never close": '<a " =">' * 100_000,
    "unclosed comments": "<!--" * 500_000,
    "unclosed powers": "a<sup>2" * 100_000,
    "wide cells": "<table>" + "<tr>" + "<td colspan=1000>x" * 50_000,
    "high cells": "<table><tr>" + "<td rowspan=65534>y" * 9_000 + "<tr><td>x" * 9_000,
    "one large cell": "<table><tr><td rowspan=999 colspan=9>" + "w" * 500_000 + "<tr><td>x" * 9_000,
    "line feeds": "\n" * 1_000_000,
    "no space": "a" * 5_000_000,
    "references": "&" * 1_000_000 + "&#" + "9" * 1_000_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_read_without_growing(name):
    page = HOSTILE[name]
    document = parse_bytes(page.encode(), "a.html")
    check(document)
    assert len(document.text) <= 4 * len(page) + (8 << 20)


def draw(x, y, words, size=10):
    return f"BT /F {size} Tf {x} {y} Td ({words}) Tj ET\n"


HOSTILE_PAGES = {
    "one line": "".join(draw(x * 30, 700, "ab") for x in range(8_000)),
    "one place": draw(50, 700, "ab") * 20_000,
    "joined": "".join(draw(x * 10, 700, "ab") for x in range(8_000)),
    "many lines": "".join(draw(50, -12 * y, "ab cd.") for y in range(8_000)),
    "many cells": "".join(draw(50 * x, -14 * y, "ab") for y in range(200) for x in range(100)),
    "few columns": "".join(draw(90 * x, -14 * y, "ab") for y in range(5_000) for x in range(4)),
    "stairs": "".join(draw(7 * i, -3 * i, "ab") for i in range(8_000)),
    "without end": "BT " * 100_000,
    "huge font": draw(50, 700, "ab", 10**9) + draw(50, 600, "ab", "0.0000001"),
    "far away": draw(10**30, 10**30, "ab") + draw(-(10**9), 5, "cd"),
}


@pytest.mark.parametrize("name", HOSTILE_PAGES)
def test_hostile_pdf_pages_are_read_or_refused(name):
    read(pdf_file(HOSTILE_PAGES[name]), "a.pdf")
