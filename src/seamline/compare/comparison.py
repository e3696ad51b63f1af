"""Strategies against a baseline that was fixed before: paired, clustered, corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.multiple import furthest, holm
from seamline.compare.paired import Sums, table_of
from seamline.compare.tested import Paired, Tested
from seamline.compare.verdict import ALPHA, Comparison, Rules
from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import suggest

__all__ = ["Correction", "compare_bests", "compare_one", "compare_pairs", "compare_to"]

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
    differences = np.delete(table, base, axis=1) - table[:, base : base + 1]
    names = [(name, to) for name in values if name != to]
    known = np.asarray(~np.isnan(table[:, base]))
    return _family(
        differences, clusters, names, rules, known=known, seed=seed, correction=correction
    )


def compare_pairs(
    values: Mapping[str, ArrayLike],
    others: Mapping[str, ArrayLike],
    clusters: Sequence[str],
    *,
    seed: int = 0,
    margin: float = 0.02,
    lower_is_better: bool = False,
    correction: Correction = "max-t",
) -> list[Comparison]:
    """Each strategy of `values` against that of the same name in `others`, as in `compare_to`.

    Raises:
        UnknownName: one of them is not in `others`.
        InvalidConfig: as `compare_to`.

    Example:
        >>> was, now = [0.5] * 12, [0.6, 0.7, 0.5, 0.9] * 3
        >>> (one,) = compare_pairs({"a": now}, {"a": was}, list("abcdefghijkl"))
        >>> one.verdict
        'BETTER'
    """
    if missing := [name for name in values if name not in others]:
        raise UnknownName(f"no strategy {missing[0]!r} on the other side")
    left = table_of(values, clusters)
    right = table_of({name: others[name] for name in values}, clusters)
    both = np.column_stack([left, right])
    rules = Rules.of(both, margin=margin, lower_is_better=lower_is_better)
    names = [(name, name) for name in values]
    known = np.asarray(~np.isnan(left - right).all(axis=1))
    differences = left - right
    return _family(
        differences, clusters, names, rules, known=known, seed=seed, correction=correction
    )


def _family(
    differences: Floats,
    clusters: Sequence[str],
    names: Sequence[tuple[str, str]],
    rules: Rules,
    *,
    known: NDArray[np.bool_],
    seed: int,
    correction: Correction,
) -> list[Comparison]:
    """A comparison a column, corrected for all of them; only rows that are `known` count."""
    kept = [one for one, there in zip(clusters, known, strict=True) if there]
    paired = Paired.of(differences[known], kept, seed=seed)
    return [
        paired.comparison(j, own, tested, rules)
        for j, (own, tested) in enumerate(zip(names, _tested(paired, correction), strict=True))
    ]


def compare_bests(
    values: Mapping[str, ArrayLike],
    others: Mapping[str, ArrayLike],
    clusters: Sequence[str],
    *,
    names: tuple[str, str],
    seed: int = 0,
    margin: float = 0.02,
    lower_is_better: bool = False,
) -> Comparison:
    """`names[0]` of `values` against `names[1]` of `others`, each chosen from these values.

    Corrected for every pair of the two sides, since any of them could have been it.

    Example:
        >>> was, now = [0.5] * 12, [0.6, 0.7, 0.5, 0.9] * 3
        >>> compare_bests({"b": now}, {"a": was}, list("abcdefghijkl"), names=("b", "a")).verdict
        'BETTER'
    """
    left, right = table_of(values, clusters), table_of(others, clusters)
    both = np.column_stack([left, right])
    rules = Rules.of(both, margin=margin, lower_is_better=lower_is_better)
    pairs = (left[:, :, None] - right[:, None, :]).reshape(len(left), -1)
    column = list(values).index(names[0]) * len(others) + list(others).index(names[1])
    known = np.asarray(~np.isnan(pairs[:, column]))
    kept = [one for one, there in zip(clusters, known, strict=True) if there]
    paired = Paired.of(pairs[known, column : column + 1], kept, seed=seed)
    null = furthest(Sums.of(pairs[known], paired.units).sums, paired.flips)
    adjusted = max(float(null.p(paired.t[0])), float(paired.p[0]))
    least, critical = float(null.p(paired.most[0])), null.critical(ALPHA)
    tested = Tested(adjusted, least, critical, critical, pairs.shape[1])
    return paired.comparison(0, names, tested, rules)


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
