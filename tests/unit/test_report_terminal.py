"""Tables that fit their terminal, with every number in them."""

import io
import json
import re

import pytest
from report_samples import HOSTILE, changed, measured, numbers
from rich.cells import cell_len
from rich.console import Console

from seamline.golden import validate
from seamline.measure import describe
from seamline.report import (
    draw_chunks,
    findings_table,
    headline_text,
    measures_table,
    ranking_table,
    tags_table,
)
from seamline.report.html import report_html
from seamline.split import parse_strategy
from seamline.types import Chunk, Document, Span

WIDTHS = (60, 80, 100, 128, 200)


@pytest.fixture(scope="module")
def sample():
    return measured()


def drawn(renderable, width=80, **options):
    console = Console(file=io.StringIO(), width=width, legacy_windows=False, **options)
    console.print(renderable, crop=False)
    return console.file.getvalue()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("make", [ranking_table, tags_table, headline_text])
def test_nothing_is_wider_than_the_terminal(sample, make, width):
    lines = drawn(make(sample[0]), width).splitlines()
    assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_the_ranking_shows_every_measure_and_cost_at_any_width(sample, width):
    results = sample[0]
    text = drawn(ranking_table(results), width)
    for row in results.summary():
        for name in ("Recall@40t", "Containment", "Recall@3", "HitWhole@40t", "MRR@3"):
            assert round(row.means[name], 3) in numbers(text)
        assert f" {row.cost['chunks']}" in text
        assert f"{row.cost['inflation']:.2f}" in text
    assert "…" not in text


def test_one_table_where_there_is_room_and_two_where_there_is_not(sample):
    assert drawn(ranking_table(sample[0]), 128).count("Strategy") == 1
    assert drawn(ranking_table(sample[0]), 80).count("Strategy") == 2


def test_those_not_ruled_out_are_marked_without_colour(sample):
    text = drawn(ranking_table(sample[0]), 128)
    best = sample[0].summary()[0].spec
    line = next(line for line in text.splitlines() if best in line)
    assert line.lstrip().startswith("=1 ")
    assert "= not ruled out as worse than the best, corrected for having looked at all" in text


def test_equal_values_share_a_rank(sample):
    primary = sample[0].data["config"]["primary"]

    def change(row, i):
        one = {**row["measures"][primary], "mean": 0.75 if i < 3 else 0.5}
        row["measures"] = {**row["measures"], primary: one}

    text = drawn(ranking_table(changed(sample[0], change)), 128)
    ranks = re.findall(r"^ *=?(\d) +\w+(?:\(| )", text, re.MULTILINE)
    assert ranks == ["1", "1", "1", "4", "4"]


def test_the_difference_to_the_best_has_a_column(sample):
    text = drawn(ranking_table(sample[0]), 128)
    for row in sample[0].data["strategies"]:
        mean = row["difference"]["mean"]
        if mean and row["difference"]["to"] != row["spec"]:
            assert f" {mean:+.3f}".replace("-", "−") in text


def test_one_strategy_alone_has_no_marks_that_compare():
    one, documents = measured(strategies=("whole",))
    for table in (ranking_table(one), tags_table(one)):
        text = drawn(table, 128)
        assert "ruled out" not in text
        assert "Δ" not in text
        assert "=1" not in text
    page = report_html(one, documents)
    assert "Δ best" not in page
    assert "ruled out" not in page


def test_short_heads_are_explained_by_the_names_of_the_measures(sample):
    results = sample[0]
    text = " ".join(drawn(ranking_table(results), 128).split())
    known = {one.name for one in describe()}
    for short, name in re.findall(r"(\S+\.) = (\w+)[,;]", text):
        assert name in known
        assert text.count(short) == 2
    assert "Contain. = Containment" in text
    assert "Infl. = indexed tokens / source tokens" in text
    assert not re.search(r"(?<!Hit)Whole|In one", text)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("make", [ranking_table, tags_table, headline_text])
def test_no_line_ends_in_blanks(sample, make, width):
    assert not [
        line for line in drawn(make(sample[0]), width).splitlines() if line != line.rstrip()
    ]


def test_lists_do_not_end_in_blanks_either():
    assert not [x for x in drawn(measures_table(), 100).splitlines() if x != x.rstrip()]


