"""Results files that were edited or damaged are refused, and the message says where."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_samples import measured

from seamline.bench import Results
from seamline.bench.against import compare_results
from seamline.bench.checked import check_results
from seamline.bench.recommend import recommend
from seamline.errors import InvalidConfig

RECALL = "Recall@40t"
ROW = ("strategies", 1)
VALUES = (*ROW, "measures", RECALL, "values")


@pytest.fixture(scope="module")
def whole():
    return measured(4)[0]


@pytest.fixture
def data(whole):
    return json.loads(whole.dumps())


def put(data, place, value):
    """`data` with `value` at `place`; without what stands there, if it is `...`."""
    *way, last = place
    for key in way:
        data = data[key]
    if value is ...:
        del data[last]
    else:
        data[last] = value


WRONG = [
    (("strategies",), [], "strategies must be a list of at least one, got []"),
    (("strategies",), 5, "strategies must be a list, got 5"),
    ((*ROW, "spec"), 5, "strategies[1].spec must be a string, got 5"),
    ((*ROW, "spec"), ..., "strategies[1].spec must be there"),
    ((*ROW, "cost"), ..., "strategies[1].cost must be there"),
    ((*ROW, "chunks"), ..., "strategies[1].chunks must be there"),
    ((*ROW, "measures"), ..., "strategies[1].measures must be there"),
    ((*ROW, "measures", RECALL), ..., "strategies[1].measures must have Recall@40t"),
    ((*ROW, "measures", RECALL, "mean"), ..., "measures['Recall@40t'].mean must be there"),
    ((*ROW, "measures", RECALL, "mean"), 1.5, "must have values from 0 to 1, got 1.5"),
    ((*ROW, "measures", RECALL, "n"), 1, ".n must be 7, as many as there are values, got 1"),
    (VALUES, [0.5], ".values must have 7 numbers or nulls, one a question, got 1"),
    ((*VALUES, 2), "1", "values[2] must be a finite number or null, got '1'"),
    ((*VALUES, 2), True, "values[2] must be a finite number or null, got True"),
    ((*VALUES, 2), 1e308, "values[2] must be no larger than 2^53 or null, got 1e+308"),
    ((*VALUES, 2), 10**400, "got a larger one"),
    ((*VALUES, 2), -0.5, "must have values from 0 to 1, got -0.5"),
    ((*ROW, "measures", "Tokens@3", "mean"), -1, "must have values of 0 or more, got -1"),
    ((*ROW, "difference"), -1, "strategies[1].difference must be a table, got -1"),
    ((*ROW, "difference", "to"), "x", "difference.to must be the spec of a strategy, got 'x'"),
    ((*ROW, "top1"), [], "top1 must have 7 entries, one a question, got 0"),
    ((*ROW, "retrieved", 0), [[99, 0, 1, 0.5]], "retrieved must be [document, start, end, score]"),
    ((*ROW, "chunks", "pump-0.md", 0), [0, 10**6], "must be [start, end] within 0 to"),
    ((*ROW, "chunks", "pump-0.md", 0), [3], "must be [start, end] within 0 to"),
    ((*ROW, "chunks", "none.md"), [], "chunks must be those of documents, got 'none.md'"),
    (("config", "margin"), "0.02", "config.margin must be a finite number, got '0.02'"),
    (("config", "margin"), 1e300, "config.margin must be no larger than 2^53, got 1e+300"),
    (("config", "margin"), 2, "config.margin must be from 0 to below 1, got 2"),
    (("config", "primary"), None, "config.primary must be a string, got None"),
    (("config", "primary"), "Recall@77t", "measures must have Recall@77t"),
    (("config", "primary"), "Best", "config.measures must be names of measures, got 'Best'"),
    (("config", "lower_is_better"), True, "config.lower_is_better must be that of Recall@40t"),
    (("documents", 0, "id"), -1, "documents[0].id must be a string, got -1"),
    (("questions", 1, "doc_id"), "no", "questions[1].doc_id must be the id of a document"),
    (("questions", 1, "id"), "q0-oil", "questions[1].id must stand once, got 'q0-oil'"),
]


@pytest.mark.parametrize(("place", "value", "message"), WRONG)
def test_what_cannot_be_is_named(data, place, value, message):
    put(data, place, value)
    with pytest.raises(InvalidConfig, match=re.escape(message)):
        check_results(data)


def test_a_row_stands_once(data):
    data["strategies"].append(data["strategies"][0])
    with pytest.raises(InvalidConfig, match=r"strategies\[5\]\.spec must stand once"):
        check_results(data)


def test_what_older_files_lack_is_not_missed(data):
    for key in ("notes", "diagnosis", "dropped", "skipped_documents"):
        data.pop(key, None)
    del data["config"]["margin"]
    for row in data["strategies"]:
        for key in ("strategy", "retriever", "dedupe", "merge", "knobs"):
            row.pop(key, None)
    check_results(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "must be a results file in JSON, but it is nested too deep: measure again"),
        ("", "in JSON, but it is empty"),
        ("{", "in JSON, but a key is missing or broken at line 1, column 2"),
        ('{"schema": 1,\n"a": }', "in JSON, but a value is missing or broken at line 2, column 6"),
        ("{} {}", "in JSON, but more follows its end at line 1, column 4"),
        ("9" * 5_000, "in JSON, but a number has too many digits"),
        ("null", "must be a results file, but is another one"),
        ('{"schema": 999}', "must be a results file of schema 1, got schema 999"),
        ('{"schema": NaN}', "numbers must be finite, got NaN"),
        ('{"schema": 1, "seamline": "\\ud800"}', "must be a results file in JSON"),
    ],
)
def test_what_is_no_plain_json_is_refused(tmp_path, text, message):
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(InvalidConfig, match=message):
        Results.load(path)


def test_the_message_begins_with_the_file_and_a_byte_order_mark_is_passed_over(whole, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(whole.dumps(), encoding="utf-8-sig")
    assert Results.load(path) == whole
    path.write_text(json.dumps({**whole.data, "notes": 1}))
    with pytest.raises(InvalidConfig, match=r"results\.json: notes must be a list, got 1: measure"):
        Results.load(path)


def places(value, way=()):
    """Where something stands in nested data."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*way, key)
        if isinstance(item, list | dict):
            yield from places(item, (*way, key))


