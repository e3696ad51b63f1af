"""A recommendation in words: what to take, what it scores and costs, what is not known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from seamline.bench.empty import Empty
from seamline.bench.recommend import Option, Recommendation
from seamline.compare import Choice
from seamline.compare.choose import FEWEST_ASKED
from seamline.phrases import counted, listed, rounded_share
from seamline.report.expenses import in_bytes
from seamline.report.model import PLACES, number

__all__ = [
    "axis_name",
    "axis_text",
    "axis_value",
    "noun",
    "price_text",
    "sentences",
    "title",
]

_NAMED = 2  # of those that cannot be told apart from the best
_MOST_ASKED = 100_000  # questions, more than anybody asks


def title(found: Recommendation) -> str:
    """What to take and why, or why nothing can be taken; no full stop."""
    if isinstance(found.outcome, Empty):
        nothing = found.outcome.kind in ("unmeasured", "zero")
        start = "Nothing to recommend" if nothing else "The comparison is empty"
        return f"{start}: {found.outcome.why}"
    return _Words.of(found, found.outcome).title()


def sentences(found: Recommendation) -> tuple[str, ...]:
    """What follows the title: the score, the cost and the doubts; or what to do instead."""
    if isinstance(found.outcome, Empty):
        return (found.outcome.todo,)
    words = _Words.of(found, found.outcome)
    doubts = [f"{words.doubts()}."] if len(found.options) > 1 else []
    return (f"{words.score()}.", f"{words.cost()}.", *doubts)


def noun(found: Recommendation, n: int = 1) -> str:
    """What is compared: strategies, or configurations where rankings differ too."""
    strategies = all(one.spec == one.configuration.strategy for one in found.options)
    one, many = ("strategy", "strategies") if strategies else ("configuration", "configurations")
    return one if n == 1 else many


@dataclass(frozen=True, slots=True)
class _Words:
    """What can be said of a choice."""

    found: Recommendation
    choice: Choice
    chosen: Option
    best: Option

    @classmethod
    def of(cls, found: Recommendation, choice: Choice) -> _Words:
        named = {one.spec: one for one in found.options}
        return cls(found, choice, named[choice.chosen], named[choice.best])

    def title(self) -> str:
        n, spec = len(self.found.options), self.chosen.spec
        if n == 1:
            return f"{spec} is the only {noun(self.found)} measured"
        if self.choice.n < FEWEST_ASKED:
            few = counted(self.choice.n, "question")
            return f"Too few to tell: {few} of at least {FEWEST_ASKED}; for now take {spec}"
        if 2 * self.found.n_synthetic > self.choice.n:
            drafts = f"{self.found.n_synthetic:,} of {counted(self.choice.n, 'question')}"
            return f"Nobody asked {drafts}: ask people before you decide; for now take {spec}"
        if all(one.verdict == "EQUIVALENT" for one in self.choice.comparisons):
            which = "both" if n == 2 else f"all {n}"
            verb = "lie" if self.found.margin else "are equal"
            which = f"{which} {noun(self.found, n)} {verb}{self._margin()}"
            return f"These are the same: {which}; {self._cheapest()}"
        return f"Take {spec}: {self._reason()}"

    def _cheapest(self) -> str:
        keys = sorted(map(self._paid, self.found.options))
        if keys[0] == keys[-1]:
            return f"none is cheaper, so take any, like {self.chosen.spec}"
        return f"take the {'cheaper' if len(keys) == 2 else 'cheapest'}, {self.chosen.spec}"

    def _paid(self, option: Option) -> tuple[float, ...]:
        return option.price.paid(self.found.prefer)

    def _margin(self) -> str:
        """The margin as words that follow; empty where there is none."""
        return f" within {self.found.margin:.4g}" if self.found.margin else ""

    def _reason(self) -> str:
        primary, margin = self.found.primary, self._margin()
        against = self.found.comparison
        if against is not None and against.verdict == "EQUIVALENT":
            return f"it is the same as the best{margin}, and costs less"
        if against is not None and not self.found.margin:
            return f"it scores as well as the best {primary}, and costs less"
        if against is not None:
            return f"it scores{margin} of the best {primary}, and costs less"
        if len(self.choice.alike) == 1:
            return f"it has the best {primary}, by more than chance explains"
        if min(map(self._paid, self.found.options)) == self._paid(self.chosen):
            return f"it has the best {primary}, and nothing is cheaper"
        comes = f"comes{margin}" if self.found.margin else "scores as well"
        return f"it has the best {primary}, and nothing cheaper {comes}"

    def score(self) -> str:
        """What to expect of it, and by how much its own mean flatters."""
        own, fitted, primary = self.chosen.summary, self.choice.cross_fitted, self.found.primary
        if len(self.found.options) == 1 or fitted.mean is None:
            text = f"Its {primary} is {number(own.mean)}{_between(own.low, own.high)}"
            few = "; too few questions tell by how much having been chosen flatters it"
            return text if len(self.found.options) == 1 else f"{text}{few}"
        halves = "documents" if (fitted.method or "").startswith("cluster") else "questions"
        flatters = number(self._flattery(own.mean, fitted.mean))
        end = f"flatters by {flatters}" if float(flatters) > 0 else "does not flatter it"
        return (
            f"Expect a {primary} of {number(fitted.mean)}{_between(fitted.low, fitted.high)}: what "
            f"is chosen on half of the {halves} scores that on the other half; its mean over all, "
            f"{number(own.mean)}, {end}"
        )

    def _flattery(self, own: float | None, expected: float) -> float:
        """By how much better the first looks, as both are written: a reader may subtract them."""
        better = round(own or 0.0, PLACES) - round(expected, PLACES)
        return -better if self.found.lower_is_better else better

    def cost(self) -> str:
        """What it costs, and what the best would, or the cheapest."""
        text = f"It costs {price_text(self.chosen)}"
        what, other = "the best", self.best
        if self.chosen is self.best:
            what, other = "the cheapest", min(self.found.options, key=self._paid)
        if self._paid(other) == self._paid(self.chosen):
            return text
        mean = number(other.summary.mean)
        return f"{text}; {what}, {other.spec}, costs {price_text(other)} and has {mean}"

    def doubts(self) -> str:
        """How often it is best, who is ruled out, and what would tell the rest apart."""
        ends = [self._needed(), self._dropped()]
        return "; ".join([self._best_in(), self._against_best(), *filter(None, ends)])

    def _against_best(self) -> str:
        """Whether the choice can be told from the best, and which of the rest can."""
        choice = self.choice
        own = 0 if self.chosen is self.best else 1
        undecided = [spec for spec in choice.undecided if spec != self.chosen.spec]
        open_, same = "undecided", f"the same{self._margin()}"
        n = len(self.found.options) - 1 - own
        kinds = [
            (len(choice.ruled_out), "ruled out as worse"),
            (n - len(choice.ruled_out) - len(undecided), same),
            (len(undecided), open_ + (f" ({listed(undecided, _NAMED)})" if n > 1 else "")),
        ]
        if not own:
            return _split(kinds, n)
        is_open = self.chosen.spec in choice.undecided
        text = f"against the best the choice is {open_ if is_open else same}"
        return f"{text}, and {_split(kinds, n)}" if n else text

    def _best_in(self) -> str:
        """How often the best and the chosen one are best when documents are drawn again."""
        redraws = f"of redraws of the {self.choice.comparisons[0].unit}s"
        if self.chosen is self.best:
            return f"It comes first in {self._share(self.best)} {redraws}"
        share = f"{self._share(self.best)} {redraws}"
        return f"The best comes first in {share}, the choice in {self._share(self.chosen)}"

    def _share(self, option: Option) -> str:
        share = rounded_share(self.choice.p_best[option.spec], over="over ", under="under ")
        return share.replace("%", " %")

    def _needed(self) -> str:
        """How many questions would tell the choice from the best, or else the next from it."""
        undecided = self.choice.undecided
        own = [spec for spec in undecided if spec == self.chosen.spec]
        for spec in own or undecided:
            one = self.found.against_best(spec)
            if one is not None and one.n_needed is not None and one.n_needed > self.choice.n:
                pair = "the choice from the best" if own else f"{spec} from it"
                more = _about(one.n_needed - self.choice.n)
                return f"{more} more questions like these would tell {pair}"
        return ""

    def _dropped(self) -> str:
        n = len(self.found.dropped)
        if not n:
            return ""
        return f"{counted(n, 'configuration')} more {_are(n)} dropped before all questions"


def _split(kinds: Sequence[tuple[int, str]], n: int) -> str:
    """How many of the `n` others are what."""
    kinds = [(count, what) for count, what in kinds if count]
    if len(kinds) == 1:
        others = "the other is" if n == 1 else f"all {n} others are"
        return f"{others} {kinds[0][1]}"
    return f"of the {n} others {listed([f'{count} {_are(count)} {what}' for count, what in kinds])}"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _about(n: int) -> str:
    """A number of questions in two digits, rounded up."""
    if n > _MOST_ASKED:
        return f"over {_MOST_ASKED:,}"
    step = 10 ** max(len(str(n)) - 2, 0)
    return f"about {math.ceil(n / step) * step:,}"


def _between(low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return ""
    return f" (95 % interval {number(low)} to {number(high)})"


def price_text(option: Option) -> str:
    """What an option costs a question, and what its index costs."""
    price, cost = option.price, option.summary.cost
    parts = []
    if price.seconds is not None:
        parts.append(f"{_milliseconds(price.seconds)} to rank a question")
    if price.shown is not None:
        parts.append(f"{price.shown:,.0f} tokens a question")
    share = price.embedding_tokens / max(cost["source_tokens"], 1)
    embeds = f"{share:.2f} × the source to embed" if price.embedding_tokens else "nothing to embed"
    size = f"{in_bytes(price.index_bytes)} of index ({counted(price.chunks, 'chunk')}, {embeds})"
    return listed([*parts, size])


def _milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.3g} ms"


def axis_name(found: Recommendation) -> str:
    """What the cost in charts and tables is."""
    return {
        "shown": "tokens shown to the reader a question",
        "index_bytes": "size of the index: vectors and text",
        "seconds": "time to rank a question, in this run",
    }[found.axis]


def axis_value(found: Recommendation, value: float) -> str:
    """A cost with its unit."""
    if found.axis == "shown":
        return f"{value:,.0f}"
    return in_bytes(value) if found.axis == "index_bytes" else _milliseconds(value)


def axis_text(found: Recommendation, option: Option) -> str:
    """The cost of an option with its unit, a dash where it is not known."""
    value = found.cost(option)
    return "–" if value is None else axis_value(found, value)
