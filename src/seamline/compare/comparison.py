"""Strategies against a baseline that was fixed before: paired, clustered, corrected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.bootstrap import standard_error
from seamline.compare.intervals import Ends, difference_interval
from seamline.compare.multiple import furthest, holm
from seamline.compare.paired import SAME, Sums, Units, table_of
from seamline.compare.power import detectable_at
from seamline.compare.randomization import Flips, NullDistribution, nulls_of, statistics
from seamline.compare.verdict import ALPHA, Comparison, Rules, verdict_of
from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import suggest

__all__ = ["Correction", "Paired", "Tested", "compare_one", "compare_to"]

Correction = Literal["holm", "max-t"]

Floats = NDArray[np.float64]


def compare_to(
    values: Mapping[str, ArrayLike],
    clusters: Sequence[str],
    *,
    to: str,
    seed: int = 0,
    margin: float = 0.02,
    lower_is_better: bool = False,
    correction: Correction = "max-t",
) -> list[Comparison]:
    """Each strategy but `to` against it, in the order given.

    `values` maps a strategy to its value of each question, `clusters` names each
    question's document. A question that is NaN on either side of a pair is left out
    of it. `to` must not have been chosen from these values: `choose` is for that.
    p is corrected by the furthest of the family in the same sign flips (`max-t`,
    which makes use of strategies that go together) or by Holm's steps; the intervals
    for all at once are those of max-T either way. Cost: 10,000 flips times documents
    times strategies, as matrix products of bounded memory.

    Raises:
        UnknownName: `to` is none of the strategies.
        InvalidConfig: not one value a question, infinite ones, or a negative margin.

    Source: Westfall and Young, Resampling-Based Multiple Testing (1993).

    Example:
        >>> a, b = [0.5] * 12, [0.6, 0.7, 0.5, 0.9] * 3
        >>> (one,) = compare_to({"a": a, "b": b}, list("abcdefghijkl"), to="a")
        >>> one.verdict, round(one.mean, 3), one.p  # 9 documents differ: 2 / 2⁹
        ('BETTER', 0.175, 0.00390625)
    """
    table = table_of(values, clusters)
    if to not in values:
        raise UnknownName(f"no strategy {to!r} to compare with; {suggest(to, values)}")
    if correction not in ("holm", "max-t"):
        raise InvalidConfig(f"correction must be 'holm' or 'max-t', got {correction!r}")
    rules = Rules.of(table, margin=margin, lower_is_better=lower_is_better)
    base = list(values).index(to)
    known = ~np.isnan(table[:, base])
    differences = (np.delete(table, base, axis=1) - table[:, base : base + 1])[known]
    kept = [one for one, there in zip(clusters, known, strict=True) if there]
    paired = Paired.of(differences, kept, seed=seed)
    names = [name for name in values if name != to]
    return [
        paired.comparison(j, (name, to), tested, rules)
        for j, (name, tested) in enumerate(zip(names, _tested(paired, correction), strict=True))
    ]


def compare_one(
    differences: Floats,
    clusters: Sequence[str],
    names: tuple[str, str],
    rules: Rules,
    *,
    seed: int,
    n_tests: int,
) -> Comparison:
    """One pair's difference, as one of `n_tests` that share nothing (Bonferroni)."""
    paired = Paired.of(differences[:, None], clusters, seed=seed)
    null, t, most = paired.alone[0], paired.t[0], paired.most[0]
    critical = null.critical(ALPHA / n_tests)
    adjusted, least = (min(1.0, n_tests * float(null.p(one))) for one in (t, most))
    tested = Tested(adjusted, least, critical, critical, n_tests)
    return paired.comparison(0, names, tested, rules)


@dataclass(frozen=True, slots=True)
class Tested:
    """What one of `n_tests` says: p `adjusted`, and what it could be at `least`.

    Beyond |t| = `critical` it is significant; the interval for all at once is as wide
    as `together` says, which is the same but where tests are made in steps.
    """

    adjusted: float
    least: float
    critical: float
    together: float
    n_tests: int


