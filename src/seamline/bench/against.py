"""Results compared: the strategies of one file, or those of two."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from seamline.bench.named import row_named
from seamline.bench.recommend import margin_of
from seamline.bench.results import Results, canonical, price_of
from seamline.bench.sides import Side, Values, sides_of
from seamline.bench.sources import PEOPLE_TAG, SYNTHETIC_TAG
from seamline.compare import (
    Choice,
    Comparison,
    Stratum,
    choose,
    compare_bests,
    compare_pairs,
    compare_to,
    strata,
    worst_stratum,
)
from seamline.compare.choose import why_unsupported
from seamline.errors import InvalidConfig, UnknownName
from seamline.golden.rows import KNOWN_ITEM
from seamline.measure import mean_of, parse_measure

__all__ = ["BY", "Against", "By", "Way", "compare_results"]

By = Literal["tag", "kind", "document"]
BY: tuple[By, ...] = ("tag", "kind", "document")
"""What questions are parted by: their tags, or their document's media type or id."""

Way = Literal["best", "fixed", "same", "bests"]


@dataclass(frozen=True, slots=True)
class Against:
    """Strategies against what they are compared with, and where the first of them fares worst.

    `way` says how: `best` (those of one file against its best), `fixed` (against one
    that was named), `same` (of two files, each strategy of both against itself), `bests`
    (the best of the first file against that of the second). `means` has the means of
    each comparison's two sides. `strata` parts the pair `leading`: the strategy to take
    against the best, or the nearest to it; `worst` is the stratum in which it fares worst.
    `comparisons` stand from the largest gain to the largest
    loss. `n_left_out` are the questions of each file that the other one does not have,
    `unpaired` the strategies that only one has. `n_synthetic` of the `n` questions no person
    asked, `n_known_items` of these are known items, and `people` is the stratum of the
    others where there are both. `primary` is False where another measure
    was asked for than the one that the run was made for.
    """

    way: Way
    measure: str
    primary: bool
    lower_is_better: bool
    margin: float
    comparisons: list[Comparison]
    means: list[tuple[float | None, float | None]]
    choice: Choice | None
    leading: tuple[str, str]
    strata: dict[By, list[Stratum]]
    worst: tuple[By, Stratum] | None
    n: int
    n_documents: int
    n_left_out: tuple[int, ...]
    unpaired: tuple[str, ...]
    why_not: str
    n_synthetic: int
    n_known_items: int
    people: Stratum | None

    def as_dict(self) -> dict[str, Any]:
        """All numbers, in plain JSON types."""
        return canonical(asdict(self))  # type: ignore[no-any-return]


def compare_results(
    first: Results,
    second: Results | None = None,
    *,
    to: str | None = None,
    measure: str | None = None,
    margin: float | None = None,
    by: By | None = None,
) -> Against:
    """What differs between strategies, paired by question, and what cannot be told.

    Of one file: all against the best, or against `to`. Of two: each strategy that both
    hold, in the first against itself in the second; the strategies of the first against
    `to` of the second; or, if they share none, the best of each. `row_named` finds `to`.
    `margin` is that of the first file unless given. Strata are by tag and by kind of
    document, or `by` alone.

    Raises:
        NotComparable: the files are not about the same texts, gold or budget.
        UnknownName: no row `to` or several, no such measure, or no such part.
        InvalidConfig: fewer than two strategies with a value of the measure, or a
            margin below 0 or from 1 on.
    """
    if by is not None and by not in BY:
        raise UnknownName(f"questions are parted by {', '.join(BY)}, not by {by!r}")
    name, sides = sides_of(first, second, measure)
    _check_values(sides, name)
    config = first.data["config"]
    setting = _Setting(
        margin=margin_of(config, margin),
        lower_is_better=parse_measure(name).lower_is_better,
        seed=config["seed"],
    )
    if to is not None:
        which = " to compare with" if second is None else " in the second file"
        to = row_named(to, sides[-1].values, where=which)
    found = _one_file(sides[0], to, setting) if len(sides) == 1 else _two_files(sides, to, setting)
    parts = {one: _strata(found, sides[0], one, setting) for one in ((by,) if by else BY[:2])}
    documents = sides[0].documents
    sign = 1.0 if setting.lower_is_better else -1.0
    every = sorted(found.comparisons, key=lambda one: _last(one.mean, sign))
    return Against(
        way=found.way,
        measure=name,
        primary=name == config["primary"],
        lower_is_better=setting.lower_is_better,
        margin=setting.margin,
        comparisons=every,
        means=[(_mean(found.left[one.name]), _mean(found.right[one.to])) for one in every],
        choice=found.choice,
        leading=found.leading,
        strata={one: own for one, own in parts.items() if len(own) > 1 or one == by},
        worst=_worst(parts, lower_is_better=setting.lower_is_better),
        n=len(documents),
        n_documents=len(set(documents)),
        n_left_out=tuple(side.n_left_out for side in sides),
        unpaired=found.unpaired,
        why_not=why_unsupported(documents),
        n_synthetic=_n_tagged(sides[0], SYNTHETIC_TAG),
        n_known_items=_n_tagged(sides[0], KNOWN_ITEM),
        people=_people(found, sides[0], setting),
    )


