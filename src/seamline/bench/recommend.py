"""Results made into a choice: what to take, what it scores and costs, what is not known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, cast

from seamline.bench.configuration import Configuration, configuration_of
from seamline.bench.empty import Empty, why_empty
from seamline.bench.price import PREFER, Prefer, Price
from seamline.bench.results import TIMINGS_FILE, Results, SummaryRow, canonical, price_of
from seamline.bench.schema import ResultsData
from seamline.bench.sources import SYNTHETIC_TAG
from seamline.compare import Choice, Comparison, Effect, choose, effects
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig, UnknownName
from seamline.registry import suggest

__all__ = ["MARGIN", "Option", "Recommendation", "knob_effects", "margin_of", "recommend"]

MARGIN = 0.02
"""The difference that is too small to matter, where the results do not say."""

Axis = Literal["shown", "index_bytes", "seconds"]


@dataclass(frozen=True, slots=True)
class Option:
    """A configuration that was measured: its score, its price, and what is known of it.

    `p_best` is how often it is best when documents are drawn again, `ruled_out` that it
    is worse than the best, and `frontier` that nothing cheaper scores as much.
    """

    summary: SummaryRow
    configuration: Configuration
    price: Price
    p_best: float | None
    ruled_out: bool
    frontier: bool

    @property
    def spec(self) -> str:
        """Its name in the results."""
        return self.summary.spec


@dataclass(frozen=True, slots=True)
class Recommendation:
    """The cheapest configuration not worse than the best by more than the margin.

    `options` are all that were measured, the best first. `outcome` is the choice, or why
    the comparison is empty: then nothing is recommended. `axis` is the part of the price
    that comes first under `prefer`, `n_synthetic` how many questions no person asked.
    """

    primary: str
    lower_is_better: bool
    margin: float
    prefer: Prefer
    axis: Axis
    options: tuple[Option, ...]
    outcome: Choice | Empty
    dropped: tuple[Mapping[str, Any], ...]
    n_synthetic: int = 0

    @property
    def choice(self) -> Choice | None:
        """What was chosen and its doubts; None where the comparison is empty."""
        return None if isinstance(self.outcome, Empty) else self.outcome

    @property
    def empty(self) -> Empty | None:
        """Why the comparison says nothing; None where there is a choice."""
        return self.outcome if isinstance(self.outcome, Empty) else None

    @property
    def best(self) -> Option:
        """The option of the best mean, of equal ones the cheapest."""
        return self._named(self.choice.best) if self.choice else self.options[0]

    @property
    def chosen(self) -> Option | None:
        """The one to take; None where the comparison is empty."""
        return self._named(self.choice.chosen) if self.choice else None

    @property
    def comparison(self) -> Comparison | None:
        """The chosen one against the best; None where they are the same."""
        return self.against_best(self.choice.chosen) if self.choice else None

    def against_best(self, spec: str) -> Comparison | None:
        """The comparison of an option with the best; None for the best itself."""
        found = self.choice.comparisons if self.choice else []
        return next((one for one in found if one.name == spec), None)

    def cost(self, option: Option) -> float | None:
        """Its price on `axis`: tokens a question, bytes, or seconds a question."""
        return getattr(option.price, self.axis)  # type: ignore[no-any-return]

    def as_dict(self) -> dict[str, Any]:
        """All numbers, in plain JSON types."""
        chosen, comparison = self.chosen, self.comparison
        found: dict[str, Any] = {
            "primary": self.primary,
            "lower_is_better": self.lower_is_better,
            "margin": self.margin,
            "prefer": self.prefer,
            "empty": asdict(self.empty) if self.empty else None,
            "chosen": chosen and chosen.spec,
            "best": self.best.spec,
            "difference": asdict(comparison) if comparison else None,
            "choice": asdict(self.choice) if self.choice else None,
            "options": list(map(self._record, self.options)),
            "dropped": list(self.dropped),
            "synthetic_questions": self.n_synthetic,
        }
        return canonical(found)  # type: ignore[no-any-return]

    def _record(self, option: Option) -> dict[str, Any]:
        own = option.summary
        return {
            "spec": own.spec,
            **asdict(option.configuration),
            "mean": own.mean,
            "low": own.low,
            "high": own.high,
            "interval": own.interval,
            "price": asdict(option.price),
            "p_best": option.p_best,
            "ruled_out": option.ruled_out,
            "frontier": option.frontier,
        }

    def _named(self, spec: str) -> Option:
        return next(one for one in self.options if one.spec == spec)


def recommend(
    results: Results, *, margin: float | None = None, prefer: Prefer = "tokens"
) -> Recommendation:
    """What to take: the cheapest not worse than the best by more than `margin`.

    `margin` is in units of the primary measure, and that of the results unless given.
    `prefer` says what is cheap (see `Price.key`); `latency` needs the run's `timings`,
    which differ from run to run, as may what follows from them.

    Raises:
        UnknownName: no such preference.
        InvalidConfig: no configuration, a margin below 0 or from 1 on, or no time to rank for one.
    """
    data, config = results.data, results.data["config"]
    if prefer not in PREFER:
        raise UnknownName(f"no preference {prefer!r}; {suggest(prefer, PREFER)}")
    if not data["strategies"]:
        raise InvalidConfig("there must be a configuration to recommend, got results without any")
    rows = {row["spec"]: row for row in data["strategies"]}
    seconds = _seconds(results, list(rows)) if prefer == "latency" else {}
    prices = {spec: price_of(row, config, seconds=seconds.get(spec)) for spec, row in rows.items()}
    margin = margin_of(config, margin)
    paid = {spec: price.paid(prefer) for spec, price in prices.items()}
    outcome = why_empty(data) or _choice(results, paid, margin)
    choice = None if isinstance(outcome, Empty) else outcome
    axis = _axis(prices.values(), prefer)
    edge = _frontier(results, paid)
    out = set(choice.ruled_out) if choice else set()
    return Recommendation(
        primary=config["primary"],
        lower_is_better=config["lower_is_better"],
        margin=margin,
        prefer=prefer,
        axis=axis,
        options=tuple(
            Option(
                one,
                configuration_of(rows[one.spec], config),
                prices[one.spec],
                choice.p_best[one.spec] if choice else None,
                ruled_out=one.spec in out,
                frontier=one.spec in edge,
            )
            for one in results.summary()
        ),
        outcome=outcome,
        dropped=tuple(cast("Mapping[str, Any]", data).get("dropped", ())),
        n_synthetic=sum(SYNTHETIC_TAG in question["tags"] for question in data["questions"]),
    )


def margin_of(config: Mapping[str, Any], given: float | None) -> float:
    """The margin `given`, else that of the results; both are held to what settings hold."""
    margin: float = config.get("margin", MARGIN) if given is None else given
    return BenchConfig(margin=margin).margin


def _choice(results: Results, paid: Mapping[str, tuple[float, ...]], margin: float) -> Choice:
    """The cheapest within the margin; of those that cost the same the one placed first."""
    data, config = results.data, results.data["config"]
    placed = enumerate(one.spec for one in results.summary())
    return choose(
        _values(data),
        [question["doc_id"] for question in data["questions"]],
        {spec: (*paid[spec], float(place)) for place, spec in placed},
        seed=config["seed"],
        margin=margin,
        lower_is_better=config["lower_is_better"],
    )


def _values(data: ResultsData) -> dict[str, list[float]]:
    """The primary measure of each question by configuration; NaN where there is none."""
    primary = data["config"]["primary"]
    return {
        row["spec"]: [
            math.nan if value is None else value for value in row["measures"][primary]["values"]
        ]
        for row in data["strategies"]
    }


def _seconds(results: Results, specs: Sequence[str]) -> dict[str, float]:
    """Seconds to rank a question, of every configuration."""
    own = results.timings.get("strategies", {})
    missing = [spec for spec in specs if "rank" not in own.get(spec, {})]
    if missing:
        raise InvalidConfig(
            f"prefer='latency' needs the time that each configuration took to rank, but "
            f"{TIMINGS_FILE} beside the results has none for {len(missing)} of {len(specs)}, "
            f"among them {missing[0]!r}: measure once more, and keep both files together"
        )
    n = max(len(results.data["questions"]), 1)
    return {spec: own[spec]["rank"]["seconds"] / n for spec in specs}


def _axis(prices: Iterable[Price], prefer: Prefer) -> Axis:
    if prefer == "latency":
        return "seconds"
    shown = prefer == "tokens" and any(price.shown is not None for price in prices)
    return "shown" if shown else "index_bytes"


def _frontier(results: Results, paid: Mapping[str, tuple[float, ...]]) -> set[str]:
    """Those that score more than all that cost less, and most among those that cost the same."""
    sign = -1.0 if results.data["config"]["lower_is_better"] else 1.0
    placed = [
        (paid[one.spec], -sign * one.mean, i, one.spec)
        for i, one in enumerate(results.summary())
        if one.mean is not None
    ]
    edge, least = set(), math.inf
    for _, lost, _, spec in sorted(placed):
        if lost < least:
            edge.add(spec)
            least = lost
    return edge


def knob_effects(results: Results) -> list[Effect]:
    """What turning each knob does to the primary measure, all others left as they are.

    Empty where no two configurations differ in one knob only.
    """
    data = results.data
    return effects(
        _values(data),
        {row["spec"]: configuration_of(row, data["config"]).knobs for row in data["strategies"]},
        [question["doc_id"] for question in data["questions"]],
        seed=data["config"]["seed"],
    )
