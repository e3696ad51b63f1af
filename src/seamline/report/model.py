"""What every report says: the order, who cannot be told apart, and in which words."""

from __future__ import annotations

from dataclasses import dataclass

from seamline.bench.results import Results, SummaryRow
from seamline.bench.schema import Cost, Difference, ResultsData, StrategyRow
from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.errors import InvalidConfig

__all__ = ["Headline", "Standing", "columns", "counted", "headline", "number", "standings"]

_PREFERRED = ("Containment", "Recall@{k}", "HitWhole@{b}t", "Precision@{b}t", "MRR@{k}")
_MOST_COLUMNS = 7
_NAMED = 5  # strategies named in a sentence before the rest is counted
_TRUNCATED = 0.05  # share of tokens beyond the embedder's window that deserves a word


@dataclass(frozen=True, slots=True)
class Standing:
    """A strategy's place: `rank` counts from 1.

    `worse` says that the paired interval of its difference to the best leaves
    out 0; a strategy without an interval cannot be told from the best.
    """

    rank: int
    summary: SummaryRow
    row: StrategyRow
    worse: bool


@dataclass(frozen=True, slots=True)
class Headline:
    """The result in words: a title, what follows from it, and what limits it."""

    title: str
    sentences: tuple[str, ...]
    cautions: tuple[str, ...]


def number(value: float | None, places: int = 3) -> str:
    """`value` with a fixed number of decimals, a dash where there is none.

    Example:
        >>> number(0.89283), number(1234.5, 0), number(None)
        ('0.893', '1,234', '–')
    """
    return "–" if value is None else f"{value:,.{places}f}"


def columns(data: ResultsData) -> list[str]:
    """The measures worth a column, the primary one first, at most seven."""
    config = data["config"]
    wanted = [name.format(k=config["k"], b=config["budget"]) for name in _PREFERRED]
    rest = [f"Tokens@{config['k']}", *config["measures"]]
    names = dict.fromkeys((config["primary"], *wanted, *rest))
    return [name for name in names if name in config["measures"]][:_MOST_COLUMNS]


def standings(results: Results) -> list[Standing]:
    """The strategies, best first.

    Raises:
        InvalidConfig: the results hold no strategy.
    """
    rows = {row["spec"]: row for row in results.data["strategies"]}
    if not rows:
        raise InvalidConfig("a report needs at least one strategy, got results without any")
    return [
        Standing(rank, one, rows[one.spec], _excludes_zero(one.difference))
        for rank, one in enumerate(results.summary(), 1)
    ]


def _excludes_zero(difference: Difference) -> bool:
    low, high = difference["low"], difference["high"]
    return low is not None and high is not None and (low > 0 or high < 0)


def _ingest_factor(cost: Cost) -> float:
    """Tokens to embed (or else to index) over the tokens of the source, to a hundredth."""
    tokens = max(cost["embedding_tokens"], cost["indexed_tokens"])
    return round(tokens / max(cost["source_tokens"], 1), 2)


def headline(results: Results) -> Headline:
    """What the results say and do not say, each thought one sentence."""
    placed = standings(results)
    return Headline(
        _title(results, placed),
        (*_separation(placed), _basis(results.data)),
        tuple(_cautions(results, placed)),
    )


def _title(results: Results, placed: list[Standing]) -> str:
    primary, best = results.data["config"]["primary"], placed[0].summary
    tied = [one for one in placed if one.summary.mean == best.mean]
    if len(tied) > 1:
        some = "All" if len(tied) == len(placed) else f"{len(tied)} of"
        return f"{some} {len(placed)} strategies share the best {primary}, {number(best.mean)}"
    interval = (
        "" if best.low is None else f" (95 % interval {number(best.low)} to {number(best.high)})"
    )
    return f"{best.spec} has the best {primary}: {number(best.mean)}{interval}"


def _separation(placed: list[Standing]) -> list[str]:
    if len(placed) == 1:
        return []
    best, alike = placed[0], [one for one in placed[1:] if not one.worse]
    if not alike:
        return ["The difference to every other strategy is larger than chance explains."]
    chosen = [best, *alike]
    cheapest = min(chosen, key=lambda one: _price(one.summary.cost))
    cost = cheapest.summary.cost
    work = "embed" if cost["embedding_tokens"] else "index"
    factor = f"{_ingest_factor(cost):.2f} × the source to {work}"
    price = f"({factor}, {counted(cost['chunks'], 'chunk')})"
    if len(chosen) == len(placed):
        first = f"No strategy is separable from the best of these {len(placed)}."
    else:
        which = "It" if best.summary.mean != alike[0].summary.mean else best.summary.spec
        first = f"{which} is not separable from {_listed([one.summary.spec for one in alike])}."
    if cheapest is best:
        return [first, f"{best.summary.spec} is the cheapest of these {len(chosen)}, too {price}."]
    return [first, f"The cheapest of these {len(chosen)} is {cheapest.summary.spec} {price}."]


def _price(cost: Cost) -> tuple[float, int]:
    """A sort key: dropping white space saves nothing worth having, fewer chunks do."""
    return max(_ingest_factor(cost), 1.0), cost["chunks"]


def _listed(specs: list[str]) -> str:
    if len(specs) > _NAMED:
        return f"{', '.join(specs[: _NAMED - 1])} and {len(specs) - _NAMED + 1} more"
    return " and ".join([", ".join(specs[:-1]), specs[-1]] if len(specs) > 1 else specs)


def counted(n: int, noun: str) -> str:
    """A number with its noun, in the plural where it must be."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _basis(data: ResultsData) -> str:
    asked = counted(len(data["questions"]), "question")
    text = f"Based on {asked} about {counted(_n_asked_about(data), 'document')}"
    rest = len(data["documents"]) - _n_asked_about(data)
    if rest and data["config"]["scope"] == "corpus":
        text += f", searched among {rest:,} more"
    if data["skipped"]:
        text += f"; {counted(len(data['skipped']), 'question')} without gold left out"
    return f"{text}."


def _n_asked_about(data: ResultsData) -> int:
    return len({question["doc_id"] for question in data["questions"]})


def _cautions(results: Results, placed: list[Standing]) -> list[str]:
    n = _n_asked_about(results.data)
    found = []
    if n < FEWEST_CLUSTERS:
        found.append(
            f"With questions about fewer than {FEWEST_CLUSTERS} documents ({n} here) nothing "
            "follows for other documents: the intervals hold for other questions about these."
        )
    if len(placed) > 2:
        found.append(
            f"Each strategy is compared with the best one of {len(placed)} on the same questions; "
            "the intervals are not corrected for choosing it."
        )
    return found + _truncated(placed)


def _truncated(placed: list[Standing]) -> list[str]:
    cut = [
        f"{one.summary.spec} {share:.0%}"
        for one in placed
        if (share := one.summary.cost["truncated_share"] or 0) >= _TRUNCATED
    ]
    if not cut:
        return []
    return [f"Tokens beyond the embedder's window, which it does not see: {', '.join(cut)}."]
