"""A comparison in words: what was compared, what could not be told, and what limits it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from seamline.bench.against import Against, By
from seamline.compare import Comparison, Stratum
from seamline.compare.bootstrap import FEWEST_CLUSTERS
from seamline.compare.choose import FEWEST_ASKED
from seamline.phrases import counted, listed, signed
from seamline.report.model import PLACES, number
from seamline.report.synthetic import who_asked

__all__ = ["WIDER", "cautions", "leading_text", "notes", "sentences", "title"]

WIDER = "‡"
"""Marks an interval that holds 0 beside a verdict that is significant."""

_NAMED = 2  # strategies named in a sentence before the rest is counted
_MOST_ASKED = 100_000  # questions, more than anybody asks
_ABOUT = "about other questions on these documents, not about new documents"
_PARTS: dict[By, str] = {"tag": "tag", "kind": "kind of document", "document": "document"}


def title(found: Against) -> str:
    """What was compared with what, in which measure."""
    n = len(found.comparisons)
    strategies = "1 strategy" if n == 1 else f"{n:,} strategies"
    to, mean = found.comparisons[0].to, found.means[0][1]
    against = {
        "best": f"{strategies} against the best, {to} ({number(mean)})",
        "fixed": f"{strategies} against {to} ({number(mean)})",
        "same": f"{strategies} in the first file against the same in the second",
        "bests": "the best of the first file against the best of the second",
    }[found.way]
    better = ", lower is better" if found.lower_is_better else ""
    return f"{found.measure}{better}: {against}"


def leading_text(found: Against, by: By) -> str:
    """What the strata part."""
    name, to = found.leading
    pair = f"{name} in both files" if found.way == "same" else f"{name} against {to}"
    none = "" if found.strata[by] else f": no question has a {_PARTS[by]}"
    return f"By {_PARTS[by]}: {pair}{none}"


def notes(found: Against, *, by: By | None = None) -> list[str]:
    """What stands in the tables: units, intervals, the correction, and every mark in them."""
    return [*_notes(found), *_marks(found, found.strata.get(by, []) if by else [])]


def _marks(found: Against, parts: Sequence[Stratum]) -> Iterator[str]:
    """What the marks say that stand in the tables and are not explained by `_notes`."""
    inside = [part.comparison for part in parts]
    if any(one.unit == "question" for one in inside) and _unit(found) == "document":
        yield f"* in parts with few documents questions are flipped alone, {_ABOUT}."
    if any(not part.supported for part in parts):
        yield (
            f"(few): under {FEWEST_CLUSTERS} documents or {FEWEST_ASKED} questions, too few to "
            "claim anything about other documents."
        )
    if any(one.wider for one in (*found.comparisons, *inside)):
        yield f"{WIDER} The test is significant though its interval holds 0: {_why_wider(found)}."


def _why_wider(found: Against) -> str:
    steps = (
        "strategies are ruled out one after the other, and each test allows for those that are "
        "left only, where the interval allows for all pairs at once"
    )
    few = "where few questions differ the interval reaches further than the test, to promise less"
    why = f"{steps}, and {few}" if found.way == "best" else few
    return f"{why}. The verdict goes by p"


def _unit(found: Against) -> str:
    return next((one.unit for one in found.comparisons if one.n), "document")


def _notes(found: Against) -> list[str]:
    """Units, intervals, the correction."""
    paired = "Differences are paired by question"
    if _unit(found) == "document":
        said = [f"{paired}; a document's questions are flipped together."]
    else:
        said = [f"* {paired}; each is flipped alone, for want of documents: {_ABOUT}."]
    n = len(found.comparisons)
    if found.way == "best":
        chosen = "p and intervals allow for the best having been chosen from these questions"
        said.append(f"{chosen}; p is that of ruling out, step by step.")
    elif found.way == "bests":
        said.append("p and interval allow for both having been chosen from these questions.")
    elif n > 1:
        said.append(f"p and intervals hold for all {n:,} comparisons at once.")
    return said


def sentences(found: Against) -> list[str]:
    """What the verdicts mean here, and where the leading strategy fares worst."""
    if found.way in ("same", "bests") and not any(one.n_different for one in found.comparisons):
        return ["No question scores otherwise in the first file than in the second."]
    said = [_same(found), _separable(found), _unresolvable(found), _worst(found)]
    return [one for one in said if one]


def _having(found: Against, verdict: str) -> list[Comparison]:
    return [one for one in found.comparisons if one.verdict == verdict]


def _same(found: Against) -> str:
    if not (same := _having(found, "EQUIVALENT")):
        return ""
    which = listed([one.name for one in same], _NAMED)
    lies = "lies" if len(same) == 1 else "lie"
    return f"EQUIVALENT: {which} {lies} within {found.margin:.4g}; take the cheaper."


def _separable(found: Against) -> str:
    """What could have been seen, and what it takes to tell the nearest apart."""
    if not (open_ := _having(found, "NOT SEPARABLE")):
        return ""
    seen = sorted(one.detectable for one in open_ if one.detectable is not None)
    text = "NOT SEPARABLE: "
    if seen:
        span = number(seen[0])
        if number(seen[-1]) != span:
            span = f"{span} to {number(seen[-1])}"
        text += f"a true difference of {span} would be seen here in 80 % of the cases"
    else:
        text += "so few documents hold nearly all questions that no difference can be seen"
    needed = [one for one in open_ if one.n_needed is not None and one.n_needed > one.n]
    if not needed:
        return f"{text}."
    nearest = min(needed, key=lambda one: one.n_needed or 0)
    return f"{text}; {_needed(nearest)}."


def _needed(one: Comparison) -> str:
    n = one.n_needed or 0
    if n > _MOST_ASKED:
        return f"to tell {one.name} apart takes more questions than anybody asks"
    return f"to tell {one.name} apart takes about {_rounded(n):,} questions like these {one.n:,}"


def _rounded(n: int) -> int:
    """To two digits: more are not known.

    Example:
        >>> _rounded(1_234), _rounded(87)
        (1200, 87)
    """
    return int(float(f"{n:.2g}"))


def _unresolvable(found: Against) -> str:
    if not (none := _having(found, "UNRESOLVABLE")):
        return ""
    most = max(none, key=lambda one: one.n_different)
    which, one = listed([one.name for one in none], _NAMED), len(none) == 1
    if most.n == 0:
        return f"UNRESOLVABLE: {which} {'has' if one else 'have'} no question to compare by."
    if most.n_different == 0:
        has = "has" if one else "have"
        return f"UNRESOLVABLE: {which} {has} the same value on every question."
    differ = f"{'differs on' if one else 'differ on at most'} {most.n_different:,} of {most.n:,}"
    limit = "had all of these gone one way, it would not have been significant"
    if most.unit == "document":
        limit = (
            f"a document's questions go together, and had those of all {most.n_clusters:,} gone "
            "one way, it would not have been significant"
        )
    return f"UNRESOLVABLE: {which} {differ} questions: {limit}."


def _worst(found: Against) -> str:
    """Where the leading strategy fares worst against the other."""
    if found.worst is None:
        return ""
    by, part = found.worst
    name, to = found.leading
    who = f"{name} in the first file" if found.way == "same" else f"{name} against {to}"
    mean, few = part.comparison.mean or 0.0, "" if part.supported else ", too few to claim anything"
    where = f"{_PARTS[by]} {part.label!r} ({_basis(part)}{few})"
    gain = -mean if found.lower_is_better else mean
    which = f"The worst part for {who}"
    if round(gain, PLACES) >= 0:
        which = f"The part least in favour of {who}, though not against it"
    return f"{which}: {where}, {signed(mean)}, {part.comparison.verdict}."


def _basis(part: Stratum) -> str:
    asked = counted(part.comparison.n, "question")
    return f"{asked}, {counted(part.comparison.n_clusters, 'document')}"


def _synthetic(found: Against) -> str:
    """How many questions are synthetic, and how the leading strategy does on the others."""
    said = who_asked(found.n_synthetic, found.n, n_items=found.n_known_items)
    if not said or found.people is None:
        return said
    one, (name, to) = found.people.comparison, found.leading
    pair = f"{name} in the first file" if found.way == "same" else f"{name} against {to}"
    asked = counted(one.n, "question")
    return f"{said} On the {asked} of people alone {pair} is {signed(one.mean)}, {one.verdict}."


def cautions(found: Against) -> list[str]:
    """What a reader must know before believing it, a sentence each."""
    return list(_cautions(found))


def _cautions(found: Against) -> Iterable[str]:
    if found.why_not:
        yield f"Only {found.why_not}: nothing can be claimed about other documents."
    if said := _synthetic(found):
        yield said
    if not found.primary:
        yield (
            f"{found.measure} is not the measure that the run was made for: take what it says as "
            "a hint, to be tested on other questions."
        )
    left = [
        (n, which) for n, which in zip(found.n_left_out, ("first", "second"), strict=False) if n
    ]
    if left:
        said = " and ".join(f"{counted(n, 'question')} only in the {which}" for n, which in left)
        yield f"Left out: {said} file."
    if found.unpaired:
        yield f"Only in one of the files, and left out: {listed(found.unpaired, _NAMED)}."
    if found.choice is not None and found.choice.n_left_out:
        left_out = counted(found.choice.n_left_out, "question")
        yield f"{left_out} without a value for every strategy left out."
