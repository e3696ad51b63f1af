"""What is recommended, and when nothing is."""

import json
import math

import pytest
from recommend_samples import made, scores, worse

from seamline.bench.configuration import Configuration
from seamline.bench.recommend import knob_effects, recommend
from seamline.errors import InvalidConfig, UnknownName

GOOD = scores(0.7, 60, 1)
CHEAP, DEAR = (50, 40_000), (400, 60_000)


def test_a_clear_winner_is_taken_although_it_is_dear():
    given = {"fixed(size=512, overlap=0)": worse(GOOD, 0.3), "adaptive(target=64)": GOOD}
    found = recommend(made(given, costs=dict(zip(given, (CHEAP, DEAR), strict=True))))
    assert found.chosen.spec == found.best.spec == "adaptive(target=64)"
    assert found.comparison is None
    assert found.choice.ruled_out == ["fixed(size=512, overlap=0)"]
    assert [one.ruled_out for one in found.options] == [False, True]
    assert found.choice.p_best["adaptive(target=64)"] == 1.0
    assert found.choice.supported


def test_the_cheaper_is_taken_where_it_is_within_the_margin():
    given = {"a": GOOD, "b": worse(GOOD, 0.005)}
    results = made(given, costs={"a": DEAR, "b": CHEAP})
    found = recommend(results)
    assert (found.best.spec, found.chosen.spec) == ("a", "b")
    assert found.comparison.name == "b"
    assert found.comparison.to == "a"
    assert found.comparison.verdict == "EQUIVALENT"
    assert recommend(results, margin=0.0).chosen.spec == "a"


def test_of_the_same_scores_the_cheaper_is_best():
    found = recommend(made({"a": GOOD, "b": GOOD}, costs={"a": DEAR, "b": CHEAP}))
    assert found.empty is None
    assert (found.chosen.spec, found.best.spec) == ("b", "b")


def test_of_those_that_cost_the_same_the_better_is_taken():
    given = {"whole": worse(GOOD, 0.005), "fixed(size=99, overlap=0)": GOOD}
    costs = {"whole": (30, 40_000), "fixed(size=99, overlap=0)": (31, 40_000)}
    found = recommend(made(given, costs=costs))
    assert found.chosen.spec == "fixed(size=99, overlap=0)"
    assert [one.frontier for one in found.options] == [True, False]


def test_of_equal_ones_that_which_limits_its_chunks_is_taken():
    given = dict.fromkeys(("whole", "zeta(size=5)"), GOOD)
    assert recommend(made(given)).chosen.spec == "zeta(size=5)"


def test_what_is_cheap_depends_on_what_is_preferred():
    def took(spec, seconds):
        return {spec: {"rank": {"seconds": 60 * seconds}}}

    results = made(
        {"a": GOOD, "b": GOOD, "c": GOOD},
        primary="Recall@5",
        costs={"a": (300, 40_000), "b": (100, 40_000), "c": (200, 40_000)},
        shown={"a": 500, "b": 900, "c": 1500},
        timings={"strategies": took("a", 0.3) | took("b", 0.2) | took("c", 0.1)},
    )
    chosen = {one: recommend(results, prefer=one) for one in ("tokens", "index", "latency")}
    assert {key: one.chosen.spec for key, one in chosen.items()} == {
        "tokens": "a",
        "index": "b",
        "latency": "c",
    }
    assert {key: one.axis for key, one in chosen.items()} == {
        "tokens": "shown",
        "index": "index_bytes",
        "latency": "seconds",
    }
    latency = chosen["latency"]
    assert latency.cost(latency.chosen) == pytest.approx(0.1)


def test_at_a_token_budget_the_index_is_the_price():
    assert recommend(made({"a": GOOD, "b": GOOD}, shown={"a": 1, "b": 2})).axis == "index_bytes"


def test_latency_needs_times_and_says_which_are_missing():
    results = made({"a": GOOD, "b": GOOD}, timings={"strategies": {"a": {"rank": {"seconds": 1}}}})
    with pytest.raises(InvalidConfig, match="has none for 1 of 2, among them 'b': measure once"):
        recommend(results, prefer="latency")


