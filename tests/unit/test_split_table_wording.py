"""Rows with odd cells and odd headers, as sentences: what is said, and what is not."""

from __future__ import annotations

import pytest

from seamline.parse import parse_text
from seamline.split import parse_strategy
from seamline.split.columns import columns_of
from seamline.split.rows import sentences_of
from seamline.split.table_blocks import tables_of
from seamline.testing import check_strategy


def parsed(*lines):
    """A table by its lines; cells parted by semicolons, the header first."""
    document = parse_text("\n".join(lines), media_type="text/csv")
    assert document.metadata["delimiter"] == ";"
    return document


def said(*lines):
    """What is indexed of the rows of a table."""
    strategy = parse_strategy("table_rows(prefix=false)")
    return [chunk.indexed for chunk in check_strategy(strategy, parsed(*lines))]


def test_questions_in_a_header_are_answered():
    found = said(
        "Part;Is insured?;Can swim;Must register;Has lid",
        "oil;yes;yes;yes;yes",
        "nut;no;no;no;no",
    )
    assert found == [
        "Part oil is insured, can swim, must register, and has lid.",
        "Part nut is not insured, cannot swim, need not register, and has no lid.",
    ]


def test_a_sentence_that_ends_in_an_abbreviation_has_one_stop():
    assert said("Part;Load (kg)", "oil;approx.", "nut;5") == [
        "Part oil has a load of approx.",
        "Part nut has a load of 5 kg.",
    ]


def test_a_row_without_its_key_is_said_without_it_and_one_of_no_cells_stands_as_it_is():
    assert said("Part;Fee", "oil;5", "nut;7", ";6", "cap;", "-;-", "lid;8")[2:] == [
        "A part has a fee of 6.",
        "Part cap",
        "-;-",
        "Part lid has a fee of 8.",
    ]


def test_a_row_with_fewer_cells_than_the_key_stands_at_is_said():
    names, values = "; ".join("cdefghij"), ";".join("12345678")
    found = said(f"#;Part;{names}", f"1;oil;{values}", "7", f"2;nut;{values}")
    assert found[1] == "A part has the number 7."


def test_the_scale_of_a_statement_is_said_beside_what_it_scales():
    assert said("(in thousands);2024;2023", "Sales;4;3", "Costs;7;8") == [
        "Sales (in thousands) \u2014 2024: 4; 2023: 3",
        "Costs (in thousands) \u2014 2024: 7; 2023: 8",
    ]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ("Floor;No;State;Qty", "1;7;worn;4", "1;8;worn;4"),
            "Number 7 has a floor of 1, a state of worn, and a qty of 4.",
        ),
        (
            ("Part;Since;Price;valid until;f", "oil;2021;5;June;7", "nut;2022;6;May;8"),
            "Part oil has a price of 5. Since: 2021. valid until: June. f: 7.",
        ),
        (
            ("Part;Since;Opted in", "oil;2021;yes", "nut;2022;no"),
            "Part oil has opted in. Since: 2021.",
        ),
        (("Part;Since", "oil;2021", "nut;2022"), "Part oil. Since: 2021."),
        (
            ("Region;Kind;Year;Sales", "North;new;2023;4", "North;new;2024;5"),
            "Region North, year 2023, has a kind of new and sales of 4.",
        ),
    ],
)
def test_the_key_is_of_the_columns_that_tell_rows_apart(lines, sentence):
    assert said(*lines)[0] == sentence


def test_no_columns_have_no_key():
    assert columns_of([], [[]]) == []


def test_rows_of_more_patterns_than_are_kept_are_said_alike_each_time():
    """Each row leaves out other cells, and the first come again when theirs is forgotten."""
    width = 10
    names = [f"c{at}" for at in range(width)]
    patterns = [*range(1, 700), *range(1, 9)]
    held = [[at for at in range(width) if number >> at & 1] for number in patterns]
    rows = [
        ";".join([f"k{n}", *(f"v{at}" if at in cells else "" for at in range(width))])
        for n, cells in enumerate(held)
    ]
    document = parsed(";".join(["Part", *names]), *rows)
    [table] = tables_of(document)
    sentences = sentences_of(document, table, "neutral")
    assert list(sentences.of(table.rows)) == [
        f"k{n} \u2014 {'; '.join(f'c{at}: v{at}' for at in cells)}" for n, cells in enumerate(held)
    ]
    assert 0 < len(sentences._forms) <= 512


def indexed(text):
    document = parse_text(text, media_type="text/markdown")
    return [chunk.indexed for chunk in parse_strategy("table_rows(prefix=false)").split(document)]


def test_an_ellipsis_at_the_end_of_a_cell_stays_whole():
    text = "| Part | Use |\n|---|---|\n| Bolt | doors, gates and so on... |\n| Nut | Acme Inc. |\n"
    first, second = indexed(text)
    assert first.endswith("so on...")
    assert second.endswith("Inc.")


def test_a_scale_in_brackets_keeps_its_brackets():
    text = "| Verkäufe (in Mio.) | Ort |\n|---|---|\n| Nord | Köln |\n| Süd | Ulm |\n"
    for said in indexed(text):
        assert said.count("(") == said.count(")")
