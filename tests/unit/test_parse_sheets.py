# ruff: noqa: DTZ001 - spreadsheets know no time zones
import datetime as dt
import io
import re
import zipfile

import openpyxl
import pytest
import xlwt
from hypothesis import given
from hypothesis import strategies as st

from seamline.errors import InvalidDocument
from seamline.parse import parse_bytes
from seamline.parse.archives import Archive
from seamline.parse.limits import Limits
from seamline.parse.sheets_bounds import check_xlsx
from seamline.parse.sheets_tables import cell_text, fill_merged, regions_of
from seamline.split import parse_strategy


def xlsx(fill):
    """The bytes of a workbook that `fill` fills."""
    book = openpyxl.Workbook()
    fill(book)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def of_rows(*rows):
    def fill(book):
        for row in rows:
            book.active.append(row)

    return xlsx(fill)


def parse(data, name="a.xlsx"):
    return parse_bytes(data, name)


def rezip(data, **changed):
    """The archive with the text of some parts changed, given by the end of their name."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", 8) as new:
        for name in old.namelist():
            text = old.read(name)
            for part, change in changed.items():
                text = change(text.decode()).encode() if f"/{part}." in name else text
            new.writestr(name, text)
    return file.getvalue()


def with_rows(xml):
    """A workbook whose sheet holds these rows as XML."""
    replaced = f"<sheetData>{xml}</sheetData>"
    return rezip(
        of_rows([1]), sheet1=lambda text: re.sub("<sheetData>.*</sheetData>", replaced, text)
    )


def test_each_sheet_is_a_heading_and_a_table():
    def fill(book):
        book.active.title = "Stock"
        for row in (["part", "price"], ["pump | belt", 12.5], ["oil\nthin", 3]):
            book.active.append(row)
        book.create_sheet("Empty")
        book.create_sheet("Towns").append(["Ulm", 1])

    document = parse(xlsx(fill))
    assert document.text == (
        "# Stock\n\n| part | price |\n| --- | --- |\n| pump \\| belt | 12.5 |\n| oil thin | 3 |\n\n"
        "# Towns\n\n| Ulm | 1 |"
    )
    assert [(b.kind, b.level, b.title) for b in document.blocks] == [
        ("heading", 1, "Stock"),
        ("table", 0, ""),
        ("table_row", 0, "header"),
        ("table_row", 0, ""),
        ("table_row", 0, ""),
        ("heading", 1, "Towns"),
        ("table", 0, ""),
        ("table_row", 0, ""),
    ]
    starts = [document.text.index(mark) for mark in ("| part", "| pump", "| oil", "| Ulm")]
    assert document.metadata == {
        "sheets": [0, document.text.index("# Towns")],
        "sheet_names": ["Stock", "Towns"],
        "rows": starts,
        "row_numbers": [1, 2, 3, 1],
    }


def test_chunks_name_sheet_and_rows():
    document = parse(of_rows(["part", "price"], [], ["pump", 1], ["belt", 2]))
    chunks = parse_strategy("recursive(size=24, overlap=0, unit=characters)").split(document)
    assert chunks[-1].metadata == {
        "sheet": "Sheet",
        "row_range": (4, 4),
        "headings": ("Sheet",),
    }


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (0.1 + 0.2, "0.3"),
        (1e-9, "1e-09"),
        (123456789012.0, "123456789012"),
        (True, "TRUE"),
        ("  a\n b_x000D_c ", "a b c"),
        (dt.date(2024, 5, 1), "2024-05-01"),
        (dt.datetime(2024, 5, 1), "2024-05-01"),
        (dt.datetime(2024, 5, 1, 9, 30), "2024-05-01 09:30"),
        (dt.datetime(2024, 5, 1, 9, 29, 59, 999_999), "2024-05-01 09:30"),
        (dt.datetime(2024, 5, 1, 9, 30, 5), "2024-05-01 09:30:05"),
        (dt.time(9, 5), "09:05"),
        (dt.timedelta(hours=30, seconds=1), "30:00:01"),
    ],
)
def test_values_are_written_as_a_reader_sees_them(value, text):
    assert cell_text(value) == text


def test_numbers_and_dates_come_through_a_file():
    document = parse(of_rows(["a", "b", "c"], [1.5, dt.datetime(2024, 5, 1), True]))
    assert document.text.endswith("| 1.5 | 2024-05-01 | TRUE |")


def test_percentages_and_errors_show_as_such():
    def fill(book):
        book.active.append(["part", "share", "exact", "own", "plain"])
        book.active.append(["pump", 0.45, 0.125, 0.5, 0.45])
        for cell, form in (("B2", "0%"), ("C2", "0.00%"), ("D2", "#,##0.0%;[Red]-0%")):
            book.active[cell].number_format = form

    assert parse(xlsx(fill)).text.endswith("| pump | 45% | 12.50% | 50.0% | 0.45 |")
    xml = '<row r="1"><c r="A1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B1"><v>1</v></c></row>'
    assert parse(with_rows(xml)).text == "# Sheet\n\n| #DIV/0! | 1 |"


def test_merged_cells_are_filled_and_header_rows_are_one():
    def fill(book):
        sheet = book.active
        sheet["A1"] = "Sales"
        sheet.merge_cells("A1:E1")
        sheet["A2"], sheet["B2"], sheet["D2"] = "Region", "2023", "2024"
        for cells in ("A2:A3", "B2:C2", "D2:E2"):
            sheet.merge_cells(cells)
        for cell, value in zip("BCDE", ["Q1", "Q2", "Q1", "Q2"], strict=True):
            sheet[f"{cell}3"] = value
        sheet.append(["North", 1, 2, 3, 4])
        sheet["A5"] = "South"
        sheet.merge_cells("A5:A6")
        sheet["B5"], sheet["B6"] = 5, 6

    document = parse(xlsx(fill))
    assert document.text == (
        "# Sheet\n\nSales\n\n| Region | 2023 | 2023 | 2024 | 2024 |\n"
        "| Region | Q1 | Q2 | Q1 | Q2 |\n| --- | --- | --- | --- | --- |\n"
        "| North | 1 | 2 | 3 | 4 |\n| South | 5 |  |  |  |\n| South | 6 |  |  |  |"
    )
    assert [b.kind for b in document.blocks[:4]] == ["heading", "paragraph", "table", "table_row"]
    header = document.blocks[3].span
    assert document.text[header.start : header.end].count("\n") == 2


def test_empty_rows_part_tables_and_empty_columns_go():
    document = parse(
        of_rows(["a", None, "b"], ["x", None, 1], [], ["c", "d"], ["y", 2], [], [], ["a note"])
    )
    assert document.text == (
        "# Sheet\n\n| a | b |\n| --- | --- |\n| x | 1 |\n\n"
        "| c | d |\n| --- | --- |\n| y | 2 |\n\na note"
    )
    assert document.metadata["row_numbers"] == [1, 2, 4, 5, 8]


def test_a_table_goes_on_below_an_empty_row():
    rows = [["part", "price"], ["pump", "1"], ["", ""], ["belt", "2"], ["oil", "3"]]
    (region,) = regions_of(rows, 1)
    assert (region.n_header, region.numbers) == (1, [1, 2, 4, 5])


def test_a_table_may_begin_anywhere():
    def fill(book):
        book.active["C5"], book.active["D5"] = "part", "price"
        book.active["C6"], book.active["D6"] = "pump", 1

    document = parse(xlsx(fill))
    assert document.metadata["row_numbers"] == [5, 6]
    assert "| part | price |" in document.text


def test_hidden_sheets_are_left_out_and_named():
    def fill(book):
        book.active["A1"] = "shown"
        for name, state in (("secret", "hidden"), ("deep", "veryHidden")):
            sheet = book.create_sheet(name)
            sheet["A1"] = "hidden text"
            sheet.sheet_state = state

    document = parse(xlsx(fill))
    assert "hidden text" not in document.text
    assert document.metadata["hidden_sheets"] == ["secret", "deep"]


def test_a_workbook_without_a_cell_has_no_text():
    document = parse(xlsx(lambda book: None))
    assert (document.text, document.blocks) == ("", ())


def xls(first_row):
    """A workbook and its sheet, begun with a row."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Old")
    for at, value in enumerate(first_row):
        sheet.write(0, at, value)
    return book, sheet


