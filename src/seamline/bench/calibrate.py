"""A threshold of similarity under which a search is not answered, from measured questions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from seamline.bench.schema import ResultsData, StrategyRow
from seamline.compare.bootstrap import wilson_interval
from seamline.errors import InvalidConfig

__all__ = ["FEWEST", "Calibration", "calibrate"]

FEWEST = 20
"""Answered questions under which a threshold says little."""

_WHOLE = 1.0 - 1e-9


@dataclass(frozen=True, slots=True)
class Calibration:
    """A threshold, and what it does to the questions it was found on.

    Of `n_answered` questions, whose answer was shown whole within the budget, it lets
    `kept` through; of the `n_failed` others it stops `stopped`. `kept_low` to `kept_high` is
    a 95 % interval (Wilson) of the share kept. `usual` tells the same of the threshold in
    use: its value, and the shares kept and stopped.
    """

    spec: str
    measure: str
    threshold: float
    n_answered: int
    kept: float
    kept_low: float
    kept_high: float
    n_failed: int
    stopped: float | None
    usual: tuple[float, float, float | None]

    def row(self) -> dict[str, Any]:
        """The figures by name."""
        return asdict(self)


def calibrate(data: ResultsData, row: StrategyRow, keep: float = 0.95) -> Calibration:
    """The highest threshold, in hundredths, that keeps a share `keep` of the answered questions.

    A question is answered where the first measure is 1: all of its answer was shown.

    Raises:
        InvalidConfig: `keep` is no share, nothing was answered, no cosine is known, or
            the measure is none of which 1 is the best.
    """
    if not 0 < keep <= 1:
        raise InvalidConfig(f"the share to keep must be above 0 and at most 1, got {keep}")
    config = data["config"]
    name = config["primary"]
    if config["lower_is_better"]:
        raise InvalidConfig(
            f"the first measure must be one of which 1 means answered, got {name}: put a recall "
            "first in `measures` and measure again"
        )
    values = row["measures"][name]["values"]
    pairs = [
        (top["similarity"], value >= _WHOLE)
        for top, value in zip(row["top1"], values, strict=True)
        if top is not None and value is not None
    ]
    good = np.array([cosine for cosine, answered in pairs if answered])
    bad = np.array([cosine for cosine, answered in pairs if not answered])
    if not len(good):
        raise InvalidConfig(
            f"a threshold is found on answered questions with cosines, and {row['spec']} has none: "
            "measure a strategy that answers some, with an embedder"
        )
    n_kept = int(np.ceil(keep * len(good) - 1e-9))
    lowest = float(np.sort(good)[len(good) - n_kept])
    threshold = float(np.floor(lowest * 100) / 100)
    kept, stopped = _shares(good, bad, threshold)
    low, high = wilson_interval(kept * len(good), len(good))
    usual = float(config["threshold"])
    return Calibration(
        spec=row["spec"],
        measure=name,
        threshold=threshold,
        n_answered=len(good),
        kept=kept,
        kept_low=low,
        kept_high=high,
        n_failed=len(bad),
        stopped=stopped,
        usual=(usual, *_shares(good, bad, usual)),
    )


def _shares(good: Any, bad: Any, threshold: float) -> tuple[float, float | None]:
    """Which share of the answered passes a threshold, and which of the others does not."""
    stopped = float((bad < threshold).mean()) if len(bad) else None
    return float((good >= threshold).mean()), stopped