def _check_values(sides: Sequence[Side], measure: str) -> None:
    """Raise unless each side has a value, and the only one has two strategies with values."""
    for side in sides:
        n = sum(not all(map(math.isnan, own)) for own in side.values.values())
        if n == 0:
            raise InvalidConfig(
                f"no question has a value of {measure}: compare by a measure that has values"
            )
        if n < 2 <= len(side.values) and len(sides) == 1:
            raise InvalidConfig(f"two strategies must have a value of {measure}, only {n} has")


@dataclass(frozen=True, slots=True)
class _Setting:
    margin: float
    lower_is_better: bool
    seed: int

    def order(self, values: Mapping[str, Sequence[float]]) -> list[str]:
        """The strategies, the best mean first; without a value, last."""
        sign = 1.0 if self.lower_is_better else -1.0
        means = {name: _mean(own) for name, own in values.items()}
        return sorted(values, key=lambda name: (_last(means[name], sign), name))


def _last(mean: float | None, sign: float) -> float:
    return math.inf if mean is None else sign * mean


def _mean(values: Sequence[float]) -> float | None:
    mean = mean_of(np.asarray(values, dtype=np.float64)).mean
    return None if math.isnan(mean) else mean


@dataclass(frozen=True, slots=True)
class _Found:
    way: Way
    comparisons: list[Comparison]
    leading: tuple[str, str]
    left: Values
    right: Values
    choice: Choice | None = None
    unpaired: tuple[str, ...] = ()


def _one_file(side: Side, to: str | None, setting: _Setting) -> _Found:
    values = side.values
    if len(values) < 2:
        raise InvalidConfig(
            f"there must be two strategies to compare, got {len(values)}: give a second file"
        )
    if to is not None:
        found = compare_to(values, side.documents, to=to, **asdict(setting))
        best = next(name for name in setting.order(values) if name != to)
        return _Found("fixed", found, (best, to), values, values)
    config = side.data["config"]
    costs = {row["spec"]: price_of(row, config).key("tokens") for row in side.data["strategies"]}
    choice = choose(values, side.documents, costs, **asdict(setting))
    other = choice.best
    if choice.chosen == choice.best:
        other = next(name for name in setting.order(values) if name != choice.best)
    return _Found("best", choice.comparisons, (choice.chosen, other), values, values, choice)


def _two_files(sides: Sequence[Side], to: str | None, setting: _Setting) -> _Found:
    left, right = (side.values for side in sides)
    documents, options = sides[0].documents, asdict(setting)
    best = setting.order(left)[0]
    if to is not None:
        every = dict.fromkeys(left, right[to])
        found = compare_pairs(left, every, documents, **options)
        return _Found("fixed", [replace(one, to=to) for one in found], (best, to), left, right)
    if both := {name: own for name, own in left.items() if name in right}:
        found = compare_pairs(both, right, documents, **options)
        best = setting.order(both)[0]
        rest = tuple(sorted(left.keys() ^ right.keys()))
        return _Found("same", found, (best, best), left, right, unpaired=rest)
    names = (best, setting.order(right)[0])
    one = compare_bests(left, right, documents, names=names, **options)
    return _Found("bests", [one], names, left, right)


def _strata(found: _Found, side: Side, by: By, setting: _Setting) -> list[Stratum]:
    """The leading pair in each part of the questions."""
    name, to = found.leading
    pair = {"name": found.left[name], "to": found.right[to]}
    parts = strata(pair, side.documents, _labels(side, by), name="name", to="to", **asdict(setting))
    return [replace(one, comparison=replace(one.comparison, name=name, to=to)) for one in parts]


def _n_tagged(side: Side, tag: str) -> int:
    return sum(tag in question["tags"] for question in side.questions)


def _people(found: _Found, side: Side, setting: _Setting) -> Stratum | None:
    """The leading pair on the questions of people, where others are synthetic."""
    if not _n_tagged(side, PEOPLE_TAG):
        return None
    tagged = _strata(found, side, "tag", setting)
    return next((one for one in tagged if one.label == PEOPLE_TAG), None)


def _labels(side: Side, by: By) -> list[list[str]]:
    """The parts that each question belongs to."""
    if by == "tag":
        return [question["tags"] for question in side.questions]
    if by == "document":
        return [[document] for document in side.documents]
    kinds = {row["id"]: row["media_type"] for row in side.data["documents"]}
    return [[kinds[document]] for document in side.documents]


def _worst(
    parts: Mapping[By, Sequence[Stratum]], *, lower_is_better: bool
) -> tuple[By, Stratum] | None:
    """The worst of those large enough to say something; of all, where none is."""
    every = [(by, one) for by, own in parts.items() if len(own) > 1 for one in own]
    some = [(by, one) for by, one in every if one.supported] or every
    worst = worst_stratum([one for _, one in some], lower_is_better=lower_is_better)
    return next(((by, one) for by, one in some if one is worst), None)
