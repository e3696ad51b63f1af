"""Comparing strategies on the same questions: differences, doubts, and the choice."""

from seamline.compare.bootstrap import Interval, mean_intervals, wilson_interval
from seamline.compare.choose import Choice, choose
from seamline.compare.comparison import compare_bests, compare_pairs, compare_to
from seamline.compare.crossfit import CrossFitted
from seamline.compare.effects import Effect, effects
from seamline.compare.multiple import holm
from seamline.compare.power import detectable, questions_needed
from seamline.compare.randomization import FlipTest, flip_test
from seamline.compare.strata import Stratum, strata, worst_stratum
from seamline.compare.verdict import Comparison

__all__ = [
    "Choice",
    "Comparison",
    "CrossFitted",
    "Effect",
    "FlipTest",
    "Interval",
    "Stratum",
    "choose",
    "compare_bests",
    "compare_pairs",
    "compare_to",
    "detectable",
    "effects",
    "flip_test",
    "holm",
    "mean_intervals",
    "questions_needed",
    "strata",
    "wilson_interval",
    "worst_stratum",
]
