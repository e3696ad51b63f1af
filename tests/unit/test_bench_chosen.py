"""The choice as settings that measure it once more."""

import pytest
from recommend_samples import made, scores

from seamline.bench.chosen import changes, chosen_settings, path_settings, without_defaults
from seamline.bench.configuration import Configuration
from seamline.bench.inputs import Inputs
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig

USUAL = list(BenchConfig().measures)


def settings(tmp_path, configuration=None, *, margin=0.02, inputs=None, **config):
    data = made({"whole": scores(0.5, 9, 1)}, measures=USUAL, tokenizer="cl100k_base").data
    data["config"].update({"budgets": list(BenchConfig().budgets), **config})
    chosen = configuration or Configuration("whole", "hybrid(alpha=0.5)")
    return chosen_settings(data, chosen, margin=margin, inputs=inputs, folder=tmp_path)


def test_what_is_usual_need_not_be_written(tmp_path):
    assert without_defaults(settings(tmp_path)) == {"strategy": "whole"}


def test_what_differs_is_written_in_the_order_of_the_documentation(tmp_path):
    found = settings(
        tmp_path,
        Configuration("fixed(size=9)", "bm25", dedupe=True, merge=True),
        margin=0.05,
        embedder="minilm(overlong=error)",
        tokenizer="words",
        scope="document",
        k=3,
        budget=200,
        budgets=[100, 200],
        measures=["MRR@3"],
        threshold=0.5,
        separator=2,
        identical=True,
        seed=7,
    )
    written = without_defaults(found)
    assert written == found
    assert (
        list(written)
        == (
            "strategy embedder retriever tokenizer scope k budget budgets measures threshold dedupe "
            "merge separator identical margin seed"
        ).split()
    )
    again = BenchConfig(**written)
    assert (again.strategies, again.primary) == (("fixed(size=9)",), "MRR@3")


def test_the_usual_measures_at_another_k_are_the_usual_ones(tmp_path):
    measures = list(BenchConfig(k=3, budget=200).measures)
    found = without_defaults(settings(tmp_path, k=3, budget=200, measures=measures))
    assert found == {"strategy": "whole", "k": 3, "budget": 200}


def test_without_vectors_no_embedder_is_named_and_no_margin_beyond_the_allowed(tmp_path):
    found = settings(tmp_path, embedder=None, margin=5.0)
    assert not {"embedder", "margin"} & found.keys()


def test_a_tokenizer_file_is_named_where_it_is_known_to_lie(tmp_path):
    config = {"tokenizer": "mine/tokenizer.json"}
    assert "tokenizer" not in settings(tmp_path, **config)
    inputs = Inputs(
        (tmp_path / "docs",), tmp_path / "g.jsonl", tmp_path / "mine" / "tokenizer.json"
    )
    found = settings(tmp_path, inputs=inputs, **config)
    assert found["tokenizer"] == "mine/tokenizer.json"
    assert without_defaults(found)["tokenizer"] == "mine/tokenizer.json"


@pytest.mark.parametrize(
    ("configuration", "config", "said"),
    [
        (Configuration("Splitter", "bm25"), {}, "no strategy named 'Splitter'"),
        (Configuration("whole", "Mine"), {}, "Mine"),
        (Configuration("whole", "bm25"), {"embedder": "HashedWords"}, "HashedWords"),
    ],
)
def test_an_object_of_the_users_own_cannot_be_named(tmp_path, configuration, config, said):
    with pytest.raises(InvalidConfig, match=f"parts that a settings file can name: .*{said}"):
        settings(tmp_path, configuration, **config)


def test_paths_are_those_seen_from_the_settings_file(tmp_path):
    one = Inputs((tmp_path / "docs",), tmp_path / "golden.jsonl")
    assert path_settings(one, tmp_path) == {"docs": "docs", "golden": "golden.jsonl"}
    two = Inputs((tmp_path / "a", tmp_path / "b"), tmp_path / "golden.jsonl")
    assert path_settings(two, tmp_path / "sub")["docs"] == ["../a", "../b"]


@pytest.mark.parametrize(
    ("old", "wanted", "changed"),
    [
        ({}, {"strategy": "whole", "k": 5}, ["strategy"]),
        ({"strategy": "whole"}, {"strategy": "whole"}, ["strategy"]),
        ({"k": 3}, {"k": 5}, ["k"]),
        ({"retriever": "hybrid"}, {"retriever": "hybrid(alpha=0.5)"}, []),
        ({"retriever": "nonsense"}, {"retriever": "bm25"}, ["retriever"]),
        ({"tokenizer": "tokens"}, {"tokenizer": "cl100k_base"}, []),
        ({"tokenizer": "gone/tokenizer.json"}, {"tokenizer": "words"}, ["tokenizer"]),
        ({"budgets": [1, 2]}, {"budgets": [1, 2]}, []),
        ({"measures": ["recall@5"]}, {"measures": ["Recall@5"]}, []),
        ({"measures": ["MRR@5"]}, {"measures": []}, ["measures"]),
        ({"dedupe": True}, {"dedupe": False}, ["dedupe"]),
    ],
)
def test_only_what_means_something_else_is_changed(old, wanted, changed):
    assert list(changes(old, wanted)) == changed


@pytest.mark.parametrize(
    ("n", "threshold", "written"),
    [(40, 0.75, 0.33), (40, 0.6, 0.6), (10, 0.75, 0.75)],
    ids=["found", "set by somebody", "too few answered"],
)
def test_a_threshold_that_nobody_set_is_the_one_that_fits(tmp_path, n, threshold, written):
    data = made({"whole": [1.0] * n}, measures=USUAL, tokenizer="cl100k_base").data
    data["config"].update(budgets=list(BenchConfig().budgets), threshold=threshold)
    cosines = [0.1, 0.2, *[0.335 + i / 1000 for i in range(n - 2)]]
    data["strategies"][0]["top1"] = [{"similarity": cosine} for cosine in cosines]
    chosen = Configuration("whole", "hybrid(alpha=0.5)")
    found = chosen_settings(data, chosen, margin=0.02, inputs=None, folder=tmp_path)
    assert found["threshold"] == written


def test_a_threshold_of_nought_is_one(tmp_path):
    data = made({"whole": [1.0] * 40}, measures=USUAL, tokenizer="cl100k_base").data
    data["config"].update(budgets=list(BenchConfig().budgets))
    data["strategies"][0]["top1"] = [{"similarity": 0.004}] * 40
    chosen = Configuration("whole", "hybrid(alpha=0.5)")
    found = chosen_settings(data, chosen, margin=0.02, inputs=None, folder=tmp_path)
    assert found["threshold"] == 0.0


def test_results_without_vectors_tell_no_threshold(tmp_path):
    assert "threshold" not in settings(tmp_path, embedder=None, threshold=0.37)
