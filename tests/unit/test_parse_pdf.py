"""PDF files made by hand: columns, tables, pages, and files that cannot be read."""

import sys

import pytest
from pdf_samples import BOLD, IMAGE, lines, pdf, text

from seamline.errors import InvalidDocument, MissingExtra
from seamline.parse import parse_bytes
from seamline.parse.limits import Limits
from seamline.parse.pdf import PdfParser

LEFT = [
    "Left column begins here and it has words",
    "that run to the right edge of the first",
    "column, with a hyphen-",
    "ated word in the middle of the text and",
    "an end.",
]
RIGHT = [
    "Right column starts with other words to",
    "be read after the left one, and so goes",
    "on until it ends here.",
]
LEFT_TEXT = (
    "Left column begins here and it has words that run to the right edge of the first "
    "column, with a hyphenated word in the middle of the text and an end."
)
RIGHT_TEXT = (
    "Right column starts with other words to be read after the left one, and so goes on "
    "until it ends here."
)
WIDE = (
    "Oil the pump once a week, as the plate beside the motor says, and write it down in the book,"
)


def parse(*pages, **options):
    return PdfParser().parse(pdf(*pages, **options), "a.pdf")


def cuts(document, *kinds):
    return [
        document.text[block.span.start : block.span.end]
        for block in document.blocks
        if block.kind in kinds
    ]


def outline(document):
    return [(block.kind, block.level, block.title) for block in document.blocks]


def columns(*, interleaved):
    if not interleaved:
        return lines(50, 700, LEFT) + lines(320, 700, RIGHT)
    return "".join(
        lines(50, 700 - 12 * i, LEFT[i : i + 1]) + lines(320, 700 - 12 * i, RIGHT[i : i + 1])
        for i in range(5)
    )


@pytest.mark.parametrize("interleaved", [False, True])
def test_columns_are_read_one_after_the_other(interleaved):
    page = text(50, 760, "The Pump", 18, BOLD) + columns(interleaved=interleaved)
    page += text(50, 600, "Care", 12, BOLD) + lines(50, 580, [WIDE, "so that the next one knows."])
    document = parse(page)
    assert document.text.split("\n\n") == [
        "The Pump",
        LEFT_TEXT,
        RIGHT_TEXT,
        "Care",
        WIDE + " so that the next one knows.",
    ]
    assert outline(document)[0] == ("heading", 1, "The Pump")
    assert outline(document)[3] == ("heading", 2, "Care")


def test_columns_at_different_heights_are_read_one_after_the_other():
    document = parse(lines(50, 700, LEFT) + lines(320, 694, RIGHT))
    assert document.text == f"{LEFT_TEXT}\n\n{RIGHT_TEXT}"


def test_paragraphs_go_on_over_pages_and_pages_are_noted():
    first = lines(50, 700, [WIDE, "and a sentence goes over the end of the page, where the"])
    document = parse(first, lines(50, 740, ["page goes on with it."]), text(50, 700, "New."))
    begin = document.text.index("page goes on")
    assert cuts(document, "paragraph")[0].endswith("where the page goes on with it.")
    assert document.metadata["pages"] == (0, begin, document.text.index("New."))


def test_an_empty_page_begins_where_the_next_one_does():
    document = parse(text(50, 700, "One."), "", text(50, 700, "Three."), "")
    assert document.metadata["pages"] == (0, 6, 6)
    assert "pages_without_text" not in document.metadata


@pytest.mark.parametrize(
    ("end", "begin", "joined"),
    [
        ("the con-", "nection", "the connection"),
        ("the well-", "known well-known one", "the well-known well-known one"),
        ("the North-", "South road", "the North-South road"),
        ("a dash -", "so", "a dash - so"),
    ],
)
def test_words_parted_at_a_lines_end_are_joined(end, begin, joined):
    assert parse(lines(50, 700, [end, begin])).text == joined


def test_running_heads_and_page_numbers_are_left_out():
    pages = [
        text(50, 815, "Pump Manual", 8) + text(290, 30, f"Page {n} of 4", 8) + text(50, 700, words)
        for n, words in enumerate(["One.", "Two.", "Three.", "Four."], 1)
    ]
    assert parse(*pages).text == "One.\n\nTwo.\n\nThree.\n\nFour."
    assert parse(pages[0]).text == "Pump Manual\n\nOne.\n\nPage 1 of 4"


ROWS = [("Day", "Load", "Temp"), ("Mon", "40", "12"), ("Tue", "55", "13"), ("Wed", "", "14")]


def table(rows, *, x=50, y=680, width=100):
    return "".join(
        text(x + width * j, y - 14 * i, cell)
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
        if cell
    )


def test_tables_are_rows_in_their_place():
    page = lines(50, 740, [WIDE, "This is how much it was."]) + table(ROWS)
    document = parse(page + lines(50, 600, [WIDE]))
    assert cuts(document, "table_row") == [
        "| Day | Load | Temp |\n|---|---|---|",
        "| Mon | 40 | 12 |",
        "| Tue | 55 | 13 |",
        "| Wed |  | 14 |",
    ]
    assert [block[0] for block in outline(document) if block[0] != "table_row"] == [
        "paragraph",
        "table",
        "paragraph",
    ]
    assert ("table_row", 0, "header") in outline(document)


