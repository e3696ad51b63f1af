from dataclasses import replace

import numpy as np
import pytest

from seamline.compare import compare_bests, compare_pairs, compare_to, holm
from seamline.compare.verdict import Rules, verdict_of
from seamline.errors import InvalidConfig, UnknownName

RULES = Rules(margin=0.02, lower_is_better=False, shares=True)


def documents(n_documents, each):
    return [f"d{i:03}" for i in range(n_documents) for _ in range(each)]


def sample(n_documents=20, each=5, *, gains=(0.0,), seed=0):
    """A base and strategies that gain so much on it in each question, with noise."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.3, 0.7, n_documents * each)
    values = {"base": base}
    for i, gain in enumerate(gains):
        noise = rng.normal(0, 0.1, len(base))
        values[f"s{i}"] = np.clip(base + gain + noise, 0, 1)
    return values, documents(n_documents, each)


def by_name(found):
    return {one.name: one for one in found}


# Verdicts


@pytest.mark.parametrize(
    ("mean", "interval", "p", "least", "word"),
    [
        (0.05, (0.03, 0.07), 0.001, 0.001, "BETTER"),
        (-0.05, (-0.07, -0.03), 0.001, 0.001, "WORSE"),
        (0.01, (-0.01, 0.02), 0.4, 0.001, "EQUIVALENT"),
        (0.01, (0.005, 0.015), 0.001, 0.001, "EQUIVALENT"),  # significant, and does not matter
        (0.01, (-0.01, 0.021), 0.4, 0.001, "NOT SEPARABLE"),
        (0.01, (-0.021, 0.01), 0.4, 0.001, "NOT SEPARABLE"),
        (0.01, (-0.5, 0.5), 0.4, 0.06, "UNRESOLVABLE"),
        (None, (None, None), 1.0, 1.0, "UNRESOLVABLE"),
        (0.3, (None, None), 0.01, 0.001, "BETTER"),
        (0.3, (0.0, 0.6), 0.05, 0.05, "BETTER"),
    ],
)
def test_the_verdict_follows_from_p_and_interval(mean, interval, p, least, word):
    assert verdict_of(mean, interval, p=p, least_p=least, rules=RULES) == word


def test_where_lower_is_better_so_are_negative_differences():
    rules = replace(RULES, lower_is_better=True)
    for mean, word in ((-0.05, "BETTER"), (0.05, "WORSE")):
        assert verdict_of(mean, (None, None), p=0.01, least_p=0.001, rules=rules) == word


# Against a baseline


def test_a_clear_gain_is_better_and_a_clear_loss_worse():
    values, labels = sample(gains=(0.1, -0.1))
    found = by_name(compare_to(values, labels, to="base"))
    assert (found["s0"].verdict, found["s1"].verdict) == ("BETTER", "WORSE")
    assert found["s0"].mean == pytest.approx(np.mean(values["s0"] - values["base"]))
    assert (found["s0"].n, found["s0"].n_clusters, found["s0"].unit) == (100, 20, "document")
    assert found["s0"].interval == "cluster-flip"
    assert found["s0"].n_needed < 100


def test_nearly_nothing_on_many_documents_is_equivalent():
    values, labels = sample(200, 5, gains=(0.0,))
    (one,) = compare_to(values, labels, to="base")
    assert one.verdict == "EQUIVALENT"
    assert -0.02 <= one.low_all <= one.high_all <= 0.02


def test_a_small_gain_on_few_questions_is_not_separable_and_says_what_it_takes():
    values, labels = sample(12, 2, gains=(0.03,), seed=3)
    (one,) = compare_to(values, labels, to="base")
    assert one.verdict == "NOT SEPARABLE"
    assert one.detectable > abs(one.mean)
    assert one.n_needed == np.ceil(one.n * (one.detectable / abs(one.mean)) ** 2)


@pytest.mark.parametrize("correction", ["max-t", "holm"])
def test_five_questions_that_differ_cannot_be_significant_and_six_can(correction):
    labels = documents(40, 3)
    base = np.zeros(120)
    five, six = base.copy(), base.copy()
    five[:15:3] = 1.0
    six[:18:3] = 1.0
    (one,) = compare_to({"base": base, "s": five}, labels, to="base", correction=correction)
    assert (one.verdict, one.p, one.n_different) == ("UNRESOLVABLE", 0.0625, 5)
    (one,) = compare_to({"base": base, "s": six}, labels, to="base", correction=correction)
    assert (one.verdict, one.p) == ("BETTER", 0.03125)


def test_a_larger_family_needs_more_questions_that_differ():
    labels = documents(40, 1)
    values = {"base": np.zeros(40)}
    for i in range(4):
        values[f"s{i}"] = np.zeros(40)
        values[f"s{i}"][10 * i : 10 * i + 6] = 1.0
    found = compare_to(values, labels, to="base", correction="holm")
    assert {one.verdict for one in found} == {"UNRESOLVABLE"}
    assert {one.p_adjusted for one in found} == {4 * 0.03125}


def test_strategies_that_are_the_same_everywhere_differ_in_nothing():
    values = {"a": np.ones(60), "b": np.ones(60)}
    (one,) = compare_to(values, documents(20, 3), to="a")
    assert (one.mean, one.p, one.p_adjusted, one.n_different) == (0.0, 1.0, 1.0, 0)
    assert (one.verdict, one.interval) == ("UNRESOLVABLE", "wilson")
    assert one.low == -one.high == pytest.approx(-0.0602, abs=1e-4)
    assert (one.detectable, one.n_needed) == (None, None)
    (many,) = compare_to({"a": np.ones(600), "b": np.ones(600)}, documents(200, 3), to="a")
    assert many.verdict == "EQUIVALENT"


def test_counts_that_are_the_same_everywhere_have_no_interval():
    values = {"a": np.full(60, 800.0), "b": np.full(60, 800.0)}
    (one,) = compare_to(values, documents(20, 3), to="a")
    assert (one.low, one.low_all, one.interval, one.verdict) == (None, None, None, "UNRESOLVABLE")


def test_under_ten_documents_questions_are_the_unit_and_the_comparison_says_so():
    values, labels = sample(9, 5, gains=(0.1,))
    (one,) = compare_to(values, labels, to="base")
    assert (one.unit, one.interval, one.n_clusters) == ("question", "question-flip", 9)


def test_nan_drops_out_of_its_pair_only():
    values, labels = sample(gains=(0.02, 0.02))
    holed = dict(values)
    holed["s0"] = values["s0"].copy()
    holed["s0"][::4] = np.nan
    found, whole = (by_name(compare_to(v, labels, to="base")) for v in (holed, values))
    assert (found["s0"].n, found["s1"].n) == (75, 100)
    assert found["s1"].mean == whole["s1"].mean
    assert found["s1"].p == whole["s1"].p
    kept = [i for i in range(100) if i % 4]
    assert found["s0"].mean == pytest.approx(np.mean((values["s0"] - values["base"])[kept]))


def test_a_question_that_the_baseline_lacks_drops_out_of_all_pairs():
    values, labels = sample(gains=(0.02, 0.05))
    values["base"][:10] = np.nan
    found = compare_to(values, labels, to="base")
    assert {(one.n, one.n_clusters) for one in found} == {(90, 18)}


def test_without_a_common_value_there_is_nothing_to_say():
    (one,) = compare_to({"a": [np.nan] * 3, "b": [0.1, 0.2, 0.3]}, list("xyz"), to="a")
    assert (one.mean, one.n, one.p, one.verdict) == (None, 0, 1.0, "UNRESOLVABLE")
    assert compare_to({"a": [0.1, 0.2, 0.3]}, list("xyz"), to="a") == []


def test_p_and_own_interval_do_not_depend_on_the_family():
    values, labels = sample(gains=(0.02, 0.03, -0.01))
    together = by_name(compare_to(values, labels, to="base"))
    (alone,) = compare_to({key: values[key] for key in ("base", "s0")}, labels, to="base")
    one = together["s0"]
    assert one.p == alone.p
    assert (one.low, one.high) == pytest.approx((alone.low, alone.high))
    assert one.p_adjusted >= alone.p_adjusted
    assert one.low_all <= alone.low_all


def test_max_t_makes_use_of_copies_and_holm_does_not():
    values, labels = sample(20, 5, gains=(0.03,), seed=5)
    for i in range(1, 12):
        values[f"s{i}"] = values["s0"]
    p = {
        name: by_name(compare_to(values, labels, to="base", correction=name))["s0"].p_adjusted
        for name in ("max-t", "holm")
    }
    alone = by_name(compare_to({k: values[k] for k in ("base", "s0")}, labels, to="base"))["s0"]
    assert p["max-t"] == alone.p_adjusted
    assert p["holm"] == min(1.0, 12 * alone.p)


def test_holm_is_holm_of_the_single_p():
    values, labels = sample(20, 5, gains=(0.02, 0.03, -0.02, 0.0))
    found = compare_to(values, labels, to="base", correction="holm")
    assert [one.p_adjusted for one in found] == holm([one.p for one in found]).tolist()


def test_the_interval_for_all_at_once_agrees_with_the_adjusted_p():
    for seed in range(30):
        values, labels = sample(15, 3, gains=(0.02, 0.04, -0.03), seed=seed)
        for one in compare_to(values, labels, to="base"):
            assert (one.p_adjusted <= 0.05) == (not one.low_all <= 0 <= one.high_all)
            assert one.low_all <= one.low <= one.mean <= one.high <= one.high_all


def test_lower_is_better_turns_the_verdict_and_nothing_else():
    values, labels = sample(gains=(0.1,))
    (one,) = compare_to(values, labels, to="base")
    (other,) = compare_to(values, labels, to="base", lower_is_better=True)
    assert (one.verdict, other.verdict) == ("BETTER", "WORSE")
    assert replace(other, verdict="BETTER") == one


def test_the_margin_decides_what_is_equivalent():
    values, labels = sample(200, 5, gains=(0.01,))
    words = [
        compare_to(values, labels, to="base", margin=margin)[0].verdict
        for margin in (0.0, 0.005, 0.03)
    ]
    assert words == ["BETTER", "BETTER", "EQUIVALENT"]


# Pair by pair, and the best of two sides


def test_pairs_are_those_of_one_name():
    values, labels = sample(gains=(0.1, -0.1))
    mine = {"x": values["s0"], "y": values["s1"]}
    others = {"y": values["base"], "x": values["base"], "z": values["base"]}
    found = compare_pairs(mine, others, labels)
    as_one = compare_to({"base": values["base"], **mine}, labels, to="base")
    assert [replace(one, to="base") for one in found] == as_one
    assert [(one.name, one.to) for one in found] == [("x", "x"), ("y", "y")]


def test_a_pair_without_its_other_half_is_refused():
    with pytest.raises(UnknownName, match="no strategy 'x' on the other side"):
        compare_pairs({"x": [0.1]}, {"y": [0.1]}, ["a"])


def test_the_best_of_two_sides_pays_for_all_pairs():
    values, labels = sample(20, 5, gains=(0.04, 0.0, 0.0, 0.0, 0.0), seed=8)
    left = {key: values[key] for key in ("s0", "s1", "s2")}
    right = {key: values[key] for key in ("s3", "s4", "base")}
    names = ("s0", "base")
    one = compare_bests(left, right, labels, names=names)
    (free,) = compare_to({key: values[key] for key in ("base", "s0")}, labels, to="base")
    assert (one.mean, one.p, one.low) == pytest.approx((free.mean, free.p, free.low))
    assert one.p_adjusted > free.p_adjusted
    assert one.high_all > free.high_all
    alone = compare_bests({"s0": left["s0"]}, {"base": right["base"]}, labels, names=names)
    assert alone == free


# What is refused


def test_an_unknown_baseline_is_named_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean 'base'"):
        compare_to({"base": [0.1], "s": [0.2]}, ["a"], to="bsae")


@pytest.mark.parametrize("margin", [-0.01, float("nan"), float("inf")])
def test_a_margin_that_is_none_is_refused(margin):
    with pytest.raises(InvalidConfig, match="margin must be at least 0"):
        compare_to({"a": [0.1], "b": [0.2]}, ["x"], to="a", margin=margin)


def test_other_corrections_are_refused():
    with pytest.raises(InvalidConfig, match="'holm' or 'max-t', got 'none'"):
        compare_to({"a": [0.1], "b": [0.2]}, ["x"], to="a", correction="none")


@pytest.mark.parametrize(
    ("values", "match"),
    [
        ({}, "at least one strategy"),
        ({"a": [0.1], "b": [0.1, 0.2]}, r"shape \(1,\) for 'a' and 2 questions"),
        ({"a": [[0.1, 0.2]]}, r"shape \(1, 2\) for 'a'"),
        ({"a": [0.1, np.inf]}, "finite or NaN, got an infinite one for 'a'"),
    ],
)
def test_values_that_are_not_one_a_question_are_refused(values, match):
    with pytest.raises(InvalidConfig, match=match):
        compare_to(values, ["x", "y"], to="a")