def test_the_frontier_has_what_scores_more_than_all_that_is_cheaper():
    given = {"dear": GOOD, "dominated": worse(GOOD, 0.2), "mid": worse(GOOD, 0.1)}
    given["cheap"] = worse(GOOD, 0.3)
    costs = {"dear": (400, 40_000), "dominated": (300, 40_000), "mid": (200, 40_000)}
    found = recommend(made(given, costs={**costs, "cheap": (100, 40_000)}))
    assert [one.spec for one in found.options if one.frontier] == ["dear", "mid", "cheap"]


def test_lower_may_be_better():
    given = {"a": GOOD, "b": worse(GOOD, 0.2)}
    found = recommend(made(given, primary="Noise@1000t", lower_is_better=True))
    assert found.chosen.spec == "b"
    assert found.choice.ruled_out == ["a"]
    assert [one.spec for one in found.options if one.frontier] == ["b"]
    assert found.choice.cross_fitted.mean == pytest.approx(0.5, abs=0.1)


def test_one_configuration_is_compared_with_nothing():
    found = recommend(made({"whole": GOOD}))
    assert found.chosen.spec == "whole"
    assert found.choice.comparisons == []
    assert found.choice.alike == ["whole"]


def test_few_documents_and_questions_support_no_claim():
    found = recommend(made({"a": GOOD[:8], "b": GOOD[8:16]}, n_docs=2))
    assert not found.choice.supported
    assert found.choice.why_not == "2 of at least 10 documents and 8 of at least 15 questions"


def test_a_configuration_without_values_is_ruled_out_and_questions_without_one_are_left_out():
    given = {"a": GOOD, "b": [None] * 60, "c": [None, *worse(GOOD, 0.1)[1:]]}
    found = recommend(made(given))
    assert found.chosen.spec == "a"
    assert "b" in found.choice.ruled_out
    assert found.choice.n_left_out == 1
    assert found.options[-1].summary.mean is None


TWO = {"d0.md": [[0, 4], [5, 9]]}
ALIKE = {f"d{i}.md": [[0, 9]] for i in range(20)}


@pytest.mark.parametrize(
    ("given", "settings", "kind", "why"),
    [
        ([[None] * 60], {}, "unmeasured", "no question has a value of Recall@1000t"),
        ([[0.0] * 60] * 2, {}, "zero", "nothing scores above 0 in Recall@1000t"),
        ([GOOD, worse(GOOD, 0.1)], {"primary": "Recall@40000t"}, "budget", "all that is searched"),
        (
            [GOOD, worse(GOOD, 0.1)],
            {"primary": "Recall@2000t", "scope": "document"},
            "budget",
            "the budget of 2,000 tokens holds every document (at most 2,000), so both can",
        ),
        ([[1.0] * 60] * 2, {}, "perfect", "both have the best possible Recall"),
        ([[1.0] * 60] * 3, {}, "perfect", "all 3 have the best possible Recall"),
        (
            [[0.0] * 60] * 2,
            {"primary": "Noise@1000t", "lower_is_better": True},
            "perfect",
            "the best possible Noise@1000t, 0, on every question",
        ),
        (
            [GOOD] * 3,
            {"cuts": dict.fromkeys("abc", ALIKE)},
            "cuts",
            "every document is shorter than a chunk, so that all 3 cut alike",
        ),
        (
            [GOOD] * 2,
            {"cuts": dict.fromkeys("ab", TWO)},
            "cuts",
            "both cut your documents alike and score alike on every question",
        ),
    ],
)
def test_where_the_comparison_is_empty_nothing_is_taken(given, settings, kind, why):
    found = recommend(made(dict(zip("abc", given, strict=False)), **settings))
    assert found.empty.kind == kind
    assert why in found.empty.why
    assert found.empty.todo.endswith(".")
    assert found.choice is None
    assert found.chosen is None
    assert found.comparison is None
    assert found.best is found.options[0]


