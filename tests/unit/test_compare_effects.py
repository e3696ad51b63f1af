import numpy as np
import pytest

from seamline.compare import effects
from seamline.errors import InvalidConfig


def documents(n_documents, each):
    return [f"d{i:03}" for i in range(n_documents) for _ in range(each)]


def grid(**levels):
    """Every combination of the levels, with its knobs; the first knob's level is what it gains."""
    knobs = {"": {}}
    for name, own in levels.items():
        knobs = {
            f"{key} {name}={level}".strip(): {**rest, name: level}
            for key, rest in knobs.items()
            for level in own
        }
    return knobs


def told(found):
    return [(one.knob, one.level, one.to, round(one.mean, 6), one.n_pairs) for one in found]


def test_each_knob_is_turned_alone():
    knobs = grid(size=[128, 256], merge=[False, True])
    gain = {128: 0.0, 256: 0.1, False: 0.0, True: 0.02}
    values = {
        name: np.full(30, 0.5) + gain[own["size"]] + gain[own["merge"]]
        for name, own in knobs.items()
    }
    found = effects(values, knobs, documents(10, 3))
    assert told(found) == [("size", 256, 128, 0.1, 2), ("merge", True, False, 0.02, 2)]
    assert {one.n_questions for one in found} == {30}


def test_the_most_common_level_is_the_reference_and_of_equal_ones_the_first():
    knobs = {"a": {"size": 1}, "b": {"size": 2}, "c": {"size": 2, "x": 0}}
    values = {"a": [0.1] * 4, "b": [0.3] * 4, "c": [0.5] * 4}
    assert told(effects(values, knobs, "wxyz")) == [("size", 1, 2, -0.3, 2)]
    first = {"a": {"size": 1}, "b": {"size": 2}}
    two = {key: values[key] for key in first}
    assert told(effects(two, first, "wxyz")) == [("size", 2, 1, 0.2, 1)]


def test_parameters_that_one_strategy_alone_has_do_not_keep_a_pair_apart():
    knobs = {
        "whole": {"strategy": "whole", "retriever": "bm25"},
        "fixed": {"strategy": "fixed", "size": 256, "retriever": "bm25"},
        "other": {"strategy": "fixed", "size": 512, "retriever": "dense"},
    }
    values = {"whole": [0.1] * 4, "fixed": [0.5] * 4, "other": [0.9] * 4}
    assert told(effects(values, knobs, "wxyz")) == [("strategy", "whole", "fixed", -0.4, 1)]


def test_configurations_that_differ_in_two_knobs_are_no_pair():
    knobs = {"a": {"size": 1, "merge": False}, "b": {"size": 2, "merge": True}}
    assert effects({"a": [0.1] * 4, "b": [0.3] * 4}, knobs, "wxyz") == []


def test_levels_of_unlike_types_are_told_apart():
    knobs = {"a": {"x": 1}, "b": {"x": True}, "c": {"x": "1"}}
    values = {"a": [0.1] * 4, "b": [0.3] * 4, "c": [0.6] * 4}
    assert told(effects(values, knobs, "wxyz")) == [("x", True, 1, 0.2, 1), ("x", "1", 1, 0.5, 1)]


def test_nan_drops_out_of_its_pair_and_a_question_without_any_pair_out_of_all():
    knobs = grid(size=[1, 2], merge=[False, True])
    rng = np.random.default_rng(0)
    values = {name: rng.random(6) for name in knobs}
    values["size=2 merge=True"][0] = np.nan
    values["size=1 merge=False"][:2] = np.nan
    size = effects(values, knobs, documents(3, 2))[0]
    pairs = [
        values["size=2 merge=False"] - values["size=1 merge=False"],
        values["size=2 merge=True"] - values["size=1 merge=True"],
    ]
    expected = [pairs[1][1], *((pairs[0] + pairs[1]) / 2)[2:]]
    assert size.n_questions == 5
    assert size.mean == pytest.approx(np.mean(expected))


def test_pairs_without_a_common_question_have_no_effect():
    knobs = {"a": {"size": 1}, "b": {"size": 2}}
    assert effects({"a": [0.1, np.nan], "b": [np.nan, 0.3]}, knobs, "xy") == []


def test_the_interval_is_that_of_the_mean_over_pairs_by_document():
    rng = np.random.default_rng(1)
    knobs = grid(size=[1, 2], merge=[False, True])
    values = {name: rng.random(60) + 0.1 * own["size"] for name, own in knobs.items()}
    size = effects(values, knobs, documents(20, 3))[0]
    assert size.interval == "cluster-t"
    assert size.low < 0.1 < size.high
    assert size.low < size.mean < size.high
    assert effects(values, knobs, documents(20, 3))[0] == size


def test_one_configuration_has_no_effects_and_each_must_have_knobs():
    assert effects({"a": [0.1]}, {"a": {"size": 1}}, ["x"]) == []
    with pytest.raises(InvalidConfig, match="must have knobs, but 'a' has none"):
        effects({"a": [0.1]}, {}, ["x"])