def test_lists_are_told_by_their_markers():
    page = lines(50, 700, ["Do this:"])
    page += lines(60, 680, ["• oil the pump, and"]) + lines(72, 668, ["the motor"])
    page += lines(60, 656, ["• write it down"])
    page += lines(60, 620, ["1."]) + lines(90, 620, ["First."])
    page += lines(60, 608, ["2."]) + lines(90, 608, ["Second."])
    document = parse(page)
    assert cuts(document, "list_item") == [
        "• oil the pump, and the motor",
        "• write it down",
        "1. First.",
        "2. Second.",
    ]
    assert [block for block in outline(document) if block[0] == "list"] == [
        ("list", 1, "bullet"),
        ("list", 1, "ordered"),
    ]


@pytest.mark.parametrize(
    ("matrix", "x", "y", "step"),
    [
        ("0 1 -1 0", 100, 100, (14, 0)),
        ("0 -1 1 0", 500, 700, (-14, 0)),
        ("-1 0 0 -1", 500, 100, (0, 14)),
    ],
)
def test_pages_whose_text_runs_sideways_are_turned(matrix, x, y, step):
    page = "".join(
        f"BT /F1 10 Tf {matrix} {x + i * step[0]} {y + i * step[1]} Tm (Line {i} of words) Tj ET\n"
        for i in range(3)
    )
    assert parse(page).text == "Line 0 of words Line 1 of words Line 2 of words"


def test_the_title_is_the_files_unless_it_is_a_file_name():
    page = text(50, 760, "Heading", 20) + lines(50, 700, [WIDE])
    assert parse(page, title="Manual").metadata["title"] == "Manual"
    assert parse(page, title="Microsoft Word - x.doc").metadata["title"] == "Heading"


def test_scanned_pages_are_named():
    with pytest.raises(InvalidDocument, match=r"a\.pdf .* no text on page 1, 2: run OCR first"):
        parse(IMAGE, IMAGE)
    with pytest.raises(InvalidDocument, match=r"a\.pdf .* no text on page 1: run OCR first"):
        parse("")
    some = parse(IMAGE, text(50, 700, "Text."), text(50, 700, "More."))
    assert some.metadata["pages_without_text"] == (1,)
    assert some.metadata["pages"] == (0, 0, 7)


def test_a_protected_file_is_refused():
    with pytest.raises(InvalidDocument, match=r"a\.pdf must be readable without a password"):
        parse(text(50, 700, "Text."), encrypt=True)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x89PNG\r\n\x1a\n", b"%PDF-1.7\n", pdf(text(50, 700, "a"))[:200], b"PK\x03\x04"],
)
def test_what_is_no_whole_pdf_is_refused_by_name(data):
    with pytest.raises(InvalidDocument, match=r"a\.pdf must be a (whole )?PDF file"):
        PdfParser().parse(data, "a.pdf")


@pytest.mark.parametrize(
    "limits", [Limits(max_bytes=10), Limits(max_pages=1), Limits(max_characters=5)]
)
def test_files_over_the_limits_are_refused(limits):
    data = pdf(text(50, 700, "Text."), text(50, 700, "More."))
    with pytest.raises(InvalidDocument, match=r"a\.pdf must"):
        PdfParser(limits=limits).parse(data, "a.pdf")


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'seamline\[pdf\]'"):
        parse_bytes(b"%PDF-1.4", "a.pdf")


def test_compressed_files_are_read_by_extension():
    document = parse_bytes(pdf(text(50, 700, "Text."), compress=True), "a.PDF")
    assert (document.text, document.media_type) == ("Text.", "application/pdf")


def test_lines_in_a_fixed_font_are_code():
    code = lines(60, 660, ["def f():"], font="F3") + lines(84, 648, ["return 1"], font="F3")
    document = parse(lines(50, 700, [WIDE, "like this:"]) + code + lines(50, 600, [WIDE]))
    assert cuts(document, "code") == ["def f():\n    return 1"]


def test_titles_in_a_table_of_contents_are_no_headings():
    page = text(50, 760, "Contents", 18) + text(50, 700, "1 Oil . . . . . . . . 2", 14)
    document = parse(page + lines(50, 600, [WIDE, WIDE, WIDE]))
    assert [block.title for block in document.blocks if block.kind == "heading"] == ["Contents"]


def test_numbered_headings_have_the_level_of_their_number():
    page = text(50, 760, "2 Pumps", 18) + text(50, 720, "2.1.3 Oil", 18)
    document = parse(page + lines(50, 600, [WIDE]))
    assert outline(document)[:2] == [("heading", 1, "2 Pumps"), ("heading", 3, "2.1.3 Oil")]


def test_running_heads_that_change_are_left_out_by_their_line():
    heads = ["Chapter A", "Chapter A", "Chapter A", "Chapter B"]
    pages = [text(50, 815, head, 8) + text(50, 700, f"{head[-1]} text.") for head in heads]
    assert parse(*pages).text == "A text.\n\nA text.\n\nA text.\n\nB text."