@pytest.mark.parametrize(
    ("given", "settings"),
    [
        ({"a": GOOD, "b": worse(GOOD, 0.1)}, {"primary": "Recall@39999t"}),
        ({"a": GOOD, "b": worse(GOOD, 0.1)}, {"primary": "MRR@40000t"}),
        ({"a": GOOD, "b": worse(GOOD, 0.1)}, {"primary": "Recall@5"}),
        ({"a": GOOD, "b": worse(GOOD, 0.1)}, {"primary": "Containment"}),
        ({"a": GOOD, "b": worse(GOOD, 0.1)}, {"cuts": dict.fromkeys("ab", ALIKE)}),
        (
            {"a | dense": GOOD, "a | bm25": GOOD},
            {"cuts": dict.fromkeys(("a | dense", "a | bm25"), ALIKE)},
        ),
        ({"a": GOOD, "b": GOOD}, {}),
        ({"a": [1.0] * 60, "b": [1.0] * 60}, {"primary": "Tokens@5", "lower_is_better": True}),
    ],
)
def test_where_something_can_differ_the_comparison_is_not_empty(given, settings):
    assert recommend(made(given, **settings)).empty is None


def test_all_numbers_are_plain_json_and_the_same_in_every_run():
    results = made({"a": GOOD, "b": worse(GOOD, 0.05)})
    text = json.dumps(recommend(results).as_dict(), allow_nan=False)
    assert text == json.dumps(recommend(results).as_dict())
    found = json.loads(text)
    assert (found["chosen"], found["best"], found["empty"]) == ("a", "a", None)
    assert found["difference"] is None
    assert found["choice"]["comparisons"][0]["name"] == "b"
    assert [one["strategy"] for one in found["options"]] == ["a", "b"]
    assert not math.isnan(found["choice"]["cross_fitted"]["mean"])


def test_an_empty_comparison_is_plain_json_too():
    found = recommend(made({"a": [1.0] * 60, "b": [1.0] * 60})).as_dict()
    assert (found["chosen"], found["choice"], found["difference"]) == (None, None, None)
    assert found["empty"]["kind"] == "perfect"


def test_what_cannot_be_is_refused():
    with pytest.raises(UnknownName, match="no preference 'token'; did you mean 'tokens'"):
        recommend(made({"a": GOOD}), prefer="token")
    with pytest.raises(InvalidConfig, match="margin must be from 0 to below 1"):
        recommend(made({"a": GOOD}), margin=-1)
    empty = made({"a": GOOD})
    with pytest.raises(InvalidConfig, match="results without any"):
        recommend(type(empty)({**empty.data, "strategies": []}))


def test_margin_and_what_was_dropped_come_from_the_results():
    results = made({"a": GOOD, "b": worse(GOOD, 0.05)}, costs={"a": DEAR, "b": CHEAP}, margin=0.1)
    dropped = [{"spec": "c", "n": 20, "mean": 0.2, "difference": -0.5, "why": "behind"}]
    found = recommend(type(results)({**results.data, "dropped": dropped}))
    assert (found.margin, found.chosen.spec) == (0.1, "b")
    assert found.dropped == tuple(dropped)


def test_effects_are_those_of_knobs_turned_alone():
    specs = [
        f"fixed(size={size}, overlap=0) | {one}" for size in (128, 256) for one in ("bm25", "dense")
    ]
    given = dict(
        zip(specs, (GOOD, worse(GOOD, 0.1), worse(GOOD, 0.2), worse(GOOD, 0.3)), strict=True)
    )
    found = {one.knob: one for one in knob_effects(made(given))}
    assert found.keys() == {"size", "retriever"}
    assert found["size"].mean == pytest.approx(-0.2, abs=0.02)
    assert found["size"].n_pairs == 2
    assert knob_effects(made({"whole": GOOD})) == []


def test_an_option_names_its_configuration():
    (one,) = recommend(made({"whole | bm25 | merge": GOOD})).options
    assert one.configuration == Configuration("whole", "bm25", merge=True)
