"""What was measured through a store, in the terminal and in the HTML report."""

import io
import re

import pytest
from report_samples import corpus, measured
from rich.cells import cell_len
from rich.console import Console
from test_report_html import Page

from seamline.bench import Results, run_bench
from seamline.config import BenchConfig
from seamline.phrases import signed
from seamline.report.html import report_html
from seamline.report.model import standings
from seamline.report.through import searched, through_table
from seamline.store import open_store

LONG = (
    "recursive(size=30, overlap=0)",
    "recursive(size=1000, overlap=100, unit=characters)",
    "hierarchical(parent=sections, size=200)",
    "whole",
)
TIMES = ("p50_ms", "p95_ms", "p99_ms", "build_seconds")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """Results with a store's, and the documents."""
    documents, questions = corpus(6)
    config = BenchConfig(strategies=LONG, retriever="bm25", budget=40, k=3)
    path = tmp_path_factory.mktemp("store") / "index.db"
    with open_store(f"sqlite:///{path}") as store:
        results = run_bench(documents, questions, config, store=store)
    return results, {document.id: document for document in documents}


def lossy(results, **wide):
    """The same with losses, and figures as wide as a large store has."""
    rows = [
        {**row, "through": 0.1234 * (i + 1), "exact": 0.7654, "n_changed": 123_456, "overlap": 0.8}
        for i, row in enumerate(results.data["through"])
    ]
    slow = {"p50_ms": 12.34, "p95_ms": 123.45, "p99_ms": 12_345.67, "build_seconds": 98_765.43}
    clocked = {row["spec"]: {**slow, "n_bytes": 98_765_400_000, **wide} for row in rows}
    timings = {**results.timings, "through": clocked}
    return Results({**results.data, "through": rows}, timings)


def shown(results, width):
    console = Console(file=io.StringIO(), width=width, legacy_windows=False)
    console.print(through_table(results), crop=False)
    return console.file.getvalue()


def words(text):
    return set(text.split())


def page_of(results, documents, timings=None):
    text = report_html(results, documents, timings)
    found = re.search(r'<section id="through">.*?</section>', text)
    return Page(found.group()) if found else None


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_no_number_is_cut_at_any_width(sample, width):
    for results in (sample[0], lossy(sample[0])):
        text = shown(results, width)
        assert max(map(cell_len, text.splitlines())) <= width
        assert "…" not in text
        for row in results.data["through"]:
            clocked = results.timings["through"][row["spec"]]
            assert {
                f"{row['through']:.3f}",
                f"{row['exact']:.3f}",
                signed(row["through"] - row["exact"]),
                f"{row['n_changed']:,}",
                f"{row['overlap']:.3f}",
                *(f"{clocked[key]:,.2f}" for key in TIMES),
                f"{clocked['n_bytes'] / 1e6:,.1f}",
            } <= words(text)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_heads_are_whole_and_strategies_break_after_commas_only(sample, width):
    text = shown(lossy(sample[0]), width)
    assert {"@40t", "exact", "loss", "questions", "changed", "alike", "built", "MB"} <= words(text)
    for spec in LONG:
        for part in spec.split(", "):
            assert part in text
    assert not [line for line in text.splitlines() if line.strip() == "," or line != line.rstrip()]


def test_it_is_one_table_where_there_is_room_and_found_above_taken_where_there_is_not(sample):
    assert shown(sample[0], 130).count("Strategy") == 1
    above, _, below = shown(sample[0], 80).partition("p50")
    assert (above.count("Strategy"), below.count("Strategy")) == (1, 1)
    assert "MB" in below


def test_the_best_through_the_store_stands_first_whichever_way_is_better(sample):
    results = lossy(sample[0])
    placed = standings(results)
    specs = [row["spec"] for row in results.data["through"]]
    assert [one.row["spec"] for one in searched(results, placed, {})] == specs[::-1]
    config = {**results.data["config"], "lower_is_better": True}
    lower = Results({**results.data, "config": config})
    assert [one.row["spec"] for one in searched(lower, placed, {})] == specs
    rows = [{**row} for row in results.data["through"]]
    rows[-1]["through"] = None
    (*_, last) = searched(Results({**results.data, "through": rows}), placed, {})
    assert (last.row["spec"], last.loss) == (specs[-1], None)