def _tested(paired: Paired, correction: Correction) -> list[Tested]:
    """The tests of a family against a baseline that was fixed before."""
    null = furthest(paired.sums.sums, paired.flips)
    if correction == "holm":
        adjusted, least = holm(paired.p), _least_holm(paired)
    else:
        adjusted, least = np.maximum(null.p(paired.t), paired.p), null.p(paired.most)
    critical, n = null.critical(ALPHA), len(adjusted)
    rows = zip(adjusted.tolist(), least.tolist(), strict=True)
    return [Tested(*row, critical, critical, n) for row in rows]


def _least_holm(paired: Paired) -> Floats:
    """The least that each p could be after Holm's steps, if all its units had one sign."""
    out = np.ones_like(paired.p)
    for j, null in enumerate(paired.alone):
        best = paired.p.copy()
        best[j] = null.p(paired.most[j])
        out[j] = holm(best)[j]
    return out


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Differences, float[questions, pairs], with their sums by unit and what flips make of them.

    `t` is how far out each pair lies, `most` how far it would if all its units had one
    sign, `alone` what its flips give by itself, and `p` the test by that.
    """

    differences: Floats
    documents: NDArray[np.str_]
    units: Units
    sums: Sums
    flips: Flips
    alone: list[NullDistribution]
    t: Floats
    most: Floats
    p: Floats

    @classmethod
    def of(cls, differences: Floats, clusters: Sequence[str], *, seed: int) -> Paired:
        """Those of these differences."""
        units = Units.of(clusters)
        sums, flips = Sums.of(differences, units), Flips(units.n, seed)
        alone = nulls_of(sums.sums, flips)
        t = statistics(sums.sums)
        p = np.array([null.p(one) for null, one in zip(alone, t, strict=True)])
        documents = np.asarray(list(clusters), dtype=str)
        most = statistics(np.abs(sums.sums))
        return cls(differences, documents, units, sums, flips, alone, t, most, p)

    def comparison(
        self, j: int, names: tuple[str, str], tested: Tested, rules: Rules
    ) -> Comparison:
        """What is known of pair j."""
        known = ~np.isnan(self.differences[:, j])
        n, n_different = int(known.sum()), int((np.abs(self.differences[known, j]) > SAME).sum())
        mean = float(self.sums.means[j]) if n else None
        own = self._interval(j, self.alone[j].critical(ALPHA), rules) or (None, None)
        together = self._interval(j, tested.together, rules, tested.n_tests) or (None, None)
        found = self._detectable(j, tested) if n_different else None
        return Comparison(
            name=names[0],
            to=names[1],
            mean=mean,
            low=own[0],
            high=own[1],
            interval=self._method(n_different) if own[0] is not None else None,
            low_all=together[0],
            high_all=together[1],
            p=float(self.p[j]),
            p_adjusted=tested.adjusted,
            verdict=verdict_of(
                mean, together, p=tested.adjusted, least_p=tested.least, rules=rules
            ),
            detectable=found,
            n=n,
            n_clusters=len(np.unique(self.documents[known])),
            n_different=n_different,
            n_needed=math.ceil(n * (found / abs(mean)) ** 2) if found and mean else None,
            unit=self.units.kind,
        )

    def _method(self, n_different: int) -> str:
        kind = "cluster" if self.units.kind == "document" else "question"
        return f"{kind}-flip" if n_different else "wilson"

    def _interval(self, j: int, critical: float, rules: Rules, n_tests: int = 1) -> Ends | None:
        column = self.differences[:, j]
        return difference_interval(
            column[~np.isnan(column)],
            self.sums.sums[:, j],
            self.sums.counts[:, j],
            critical=critical,
            level=1 - ALPHA / n_tests,
            shares=rules.shares,
        )

    def _detectable(self, j: int, tested: Tested) -> float | None:
        """The smallest difference seen in 80 % of the cases, after the correction."""
        counts = self.sums.counts[:, j]
        error = standard_error(self.sums.sums[counts > 0, j], counts[counts > 0])
        return detectable_at(error, tested.critical, counts)
