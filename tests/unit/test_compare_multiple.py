import numpy as np
import pytest

from seamline.compare import holm, multiple
from seamline.compare.multiple import furthest
from seamline.compare.randomization import Flips, nulls_of, statistics


def test_holm_of_a_textbook_family():
    # Holm's steps by hand: 4 × .005, 3 × .01, then max(2 × .03, 1 × .04) in order.
    assert holm([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_of_nothing_and_of_one():
    assert holm([]).tolist() == []
    assert holm([0.2]).tolist() == [0.2]
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]


def test_max_t_of_one_column_is_its_own_test():
    sums = np.random.default_rng(0).normal(0.3, 1, (30, 1))
    (alone,) = nulls_of(sums, Flips(30))
    t = statistics(sums)[0]
    assert furthest(sums, Flips(30)).p(t) == alone.p(t)


def test_copies_of_a_column_cost_nothing_and_others_do():
    rng = np.random.default_rng(1)
    one = rng.normal(0.4, 1, (12, 1))
    t = statistics(one)[0]
    alone = furthest(one, Flips(12)).p(t)
    copies = furthest(np.repeat(one, 20, axis=1), Flips(12)).p(t)
    others = furthest(np.column_stack([one, rng.normal(0, 1, (12, 19))]), Flips(12)).p(t)
    assert copies == alone
    assert others > 2 * alone
    assert others <= 20 * alone  # never more than Bonferroni


def test_many_columns_are_taken_in_parts(monkeypatch):
    sums = np.random.default_rng(2).normal(0, 1, (12, 30))
    whole = furthest(sums, Flips(12)).values
    monkeypatch.setattr(multiple, "_COLUMNS", 7)
    assert furthest(sums, Flips(12)).values == pytest.approx(whole)


def test_a_family_without_columns_is_never_far_out():
    assert furthest(np.empty((4, 0)), Flips(4)).critical() == 0.0
