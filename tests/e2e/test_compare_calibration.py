"""Whether the statistics keep what they promise, by simulation; benchmarks/calibration.py has more.

A rate may be as far over its promise as chance explains in all but one of 1,000 cases.
"""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from calibrating.counting import (
    Rate,
    alone,
    choices,
    families,
    fitted,
    outdone,
    rate,
    reachable,
    same_within,
    together,
    wrong,
)
from calibrating.worlds import World, apart
from seamline.compare import randomization

NEARLY = (0.0, -0.4, -0.8, -0.2, 0.0)  # two of five are the best
ALIKE = [
    World.alike("shares", 10, 2),
    World.alike("hits", 10, 5),
    World.alike("ties", 10, 5, even=True),
    World.alike("hits", 60, 2, even=True),
    World.alike("ties", 60, 5),
    World.alike("easy", 60, 5),
    World.alike("hits", 10, 30),
    World.alike("ties", 60, 30),
]


@pytest.fixture(scope="module", autouse=True)
def _fewer_flips():
    """999 random patterns: as many errors as with more, since p counts the one that was seen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(randomization, "N_RANDOM", 999)
        yield


def test_choosing_among_alike_strategies_rules_any_out_in_at_most_5_percent():
    """In each world, and in all of them together."""
    found = {
        f"{world.kind}, {world.documents}, {len(world.shifts)}": rate(
            outdone(one, world) for one in choices(world, 150 if len(world.shifts) < 30 else 60)
        )
        for world in ALIKE
    }
    assert {name: one for name, one in found.items() if not one.at_most(0.05)} == {}
    total = sum(found.values(), Rate(0, 0))
    assert total.at_most(0.05), total
    assert total.hits > 0  # a test that never rejects would not be one


@pytest.mark.parametrize("kind", ["hits", "shares"])
def test_a_truly_best_one_is_ruled_out_in_at_most_5_percent_where_others_are_worse(kind):
    world = World(kind, 60, (*(0.0,) * 3, *(-0.5,) * 7))
    found = rate(outdone(one, world) for one in choices(world, 80))
    assert found.at_most(0.05), found


@pytest.mark.parametrize(
    "world",
    [World("hits", 10, NEARLY), World("ties", 20, NEARLY), World("shares", 60, NEARLY, even=True)],
    ids=lambda w: f"{w.kind}-{w.documents}",
)
def test_intervals_cover_at_least_93_percent(world):
    own, all_, best, cross = [], [], [], []
    for found in families(world, 100):
        own += alone(found, world)
        all_.append(together(found, world))
    for one in choices(world, 100):
        best.append(together(one.comparisons, world))
        cross.append(fitted(one, world))
    for rates in (own, all_, best, cross):
        assert rate(rates).at_least(0.93), rate(rates)


def test_a_fixed_baseline_is_beaten_by_chance_in_at_most_5_percent():
    world = World.alike("hits", 20, 5)
    found = rate(wrong(one, world) for one in families(world, 200))
    assert found.at_most(0.05), found


@pytest.mark.parametrize("kind", ["shares", "hits"])
def test_power_is_that_of_the_formula_within_a_few_points(kind):
    world = reachable(World.alike(kind, 60, 2))
    found = [one for (one,) in families(world, 300)]
    seen = rate(one.p_adjusted <= 0.05 for one in found).share
    assert abs(seen - 0.8) < 0.05 + 3.1 * np.sqrt(0.8 * 0.2 / 300)
    told = np.mean([one.detectable for one in found])
    assert told == pytest.approx(world.truth["s00"] - world.truth["s01"], rel=0.1)


def test_what_is_just_beyond_the_margin_is_called_the_same_in_at_most_5_percent():
    same = World.alike("ties", 300, 2)
    beyond = apart(same, 0.0201)
    found = rate(map(same_within, families(beyond, 100)))
    assert found.at_most(0.05), found
    assert rate(map(same_within, families(same, 50))).share > 0.5