@settings(max_examples=60, deadline=None)
@given(chosen=st.data())
def test_damage_is_refused_or_does_no_harm(whole, chosen):
    data = json.loads(whole.dumps())
    place = chosen.draw(st.sampled_from(sorted(places(data), key=len)))
    values = (None, -1, 5, "x", 1e308, [], {}, True, ...)
    put(data, place, chosen.draw(st.sampled_from(values)))
    try:
        check_results(data)
        results = Results(data)
        recommend(results)
        compare_results(results)
    except InvalidConfig:
        pass


def test_a_measure_without_values_is_not_compared(whole):
    with pytest.raises(InvalidConfig, match="no question has a value of Similarity@1"):
        compare_results(whole, measure="Similarity@1")
    with pytest.raises(InvalidConfig, match="no question has a value of Similarity@1"):
        compare_results(whole, whole, measure="Similarity@1")


def test_one_strategy_with_values_is_not_compared(data):
    for row in data["strategies"][1:]:
        row["measures"][RECALL]["values"] = [None] * 7
    with pytest.raises(InvalidConfig, match="two strategies must have a value of Recall@40t, only"):
        compare_results(Results(data))


@pytest.mark.parametrize("margin", [2, 1.0, -0.1, float("nan")])
@pytest.mark.parametrize("decide", [recommend, compare_results])
def test_a_margin_is_held_to_what_settings_hold(whole, decide, margin):
    with pytest.raises(InvalidConfig, match=r"margin must be from 0 to below 1, like 0\.02, got"):
        decide(whole, margin=margin)


@pytest.mark.parametrize("to", ["fixed(size=8,overlap=0)", "fixed(overlap=0, size=8)"])
def test_a_strategy_may_be_written_in_another_way(whole, to):
    found = compare_results(whole, to=to)
    assert {one.to for one in found.comparisons} == {"fixed(size=8, overlap=0)"}


@pytest.mark.parametrize("width", [24, 40, 80])
def test_names_show_at_any_width(whole, width):
    from rich.console import Console

    from seamline.report.comparing import comparing_text

    console = Console(width=width)
    with console.capture() as got:
        console.print(comparing_text(compare_results(whole), by="tag"))
    table = got.get().split("Strategy", 1)[1]
    assert "recursive(si" in table
    assert width < 40 or "Differ-" in got.get()
