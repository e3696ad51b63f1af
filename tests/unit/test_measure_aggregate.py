import math

import numpy as np
import pytest

from seamline.errors import InvalidConfig
from seamline.measure import Mean, aggregate, curve, mean_of

NAN = math.nan


def test_nan_is_never_averaged():
    assert mean_of([1.0, NAN, 0.0, 0.5]) == Mean(0.5, 3)
    nothing = mean_of([NAN])
    assert math.isnan(nothing.mean)
    assert nothing.n == 0
    assert mean_of([]).n == 0


def test_groups_are_labels_or_lists_of_labels():
    values = np.array([1.0, 0.0, NAN, 1.0])
    by_document = aggregate(values, ["b", "a", "a", "b"])
    assert by_document == {"b": Mean(1.0, 2), "a": Mean(0.0, 1)}
    assert list(by_document) == ["b", "a"]
    by_tag = aggregate(values, [("x", "y"), ("y",), ("z",), ()])
    assert by_tag["x"] == Mean(1.0, 1)
    assert by_tag["y"] == Mean(0.5, 2)
    assert by_tag["z"].n == 0
    assert math.isnan(by_tag["z"].mean)


def test_each_value_needs_its_group():
    with pytest.raises(InvalidConfig, match="got 2 and 1"):
        aggregate([1.0, 2.0], ["a"])


def test_a_constant_curve_has_its_own_height_as_area():
    assert curve([250, 500, 1000, 8000], [0.4] * 4) == pytest.approx(0.4)


def test_every_doubling_weighs_alike():
    assert curve([1, 2, 4], [0.0, 1.0, 1.0]) == pytest.approx(0.75)
    assert curve([1, 2, 8], [0.0, 1.0, 1.0]) == pytest.approx(1 - 0.5 / 3)


def test_a_curve_with_nan_is_nan():
    assert math.isnan(curve([1, 2], [NAN, 1.0]))


@pytest.mark.parametrize("budgets", [[], [5], [0, 5], [5, 5], [9, 5]])
def test_budgets_must_increase(budgets):
    with pytest.raises(InvalidConfig, match="two or more budgets"):
        curve(budgets, [0.5] * len(budgets))


def test_each_budget_needs_a_value():
    with pytest.raises(InvalidConfig, match=r"got 2 budgets and values of shape \(3,\)"):
        curve([1, 2], [0.1, 0.2, 0.3])
