"""The check: gold, comparability, cuts, statistics and floors, in this order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from seamline.bench.chunked import Progress
from seamline.compare import Comparison, compare_to
from seamline.config import BenchConfig
from seamline.lock.checked import (
    BROKEN_GOLD,
    NOT_COMPARABLE,
    PASS,
    REGRESSION,
    Checked,
    Outcome,
    Part,
    all_parts,
    floor_part,
    part_names,
)
from seamline.lock.compared import (
    Aside,
    changed_gold,
    changed_knobs,
    changed_settings,
    changed_tokens,
    set_aside,
)
from seamline.lock.digest import Cuts
from seamline.lock.floors import held_floors, needs_locked
from seamline.lock.gold import BrokenGold, checked_gold
from seamline.lock.lock import Lock
from seamline.lock.make import FEWEST, settings_of
from seamline.lock.measured import Measured
from seamline.lock.moved import moves_of
from seamline.lock.versions import changed_versions, versions
from seamline.lock.words import (
    compared_text,
    counted,
    fell_text,
    floor_text,
    listed,
    moved_text,
    notes_of,
)
from seamline.measure import mean_of
from seamline.measure.floors import Floors
from seamline.parse import Skipped
from seamline.types import Document

__all__ = ["check"]

_ANEW = "lock anew: `seamline bench && seamline lock`"


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
    found = _Found(lock, part_names(lock, floors), golden)
    try:
        questions = checked_gold(golden, documents, lock, skipped=skipped)
    except BrokenGold as error:
        return found.broken_gold(error)
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


@dataclass(slots=True)
class _Found:
    """What a check knows so far."""

    lock: Lock
    names: Sequence[str]
    golden: Path
    parts: list[Part] = field(default_factory=list)
    aside: Aside = field(init=False)
    more: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, outcome: Outcome, says: str) -> None:
        """Note what came of a part."""
        self.parts.append(Part(name, outcome, says))

    def done(self, code: int, verdict: str, title: str, todo: str = "") -> Checked:
        """The result; parts that nothing was said of were skipped."""
        why = "not looked at, since an earlier part failed"
        return Checked(
            code=code,
            verdict=verdict,
            title=title,
            todo=todo,
            locked=str(self.lock.configuration),
            parts=all_parts(self.names, self.parts, why),
            **self.more,
        )

    def broken_gold(self, error: BrokenGold) -> Checked:
        """The result where gold does not fit."""
        self.add("gold", "fail", listed([fault.says for fault in error.faults]))
        self.more["faults"] = error.faults
        return self.done(
            BROKEN_GOLD,
            "BROKEN GOLD",
            "the golden set no longer fits its documents: "
            f"{counted(len(error.faults), 'error')} in {self.golden}",
            "mend it: `seamline golden validate` shows the nearest text of each span, and "
            "`seamline golden anchor` finds those that moved",
        )

    def meet(self, measured: Measured, n_moved: int) -> None:
        """The configuration of today, and what of the lock can be compared with it."""
        lock, corpus = self.lock, measured.corpus
        now, self.aside = measured.configuration, set_aside(lock, corpus)
        says = f"{counted(len(corpus.questions), 'question')}, each span in place"
        if n_moved:
            says += (
                f", {n_moved:,} of them found again in documents that changed "
                "(`seamline golden anchor --in-place` writes where)"
            )
        self.add("gold", "pass", says)
        self.more |= {
            "now": str(now),
            "aside": self.aside,
            "changes": tuple(changed_knobs(lock.configuration, now)),
            "upgrades": tuple(changed_versions(lock.versions, versions(now.strategy))),
            "notes": tuple(notes_of(lock, self.aside, None)),
        }

    def incomparable(self, reasons: Sequence[str]) -> Checked:
        """The result where scores would be another thing."""
        self.add("comparable", "fail", "; ".join(reasons))
        kinds = list(dict.fromkeys(reason.partition(":")[0] for reason in reasons))
        return self.done(
            NOT_COMPARABLE,
            "NOT COMPARABLE",
            f"changed since the lock: {', '.join(kinds)}",
            f"undo the change, or, if it is meant, {_ANEW}",
        )

    def moved(self, measured: Measured, cuts: Mapping[str, Cuts]) -> bool:
        """Whether the strategy of the lock cuts unchanged documents otherwise by now."""
        locked, texts = self.lock.documents, {one.id: one.text for one in measured.corpus.documents}
        if measured.configuration.strategy != self.lock.configuration.strategy:
            self.add("boundaries", "skip", "another strategy: the locked cuts are not its own")
            return False
        moves = moves_of(locked, cuts, {id_: texts[id_] for id_ in self.aside.same})
        self.more["moves"] = moves
        if not moves:
            n = sum(len(cuts[id_].spans) for id_ in self.aside.same)
            same = counted(len(self.aside.same), "document")
            self.add("boundaries", "pass", f"{same} cut as locked, {counted(n, 'chunk')}")
        return bool(moves)

    def boundaries(self) -> Checked:
        """The result where cuts moved."""
        says = moved_text(self.more["moves"])
        self.add("boundaries", "fail", says)
        upgrades = self.more["upgrades"]
        suspects = f"changed versions: {listed(upgrades)}" if upgrades else "no version changed"
        return self.done(
            REGRESSION,
            "BOUNDARIES MOVED",
            f"{says}, with the same strategy: the chunker is another one ({suspects})",
            f"go back to the versions in the lock, or, if the new cuts are wanted, {_ANEW}",
        )

    def judge(
        self, values: Mapping[str, Mapping[str, float]], cuts: Mapping[str, Cuts], floors: Floors
    ) -> Checked:
        """The verdict of the primary measure and the floors."""
        lock = self.lock
        one, was, now = _compared(lock, self.aside, values[lock.primary])
        if one.mean is None:
            return self.incomparable([f"measure: {lock.primary} has no value now"])
        rise = one.mean if lock.config["lower_is_better"] else -one.mean
        fell = one.verdict == "WORSE" and rise > lock.config["margin"]
        says = compared_text(lock, one, was=was, now=now)
        self.add(lock.primary, "fail" if fell else "pass", says)
        held = held_floors(floors, lock, self.aside, values, cuts)
        for floor in held:
            self.add(floor_part(floor.name), "pass" if floor.ok else "fail", floor_text(floor))
        self.more |= {
            "comparison": one,
            "held": tuple(held),
            "notes": tuple(notes_of(lock, self.aside, one)),
            "means": {name: mean_of([*own.values()]).mean for name, own in values.items()},
        }
        broken = [fell_text(lock, one)] if fell else []
        broken += [
            f"{floor.name} is {floor_text(floor)}".replace(", must", " and must")
            for floor in held
            if not floor.ok
        ]
        return self.verdict(broken, says)

    def verdict(self, broken: Sequence[str], says: str) -> Checked:
        """The result where everything was looked at."""
        changes = ", ".join(self.more["changes"])
        if broken:
            because = f" after the configuration changed ({changes})" if changes else ""
            todo = f"undo what caused it, or, if the loss is accepted, {_ANEW}"
            return self.done(REGRESSION, "REGRESSION", f"{broken[0]}{because}", todo)
        if changes:
            return self.done(
                NOT_COMPARABLE,
                "CONFIGURATION CHANGED",
                f"{changes}: no regression is shown, but the lock is for {self.lock.configuration}",
                f"undo the change, or, if it is meant, {_ANEW}",
            )
        return self.done(PASS, "PASS", f"{self.lock.primary} {says}")


def _compared(
    lock: Lock, aside: Aside, values: Mapping[str, float]
) -> tuple[Comparison, float, float]:
    """Today's primary measure minus the locked one, and both means over the same questions."""
    rows = [lock.questions[id_] for id_ in aside.kept]
    was = np.array([row.values[0] for row in rows], np.float64)
    now = np.array([values[id_] for id_ in aside.kept])
    (one,) = compare_to(
        {"locked": was, "now": now},
        [row.doc_id for row in rows],
        to="locked",
        seed=lock.config["seed"],
        margin=lock.config["margin"],
        lower_is_better=lock.config["lower_is_better"],
    )
    both = ~np.isnan(was + now)
    return one, mean_of(was[both]).mean, mean_of(now[both]).mean
