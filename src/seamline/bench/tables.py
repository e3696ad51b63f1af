"""From values a question to the means, intervals and groups of results.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from seamline.bench.corpus import Corpus
from seamline.bench.plan import Plan
from seamline.bench.price import Price, shown_measure
from seamline.bench.results import rank_key
from seamline.bench.score import CURVE, Values
from seamline.compare import Interval, mean_intervals
from seamline.measure import curve, mean_of

__all__ = ["add_measures", "curve_row"]

Row = dict[str, Any]
_SHARE = "0 to 1"


def add_measures(
    rows: Sequence[Row], values: Sequence[Mapping[str, Values]], plan: Plan, corpus: Corpus
) -> None:
    """Add `measures`, `difference`, `by_tag` and `by_document` to each strategy's row.

    All intervals, of all strategies and measures, come from the same draws.
    """
    names = [str(measure) for measure in plan.measures]
    best = _best(rows, values, plan)
    differences = [one[names[0]] - values[best][names[0]] for one in values]
    columns = [one[name] for one in values for name in names] + differences
    shares = [measure.range == _SHARE for measure in plan.measures] * len(values)
    intervals = mean_intervals(
        np.column_stack(columns),
        [question.doc_id for question in corpus.questions],
        rng=np.random.default_rng(plan.config.seed),
        shares=shares + [False] * len(values),
    )
    tags = [question.tags for question in corpus.questions]
    documents = [question.doc_id for question in corpus.questions]
    for i, (row, one) in enumerate(zip(rows, values, strict=True)):
        own = intervals[i * len(names) : (i + 1) * len(names)]
        row["measures"] = {
            name: {**_mean_row(one[name], interval), "values": one[name]}
            for name, interval in zip(names, own, strict=True)
        }
        row["difference"] = {
            "to": rows[best]["spec"],
            **_mean_row(differences[i], intervals[len(names) * len(values) + i]),
        }
        row["by_tag"] = _grouped(one, names, tags)
        row["by_document"] = _grouped(one, names, [(name,) for name in documents])


def _best(rows: Sequence[Row], values: Sequence[Mapping[str, Values]], plan: Plan) -> int:
    """The number of the row that is best, of equal ones the cheapest."""
    primary = plan.measures[0]
    shown = shown_measure({"primary": str(primary), "k": plan.config.k}, values[0])
    keys = [
        rank_key(
            mean_of(own[str(primary)]).mean,
            Price.of(
                row["cost"], row["strategy"], shown=mean_of(own[shown]).mean if shown else None
            ),
            row["spec"],
            lower=primary.lower_is_better,
        )
        for row, own in zip(rows, values, strict=True)
    ]
    return keys.index(min(keys))


def _mean_row(values: Values, interval: Interval) -> Row:
    mean, n = mean_of(values)
    return {
        "mean": mean,
        "low": interval.low,
        "high": interval.high,
        "interval": interval.method,
        "n": n,
    }


def _grouped(
    values: Mapping[str, Values], names: Sequence[str], groups: Sequence[Sequence[str]]
) -> dict[str, dict[str, Row]]:
    """The mean of each measure over each group; a question may be in several."""
    labels = sorted({label for own in groups for label in own})
    number = {label: i for i, label in enumerate(labels)}
    rows = np.repeat(np.arange(len(groups)), [len(own) for own in groups])
    codes = np.array([number[label] for own in groups for label in own], np.int64)
    out: dict[str, dict[str, Row]] = {label: {} for label in labels}
    for name in names:
        column = values[name][rows]
        known = ~np.isnan(column)
        counts = np.bincount(codes[known], minlength=len(labels))
        sums = np.bincount(codes[known], column[known], len(labels))
        for label, total, n in zip(labels, sums.tolist(), counts.tolist(), strict=True):
            out[label][name] = {"mean": total / n if n else None, "n": n}
    return out


def curve_row(values: Mapping[str, Values], budgets: Sequence[int]) -> Row:
    """The means at each token budget and the area of recall; no area under one budget."""
    means: dict[str, list[float]] = {
        key: [mean_of(values[f"{name}@{budget}t"]).mean for budget in budgets]
        for key, name in CURVE.items()
    }
    area = curve(budgets, means["recall"]) if len(budgets) > 1 else None
    return {"budgets": list(budgets), **means, "area": area}
