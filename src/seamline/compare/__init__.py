"""Comparing strategies on the same questions: intervals by resampling documents."""

from seamline.compare.bootstrap import Interval, mean_intervals, wilson_interval

__all__ = ["Interval", "mean_intervals", "wilson_interval"]
