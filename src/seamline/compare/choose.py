"""Choosing a strategy, and what can be said of it although it was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.bootstrap import FEWEST_CLUSTERS, N_RESAMPLES, resample_weights
from seamline.compare.confidence_set import rule_out
from seamline.compare.crossfit import CrossFitted, cross_fit
from seamline.compare.paired import SAME, Sums, Units, table_of
from seamline.compare.tested import Paired, Tested
from seamline.compare.verdict import ALPHA, Comparison, Rules
from seamline.errors import InvalidConfig

__all__ = ["FEWEST_ASKED", "Choice", "choose", "why_unsupported"]

FEWEST_ASKED = 15
"""With fewer questions nothing is claimed."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Choice:
    """The best strategy, the one to take, and what is not known about either.

    `best` has the best mean (of equal ones the cheapest). `chosen` is the cheapest that
    is not ruled out and whose mean is not worse than the best's by more than the margin,
    or that is shown to be EQUIVALENT. `alike` were not ruled out, the best among them;
    `undecided` are those of them that may be worse than the best by more than the
    margin; `ruled_out` are worse than the best though it was chosen from the same
    values. `p_best` is how often each is best when documents are drawn again.
    `comparisons` are all others against the best, in order of their means. Where
    `supported` is False nothing follows for other documents, and `why_not` says why.
    """

    best: str
    chosen: str
    alike: list[str]
    ruled_out: list[str]
    undecided: list[str]
    p_best: dict[str, float]
    comparisons: list[Comparison]
    cross_fitted: CrossFitted
    supported: bool
    why_not: str
    n: int
    n_left_out: int


def choose(
    values: Mapping[str, ArrayLike],
    clusters: Sequence[str],
    costs: Mapping[str, tuple[float, ...]],
    *,
    seed: int = 0,
    margin: float = 0.02,
    lower_is_better: bool = False,
) -> Choice:
    """The cheapest strategy not worse than the best by more than the margin, with its doubts.

    `values` maps a strategy to its value of each question, `clusters` names each
    question's document, `costs` gives each strategy's cost as a sort key. Only
    questions that every strategy has a value for count; `n_left_out` is how many do
    not. A strategy without any value cannot be chosen and is ruled out.

    Raises:
        InvalidConfig: not one value a question, a strategy without a cost, or no
            question that has a value.

    Example:
        >>> a, b = [0.9, 0.8, 1.0, 0.7] * 5, [0.2, 0.3, 0.1, 0.2] * 5
        >>> documents = [f"d{i}" for i in range(20)]
        >>> found = choose({"a": a, "b": b}, documents, {"a": (2,), "b": (1,)})
        >>> found.chosen, found.ruled_out, found.p_best["a"]
        ('a', ['b'], 1.0)
    """
    table = table_of(values, clusters)
    rules = Rules.of(table, margin=margin, lower_is_better=lower_is_better)
    if missing := [name for name in values if name not in costs]:
        raise InvalidConfig(f"every strategy must have a cost, but {missing[0]!r} has none")
    there: NDArray[np.bool_] = np.asarray(~np.isnan(table).all(axis=0))
    whole: NDArray[np.bool_] = np.asarray(~np.isnan(table[:, there]).any(axis=1))
    if not there.any() or not whole.any():
        raise InvalidConfig("at least one question must have a value for every strategy, none has")
    names = [name for name, any_ in zip(values, there, strict=True) if any_]
    kept = [one for one, all_ in zip(clusters, whole, strict=True) if all_]
    field = _Field.of(table[whole][:, there], names, kept, costs, seed, rules)
    without = [name for name, any_ in zip(values, there, strict=True) if not any_]
    return field.choice(without, n_left_out=int((~whole).sum()))