@pytest.mark.parametrize("width", [60, 80])
def test_strategies_break_after_commas_only(width):
    specs = ("recursive(size=1000, overlap=100, unit=characters)", "fixed(size=256, overlap=25)")
    text = drawn(ranking_table(measured(3, strategies=specs)[0]), width)
    for spec in specs:
        for part in spec.split(", "):
            assert part in text


def test_the_longest_part_of_a_strategy_has_room_at_any_width():
    results = measured(3, strategies=("hierarchical(parent=sections, size=200)", "whole"))[0]
    for width in range(60, 130):
        lines = drawn(ranking_table(results), width).splitlines()
        assert "," not in [line.strip() for line in lines], width


def test_notes_stand_under_the_headline(sample):
    noted = type(sample[0])({**sample[0].data, "notes": ["The budget holds it all.\x1b[31m"]})
    text = drawn(headline_text(noted), 128)
    assert "\n! The budget holds it all.␛[31m.\n" in text


def test_tags_that_do_not_fit_go_into_another_table(sample):
    results = sample[0]
    text = drawn(tags_table(results), 44)
    assert text.count("Strategy") > 1
    for tag in ("oil", "key", "<b>"):
        assert tag in text
    mean = results.data["strategies"][0]["by_tag"]["oil"]["Recall@40t"]["mean"]
    assert round(mean, 3) in numbers(text)


def test_questions_without_tags_say_so():
    results = measured(3)[0]
    bare = [{**question, "tags": []} for question in results.data["questions"]]
    without = type(results)({**results.data, "questions": bare})
    assert "No question has a tag." in drawn(tags_table(without))


def test_every_measure_is_listed():
    measures = drawn(measures_table())
    assert all(one.name in measures and one.range in measures for one in describe())


def golden(tmp_path, *lines):
    path = tmp_path / "golden.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def test_findings_come_with_an_answer_to_paste_on_one_line(tmp_path, sample):
    quote = "The pump 3 needs oils of grade 30 each and every month, and closing valve 3 first"
    lines = [
        {"id": "a", "doc_id": "pump-3", "question": "Oil?", "answers": [{"text": quote}]},
        {"id": "b\x1b[31m", "doc_id": "nowhere", "question": "Oil?", "answers": ["oil"]},
    ]
    checked = validate(golden(tmp_path, *lines), list(sample[1].values()))
    text = drawn(findings_table(checked))
    pasted = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    document = sample[1]["pump-3.md"]
    assert pasted[0]["text"] == document.text[pasted[0]["start"] : pasted[0]["end"]]
    assert "2 questions, 0 gold spans: 2 errors, 0 warnings" in text
    assert "\x1b" not in text


def test_a_clean_golden_set_is_one_line(tmp_path, sample):
    line = {"id": "a", "doc_id": "pump-3", "question": "Which grade?", "answers": []}
    line["answers"] = [{"text": "needs oil of grade 30 each month"}]
    text = drawn(findings_table(validate(golden(tmp_path, line), list(sample[1].values()))))
    assert text == "1 question, 1 gold span: 0 errors, 0 warnings\n"


def cuts(document, spec, **options):
    chunks = parse_strategy(spec).split(document)
    return chunks, drawn(draw_chunks(document, chunks, **options), 200)


def test_a_drawing_shows_each_chunk_once_under_its_line(sample):
    document = sample[1]["pump-3.md"]
    chunks, text = cuts(document, "fixed(size=10, overlap=0)", sizes=[10] * 99)
    heads = [line for line in text.splitlines() if line.endswith("──")]
    assert [line.split(" ─")[0] for line in heads] == [
        f"{i} · {chunk.start:,}–{chunk.end:,} · 10 tokens" for i, chunk in enumerate(chunks, 1)
    ]
    inked = "".join(line[2:] for line in text.splitlines() if line.startswith("│ "))
    assert "".join(inked.split()) == "".join(document.text.split())


def test_overlap_is_set_apart_without_colour(sample):
    chunks, text = cuts(sample[1]["pump-3.md"], "fixed(size=20, overlap=5)")
    again = chunks[0].end - chunks[1].start
    assert f"· repeats {again} characters of the chunk before" in text
    body = text.split("\n2 · ")[1].split("\n3 · ")[0]
    shared = "\n".join(line[2:] for line in body.splitlines() if line.startswith("┊ "))
    assert shared.split() == chunks[1].text[:again].split()