def saved(book):
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_xls_is_read():
    book, sheet = xls(["part", "price", "tax"])
    sheet.write_merge(1, 2, 0, 0, "pump")
    sheet.write(1, 1, 12.5)
    sheet.write(2, 1, 13)
    document = parse(saved(book), "a.xls")
    assert document.text == (
        "# Old\n\n| part | price | tax |\n| --- | --- | --- |\n| pump | 12.5 |  |\n| pump | 13 |  |"
    )


ODS = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document-content '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    '<table:table table:name="S">{}</table:table></office:spreadsheet></office:body>'
    "</office:document-content>"
)


def ods(rows):
    file = io.BytesIO()
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    with zipfile.ZipFile(file, "w", 8) as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", ODS.format(rows))
        archive.writestr(
            "META-INF/manifest.xml",
            '<?xml version="1.0"?><manifest:manifest '
            'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
            "</manifest:manifest>",
        )
    return file.getvalue()


def cell(text, repeated=1):
    return (
        f'<table:table-cell table:number-columns-repeated="{repeated}" '
        f'office:value-type="string"><text:p>{text}</text:p></table:table-cell>'
    )


def row(cells, repeated=1):
    return (
        f'<table:table-row table:number-rows-repeated="{repeated}">{cells}'
        '<table:table-cell table:number-columns-repeated="16380"/></table:table-row>'
    )