def test_of_many_strategies_the_best_15_are_shown_and_the_rest_is_counted(sample):
    names = tuple(f"fixed(size={n}, overlap=0)" for n in range(10, 27))
    documents, questions = corpus(3)
    config = BenchConfig(strategies=names, retriever="bm25", budget=40)
    with open_store("memory://") as store:
        results = run_bench(documents, questions, config, store=store)
    text = shown(results, 130)
    assert text.count("fixed(") == 15
    assert "… and 2 more, which the report has" in text
    page = page_of(results, documents)
    assert page.words.count("fixed(") == 2 * 15 + 17
    assert "Drawn are the best 15 of 17." in page.words


def test_results_without_times_have_no_empty_columns(sample):
    bare = Results(sample[0].data)
    text = shown(bare, 80)
    assert "alike" in text
    assert not {"p50", "built", "MB"} & words(text)
    page = page_of(bare, sample[1])
    assert "Milliseconds" not in page.words
    assert [name for name, _ in page.elements].count("ol") == 1


def test_a_store_that_does_not_say_its_size_has_a_dash(sample):
    text = shown(lossy(sample[0], n_bytes=None), 130)
    rows = [line for line in text.splitlines() if "98,765.43" in line]
    assert len(rows) == len(LONG)
    assert all(row.endswith("–") for row in rows)


def test_one_strategy_alone_has_no_marks_that_compare(sample):
    documents, questions = corpus(3)
    config = BenchConfig(strategies=("whole",), retriever="bm25", budget=40)
    with open_store("memory://") as store:
        results = run_bench(documents, questions, config, store=store)
    assert "ruled out" not in shown(results, 80)
    assert page_of(results, documents)


def test_the_report_has_the_table_of_the_terminal(sample):
    results = lossy(sample[0])
    page = page_of(results, sample[1])
    cells = [text.strip() for text in page.text]
    for row in results.data["through"]:
        assert f"{row['through']:.3f}" in cells
        assert signed(row["through"] - row["exact"]) in cells
    assert cells.count("12,345.67") == len(LONG)
    assert cells.count("98,765.4") == len(LONG)
    for head in ("exact", "loss", "questions changed", "top 10 alike", "p99 ms", "built s", "MB"):
        assert head in cells
    names = [name for name, _ in page.elements]
    assert names.count("table") == names.count("caption") == 1
    assert all(
        attrs.get("scope") in ("row", "col") for name, attrs in page.elements if name == "th"
    )


def test_the_charts_have_a_row_a_strategy_and_say_nothing_to_a_reader_of_screens(sample):
    page = page_of(lossy(sample[0]), sample[1])
    lists = [attrs["aria-label"] for name, attrs in page.elements if name == "ol"]
    assert lists == ["Recall@40t through the store and exact", "Milliseconds of a search"]
    drawings = [attrs for name, attrs in page.elements if name == "svg"]
    assert len(drawings) == 2 * (len(LONG) + 1)
    assert all(attrs["aria-hidden"] == "true" for attrs in drawings)
    circles = [attrs for name, attrs in page.elements if name == "circle"]
    assert len(circles) == 3 * len(LONG)
    exact, through = (attrs["cx"] for attrs in circles[:2])
    assert exact != through
    assert not [attrs for _, attrs in page.elements if "style" in attrs]


def test_times_that_are_given_take_the_place_of_those_of_the_run(sample):
    spec = LONG[0]
    given = {"through": {spec: {"p50_ms": 0.0, "p95_ms": 77.5, "p99_ms": 88.25}}}
    page = page_of(*sample, given)
    assert "77.50" in page.words
    assert "88.25" in page.words


def test_a_report_without_a_store_says_nothing_of_one():
    results, documents = measured(4)
    text = report_html(results, documents)
    assert page_of(results, documents) is None
    assert "#through" not in text
    assert "hrough the store" not in text


def test_taking_the_store_out_of_the_results_takes_only_its_section_out(sample):
    results, documents = sample
    data = {name: one for name, one in results.data.items() if name != "through"}
    without = report_html(Results(data), documents, {})
    text = report_html(results, documents, {})
    text = re.sub(r'<section id="through">.*?</section>', "", text)
    assert text.replace('<a href="#through">Store</a>', "") == without
