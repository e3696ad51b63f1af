import numpy as np
import pytest

from seamline.compare import choose
from seamline.compare.confidence_set import rule_out
from seamline.compare.crossfit import cross_fit, within
from seamline.compare.multiple import furthest
from seamline.compare.randomization import Flips, statistics
from seamline.compare.verdict import Rules
from seamline.errors import InvalidConfig


def documents(n_documents, each):
    return [f"d{i:03}" for i in range(n_documents) for _ in range(each)]


def sample(gains, n_documents=30, each=4, *, seed=0, noise=0.1):
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.3, 0.7, n_documents * each)
    values = {
        f"s{i:02}": np.clip(base + gain + rng.normal(0, noise, len(base)), 0, 1)
        for i, gain in enumerate(gains)
    }
    return values, documents(n_documents, each)


def prices(values, *amounts):
    return dict(zip(values, ((one,) for one in amounts or [0] * len(values)), strict=True))


# Ruling out, one after the other


def test_ruling_out_two_is_the_test_of_their_difference():
    sums = np.random.default_rng(0).normal(0.3, 1, (13, 2))
    found = rule_out(sums, Flips(13))
    difference = (sums[:, 1] - sums[:, 0])[:, None]
    p = float(furthest(difference, Flips(13)).p(statistics(difference)[0]))
    assert sorted(found.p.tolist()) == pytest.approx([p, 1.0])


def test_the_first_step_is_the_furthest_of_all_pairs():
    sums = np.random.default_rng(1).normal(0, 1, (12, 6))
    found = rule_out(sums, Flips(12))
    left, right = np.triu_indices(6, 1)
    pairs = sums[:, left] - sums[:, right]
    assert found.everyone.values == pytest.approx(furthest(pairs, Flips(12)).values)
    assert found.p.min() == found.everyone.p(statistics(pairs).max())


def test_once_the_worst_are_out_the_rest_is_tested_among_itself():
    rng = np.random.default_rng(2)
    good = rng.normal(1, 0.1, (12, 3))
    bad = rng.normal(-1, 0.1, (12, 4))
    found = rule_out(np.column_stack([good, bad]), Flips(12))
    assert (found.p[3:] == 2 / 2**12).all()
    assert found.p[:3] == pytest.approx(rule_out(good, Flips(12)).p)
    assert (found.among[0].values <= found.everyone.values + 1e-9).all()


def test_p_never_falls_along_the_order_and_the_last_has_1():
    sums = np.random.default_rng(3).normal(0, 1, (40, 8)) + np.linspace(0, 0.6, 8)
    found = rule_out(sums, Flips(40))
    assert found.p[sums.sum(axis=0).argmax()] == 1.0
    assert (found.p <= 1.0).all()


def test_strategies_that_are_the_same_are_never_ruled_out():
    sums = np.repeat(np.random.default_rng(4).normal(0, 1, (12, 1)), 4, axis=1)
    assert rule_out(sums, Flips(12)).p.tolist() == [1.0] * 4


# Choosing


def test_the_best_is_chosen_where_the_cheaper_ones_are_far_off():
    values, labels = sample([0.2, 0.0, 0.0])
    found = choose(values, labels, prices(values, 3, 2, 1))
    assert (found.best, found.chosen) == ("s00", "s00")
    assert sorted(found.ruled_out) == ["s01", "s02"]
    assert (found.alike, found.undecided) == (["s00"], [])
    assert found.p_best["s00"] == 1.0
    assert found.supported
    assert found.why_not == ""
    assert {one.verdict for one in found.comparisons} == {"WORSE"}
    assert all(one.to == "s00" and one.mean < 0 for one in found.comparisons)


def test_the_cheapest_within_the_margin_is_chosen():
    values, labels = sample([0.2, 0.197, 0.188, 0.0], 300, 4, noise=0.04)
    costs = prices(values, 9, 5, 3, 1)
    found = choose(values, labels, costs)
    assert (found.best, found.chosen) == ("s00", "s02")
    assert found.undecided == []
    assert choose(values, labels, costs, margin=0.009).chosen == "s01"
    assert choose(values, labels, costs, margin=0.0).chosen == "s00"
    assert choose(values, labels, costs, margin=0.5).chosen == "s03"


def test_one_that_is_ruled_out_is_not_chosen_though_its_mean_is_within_the_margin():
    values, labels = sample([0.2, 0.182], 40, 25, noise=0.05)
    found = choose(values, labels, prices(values, 2, 1))
    (one,) = found.comparisons
    assert one.mean > -0.02
    assert one.low_all < -0.02
    assert one.verdict == "WORSE"
    assert (found.chosen, found.ruled_out) == ("s00", ["s01"])


