"""Laws of the tests, corrections, verdicts and choices, on samples of all shapes."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.compare import (
    choose,
    compare_pairs,
    compare_to,
    effects,
    flip_test,
    holm,
    questions_needed,
    strata,
)

# Small units keep the flips exact, so that the laws hold to the last digit.
scores = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1, width=16))
holed = st.one_of(scores, st.just(float("nan")))
probabilities = st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=30)


@st.composite
def samples(draw, *, least=2, most=4, values=scores):
    """Values by strategy and the documents of the questions, few enough for exact flips."""
    size, m = draw(st.integers(1, 14)), draw(st.integers(least, most))
    table = draw(st.lists(st.lists(values, min_size=size, max_size=size), min_size=m, max_size=m))
    clusters = draw(st.lists(st.sampled_from("abcdefghijklmn"), min_size=size, max_size=size))
    return {f"s{i}": np.array(own) for i, own in enumerate(table)}, clusters


def told(found):
    """What is known of each pair, in numbers that a comparison of floats can take."""
    return {
        (one.name, one.to): [
            value for value in vars_of(one) if not isinstance(value, str) and value is not None
        ]
        for one in found
    }


def vars_of(one):
    return [getattr(one, name) for name in one.__slots__ if name not in ("name", "to", "verdict")]


def alike(found, other):
    assert [one.verdict for one in found] == [one.verdict for one in other]
    for one, two in zip(found, other, strict=True):
        assert told([one]) == {
            key: pytest.approx(value, abs=1e-9) for key, value in told([two]).items()
        }


@given(samples(least=1, most=1), st.integers(0, 3))
def test_turning_every_sign_changes_nothing(sample, seed):
    values, clusters = sample
    difference = values["s0"] - 0.5
    one, other = (flip_test(sign * difference, clusters, seed=seed) for sign in (1, -1))
    assert one == other


@given(samples(least=1, most=1))
def test_p_is_between_the_least_possible_and_1(sample):
    values, clusters = sample
    found = flip_test(values["s0"] - 0.5, clusters)
    assert min(1.0, 2.0 ** (1 - found.n_units)) - 1e-12 <= found.p <= 1.0


@given(st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=6), st.floats(0.01, 1))
def test_over_all_sign_patterns_p_falls_under_a_level_at_most_so_often(sizes, level):
    """What makes it a test: of all patterns, as likely, at most that share has such a p."""
    names = [str(i) for i in range(len(sizes))]
    patterns = itertools.product([1, -1], repeat=len(sizes))
    p = [flip_test(np.array(sizes) * signs, names).p for signs in patterns]
    assert np.mean(np.array(p) <= level) <= level + 1e-12


@given(samples(least=1, most=1), st.randoms(use_true_random=False))
def test_the_order_of_questions_does_not_matter_to_p(sample, random):
    values, clusters = sample
    difference = values["s0"] - 0.3
    order = list(range(len(clusters)))
    random.shuffle(order)
    turned = flip_test(difference[order], [clusters[i] for i in order])
    assert turned == flip_test(difference, clusters)


@given(probabilities)
def test_holm_raises_p_keeps_the_order_and_is_at_most_bonferroni(p):
    adjusted = holm(p)
    assert (adjusted >= np.array(p) - 1e-15).all()
    assert (adjusted <= np.minimum(1, np.array(p) * len(p)) + 1e-12).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(adjusted[order]) >= 0).all()


@given(probabilities, st.data())
def test_holm_falls_where_any_p_falls(p, data):
    i = data.draw(st.integers(0, len(p) - 1))
    lower = [*p[:i], p[i] * data.draw(st.floats(0, 1)), *p[i + 1 :]]
    assert (holm(lower) <= holm(p) + 1e-12).all()


@given(samples(values=holed), st.sampled_from(["holm", "max-t"]))
def test_a_comparison_is_whole(sample, correction):
    values, clusters = sample
    for one in compare_to(values, clusters, to="s0", correction=correction):
        known = ~np.isnan(values[one.name] - values["s0"])
        assert one.n == known.sum()
        assert 0 < one.p <= one.p_adjusted <= 1
        if one.n:
            assert one.mean == pytest.approx(np.mean((values[one.name] - values["s0"])[known]))
        if one.low_all is not None:
            assert -1 <= one.low_all <= one.mean + 1e-9
            assert one.mean - 1e-9 <= one.high_all <= 1
        if one.verdict in ("BETTER", "WORSE"):
            assert one.p_adjusted <= 0.05
            assert (one.mean > 0) == (one.verdict == "BETTER")
        if one.verdict == "UNRESOLVABLE":
            assert one.p_adjusted > 0.05


@given(samples(), st.data())
def test_a_question_without_a_value_is_as_if_it_had_not_been_asked(sample, data):
    values, clusters = sample
    lost = data.draw(st.sets(st.integers(0, len(clusters) - 1), max_size=len(clusters) - 1))
    kept = [i for i in range(len(clusters)) if i not in lost]
    values["s0"][list(lost)] = np.nan
    some = {name: own[kept] for name, own in values.items()}
    documents = [clusters[i] for i in kept]
    alike(compare_to(values, clusters, to="s0"), compare_to(some, documents, to="s0"))
    costs = dict.fromkeys(values, (0,))
    found, other = choose(values, clusters, costs), choose(some, documents, costs)
    assert replace(found, n_left_out=0) == other


@given(samples(), st.randoms(use_true_random=False))
def test_relabelling_questions_documents_and_strategies_changes_nothing(sample, random):
    values, clusters = sample
    order, names = list(range(len(clusters))), [name for name in values if name != "s0"]
    random.shuffle(order)
    random.shuffle(names)
    turned = {name: values[name][order] for name in (*names, "s0")}
    renamed = [f"document {ord('z') - ord(clusters[i])}" for i in order]
    found = {one.name: one for one in compare_to(values, clusters, to="s0")}
    other = compare_to(turned, renamed, to="s0")
    alike([found[one.name] for one in other], other)


@given(samples())
def test_the_other_way_round_the_difference_turns_its_sign(sample):
    values, clusters = sample
    one = compare_pairs({"x": values["s0"]}, {"x": values["s1"]}, clusters)[0]
    other = compare_pairs({"x": values["s1"]}, {"x": values["s0"]}, clusters)[0]
    assert other.mean == pytest.approx(-one.mean)
    assert (other.p, other.p_adjusted) == (one.p, one.p_adjusted)
    turned = {"BETTER": "WORSE", "WORSE": "BETTER"}
    assert other.verdict == turned.get(one.verdict, one.verdict)
    if one.low_all is not None:
        assert (other.low_all, other.high_all) == pytest.approx((-one.high_all, -one.low_all))


@given(samples(), st.randoms(use_true_random=False))
def test_a_choice_is_whole_and_does_not_depend_on_the_order(sample, random):
    values, clusters = sample
    costs = {name: (random.randint(0, 2),) for name in values}
    found = choose(values, clusters, costs)
    assert sorted([*found.alike, *found.ruled_out]) == sorted(values)
    assert found.best == found.alike[0]
    assert found.chosen in found.alike
    assert set(found.undecided) <= set(found.alike[1:])
    assert sum(found.p_best.values()) == pytest.approx(1.0)
    assert [one.to for one in found.comparisons] == [found.best] * (len(values) - 1)
    assert all(one.mean <= 1e-9 for one in found.comparisons)
    means = {name: own.mean() for name, own in values.items()}
    words = {one.name: one.verdict for one in found.comparisons}
    near = (
        words.get(found.chosen) == "EQUIVALENT" or means[found.chosen] >= means[found.best] - 0.0201
    )
    assert near
    assert costs[found.chosen] <= costs[found.best]
    turned = choose(dict(reversed(values.items())), clusters, costs)
    assert replace(turned, comparisons=[]) == replace(found, comparisons=[])
    alike(found.comparisons, turned.comparisons)


@given(samples(), st.integers(0, 3))
def test_a_cross_fitted_score_lies_between_the_least_and_the_most(sample, seed):
    values, clusters = sample
    found = choose(values, clusters, dict.fromkeys(values, (0,)), seed=seed).cross_fitted
    if found.mean is not None:
        table = np.column_stack(list(values.values()))
        assert table.min(axis=1).mean() - 1e-9 <= found.mean <= table.max(axis=1).mean() + 1e-9
    if found.low is not None:
        assert 0 <= found.low <= found.mean + 1e-9
        assert found.mean - 1e-9 <= found.high <= 1


@given(samples(least=4, values=holed))
def test_the_effect_of_a_knob_is_the_mean_of_its_pairs(sample):
    values, clusters = sample
    knobs = {f"s{i}": {"size": i // 2, "merge": i % 2} for i in range(4)}
    for one in effects(values, knobs, clusters):
        step = 2 if one.knob == "size" else 1
        pairs = [("s2", "s0"), ("s3", "s1")] if step == 2 else [("s1", "s0"), ("s3", "s2")]
        rows = np.column_stack([values[a] - values[b] for a, b in pairs])
        known = ~np.isnan(rows).all(axis=1)
        assert one.n_questions == known.sum()
        assert one.mean == pytest.approx(np.nanmean(rows[known], axis=1).mean())


@given(samples(most=2), st.data())
def test_strata_of_one_label_are_the_whole(sample, data):
    values, clusters = sample
    (part,) = strata(values, clusters, [["all"]] * len(clusters), name="s1", to="s0")
    alike([part.comparison], compare_to(values, clusters, to="s0"))
    labels = data.draw(
        st.lists(st.sampled_from("xy"), min_size=len(clusters), max_size=len(clusters))
    )
    parts = strata(values, clusters, [[one] for one in labels], name="s1", to="s0")
    assert sum(one.comparison.n for one in parts) == part.comparison.n


@given(st.floats(0.01, 2), st.floats(0.2, 5), st.floats(0.01, 0.5), st.floats(1.1, 3))
def test_a_smaller_difference_takes_more_questions(sd, deff, difference, factor):
    few = questions_needed(sd, deff, difference * factor)
    assert few <= questions_needed(sd, deff, difference)
    assert few <= questions_needed(sd, deff * factor, difference * factor)
    assert few <= questions_needed(sd, deff, difference * factor, power=0.9)
