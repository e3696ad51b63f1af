import itertools

import numpy as np
import pytest

from seamline.compare import flip_test, randomization
from seamline.compare.randomization import Flips, NullDistribution, nulls_of, statistics
from seamline.errors import InvalidConfig


def patterns(flips):
    return np.concatenate(list(flips.blocks()))


def by_hand(sums):
    """Exact p: how many of all sign patterns lie as far out."""
    signs = np.array(list(itertools.product([1, -1], repeat=len(sums))))
    return float((np.abs(signs @ sums) >= abs(sum(sums)) - 1e-9).mean())


def test_all_patterns_are_there_and_no_other():
    rows = patterns(Flips(5))
    assert sorted(map(tuple, rows)) == sorted(itertools.product([-1.0, 1.0], repeat=5))


def test_14_units_are_exact_and_15_random():
    assert (Flips(14).exact, Flips(14).n) == (True, 16_384)
    assert (Flips(15).exact, Flips(15).n) == (False, 10_000)
    assert (Flips(70).exact, Flips(70).n) == (False, 10_000)
    assert (Flips(0).n, patterns(Flips(0)).shape) == (1, (1, 0))


def test_random_patterns_are_the_same_in_any_blocks(monkeypatch):
    whole = patterns(Flips(70, 3))
    monkeypatch.setattr(randomization, "_BLOCK", 70 * 999)
    assert np.array_equal(patterns(Flips(70, 3)), whole)
    assert not np.array_equal(patterns(Flips(70, 4)), whole)
    assert set(np.unique(whole)) == {-1.0, 1.0}
    assert abs(whole.mean()) < 0.01


def test_p_counts_ties_and_what_was_seen():
    exact = NullDistribution.of(np.array([0.0, 1.0, 1.0, 2.0]), Flips(2))
    assert exact.p([0.0, 1.0, 2.0, 3.0]).tolist() == [1.0, 0.75, 0.25, 0.0]
    random = NullDistribution.of(np.arange(10_000.0), Flips(20))
    assert random.p(10_001.0) == 1 / 10_001
    assert random.p(9_990.0) == 11 / 10_001


@pytest.mark.parametrize("flips", [Flips(6), Flips(30)])
def test_beyond_the_critical_t_p_is_at_most_the_level_and_at_it_more(flips):
    rng = np.random.default_rng(0)
    (null,) = nulls_of(rng.integers(-3, 4, (flips.n_units, 1)).astype(float), flips)
    for level in (0.01, 0.05, 0.3):
        critical = null.critical(level)
        assert null.p(critical) > level
        assert null.p(critical + 1e-6) <= level


def test_with_too_few_patterns_nothing_is_significant():
    null = NullDistribution.of(np.arange(10_000.0), Flips(20))
    assert null.critical(1e-5) == np.inf
    (few,) = nulls_of(np.ones((4, 1)), Flips(4))
    assert few.critical() == few.values[-1] == pytest.approx(2.0)


def test_exact_p_is_that_of_all_patterns_by_hand():
    sums = [0.4, -0.1, 0.3, 0.2, 0.2, -0.4, 0.9]
    documents = list("abcdefg")
    found = flip_test(sums, documents)
    assert found.p == pytest.approx(by_hand(sums))
    assert (found.exact, found.unit, found.n_units) == (True, "question", 7)


def test_a_documents_whole_sum_is_flipped():
    documents = [f"d{i}" for i in range(12) for _ in range(3)]
    values = np.tile([0.5, -0.2, 0.1], 12)
    found = flip_test(values, documents)
    assert (found.unit, found.n_units, found.p) == ("document", 12, 2 / 2**12)


def test_units_without_a_difference_take_no_part():
    documents = [f"d{i:02}" for i in range(40)]
    values = np.zeros(40)
    values[:6] = 1.0
    found = flip_test(values, documents)
    assert (found.p, found.exact, found.n_units) == (2 / 64, True, 6)


def test_differences_that_add_up_to_nothing_within_a_document_are_none():
    documents = [f"d{i:02}" for i in range(12) for _ in range(3)]
    values = np.tile([0.1, 0.2, -0.3], 12)
    assert flip_test(values, documents).n_units == 0
    assert flip_test(values, documents).p == 1.0


def test_nan_is_left_out():
    documents = [f"d{i:02}" for i in range(12)]
    values = [0.3, np.nan, 0.2, -0.1, *[0.4] * 7, np.nan]
    kept = [i for i, value in enumerate(values) if not np.isnan(value)]
    alone = flip_test([values[i] for i in kept], [documents[i] for i in kept])
    assert flip_test(values, documents) == alone


def test_without_any_value_p_is_1():
    assert flip_test([np.nan, np.nan], ["a", "b"]).p == 1.0
    assert flip_test([], []).p == 1.0


def test_many_units_are_flipped_at_random_the_same_way_each_time():
    rng = np.random.default_rng(1)
    documents = [f"d{i:02}" for i in range(60)]
    values = rng.normal(0.2, 1, 60)
    first, again, other = (flip_test(values, documents, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert not first.exact
    assert first.p != other.p
    assert first.p == pytest.approx(other.p, abs=0.02)


def test_the_p_of_a_column_does_not_depend_on_the_others():
    rng = np.random.default_rng(2)
    sums = rng.normal(0.1, 1, (30, 5))
    sums[5:, 3] = 0.0
    together = nulls_of(sums, Flips(30, 7))
    for j, null in enumerate(together):
        (alone,) = nulls_of(sums[:, [j]], Flips(30, 7))
        t = statistics(sums)[j]
        assert null.p(t) == alone.p(t)


def test_t_is_bounded_by_the_root_of_the_units_and_reached_when_all_are_alike():
    assert statistics(np.array([[1.0, 2.0], [1.0, -2.0]])).tolist() == [pytest.approx(2**0.5), 0.0]


def test_one_document_a_difference_is_asked_for():
    with pytest.raises(InvalidConfig, match="one document a difference"):
        flip_test([0.1, 0.2], ["a"])
