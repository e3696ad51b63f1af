"""Rows as chunks and as sentences: what must hold for tables as they are met."""

from __future__ import annotations

import pytest

from seamline.errors import InvalidConfig
from seamline.parse import parse_text
from seamline.split import parse_strategy
from seamline.testing import check_strategy
from seamline.types import Block, Document, Span


def markdown(names, *rows, above=""):
    """A Markdown table; cells parted by semicolons."""
    lines = [names.split(";"), *(row.split(";") for row in rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    table = "\n".join(f"| {' | '.join(cell.strip() for cell in line)} |" for line in lines)
    return parse_text(f"{above}\n\n{table}" if above else table, media_type="text/markdown")


def said(document, spec="table_rows(prefix=false)"):
    """What is indexed of the chunks that hold rows."""
    rows = {b.span.end for b in document.blocks if b.kind == "table_row" and b.title != "header"}
    chunks = check_strategy(parse_strategy(spec), document)
    return [chunk.indexed for chunk in chunks if chunk.end in rows]


DENTAL = markdown(
    "Plan; Annual maximum; Deductible; Includes dependents",
    "Standard; $2,000; $50; Yes",
    "Basic; $1,000; $100; No",
    above="# Benefits\n\n## Dental Care",
)


def test_a_row_is_said_by_heading_header_and_cells():
    assert said(DENTAL) == [
        (
            "The Dental Care Standard plan has an annual maximum of $2,000, a deductible of $50, "
            "and includes dependents."
        ),
        (
            "The Dental Care Basic plan has an annual maximum of $1,000, a deductible of $100, "
            "and does not include dependents."
        ),
    ]


def test_the_chunk_is_the_row_and_its_header_is_shown():
    first, second = parse_strategy("table_rows").split(DENTAL)
    header = DENTAL.text[DENTAL.text.index("| Plan") : DENTAL.text.index("\n| Standard")]
    above = "# Benefits\n\n## Dental Care\n\n"
    assert (first.text, first.context) == (
        f"{above}{header}\n| Standard | $2,000 | $50 | Yes |",
        "",
    )
    assert (second.text, second.context) == ("| Basic | $1,000 | $100 | No |", header)


def test_titles_that_the_sentence_does_not_name_stand_over_it():
    first = parse_strategy("table_rows").split(DENTAL)[0]
    assert first.indexed.split("\n")[0] == "Benefits"


@pytest.mark.parametrize(
    ("above", "size", "texts"),
    [
        ("# A\n\n## B", 512, ["# A\n\n## B\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"]),
        ("Text.\n\n## B", 512, ["Text.", "## B\n\n| a | b |\n| --- | --- |\n| 1 | 2 |"]),
        ("# A\n\nText.", 512, ["# A\n\nText.", "| a | b |\n| --- | --- |\n| 1 | 2 |"]),
        ("# A" + "\n" * 90, 512, ["# A", "| a | b |\n| --- | --- |\n| 1 | 2 |"]),
        ("# A", 30, ["# A\n\n| a | b |\n| --- | --- |", "| 1 | 2 |"]),
        (
            "# A\n\n| c |\n|---|\n| 3 |",
            512,
            ["# A\n\n| c |\n|---|\n| 3 |", "| a | b |\n| --- | --- |\n| 1 | 2 |"],
        ),
    ],
)
def test_headings_right_above_a_table_are_with_its_first_row(above, size, texts):
    found = markdown("a; b", "1; 2", above=above)
    strategy = parse_strategy(f"table_rows(size={size}, unit=characters)")
    assert [chunk.text for chunk in check_strategy(strategy, found)] == texts


@pytest.mark.parametrize(
    ("names", "row", "sentence"),
    [
        ("Plan; Type; Fee", "Standard; Dental; $5", "has a type of Dental and a fee of $5."),
        ("Plan; Hourly rate; MFA", "Standard; 5; yes", "has an hourly rate of 5 and has MFA."),
        ("Plan; Weight (kg); Load [%]", "Standard; 5; 7", "has a weight of 5 kg and a load of 7%."),
        ("Plan; Weight (kg)", "Standard; 5 kg", "has a weight of 5 kg."),
        ("Plan; Weight (kg)", "Standard; light", "has a weight of light."),
        ("Plan; Share (%)", "Standard; 5%", "has a share of 5%."),
        ("Plan; Cost ($)", "Standard; 5", "has a cost of $5."),
        ("Plan; kEUR", "Standard; 5", "has 5 kEUR."),
        ("Plan; 2024 kEUR; Q1 2025", "Standard; 5; 6", "has 5 kEUR in 2024 and 6 in Q1 2025."),
        ("Plan; Fee; Note", "Standard; ; -", ""),
        ("Plan; Deductible", "Standard; None", "has no deductible."),
        ("Plan; Employees; Sales", "Standard; 40; 7", "has 40 employees and sales of 7."),
        ("Plan; Dependents covered", "Standard; \u2713", "includes dependents."),
        ("Plan; Dependents covered", "Standard; \u2717", "does not include dependents."),
        ("Plan; Receipt required", "Standard; TRUE", "requires receipt."),
        ("Plan; Refundable", "Standard; false", "is not refundable."),
        ("Plan; In stock; EU member", "Standard; Y; N", "is in stock and is not an EU member."),
        ("Plan; Includes", "Standard; soap", "includes soap."),
        ("Plan; Plan type", "Standard; Dental", "has a type of Dental."),
        ("Plan; Start date", "Standard; 2024-05-01", "has the start date 2024-05-01."),
        ("Plan; Founded", "Standard; 1958", ". Founded: 1958."),
        ("Plan; Note", "Standard; Ask first.", ". Note: Ask first."),
        ("Plan; Fee; Note", "Standard; 5; Ask me.", "has a fee of 5. Note: Ask me."),
        ("Plan; 100% {x}", "Standard; 5% {0}", "\u2014 100% {x}: 5% {0}"),
    ],
)
def test_cells_by_their_headers(names, row, sentence):
    [found] = said(markdown(names, row))
    subject = "Standard" if "\u2014" in sentence else "The Standard plan"
    space = "" if sentence.startswith(".") else " "
    assert found == f"{subject}{space}{sentence}".strip()


def test_a_column_is_of_yes_and_no_only_if_all_its_cells_are():
    document = markdown("Plan; Pets", "Basic; Yes", "Plus; Cats only")
    assert said(document) == [
        "The Basic plan has pets of Yes.",
        "The Plus plan has pets of Cats only.",
    ]


def test_a_dash_among_marks_is_a_no():
    document = markdown("Plan; Pets allowed", "Basic; \u2713", "Plus; \u2013")
    assert said(document)[1] == "The Plus plan does not allow pets."


@pytest.mark.parametrize(
    ("names", "rows", "sentence"),
    [
        ("#; Part; Qty", ["1; P-1; 4", "2; P-2; 5"], "Part P-1 has the number 1 and a qty of 4."),
        ("Name; Qty", ["bolt; 4", "nut; 5"], "bolt has a qty of 4."),
        ("; Qty", ["bolt; 4", "nut; 5"], "bolt has a qty of 4."),
        ("Year; Sales", ["2023; 4", "2024; 5"], "Year 2023 has sales of 4."),
        (
            "Region; Year; Sales",
            ["North; 2023; 4", "North; 2024; 5"],
            "Region North, year 2023, has sales of 4.",
        ),
        (
            "ID; State; Qty",
            ["7; worn; 4", "8; worn; 4"],
            "ID 7 has a state of worn and a qty of 4.",
        ),
        ("Plan; Fee", ["Focus Plan; 4", "The Plan; 5"], "The Focus Plan has a fee of 4."),
    ],
)
def test_the_key_names_the_row(names, rows, sentence):
    assert said(markdown(names, *rows))[0] == sentence


def test_markup_escaped_pipes_and_links_are_plain_in_the_sentence():
    document = markdown("Name; Call; Unit", "**`a_b`**; [x](y.md) \\| `c`; <b>kg</b>")
    assert said(document) == ["a_b has a call of x | c and a unit of kg."]


def test_names_of_several_header_rows_are_joined():
    text = "| Region | 2024 | 2025 |\n|  | kEUR | kEUR |\n|---|---|---|\n| R1 | 10 | 11 |"
    document = parse_text(text, media_type="text/markdown")
    assert said(document) == ["Region R1 has 10 kEUR in 2024 and 11 kEUR in 2025."]


def test_a_group_over_several_columns_names_each_of_them():
    text = "| Day | Load |  | Rest |\n|  | am | pm | am |\n|---|---|---|---|\n| Mon | 1 | 2 | 3 |"
    document = parse_text(text, media_type="text/markdown")
    assert said(document, "table_rows(template=neutral, prefix=false)") == [
        "Mon \u2014 Load am: 1; Load pm: 2; Rest am: 3"
    ]


def test_first_rows_that_go_on_with_the_header_name_the_columns():
    document = markdown("; Years ended May 31,;", "; 2024; 2023", "Sales; 5; 4")
    assert said(document)[1] == "Sales \u2014 Years ended May 31, 2024: 5; 2023: 4"


def test_a_cell_that_says_as_above_is_filled_no_empty_one():
    document = markdown("Name; Maker; Use", "a; Acme; x1", "b; ^^;", "c; \u3003; y1")
    assert said(document)[1:] == [
        "b has a maker of Acme.",
        "c has a maker of Acme and a use of y1.",
    ]


@pytest.mark.parametrize(
    ("names", "row", "sentence"),
    [
        ("Artikel; Gr\u00f6\u00dfe (cm)", "Ventil; 5", "Ventil \u2014 Gr\u00f6\u00dfe (cm): 5"),
        (
            "\u8ba1\u5212; \u4e0a\u9650; \u8d39",
            "\u6807\u51c6; 20; 5",
            "\u6807\u51c6 \u2014 \u4e0a\u9650\uff1a20\uff1b\u8d39\uff1a5",
        ),
        ("Sales; Year ended May 31,", "Total; 5", "Total \u2014 Year ended May 31,: 5"),
    ],
)
def test_headers_that_are_no_english_labels_are_named_beside_their_cells(names, row, sentence):
    assert said(markdown(names, row)) == [sentence]


def test_a_language_that_a_document_names_is_not_said_in_english():
    document = markdown("Plan; Preis", "Basis; 5")
    other = Document(document.id, document.text, document.blocks, metadata={"language": "de"})
    assert said(other) == ["Basis \u2014 Preis: 5"]


def test_rows_without_a_header_are_their_cells():
    text = "bolt;4\nnut;5\nscrew;6\n"
    document = parse_text(text, media_type="text/csv")
    assert document.metadata["has_header"] is False
    assert said(document) == ["bolt, 4", "nut, 5", "screw, 6"]


def test_csv_cells_are_read_by_its_rules():
    text = 'name,use,price\n"bolt, ""M4""","hold\nfast",2.5\nnut,turn,3\n'
    document = parse_text(text, media_type="text/csv")
    assert said(document) == [
        'bolt, "M4" has a use of hold fast and a price of 2.5.',
        "nut has a use of turn and a price of 3.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "name  load  state\nmon   40    worn\ntue   55    ok",
        "name\tload\tstate\nmon\t40\tworn\ntue\t55\tok",
        "name | load | state\nmon | 40 | worn\ntue | 55 | ok",
        (
            "+-----+----+------+\n|name |load|state |\n+=====+====+======+\n"
            "|mon  |40  |worn  |\n+-----+----+------+\n|tue  |55  |ok    |\n+-----+----+------+"
        ),
    ],
)
def test_every_layout_of_plain_text_says_the_same(text):
    document = parse_text(text, media_type="text/plain")
    assert said(document) == [
        "mon has a load of 40 and a state of worn.",
        "tue has a load of 55 and a state of ok.",
    ]


def test_html_tables_are_said():
    html = (
        "<table><tr><th>Name<th>Load<tr><td rowspan=2>mon<td>40<tr><td>42<tr><td>tue<td>7</table>"
    )
    document = parse_text(html, media_type="text/html")
    assert said(document) == [
        "mon has a load of 40.",
        "mon has a load of 42.",
        "tue has a load of 7.",
    ]


def test_tables_in_quotes_and_lists_take_their_margins_along():
    text = "> | a1 | b1 |\n> |---|---|\n> | x | 2 |\n> | y | 3 |\n\n- | a1 | b1 |\n  |---|---|\n  | z | 4 |"
    document = parse_text(text, media_type="text/markdown")
    texts = [chunk.text for chunk in check_strategy(parse_strategy("table_rows"), document)]
    assert [text.rsplit("\n", 1)[-1].strip(" >") for text in texts] == [
        "| x | 2 |",
        "| y | 3 |",
        "| z | 4 |",
    ]


def test_a_row_over_the_limit_is_cut_between_cells_and_its_key_said_again():
    document = markdown("Plan; Fee; Note; Size", "Standard; $2,000; a long note on it; 12")
    chunks = parse_strategy("table_rows(size=32, unit=characters)").split(document)
    rows = [(c.text, c.indexed) for c in chunks if "Standard" in c.indexed]
    assert rows == [
        ("| Standard | $2,000", "The Standard plan has a fee of $2,000."),
        (
            "| a long note on it | 12 |",
            "The Standard plan has a note of a long note on it and a size of 12.",
        ),
    ]


def test_a_table_that_is_only_a_header_is_cut_as_structure_does():
    document = markdown("a; b", above="Text.")
    texts = [chunk.text for chunk in parse_strategy("table_rows").split(document)]
    assert texts == [chunk.text for chunk in parse_strategy("structure").split(document)]


def test_a_document_without_tables_is_cut_as_structure_does():
    document = parse_text("# A\n\nOne.\n\n# B\n\nTwo.", media_type="text/markdown")
    assert parse_strategy("table_rows").split(document) == parse_strategy("structure").split(
        document
    )


def test_a_template_says_what_it_names():
    spec = 'table_rows(template="{table}|{path}|{key}|{deductible}|{cells}|{{}} 5%")'
    assert said(DENTAL, spec)[0] == (
        "Dental Care|Benefits > Dental Care|Standard|$50|Annual maximum: $2,000; Deductible: $50; "
        "Includes dependents: Yes|{} 5%"
    )
    strategy = parse_strategy(spec)
    assert parse_strategy(str(strategy)) == strategy


def test_a_template_may_name_the_columns_of_a_table_without_header_by_number():
    document = parse_text("bolt;4\nnut;5\nscrew;6\n", media_type="text/csv")
    assert said(document, 'table_rows(template="{column 2} {key}")')[0] == "4 bolt"


def test_a_column_that_a_table_lacks_is_named():
    strategy = parse_strategy('table_rows(template="{key} {Price}")')
    with pytest.raises(InvalidConfig, match=r"needs 'Price'.*has the columns Plan, Annual maximum"):
        strategy.split(DENTAL)


@pytest.mark.parametrize("template", ["{key", "{}", "key", "", 3, None])
def test_a_template_that_cannot_work_is_refused_when_the_strategy_is_made(template):
    from seamline.split.table_rows import TableRows

    with pytest.raises(InvalidConfig, match="template"):
        TableRows(template=template)


def test_blocks_of_a_parser_of_ones_own_do():
    text = "a1;b1\nx;2\ny;3"
    rows = [Block("table_row", Span(at, at + n)) for at, n in ((0, 5), (6, 3), (10, 3))]
    header = Block("table_row", rows[0].span, title="header")
    document = Document.from_text(text, blocks=(Block("table", Span(0, 13)), header, *rows[1:]))
    chunks = check_strategy(parse_strategy("table_rows"), document)
    assert [chunk.text for chunk in chunks] == ["a1;b1\nx;2", "y;3"]


@pytest.mark.parametrize(
    "text",
    [
        "|a|b|\n|-|-|\n" + "|1|2|\n" * 3000,
        "|" + "a|" * 3000 + "\n|" + "-|" * 3000 + "\n|" + "1|" * 3000,
        "|a|b|\n|-|-|\n" + "|" + "`" * 9000 + "|" + "[" * 9000 + "|\n",
        "|a|b|\n|-|-|\n" + "|" + "**" * 9000 + "|" + "[a](" * 9000 + "|\n",
        "|" + "x" * 20000 + "|b|\n|-|-|\n" + "|1|2|\n" * 500,
        "|a|b|\n|-|-|\n" + "|1|\n|1|2|3|\n" * 1000,
    ],
)
def test_odd_tables_keep_the_laws(text):
    document = parse_text(text, media_type="text/markdown")
    check_strategy(parse_strategy("table_rows(size=64)"), document)


@pytest.mark.parametrize("blank", [0, 1, 2])
def test_a_blank_row_is_no_chunk(blank):
    lines = ["| 1 | 2 |", "| 3 | 4 |", "| 5 | 6 |"]
    lines[blank] = "         "
    text = "\n".join(lines)
    rows = [Block("table_row", Span(10 * at, 10 * at + 9)) for at in range(3)]
    document = Document.from_text(text, blocks=(Block("table", Span(0, len(text))), *rows))
    found = [chunk.text for chunk in parse_strategy("table_rows").split(document)]
    assert found == [line for line in lines if line.strip()]