def test_significant_and_within_the_margin_is_the_same_and_the_cheaper_is_taken():
    values, labels = sample([0.2, 0.19], 300, 10, noise=0.03)
    found = choose(values, labels, prices(values, 2, 1))
    (one,) = found.comparisons
    assert (one.verdict, one.p_adjusted < 0.05) == ("EQUIVALENT", True)
    assert (found.chosen, found.ruled_out, found.undecided) == ("s01", [], [])


def test_what_can_be_neither_shown_nor_ruled_out_is_undecided():
    values, labels = sample([0.2, 0.18, 0.19], 12, 2, noise=0.2, seed=2)
    found = choose(values, labels, prices(values))
    assert found.undecided == found.alike[1:]
    assert len(found.alike) == 3


def test_of_equal_means_the_cheaper_is_the_best_and_then_the_first_by_name():
    values = {"b": np.tile([0.0, 1.0], 20), "a": np.tile([1.0, 0.0], 20)}
    labels = documents(20, 2)
    assert choose(values, labels, {"a": (2,), "b": (1,)}).best == "b"
    assert choose(values, labels, {"a": (1,), "b": (1,)}).best == "a"
    even = choose(values, labels, {"a": (1,), "b": (1,)})
    assert even.p_best == {"a": 0.5, "b": 0.5}


def test_the_first_part_of_a_cost_counts_most():
    values = {"b": np.ones(20), "a": np.ones(20)}
    labels = documents(20, 1)
    assert choose(values, labels, {"a": (1, 9), "b": (2, 0)}).chosen == "a"


def test_where_lower_is_better_the_least_is_the_best():
    values, labels = sample([0.0, 0.2, 0.1])
    costs = prices(values)
    low = choose(values, labels, costs, lower_is_better=True)
    mirrored = choose({name: 1 - own for name, own in values.items()}, labels, costs)
    assert low.best == mirrored.best == "s00"
    assert low.ruled_out == mirrored.ruled_out
    assert [one.mean for one in low.comparisons] == pytest.approx(
        [-one.mean for one in mirrored.comparisons]
    )
    assert [one.p_adjusted for one in low.comparisons] == [
        one.p_adjusted for one in mirrored.comparisons
    ]
    assert low.p_best == mirrored.p_best
    assert low.cross_fitted.mean == pytest.approx(1 - mirrored.cross_fitted.mean)
    assert low.cross_fitted.optimism == pytest.approx(mirrored.cross_fitted.optimism)
    assert low.cross_fitted.low == pytest.approx(1 - mirrored.cross_fitted.high, abs=0.01)


def test_a_question_that_one_strategy_lacks_counts_for_none():
    values, labels = sample([0.2, 0.1])
    values["s01"][:10] = np.nan
    found = choose(values, labels, prices(values))
    assert (found.n, found.n_left_out) == (110, 10)
    assert found.comparisons[0].n == 110


def test_a_strategy_without_any_value_is_out():
    values, labels = sample([0.2, 0.1])
    values["none"] = np.full(120, np.nan)
    found = choose(values, labels, prices(values))
    assert found.ruled_out[-1] == "none"
    assert found.p_best["none"] == 0.0
    assert found.n == 120
    assert "none" not in {one.name for one in found.comparisons}


def test_one_strategy_alone_is_chosen():
    values, labels = sample([0.2])
    found = choose(values, labels, prices(values))
    assert (found.best, found.chosen, found.alike) == ("s00", "s00", ["s00"])
    assert (found.comparisons, found.p_best) == ([], {"s00": 1.0})
    assert found.cross_fitted.optimism == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("n_documents", "each", "why"),
    [
        (9, 2, "9 of at least 10 documents"),
        (12, 1, "12 of at least 15 questions"),
        (2, 2, "2 of at least 10 documents and 4 of at least 15 questions"),
    ],
)
def test_few_documents_or_questions_support_nothing(n_documents, each, why):
    values, labels = sample([0.1, 0.2], n_documents, each)
    found = choose(values, labels, prices(values))
    assert not found.supported
    assert found.why_not == why


