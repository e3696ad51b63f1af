"""What is to be said of questions that nobody asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from seamline.bench.schema import ResultsData
from seamline.bench.sources import PEOPLE_TAG, SYNTHETIC_TAG
from seamline.golden.rows import KNOWN_ITEM
from seamline.phrases import counted
from seamline.report.model import Standing, number

__all__ = ["synthetic", "who_asked"]


def synthetic(
    data: ResultsData, placed: Sequence[Standing], chosen: str | None = None
) -> list[str]:
    """How many questions are synthetic, and who is best on them and on the others, apart.

    `chosen` is the one to take: how it does on the questions of people is said too.
    """
    n, asked = _n(data, SYNTHETIC_TAG), len(data["questions"])
    said = who_asked(n, asked, n_items=_n(data, KNOWN_ITEM))
    if said and n < asked and len(placed) > 1:
        said += f" {_apart(data, placed, asked - n, chosen)}."
    return [said] if said else []


def who_asked(n: int, asked: int, *, n_items: int) -> str:
    """How many of the questions `asked` are synthetic, `n_items` known items; empty for none.

    Example:
        >>> who_asked(3, 8, n_items=0)
        '3 of 8 questions are synthetic: no person asked them.'
    """
    if not n:
        return ""
    who = f"All {counted(n, 'question')}" if n == asked else f"{n:,} of {asked:,} questions"
    said = f"{who} {_plural(n, 'is', 'are')} synthetic: no person asked {_plural(n, 'it', 'them')}"
    if n_items:
        some = "all of them" if n_items == n else f"{n_items:,} of them"
        said += (
            f", and {some} {_plural(n_items, 'asks', 'ask')} in the documents' own words, which "
            "favours strategies that index headings or cut by structure"
        )
    return f"{said}."


def _apart(data: ResultsData, placed: Sequence[Standing], n_others: int, chosen: str | None) -> str:
    """Who is best on the questions of people, how the choice does on them, who on the others."""
    people, others = (_means(data, placed, tag) for tag in (PEOPLE_TAG, SYNTHETIC_TAG))
    primary, asked = data["config"]["primary"], _plural(n_others, "question", "questions")
    said = f"On the {n_others:,} {asked} of people alone {_best(data, people)} ({primary} "
    said += f"{number(_of(data, people))})"
    if chosen in people and people[chosen] != _of(data, people):
        said += f", and {chosen}, which is the one to take, has {number(people[chosen])}"
    return f"{said}; on the synthetic ones {_best(data, others)} ({number(_of(data, others))})"


def _plural(n: int, one: str, many: str) -> str:
    return one if n == 1 else many


def _n(data: ResultsData, tag: str) -> int:
    return sum(tag in question["tags"] for question in data["questions"])


def _means(data: ResultsData, placed: Sequence[Standing], tag: str) -> dict[str, float | None]:
    """The primary measure of each on the questions of a tag, the best placed first."""
    primary = data["config"]["primary"]
    return {one.summary.spec: one.row["by_tag"][tag][primary]["mean"] for one in placed}


def _of(data: ResultsData, means: Mapping[str, float | None]) -> float | None:
    """The best of the means."""
    known = [mean for mean in means.values() if mean is not None]
    lower = data["config"]["lower_is_better"]
    return (min if lower else max)(known, default=None)


def _best(data: ResultsData, means: Mapping[str, float | None]) -> str:
    """Who has the best mean, with its verb; of several how many they are."""
    best = _of(data, means)
    those = [spec for spec, mean in means.items() if mean == best]
    if len(those) == 1:
        return f"{those[0]} is best"
    return f"{len(those)} of {len(means)} are best"