def test_ods_is_read_whatever_empty_cells_it_declares():
    document = parse(
        ods(row(cell("part") + cell("town")) + row(cell("x", 2)) + row("", 1_048_570)), "a.ods"
    )
    assert document.text == "# S\n\n| part | town |\n| --- | --- |\n| x | x |"


@pytest.mark.parametrize(
    "rows",
    [
        row(cell("a", 16_000), 1_000_000),
        row(cell("a")) + row("", 1_000_000) + row(cell("a", 6)),
        row(cell("a", 16_000)) + row(cell("a"), 1_000),
    ],
)
def test_ods_that_repeats_without_bound_is_refused(rows):
    with pytest.raises(InvalidDocument, match=r"a\.ods must span at most 5,000,000 cells"):
        parse(ods(rows), "a.ods")


NOTE = "<office:annotation><text:p>a note</text:p></office:annotation>"


def untyped(inside):
    return f"<table:table-cell>{inside}</table:table-cell>"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<text:p>belt</text:p>", "belt"),
        (' <text:p>V-<text:span>belt</text:span></text:p><text:p table="b">x</text:p>', "V-belt x"),
        (NOTE + "<text:p>belt</text:p>", "belt"),
    ],
)
def test_ods_cells_without_a_type_hold_text(inside, text):
    document = parse(ods(row(cell("pump") + untyped(inside))), "a.ods")
    assert document.text == f"# S\n\n| pump | {text} |"


@pytest.mark.parametrize("inside", ["", NOTE, "<draw:frame><text:p>drawn</text:p></draw:frame>"])
def test_ods_cells_without_text_of_their_own_stay_empty(inside):
    cells = untyped(inside) + cell("pump") + untyped(inside) + untyped("<text:p>belt</text:p>")
    assert parse(ods(row(cells)), "a.ods").text == "# S\n\n| pump | belt |"


