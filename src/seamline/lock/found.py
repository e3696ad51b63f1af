"""What a check knows so far, and what that comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from seamline.compare import Comparison, compare_to
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
)
from seamline.lock.compared import Aside, changed_knobs, set_aside
from seamline.lock.digest import Cuts
from seamline.lock.floors import held_floors, mean_size
from seamline.lock.gold import Fault
from seamline.lock.lock import LOCK_ANEW, Lock
from seamline.lock.measured import Measured
from seamline.lock.moved import moves_of
from seamline.lock.versions import changed_versions, versions
from seamline.lock.words import (
    compared_text,
    fell_text,
    floor_text,
    moved_floors,
    moved_text,
    notes_of,
)
from seamline.measure import mean_of
from seamline.measure.floors import CHUNK_SIZE, Floors
from seamline.phrases import counted, listed

__all__ = ["Found"]

_ANEW = f"lock anew: `{LOCK_ANEW}`"


@dataclass(slots=True)
class Found:
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

    def broken_gold(self, faults: tuple[Fault, ...]) -> Checked:
        """The result where gold does not fit."""
        lines = [f"line {fault.line}" for fault in faults if fault.line]
        where = f": {listed(lines)}" if lines else ""
        self.add("gold", "fail", f"{counted(len(faults), 'error')}{where}")
        self.more["faults"] = faults
        return self.done(
            BROKEN_GOLD,
            "BROKEN GOLD",
            "the golden set no longer fits its documents: "
            f"{counted(len(faults), 'error')} in {self.golden}",
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
        beyond = rise > lock.config["margin"]
        fell = one.verdict == "WORSE" and beyond
        outcome: Outcome = "fail" if fell else "open" if beyond else "pass"
        says = compared_text(lock, one, was=was, now=now, aside=self.aside)
        self.add(lock.primary, outcome, says)
        held = held_floors(floors, lock, self.aside, values, cuts)
        for floor in held:
            self.add(floor_part(floor.name), "pass" if floor.ok else "fail", floor_text(floor))
        self.more |= {
            "comparison": one,
            "held": tuple(held),
            "notes": tuple(notes_of(lock, self.aside, one)),
            "means": {name: mean_of([*own.values()]).mean for name, own in values.items()}
            | {CHUNK_SIZE: mean_size(cuts.values())},
        }
        broken = [fell_text(lock, one)] if fell else []
        broken += [
            f"{floor.name} is {floor_text(floor)}".replace(", must", " and must")
            for floor in held
            if not floor.ok
        ]
        return self.verdict(broken, says, fell=fell)

    def verdict(self, broken: Sequence[str], says: str, *, fell: bool) -> Checked:
        """The result where everything was looked at."""
        changes = ", ".join(self.more["changes"])
        if broken:
            because = f" after the configuration changed ({changes})" if changes else ""
            title = f"{broken[0]}{because}"
            return self.done(REGRESSION, "REGRESSION", title, self._undone(fell=fell))
        if changes:
            seen = any(part.outcome == "open" for part in self.parts)
            shown = "no regression can be shown" if seen else "no regression is shown"
            return self.done(
                NOT_COMPARABLE,
                "CONFIGURATION CHANGED",
                f"{changes}: {shown}, but the lock is for {self.lock.configuration}",
                f"undo the change, or, if it is meant, {_ANEW}",
            )
        return self.done(PASS, "PASS", f"{self.lock.primary} {says}")

    def _undone(self, *, fell: bool) -> str:
        """What to do where the primary measure `fell`, or a floor is not held.

        A floor that is a number is one whatever was locked: locking anew does not help there.
        """
        broken = [one for one in self.more["held"] if not one.ok]
        numbers = [one for one in broken if one.locked is None]
        if fell or len(numbers) < len(broken):
            todo = f"undo what caused it, or, if the loss is accepted, {_ANEW}"
            return f"{todo}; then {moved_floors(numbers)}" if numbers else todo
        first = "undo the change" if self.more["changes"] else "take another strategy"
        return f"{first}, or {moved_floors(numbers)}"


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
