"""Pairs of strategies with what sign flips make of their differences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.compare.bootstrap import standard_error
from seamline.compare.intervals import Ends, difference_interval
from seamline.compare.paired import SAME, Sums, Units
from seamline.compare.power import detectable_at
from seamline.compare.randomization import Flips, NullDistribution, nulls_of, statistics
from seamline.compare.verdict import ALPHA, Comparison, Rules, verdict_of

__all__ = ["Paired", "Tested"]

Floats = NDArray[np.float64]


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
