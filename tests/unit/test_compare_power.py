import math

import numpy as np
import pytest

from seamline.compare import detectable, questions_needed
from seamline.compare.power import detectable_at
from seamline.errors import InvalidConfig


def test_the_two_are_inverse():
    difference = detectable(0.4, 1.3, 250)
    assert questions_needed(0.4, 1.3, difference - 1e-9) == 251
    assert questions_needed(0.4, 1.3, difference + 1e-9) == 250
    assert questions_needed(0.4, 1.3, -difference - 1e-9) == 250


def test_half_the_difference_takes_four_times_the_questions():
    assert questions_needed(0.4, 1.0, 0.01) == pytest.approx(
        4 * questions_needed(0.4, 1.0, 0.02), abs=4
    )


def test_a_known_value():
    # Two-sided 5 %, 80 %: (1.959964 + 0.841621)² = 7.848879
    assert questions_needed(1.0, 1.0, 0.1) == math.ceil(784.8879)
    assert questions_needed(1.0, 1.0, 0.1, power=0.9, alpha=0.01) == math.ceil(1487.9389)


def test_without_noise_one_question_is_enough():
    assert questions_needed(0.0, 1.0, 0.1) == 1
    assert detectable(0.0, 1.0, 3) == 0.0


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: questions_needed(0.4, 1.0, 0.0), "must not be 0"),
        (lambda: questions_needed(-0.4, 1.0, 0.1), "sd must be at least 0"),
        (lambda: questions_needed(0.4, 0.0, 0.1), "deff above 0"),
        (lambda: questions_needed(0.4, 1.0, 0.1, power=1.0), "between 0 and 1"),
        (lambda: detectable(0.4, 1.0, 100, alpha=0.0), "between 0 and 1"),
        (lambda: detectable(0.4, 1.0, 0), "at least one question"),
        (lambda: detectable(math.nan, 1.0, 10), "sd must be at least 0"),
    ],
)
def test_what_cannot_be_is_refused(call, match):
    with pytest.raises(InvalidConfig, match=match):
        call()


def test_many_even_units_give_the_formula():
    counts = np.full(4000, 5.0)
    assert detectable_at(0.01, 1.9600, counts) == pytest.approx(detectable(0.01, 1.0, 1), rel=1e-3)


def test_few_units_and_a_correction_make_it_larger():
    few, many = np.full(10, 6.0), np.full(100, 6.0)
    assert detectable_at(0.01, 1.9, few) > detectable_at(0.01, 1.9, many)
    assert detectable_at(0.01, 3.0, many) > detectable_at(0.01, 2.0, many)


def test_a_test_of_hardly_any_units_is_not_taken_for_a_sharp_one():
    counts = np.full(100, 6.0)
    assert detectable_at(0.01, 1.0, counts) == detectable_at(0.01, 1.9599, counts)


def test_where_one_unit_is_nearly_everything_nothing_can_be_seen():
    assert detectable_at(0.01, 1.96, np.array([500.0, 1.0, 1.0])) is None
