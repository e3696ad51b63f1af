"""Every question that failed under one configuration, why, and what would have helped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from seamline.bench.ceiling import Explained, with_ceilings
from seamline.bench.chunked import Chunked
from seamline.bench.copies import Copies
from seamline.bench.corpus import Corpus
from seamline.bench.failures import CUT, LABELS, LOST, Failure, Judge, fits_of
from seamline.bench.rounds import InPlace, rank_in_place
from seamline.bench.schema import DiagnosisRow, FailureRow
from seamline.bench.score import Values
from seamline.bench.trial import Ranking, Trials
from seamline.bench.viewer import Viewer
from seamline.measure import Gold
from seamline.retrieve import Ranks, Retriever, parse_retriever
from seamline.retrieve.assemble import sufficient_depth
from seamline.retrieve.dense import Dense
from seamline.retrieve.hybrid import Hybrid
from seamline.spans import SpanArray
from seamline.types import IntArray, Span

__all__ = ["diagnose", "explain"]

# How far down a ranking gold is looked for: this many chunks, or so many times what fills
# every cutoff.
_DEEP, _TIMES = 1_000, 4
_CELLS = 1 << 22
_WHOLE = ("table_row", "steps", "qa_pair", "fence")


class _Labelled(TypedDict):
    labels: dict[str, str]
    counts: dict[str, int]
    details: dict[str, FailureRow]


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """One configuration that is looked into."""

    trials: Trials
    chunked: Chunked
    ranking: Ranking
    viewer: Viewer
    depth: int

    @property
    def golds(self) -> Sequence[Gold]:
        return self.trials.corpus.golds

    def names(self, numbers: Iterable[int]) -> list[str]:
        """The ids of questions."""
        return [self.trials.corpus.questions[number].id for number in numbers]

    def rankings(
        self, retriever: Retriever, asked: Sequence[int]
    ) -> Iterator[tuple[int, IntArray]]:
        """The number and the ranking of each question in `asked`."""
        index = self.trials.index_of(self.chunked, retriever)
        step = max(1, _CELLS // self.depth)
        for at in range(0, len(asked), step):
            rows = np.array(asked[at : at + step])
            ranks = self.trials.ranks(index, rows, depth=self.depth)
            yield from zip(rows.tolist(), ranks.ids, strict=True)


def diagnose(
    trials: Trials, chunked: Chunked, ranking: Ranking, values: Mapping[str, Values]
) -> DiagnosisRow:
    """What `explain` finds, as the row of a configuration to which no other is compared."""
    found = explain(trials, chunked, ranking, values)
    alone = {ranking.name: values}
    (row,) = with_ceilings([found], alone, dict.fromkeys(alone), trials.plan.ranked)
    return row


def explain(
    trials: Trials, chunked: Chunked, ranking: Ranking, values: Mapping[str, Values]
) -> Explained:
    """Why each question failed under a configuration; docs/results.md says what the keys are.

    `values` are those that `trials.rank` gave. A question failed where its whole gold is
    not shown within the cutoff of the primary measure (`k` pieces where that has none):
    a slot of it of which no span is whole in what the reader is shown. Each gets the
    first label that fits:

    - *lost in parsing*: the golden set says that the text of the document lacks the gold
    - *cut*: no chunk holds a needed slot whole, though it would fit in one of the size
    - *crowded out*: it is shown once near-duplicates of other pieces, and text that was
      shown before, are taken out of the ranking
    - *diluted*: its chunk is not ranked in; the gold span in its place is
    - *missed*: not even the gold span alone is ranked in
    - *truncated*: ranked in, but the budget ends before the end of the gold

    Ranked in: it begins within the budget, or is among the first k pieces. `exact` of what
    is returned has each measure if the questions that failed have their gold in place of
    the chunks that show some of it, wherever that shows more; `with_ceilings` finishes the
    row once all that rank alike are measured. Cost: that of ranking, and of up to some
    16 times indexing; gold spans of questions that failed are embedded.
    """
    case = _case(trials, chunked, ranking)
    trials.progress("explain", ranking.name, 0, len(case.golds))
    with trials.clock.stage("explain", ranking.name):
        missing = {
            number: (ids, slots)
            for number, ids in case.rankings(ranking.retriever, range(len(case.golds)))
            if (slots := case.viewer.missing(ids, case.golds[number]))
        }
        in_place = rank_in_place(
            trials, chunked, ranking.retriever, list(missing), depth=case.depth
        )
        judge = Judge(
            corpus=trials.corpus,
            viewer=case.viewer,
            in_place=in_place,
            copies=Copies.of(trials.phrases(), chunked.table),
            sizer=trials.plan.sizer,
            fits=fits_of(chunked, trials.plan.sizer),
        )
        failures = {number: judge.failure(number, *one) for number, one in missing.items()}
        rankings = {number: ids for number, (ids, _) in missing.items()}
        trials.progress("explain", ranking.name, len(case.golds), len(case.golds))
        return Explained(
            row={
                "spec": ranking.name,
                "cutoff": str(case.viewer.cutoff),
                "n": len(case.golds) + len(_lost(trials.corpus)),
                **_labelled(trials.corpus, failures),
                "deduped": case.names(_whole(case.viewer.deduped(), case.golds, rankings)),
                "found_by": _found_by(case, list(missing)),
                "cut_through": _cut_through(trials.corpus, failures),
                "oracle": {},
                "found_by_cuts": {},
            },
            failed=dict(zip(missing, case.names(missing), strict=True)),
            exact=_exact(case, in_place, rankings, values),
            whole=str(trials.plan.whole),
        )


def _case(trials: Trials, chunked: Chunked, ranking: Ranking) -> _Case:
    config, table = trials.plan.config, chunked.table
    scorer = trials.scorer(ranking)
    full = sufficient_depth(
        table, k=scorer.k, budget=scorer.budgets[-1], separator_tokens=config.separator
    )
    depth = max(1, min(len(table), max(_DEEP, _TIMES * full)))
    viewer = Viewer(
        corpus=trials.corpus,
        table=table,
        cutoff=trials.plan.whole.cutoff,
        k=config.k,
        dedupe=ranking.dedupe,
        merge=ranking.merge,
        separator=config.separator,
    )
    return _Case(trials, chunked, ranking, viewer, depth)


def _whole(viewer: Viewer, golds: Sequence[Gold], rankings: Mapping[int, IntArray]) -> list[int]:
    """The questions of which the viewer shows the whole gold."""
    return [number for number, ids in rankings.items() if not viewer.missing(ids, golds[number])]


def _lost(corpus: Corpus) -> list[str]:
    """The ids of the questions whose gold no document holds."""
    return [question.id for question in corpus.skipped if question.lost]


def _labelled(corpus: Corpus, failures: Mapping[int, Failure]) -> _Labelled:
    ids = {number: corpus.questions[number].id for number in failures}
    labels = {ids[number]: one.label for number, one in failures.items()}
    labels |= dict.fromkeys(_lost(corpus), LOST)
    counts = Counter(labels.values())
    details: dict[str, FailureRow] = {
        ids[number]: {
            "slot": one.slot,
            "rank": one.rank,
            "exact_rank": one.exact_rank,
            "larger": one.larger,
            "tokens": one.tokens,
        }
        for number, one in failures.items()
    }
    return {
        "labels": labels,
        "counts": {label: counts[label] for label in LABELS},
        "details": details,
    }


def _found_by(case: _Case, asked: Sequence[int]) -> dict[str, list[str]]:
    """By retriever: the failed questions whose whole gold it shows, on the same chunks."""
    return {
        name: case.names(_whole(case.viewer, case.golds, dict(case.rankings(arm, asked))))
        for name, arm in _arms(case).items()
    }


def _arms(case: _Case) -> dict[str, Retriever]:
    """The retrievers to try besides: words for meaning, and for both each alone.

    Meaning for words only where the run embeds anyway.
    """
    retriever = case.ranking.retriever
    names: dict[str, str] = {}
    if isinstance(retriever, Hybrid):
        names = {"dense": "dense", "bm25": str(retriever.words)}
    elif isinstance(retriever, Dense):
        names = {"bm25": "bm25"}
    elif case.trials.queries is not None:
        names = {"dense": "dense"}
    return {name: parse_retriever(spec) for name, spec in names.items()}


def _cut_through(corpus: Corpus, failures: Mapping[int, Failure]) -> dict[str, int]:
    """How many of the cut questions have gold in a table row, a list of steps and so on."""
    counts = dict.fromkeys(_WHOLE, 0)
    for number, one in failures.items():
        if one.label == CUT:
            question = corpus.questions[number]
            regions = corpus.regions[int(corpus.doc_of[number])]
            for kind in _WHOLE:
                spans = getattr(regions, kind)
                counts[kind] += any(_touches(spans, span) for span in question.slots[one.slot])
    return counts


def _touches(spans: SpanArray, span: Span) -> bool:
    return bool(((spans[:, 0] < span.end) & (spans[:, 1] > span.start)).any())


def _exact(
    case: _Case,
    in_place: InPlace,
    rankings: Mapping[int, IntArray],
    values: Mapping[str, Values],
) -> dict[str, Values]:
    """Each measure of the ranking, with the gold in place where that helps."""
    placed, golds = case.viewer.on(in_place.table), case.golds
    better = [
        number
        for number, ids in rankings.items()
        if placed.recall(in_place.ids[number], golds[number])
        > case.viewer.recall(ids, golds[number])
    ]
    scorer = case.trials.scorer(case.ranking)
    scores = scorer.start(in_place.table)
    for number in better:
        scores.n_relevant[number] = len(golds[number].slots)
        ranks = Ranks(in_place.ids[number][None], in_place.scores[number][None])
        scorer.add_some(scores, np.array([number]), ranks)
    exact: dict[str, Values] = {}
    for measure in case.trials.plan.ranked:
        name = str(measure)
        exact[name] = values[name].copy()
        exact[name][better] = scores.values[name][better]
    return exact
