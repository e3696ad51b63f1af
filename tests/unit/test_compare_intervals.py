import math

import numpy as np
import pytest

from seamline.compare.intervals import difference_interval, flip_interval, signed_wilson
from seamline.compare.randomization import Flips, nulls_of, statistics


def interval(differences, sums=None, counts=None, *, critical=1.96, level=0.95, shares=True):
    values = np.asarray(differences, dtype=float)
    sums = values if sums is None else np.asarray(sums, dtype=float)
    counts = np.ones(len(sums)) if counts is None else np.asarray(counts, dtype=float)
    return difference_interval(values, sums, counts, critical=critical, level=level, shares=shares)


def test_with_units_of_one_size_it_is_the_t_interval_of_their_means():
    sums, critical = np.array([1.0, 2.0, 4.0, 3.0, 5.0, 3.0]), 1.5
    t = critical * math.sqrt(5 / (6 - critical**2))  # the same point on the scale of Student's t
    half = t * sums.std(ddof=1) / math.sqrt(6)
    assert flip_interval(sums, np.ones(6), critical) == pytest.approx((3 - half, 3 + half))


def test_it_holds_exactly_the_means_that_are_not_rejected():
    rng = np.random.default_rng(0)
    sums, counts = rng.normal(1, 2, 20), rng.integers(1, 9, 20).astype(float)
    critical = 1.8
    low, high = flip_interval(sums, counts, critical)
    for mean in (low, high):
        shifted = (sums - mean * counts)[:, None]
        assert statistics(shifted)[0] == pytest.approx(critical)


def test_one_unit_with_nearly_all_questions_leaves_it_without_ends():
    assert flip_interval(np.array([9.0, 1.0, 1.0]), np.array([90.0, 1.0, 1.0]), 1.4) == (
        -math.inf,
        math.inf,
    )
    values = [0.1] * 90 + [0.2, 0.3]
    assert interval(values, sums=[9.0, 0.2, 0.3], counts=[90, 1, 1]) is None


def test_it_leaves_0_out_exactly_where_the_test_rejects():
    rng = np.random.default_rng(1)
    for _ in range(200):
        sums = rng.normal(0.5, 1, 12)
        (null,) = nulls_of(sums[:, None], Flips(12))
        low, high = flip_interval(sums, np.ones(12), null.critical())
        significant = null.p(statistics(sums[:, None])[0]) <= 0.05
        assert significant == (not low <= 0 <= high)


def test_the_joined_wilson_interval_mirrors_and_is_wilsons_where_one_side_is_empty():
    values = np.array([1.0, 1.0, -1.0, *[0.0] * 17])
    low, high = signed_wilson(values)
    assert signed_wilson(-values) == pytest.approx((-high, -low))
    assert low < 0.05 < high


def test_differences_that_all_are_0_are_bounded_by_what_may_have_been_missed():
    low, high = interval(np.zeros(100))
    assert (low, high) == pytest.approx((-0.0370, 0.0370), abs=1e-4)  # Wilson's 0 of 100
    assert interval(np.zeros(100), shares=False) is None
    assert interval(np.zeros(0)) is None


def test_where_few_differ_it_reaches_as_far_as_wilsons_but_not_beyond_a_0_that_was_tested():
    values = np.zeros(100)
    values[:3] = 1.0
    flips = flip_interval(values, np.ones(100), 1.5)
    wilson = signed_wilson(values)
    assert flips[0] > 0 > wilson[0]
    assert interval(values, critical=1.5) == (0.0, wilson[1])
    assert interval(-values, critical=1.5) == (-wilson[1], 0.0)
    wide = interval(values, critical=1.96)
    assert wide == pytest.approx(
        (min(wilson[0], flip_interval(values, np.ones(100), 1.96)[0]), wilson[1])
    )


def test_where_most_differ_flips_alone_decide():
    values = np.random.default_rng(2).normal(0.01, 0.02, 20)
    assert interval(values) == flip_interval(values, np.ones(20), 1.96)


def test_differences_of_shares_end_at_1():
    values = [1.0] * 9 + [0.2]
    assert interval(values)[1] == 1.0
    assert interval(values, shares=False)[1] > 1.0


def test_differences_of_counts_are_as_large_as_they_are_seen_to_be():
    values = np.zeros(50)
    values[0] = 400.0
    assert interval(values, shares=False)[1] == pytest.approx(400 * signed_wilson(values / 400)[1])
