"""A comparison in words: what was compared, what could not be told, and what limits it."""

from __future__ import annotations

from collections.abc import Iterable

from seamline.bench.against import Against, By
from seamline.compare import Comparison, Stratum
from seamline.phrases import counted, listed, signed
from seamline.report.model import number

__all__ = ["cautions", "leading_text", "notes", "sentences", "title"]

_NAMED = 2  # strategies named in a sentence before the rest is counted
_MOST_ASKED = 100_000  # questions, more than anybody asks
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
    return f"By {_PARTS[by]}: {pair}"


def notes(found: Against) -> list[str]:
    """What stands in the table: units, intervals, the correction."""
    about = "about other questions on these documents, not about new documents"
    unit = next((one.unit for one in found.comparisons if one.n), "document")
    paired = "Differences are paired by question"
    if unit == "document":
        said = [f"{paired}; a document's questions are flipped together."]
    else:
        said = [f"* {paired}; each is flipped alone, for want of documents: {about}."]
    n = len(found.comparisons)
    if found.way == "best":
        chosen = "p and intervals allow for the best having been chosen from these questions"
        said.append(
            f"{chosen}; p is that of ruling out, step by step, and may go a little further."
        )
    elif found.way == "bests":
        said.append("p and interval allow for both having been chosen from these questions.")
    elif n > 1:
        said.append(f"p and intervals hold for all {n:,} comparisons at once.")
    return said


def sentences(found: Against) -> list[str]:
    """What the verdicts mean here, and where the leading strategy fares worst."""
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
    mean, few = part.comparison.mean, "" if part.supported else ", too few to claim anything"
    where = f"{_PARTS[by]} {part.label!r} ({_basis(part)}{few})"
    return f"The worst part for {who}: {where}, {signed(mean)}, {part.comparison.verdict}."


def _basis(part: Stratum) -> str:
    asked = counted(part.comparison.n, "question")
    return f"{asked}, {counted(part.comparison.n_clusters, 'document')}"


def cautions(found: Against) -> list[str]:
    """What a reader must know before believing it, a sentence each."""
    return list(_cautions(found))


def _cautions(found: Against) -> Iterable[str]:
    if found.why_not:
        yield f"Only {found.why_not}: nothing can be claimed about other documents."
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
