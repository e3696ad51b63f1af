"""Whole benchmarks on real documents, offline, with the embedded model."""

import os
import subprocess
import sys
from pathlib import Path

from seamline.bench import Results, run_bench
from seamline.config import DEFAULT_STRATEGIES, BenchConfig
from seamline.golden import load_golden
from seamline.parse import read_documents

ROOT = Path(__file__).parents[2]
HANDBOOK = ROOT / "examples" / "handbook"

SCRIPT = """
import sys
from pathlib import Path
from seamline.bench import run_bench
from seamline.config import BenchConfig
from seamline.golden import load_golden
from seamline.parse import read_documents

folder, cache = Path(sys.argv[1]), sys.argv[2]
documents = list(read_documents([folder / "docs"]))
questions = load_golden(folder / "golden.jsonl", documents)
strategies = ("whole", "recursive(size=64, overlap=8)", "semantic(size=256, threshold=0.4)")
config = BenchConfig(strategies=strategies, retriever="hybrid", cache_dir=cache)
sys.stdout.buffer.write(run_bench(documents, questions, config).dumps().encode())
"""


def read(folder):
    documents = list(read_documents([folder / "docs"]))
    return documents, load_golden(folder / "golden.jsonl", documents)


def in_a_process(cache, hash_seed):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(HANDBOOK), str(cache)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
    )
    return done.stdout


def test_two_processes_and_a_warm_cache_give_the_same_bytes(tmp_path):
    first = in_a_process(tmp_path / "one", "1")
    other = in_a_process(tmp_path / "two", "2")
    warm = in_a_process(tmp_path / "one", "3")
    assert first
    assert first == other == warm


def test_the_handbook_runs_with_the_default_strategies_and_embeds_once(tmp_path):
    documents, questions = read(HANDBOOK)
    config = BenchConfig(cache_dir=str(tmp_path))
    results = run_bench(documents, questions, config)
    table = results.summary()
    assert {row.spec for row in table} == set(DEFAULT_STRATEGIES)
    assert all(0 < row.mean <= 1 for row in table)
    assert [row.mean for row in table] == sorted((row.mean for row in table), reverse=True)
    texts = {path.name for path in tmp_path.iterdir()}
    assert "vectors.sqlite3" in texts
    assert Results.load(results.save(tmp_path / "report")) == results


def test_product_documentation_runs_by_words(data_set):
    documents, questions = read(data_set("techdocs"))
    strategies = [spec for spec in DEFAULT_STRATEGIES if "semantic" not in spec]
    results = run_bench(documents, questions, BenchConfig(retriever="bm25"), strategies=strategies)
    data = results.data
    assert (len(data["documents"]), len(data["questions"])) == (9, 92)
    for row in data["strategies"]:
        assert 0.9 < row["cost"]["inflation"] <= 2
        recall = row["curve"]["recall"]
        assert recall == sorted(recall)
        assert recall[-1] > 0.8
        assert row["measures"]["Recall@1000t"]["interval"] in ("question-t", "wilson")
