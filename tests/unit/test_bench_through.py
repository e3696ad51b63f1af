"""Strategies searched through a store score what they score exactly."""

import pytest

from seamline.bench import run_bench
from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.plan import make_plan
from seamline.bench.through import through_store
from seamline.bench.trial import Trials
from seamline.config import BenchConfig
from seamline.golden import load_golden
from seamline.parse import read_documents
from seamline.store import NamespaceInfo, open_store

FOLDER = "examples/runbooks"
CUTS = ("adaptive(target=64)", "hierarchical(parent=sections, size=64)")
RANKINGS = ("bm25", "dense", "hybrid(positional=160, kernel=512)", "hybrid(fusion=rrf)")


@pytest.fixture(scope="module")
def inputs():
    documents = list(read_documents([f"{FOLDER}/docs"]))
    return documents, list(load_golden(f"{FOLDER}/golden.jsonl", documents))[:30]


def trials_of(inputs, config):
    plan = make_plan(config, None, None)
    corpus = Corpus.of(*inputs, plan.sizer)
    asked = [question.text for question in corpus.questions]
    queries = plan.embedder.embed_queries(asked) if plan.retriever.needs_vectors else None
    return Trials(plan, corpus, asked, queries, Clock(), lambda *_: None)


@pytest.mark.parametrize("scope", ["corpus", "document"])
@pytest.mark.parametrize("ranking", RANKINGS)
def test_nothing_is_lost_where_every_chunk_is_scored(inputs, tmp_path, scope, ranking):
    config = BenchConfig(strategies=CUTS, retriever=ranking, scope=scope, budget=300)
    trials = trials_of(inputs, config)
    with open_store(f"sqlite:///{tmp_path}/index.db") as store:
        store.create(NamespaceInfo("mine", "whole"))
        for strategy in trials.plan.strategies:
            chunked = trials.chunk(strategy)
            row = through_store(trials, strategy, chunked, trials.usual(str(strategy)), store)
            # Sums in another order may swap two chunks that score alike.
            assert row.through == pytest.approx(row.exact, abs=0.01)
            assert row.n_changed <= 1
            assert row.overlap > 0.98
            assert 0 < row.p50_ms <= row.p95_ms <= row.p99_ms
            assert row.build_seconds > 0
            assert row.n_chunks == len(chunked.table)
        assert [info.name for info in store.namespaces()] == ["mine"]


def test_a_late_ranking_goes_through_a_store(inputs, tmp_path):
    config = BenchConfig(strategies=("recursive(size=256)",), retriever="hybrid(rerank=maxsim)")
    first = inputs[1][0].doc_id
    documents = [document for document in inputs[0] if document.id == first]
    trials = trials_of((documents, [one for one in inputs[1] if one.doc_id == first]), config)
    (strategy,) = trials.plan.strategies
    with open_store(f"sqlite:///{tmp_path}/index.db") as store:
        ranking = trials.usual(str(strategy))
        row = through_store(trials, strategy, trials.chunk(strategy), ranking, store)
    assert row.n_changed <= 1
    assert row.overlap > 0.95


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_benchmark_has_a_row_for_each_strategy(inputs, tmp_path, kind):
    url = "memory://" if kind == "memory" else f"sqlite:///{tmp_path}/index.db"
    documents, questions = inputs[0][:4], inputs[1]
    asked = [one for one in questions if one.doc_id in {document.id for document in documents}]
    config = BenchConfig(strategies=CUTS, retriever="bm25", budget=300)
    with open_store(url) as store:
        results = run_bench(documents, asked, config, store=store)
    rows = results.data["through"]
    assert [row["spec"] for row in rows] == [row["spec"] for row in results.data["strategies"]]
    for row, own in zip(rows, results.data["strategies"], strict=True):
        assert row["exact"] == row["through"] == own["measures"][config.primary]["mean"]
        assert "p50_ms" not in row
        assert results.timings["through"][row["spec"]]["p50_ms"] > 0


def test_the_namespace_is_dropped_when_a_run_fails(inputs, tmp_path):
    class Failing:
        def split(self, document):
            raise RuntimeError("no")

    config = BenchConfig(strategies=CUTS[:1], retriever="bm25")
    trials = trials_of(inputs, config)
    (strategy,) = trials.plan.strategies
    chunked = trials.chunk(strategy)
    with open_store(f"sqlite:///{tmp_path}/index.db") as store:
        with pytest.raises(RuntimeError, match="no"):
            through_store(trials, Failing(), chunked, trials.usual("x"), store)
        assert store.namespaces() == []
