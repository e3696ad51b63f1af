import json
from dataclasses import replace

import numpy as np
import pytest
from report_samples import measured
from test_bench_run import KEYS, MICE, QUESTIONS

from seamline.bench import Results, run_sweep, write_atomically
from seamline.bench.results import canonical
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig, MissingInput


def strategy(spec, mean, tokens=100):
    measure = {"mean": mean, "low": None, "high": None, "interval": None, "n": 1, "values": [mean]}
    cost = {
        "chunks": 1,
        "indexed_tokens": 40,
        "embedding_tokens": tokens,
        "source_tokens": 40,
        "vector_bytes": 0,
    }
    return {
        "spec": spec,
        "measures": {"recall@1000t": measure},
        "cost": cost,
        "containment": {"rate": 1.0, "split": []},
        "size": {"tokens": {"mean": 9.5}},
        "difference": {"to": "a", "mean": 0.0},
    }


def data(*strategies, **config):
    return {
        "schema": 1,
        "seamline": "0.1.0",
        "config": {"primary": "recall@1000t", "lower_is_better": False, **config},
        "documents": [],
        "questions": [],
        "skipped": [],
        "strategies": list(strategies),
    }


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (1 / 3, 0.3333333333),
        (float("nan"), None),
        (float("inf"), None),
        (np.float32(0.1), 0.1000000015),
        (np.int64(3), 3),
        (np.array([[1, 2]]), [[1, 2]]),
        (np.array([0.5, np.nan]), [0.5, None]),
        ((1, "a", True, None), [1, "a", True, None]),
        ({1: {2.0: 0.5}}, {"1": {"2.0": 0.5}}),
    ],
)
def test_canonical_values_are_plain_and_rounded(value, plain):
    assert canonical(value) == plain
    assert json.loads(json.dumps(canonical(value))) == canonical(value)


def test_minus_zero_is_zero():
    assert json.dumps(canonical([-0.0, -1e-400])) == "[0.0, 0.0]"


def test_what_is_loaded_equals_what_was_saved(tmp_path):
    results, _ = measured(4)
    path = results.save(tmp_path / "report")
    assert path == tmp_path / "report" / "results.json"
    assert Results.load(path) == Results.load(tmp_path / "report") == results
    assert path.read_text(encoding="utf-8") == results.dumps()
    assert json.loads((tmp_path / "report" / "timings.json").read_text()) == results.timings


def test_the_text_depends_on_values_and_not_on_their_order():
    first = Results.of({"b": 1, "a": "é"})
    assert first.dumps() == Results.of({"a": "é", "b": 1}).dumps() == '{"a":"é","b":1}\n'


def test_timings_take_no_part_in_comparisons():
    assert Results.of({"a": 1}, {"s": 1.0}) == Results.of({"a": 1}, {"s": 2.0})


def test_nothing_is_left_half_written(tmp_path, monkeypatch):
    path = tmp_path / "results.json"
    write_atomically(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "new \ud800")
    assert path.read_text() == "old"
    assert [child.name for child in tmp_path.iterdir()] == ["results.json"]


def test_missing_results_are_named(tmp_path):
    with pytest.raises(MissingInput, match="no results at"):
        Results.load(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "must be a results file in JSON"),
        ("[]", "must be a results file, but is another one"),
        ('{"schema": 2}', "schema 1, got schema 2: run `seamline bench` again"),
        ('{"schema": 1}', "lacks config, documents, questions, seamline, skipped, strategies"),
    ],
)
def test_another_file_is_refused(tmp_path, text, message):
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(InvalidConfig, match=message):
        Results.load(path)


def test_the_summary_puts_the_best_first_then_the_cheapest_and_the_unmeasured_last():
    rows = [strategy("a", 0.5), strategy("b", None), strategy("c", 0.5, 50), strategy("d", 0.9)]
    assert [row.spec for row in Results.of(data(*rows)).summary()] == ["d", "c", "a", "b"]
    lower = Results.of(data(*rows, lower_is_better=True))
    assert [row.spec for row in lower.summary()] == ["c", "a", "d", "b"]


def test_rows_of_one_strategy_share_their_cuts_in_the_file(tmp_path):
    config = BenchConfig(
        grid={"strategies": "hierarchical(parent=20, size=6, unit=words)", "retrievers": "bm25"},
    )
    grid = {**vars(config.grid.parts[0]), "retrievers": ["bm25", "bm25(k1=2.0)"], "merge": [True]}
    results = run_sweep((KEYS, MICE), QUESTIONS, replace(config, grid=grid))
    kept = json.loads(results.dumps())["strategies"]
    assert [sorted(one.keys() & {"chunks", "parents"}) for one in kept] == [
        ["chunks", "parents"],
        [],
    ]
    results.save(tmp_path)
    loaded = Results.load(tmp_path)
    assert loaded.data == results.data
    assert loaded.data["strategies"][1]["chunks"] == loaded.data["strategies"][0]["chunks"]
    assert loaded.dumps() == results.dumps()
