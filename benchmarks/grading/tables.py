"""From graded designs to the tables that are shown and written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grading.intervals import macro_interval
from grading.run import BUDGETS, Graded

Rows = list[dict[str, Any]]
ByDesign = dict[str, dict[str, Graded]]


def by_design(graded: Sequence[Graded]) -> ByDesign:
    """The results of each design, by set."""
    out: ByDesign = defaultdict(dict)
    for one in graded:
        out[one.design][one.set] = one
    return dict(out)


def macro_rows(
    designs: ByDesign, clusters: Mapping[str, Sequence[str]], baseline: str, *, best_first: bool
) -> Rows:
    """A row a design: means over the sets in percent, each set weighing alike."""
    rows = []
    for name, sets in designs.items():
        row: dict[str, Any] = {"design": name, "recall": _mean(s.recall for s in sets.values())}
        for measure, label in (("Recall", "recall"), ("HitWhole", "whole"), ("Precision", "prec.")):
            for budget in BUDGETS:
                row[f"{label} {budget:,}"] = _mean(
                    s.values[f"{measure}@{budget}t"] for s in sets.values()
                )
        row["inflation"] = float(np.mean([s.cost["inflation"] for s in sets.values()]))
        row["chunks"] = sum(s.cost["chunks"] for s in sets.values())
        row["embedded"] = sum(s.cost["embedding_calls"] for s in sets.values())
        rows.append(row | _difference(sets, designs.get(baseline), clusters))
    return sorted(rows, key=lambda row: -row["recall"]) if best_first else rows


def set_rows(designs: ByDesign, order: Rows) -> Rows:
    """A row a design: its recall over the budgets in each set, in percent."""
    return [
        {"design": row["design"]}
        | {name: _mean([one.recall]) for name, one in designs[row["design"]].items()}
        for row in order
    ]


def _difference(
    sets: Mapping[str, Graded],
    baseline: Mapping[str, Graded] | None,
    clusters: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    if baseline is None or any(sets[name] is baseline.get(name) for name in sets):
        return {"difference": None, "low": None, "high": None}
    differences = {name: one.recall - baseline[name].recall for name, one in sets.items()}
    low, high = macro_interval(differences, clusters)
    return {"difference": _mean(differences.values()), "low": 100 * low, "high": 100 * high}


def _mean(columns: Any) -> float:
    """100 times the mean of the columns' means."""
    return 100 * float(np.mean([np.nanmean(column) for column in columns]))


def cells(rows: Rows) -> list[dict[str, str]]:
    """The rows as they are shown: one decimal, two for ratios, an interval in one cell."""
    return [{key: _cell(key, row) for key in row if key not in {"low", "high"}} for row in rows]


def _cell(key: str, row: Mapping[str, Any]) -> str:
    value = row[key]
    if value is None:
        return "–"
    if key == "difference":
        return f"{value:+.1f} ({row['low']:+.1f} to {row['high']:+.1f})"
    if isinstance(value, float):
        return f"{value:.2f}" if key == "inflation" else f"{value:.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def as_markdown(title: str, note: str, rows: Rows) -> str:
    """A heading, the table and its note."""
    shown = cells(rows)
    heads = list(shown[0])
    lines = [f"## {title}", "", f"| {' | '.join(heads)} |"]
    lines.append(f"|{'|'.join(['---', *['---:'] * (len(heads) - 1)])}|")
    lines += [f"| {' | '.join(row.get(head, '–') for head in heads)} |" for row in shown]
    return "\n".join([*lines, "", note, ""])


def show(title: str, note: str, rows: Rows) -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table

    shown = cells(rows)
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for i, head in enumerate(shown[0]):
        table.add_column(head, justify="right" if i else "left", no_wrap=True)
    for row in shown:
        table.add_row(*(row.get(head, "–") for head in shown[0]))
    console = Console(width=230)
    console.print(table)
    console.print(note, highlight=False)
