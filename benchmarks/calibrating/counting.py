"""What is counted over many draws of a world, with the error that counting makes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from calibrating.worlds import EACH, World, apart
from seamline.compare import Choice, Comparison, choose, compare_to, detectable
from seamline.compare.verdict import ALPHA

SAME = 1e-9


class Rate(NamedTuple):
    """How often of `n` times."""

    hits: int
    n: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.hits / self.n

    def at_most(self, limit: float, sds: float = 3.1) -> bool:
        """Whether a true rate of `limit` gives as many: in all but one of 1,000 cases it does."""
        return self.hits <= limit * self.n + sds * math.sqrt(limit * (1 - limit) * self.n)

    def at_least(self, limit: float, sds: float = 3.1) -> bool:
        """Likewise, as few."""
        return Rate(self.n - self.hits, self.n).at_most(1 - limit, sds)

    def __add__(self, other: object) -> Rate:
        assert isinstance(other, Rate)
        return Rate(self.hits + other.hits, self.n + other.n)


def rate(some: Iterable[bool]) -> Rate:
    """How often it was so."""
    found = list(some)
    return Rate(sum(found), len(found))


def choices(world: World, n: int) -> Iterator[Choice]:
    """What is chosen in `n` draws; every strategy costs the same."""
    rng = world.rng
    for i in range(n):
        yield choose(*world.draw(rng), dict.fromkeys(world.names, (0.0,)), seed=i)


def families(world: World, n: int) -> Iterator[list[Comparison]]:
    """All against the first strategy, in `n` draws."""
    rng = world.rng
    for i in range(n):
        yield compare_to(*world.draw(rng), to="s00", seed=i)


def wrong(found: Iterable[Comparison], world: World) -> bool:
    """Whether any difference that is none was called one."""
    truth = world.truth
    return any(
        one.p_adjusted <= ALPHA and abs(truth[one.name] - truth[one.to]) < SAME for one in found
    )


def outdone(choice: Choice, world: World) -> bool:
    """Whether a strategy that is truly the best was ruled out."""
    truth = world.truth
    best = max(truth.values()) - SAME
    return any(one.p_adjusted <= ALPHA and truth[one.name] >= best for one in choice.comparisons)


def covered(low: float | None, high: float | None, true: float) -> bool:
    """Whether an interval holds what is true; none at all holds everything."""
    return low is None or high is None or low - SAME <= true <= high + SAME


def alone(found: Iterable[Comparison], world: World) -> list[bool]:
    """For each comparison whether its own interval holds the true difference."""
    truth = world.truth
    return [covered(one.low, one.high, truth[one.name] - truth[one.to]) for one in found]


def together(found: Iterable[Comparison], world: World) -> bool:
    """Whether all the intervals for all at once hold the true differences."""
    truth = world.truth
    return all(covered(one.low_all, one.high_all, truth[one.name] - truth[one.to]) for one in found)


def fitted(choice: Choice, world: World) -> bool:
    """Whether the cross-fitted interval holds the chosen strategy's true mean."""
    one = choice.cross_fitted
    return covered(one.low, one.high, world.truth[choice.chosen])


def reachable(world: World, power: float = 0.8) -> World:
    """`world` with a difference that the formula says is seen in `power` of the cases."""
    found = world
    for _ in range(3):  # the noise depends on the difference
        sd, deff = found.noise()
        found = apart(world, detectable(sd, deff, EACH * world.n_documents, power=power))
    return found


def same_within(found: Iterable[Comparison]) -> bool:
    """Whether any was called EQUIVALENT."""
    return any(one.verdict == "EQUIVALENT" for one in found)
