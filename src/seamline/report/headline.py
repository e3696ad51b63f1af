"""The result in words: what to take, what that rests on, and what limits it."""

from __future__ import annotations

from dataclasses import dataclass

from seamline.bench.results import Results, SummaryRow
from seamline.bench.schema import Cost, ResultsData
from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.report.intervals import gloss
from seamline.report.model import Standing, counted, n_asked_about, number, standings
from seamline.report.synthetic import synthetic

__all__ = ["Headline", "headline"]

_NAMED = 5  # strategies named in a sentence before the rest is counted
_TRUNCATED = 0.05  # share of tokens beyond the embedder's window that deserves a word
_MARGIN = 0.02  # within two points of the best is as good as the best
_THIN = 30  # questions below which a mean hangs on single ones


@dataclass(frozen=True, slots=True)
class Headline:
    """A title that says what to do, what it follows from, and what limits it."""

    title: str
    sentences: tuple[str, ...]
    cautions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Choice:
    """The strategies, those not separable from the best (it among them), and their cheapest."""

    placed: list[Standing]
    alike: list[Standing]
    cheapest: Standing
    primary: str


def headline(results: Results) -> Headline:
    """What the results say and do not say, each thought one sentence."""
    placed, data = standings(results), results.data
    alike = [placed[0], *(one for one in placed[1:] if not one.worse)]
    cheapest = min(alike, key=lambda one: _price(one.summary.cost))
    chosen = _Choice(placed, alike, cheapest, data["config"]["primary"])
    best = placed[0].summary.mean
    if best is None:
        title = f"No question gives {chosen.primary} a value"
    elif not best and not data["config"]["lower_is_better"]:
        title = f"No strategy does better than 0 in {chosen.primary}"
    else:
        title = _title(chosen)
    figures = [] if best is None else [_figures(chosen)]
    return Headline(
        title, (*figures, *_separation(chosen), _basis(data)), tuple(_cautions(data, placed))
    )


def _title(chosen: _Choice) -> str:
    spec, n, of = chosen.cheapest.summary.spec, len(chosen.alike), len(chosen.placed)
    if of == 1:
        return f"{spec} is the only strategy measured"
    if n == 1:
        return f"Take {spec}: it has the best {chosen.primary}, by more than chance explains"
    if chosen.alike[-1].rank == 1:
        share = f"{_count(n, of)} share the best {chosen.primary}"
        if n == of:  # a budget that holds the whole corpus does this: no reason to take one
            return f"{share[0].upper()}{share[1:]}: it says nothing for or against one of them"
        return f"Take {spec}: {share}, and {_cheap(chosen)}"
    if chosen.cheapest.rank == 1:
        return f"Take {spec}: it has the best {chosen.primary}, and nothing like it is cheaper"
    if _close(chosen.cheapest):
        return f"Take {spec}: within {_MARGIN:.2f} of the best, and {_cheap(chosen)}"
    one = "none is cheaper than" if "none" in _cheap(chosen) else "the cheapest of them is"
    return f"No clear winner: {_count(n, of)} cannot be told apart, and {one} {spec}"


def _close(one: Standing) -> bool:
    """Whether the whole interval of the difference to the best lies within the margin."""
    low, high = one.summary.difference["low"], one.summary.difference["high"]
    return low is not None and high is not None and max(-low, high) <= _MARGIN


def _count(n: int, of: int) -> str:
    if n < of:
        return f"{n} of {of} strategies"
    return "both strategies" if n == 2 else f"all {n} strategies"


def _cheap(chosen: _Choice) -> str:
    prices = [_price(one.summary.cost) for one in chosen.alike]
    if prices.count(min(prices)) > 1:
        return "none is cheaper"
    return "it is the cheaper" if len(chosen.placed) == 2 else "it is the cheapest"


def _figures(chosen: _Choice) -> str:
    """The best value with its interval, who has it, and what the choice has and costs."""
    best, taken = chosen.placed[0].summary, chosen.cheapest.summary
    text = f"The best {chosen.primary} is {number(best.mean)}"
    if best.low is not None:
        text += f" (95 % interval {number(best.low)} to {number(best.high)})"
    if chosen.cheapest.rank > 1:
        text += f", of {best.spec}; {taken.spec} has {number(taken.mean)}{_less(taken)} and"
    else:
        text += f"; {taken.spec} has it and"
    return f"{text} makes {_cost(taken.cost)}."


