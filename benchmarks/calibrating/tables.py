"""The tables of docs/calibration.md, each a function from a number of draws to its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from calibrating.counting import (
    alone,
    choices,
    families,
    fitted,
    outdone,
    rate,
    reachable,
    same_within,
    together,
)
from calibrating.worlds import World, apart
from seamline.compare import Choice, choose, flip_test, holm
from seamline.compare.confidence_set import rule_out
from seamline.compare.paired import Sums, Units
from seamline.compare.randomization import Flips, nulls_of, statistics
from seamline.compare.verdict import ALPHA

Row = list[str]
Floats = NDArray[np.float64]
FEW, SOME, MANY = 10, 20, 60
NEARLY = (0.0, -0.4, -0.8, -0.2, 0.0)  # two of five are the best


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def false_alarms(
    n: int, kinds: Sequence[str] = ("shares", "hits", "easy", "ties", "rare")
) -> Iterator[Row]:
    """Identical strategies: how often any is ruled out."""
    yield ["scores", "documents", "2 strategies", "5", "30"]
    for kind in kinds:
        for n_documents, even in ((FEW, True), (FEW, False), (MANY, True), (MANY, False)):
            found = []
            for m in (2, 5, 30):
                world = World.alike(kind, n_documents, m, even=even)
                draws = choices(world, n if m < 30 else n // 4)
                found.append(percent(rate(outdone(one, world) for one in draws).share))
            yield [kind, world.documents, *found]


def few_documents(n: int) -> Iterator[Row]:
    """Identical strategies on fewer documents than there must be: how often any is ruled out."""
    yield ["scores", "documents", "2 strategies", "5"]
    for kind in ("shares", "hits"):
        for n_documents in (3, FEW - 1):
            found = []
            for m in (2, 5):
                world = World.alike(kind, n_documents, m, even=True)
                found.append(percent(rate(outdone(one, world) for one in choices(world, n)).share))
            yield [kind, world.documents, *found]


def partly_alike(n: int) -> Iterator[Row]:
    """Some are the best and some are worse: the best ruled out, and the worse not."""
    yield ["scores", "documents", "strategies", "a best one ruled out", "of the worse ruled out"]
    step = {"hits": -0.5, "shares": -0.35}
    mixes = {"3 best, 7 worse": [0] * 3 + [1] * 7, "5 best, 10 worse, 15 far": [0] * 5 + [1] * 10}
    mixes["5 best, 10 worse, 15 far"] += [3] * 15
    for kind, down in step.items():
        for n_documents in (SOME, MANY):
            for label, mix in mixes.items():
                world = World(kind, n_documents, tuple(down * one for one in mix))
                bad, out = [], []
                for one in choices(world, n // 4):
                    bad.append(outdone(one, world))
                    worse = [name for name in one.ruled_out if world.truth[name] < max(_t(world))]
                    out.append(len(worse) / sum(map(bool, mix)))
                yield [kind, f"{n_documents}", label, percent(np.mean(bad)), percent(np.mean(out))]


def _t(world: World) -> list[float]:
    return list(world.truth.values())


def procedures(n: int) -> Iterator[Row]:
    """Three ways to allow for the best having been chosen, by what they rule out rightly."""
    yield ["scores", "documents", "strategies", "one after the other", "all pairs at once", "Holm"]
    mixes = {"1 best, 9 worse": [0, *[1] * 9], "3 best, 7 worse": [0] * 3 + [1] * 7}
    mixes["10 evenly apart"] = np.linspace(0, 2, 10).tolist()
    for kind, down in {"hits": -0.5, "shares": -0.35}.items():
        for n_documents in (SOME, MANY):
            for label, mix in mixes.items():
                world = World(kind, n_documents, tuple(down * one for one in mix))
                rng = world.rng
                found = np.array([_ruled_out(world, rng, i) for i in range(n // 4)])
                yield [kind, f"{n_documents}", label, *map(percent, found.mean(axis=0))]


def _ruled_out(world: World, rng: np.random.Generator, seed: int) -> list[float]:
    """The share of the worse that each way rules out in one draw."""
    values, documents = world.draw(rng)
    table = np.column_stack(list(values.values()))
    units = Units.of(documents)
    sums, flips, best = Sums.of(table, units).sums, Flips(units.n, seed), table.mean(0).argmax()
    found = rule_out(sums, flips)
    t = statistics(sums - sums[:, [best]])
    left, right = np.triu_indices(len(values), 1)
    pairs = sums[:, left] - sums[:, right]
    p = [null.p(one) for null, one in zip(nulls_of(pairs, flips), statistics(pairs), strict=True)]
    steps = np.ones((len(values), len(values)))
    steps[left, right] = steps[right, left] = holm(np.array(p))
    true = np.array(_t(world))
    worse = true < true.max()
    ways = (found.p, found.everyone.p(t), steps[best])
    return [float((one[worse] <= ALPHA).mean()) for one in ways]


def coverage(n: int) -> Iterator[Row]:
    """How often intervals hold what is true, and how far off the scores of the chosen are."""
    yield [
        "scores",
        "documents",
        "a difference",
        "all to a baseline",
        "all to the best",
        "cross-fitted",
        "its bias",
        "bias of the own mean",
    ]
    for kind in ("shares", "hits", "easy", "ties", "rare"):
        for n_documents, even in ((FEW, True), (FEW, False), (SOME, False), (MANY, False)):
            world = World(kind, n_documents, NEARLY, even)
            own, all_ = [], []
            for found in families(world, n // 2):
                own += alone(found, world)
                all_.append(together(found, world))
            best, cross, bias, naive = [], [], [], []
            for one, values in _chosen(world, n // 2):
                best.append(together(one.comparisons, world))
                cross.append(fitted(one, world))
                bias.append(one.cross_fitted.mean - world.truth[one.chosen])
                naive.append(values[one.chosen].mean() - world.truth[one.chosen])
            shares = [percent(np.mean(one)) for one in (own, all_, best, cross)]
            off = [f"{100 * np.mean(one):+.1f}" for one in (bias, naive)]
            yield [kind, world.documents, *shares, *off]


def _chosen(world: World, n: int) -> Iterator[tuple[Choice, dict[str, Floats]]]:
    rng = world.rng
    for i in range(n):
        values, documents = world.draw(rng)
        yield choose(values, documents, dict.fromkeys(values, (0.0,)), seed=i), values


def power(n: int) -> Iterator[Row]:
    """What the formula says is seen in 80 % of the cases, and how often it is."""
    yield ["scores", "documents", "difference", "seen", "`detectable` in the mean"]
    for kind in ("shares", "hits", "easy", "ties"):
        for n_documents, even in ((SOME, True), (MANY, True), (MANY, False)):
            world = reachable(World.alike(kind, n_documents, 2, even=even))
            found = [one for (one,) in families(world, n // 2)]
            seen = rate(one.p_adjusted <= ALPHA for one in found).share
            difference = world.truth["s00"] - world.truth["s01"]
            told = [one.detectable for one in found if one.detectable is not None]
            yield [
                kind,
                world.documents,
                f"{100 * difference:.1f}",
                percent(seen),
                f"{100 * np.mean(told):.1f}",
            ]


def sameness(n: int) -> Iterator[Row]:
    """Truly as far apart as the margin of 2 points: how often that is called EQUIVALENT."""
    yield ["scores", "documents", "called the same", "where they are the same"]
    for kind, n_documents in (("shares", 60), ("shares", 600), ("ties", 60), ("ties", 300)):
        world = World.alike(kind, n_documents, 2)
        wide = apart(world, 0.0201)
        rates = [rate(map(same_within, families(one, n // 2))).share for one in (wide, world)]
        yield [kind, f"{n_documents}", *map(percent, rates)]


def lopsided(n: int) -> Iterator[Row]:
    """No difference in the mean, but a few documents lose what many gain: false alarms."""
    yield ["documents", "a tenth loses, the rest gains", "a third loses"]
    for n_documents in (FEW, SOME, MANY, 200):
        found = [percent(_lopsided(n, n_documents, share)) for share in (0.1, 1 / 3)]
        yield [f"{n_documents}", *found]


def _lopsided(n: int, n_documents: int, share: float) -> float:
    rng, found = np.random.default_rng(3), []
    documents = [f"d{i:03}" for i in range(n_documents)]
    for i in range(n):
        loses = rng.random(n_documents) < share
        difference = np.where(loses, -(1 - share), share) + rng.normal(0, 0.05, n_documents)
        found.append(flip_test(difference, documents, seed=i).p <= ALPHA)
    return float(np.mean(found))


TABLES: dict[str, Callable[[int], Iterator[Row]]] = {
    "false alarms": false_alarms,
    "few documents": few_documents,
    "partly alike": partly_alike,
    "procedures": procedures,
    "coverage": coverage,
    "power": power,
    "sameness": sameness,
    "lopsided": lopsided,
}
