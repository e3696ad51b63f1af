"""Laws of one chunk a row, on tables of every layout between blocks of other kinds."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from seamline.parse import parse_text
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy
from seamline.testing import check_strategy
from seamline.testing.texts import odd_texts

CELLS = st.one_of(
    st.sampled_from(
        [
            *(
                "",
                "-",
                "Yes",
                "no",
                "\u2713",
                "\u2717",
                "x",
                "5",
                "1,200",
                "$50",
                "2024-05-01",
                "^^",
            ),
            *(
                "**bold**",
                "a\\|b",
                "`|`",
                "[t](u)",
                "&lt;b&gt;",
                "{0}",
                "{",
                "}",
                "\u662f",
                "e\u0301",
            ),
            *(
                "None",
                "A long text. It has sentences; and, commas, and so on" * 2,
                "\u0301x",
                "\u200d",
            ),
        ]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\n\r"), max_size=6),
)
NAMES = st.one_of(
    st.sampled_from(
        [
            *(
                "Plan",
                "Name",
                "#",
                "Weight (kg)",
                "kEUR",
                "2024",
                "",
                "Includes pets",
                "\u4ef7\u683c",
            ),
            *("Active", "Hours", "Gr\u00f6\u00dfe", "{key}", "Dependents covered", "Plan type"),
        ]
    ),
    CELLS,
)


def _piped(rows, *, delimiter):
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if delimiter and lines:
        lines.insert(1, "|" + "---|" * max(1, len(rows[0])))
    return "\n".join(lines)


@st.composite
def tables(draw):
    names = draw(st.lists(NAMES, min_size=1, max_size=5))
    n_cells = st.sampled_from([len(names), len(names), len(names) + 1, max(1, len(names) - 1)])
    rows = [
        draw(st.lists(CELLS, min_size=n, max_size=n)) for n in draw(st.lists(n_cells, max_size=6))
    ]
    form = draw(st.sampled_from(["pipes", "bare", "quoted", "listed", "tabs", "columns"]))
    rows = [names, *rows]
    if form == "tabs":
        return "\n".join("\t".join(row) for row in rows)
    if form == "columns":
        return "\n".join("".join(f"{cell:<14}" for cell in row) for row in rows)
    text = _piped(rows, delimiter=draw(st.booleans()) or form == "pipes")
    if form == "bare":
        return text.replace("| ", "", 1).replace("\n| ", "\n")
    mark = {"quoted": "> ", "listed": "  "}.get(form, "")
    lines = text.replace("\n", f"\n{mark}")
    return f"- {lines}" if form == "listed" else f"{mark}{lines}"


OTHERS = st.sampled_from(
    [
        *(
            "",
            "# Dental Care",
            "## Plans {a}",
            "Prose. Two sentences of it.",
            "- one\n- two",
            "\x0c",
        ),
        *("```\n| a |\n|---|\n```", "> quoted", "**Q: Why?**\n\nA: So.", "1. first\n2. second"),
    ]
)
TEXTS = st.lists(st.one_of(tables(), OTHERS, odd_texts(8)), max_size=6).map("\n\n".join)
TEMPLATES = st.sampled_from(["auto", "neutral", "sentence", '"{path} {table} {key}: {cells}"'])


@given(
    TEXTS,
    st.sampled_from(["text/markdown", "text/plain"]),
    st.sampled_from([1, 2, 5, 12, 40, 200]),
    st.sampled_from(["characters", "words", "tokens"]),
    TEMPLATES,
    st.booleans(),
)
def test_rows_and_what_lies_between_keep_the_laws(text, media_type, size, unit, template, prefix):
    document = parse_text(text, media_type=media_type)
    spec = (
        f"table_rows(size={size}, unit={unit}, template={template}, prefix={str(prefix).lower()})"
    )
    strategy, sizer = parse_strategy(spec), parse_sizer(unit)
    assert parse_strategy(str(strategy)) == strategy
    for chunk in check_strategy(strategy, document, sizer=sizer, limit=size):
        assert chunk.indexed.strip()
        if chunk.context:
            assert sizer.size(chunk.text) + sizer.size(f"{chunk.context}\n") <= size


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=8), st.booleans())
def test_a_row_is_a_chunk_where_it_fits(rows, delimiter):
    document = parse_text(_piped(rows, delimiter=delimiter), media_type="text/markdown")
    wanted = [block for block in document.blocks if block.kind == "table_row"]
    chunks = parse_strategy("table_rows(size=100000)").split(document)
    if wanted:
        assert [chunk.end for chunk in chunks] == [row.span.end for row in wanted[1:]] or len(
            wanted
        ) == 1
        assert [chunk.start for chunk in chunks][1:] == [row.span.start for row in wanted[2:]]


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=8))
def test_a_cell_of_csv_is_said_whatever_it_holds(rows):
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([["key", "size", "kind", "use"], *rows])
    document = parse_text(written.getvalue(), media_type="text/csv")
    chunks = check_strategy(parse_strategy("table_rows(template=neutral)"), document)
    plain = document.metadata.get("delimiter") == "," and len(chunks) == len(rows)
    for chunk, row in zip(chunks, rows, strict=True) if plain else ():
        for cell in row:
            if cell.strip() not in ("", "-", "--", "\u2013", "\u2014", "^^", '"'):
                assert " ".join(cell.rstrip(".").split()) in " ".join(chunk.indexed.split())


_PROSE = st.lists(
    st.sampled_from(["Prose. Two sentences.", "  Indented prose", "More\nlines of it.", "e\u0301"]),
    max_size=4,
)


@given(st.sampled_from(["", "# Part", "### Deep"]), _PROSE, st.sampled_from(["\n\n", "\n \n"]))
def test_short_prose_before_a_table_is_cut_as_structure_cuts_it(heading, prose, gap):
    text = gap.join(filter(None, [heading, *prose]))
    alone = parse_text(text, media_type="text/markdown")
    table = "\n\n| a1 | b1 |\n|---|---|\n| 1 | 2 |"
    before = parse_text(text + table, media_type="text/markdown")
    spans = [chunk.span for chunk in parse_strategy("structure").split(alone)]
    found = [chunk.span for chunk in parse_strategy("table_rows").split(before)]
    if prose or not heading:
        assert found[: len(spans)] == spans
    else:  # it is with the first row
        assert [(span.start, span.end) for span in found] == [(0, len(before.text))]


@given(
    st.lists(
        st.sampled_from(
            [
                "{key}",
                "{",
                "}",
                "{0}",
                "{value}",
                "%s",
                "%",
                "includes {x}",
                "Size {}",
                "{{a}}",
                "Plan",
            ]
        ),
        min_size=1,
        max_size=4,
    ),
    st.lists(
        st.sampled_from(["", "{0}", "Yes", "No", "4", "{", "%d", "word"]), min_size=1, max_size=4
    ),
    st.sampled_from(["auto", "sentence", "neutral"]),
)
def test_braces_and_percent_signs_are_only_text(header, row, template):
    width = max(len(header), len(row))
    lines = [
        [*header, *["x"] * (width - len(header))],
        ["---"] * width,
        [*row, *[""] * (width - len(row))],
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    document = parse_text(text, media_type="text/markdown")
    check_strategy(parse_strategy(f"table_rows(template={template})"), document)