@pytest.mark.parametrize(
    ("cut", "rows"),
    [
        ([(0, 11), (6, 17)], ["│ one 1", "│ two 2", "┊ two 2", "│ six 6"]),
        ([(0, 12), (6, 18)], ["│ one 1", "│ two 2", "┊ two 2", "│ six 6"]),
        ([(0, 5), (5, 18)], ["│ one 1", "│ two 2", "│ six 6"]),
        ([(0, 8), (3, 17)], ["│ one 1", "│ tw", "┊  1", "┊ tw", "│ o 2", "│ six 6"]),
    ],
)
def test_no_row_is_drawn_that_is_no_line_of_the_text(cut, rows):
    document = Document.from_text("one 1\ntwo 2\nsix 6\n", "d")
    chunks = [Chunk("d", start, end, document.text[start:end]) for start, end in cut]
    text = drawn(draw_chunks(document, chunks))
    assert [line for line in text.splitlines() if line[0] in "│┊"] == rows


def test_a_blank_line_of_the_text_is_drawn():
    document = Document.from_text("one\n\ntwo", "d")
    text = drawn(draw_chunks(document, [Chunk("d", 0, 8, document.text)]))
    assert [line.rstrip() for line in text.splitlines() if line[0] == "│"] == [
        "│ one",
        "│",
        "│ two",
    ]


def test_only_the_marks_that_occur_are_explained():
    document = Document.from_text("one two three", "d")
    whole, parts = [(0, 13)], [(0, 7), (4, 7)]
    for cut, said in (
        (whole, "Marks: │ in this chunk"),
        (parts, "Marks: │ in this chunk, ┊ repeated from the chunk before, ✗ in no chunk"),
        ([], "Marks: ✗ in no chunk"),
    ):
        chunks = [Chunk("d", start, end, document.text[start:end]) for start, end in cut]
        assert drawn(draw_chunks(document, chunks)).splitlines()[-1] == said


def test_text_in_no_chunk_is_crossed_out():
    document = Document.from_text("one two three", "d")
    chunk = Chunk("d", 4, 7, "two", parent=Span(0, 13), context="A > B")
    text = drawn(draw_chunks(document, [chunk]), 60)
    assert "✗ one" in text
    assert "✗  three" in text
    assert "1 · 4–7 · parent 0–13 · A > B" in text


def test_wide_characters_fold_inside_the_terminal():
    document = Document.from_text("数据库故障转移手册" * 20 + "👩‍👩‍👧" * 30, "d")
    _, text = cuts(document, "whole")
    narrow = drawn(draw_chunks(document, parse_strategy("whole").split(document)), 40)
    assert max(map(cell_len, narrow.splitlines())) <= 40
    assert text.count("数") == narrow.count("数") == 20


@pytest.mark.parametrize("colour", [None, "truecolor"])
def test_control_characters_of_a_document_never_reach_the_terminal(colour):
    document = Document.from_text(HOSTILE, "\x1b]0;title\x07.md")
    chunks = parse_strategy("fixed(size=8, overlap=2)").split(document)
    text = drawn(draw_chunks(document, chunks), 80, color_system=colour, force_terminal=True)
    assert "\x1b[31m" not in text
    assert "\x1b]0;" not in text
    assert "␛" in text


def test_alternate_chunks_have_different_backgrounds(sample):
    document = sample[1]["pump-3.md"]
    chunks = parse_strategy("fixed(size=10, overlap=0)").split(document)
    text = drawn(draw_chunks(document, chunks), color_system="truecolor", force_terminal=True)
    backgrounds = re.findall(r"\x1b\[38;5;255;48;5;(\d+)m", text)
    assert len(backgrounds) >= len(chunks)
    assert len(set(backgrounds)) == 2


def test_brackets_are_text_and_no_markup():
    document = Document.from_text("[bold]one[/bold]", "[red]d")
    text = drawn(draw_chunks(document, parse_strategy("whole").split(document)))
    assert "[red]d: 1 chunk " in text
    assert "[bold]one[/bold]" in text
