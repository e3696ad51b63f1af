"""Tables in PDF files with lines drawn around their cells."""

import pytest
from pdf_samples import bar, lines, pdf, rule, text

from seamline.parse.pdf import PdfParser

ROWS = [("Model", "Flow", "Note"), ("P-200", "120", "small"), ("P-300", "180", "large")]
TABLE = [
    "| Model | Flow | Note |\n|---|---|---|",
    "| P-200 | 120 | small |",
    "| P-300 | 180 | large |",
]
WORDS = "The following table has all the models that are sold this year, with their weights."
LEFT, TOP, WIDTH, STEP = 60, 700, 34, 16


def parse(*pages, **options):
    return PdfParser().parse(pdf(*pages, **options), "a.pdf")


def rows_of(document):
    return [
        document.text[block.span.start : block.span.end]
        for block in document.blocks
        if block.kind == "table_row"
    ]


def words(rows, *, x=LEFT, top=TOP):
    """Cells that nearly touch: without lines there is no telling them apart."""
    return "".join(
        text(x + WIDTH * j + 2, top - STEP * i - 12, cell)
        for i, row in enumerate(rows)
        for j, cell in enumerate(row)
    )


def edges(n_rows, n_columns, *, x=LEFT, top=TOP):
    """Where each line of a grid begins and ends."""
    right, bottom = x + WIDTH * n_columns, top - STEP * n_rows
    across = [(x, top - STEP * i, right, top - STEP * i) for i in range(n_rows + 1)]
    return across + [(x + WIDTH * j, bottom, x + WIDTH * j, top) for j in range(n_columns + 1)]


def strokes(n_rows, n_columns, **place):
    return "".join(rule(*edge) for edge in edges(n_rows, n_columns, **place))


def bars(n_rows, n_columns):
    return "".join(
        bar(x0 - 0.3, y0 - 0.3, x1 - x0 + 0.6, y1 - y0 + 0.6)
        for x0, y0, x1, y1 in edges(n_rows, n_columns)
    )


def frames(n_rows, n_columns):
    return "".join(
        f"{LEFT + WIDTH * j + 0.5} {TOP - STEP * (i + 1) + 0.5} {WIDTH - 1} {STEP - 1} re S\n"
        for i in range(n_rows)
        for j in range(n_columns)
    )


def inner(n_rows, n_columns):
    """The lines between cells alone."""
    across, down = edges(n_rows, n_columns)[: n_rows + 1], edges(n_rows, n_columns)[n_rows + 1 :]
    return "".join(rule(*edge) for edge in across[1:-1] + down[1:-1])


def moved(n_rows, n_columns):
    return (
        f"q 2 0 0 2 {LEFT} {TOP} cm\n"
        + "".join(
            rule(*((value - base) / 2 for value, base in zip(edge, (LEFT, TOP) * 2, strict=True)))
            for edge in edges(n_rows, n_columns)
        )
        + "Q\n"
    )


@pytest.mark.parametrize("draw", [strokes, bars, frames, inner, moved])
def test_cells_are_told_by_the_lines_around_them(draw):
    page = text(LEFT, TOP + 6, WORDS) + draw(3, 3) + words(ROWS) + text(LEFT, TOP - 64, WORDS)
    document = parse(page)
    assert rows_of(document) == TABLE
    assert document.text.split("\n\n") == [WORDS, "\n".join(TABLE), WORDS]


def test_without_lines_such_cells_run_together():
    assert rows_of(parse(words(ROWS))) == []


def test_turned_pages_have_their_tables():
    turned = f"q 0 1 -1 0 {TOP} 0 cm\n" + strokes(3, 3) + words(ROWS) + "Q\n"
    assert rows_of(parse(turned)) == TABLE


def test_a_cells_lines_are_its_text_and_words_parted_are_joined():
    page = strokes(2, 3).replace(f" {TOP - 32} ", f" {TOP - 60} ") + words(ROWS[:1])
    page += lines(LEFT + 2, 672, ["P-400"]) + lines(LEFT + 36, 672, ["two or", "three"])
    page += lines(LEFT + 70, 672, ["a con-", "nection", "to it"])
    assert rows_of(parse(page))[1:] == ["| P-400 | two or three | a connection to it |"]


def test_a_word_that_runs_over_its_cell_stays_whole():
    page = strokes(2, 3) + words([("Revolutions", "", "Note"), ("1", "2", "3")])
    assert rows_of(parse(page))[0].startswith("| Revolutions |  | Note |")


