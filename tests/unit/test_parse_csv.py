import csv
import io
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seamline.errors import InvalidDocument
from seamline.parse import parse_bytes
from seamline.parse.csv_ import CSV, cells_of, records_of, sniff
from seamline.parse.csv_header import has_header


def parse(text, name="a.csv"):
    return parse_bytes(text.encode() if isinstance(text, str) else text, name)


def rows(document):
    """The text of each row, and its title."""
    text = document.text
    return [
        (text[b.span.start : b.span.end], b.title) for b in document.blocks if b.kind == "table_row"
    ]


def test_every_record_is_a_row_of_one_table():
    document = parse("part,price\npump,12.50\nbelt,3.20\n")
    assert document.media_type == "text/csv"
    assert [b.kind for b in document.blocks] == ["table", "table_row", "table_row", "table_row"]
    assert (document.blocks[0].span.start, document.blocks[0].span.end) == (0, 31)
    assert rows(document) == [("part,price", "header"), ("pump,12.50", ""), ("belt,3.20", "")]
    assert document.metadata == {
        "rows": [0, 11, 22],
        "row_numbers": [1, 2, 3],
        "delimiter": ",",
        "has_header": True,
    }


def test_quoted_cells_hold_line_breaks_delimiters_and_quotes():
    document = parse('part,note\r\npump,"oil, thin\r\nor ""thick"""\r\nbelt,none\r\n')
    assert document.text == 'part,note\npump,"oil, thin\nor ""thick"""\nbelt,none\n'
    assert [text for text, _ in rows(document)][1] == 'pump,"oil, thin\nor ""thick"""'
    assert cells_of(rows(document)[1][0]) == ["pump", 'oil, thin\nor "thick"']
    assert document.metadata["row_numbers"] == [1, 2, 3]


def test_a_byte_order_mark_is_no_part_of_the_first_cell():
    document = parse(b"\xef\xbb\xbfpart,price\npump,1\n")
    assert document.text.startswith("part")
    assert rows(document)[0] == ("part,price", "header")


def test_blank_records_are_counted_but_are_no_rows():
    document = parse("part,price\n\n,\npump,1\n  \nbelt,2")
    assert [text for text, _ in rows(document)] == ["part,price", "pump,1", "belt,2"]
    assert document.metadata["row_numbers"] == [1, 4, 6]


def test_ragged_rows_stay():
    document = parse("a,b,c\n1\n1,2,3,4\n1,2,3\n")
    assert [text for text, _ in rows(document)] == ["a,b,c", "1", "1,2,3,4", "1,2,3"]


@pytest.mark.parametrize("text", ["", "\n", " \n\n", ",,,\n"])
def test_a_file_without_a_cell_has_no_blocks(text):
    document = parse(text)
    assert (document.text, document.blocks) == (text, ())


def test_a_quote_that_is_never_closed_ends_with_its_line():
    document = parse('part,size\nbolt,"5 inch\nnut,"3"\nring,2\n')
    assert [text for text, _ in rows(document)] == [
        "part,size",
        'bolt,"5 inch\nnut,"3"',
        "ring,2",
    ]
    document = parse('part,size\nbolt,"5 inch\nnut,3\nring,2\n')
    assert [text for text, _ in rows(document)][1:] == ['bolt,"5 inch', "nut,3", "ring,2"]
    assert document.metadata["unclosed_quote"] == document.text.index('"')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("1,5;2,5\n3,5;4,5\n", ";"),
        ("a;x,b,c\nd;y,e,f\n", ","),
        ("a\tb\n1,2\t3\n", "\t"),
        ("a|b|c\n1|2|3\n", "|"),
        ('a,b\n"1;2;3",4\n"5;6;7",8\n', ","),
        ("name\nAda\n", ","),
        ("", ","),
        ("sep=;\na;b\n", ";"),
        ("sep=#\na#b,c\n", "#"),
    ],
)
def test_the_delimiter_is_the_one_that_parts_evenly(text, expected):
    assert sniff(text) == expected
    assert parse(text).metadata.get("delimiter", ",") == expected


def test_tsv_has_tabs_where_it_has_any():
    document = parse("name\tnote\nAda\ta, b, c\n", "a.tsv")
    assert document.media_type == "text/tab-separated-values"
    assert document.metadata["delimiter"] == "\t"
    assert parse("a;b\n1;2\n", "a.tsv").metadata["delimiter"] == ";"


