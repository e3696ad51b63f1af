"""What an interval rests on: a mark beside the figure and a line that explains it."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from seamline.bench.schema import ResultsData
from seamline.compare.bootstrap import STUDENTISED_BELOW
from seamline.phrases import counted, signed
from seamline.report.model import Standing, n_asked_about

__all__ = ["GLOSS", "difference_text", "footnotes", "interval_text", "mark", "notes_of"]

GLOSS = "not ruled out as worse than the best, corrected for having looked at all"
"""What is said of those that `Standing.worse` is not true of."""

_MARKS = {"cluster": "", "question": "*", "wilson": "†"}
_THESE_ONLY = "so it holds for other questions about these documents, not for new documents"


def _kind(method: str | None) -> str:
    return (method or "").partition("-")[0]


def mark(method: str | None) -> str:
    """The mark of what was drawn again; none for whole documents.

    Example:
        >>> mark("cluster-t"), mark("question-bca"), mark("wilson")
        ('', '*', '†')
    """
    return _MARKS.get(_kind(method), "")


def interval_text(one: Standing) -> str:
    """The interval of the primary measure with its mark, a dash where there is none."""
    low, high = one.summary.low, one.summary.high
    if low is None or high is None:
        return "–"
    return f"{low:.3f}–{high:.3f}{mark(one.summary.interval)}"


def difference_text(one: Standing) -> str:
    """The difference to the best with its interval's mark; a dash for the best itself."""
    found = one.row["difference"]
    if found["mean"] is None or found["to"] == one.summary.spec:
        return "–"
    return signed(found["mean"]) + mark(found["interval"])


def footnotes(data: ResultsData, placed: Sequence[Standing]) -> list[str]:
    """A line for each kind of interval that stands beside a figure, with its mark."""
    methods = {one.summary.interval for one in placed}
    return notes_of(data, methods | {one.row["difference"]["interval"] for one in placed})


def notes_of(data: ResultsData, methods: AbstractSet[str | None]) -> list[str]:
    """A line for each kind of interval among `methods`, with its mark."""
    kinds = {_kind(method) for method in methods}
    found = []
    if "cluster" in kinds:
        limit = _limit(methods, "cluster", n_asked_about(data), "document")
        found.append(
            "95 % intervals without a mark: whole documents were drawn again, so they are about "
            f"new documents of this kind{limit}."
        )
    if "question" in kinds:
        limit = _limit(methods, "question", len(data["questions"]), "question")
        found.append(f"* questions were drawn again, {_THESE_ONLY}{limit}.")
    if "wilson" in kinds:
        found.append(
            f"† Wilson's interval of a share: it takes questions for independent, {_THESE_ONLY}."
        )
    return found


def _limit(methods: AbstractSet[str | None], unit: str, n: int, noun: str) -> str:
    """What simulation says of the coverage: docs/decisions/011-intervals.md."""
    if n >= STUDENTISED_BELOW:
        return ""
    less = "less than 95 %"
    if unit == "cluster":  # the simulated one
        less = f"{less} (83 to 94 % were seen)" if f"{unit}-bca" in methods else f"a little {less}"
    return f"; with {counted(n, noun)} they may cover {less}"