def test_ods_that_copies_long_cells_without_bound_is_refused():
    rows = row(cell("a" * 10_000, 1_000), 100)
    with pytest.raises(InvalidDocument, match=r"a\.ods must hold at most 268,435,456 characters"):
        parse(ods(rows), "a.ods")


@pytest.mark.parametrize("before", ["", '<?xml version="1.0"?>', "\ufeff<!-- <a> --> <?b c?>\n"])
def test_a_dtd_is_refused_wherever_it_may_stand(before):
    dtd = f'{before}<!DOCTYPE x [<!ENTITY a "boo">]>'
    data = rezip(of_rows(["part"]), sheet1=lambda text: dtd + text)
    with pytest.raises(InvalidDocument, match=r"a\.xlsx must hold no DTD"):
        parse(data)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("content.xml", dtd + ODS.format(row(cell("part"))))
    with pytest.raises(InvalidDocument, match=r"a\.ods must hold no DTD"):
        parse(file.getvalue(), "a.ods")


def test_what_only_looks_like_a_dtd_is_text():
    assert "<!DOCTYPE x>" in parse(of_rows(["<!DOCTYPE x>", "note"])).text


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xlsx", of_rows(["pump", "belt"])),
        ("a.xls", saved(xls(["pump", "belt"])[0])),
        ("a.ods", ods(row(cell("pump") + cell("belt")))),
    ],
)
def test_the_text_of_a_workbook_is_bounded(name, data):
    text = parse(data, name).text
    assert parse_bytes(data, name, limits=Limits(max_characters=len(text))).text == text
    with pytest.raises(InvalidDocument, match=rf"{name} must hold at most {len(text) - 1} char"):
        parse_bytes(data, name, limits=Limits(max_characters=len(text) - 1))


def test_numbers_are_no_copies_of_strings():
    data = of_rows(["a" * 100, "b"], *[[0, 1]] * 50)
    limits = Limits(max_characters=1_000)
    assert parse_bytes(data, "a.xlsx", limits=limits).text.count("| 0 | 1 |") == 50


@pytest.mark.parametrize(
    "xml",
    [
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        '<row r="1"><c s="1" r="XFD1"><v>1</v></c></row><row r="9999"><c r="A9999"><v>1</v></c></row>',
        '<row r="1"><c r="XFD1"><v>1</v></c></row><row r="1048576"><c><v>1</v></c></row>',
        '<row r="1"><c r="XFC1"><v>1</v></c></row>' + "<row><c><v>1</v></c></row>" * 400,
    ],
)
def test_cells_far_apart_are_refused(xml):
    with pytest.raises(InvalidDocument, match=r"a\.xlsx must span at most 5,000,000 cells"):
        parse(with_rows(xml))


@pytest.mark.parametrize(
    "xml",
    [
        '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="1"/></row><row r="1048576"><c r="A1048576" s="1"></c></row>',
        "<row><c><v>1</v></c></row>",
        '<row r="1" spans="1:16384"><c r="A1"><v>1</v></c></row>',
    ],
)
def test_what_is_only_declared_is_no_matter(xml):
    data = rezip(
        with_rows(xml), sheet1=lambda text: text.replace('ref="A1"', 'ref="A1:XFD1048576"')
    )
    assert parse(data).text == "# Sheet\n\n1"


def test_strings_copied_without_bound_are_refused():
    strings = b"<sst><si><t>" + b"a" * 1_000 + b"</t></si></sst>"
    sheet = b"<sheetData><row>" + b'<c t="s"><v>0</v></c>' * 1_000 + b"</row></sheetData>"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/sharedStrings.xml", strings)
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
    archive = Archive(file.getvalue(), "a.xlsx", kind="XLSX")
    check_xlsx(archive, "a.xlsx", Limits(max_characters=1_000_000))
    with pytest.raises(InvalidDocument, match="at most 999,999 characters"):
        check_xlsx(archive, "a.xlsx", Limits(max_characters=999_999))


