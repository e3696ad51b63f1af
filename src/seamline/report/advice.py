"""What would help the questions that failed: each advice with what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from seamline.bench import Results
from seamline.bench.recommend import Recommendation
from seamline.bench.schema import DiagnosisRow
from seamline.golden.checks import LEAST_TOKENS
from seamline.phrases import counted, listed
from seamline.registry import parse_spec
from seamline.report.model import number
from seamline.report.tried import Case, Knobs

__all__ = ["Advice", "advise", "told_about"]

_CONTAINED = 0.85  # under it answers are cut too often
_NOISE = 0.9  # of what is shown
_OWN_GOLD = 0.3  # of the chunks with gold: under it they are mostly something else
_THROUGH = 0.05  # of the borders of chunks
_MARKS = 4.0  # for 1,000 tokens: fewer say that a text has no structure to speak of
_SHORT = LEAST_TOKENS  # of gold: a lone word or number is found by nothing
_NEAR, _QUARTER = 100, 4  # what a reranker looks at: so many chunks, a quarter of all at most
_STRUCTURED = ("structure", "adaptive", "table_rows", "routed")
_KINDS = {
    "table_row": "table rows",
    "qa_pair": "question-answer pairs",
    "steps": "numbered steps",
    "fence": "code fences",
}


@dataclass(frozen=True, slots=True)
class Advice:
    """What was `seen`, what to `do` about it, and what is `known` of that.

    `n` is how many failed questions were seen to hang on it, 0 where it rests on a measure.
    """

    seen: str
    do: str
    known: str
    n: int = 0

    def __str__(self) -> str:
        return f"{self.seen}. {self.do}. {self.known}."


def told_about(results: Results, found: Recommendation) -> DiagnosisRow | None:
    """The explanation of the one to take, else of the best that has one; None without any."""
    rows = {row["spec"]: row for row in results.data.get("diagnosis", [])}
    names = [found.chosen.spec] if found.chosen else []
    names += [one.spec for one in found.options]
    return next((rows[name] for name in names if name in rows), None)


def advise(results: Results, found: DiagnosisRow) -> list[Advice]:
    """What would help the questions that failed, what concerns most of them first.

    Every advice rests on these data: on a measure beyond its threshold, or on a tenth of
    the failed questions, at least two. What other rows of the results show of it is said
    with their paired difference and its 95 % interval.
    """
    rows = {row["spec"]: row for row in results.data["strategies"]}
    case = Case(results, rows[found["spec"]], found)
    found_by_rules = [one for rule in _RULES for one in rule(case)] if found["labels"] else []
    return sorted(found_by_rules, key=lambda one: -one.n)


def _tried(case: Case, *tried: str | None) -> str:
    known = "; ".join(dict.fromkeys(one for one in tried if one))
    return f"Measured, in {case.primary}: {known}" if known else "Not measured here"


def _are(n: int) -> str:
    return "is" if n == 1 else "are"


def _lost(case: Case) -> Iterator[Advice]:
    if n := case.count("lost in parsing"):
        yield Advice(
            f"{case.share(n)} {_are(n)} lost in parsing: the text made of the file lacks the gold",
            "Look at these files, give them in another format, or run OCR",
            "No way of cutting or ranking brings it back",
            n,
        )


def _cut(case: Case) -> Iterator[Advice]:
    rate, n = case.row["containment"]["rate"], case.count("cut")
    larger = sum(one["larger"] for one in case.found["details"].values())
    is_low = rate is not None and rate < _CONTAINED
    if not is_low and n + larger < case.enough:
        return
    seen = f"Containment is {number(rate)}{f', under {_CONTAINED}' if is_low else ''}: "
    seen += f"{case.share(n)} {_are(n)} cut"
    seen += f", {larger} {_are(larger)} larger than a chunk" if larger else ""
    overlap = case.knobs.get("overlap", 0)
    yield Advice(
        seen,
        "Take larger chunks, overlap, or semantic chunks",
        _tried(
            case,
            case.larger(),
            case.turned("overlap", lambda value: value > overlap),
            case.cut(_is_semantic, not_smaller=True),  # small ones are no evidence for large ones
        ),
        n + larger,
    )


def _is_semantic(knobs: Knobs) -> bool:
    return bool(knobs["strategy"] == "semantic")


def _semantic(case: Case) -> str | None:
    return case.cut(_is_semantic)


def _structured(case: Case) -> str | None:
    return case.cut(lambda knobs: knobs["strategy"] in _STRUCTURED)


def _parted(case: Case) -> Iterator[Advice]:
    borders, through = case.row["boundaries"], case.found["cut_through"]
    share = sum(borders[kind] for kind in _KINDS) / max(borders["boundaries"], 1)
    n = sum(through.values())
    if case.knobs["strategy"] in _STRUCTURED or (n < case.enough and share < _THROUGH):
        return
    kinds = [name for kind, name in _KINDS.items() if through[kind] or borders[kind]]
    yield Advice(
        f"{share:.0%} of the borders part {listed(kinds)}, where {_THROUGH:.0%} is much"
        + (f"; {case.share(n)} {_are(n)} cut there" if n else ""),
        "Cut along the structure: structure, adaptive or table_rows",
        _tried(case, _structured(case)),
        n,
    )


def _messy(case: Case) -> Iterator[Advice]:
    documents = case.results.data["documents"]
    tokens = sum(row["tokens"] for row in documents)
    marks = 1_000 * sum(row.get("marks", tokens) for row in documents) / max(tokens, 1)
    n = case.count("cut") + case.count("diluted")
    if marks < _MARKS and n >= case.enough and case.knobs["strategy"] != "semantic":
        yield Advice(
            f"For 1,000 tokens there are {marks:.1f} headings, items or rows, under {_MARKS:g}, "
            f"and {case.share(n)} {_are(n)} cut or diluted",
            "Try semantic chunks, which follow the meaning",
            _tried(case, _semantic(case)),
        )


def _crowded(case: Case) -> Iterator[Advice]:
    n, repeated = case.count("crowded out"), len(case.found["deduped"])
    if repeated >= case.enough:
        yield Advice(
            f"{case.share(repeated)} would be shown whole if no text were shown twice",
            "Set dedupe = true, or merge = true",
            _tried(case, case.turned("dedupe", bool), case.turned("merge", bool)),
            repeated,
        )
    elif n >= case.enough:
        yield Advice(
            f"{case.share(n)} {_are(n)} crowded out by passages that say nearly the same",
            "Take copies and old versions out of the documents",
            "Not measured here",
            n,
        )


def _diluted(case: Case) -> Iterator[Advice]:
    if (n := case.count("diluted")) >= case.enough:
        is_bare = case.knobs.get("prefix") is False
        yield Advice(
            f"{case.share(n)} {_are(n)} diluted: the gold alone would be found, its chunk is not",
            "Take smaller chunks" + (", and index the headings with them" if is_bare else ""),
            _tried(case, case.smaller(), _structured(case), case.turned("prefix", bool)),
            n,
        )


def _noisy(case: Case) -> Iterator[Advice]:
    k = case.results.data["config"]["k"]
    noise, own = case.mean(f"Noise@{k}"), case.mean("PrecisionOmega")
    if not noise > _NOISE:
        return
    seen = f"Noise@{k} is {noise:.3f}, over {_NOISE}"
    if own < _OWN_GOLD and case.count("diluted") < case.enough:
        yield Advice(
            f"{seen}, and of the chunks with gold only {own:.0%} is gold, under {_OWN_GOLD:.0%}",
            "Take smaller chunks",
            _tried(case, case.smaller()),
        )
    most = min(_NEAR, case.row["cost"]["chunks"] // _QUARTER)
    near = sum((one["rank"] or most + 1) <= most for one in case.found["details"].values())
    if near >= case.enough and "rerank" not in case.knobs["retriever"]:
        yield Advice(
            f"{seen}, and the gold of {case.share(near)} is among the first {most} chunks",
            "Rerank these: hybrid(rerank=maxsim), or a reranker of your own",
            _tried(case, case.turned("retriever", lambda spec: "rerank" in spec)),
        )


def _other_arm(case: Case) -> Iterator[Advice]:
    own, found_by = parse_spec(case.knobs["retriever"]).name, case.found["found_by"]
    hybrid = case.turned("retriever", lambda spec: parse_spec(spec).name == "hybrid")
    for name, ids in found_by.items():
        rest = sum(len(other) for key, other in found_by.items() if key != name)
        if len(ids) < rest + case.enough:
            continue
        seen = f"{case.share(len(ids))} {_are(len(ids))} found by {name} alone"
        seen += f", {rest} by the other half of hybrid" if own == "hybrid" else f", not by {own}"
        weight = f"{'Raise' if name == 'dense' else 'Lower'} alpha, the weight of meaning"
        do = weight if own == "hybrid" else "Rank by hybrid, which adds up both"
        yield Advice(seen, do, _tried(case, hybrid), len(ids))


def _truncated(case: Case) -> Iterator[Advice]:
    if (n := case.count("truncated")) >= case.enough:
        yield Advice(
            f"{case.share(n)} {_are(n)} truncated: ranked in, but past the budget",
            f"Give the reader a larger budget{_wider(case)}, or take smaller chunks",
            _tried(case, case.smaller()),
            n,
        )


def _wider(case: Case) -> str:
    """What the next larger budget gives."""
    curve, cutoff = case.row["curve"], case.found["cutoff"]
    if cutoff.endswith("t"):
        for budget, whole in zip(curve["budgets"], curve["whole"], strict=True):
            if budget > int(cutoff[:-1]) and whole is not None:
                return f" (HitWhole is {whole:.3f} at {budget:,} tokens)"
    return ""


def _missed(case: Case) -> Iterator[Advice]:
    if (n := case.count("missed")) < case.enough:
        return
    labels = case.found["labels"]
    short = sum(
        labels[name] == "missed" and one["tokens"] < _SHORT
        for name, one in case.found["details"].items()
    )
    seen = f"{case.share(n)} {_are(n)} missed: not even the gold alone is found"
    do = "Take another embedder or ranking"
    if case.missed_but_found():
        do += ", or a cut that keeps more around the gold"
    if case.knobs.get("prefix") is False:
        do += ", or index the headings with the text"
    if 2 * short >= n:
        seen += f"; that of {short} has under {_SHORT} tokens"
        do = f"Mark the sentence or row that answers, not a lone word or number of it. {do}"
    yield Advice(seen, do, _other_cuts(case) + _prefixed(case), n)


def _other_cuts(case: Case) -> str:
    """Which other cut finds what is missed, and how far all that were tried go."""
    found, ceiling = case.missed_but_found(), case.found["oracle"].get(case.primary)
    known = "No other cut was measured with this ranking"
    if found:
        known = f"With this ranking {found[0]} finds {found[1]} of them"
    elif case.n_cuts:
        known = f"None of {counted(case.n_cuts, 'other cut')} with this ranking finds them"
    if ceiling is None:
        return known
    return f"{known}; the best of all that was tried with it is {case.primary} {number(ceiling)}"


def _prefixed(case: Case) -> str:
    found = case.turned("prefix", bool)
    return f". {_tried(case, found)}" if found else ""


_RULES: tuple[Callable[[Case], Iterator[Advice]], ...] = (
    _lost,
    _cut,
    _parted,
    _messy,
    _crowded,
    _diluted,
    _noisy,
    _other_arm,
    _truncated,
    _missed,
)