@dataclass(frozen=True, slots=True, eq=False)
class _Field:
    """The strategies to choose from, the best first; `table` has higher values for better."""

    table: Floats
    names: list[str]
    prices: list[int]
    clusters: list[str]
    seed: int
    rules: Rules

    @classmethod
    def of(
        cls,
        table: Floats,
        names: list[str],
        clusters: list[str],
        costs: Mapping[str, tuple[float, ...]],
        seed: int,
        rules: Rules,
    ) -> _Field:
        signed = -table if rules.lower_is_better else table
        means = np.round(signed.mean(axis=0), 9)
        order = sorted(range(len(names)), key=lambda i: (-means[i], costs[names[i]], names[i]))
        placed = [names[i] for i in order]
        ranks = {cost: rank for rank, cost in enumerate(sorted({costs[one] for one in placed}))}
        prices = [ranks[costs[name]] for name in placed]
        return cls(signed[:, order], placed, prices, clusters, seed, rules)

    def choice(self, without: list[str], *, n_left_out: int) -> Choice:
        found = self._comparisons()
        out = {one.name for one in found if one.verdict == "WORSE"}
        same = {one.name for one in found if one.verdict == "EQUIVALENT"}
        alike = [name for name in self.names if name not in out]
        worst = self.table[:, 0].mean() - self.rules.margin - SAME
        near = {name for i, name in enumerate(self.names) if self.table[:, i].mean() >= worst}
        could = [i for i, name in enumerate(self.names) if name in same | (near - out)]
        chosen = min(could, key=lambda i: (self.prices[i], i))
        why = why_unsupported(self.clusters)
        return Choice(
            best=self.names[0],
            chosen=self.names[chosen],
            alike=alike,
            ruled_out=[name for name in self.names if name in out] + without,
            undecided=[name for name in alike[1:] if name not in same],
            p_best=self._p_best() | dict.fromkeys(without, 0.0),
            comparisons=found,
            cross_fitted=self._cross_fitted(chosen),
            supported=not why,
            why_not=why,
            n=len(self.table),
            n_left_out=n_left_out,
        )

    def _comparisons(self) -> list[Comparison]:
        """All others against the best; p is that of ruling out, since it was not fixed before."""
        if len(self.names) < 2:
            return []
        raw = -self.table if self.rules.lower_is_better else self.table
        paired = Paired.of(raw[:, 1:] - raw[:, :1], self.clusters, seed=self.seed)
        found = rule_out(Sums.of(self.table, paired.units).sums, paired.flips)
        together = found.everyone.critical(ALPHA)
        n_tests = len(self.names) * (len(self.names) - 1) // 2
        out = []
        for j, name in enumerate(self.names[1:]):
            among, p = found.among[j + 1], float(found.p[j + 1])
            least = float(among.p(paired.most[j]))
            tested = Tested(p, least, among.critical(ALPHA), together, n_tests)
            out.append(paired.comparison(j, (name, self.names[0]), tested, self.rules))
        return out

    def _cross_fitted(self, chosen: int) -> CrossFitted:
        """With the strategies by name: their order here has seen every document."""
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        raw = -self.table if self.rules.lower_is_better else self.table
        return cross_fit(
            raw[:, order],
            self.clusters,
            [self.prices[i] for i in order],
            chosen=order.index(chosen),
            rules=self.rules,
            seed=self.seed,
        )

    def _p_best(self) -> dict[str, float]:
        """How often each is best when units are drawn again; equal ones share."""
        units = Units.of(self.clusters)
        sums = Sums.of(self.table, units)
        wins, rng = np.zeros(len(self.names)), np.random.default_rng(self.seed)
        for drawn in resample_weights(units.n, rng, N_RESAMPLES):
            means = drawn @ sums.sums / (drawn @ sums.counts)
            first = means >= means.max(axis=1, keepdims=True) - SAME
            wins += (first / first.sum(axis=1, keepdims=True)).sum(axis=0)
        return dict(zip(self.names, (wins / N_RESAMPLES).tolist(), strict=True))


def why_unsupported(clusters: Sequence[str]) -> str:
    """Why nothing can be claimed of other documents: too few; empty where something can.

    Example:
        >>> why_unsupported(["a", "a", "b"])
        '2 of at least 10 documents and 3 of at least 15 questions'
    """
    n, n_documents = len(clusters), len(set(clusters))
    few = []
    if n_documents < FEWEST_CLUSTERS:
        few.append(f"{n_documents} of at least {FEWEST_CLUSTERS} documents")
    if n < FEWEST_ASKED:
        few.append(f"{n} of at least {FEWEST_ASKED} questions")
    return " and ".join(few)
