"""Strategies against a baseline that was fixed before: paired, clustered, corrected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.bootstrap import Interval, mean_intervals, wilson_interval
from seamline.compare.multiple import Furthest, flip_interval, holm
from seamline.compare.paired import SAME, Sums, Units, table_of
from seamline.compare.power import reach
from seamline.compare.randomization import Flips, flip_p, statistics, tails
from seamline.compare.verdict import ALPHA, Comparison, verdict_of
from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import suggest

__all__ = ["Correction", "Paired", "Rules", "Tested", "compare_one", "compare_to"]

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
        for j, (name, tested) in enumerate(
            zip(names, _tested(paired, seed, correction), strict=True)
        )
    ]


@dataclass(frozen=True, slots=True)
class Tested:
    """What one of `n_tests` says: p alone, p `adjusted`, and what it could be at `least`.

    Beyond |t| = `critical` it is significant; the interval for all at once is as wide
    as `together` says, which is the same but where tests are made in steps.
    """

    p: float
    adjusted: float
    least: float
    critical: float
    together: float
    n_tests: int


def _tested(paired: Paired, seed: int, correction: Correction) -> list[Tested]:
    """The tests of a family against a baseline that was fixed before."""
    sums, flips = paired.sums.sums, Flips(paired.units.n, seed)
    as_far, furthest = tails(sums, flips)
    far, p = Furthest.of(furthest, flips), flip_p(sums, flips, as_far)
    if correction == "holm":
        adjusted, least = holm(p), _least_holm(p, (sums != 0).sum(axis=0))
    else:
        adjusted = np.maximum(far.p(statistics(sums)), p)
        least = far.p(statistics(np.abs(sums)))
    critical = far.critical(ALPHA)
    rows = zip(p.tolist(), adjusted.tolist(), least.tolist(), strict=True)
    return [Tested(*row, critical, critical, len(p)) for row in rows]


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
    sums, flips = paired.sums.sums, Flips(paired.units.n, seed)
    as_far, furthest = tails(sums, flips)
    far = Furthest.of(furthest, flips)
    p, least = flip_p(sums, flips, as_far)[0], far.p(statistics(np.abs(sums)))[0]
    adjusted, least = min(1.0, n_tests * float(p)), min(1.0, n_tests * float(least))
    critical = far.critical(ALPHA / n_tests)
    tested = Tested(float(p), adjusted, least, critical, critical, n_tests)
    return paired.comparison(0, names, tested, rules)


def _least_holm(p: Floats, n_units: NDArray[np.intp]) -> Floats:
    """The least that each p could be after Holm's steps, if all its units had one sign."""
    out = np.empty_like(p)
    for j, n in enumerate(n_units.tolist()):
        best = p.copy()
        best[j] = min(1.0, 2.0 ** (1 - n))
        out[j] = holm(best)[j]
    return out


@dataclass(frozen=True, slots=True)
class Rules:
    """What a verdict is measured by; `shares` says that all values lie in 0..1."""

    margin: float
    lower_is_better: bool
    shares: bool

    @classmethod
    def of(cls, table: Floats, *, margin: float, lower_is_better: bool) -> Rules:
        """The rules for these values.

        Raises:
            InvalidConfig: the margin is negative or no number.
        """
        if not 0 <= margin < math.inf:
            raise InvalidConfig(f"margin must be at least 0 and finite, got {margin}")
        known = table[~np.isnan(table)]
        return cls(margin, lower_is_better, bool(((known >= 0) & (known <= 1)).all()))


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """Differences, float[questions, pairs], with their sums by unit and their own intervals."""

    differences: Floats
    clusters: Sequence[str]
    units: Units
    sums: Sums
    intervals: Sequence[Interval]

    @classmethod
    def of(cls, differences: Floats, clusters: Sequence[str], *, seed: int) -> Paired:
        """Those of these differences."""
        units = Units.of(clusters)
        rng = np.random.default_rng(seed)
        intervals = mean_intervals(differences, clusters, rng=rng)
        return cls(differences, clusters, units, Sums.of(differences, units), intervals)

    def comparison(
        self, j: int, names: tuple[str, str], tested: Tested, rules: Rules
    ) -> Comparison:
        """What is known of pair j."""
        column = self.differences[:, j]
        known = ~np.isnan(column)
        n, n_different = int(known.sum()), int((np.abs(column[known]) > SAME).sum())
        mean = float(self.sums.means[j]) if n else None
        own, low_all, high_all = self._intervals(j, n, n_different, tested, rules)
        found = self._detectable(j, tested) if n_different else None
        needed = math.ceil(n * (found / abs(mean)) ** 2) if found and mean else None
        return Comparison(
            name=names[0],
            to=names[1],
            mean=mean,
            low=own.low,
            high=own.high,
            interval=own.method,
            low_all=low_all,
            high_all=high_all,
            p=tested.p,
            p_adjusted=tested.adjusted,
            verdict=verdict_of(
                mean,
                (low_all, high_all),
                p=tested.adjusted,
                least_p=tested.least,
                margin=rules.margin,
                lower_is_better=rules.lower_is_better,
            ),
            detectable=found,
            n=n,
            n_clusters=len(np.unique(np.asarray(self.clusters, dtype=str)[known])),
            n_different=n_different,
            n_needed=needed,
            unit=self.units.kind,
        )

    def _intervals(
        self, j: int, n: int, n_different: int, tested: Tested, rules: Rules
    ) -> tuple[Interval, float | None, float | None]:
        """That of the pair alone, and the ends of the one for all at once."""
        if not n_different:
            if not (n and rules.shares):
                return self.intervals[j], None, None
            # As much as all units may differ by that a sample without any leaves possible.
            n_units = int((self.sums.counts[:, j] > 0).sum())
            alone = wilson_interval(0, n_units)[1]
            together = wilson_interval(0, n_units, 1 - ALPHA / tested.n_tests)[1]
            return Interval(-alone, alone, "wilson"), -together, together
        low, high = flip_interval(self.sums.sums[:, j], self.sums.counts[:, j], tested.together)
        ends = (low, high) if math.isfinite(low) else (None, None)
        return self.intervals[j], *ends

    def _detectable(self, j: int, tested: Tested) -> float | None:
        """The smallest difference seen in 80 % of the cases, after the correction."""
        counts = self.sums.counts[:, j]
        share = float((counts**2).sum() / counts.sum() ** 2)
        room = 1 - tested.critical**2 * share
        if room <= 0:
            return None
        error = float(self.sums.errors[j])
        return (tested.critical / math.sqrt(room) + reach(0.8)) * error
