"""How far explanations in rounds are from those with an index a question, and what they take.

    python benchmarks/explain.py examples/runbooks ../shared/data/techdocs ../shared/data/cuad

Prints for each set and configuration the failed questions, how many labels differ from those
of an index for each question alone, the ceilings of both, and CPU seconds.
"""

from __future__ import annotations

import argparse
import time
from math import inf
from pathlib import Path

from seamline.api import load_set
from seamline.bench import rounds
from seamline.bench.chunked import Chunked
from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.diagnose import diagnose
from seamline.bench.plan import make_plan
from seamline.bench.schema import DiagnosisRow
from seamline.bench.score import Values
from seamline.bench.trial import Ranking, Trials
from seamline.config import BenchConfig
from seamline.retrieve import parse_retriever

CONFIGURATIONS = (
    ("recursive(size=256, overlap=0)", "hybrid"),
    ("adaptive(target=64)", "hybrid"),
    ("recursive(size=512, overlap=64)", "bm25"),
    ("recursive(size=128, overlap=0)", "hybrid(alpha=0.6, positional=160, kernel=512)"),
    ("whole", "hybrid"),
)
USUAL = rounds._SHARE, rounds._ROUNDS  # noqa: SLF001 - what is compared
ALONE = 0.0, inf


def explained(
    trials: Trials,
    chunked: Chunked,
    ranking: Ranking,
    values: dict[str, Values],
    limits: tuple[float, float],
) -> tuple[DiagnosisRow, float]:
    """The explanation, and the CPU seconds it took, with these limits of a round."""
    rounds._SHARE, rounds._ROUNDS = limits  # type: ignore[assignment]  # noqa: SLF001
    begun = time.process_time()
    found = diagnose(trials, chunked, ranking, values)
    return found, time.process_time() - begun


def compare(folder: Path) -> None:
    """Print a line a configuration."""
    documents, questions = load_set(folder)
    config = BenchConfig(strategies=tuple(strategy for strategy, _ in CONFIGURATIONS))
    plan = make_plan(config, None, None)
    corpus = Corpus.of(documents, questions, plan.sizer)
    asked = [question.text for question in corpus.questions]
    queries = plan.embedder.embed_queries(asked)
    trials = Trials(plan, corpus, asked, queries, Clock(), lambda *_: None)
    for strategy, (name, spec) in zip(plan.strategies, CONFIGURATIONS, strict=True):
        chunked = trials.chunk(strategy)
        ranking = Ranking(name, parse_retriever(spec), dedupe=False, merge=False)
        _, values = trials.rank(chunked, ranking)
        alone, slow = explained(trials, chunked, ranking, values, ALONE)
        found, fast = explained(trials, chunked, ranking, values, USUAL)
        differ = sum(alone["labels"][key] != label for key, label in found["labels"].items())
        ceilings = (one["oracle"][config.primary] for one in (found, alone))
        print(
            f"{folder.name:10} {name:32} {spec:10.10} failed {len(found['labels']):3} "
            f"labels differ {differ:2}  ceilings {' '.join(f'{one:.3f}' for one in ceilings)}  "
            f"{fast:.2f} s, alone {slow:.2f} s",
            flush=True,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    for one in parser.parse_args().folders:
        compare(one)
