"""The threshold that keeps the questions that were answered."""

import numpy as np
import pytest

from seamline.bench.calibrate import calibrate
from seamline.errors import InvalidConfig


def results(cosines, values, *, lower=False, threshold=0.75):
    row = {
        "spec": "whole",
        "measures": {"Recall@9t": {"values": values}},
        "top1": [None if cosine is None else {"similarity": cosine} for cosine in cosines],
    }
    config = {"primary": "Recall@9t", "lower_is_better": lower, "threshold": threshold}
    return {"config": config}, row


def test_it_keeps_the_share_asked_for_and_no_more():
    rng = np.random.default_rng(0)
    cosines = rng.uniform(0.2, 0.9, 400).round(4).tolist()
    found = calibrate(*results(cosines, [1.0] * 400), keep=0.9)
    passing = np.array(cosines) >= found.threshold
    assert found.kept == passing.mean() >= 0.9
    assert (np.array(cosines) >= found.threshold + 0.01).mean() < 0.9
    assert found.stopped is None
    assert found.kept_low < found.kept < found.kept_high


def test_failed_questions_are_counted_apart():
    found = calibrate(*results([0.9, 0.8, 0.5, 0.3], [1.0, 1.0, 0.5, 0.0]), keep=1.0)
    assert found.threshold == 0.8
    assert (found.n_answered, found.kept) == (2, 1.0)
    assert (found.n_failed, found.stopped) == (2, 1.0)
    assert found.usual == (0.75, 1.0, 1.0)


def test_all_kept_means_the_least_likely_answer_too():
    found = calibrate(*results([0.123456, 0.7, 0.8], [1.0, 1.0, 1.0]), keep=1.0)
    assert found.threshold == 0.12
    assert found.kept == 1.0


def test_questions_without_a_cosine_or_a_value_say_nothing():
    found = calibrate(*results([0.9, None, 0.4], [1.0, 1.0, None]))
    assert (found.n_answered, found.n_failed) == (1, 0)


@pytest.mark.parametrize(
    ("data", "keep", "said"),
    [
        (results([0.5], [1.0]), 0.0, "share to keep"),
        (results([0.5], [1.0]), 1.5, "share to keep"),
        (results([0.5], [0.5]), 0.9, "has none"),
        (results([None], [1.0]), 0.9, "has none"),
        (results([0.5], [1.0], lower=True), 0.9, "1 means answered"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(data, keep, said):
    with pytest.raises(InvalidConfig, match=said):
        calibrate(*data, keep=keep)
