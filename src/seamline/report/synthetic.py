"""What is to be said of questions that nobody asked."""

from __future__ import annotations

from collections.abc import Sequence

from seamline.bench.schema import ResultsData
from seamline.bench.sources import PEOPLE_TAG, SYNTHETIC_TAG
from seamline.golden.rows import KNOWN_ITEM
from seamline.report.model import Standing, counted, number

__all__ = ["synthetic"]


def synthetic(data: ResultsData, placed: Sequence[Standing]) -> list[str]:
    """How many questions are synthetic, and who is best on them and on the others, apart."""
    n, asked = _n(data, SYNTHETIC_TAG), len(data["questions"])
    if not n:
        return []
    who = f"All {counted(n, 'question')}" if n == asked else f"{n:,} of {asked:,} questions"
    said = f"{who} {_plural(n, 'is', 'are')} synthetic: no person asked {_plural(n, 'it', 'them')}"
    n_items = _n(data, KNOWN_ITEM)
    if n_items:
        some = "all of them" if n_items == n else f"{n_items:,} of them"
        said += (
            f", and {some} {_plural(n_items, 'asks', 'ask')} in the documents' own words, which "
            "favours strategies that index headings or cut by structure"
        )
    said += "."
    if n < asked and len(placed) > 1:
        said += f" {_apart(data, placed, asked - n)}."
    return [said]


def _apart(data: ResultsData, placed: Sequence[Standing], n_others: int) -> str:
    """Who is best on the questions of people, and who on the synthetic ones."""
    (best, mean), (other, other_mean) = (
        _best(data, placed, tag) for tag in (PEOPLE_TAG, SYNTHETIC_TAG)
    )
    primary = data["config"]["primary"]
    others = f"{n_others:,} {_plural(n_others, 'other', 'others')}"
    said = f"On the {others} alone {best} is best ({primary} {number(mean)})"
    same = "it is" if other == best else f"{other} is"
    return f"{said}, on the synthetic ones {same} ({number(other_mean)})"


def _plural(n: int, one: str, many: str) -> str:
    return one if n == 1 else many


def _n(data: ResultsData, tag: str) -> int:
    return sum(tag in question["tags"] for question in data["questions"])


def _best(data: ResultsData, placed: Sequence[Standing], tag: str) -> tuple[str, float | None]:
    """Who has the best primary measure on the questions of a tag; the better placed of equals."""
    primary, lower = data["config"]["primary"], data["config"]["lower_is_better"]
    means = {one.summary.spec: one.row["by_tag"][tag][primary]["mean"] for one in placed}
    known = {spec: mean for spec, mean in means.items() if mean is not None}
    if not known:
        return placed[0].summary.spec, None
    best = (min if lower else max)(known, key=lambda spec: known[spec])
    return best, known[best]
