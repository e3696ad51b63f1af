"""The section of the HTML report that says why questions failed, and what would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamline.bench import Results
from seamline.bench.recommend import Recommendation
from seamline.bench.schema import DiagnosisRow, ResultsData
from seamline.phrases import counted
from seamline.report.advice import advise, told_about
from seamline.report.charts import drawing
from seamline.report.evidence import Section
from seamline.report.labels import LABELS, cutoff_text
from seamline.report.markup import Markup, measure, spec, table, tag, with_specs
from seamline.report.model import Standing, columns, number

__all__ = ["failed", "failed_rows"]

_NAMES = list(LABELS)


def failed(results: Results, placed: Sequence[Standing], advised: Recommendation) -> Section | None:
    """Failed questions by label for each strategy explained, and what would help the one to take.

    None where nothing was explained, or nothing failed.
    """
    data = results.data
    rows = {row["spec"]: row for row in data.get("diagnosis", [])}
    found = told_about(results, advised)
    told = [one for one in placed if one.summary.spec in rows]
    if found is None or not any(rows[one.summary.spec]["labels"] for one in told):
        return None
    content = (
        tag("h2", "Why questions failed"),
        tag(
            "p",
            f"A question failed where its whole gold is not shown within {cutoff_text(found)}. "
            "What would have happened otherwise was tried for each: with copies taken out, with "
            "the gold alone in place of its chunk. The first label that fits is given. Open a "
            "strategy to read its questions.",
            class_="lead",
        ),
        _legend(),
        tag("div", *(_bar(one, rows[one.summary.spec]) for one in told), class_="held failed"),
        *_lost(data),
        *_help(results, found),
        _counts(data, told, rows),
        _ceiling(data, placed, found),
    )
    return Section("failed", "Failures", content)


def _legend() -> Markup:
    parts = [
        tag("li", tag("span", class_=f"key l{i}"), tag("b", name), f": {LABELS[name]}")
        for i, name in enumerate(_NAMES)
    ]
    return tag("ul", *parts, class_="labels")


def _bar(one: Standing, row: DiagnosisRow) -> Markup:
    n = len(row["labels"])
    parts = (
        tag("span", one.label, class_="rank"),
        spec(one.summary.spec),
        _stack(row),
        tag("b", f"{n:,}", class_="value"),
        tag("span", f"of {row['n']:,}", class_="note"),
    )
    if not row["details"]:
        return tag("div", *parts, class_="row")
    later = tag("div", "The questions are shown by a script.", data_failed=one.place - 1)
    return tag("details", tag("summary", *parts, class_="row"), later)


def _stack(row: DiagnosisRow) -> Markup:
    """The share of the questions with each label, side by side."""
    drawn = [tag("rect", width="100%", height=10, y=2, rx=2, class_="frame")]
    at = 0.0
    for i, name in enumerate(_NAMES):
        share = 100 * row["counts"][name] / max(row["n"], 1)
        if share:
            width, x = f"{share:.2f}%", f"{at:.2f}%"
            drawn.append(tag("rect", x=x, width=width, height=10, y=2, class_=f"l{i}"))
        at += share
    return drawing(14, *drawn)


def _lost(data: ResultsData) -> list[Markup]:
    """The questions whose gold no document holds; they are in no mean."""
    rows = [[one["id"], one["why"]] for one in data["skipped"] if one["why"].startswith("lost")]
    if not rows:
        return []
    listed = table(["question", "why"], rows, caption="Lost in parsing", text_columns=2)
    title = f"{counted(len(rows), 'question')} lost in parsing, in no mean"
    return [tag("details", tag("summary", title), listed)]


def _help(results: Results, found: DiagnosisRow) -> list[Markup]:
    specs = [row["spec"] for row in results.data["strategies"]]
    items = [
        tag(
            "li",
            with_specs(one.seen, specs),
            ". ",
            tag("b", f"{one.do}."),
            " ",
            with_specs(f"{one.known}.", specs),
        )
        for one in advise(results, found)
    ]
    if not items:
        return []
    return [tag("h3", "What would help ", spec(found["spec"])), tag("ul", *items, class_="advice")]


def _counts(
    data: ResultsData, told: Sequence[Standing], rows: Mapping[str, DiagnosisRow]
) -> Markup:
    primary = data["config"]["primary"]
    head = ["", "strategy", "failed", *_NAMES, "ceiling"]
    body = []
    for one in told:
        row = rows[one.summary.spec]
        counts = (f"{row['counts'][name]:,}" for name in _NAMES)
        ceiling = number(row["oracle"].get(primary))
        failures = f"{len(row['labels']):,}"
        body.append([one.label, spec(one.summary.spec), failures, *counts, ceiling])
    made = table(head, body, caption="Failed questions by label", text_columns=2)
    return tag("details", tag("summary", "The same as a table"), made)


def _ceiling(data: ResultsData, placed: Sequence[Standing], found: DiagnosisRow) -> Markup:
    """The measures of the one explained, and below them how far it could go."""
    names = [name for name in columns(data) if name in found["oracle"]]
    own = next(one for one in placed if one.summary.spec == found["spec"])
    rows = [
        ["as it is", *(number(own.summary.means[name], _places(name)) for name in names)],
        ["ceiling", *(number(found["oracle"][name], _places(name)) for name in names)],
    ]
    caption = (
        "The ceiling of this embedder and ranking: for each question, and each measure for "
        "itself, the best of all cuts measured with it and of the gold cut exactly"
    )
    return table([found["spec"], *map(measure, names)], rows, caption=caption)


def _places(name: str) -> int:
    return 0 if name.startswith("Tokens") else 3


def failed_rows(data: ResultsData, spec_: str, indices: Mapping[str, int]) -> list[list[Any]]:
    """What the scripts show of failed questions: a row each, by label.

    Question, label, slot, rank of its chunk and of the gold alone (null: none), and what
    else finds it.
    """
    found = next((row for row in data.get("diagnosis", []) if row["spec"] == spec_), None)
    if found is None:
        return []
    rows = [
        [
            indices[name],
            _NAMES.index(found["labels"][name]),
            one["slot"],
            one["rank"],
            one["exact_rank"],
            [arm for arm, ids in found["found_by"].items() if name in ids],
        ]
        for name, one in found["details"].items()
    ]
    return sorted(rows, key=lambda row: (row[1], row[0]))
