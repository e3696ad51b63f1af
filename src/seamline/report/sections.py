"""The sections of the HTML report, in reading order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamline.bench import Results
from seamline.bench.recommend import Recommendation
from seamline.bench.schema import ResultsData
from seamline.measure import parse_measure
from seamline.report.charts import histograms, whiskers
from seamline.report.choice import knobs, opening, quality_and_cost
from seamline.report.curves import curves
from seamline.report.evidence import Section, containment, questions, settings, similarity
from seamline.report.expenses import expenses
from seamline.report.failed import failed
from seamline.report.intervals import GLOSS, difference_text, footnotes, interval_text
from seamline.report.markup import Markup, join, measure, spec, table, tag
from seamline.report.model import Standing, columns, drawn, first_of_cuts, number
from seamline.report.searches import searches
from seamline.report.similarity import by_tag, rare_tags

__all__ = ["Section", "sections"]


def sections(
    results: Results,
    placed: Sequence[Standing],
    found: Recommendation,
    *,
    timings: Mapping[str, Any],
    texts: Mapping[str, str],
) -> list[Section]:
    """All sections; `texts` are the documents whose text the file holds."""
    data = results.data
    parts = [
        opening(results, found),
        _ranking(data, placed),
        quality_and_cost(found, placed),
        knobs(results, found),
        failed(results, placed, found),
        _curve(data, placed),
        _tags(data, placed),
        _sizes(placed),
        similarity(data, placed),
        containment(placed),
        questions(data, texts),
        searches(results, placed, timings),
        Section("costs", "Costs", (tag("h2", "Costs and time"), *expenses(placed, timings))),
        settings(data),
    ]
    return [section for section in parts if section is not None]


_DIFFERENCE = (
    "Δ best is the paired difference to the best strategy, of each alone. Equal values share a "
    "rank."
)


def _p(text: str, class_: str = "lead") -> Markup:
    return tag("p", text, class_=class_)


def _ranking(data: ResultsData, placed: Sequence[Standing]) -> Section:
    primary = data["config"]["primary"]
    about = parse_measure(primary).about
    names = columns(data)
    many = len(placed) > 1
    head = ["", "strategy", measure(primary), "95 % interval", *(["Δ best"] if many else [])]
    head += map(measure, names[1:])
    rows = [
        [
            one.label,
            spec(one.summary.spec),
            number(one.summary.mean),
            interval_text(one),
            *([difference_text(one)] if many else []),
            *(_cell(name, one.summary.means[name]) for name in names[1:]),
        ]
        for one in placed
    ]
    content = (
        tag("h2", f"Ranking by {primary}"),
        _p(f"{about[0].upper()}{about[1:]}; {_same_price(data)}."),
        whiskers(placed, primary),
        *([_key()] if many else []),
        table(head, rows, caption="All strategies, best first", text_columns=2),
        *([_p(_DIFFERENCE, "note")] if many else []),
        *(_p(line, "note") for line in footnotes(data, placed)),
    )
    return Section("ranking", "Ranking", content)


def _key() -> Markup:
    alike, worse = (tag("span", class_=f"dot {kind}") for kind in ("alike", "worse"))
    return tag("p", alike, f" {GLOSS} · ", worse, " ruled out", class_="note")


def _same_price(data: ResultsData) -> str:
    config = data["config"]
    if config["primary"].endswith("t"):
        return "every strategy may show the same number of tokens"
    return f"mind that {config['k']} large chunks show more text than {config['k']} small ones"


def _cell(name: str, value: float | None) -> str:
    return number(value, 0 if name.startswith("Tokens") else 3)


def _curve(data: ResultsData, placed: Sequence[Standing]) -> Section:
    best, said = drawn(placed)
    budgets = placed[0].row["curve"]["budgets"]
    rows = [[spec(one.summary.spec), *map(number, one.row["curve"]["recall"])] for one in placed]
    values = table(
        ["strategy", *(f"{budget:,}" for budget in budgets)],
        rows,
        caption="Recall at each budget of tokens",
    )
    content = (
        tag("h2", "Recall against tokens"),
        _p(
            "How much of the gold the reader is shown when the ranking is cut off at a budget of "
            "tokens. Left is cheap; the number behind each name is the mean height of its curve."
            f"{said}"
        ),
        curves(best, data["config"]["budget"]),
        tag("details", tag("summary", "The same as a table"), values),
    )
    return Section("curves", "Tokens", content)


def _tags(data: ResultsData, placed: Sequence[Standing]) -> Section | None:
    groups, rest = by_tag(data)
    if not groups:
        return None
    primary = data["config"]["primary"]
    rows = [
        [
            spec(one.summary.spec),
            *(number(one.row["by_tag"][name][primary]["mean"]) for name, _ in groups),
        ]
        for one in placed
    ]
    head = ["strategy", *(join([name, tag("small", f" ({len(own):,})")]) for name, own in groups)]
    content = (
        tag("h2", f"{primary} by tag"),
        _p("In brackets the questions of each tag; few questions say little."),
        table(head, rows, caption=f"{primary} by tag"),
        rare_tags(rest),
    )
    return Section("tags", "Tags", content)


def _sizes(placed: Sequence[Standing]) -> Section:
    best, said = drawn(first_of_cuts(placed))
    content = (
        tag("h2", "Chunk sizes"),
        _p(
            "Share of chunks by size in tokens. Bars are equally wide but their steps grow, from "
            "25 tokens at the left to thousands at the right; all panels share one height."
            f"{said}"
        ),
        histograms(best),
    )
    return Section("sizes", "Sizes", content)