def test_a_line_under_a_word_parts_no_row():
    page = strokes(3, 3) + rule(LEFT + 36, TOP - 30, LEFT + 60, TOP - 30)
    page += rule(LEFT + 2, TOP - 28, LEFT + 20, TOP - 28)
    assert rows_of(parse(page + words(ROWS))) == TABLE


def test_merged_cells_stand_in_each_place_they_cover():
    page = "".join(
        rule(*edge)
        for edge in edges(3, 3)
        if edge != (LEFT + WIDTH * 2, TOP - 48, LEFT + WIDTH * 2, TOP)
    )
    page += rule(LEFT + WIDTH * 2, TOP - 48, LEFT + WIDTH * 2, TOP - 16)
    page += words([("Model", "Flow in liters"), *ROWS[1:]])
    assert rows_of(parse(page)) == [
        "| Model | Flow in liters | Flow in liters |\n|---|---|---|",
        *TABLE[1:],
    ]


def test_rows_without_lines_between_them_are_rows():
    page = strokes(1, 3) + strokes(3, 3, top=TOP - STEP).replace(
        rule(LEFT, TOP - 32, LEFT + 102, TOP - 32), ""
    ).replace(rule(LEFT, TOP - 48, LEFT + 102, TOP - 48), "")
    more = ("P-400", "", "huge")
    assert rows_of(parse(page + words([*ROWS, more]))) == [*TABLE, "| P-400 |  | huge |"]


def test_a_table_beside_text_stands_in_its_column():
    left = ["Left words that run along here to", "the right edge of their column and", "so on."]
    page = lines(LEFT, 740, left) + strokes(3, 3) + words(ROWS) + lines(LEFT, 630, left)
    right = [f"Right words that run along, line {i} so" for i in range(12)]
    document = parse(page + lines(320, 740, right))
    first = " ".join(left)
    assert document.text.split("\n\n")[:3] == [first, "\n".join(TABLE), first]
    assert document.text.split("\n\n")[3].startswith("Right words that run along, line 0")


def test_tables_side_by_side_are_read_one_after_the_other():
    page = strokes(3, 3) + words(ROWS) + strokes(3, 3, x=300) + words(ROWS, x=300)
    assert rows_of(parse(page)) == TABLE * 2


def test_rows_in_the_margin_of_several_pages_are_kept():
    body = [(f"P-{i}", f"{i}", "even") for i in range(44)]
    page = strokes(45, 3, top=780) + words([ROWS[0], *body], top=780)
    assert len(rows_of(parse(page, page, page))) == 3 * 45


@pytest.mark.parametrize(
    "drawing",
    [
        "40 40 500 760 re S\n",
        rule(LEFT, 720, 500, 720) + rule(LEFT, 100, 500, 100) + rule(300, 100, 300, 720),
        strokes(2, 2).replace(f" {TOP - 32} ", " 100 "),
        "".join(rule(LEFT, 720, 500, 720 - i) for i in range(3)),
        "".join(rule(LEFT, y / 10, 500, y / 10) for y in range(1000, 7000)),
        rule(1e30, 1e30, -1e30, 1e30) + rule(-1e30, 1, 1e30, 1) + strokes(12, 12),
    ],
    ids=["frame", "columns", "tall", "slanted", "drawing", "chart"],
)
def test_lines_that_make_no_table_change_nothing(drawing):
    page = text(LEFT, 760, "Models", 18) + lines(LEFT, 690, [WORDS, "They are sold here."])
    assert parse(drawing + page) == parse(page)


def test_headings_far_apart_or_elsewhere_on_the_line_are_several():
    below = lines(50, 600, [WORDS, WORDS])
    far = text(60, 760, "Pump Manual", 18) + text(60, 732, "Safety", 18)
    aside = text(240, 760, "Pump Manual", 18) + text(60, 740, "Safety", 18)
    near = text(60, 760, "Pump Manual and", 18) + text(60, 740, "Safety", 18)
    centred = text(60, 760, "Pump Manual and all there is", 18) + text(155, 740, "Safety", 18)
    found = [
        [block.title for block in parse(page + below).blocks if block.kind == "heading"]
        for page in (far, aside, near, centred)
    ]
    assert found == [
        ["Pump Manual", "Safety"],
        ["Pump Manual", "Safety"],
        ["Pump Manual and Safety"],
        ["Pump Manual and all there is Safety"],
    ]
