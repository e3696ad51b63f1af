"""One configuration, why questions failed under it, and what its neighbours in the results gave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, nan
from typing import Any

import numpy as np

from seamline.bench import Results
from seamline.bench.configuration import configuration_of
from seamline.bench.schema import DiagnosisRow, StrategyRow
from seamline.compare import mean_intervals
from seamline.phrases import counted, signed

__all__ = ["Case", "Knobs"]

_SHARE, _LEAST = 0.1, 2  # of the failed questions, before they are worth an advice
_LARGER = 1.2  # times the mean size, before chunks count as larger or smaller

Knobs = Mapping[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """A row of results with its explanation, to be compared with the other rows."""

    results: Results
    row: StrategyRow
    found: DiagnosisRow

    @property
    def primary(self) -> str:
        """The name of the primary measure."""
        return str(self.results.data["config"]["primary"])

    @property
    def knobs(self) -> Knobs:
        """The settings of this configuration."""
        return self._knobs(self.row)

    @property
    def enough(self) -> int:
        """How many of the failed questions are worth an advice: a tenth of them, at least two."""
        return max(_LEAST, ceil(_SHARE * len(self.found["labels"])))

    def count(self, label: str) -> int:
        """How many questions have a label."""
        return self.found["counts"][label]

    def share(self, n: int) -> str:
        """`n` of the failed questions, in words."""
        return f"{n} of {counted(len(self.found['labels']), 'failed question')}"

    def mean(self, name: str) -> float:
        """The mean of a measure, NaN where it was not measured or has none."""
        measures = self.row["measures"]
        value = measures[name]["mean"] if name in measures else None
        return nan if value is None else value

    def missed_but_found(self) -> tuple[str, int] | None:
        """The other cut that shows most of the *missed* questions whole, ranked alike; how many.

        Of several the one that is best; None where no such cut shows any.
        """
        labels = self.found["labels"]
        counts = {
            spec: sum(labels.get(name) == "missed" for name in names)
            for spec, names in self.found.get("found_by_cuts", {}).items()
        }
        order = [one.spec for one in self.results.summary() if counts.get(one.spec)]
        best = max(order, key=counts.__getitem__, default=None)
        return None if best is None else (best, counts[best])

    @property
    def n_cuts(self) -> int:
        """How many other rows of the results rank and show alike."""
        rows = self.results.data["strategies"]
        return sum(self._ranked_alike(row) for row in rows) - 1

    def smaller(self) -> str | None:
        """What smaller chunks gave: of the same strategy if there are such."""
        return self._sized(lambda ratio: ratio < 1 / _LARGER)

    def larger(self) -> str | None:
        """What larger chunks gave: of the same strategy if there are such."""
        return self._sized(lambda ratio: ratio > _LARGER)

    def _sized(self, holds: Callable[[float], bool]) -> str | None:
        own = self.knobs["strategy"]

        def fits(row: StrategyRow) -> bool:
            ratio = self._ratio(row)
            return ratio is not None and holds(ratio) and self._ranked_alike(row)

        same = self._measured(lambda row: fits(row) and self._knobs(row)["strategy"] == own)
        return same or self._measured(fits)

    def _ratio(self, row: StrategyRow) -> float | None:
        """How many times as large the chunks of a row are in the mean."""
        size, other = (one["size"]["tokens"]["mean"] for one in (self.row, row))
        return other / size if size and other else None

    def cut(self, wanted: Callable[[Knobs], bool], *, not_smaller: bool = False) -> str | None:
        """What other cuts gave whose settings are `wanted`, ranked and shown alike.

        With `not_smaller` only those whose chunks are no smaller than these.
        """

        def holds(row: StrategyRow) -> bool:
            ratio = self._ratio(row) or 1.0
            if not_smaller and ratio < 1 / _LARGER:
                return False
            return self._ranked_alike(row) and wanted(self._knobs(row))

        return self._measured(holds)

    def turned(self, knob: str, wanted: Callable[[Any], bool]) -> str | None:
        """What the same configuration gave with one knob turned to a value that is `wanted`."""
        own = {**self.knobs, knob: None}

        def holds(row: StrategyRow) -> bool:
            knobs = self._knobs(row)
            return {**knobs, knob: None} == own and knob in knobs and wanted(knobs[knob])

        return self._measured(holds)

    def _knobs(self, row: StrategyRow) -> Knobs:
        return configuration_of(row, self.results.data["config"]).knobs

    def _ranked_alike(self, row: StrategyRow) -> bool:
        own, other = self.knobs, self._knobs(row)
        return all(own[key] == other[key] for key in ("retriever", "dedupe", "merge"))

    def _measured(self, holds: Callable[[StrategyRow], bool]) -> str | None:
        """The best of the other rows that hold, and its paired difference to this one."""
        config = self.results.data["config"]
        known = [
            (mean, row)
            for row in self.results.data["strategies"]
            if row["spec"] != self.row["spec"]
            and (mean := row["measures"][self.primary]["mean"]) is not None
            and holds(row)
        ]
        if not known:
            return None
        best = (min if config["lower_is_better"] else max)(known, key=lambda one: one[0])[1]
        return f"{best['spec']} {self._difference(best)}"

    def _difference(self, other: StrategyRow) -> str:
        data = self.results.data
        values = [row["measures"][self.primary]["values"] for row in (other, self.row)]
        left, right = (np.array(one, np.float64) for one in values)
        interval = mean_intervals(
            (left - right)[:, None],
            [question["doc_id"] for question in data["questions"]],
            rng=np.random.default_rng(data["config"]["seed"]),
            shares=[False],
        )[0]
        mean = signed(float(np.nanmean(left - right)))
        if interval.low is None or interval.high is None:
            return mean
        return f"{mean} [{signed(interval.low)}, {signed(interval.high)}]"
