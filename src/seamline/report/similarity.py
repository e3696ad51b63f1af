"""The best cosine of each question to any chunk, against the threshold of a fallback."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

from seamline.bench.schema import ResultsData
from seamline.measure import share_under
from seamline.report.charts import ticks_row
from seamline.report.markup import Markup, join, spec, tag
from seamline.report.model import Standing
from seamline.report.scale import Axis, axis

__all__ = ["by_tag", "rare_tags", "similarities"]

_HEIGHT = 16
_WIDE = 1000
_MOST_TAGS = 12
_MOST_NAMED = 20  # tags in one line
_FEWEST = 3  # questions of a tag worth a column
_FEWEST_STRIP = 10  # questions of a tag worth a panel
_GOLDEN = 0.6180339887  # spreads neighbours apart, the same way in every run


def by_tag(
    data: ResultsData, least: int = _FEWEST
) -> tuple[list[tuple[str, list[int]]], list[tuple[str, int]]]:
    """The questions (as numbers) of each tag, frequent tags first, and the tags left out.

    Left out are tags of fewer than `least` questions and those beyond the first dozen,
    with the number of their questions. A tag that all questions have is no group.
    """
    asked = data["questions"]
    counts = Counter(tag for question in asked for tag in dict.fromkeys(question["tags"]))
    real = [(tag, n) for tag, n in counts.most_common() if n < len(asked)]
    kept = [tag for tag, n in real if n >= least][:_MOST_TAGS]
    groups = [
        (tag, [i for i, question in enumerate(asked) if tag in question["tags"]]) for tag in kept
    ]
    return groups, real[len(kept) :]


def rare_tags(rest: Sequence[tuple[str, int]]) -> Markup:
    """One line that names the tags left out with their numbers of questions."""
    if not rest:
        return Markup()
    named = ", ".join(f"{name} ({n:,})" for name, n in rest[:_MOST_NAMED])
    more = f" and {len(rest) - _MOST_NAMED:,} more" if len(rest) > _MOST_NAMED else ""
    return tag("p", f"Tags of few questions, not shown: {named}{more}.", class_="note")


def similarities(placed: Sequence[Standing], data: ResultsData) -> Markup | None:
    """A strip of points a strategy, for all questions and for each tag; None without vectors."""
    values = [[top["similarity"] if top else None for top in one.row["top1"]] for one in placed]
    known = [value for row in values for value in row if value is not None]
    if not known:
        return None
    threshold = data["config"]["threshold"]
    scale = axis([*known, threshold])
    groups, rest = by_tag(data, _FEWEST_STRIP)
    everything = list(range(len(data["questions"])))
    panels = [
        _panel(title, placed, values, chosen, scale, threshold, named=i == 0)
        for i, (title, chosen) in enumerate([("all questions", everything), *groups])
    ]
    named = legend(placed) if groups else Markup()
    return join([tag("div", *panels, class_="strips"), named, rare_tags(rest)])


def legend(placed: Sequence[Standing]) -> Markup:
    """A line that says which strategies the numbers in small panels are."""
    parts = [join([tag("b", one.label), "\u00a0", spec(one.summary.spec)]) for one in placed]
    return tag("p", join(parts, " · "), class_="note names")


def _panel(
    title: str,
    placed: Sequence[Standing],
    values: Sequence[Sequence[float | None]],
    chosen: Sequence[int],
    scale: Axis,
    threshold: float,
    *,
    named: bool,
) -> Markup:
    rows = []
    for one, row in zip(placed, values, strict=True):
        own = [(i, value) for i in chosen if (value := row[i]) is not None]
        share = share_under([value for _, value in own], threshold)
        rows.append(
            tag(
                "li",
                tag("span", one.label, class_="rank"),
                spec(one.summary.spec) if named else "",
                _strip(own, scale, threshold),
                tag("span", f"{share:.0%}" if own else "–", class_="value"),
                title=one.summary.spec,
            )
        )
    n = f" ({len(chosen):,})"
    head = tag("h3", title, tag("small", n))
    last = tag("li", ticks_row(scale), class_="axis", aria_hidden="true")
    return tag("section", head, tag("ol", *rows, last), class_="panel named" if named else "panel")


def _strip(own: Sequence[tuple[int, float]], scale: Axis, threshold: float) -> Markup:
    """Each point is a line of no length with a round end: one path holds them all."""
    paths: dict[str, list[str]] = {"under": [], "over": []}
    for i, value in own:
        x = round(_WIDE * scale.share(value))
        y = 4 + (i * _GOLDEN % 1) * (_HEIGHT - 8)
        paths["under" if value < threshold else "over"].append(f"M{x} {y:.0f}h0")
    drawn = [tag("path", d="".join(path), class_=kind) for kind, path in paths.items() if path]
    points = tag(
        "svg",
        *drawn,
        width="100%",
        height=_HEIGHT,
        viewBox=f"0 0 {_WIDE} {_HEIGHT}",
        preserveAspectRatio="none",
    )
    at = scale.percent(threshold)
    middle = scale.percent(median(value for _, value in own)) if own else None
    mark = tag("line", x1=middle, x2=middle, y1=0, y2=_HEIGHT, class_="middle") if middle else ""
    line = tag("line", x1=at, x2=at, y1=0, y2=_HEIGHT, class_="at")
    return tag("svg", line, points, mark, width="100%", height=_HEIGHT, aria_hidden="true")