def test_the_same_seed_gives_the_same_choice_and_the_order_does_not_matter():
    values, labels = sample([0.02, 0.0, 0.03, 0.01])
    turned = dict(reversed(values.items()))
    first, again, other = (
        choose(one, labels, prices(values), seed=seed)
        for one, seed in ((values, 1), (values, 1), (values, 2))
    )
    assert first == again
    assert first != other
    reordered = choose(turned, labels, prices(values), seed=1)
    assert [one.p_adjusted for one in reordered.comparisons] == [
        one.p_adjusted for one in first.comparisons
    ]
    assert reordered.cross_fitted == first.cross_fitted
    assert reordered.p_best == first.p_best


def test_what_cannot_be_chosen_from_is_refused():
    with pytest.raises(InvalidConfig, match="every strategy must have a cost, but 'b' has none"):
        choose({"a": [0.1], "b": [0.2]}, ["x"], {"a": (1,)})
    with pytest.raises(InvalidConfig, match="a value for every strategy, none has"):
        choose({"a": [0.1, np.nan], "b": [np.nan, 0.2]}, ["x", "y"], {"a": (1,), "b": (1,)})


# Cross-fitting


def test_the_cheapest_within_the_margin_and_of_equal_price_the_best():
    means = np.array([[0.90, 0.89, 0.885, 0.1], [0.7, 0.9, 0.7, 0.1]])
    assert within(means, [2, 1, 1, 0], 0.02).tolist() == [1, 1]
    assert within(means, [2, 1, 1, 0], 0.005).tolist() == [0, 1]
    assert within(means, [0, 0, 0, 0], 0.02).tolist() == [0, 1]
    assert within(means, [0, 1, 2, 3], 1.0).tolist() == [0, 0]


def test_where_one_is_far_ahead_cross_fitting_changes_nothing():
    values, labels = sample([0.3, 0.0])
    found = choose(values, labels, prices(values))
    assert found.cross_fitted.mean == pytest.approx(values["s00"].mean())
    assert found.cross_fitted.optimism == pytest.approx(0.0, abs=1e-12)
    assert found.cross_fitted.method == "cluster-t"


def test_the_luck_of_the_luckiest_is_taken_out():
    rng = np.random.default_rng(5)
    labels = documents(12, 1)
    optimism, error = [], []
    for seed in range(60):
        values = {f"s{i:02}": rng.uniform(0.3, 0.7, 12) for i in range(20)}
        found = choose(values, labels, prices(values), seed=seed).cross_fitted
        optimism.append(found.optimism)
        error.append(found.mean - 0.5)
    assert np.mean(optimism) > 0.05  # the best of 20 means of 12 lies so far above .5
    assert abs(np.mean(error)) < 3.1 * np.std(error) / np.sqrt(60)


def test_ties_in_cost_do_not_let_the_halves_see_each_other():
    """Equal prices and equal means are settled by the half itself and the name alone."""
    rng = np.random.default_rng(6)
    labels = documents(12, 2)
    error = []
    for seed in range(150):
        values = {f"s{i}": (rng.random(24) < 0.5) * 1.0 for i in range(6)}
        found = choose(values, labels, prices(values), margin=0.3, seed=seed).cross_fitted
        error.append(found.mean - 0.5)
    assert abs(np.mean(error)) < 3.1 * np.std(error) / np.sqrt(150)


def test_three_questions_have_no_halves():
    values = {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.1]}
    found = choose(values, ["x", "y", "z"], prices(values)).cross_fitted
    assert (found.mean, found.low, found.high, found.method, found.optimism) == (None,) * 5


def fit(table, *, shares, lower=False, labels=None):
    rules = Rules(margin=0.0, lower_is_better=lower, shares=shares)
    labels = labels or documents(len(table), 1)
    return cross_fit(np.asarray(table), labels, [0] * len(table[0]), chosen=0, rules=rules)


def test_constants_have_no_interval_unless_they_are_rates():
    assert fit(np.full((20, 2), 7.0), shares=False).low is None
    rate = fit(np.ones((20, 2)), shares=True)
    assert (rate.high, rate.method) == (1.0, "wilson")
    assert rate.low < 0.9


def test_where_only_the_mixture_varies_its_interval_stands():
    table = np.column_stack([np.full(20, 0.5), np.tile([0.4, 0.7], 10)])
    found = fit(table, shares=True)
    assert found.low is not None
    assert found.low <= found.mean <= found.high


def test_the_own_interval_stands_where_the_mixture_has_none():
    table = np.column_stack([np.tile([0.4, 0.8], 10), np.full(20, 3.0)])
    found = fit(table, shares=False)
    assert found.mean == 3.0
    assert (found.low is None) == (found.high is None)
    assert found.high < 1.0
