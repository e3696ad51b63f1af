"""What a reader must know before believing the numbers, a sentence each."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from seamline.bench.corpus import Corpus
from seamline.config import BenchConfig
from seamline.measure import ChunkMeasure, parse_measure
from seamline.phrases import counted, listed

__all__ = ["find_notes"]

_NO_CUT = ("prefix", "retriever", "dedupe", "merge")
_NAMED = 7  # strategies named before the rest is counted


def find_notes(rows: Sequence[Mapping[str, Any]], corpus: Corpus, config: BenchConfig) -> list[str]:
    """The sentences: on a budget that holds all, strategies that cut alike, gold counted twice."""
    return [*_large_budget(corpus, config), *_same_cuts(rows), *_expanded(corpus, config)]


def _expanded(corpus: Corpus, config: BenchConfig) -> list[str]:
    if not config.identical:
        return []
    n = counted(corpus.n_expanded, "question")
    return [f"identical passages count: {n} can be answered in more than one place"]


def _large_budget(corpus: Corpus, config: BenchConfig) -> list[str]:
    budget = _ranking_budget(config)
    if budget is None:
        return []
    if config.scope == "corpus":
        total = sum(map(len, corpus.ends))
        if total > budget:
            return []
        held = f"the whole corpus ({counted(total, 'token')})"
    else:
        own = [len(corpus.ends[doc]) for doc in corpus.doc_of.tolist()]
        n_held = sum(total <= budget for total in own)
        if 2 * n_held < len(own):
            return []
        held = f"the whole document of {n_held:,} of {counted(len(own), 'question')}"
    note = (
        f"the budget of {counted(budget, 'token')} holds {held}: every strategy can show everything"
    )
    return [f"{note}; set a smaller --budget"]


def _ranking_budget(config: BenchConfig) -> int | None:
    """The tokens that the primary measure looks at; None if it counts no tokens."""
    primary = parse_measure(config.primary)
    if isinstance(primary, ChunkMeasure) or not primary.cutoff.in_tokens:
        return None
    return primary.cutoff.at


def _same_cuts(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    alike: dict[Hashable, list[str]] = {}
    for row in {_cut(row): row for row in reversed(rows)}.values():
        spans = tuple((doc_id, cuts.tobytes()) for doc_id, cuts in row["chunks"].items())
        alike.setdefault((spans, repr(row.get("parents"))), []).insert(0, row["strategy"])
    return [
        f"these {len(specs)} strategies cut your documents identically: {listed(specs, _NAMED)}"
        for specs in reversed(alike.values())
        if len(specs) > 1
    ]


def _cut(row: Mapping[str, Any]) -> str:
    """What a row's cuts depend on: neither the ranking nor what is indexed with a chunk."""
    knobs = {key: value for key, value in row["knobs"].items() if key not in _NO_CUT}
    return repr(sorted(knobs.items()))
