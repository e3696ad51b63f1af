"""DOCX files written by python-docx, and damaged ones."""

import io
import zipfile

import docx
import pytest
from docx.enum.text import WD_BREAK
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from seamline.errors import InvalidDocument
from seamline.parse import parse_bytes
from seamline.parse.docx import DocxParser
from seamline.parse.limits import Limits

WORD = nsdecls("w")


def saved(document):
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def parse(document, **options):
    return DocxParser(**options).parse(saved(document), "a.docx")


def cuts(document, *kinds):
    return [
        document.text[block.span.start : block.span.end]
        for block in document.blocks
        if block.kind in kinds
    ]


def outline(document):
    return [(block.kind, block.level, block.title) for block in document.blocks]


def with_part(data, name, content):
    """The archive with one part replaced or added."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for entry in old.infolist():
            if entry.filename != name:
                new.writestr(entry, old.read(entry))
        new.writestr(name, content)
    return file.getvalue()


def part(data, name):
    return zipfile.ZipFile(io.BytesIO(data)).read(name)


@pytest.fixture
def word():
    return docx.Document()


def test_headings_have_the_levels_of_their_styles(word):
    word.add_heading("The Manual", 0)
    word.add_heading("Pumps", 1)
    word.add_paragraph("Oil them.\tOften.")
    word.add_heading("Parts", 3)
    document = parse(word)
    assert document.text == "The Manual\n\nPumps\n\nOil them. Often.\n\nParts"
    assert outline(document) == [
        ("heading", 1, "The Manual"),
        ("heading", 1, "Pumps"),
        ("paragraph", 0, ""),
        ("heading", 3, "Parts"),
    ]
    assert document.metadata == {"title": "The Manual"}


def test_the_title_is_the_files_or_the_first_heading(word):
    word.add_heading("First", 1)
    assert parse(word).metadata["title"] == "First"
    word.core_properties.title = "Of the file"
    assert parse(word).metadata["title"] == "Of the file"


def test_lists_nest_and_number(word):
    word.add_paragraph("intro")
    for text, style in [
        ("a", "List Bullet"),
        ("b", "List Bullet 2"),
        ("c", "List Bullet"),
        ("d", "List Number"),
        ("e", "List Number"),
    ]:
        word.add_paragraph(text, style=style)
    word.add_paragraph("between")
    word.add_paragraph("f", style="List Number")
    document = parse(word)
    assert document.text == "intro\n\n- a\n  - b\n- c\n\n1. d\n2. e\n\nbetween\n\n3. f"
    assert cuts(document, "list") == ["- a\n  - b\n- c", "- b", "1. d\n2. e", "3. f"]
    assert cuts(document, "list_item")[0] == "- a\n  - b"
    assert [block for block in outline(document) if block[0] == "list"] == [
        ("list", 1, "bullet"),
        ("list", 2, "bullet"),
        ("list", 1, "ordered"),
        ("list", 1, "ordered"),
    ]


def test_multi_level_numbers_are_counted_as_word_shows_them(word):
    levels = "".join(
        f'<w:lvl w:ilvl="{i}"><w:start w:val="1"/><w:numFmt w:val="{style}"/>'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
        for i, (style, pattern) in enumerate(
            [("upperRoman", "%1"), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")]
        )
    )
    numbering = word.part.numbering_part.element
    numbering.insert(
        0, parse_xml(f'<w:abstractNum {WORD} w:abstractNumId="99">{levels}</w:abstractNum>')
    )
    numbering.append(parse_xml(f'<w:num {WORD} w:numId="99"><w:abstractNumId w:val="99"/></w:num>'))
    for text, level, style in [
        ("One", 0, "Heading 1"),
        ("Two", 0, "Heading 1"),
        ("Sub", 1, "Heading 2"),
        ("item", 2, "Normal"),
        ("item", 2, "Normal"),
        ("Sub", 1, "Heading 2"),
        ("item", 2, "Normal"),
    ]:
        properties = word.add_paragraph(text, style=style)._p.get_or_add_pPr()
        properties.append(
            parse_xml(f'<w:numPr {WORD}><w:ilvl w:val="{level}"/><w:numId w:val="99"/></w:numPr>')
        )
    assert parse(word).text.split("\n\n") == [
        "I One",
        "II Two",
        "II.1 Sub",
        "(a) item\n(b) item",
        "II.2 Sub",
        "(a) item",
    ]


def test_tables_stand_in_order_with_merged_cells_repeated(word):
    word.add_paragraph("before")
    table = word.add_table(rows=4, cols=3)
    for i, row in enumerate(table.rows):
        for j, cell in enumerate(row.cells):
            cell.text = f"{i}{j}"
    for one, other in [((0, 1), (0, 2)), ((1, 0), (2, 0))]:
        table.cell(*other).text = ""
        table.cell(*one).merge(table.cell(*other))
    word.add_paragraph("after")
    document = parse(word)
    assert document.text == (
        "before\n\n| 00 | 01 | 01 |\n|---|---|---|\n| 10 | 11 | 12 |\n| 10 | 21 | 22 |\n"
        "| 30 | 31 | 32 |\n\nafter"
    )
    assert outline(document)[1:3] == [("table", 0, ""), ("table_row", 0, "header")]
    assert cuts(document, "table_row")[0] == "| 00 | 01 | 01 |\n|---|---|---|"


def test_rows_that_repeat_on_each_page_are_the_header(word):
    table = word.add_table(rows=3, cols=2)
    for row in table.rows:
        row.cells[0].text = "x"
    for row in table.rows[:2]:
        row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {WORD}/>"))
    assert cuts(parse(word), "table_row") == ["| x |  |\n| x |  |\n|---|---|", "| x |  |"]


def test_a_frame_is_no_table(word):
    cell = word.add_table(rows=1, cols=1).cell(0, 0)
    cell.text = "Mind this:"
    cell.add_paragraph("oil", style="List Bullet")
    document = parse(word)
    assert document.text == "Mind this:\n\n- oil"
    assert "table" not in {block.kind for block in document.blocks}


def test_code_and_quotes_are_told_by_style(word):
    word.add_paragraph("def f():", style="macro")
    word.add_paragraph("    return 1", style="macro")
    word.add_paragraph("He said.", style="Quote")
    word.add_paragraph("And so.", style="Intense Quote")
    document = parse(word)
    assert cuts(document, "code") == ["def f():\n    return 1"]
    assert cuts(document, "quote") == ["He said.\n\nAnd so."]


def test_pages_begin_at_breaks(word):
    paragraph = word.add_paragraph("one ")
    paragraph.add_run().add_break(WD_BREAK.PAGE)
    paragraph.add_run("two")
    word.add_page_break()
    word.add_paragraph("three").paragraph_format.page_break_before = False
    word.add_paragraph("four").paragraph_format.page_break_before = True
    document = parse(word)
    pages = document.metadata["pages"]
    assert [document.text[start:].split()[0] for start in pages] == ["one", "two", "three", "four"]


def test_pages_are_words_own_where_it_noted_them(word):
    run = word.add_paragraph("one ").add_run()
    run.add_break(WD_BREAK.PAGE)
    run._r.append(parse_xml(f"<w:lastRenderedPageBreak {WORD}/>"))
    run.add_text("two")
    document = parse(word)
    assert document.metadata["pages"] == (0, document.text.index("two"))


BODY = f"""<w:document {WORD} xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"
 xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>{{}}</w:body></w:document>"""


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<w:p><w:del><w:r><w:delText>x</w:delText></w:r></w:del><w:ins><w:r><w:t>a</w:t></w:r></w:ins></w:p>",
            "a",
        ),
        (
            "<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r><w:r><w:t>a</w:t></w:r></w:p>",
            "a",
        ),
        ("<w:p><w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t>a</w:t></w:r></w:p>", "a"),
        (
            "<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:hyperlink><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>",
            "a",
        ),
        ("<w:sdt><w:sdtContent><w:p><w:r><w:t>a</w:t></w:r></w:p></w:sdtContent></w:sdt>", "a"),
        (
            "<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r></w:p>",
            "a\nb-c",
        ),
        (
            (
                "<w:p><w:r><w:t>a</w:t><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r>"
                "</w:p></w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p>"
                "</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>"
            ),
            "a\n\nbox",
        ),
        (
            (
                "<w:p><m:oMath><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
                "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>"
            ),
            "(a+b)/2x^2",
        ),
        ("", ""),
    ],
)
def test_the_text_is_what_word_shows(word, body, text):
    data = with_part(saved(word), "word/document.xml", BODY.format(body))
    assert DocxParser().parse(data, "a.docx").text == text


def test_notes_stand_at_the_end(word):
    word.add_paragraph("End.")
    reference = "<w:p><w:r><w:t>See</w:t><w:footnoteReference w:id='7'/></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p>"
    data = with_part(saved(word), "word/document.xml", BODY.format(reference))
    relations = part(data, "word/_rels/document.xml.rels").decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    relations = relations.replace(
        "</Relationships>",
        f'<Relationship Id="n" Type="{kind}" Target="footnotes.xml"/></Relationships>',
    )
    data = with_part(data, "word/_rels/document.xml.rels", relations)
    notes = f"<w:footnotes {WORD}><w:footnote w:id='7'><w:p><w:r><w:t>A note.</w:t></w:r></w:p></w:footnote></w:footnotes>"
    data = with_part(data, "word/footnotes.xml", notes)
    assert DocxParser().parse(data, "a.docx").text == "See[1]\n\nb\n\n[1] A note."


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {y} "{f"&{x};" * 10}">' for x, y in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (LAUGHS + BODY.format("<w:p><w:r><w:t>&i;</w:t></w:r></w:p>"), "must hold no DTD"),
        ('<!DOCTYPE d SYSTEM "file:///etc/passwd"><d/>', "must hold no DTD"),
        (BODY.format("<w:p>" * 300 + "</w:p>" * 300), "nest at most 256 deep"),
        ("<w:document", "'word/document.xml' is damaged"),
        (b"\xff\xff", "'word/document.xml' is damaged"),
    ],
)
def test_harmful_or_damaged_xml_is_refused(word, content, message):
    data = with_part(saved(word), "word/document.xml", content)
    with pytest.raises(InvalidDocument, match=rf"a\.docx.*{message}"):
        DocxParser().parse(data, "a.docx")


def test_a_bomb_is_refused_before_it_is_unpacked(word):
    data = saved(word)
    with pytest.raises(InvalidDocument, match=r"a\.docx must unpack to at most 1,000 bytes"):
        parse(word, limits=Limits(max_unpacked_bytes=1000))
    with pytest.raises(InvalidDocument, match=r"an XML part of a\.docx"):
        parse(word, limits=Limits(max_xml_bytes=100))
    with pytest.raises(InvalidDocument, match="must be at most"):
        DocxParser(limits=Limits(max_bytes=10)).parse(data, "a.docx")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x89PNG\r\n\x1a\n",
        b"PK\x03\x04 cut off",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600,
    ],
)
def test_what_is_no_docx_is_refused_by_name(data):
    with pytest.raises(InvalidDocument, match=r"a\.docx must be a DOCX file"):
        DocxParser().parse(data, "a.docx")


def test_another_archive_is_no_document():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "a")
    with pytest.raises(InvalidDocument, match="must be a Word document"):
        parse_bytes(file.getvalue(), "a.docx")