def _less(taken: SummaryRow) -> str:
    """What the choice may lose against the best: the interval of the difference."""
    low, high = taken.difference["low"], taken.difference["high"]
    if low is None or high is None:
        return ""
    written = f" (95 % interval of the difference {low:+.3f} to {high:+.3f})"
    return written.replace("-", "−")


def _cost(cost: Cost) -> str:
    work = "embed" if cost["embedding_tokens"] else "index"
    factor = f"{_ingest_factor(cost):.2f} × the source to {work}"
    return f"{counted(cost['chunks'], 'chunk')} ({factor})"


def _ingest_factor(cost: Cost) -> float:
    """Tokens to embed (or else to index) over the tokens of the source, to a hundredth."""
    tokens = max(cost["embedding_tokens"], cost["indexed_tokens"])
    return round(tokens / max(cost["source_tokens"], 1), 2)


def _price(cost: Cost) -> tuple[float, int]:
    """A sort key: dropping white space saves nothing worth having, fewer chunks do."""
    return max(_ingest_factor(cost), 1.0), cost["chunks"]


def _separation(chosen: _Choice) -> list[str]:
    """Who is not separable from the best, and what that means."""
    others = [one.summary.spec for one in chosen.alike[1:]]
    if not others or chosen.alike[-1].rank == 1:
        return []
    return [f"Not separable from the best ({gloss(chosen.placed)}): {_listed(others)}."]


def _listed(specs: list[str]) -> str:
    if len(specs) > _NAMED:
        return f"{', '.join(specs[: _NAMED - 1])} and {len(specs) - _NAMED + 1} more"
    return " and ".join([", ".join(specs[:-1]), specs[-1]] if len(specs) > 1 else specs)


def _basis(data: ResultsData) -> str:
    asked = counted(len(data["questions"]), "question")
    text = f"Based on {asked} about {counted(n_asked_about(data), 'document')}"
    rest = len(data["documents"]) - n_asked_about(data)
    if rest and data["config"]["scope"] == "corpus":
        text += f", searched among {rest:,} more"
    if data["skipped"]:
        text += f"; {counted(len(data['skipped']), 'question')} without gold left out"
    return f"{text}."


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}{'' if note.endswith(('.', '!', '?')) else '.'}"


def _cautions(data: ResultsData, placed: list[Standing]) -> list[str]:
    n, asked = n_asked_about(data), len(data["questions"])
    found = [*_unread(data), *(_sentence(note) for note in data.get("notes", []))]
    found += synthetic(data, placed)
    if 0 < asked < _THIN:
        found.append(
            f"{counted(asked, 'question')} are few: each is 1/{asked} ({1 / asked:.3f}) of every "
            f"mean. Ask at least {_THIN} before you rely on a small difference."
            if asked > 1
            else "One question decides everything here: nothing follows from it."
        )
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


def _unread(data: ResultsData) -> list[str]:
    """What could not be read, so that no figure is about it."""
    found = []
    if missed := [one["id"] for one in data.get("skipped_documents", [])]:
        found.append(
            f"{counted(len(missed), 'file')} could not be read, so that no figure is about "
            f"{'it' if len(missed) == 1 else 'them'}: {_listed(missed)}."
        )
    scanned = {one["id"]: one.get("pages_without_text", []) for one in data["documents"]}
    if pictures := [one for one, pages in scanned.items() if pages]:
        n = sum(map(len, scanned.values()))
        found.append(
            f"{counted(n, 'page')} without text, pictures perhaps, {'is' if n == 1 else 'are'} in "
            f"no figure: of {_listed(pictures)}. Run OCR first."
        )
    return found


def _truncated(placed: list[Standing]) -> list[str]:
    cut = [
        f"{one.summary.spec} {share:.0%}"
        for one in placed
        if (share := one.summary.cost["truncated_share"] or 0) >= _TRUNCATED
    ]
    if not cut:
        return []
    return [f"Tokens beyond the embedder's window, which it does not see: {', '.join(cut)}."]
