"""When a comparison says nothing, whatever its numbers are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from seamline.bench.configuration import configuration_of
from seamline.bench.schema import ResultsData, StrategyRow
from seamline.measure import ChunkMeasure, parse_measure

__all__ = ["Empty", "why_empty"]

Kind = Literal["unmeasured", "zero", "budget", "cuts", "perfect"]

_OF_RANKS = ("MRR", "nDCG", "PrecisionChunks", "Similarity")
"""Measures that differ although everything is shown: they look at the order."""


@dataclass(frozen=True, slots=True)
class Empty:
    """Why nothing can be told apart (`why`, a clause), and `todo` about it (a sentence)."""

    kind: Kind
    why: str
    todo: str


def why_empty(data: ResultsData) -> Empty | None:
    """Why the comparison says nothing; None where it may say something.

    It is empty where no question has a value, where nothing scores above 0, where the
    token budget holds all that is searched, where all configurations cut alike and
    score alike on every question, as they do when documents are shorter than a chunk,
    and where every configuration has every question right. With one configuration
    only the first two are asked: there is no comparison.
    """
    config, rows = data["config"], data["strategies"]
    table = _table(rows, config["primary"])
    known = ~np.isnan(table).all(axis=0)
    if not known.any() or np.isnan(table[:, known]).any(axis=1).all():
        return Empty(
            "unmeasured",
            f"no question has a value of {config['primary']}",
            "Name another measure first in the config.",
        )
    lower = config["lower_is_better"]
    if not lower and not np.nanmax(table) > 0:
        return Empty(
            "zero",
            f"nothing scores above 0 in {config['primary']}",
            "See in the report why questions fail, and whether their gold is right.",
        )
    return None if len(rows) < 2 else _held(data) or _alike(data, table) or _perfect(data, table)


def _table(rows: Sequence[StrategyRow], primary: str) -> NDArray[np.float64]:
    """float64[questions, rows]: NaN where a question has no value."""
    columns = [row["measures"][primary]["values"] for row in rows]
    return np.array(columns, dtype=np.float64).T.reshape(-1, len(rows))


def _held(data: ResultsData) -> Empty | None:
    config = data["config"]
    primary = parse_measure(config["primary"])
    if isinstance(primary, ChunkMeasure) or primary.name in _OF_RANKS:
        return None
    budget = primary.cutoff.at
    tokens = {document["id"]: document["tokens"] for document in data["documents"]}
    if config["scope"] == "document":
        most = max(tokens[question["doc_id"]] for question in data["questions"])
        held = f"every document (at most {most:,})"
    else:
        most = sum(tokens.values())
        held = f"all that is searched ({most:,})"
    if not primary.cutoff.in_tokens or most > budget:
        return None
    why = f"the budget of {budget:,} tokens holds {held}, so {_all(data)} can show everything"
    return Empty("budget", why, "Set a smaller --budget, or search more documents.")


def _alike(data: ResultsData, table: NDArray[np.float64]) -> Empty | None:
    rows, config = data["strategies"], data["config"]
    first, *rest = rows
    if any(
        _cuts(row) != _cuts(first) or _shown(row, config) != _shown(first, config) for row in rest
    ):
        return None
    if not _same(table):
        return None
    short = all(len(spans) <= 1 for spans in first["chunks"].values())
    why = (
        f"every document is shorter than a chunk, so that {_all(data)} cut alike"
        if short
        else f"{_all(data)} cut your documents alike and score alike on every question"
    )
    return Empty("cuts", why, "Measure smaller sizes, or longer documents.")


def _perfect(data: ResultsData, table: NDArray[np.float64]) -> Empty | None:
    config = data["config"]
    measure = parse_measure(config["primary"])
    ideal = 0.0 if config["lower_is_better"] else 1.0
    if measure.range != "0 to 1" or not np.all((table == ideal) | np.isnan(table)):
        return None
    why = f"{_all(data)} have the best possible {config['primary']}, {ideal:g}, on every question"
    return Empty("perfect", why, "Ask harder questions, or set a smaller budget or k.")


def _all(data: ResultsData) -> str:
    n = len(data["strategies"])
    return "both" if n == 2 else f"all {n}"


def _cuts(row: StrategyRow) -> tuple[Any, Any]:
    return row["chunks"], row.get("parents")


def _shown(row: StrategyRow, config: Mapping[str, Any]) -> tuple[str, bool, bool]:
    own = configuration_of(row, config)
    return own.retriever, own.dedupe, own.merge


def _same(table: NDArray[np.float64]) -> bool:
    first = table[:, :1]
    return bool(((table == first) | (np.isnan(table) & np.isnan(first))).all())
