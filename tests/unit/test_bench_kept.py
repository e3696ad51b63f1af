"""Rows that are kept: found again, bounded, and never those of another run."""

import os
import time
import warnings
from dataclasses import replace

import numpy as np
import pytest
from test_bench_run import KEYS, MICE, QUESTIONS, Letters

from seamline.bench import kept as kept_module
from seamline.bench import run_sweep
from seamline.bench.corpus import Corpus
from seamline.bench.kept import Kept, common_key
from seamline.bench.plan import make_plan
from seamline.config import BenchConfig
from seamline.embed.cache import CachedEmbedder
from seamline.types import Block, Span

ROW = {"chunks": {"a": np.array([[0, 5], [5, 9]]), "b": np.zeros((0, 2), np.int64)}, "x": 1 / 3}
VALUES = {"Recall@5": np.array([1 / 3, np.nan, 0.1 + 0.2])}
GRID = {"strategies": "sentence(size=8, unit=words); whole", "retrievers": "hybrid; bm25"}


def sweep(**settings):
    given = {"grid": GRID, "budget": 20, "budgets": [10, 20]} | settings
    parts = {key: given.pop(key) for key in ("embedder", "progress") if key in given}
    return run_sweep((KEYS, MICE), QUESTIONS, BenchConfig(**given), **parts)


def test_a_row_comes_back_with_every_bit_of_its_values(tmp_path):
    kept = Kept(tmp_path / "sweeps", "key")
    assert kept.get("whole | bm25") is None
    kept.put("whole | bm25", ROW, VALUES, {"whole": {"split": {"seconds": 0.25}}})
    row, values, timings = kept.get("whole | bm25")
    assert row["x"] == 0.3333333333
    assert {doc_id: spans.tolist() for doc_id, spans in row["chunks"].items()} == {
        "a": [[0, 5], [5, 9]],
        "b": [],
    }
    assert row["chunks"]["b"].shape == (0, 2)
    assert values["Recall@5"].tobytes() == VALUES["Recall@5"].tobytes()
    assert timings == {"whole": {"split": {"seconds": 0.25}}}
    assert kept.get("whole | dense") is None
    assert Kept(tmp_path / "sweeps", "another key").get("whole | bm25") is None


@pytest.mark.parametrize("damage", [b"", b"no zlib", None])
def test_a_damaged_file_is_as_good_as_none(tmp_path, damage):
    kept = Kept(tmp_path, "key")
    kept.put("whole", ROW, VALUES, {})
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage is None else damage)
    assert kept.get("whole") is None
    kept.put("whole", ROW, VALUES, {})
    assert kept.get("whole") is not None


def test_without_a_folder_nothing_is_kept():
    kept = Kept(None, "")
    kept.put("whole", ROW, VALUES, {})
    assert kept.get("whole") is None
    kept.prune()


def test_a_folder_that_cannot_be_written_warns_once(tmp_path):
    (tmp_path / "sweeps").write_text("a file")
    kept = Kept(tmp_path / "sweeps", "key")
    with pytest.warns(RuntimeWarning, match="measured rows cannot be kept in .*sweeps"):
        kept.put("whole", ROW, VALUES, {})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept.put("whole", ROW, VALUES, {})
        assert kept.get("whole") is None
        kept.prune()


def test_what_was_not_used_for_longest_is_removed_first(tmp_path):
    kept = Kept(tmp_path, "key")
    for i, name in enumerate(("old", "new", "used")):
        kept.put(name, ROW, VALUES, {})
        os.utime(kept._path(name), (1000 + i, 1000 + i))
    os.utime(kept._path("used"), (1, 1))
    assert kept.get("used") is not None  # which touches it
    size = kept._path("old").stat().st_size
    kept.prune(most=2 * size)
    assert {name for name in ("old", "new", "used") if kept.get(name)} == {"new", "used"}
    kept.prune(most=0)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_run_left_half_written_goes_after_a_day(tmp_path):
    kept = Kept(tmp_path, "key")
    kept.put("whole", ROW, VALUES, {})
    fresh, stale = tmp_path / ".fresh.z.1", tmp_path / ".stale.z.2"
    fresh.write_bytes(b"x")
    stale.write_bytes(b"x")
    old = time.time() - 90_000
    os.utime(stale, (old, old))
    kept.prune()
    assert fresh.exists()
    assert not stale.exists()
    assert kept.get("whole")


def test_what_cannot_be_removed_stays(tmp_path):
    kept = Kept(tmp_path, "key")
    (tmp_path / "folder").mkdir()
    kept.prune(most=0)
    assert (tmp_path / "folder").is_dir()


def key(documents=(KEYS, MICE), questions=QUESTIONS, embedder=None, **settings):
    config = BenchConfig(**settings)
    plan = make_plan(config, ["whole"], embedder or Letters())
    return common_key(plan, Corpus.of(documents, questions, plan.sizer))


def other_letters():
    embedder = Letters()
    embedder.fingerprint = "letters-2"
    return embedder


def other_runtime():
    embedder = Letters()
    embedder.runtime = "another machine"
    return embedder


@pytest.mark.parametrize(
    "changed",
    [
        {"documents": (replace(KEYS, blocks=(Block("code", Span(0, 6), 0, ""),)), MICE)},
        {"documents": (replace(KEYS, metadata={"title": "Keys"}), MICE)},
        {"documents": (replace(KEYS, media_type="text/plain"), MICE)},
        {"documents": (MICE, KEYS)},
        {"questions": QUESTIONS[:2]},
        {"questions": (replace(QUESTIONS[0], text="How?"), *QUESTIONS[1:])},
        {"k": 4},
        {"budget": 999},
        {"separator": 2},
        {"scope": "document"},
        {"tokenizer": "words"},
        {"measures": ["Recall@3"]},
        {"embedder": other_letters()},
        {"embedder": other_runtime()},
    ],
)
def test_whatever_a_row_rests_on_changes_its_key(changed):
    assert key(**changed) != key()


def test_what_a_row_does_not_rest_on_leaves_its_key():
    assert key(seed=7, margin=0.1, out="elsewhere", merge=True, grid="full") == key()


def test_another_source_is_another_key(tmp_path, monkeypatch):
    kept_module._code.cache_clear()
    before = key()
    monkeypatch.setattr(kept_module, "_MEASURING", ("split",))
    kept_module._code.cache_clear()
    assert key() != before
    kept_module._code.cache_clear()


def test_a_tokenizer_file_counts_by_its_content(tmp_path):
    path = tmp_path / "my tokenizer.json"
    path.write_text("one")
    kept = Kept(tmp_path / "sweeps", "key")
    name = f'fixed(size=9, unit="{path}") | bm25'
    kept.put(name, ROW, VALUES, {})
    assert kept.get(name)
    path.write_text("two")
    assert kept.get(name) is None


def test_an_embedder_of_ones_own_is_not_kept_and_one_on_disk_is(tmp_path):
    told = []

    def progress(stage, *rest):
        if stage == "kept":
            told.append(rest)

    sweep(embedder=Letters(), progress=progress)
    assert not list(tmp_path.iterdir())
    for _ in range(2):
        cached = CachedEmbedder(Letters(), tmp_path / "vectors.sqlite3")
        results = sweep(embedder=cached, progress=progress)
    assert told == [("", 4, 4)]
    assert len(list((tmp_path / "sweeps").iterdir())) == 4
    assert results == sweep(embedder=Letters())
    assert results.timings["strategies"].keys() >= {"whole", "whole | bm25"}
