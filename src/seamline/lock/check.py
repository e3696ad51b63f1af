"""The check: gold, comparability, cuts, statistics and floors, in this order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seamline.bench.chunked import Progress
from seamline.config import BenchConfig
from seamline.lock.checked import Checked, part_names
from seamline.lock.compared import Aside, changed_gold, changed_settings, changed_tokens
from seamline.lock.floors import needs_locked
from seamline.lock.found import Found
from seamline.lock.gold import checked_gold
from seamline.lock.lock import Lock
from seamline.lock.make import FEWEST, settings_of
from seamline.lock.measured import Measured
from seamline.measure.floors import Floors
from seamline.parse import Skipped
from seamline.phrases import counted, listed
from seamline.types import Document

__all__ = ["check"]


def check(
    lock: Lock,
    config: BenchConfig,
    documents: Sequence[Document],
    golden: Path,
    *,
    floors: Floors | None = None,
    skipped: Sequence[Skipped] = (),
    progress: Progress | None = None,
) -> Checked:
    """Whether the configuration that `config` names is as good as it was locked.

    Looked at in this order, ending at the first failure but for the last two:

    1. gold: each span still fits its document, else code 3;
    2. comparability: measure, budget, k, scope, margin, tokenizer, model and the gold of
       unchanged documents are those of the lock, and half of its questions remain, else 2;
    3. boundaries: with the strategy of the lock, unchanged documents are cut as they
       were, else 1, before anything is ranked;
    4. the primary measure: a drop that is significant and beyond the margin gives 1;
    5. floors (`floors` in place of those in `config`): a broken one gives 1.

    Another configuration than the locked one is judged by 4 and 5 alone; where they hold
    the code is 2, since the lock is still for the other one. Changed documents are set
    aside with their questions.

    Raises:
        InvalidConfig: a name or parameter that cannot work, no strategy, or a floor that
            needs a value which the lock does not have.
        MissingInput: the golden set is not there.
        InvalidGold: no question with gold is left.
    """
    floors = config.floors if floors is None else floors
    needs_locked(floors, lock)
    found = Found(lock, part_names(lock, floors), golden)
    questions, faults = checked_gold(golden, documents, lock, skipped=skipped)
    if faults:
        return found.broken_gold(faults)
    measures = (*lock.measures, *floors.measures)
    measured = Measured.of(config, documents, questions, measures=measures, progress=progress)
    found.meet(measured, sum(one.code == "reanchored" for one in questions.notes))
    if reasons := _incomparable(lock, config, measured, found.aside):
        return found.incomparable(reasons)
    found.add("comparable", "pass", "measure, budget, tokenizer, model and gold are as locked")
    chunked = measured.cut()
    cuts = measured.cuts(chunked)
    if found.moved(measured, cuts):
        return found.boundaries()
    columns = measured.values(chunked)
    ids = [question.id for question in measured.corpus.questions]
    values = {name: dict(zip(ids, own.tolist(), strict=True)) for name, own in columns.items()}
    return found.judge(values, cuts, floors)


def _incomparable(lock: Lock, config: BenchConfig, measured: Measured, aside: Aside) -> list[str]:
    """Why scores would be another thing than those of the lock."""
    reasons = changed_settings(lock, settings_of(measured), config.primary)
    if not any(reason.startswith("tokenizer") for reason in reasons):
        reasons += changed_tokens(lock.documents, measured.corpus, aside.same)
    if gold := changed_gold(lock, measured.corpus, aside):
        reasons.append(f"gold: {listed(gold)}")
    n, of = len(aside.kept), len(lock.questions)
    if n < max(FEWEST, of / 2):
        reasons.append(
            f"documents: only {n} of {counted(of, 'locked question')} are about documents that "
            "did not change, too few to judge by"
        )
    return reasons
