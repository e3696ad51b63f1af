"""What turning one knob does, all others left as they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamline.compare.bootstrap import mean_intervals
from seamline.compare.paired import table_of
from seamline.errors import InvalidConfig

__all__ = ["Effect", "effects"]

Floats = NDArray[np.float64]
Knobs = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Effect:
    """The mean difference that `level` of `knob` makes against the level `to`.

    It is over `n_pairs` pairs of configurations that differ in this knob only, and the
    `n_questions` that have a value in any of them. `low`, `high` and `interval` are as
    in `mean_intervals`; they are not corrected for how many effects there are.
    """

    knob: str
    level: object
    to: object
    mean: float
    low: float | None
    high: float | None
    interval: str | None
    n_pairs: int
    n_questions: int


def effects(
    values: Mapping[str, ArrayLike],
    knobs: Mapping[str, Knobs],
    clusters: Sequence[str],
    *,
    seed: int = 0,
) -> list[Effect]:
    """The effect of each level of each knob against the knob's most common level.

    `values` maps a configuration to its value of each question, `knobs` to what it is
    set to. A pair are two configurations in which every other knob that both have is
    set alike; parameters that only one has come with its strategy. The level that most
    configurations have is what the others are held against, of equally common ones the
    first. A level without a pair has no effect in the list. Knobs stand in the order
    they appear, levels in that of the configurations. Cost: the square of the configurations.

    Raises:
        InvalidConfig: not one value a question, or a configuration without knobs.

    Example:
        >>> values = {"a": [0.2, 0.4], "b": [0.5, 0.5], "c": [0.1, 0.1]}
        >>> knobs = {"a": {"size": 1, "x": 0}, "b": {"size": 2, "x": 0}, "c": {"size": 1, "x": 1}}
        >>> [(one.knob, one.level, round(one.mean, 2)) for one in effects(values, knobs, "dd")]
        [('size', 2, 0.2), ('x', 1, -0.2)]
    """
    table = table_of(values, clusters)
    if missing := [name for name in values if name not in knobs]:
        raise InvalidConfig(f"every configuration must have knobs, but {missing[0]!r} has none")
    own = [knobs[name] for name in values]
    found = [
        (knob, level, to, _mean_difference(table, pairs), len(pairs))
        for knob in dict.fromkeys(knob for one in own for knob in one)
        for level, to, pairs in _levels(own, knob)
    ]
    found = [one for one in found if not np.isnan(one[3]).all()]
    if not found:
        return []
    columns = np.column_stack([one[3] for one in found])
    intervals = mean_intervals(columns, list(clusters), rng=np.random.default_rng(seed))
    known = table[~np.isnan(table)]
    most = 1.0 if ((known >= 0) & (known <= 1)).all() else np.inf  # as far as shares can differ
    return [
        Effect(
            knob,
            level,
            to,
            mean=float(np.nanmean(column)),
            low=None if interval.low is None else max(interval.low, -most),
            high=None if interval.high is None else min(interval.high, most),
            interval=interval.method,
            n_pairs=n_pairs,
            n_questions=int((~np.isnan(column)).sum()),
        )
        for (knob, level, to, column, n_pairs), interval in zip(found, intervals, strict=True)
    ]


def _levels(own: Sequence[Knobs], knob: str) -> list[tuple[object, object, list[tuple[int, int]]]]:
    """Each level but the reference with the reference and the pairs of the two."""
    having = [i for i, one in enumerate(own) if knob in one]
    groups: dict[Hashable, list[int]] = {}
    for i in having:
        groups.setdefault(repr(own[i][knob]), []).append(i)
    if len(groups) < 2:
        return []
    sizes = Counter({key: len(members) for key, members in groups.items()})
    reference = sizes.most_common(1)[0][0]
    base = groups.pop(reference)
    out = []
    for members in groups.values():
        pairs = [(i, j) for i in members for j in base if _else_alike(own[i], own[j], knob)]
        if pairs:
            out.append((own[members[0]][knob], own[base[0]][knob], pairs))
    return out


def _else_alike(one: Knobs, other: Knobs, knob: str) -> bool:
    both = one.keys() & other.keys() - {knob}
    return all(repr(one[key]) == repr(other[key]) for key in both)


def _mean_difference(table: Floats, pairs: Sequence[tuple[int, int]]) -> Floats:
    """float64[questions]: the mean difference over the pairs, NaN where no pair has one."""
    left, right = np.array(pairs).T
    differences = table[:, left] - table[:, right]
    known = ~np.isnan(differences)
    n = known.sum(axis=1)
    total = np.where(known, differences, 0.0).sum(axis=1)
    return np.where(n > 0, total / np.maximum(n, 1), np.nan)