def test_an_archive_that_unpacks_to_too_much_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", 8) as archive:
        archive.writestr("xl/workbook.xml", b" " * (300 << 20))
    with pytest.raises(InvalidDocument, match="must unpack to at most"):
        parse(file.getvalue())


def test_merged_cells_are_filled_only_so_far():
    rows = [["a", "", ""], ["", "", "b"]]
    fill_merged(rows, [((0, 0), (1, 1))], (0, 0), Limits())
    assert rows == [["a", "a", ""], ["a", "a", "b"]]
    rows = [["a", ""]]
    fill_merged(rows, [((0, 0), (10**6, 10**4))] * 10**5, (0, 0), Limits(max_copies=3))
    assert rows == [["a", "a"]]
    rows = [["a"]]
    fill_merged(rows, [((0, 0), (3, 3)), ((7, 7), (9, 9))], (5, 5), Limits())
    assert rows == [["a"]]


@pytest.mark.parametrize("name", ["a.xlsx", "a.xls", "a.ods"])
@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"PK\x03\x04 cut", "cut off"),
        (b"part,price\n", "begins with 70 61 72 74"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "cannot be read"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "without a password"),
    ],
)
def test_what_is_no_workbook_is_refused(name, data, said):
    with pytest.raises(InvalidDocument, match=re.escape(name)) as caught:
        parse(data, name)
    assert said in str(caught.value)
    assert "ZIP" not in str(caught.value) or name != "a.xls"


def test_another_archive_and_a_string_are_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", "<a/>")
    with pytest.raises(InvalidDocument, match="another kind of archive"):
        parse(file.getvalue())


@pytest.mark.parametrize(
    "junk", ["<c r='A1' ", '<c r="A1" ', "<c ", "<row ", '<c r="A1" t="e">', "a" * 9]
)
def test_tags_that_are_never_closed_cost_one_pass(junk):
    with pytest.raises(InvalidDocument):
        parse(with_rows(f"<row {junk * 200_000}"))


@pytest.mark.parametrize("part", ["styles", "workbook"])
@pytest.mark.parametrize("junk", ["<si>", "<cellXfs>", "<xf a=", "<sheet a", '<numFmt a="', "a:"])
def test_nor_do_those_of_styles_and_names(part, junk):
    data = rezip(of_rows([1]), **{part: lambda text: text + junk * 200_000})
    try:
        parse(data)
    except InvalidDocument as error:
        assert error.args[0]  # noqa: PT017


SAMPLE = of_rows(["part", "price"], ["pump", 1], ["belt", 2.5])


@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255)), max_size=8))
def test_a_damaged_workbook_is_read_or_refused(changes):
    data = bytearray(SAMPLE)
    for at, value in changes:
        data[at] = value
    try:
        parse(bytes(data))
    except InvalidDocument as error:
        assert error.args[0]  # noqa: PT017


cells = st.sampled_from(["", "", "part", "price", "1", "2.5", "north", "a note"])


@given(st.lists(st.lists(cells, min_size=3, max_size=3), max_size=12))
def test_every_text_of_a_sheet_comes_out_once_and_in_order(rows):
    regions = regions_of([list(row) for row in rows], 1)
    out = [
        (n, [c for c in row if c])
        for r in regions
        for n, row in zip(r.numbers, r.rows, strict=True)
    ]
    assert [n for n, _ in out] == [n for n, row in enumerate(rows, start=1) if any(row)]
    for number, texts in out:
        expected = [text for text in rows[number - 1] if text]
        assert texts in (expected, expected[:1])


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.8, 0.95])
def test_ods_whose_xml_is_torn_is_refused(kept):
    xml = ODS.format(row(cell("part") + cell("price")) * 3)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", xml[: int(kept * len(xml))] + "<table:table-cell ")
    with pytest.raises(InvalidDocument, match=r"content\.xml is damaged .* save it anew"):
        parse_bytes(stream.getvalue(), source="torn.ods")
