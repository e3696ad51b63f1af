"""What the reports say in words, and in which order."""

import pytest
from report_samples import STRATEGIES, changed, measured

from seamline.bench import Results
from seamline.bench.recommend import recommend
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.report.headline import headline
from seamline.report.intervals import difference_text, footnotes, interval_text
from seamline.report.model import columns, standings


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


def test_worse_is_what_is_ruled_out_corrected_for_all(results):
    n = len(results.data["questions"])
    primary = results.data["config"]["primary"]

    def change(row, i):
        values = [[1.0] * n, [0.0] * n, [1.0] * (n - 1) + [0.0], [0.0] * n, [1.0] * n][i]
        one = {**row["measures"][primary], "values": values, "mean": sum(values) / n}
        row["measures"] = {**row["measures"], primary: one}

    given = changed(results, change)
    choice = recommend(given).choice
    assert choice is not None
    assert {one.summary.spec for one in standings(given) if one.worse} == set(choice.ruled_out)
    assert set(choice.ruled_out) == {STRATEGIES[1], STRATEGIES[3]}
    assert standings(given, recommend(given)) == standings(given)


def test_where_the_comparison_is_empty_none_is_worse(results):
    primary = results.data["config"]["primary"]

    def change(row, i):
        values = [0.0] * len(results.data["questions"])
        one = {**row["measures"][primary], "values": values, "mean": 0.0}
        row["measures"] = {**row["measures"], primary: one}

    given = changed(results, change)
    assert recommend(given).empty is not None
    assert not any(one.worse for one in standings(given))


def test_a_single_strategy_is_compared_with_nothing():
    said = headline(measured(strategies=("whole",))[0])
    assert said.title == "whole is the only strategy measured"
    assert len(said.sentences) == 3


def test_equal_values_share_a_rank_and_have_labels_of_their_own(results):
    given = with_primary(results, [0.9, 0.7, 0.7, 0.7, 0.5], [(None, None)] * 5)
    placed = standings(given)
    assert [one.rank for one in placed] == [1, 2, 2, 2, 5]
    assert [one.place for one in placed] == [1, 2, 3, 4, 5]
    assert [one.label for one in placed] == ["1", "2a", "2b", "2c", "5"]


def test_labels_do_not_run_out_of_letters():
    specs = tuple(f"fixed(size={n}, overlap=0)" for n in range(500, 530))
    labels = [one.label for one in standings(measured(3, strategies=specs)[0])]
    assert labels[:2] == ["1a", "1b"]
    assert labels[25:28] == ["1z", "1aa", "1ab"]


def with_intervals(results, methods):
    """Results whose primary measure has intervals of these methods, the differences none."""
    primary = results.data["config"]["primary"]

    def change(row, i):
        one = {**row["measures"][primary], "interval": methods[i]}
        row["measures"] = {**row["measures"], primary: one}
        row["difference"] = {**row["difference"], "interval": None}

    return changed(results, change)


@pytest.mark.parametrize(
    ("method", "sign", "claim"),
    [
        ("cluster-t", "", "with 12 documents they may cover a little less than 95 %"),
        ("cluster-bca", "", "they may cover less than 95 % (83 to 94 % were seen)"),
        ("question-t", "*", "with 23 questions they may cover less than 95 %"),
        ("question-bca", "*", "with 23 questions they may cover less than 95 %."),
        ("wilson", "†", "not for new documents"),
    ],
)
def test_each_kind_of_interval_claims_what_it_may_and_no_more(results, method, sign, claim):
    given = with_intervals(results, [method] * 5)
    placed = standings(given)
    (line,) = footnotes(given.data, placed)
    assert claim in line
    assert ("new documents of this kind" in line) == method.startswith("cluster")
    assert all(interval_text(one).endswith(sign) for one in placed)
    assert line.startswith(sign or "95 % intervals without a mark")


def test_only_the_kinds_that_occur_are_explained(results):
    mixed = with_intervals(results, ["cluster-t", "wilson", None, "question-bca", "wilson"])
    assert [line[0] for line in footnotes(mixed.data, standings(mixed))] == ["9", "*", "†"]
    none = with_intervals(results, [None] * 5)
    assert footnotes(none.data, standings(none)) == []


def test_an_interval_of_a_difference_is_marked_too(results):
    def change(row, i):
        row["difference"] = {
            **row["difference"],
            "to": "x",
            "mean": -0.1 * i,
            "interval": "question-t",
        }

    given = changed(with_intervals(results, [None] * 5), change)
    shown = {difference_text(one) for one in standings(given)}
    assert shown == {"0.000*", "−0.100*", "−0.200*", "−0.300*", "−0.400*"}
    assert [line[0] for line in footnotes(given.data, standings(given))] == ["*"]


def test_notes_of_the_benchmark_are_cautions(results):
    given = Results({**results.data, "notes": ["the budget holds it all", "Two cut alike."]})
    assert headline(given).cautions[:2] == ("The budget holds it all.", "Two cut alike.")


@pytest.mark.parametrize(("n", "said"), [(4, "each is 1/7 (0.143)"), (17, None)])
def test_under_thirty_questions_it_says_what_one_is_worth(n, said):
    cautions = " ".join(headline(measured(n, strategies=("whole",))[0]).cautions)
    assert (said in cautions) if said else (" are few" not in cautions)


def test_it_says_what_it_is_based_on(results):
    said = headline(results)
    assert said.sentences[-1] == (
        "Based on 23 questions about 12 documents; 1 question without gold left out; nothing follows "
        "for other embedders or for answers written from what is shown."
    )


def test_few_documents_are_a_caution_and_many_are_not(results):
    few = headline(measured(4)[0])
    assert few.cautions[1].startswith("With questions about fewer than 10 documents (4 here)")
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
