"""Under a budget: first a part of the documents, then all of them for those that can win."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from seamline.bench.allowance import Allowance, Budget
from seamline.bench.chunked import Progress, Row
from seamline.bench.configuration import Configuration
from seamline.bench.measurer import Measured, Measurer, in_order
from seamline.bench.rung import Rung
from seamline.config import BenchConfig
from seamline.errors import BudgetSpent

__all__ = ["LEVEL", "Race"]

LEVEL = 0.05
"""How likely it is, at most, that the configuration to take is dropped, over all parts."""

_UNTRIED = {"n": 0, "mean": None, "difference": None}


@dataclass(slots=True, eq=False)
class Race:
    """One sweep under a budget: `dropped` and `notes` say what it did not measure, and why.

    `whole` measures on all documents, `part` makes what measures on those of some ids.
    """

    whole: Measurer
    part: Callable[[frozenset[str]], Measurer]
    parts: Sequence[frozenset[str]]
    budget: Budget
    allowance: Allowance
    config: BenchConfig
    progress: Progress
    dropped: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _seen: dict[Configuration, Row] = field(default_factory=dict)
    _refused: BudgetSpent | None = None

    def run(self, chosen: Sequence[Configuration]) -> dict[Configuration, Measured]:
        """What was measured on all documents.

        Each part may take half of what is left. Where all the rest fits the budget, by
        what the part took, nothing is dropped any more.

        Raises:
            BudgetSpent: not even one configuration is possible.
        """
        candidates, rung = list(chosen), None
        for ids in self.parts:
            with self.allowance.half():
                rung = self._rung(ids, _ordered(candidates, rung))
            if self._fits(candidates, rung):
                break
            candidates = self._drop(candidates, rung)
        found = self._full(_ordered(candidates, rung), rung)
        self._tell_unmeasured([one for one in candidates if one not in found])
        return found

    def _rung(self, ids: frozenset[str], order: Sequence[Configuration]) -> Rung:
        """What the budget allows of the configurations on a part of the documents."""
        left = self.allowance.calls
        measurer, found = self.part(ids), {}
        for i, one in enumerate(order):
            self.progress("race", str(one), i, len(order))
            if got := self._measure(measurer, one, late=not self.allowance.seconds):
                found[one] = got
        embedded = 0 if self.budget.embed_calls is None else int(left - self.allowance.calls)
        rung = Rung(measurer, found, embedded, self.config)
        self._seen |= rung.standings()
        return rung

    def _full(
        self, order: Sequence[Configuration], rung: Rung | None
    ) -> dict[Configuration, Measured]:
        """What the budget allows on all documents; one of them whatever the clock says."""
        found: dict[Configuration, Measured] = {}
        cut: set[str] = set()
        for i, one in enumerate(order):
            self.progress("configurations", str(one), i, len(order))
            late = bool(found) and self._needs(one, cut, rung) >= self.allowance.seconds
            if got := self._measure(self.whole, one, late=late):
                found[one] = got
                cut.add(one.strategy)
        if self._refused and not found:
            raise self._refused
        return found

    def _needs(self, one: Configuration, cut: Collection[str], rung: Rung | None) -> float:
        """The seconds that a configuration will take on all documents; 0 where it is not known.

        `cut` are the strategies that have cut them already.
        """
        if rung is None or one not in rung.found:
            return 0.0
        return rung.seconds(one, self.whole.corpus, cut=one.strategy in cut)

    def _measure(self, measurer: Measurer, one: Configuration, *, late: bool) -> Measured | None:
        """A configuration's row, kept or measured now; None where the budget does not allow it."""
        taken = measurer.take(one)
        if taken or late:
            return taken
        try:
            return measurer.measure(one)
        except BudgetSpent as error:
            self._refused = error
            return None

    def _fits(self, candidates: Sequence[Configuration], rung: Rung) -> bool:
        """Whether all candidates can be measured on all documents, by what the part took."""
        if any(one not in rung.found for one in candidates):
            return False
        cut, seconds = set[str](), 0.0
        for one in candidates:
            seconds += self._needs(one, cut, rung)
            cut.add(one.strategy)
        calls = rung.n_embedded * (rung.times(self.whole.corpus) - 1)
        return seconds <= self.allowance.seconds and calls <= self.allowance.calls

    def _drop(self, candidates: list[Configuration], rung: Rung) -> list[Configuration]:
        """The candidates that can still be close to the best."""
        if len(rung.found) < 2:
            return candidates
        asked = f"{rung.n_documents:,} document{'' if rung.n_documents == 1 else 's'}"
        close = f"within {self.config.margin:g} of the best" if self.config.margin else "the best"
        level, p = LEVEL / len(self.parts), rung.p_if_close()
        beaten = [one for one in candidates if p.get(one, 1.0) <= level]
        for one in beaten:
            why = f"not {close} on {asked}: one that is would do so badly with p = {p[one]:.2g}"
            self.dropped.append({"spec": str(one), **self._seen[one], "why": why})
        if beaten:
            n, of = len(beaten), len(candidates)
            self.notes.append(
                f"a race on {asked} dropped {n:,} of {of:,} configurations: the cheapest that is "
                f"{close} of all is among them with a probability of at most {level:.1%}, if "
                "these documents are like the rest"
            )
        gone = set(beaten)
        return [one for one in candidates if one not in gone]

    def _tell_unmeasured(self, left: Sequence[Configuration]) -> None:
        for one in left:
            tried = "measured on all documents" if one in self._seen else "tried"
            why = f"the budget ended before it was {tried}"
            self.dropped.append({"spec": str(one), **self._seen.get(one, _UNTRIED), "why": why})
        if left:
            n = f"{len(left):,} configuration{'' if len(left) == 1 else 's'}"
            be = "was" if len(left) == 1 else "were"
            on = "the clock" if self.budget.embed_calls is None else "what the cache held"
            self.notes.append(
                f"the budget of {self.budget} ended before {n} {be} measured on all documents: "
                f"which they are depends on {on}"
            )


def _ordered(candidates: Sequence[Configuration], rung: Rung | None) -> list[Configuration]:
    """Best first, then those not tried; all of one strategy together, at its best one's place."""
    ranked, wanted = rung.order() if rung else [], set(candidates)
    return in_order([one for one in dict.fromkeys([*ranked, *candidates]) if one in wanted])
