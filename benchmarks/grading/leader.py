"""The best design beside the best of each set and budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grading.intervals import Values, macro_interval
from grading.run import BUDGETS
from grading.tables import ByDesign, Rows

__all__ = ["leader_of", "leader_rows"]

Clusters = Mapping[str, Sequence[str]]


def leader_of(designs: ByDesign) -> str:
    """The design with the highest recall over sets and budgets, oracles aside."""
    means = {
        name: float(np.mean([one.recall.mean() for one in sets.values()]))
        for name, sets in designs.items()
        if not name.endswith("/oracle")
    }
    return max(means, key=lambda name: means[name])


def leader_rows(designs: ByDesign, clusters: Clusters) -> tuple[Rows, int]:
    """A row a set, a column a budget: the leader's recall, and who is above it by how much.

    The second value is in how many cells somebody is above it by more than chance.
    """
    leader, rows, behind = leader_of(designs), [], 0
    for name in designs[leader]:
        row = {"set": name}
        for budget in BUDGETS:
            columns = {
                design: sets[name].values[f"Recall@{budget}t"]
                for design, sets in designs.items()
                if not design.endswith("/oracle")
            }
            row[f"{budget:,}"], surely = _cell(columns, leader, name, clusters)
            behind += surely
        rows.append(row)
    return rows, behind


def _cell(
    columns: Mapping[str, Values], leader: str, name: str, clusters: Clusters
) -> tuple[str, bool]:
    """What is shown of one set and budget, and whether somebody is surely above the leader."""
    own = columns[leader]
    above = []
    for design, values in columns.items():
        difference = values - own
        if difference.mean() > 0:
            low, high = macro_interval({name: difference}, {name: clusters[name]})
            above.append((low > 0, float(difference.mean()), low, high, design))
    shown = f"{100 * own.mean():.1f}"
    if not above:
        return f"{shown}, best", False
    surely, mean, *interval, design = max(above)
    low, high = (100 * edge for edge in interval)
    return f"{shown}; {design} {100 * mean:+.1f} ({low:+.1f} to {high:+.1f})", surely
