"""Measures of characters: how much of the gold was shown, and how much beside it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from seamline.measure.base import Measure
from seamline.measure.context import Facts

__all__ = ["Hit", "HitWhole", "IoU", "Noise", "Precision", "PrecisionUnique", "Recall"]


@dataclass(frozen=True, slots=True)
class Hit(Measure):
    """1 where any piece overlaps any gold span by at least one character, else 0.

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> Hit(Cutoff(5)).score(Gold(0, ([[10, 20]],)), Shown.of([(0, 0, 10, 2, 0.9)]))
        0.0
    """

    name: ClassVar[str] = "Hit"
    about: ClassVar[str] = "any piece overlaps gold by at least one character"

    def value(self, facts: Facts) -> float:
        return 1.0 if facts.ranks else 0.0


@dataclass(frozen=True, slots=True)
class HitWhole(Measure):
    """1 where every slot has an alternative that lies in the union of the pieces, else 0."""

    name: ClassVar[str] = "HitWhole"
    about: ClassVar[str] = "the whole gold is inside the union of the pieces"

    def value(self, facts: Facts) -> float:
        return 1.0 if facts.whole else 0.0


@dataclass(frozen=True, slots=True)
class Recall(Measure):
    """Share of gold characters that the union of the pieces covers, 0 to 1.

    covered / gold. A slot counts with the alternative of which the largest
    share is covered (ties: the shorter, then the first); characters that two
    slots share count once.

    Source: Smith and Troynikov, Evaluating Chunking Strategies for Retrieval
    (Chroma, 2024), where it counts tokens.

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> gold = Gold(0, ([[0, 10]], [[50, 80]]))  # 40 characters
        >>> shown = Shown.of([(0, 5, 60, 12, 0.9)])  # covers 5 + 10 of them
        >>> Recall(Cutoff(5)).score(gold, shown)
        0.375
    """

    name: ClassVar[str] = "Recall"
    about: ClassVar[str] = "share of gold characters that the pieces cover"

    def value(self, facts: Facts) -> float:
        return facts.covered / facts.gold


@dataclass(frozen=True, slots=True)
class Precision(Measure):
    """Share of the characters shown that are gold, 0 to 1; text shown twice costs twice.

    relevant / shown, where `relevant` counts each gold character once (of any
    alternative) and `shown` adds up all pieces. 0 where nothing was shown.

    Source: as for Recall.

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> shown = Shown.of([(0, 0, 20, 5, 0.9), (0, 0, 20, 5, 0.8)])
        >>> Precision(Cutoff(5)).score(Gold(0, ([[0, 10]],)), shown)  # 10 / 40
        0.25
    """

    name: ClassVar[str] = "Precision"
    about: ClassVar[str] = "share of the characters shown that are gold, repeats paid each time"

    def value(self, facts: Facts) -> float:
        return facts.relevant_shown / facts.shown if facts.shown else 0.0


@dataclass(frozen=True, slots=True)
class PrecisionUnique(Measure):
    """Share of the distinct characters shown that are gold, 0 to 1: text shown twice counts once.

    relevant / unique. 0 where nothing was shown.

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> shown = Shown.of([(0, 0, 20, 5, 0.9), (0, 0, 20, 5, 0.8)])
        >>> PrecisionUnique(Cutoff(5)).score(Gold(0, ([[0, 10]],)), shown)  # 10 / 20
        0.5
    """

    name: ClassVar[str] = "PrecisionUnique"
    about: ClassVar[str] = "share of the distinct characters shown that are gold"

    def value(self, facts: Facts) -> float:
        return facts.relevant_shown / facts.unique if facts.unique else 0.0


@dataclass(frozen=True, slots=True)
class IoU(Measure):
    """Gold characters covered, over gold and everything else shown, 0 to 1.

    covered / (gold + noise characters), noise = shown - relevant: for text
    shown once and gold without alternatives that is |gold ∩ shown| / |gold ∪
    shown|. Text shown twice costs twice. Never above Recall or Precision.

    Source: as for Recall.

    Example:
        >>> from seamline.measure import Cutoff, Gold, Shown
        >>> IoU(Cutoff(5)).score(Gold(0, ([[0, 10]],)), Shown.of([(0, 5, 15, 3, 0.9)]))  # 5 / 15
        0.3333333333333333
    """

    name: ClassVar[str] = "IoU"
    about: ClassVar[str] = "gold characters covered, over gold and all else shown"

    def value(self, facts: Facts) -> float:
        return facts.covered / (facts.gold + facts.shown - facts.relevant_shown)


@dataclass(frozen=True, slots=True)
class Noise(Measure):
    """1 - Precision: share of the characters shown that are not gold; 1 where nothing was shown."""

    name: ClassVar[str] = "Noise"
    about: ClassVar[str] = "share of the characters shown that are not gold"
    lower_is_better: ClassVar[bool] = True

    def value(self, facts: Facts) -> float:
        return 1.0 - (facts.relevant_shown / facts.shown if facts.shown else 0.0)
