"""What the reports say in words, and in which order."""

import pytest
from report_samples import STRATEGIES, changed, measured

from seamline.bench import Results
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.report.model import columns, headline, standings


@pytest.fixture(scope="module")
def results():
    return measured()[0]


def with_primary(results, means, differences):
    """Results whose primary measure and paired differences are as given."""
    primary = results.data["config"]["primary"]

    def change(row, i):
        one = {**row["measures"][primary], "mean": means[i], "low": 0.1, "high": 0.9}
        row["measures"] = {**row["measures"], primary: one}
        low, high = differences[i]
        row["difference"] = {**row["difference"], "low": low, "high": high}

    return changed(results, change)


def test_best_first_and_ranks_count_from_one(results):
    placed = standings(results)
    means = [one.summary.mean for one in placed]
    assert means == sorted(means, reverse=True)
    assert [one.rank for one in placed] == [1, 2, 3, 4, 5]
    assert {one.summary.spec for one in placed} == set(STRATEGIES)


def test_worse_is_an_interval_of_the_difference_that_leaves_out_zero(results):
    given = with_primary(
        results,
        [0.9, 0.8, 0.7, 0.6, 0.5],
        [(None, None), (-0.2, 0.1), (-0.3, -0.1), (-0.3, 0.0), (None, None)],
    )
    assert [one.worse for one in standings(given)] == [False, False, True, False, False]


def test_the_headline_names_who_cannot_be_told_apart_and_the_cheapest_of_them(results):
    given = with_primary(
        results,
        [0.9, 0.8, 0.7, 0.6, 0.5],
        [(None, None), (-0.2, 0.1), (-0.3, -0.1), (-0.3, -0.1), (-0.4, 0.1)],
    )
    said = headline(given)
    first, second, _, _, last = (row["spec"] for row in given.data["strategies"])
    assert said.title == f"{first} has the best Recall@40t: 0.900 (95 % interval 0.100 to 0.900)"
    assert said.sentences[0] == f"It is not separable from {second} and {last}."
    assert said.sentences[1].startswith(f"The cheapest of these 3 is {last} (1.00 × the source")


def test_the_headline_of_a_clear_winner(results):
    given = with_primary(results, [0.9, 0.8, 0.7, 0.6, 0.5], [(None, None), *[(-0.3, -0.1)] * 4])
    assert headline(given).sentences[0].startswith("The difference to every other strategy")


def test_a_shared_first_place_is_said(results):
    given = with_primary(results, [0.9, 0.9, 0.9, 0.6, 0.5], [(None, None)] * 3 + [(-1, -0.1)] * 2)
    assert headline(given).title == "3 of 5 strategies share the best Recall@40t, 0.900"
    assert " is not separable from " in headline(given).sentences[0]


def test_when_none_is_separable_the_cheapest_is_named(results):
    given = with_primary(results, [0.9] * 5, [(None, None)] * 5)
    said = headline(given)
    assert said.title == "All 5 strategies share the best Recall@40t, 0.900"
    assert said.sentences[0] == "No strategy is separable from the best of these 5."
    assert "cheapest of these 5" in said.sentences[1]


def test_the_best_may_be_the_cheapest(results):
    def change(row, i):
        row["cost"] = {
            **row["cost"],
            "chunks": i + 1,
            "indexed_tokens": row["cost"]["source_tokens"],
        }

    given = with_primary(
        changed(results, change),
        [0.9, 0.8, 0.7, 0.6, 0.5],
        [(None, None), (-0.2, 0.1), *[(-0.3, -0.1)] * 3],
    )
    spec = given.data["strategies"][0]["spec"]
    assert headline(given).sentences[1] == (
        f"{spec} is the cheapest of these 2, too (1.00 × the source to index, 1 chunk)."
    )


def test_a_single_strategy_is_compared_with_nothing():
    said = headline(measured(strategies=("whole",))[0])
    assert said.title.startswith("whole has the best")
    assert len(said.sentences) == 1


def test_it_says_what_it_is_based_on(results):
    said = headline(results)
    assert said.sentences[-1] == (
        "Based on 23 questions about 12 documents; 1 question without gold left out."
    )


def test_few_documents_are_a_caution_and_many_are_not(results):
    few = headline(measured(4)[0])
    assert few.cautions[0].startswith("With questions about fewer than 10 documents (4 here)")
    assert not any("fewer than 10" in caution for caution in headline(results).cautions)


def test_text_the_embedder_does_not_see_is_a_caution(results):
    def change(row, i):
        row["cost"] = {**row["cost"], "truncated_share": 0.25 if i == 1 else 0.01}

    spec = results.data["strategies"][1]["spec"]
    assert any(f"{spec} 25%" in caution for caution in headline(changed(results, change)).cautions)


def test_columns_start_with_the_primary_measure_and_are_few(results):
    names = columns(results.data)
    assert names[0] == results.data["config"]["primary"]
    assert names[1:4] == ["Containment", "Recall@3", "HitWhole@40t"]
    assert len(names) == len(set(names)) == 7


def test_columns_are_the_measures_asked_for():
    own = ("nDCG@3", "Hit@3")
    results = measured(3, measures=own, strategies=("whole",))[0]
    assert columns(results.data) == list(BenchConfig(measures=own).measures)


def test_results_without_a_strategy_are_refused(results):
    with pytest.raises(InvalidConfig, match="at least one strategy"):
        standings(Results({**results.data, "strategies": []}))