def test_lines_of_one_cell_above_the_table_are_paragraphs():
    document = parse("sep=;\nStock in May\npart;price\npump;1\nbelt;2\n")
    assert [(b.kind, b.title) for b in document.blocks] == [
        ("paragraph", ""),
        ("paragraph", ""),
        ("table", ""),
        ("table_row", "header"),
        ("table_row", ""),
        ("table_row", ""),
    ]
    assert document.metadata["row_numbers"] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ([["part", "price"], ["pump", "1"]], True),
        ([["", "2023", "2024"], ["north", "1", "2"]], True),
        ([["area", "2023", "2024"], ["north", "1", "2"]], True),
        ([["2023", "2024"], ["1", "2"]], False),
        ([["name", "name"], ["a", "b"]], False),
        ([["pump", "1"], ["belt", "2"]], False),
        ([["name", "town", ""], ["Ada", "Ulm", ""]], True),
        ([["Ada", "Ulm"], ["Bo", "Ulm"]], False),
        ([["name", "", "x"], ["Ada", "b", "c"]], False),
        ([["mail", "ada@x.org"], ["b", "c"]], False),
        ([["name", "price"]], False),
        ([["word " * 30, "b"], ["c", "d"]], False),
        ([], False),
        ([[]], False),
    ],
)
def test_a_header_names_its_columns(table, expected):
    assert has_header(table) is expected


def test_without_a_header_every_row_is_data():
    document = parse("pump,12.50\nbelt,3.20\n")
    assert document.metadata["has_header"] is False
    assert [title for _, title in rows(document)] == ["", ""]


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(InvalidDocument, match=r"a\.csv must be UTF-8"):
        parse(b"caf\xe9,1\n")


cell = st.text(st.sampled_from('ab ,;"\n\té'), max_size=6)
tables = st.lists(st.lists(cell, min_size=1, max_size=4), max_size=6)


@given(tables, st.sampled_from(",;\t|"), st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
def test_what_csv_writes_is_read_back(table, mark, quoting):
    file = io.StringIO()
    csv.writer(file, delimiter=mark, quoting=quoting, lineterminator="\n").writerows(table)
    found = [
        cells_of(record.removesuffix("\n"), mark) for record in records_of(file.getvalue(), mark)
    ]
    assert found == table


@example('a,"b"c,d\n"e""",f\n', ",")
@example('"a"b"c"\n', ",")
@example('a"b,"c\n"', ",")
@given(st.text(st.sampled_from('ab,;"\n \t'), max_size=40), st.sampled_from(",;\t|"))
def test_any_text_is_read_as_csv_reads_it(text, mark):
    read = csv.reader(io.StringIO(text + "\n", newline=""), delimiter=mark)
    lenient = [[] if row == [""] else row for row in read]
    records = list(records_of(text, mark))
    assert "".join(records) == text
    found = [cells_of(record.removesuffix("\n"), mark) for record in records]
    found = [[] if row == [""] else row for row in found]
    unclosed = next((i for i, r in enumerate(records) if not whole(r, mark)), None)
    if unclosed is None:
        assert found == (lenient[: len(found)] if text else [])
        assert all(row == [] for row in lenient[len(found) :])
    else:
        assert found[:unclosed] == lenient[:unclosed]
        assert all(whole(record, mark) for record in records[unclosed + 1 :])
        assert "\n" not in records[unclosed].removesuffix("\n")


def whole(record, mark):
    """Whether the record's quotes are closed, so that `csv` ends it where it ends."""
    followed = io.StringIO(record.removesuffix("\n") + "\nx", newline="")
    return len(list(csv.reader(followed, delimiter=mark))) == 2


@given(st.text(st.sampled_from('ab,;"\n \t\f\u2003é'), max_size=60))
def test_blocks_are_nested_and_hold_every_cell(text):
    document = CSV.parse(text, "a.csv")
    inner = [b for b in document.blocks if b.kind != "table"]
    assert [b.span.start for b in inner] == list(document.metadata.get("rows", []))
    spans = [(b.span.start, b.span.end) for b in inner]
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    held = "".join(text[start:end] for start, end in spans)
    assert all(held.count(letter) == text.count(letter) for letter in "abé")


@pytest.mark.parametrize(
    "text",
    [
        '"' * 300_001,
        '"\n' * 300_001,
        ',""' * 100_000,
        "\n" * 1_000_000,
        "a," * 500_000,
        '"a' * 300_001,
    ],
)
def test_hostile_texts_are_read_in_one_pass(text):
    assert sum(map(len, records_of(text))) == len(text)
    CSV.parse(text, "a.csv")
