"""Quality against cost: a point a configuration, and the frontier that nothing beats."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from seamline.bench.recommend import Option, Recommendation
from seamline.report.charts import drawing, line, places
from seamline.report.curves import spread
from seamline.report.markup import Markup, join, spec, tag
from seamline.report.model import number
from seamline.report.recommendation import axis_name, axis_text, axis_value, noun
from seamline.report.scale import Axis, axis, round_log_axis

__all__ = ["frontier"]

_PLOT = 360  # height of the points
_GAP = 15  # between two labels
_WIDE = 1000  # units across what is stretched
_ROOM = 11  # pixels between a point and its label
_TOP = -8.0  # where the highest label may be
_LOWER = "-4.5,-4 4.5,-4 0,3.5"  # the mark of a point that lies below the chart
_LEAST = 5  # margins that the chart is high, at least


def frontier(found: Recommendation, labels: Mapping[str, str]) -> Markup:
    """The chart with a list of the points that have a label; `labels` are ranks by spec.

    Labelled are those on the frontier, the best and the one to take: no point lies to
    the upper left of the first, so that there is room for their labels. Empty where
    fewer than two configurations have a score and a price.
    """
    plot = _Plot.of(found, labels)
    if plot is None:
        return Markup()
    about = f"{axis_name(found)}{plot.left_out()}"
    across = tag("p", about, class_="axis-name")
    chart = tag("div", drawing(_PLOT + 26, *plot.drawn()), across, class_="plot")
    return tag("div", chart, _legend(found, plot.marked, labels), class_="frontier")


@dataclass(frozen=True, slots=True, eq=False)
class _Plot:
    """Where everything lies: costs across, the measure up."""

    found: Recommendation
    labels: Mapping[str, str]
    points: Sequence[tuple[Option, float, float]]
    across: Axis
    up: Axis

    @classmethod
    def of(cls, found: Recommendation, labels: Mapping[str, str]) -> _Plot | None:
        """Its axes hold what is not far worse, and the intervals of the best and the choice."""
        points = [
            (one, cost, one.summary.mean)
            for one in found.options
            if one.summary.mean is not None and (cost := found.cost(one))
        ]
        if len(points) < 2:
            return None
        named = {one.spec: one for one in (found.best, found.chosen) if one}
        edges = [e for one in named.values() for e in (one.summary.low, one.summary.high)]
        near = [mean for _, _, mean in points if _near(found, mean)]
        up = axis(near + [edge for edge in edges if edge is not None])
        return cls(found, labels, points, round_log_axis(cost for _, cost, _ in points), up)

    def left_out(self) -> str:
        """How many points lie below the chart."""
        n = sum(self._below(mean) for *_, mean in self.points)
        return f"; ▾ {n} {'lies' if n == 1 else 'lie'} lower than the chart" if n else ""

    def _below(self, mean: float) -> bool:
        return mean > self.up.high if self.found.lower_is_better else mean < self.up.low

    @property
    def marked(self) -> list[Option]:
        """The options with a label, the cheapest first."""
        special = {one.spec for one in (self.found.best, self.found.chosen) if one}
        kept = [p for p in self.points if p[0].frontier or p[0].spec in special]
        return [one for one, _, _ in sorted(kept, key=lambda p: (p[1], p[2], p[0].spec))]

    def drawn(self) -> list[Markup]:
        """Everything in the chart, the most important last, so that it lies on top."""
        marked = {one.spec for one in self.marked}
        order = sorted(self.points, key=lambda p: (p[0].spec in marked, not p[0].ruled_out))
        return [
            self._frame(),
            self._line(),
            *(self._whisker(*point) for point in order if self._kind(point[0])),
            *(self._point(*point) for point in order),
            *self._labels([point for point in order if point[0].spec in marked]),
        ]

    def _y(self, value: float) -> float:
        """How far down a value lies; the better ones are up."""
        share = self.up.share(value)
        return _PLOT * (share if self.found.lower_is_better else 1 - share)

    def _kind(self, option: Option) -> str:
        if option is self.found.chosen:
            return "chosen"
        return "best" if option is self.found.best and self.found.choice else ""

    def _frame(self) -> Markup:
        parts = [self._band()]
        for tick in self.up.ticks:
            y = self._y(tick)
            parts.append(line("0", y, "100%", y, "grid"))
            parts.append(tag("text", number(tick, places(self.up)), x="100%", dx=8, y=y + 4.0))
        for tick in self.across.ticks:
            x = self.across.percent(tick)
            parts.append(line(x, 0, x, _PLOT, "grid"))
            text = axis_value(self.found, tick).replace(".0 ", " ")
            parts.append(tag("text", text, x=x, y=_PLOT + 19, text_anchor="middle"))
        return join(parts)

    def _band(self) -> Markup:
        """The values within the margin of the best."""
        best, margin = self.found.best.summary.mean, self.found.margin
        if best is None or self.found.choice is None:
            return Markup()
        worst = best + margin if self.found.lower_is_better else best - margin
        top, bottom = sorted((self._y(best), self._y(worst)))
        return tag("rect", width="100%", y=top, height=bottom - top, class_="band")

    def _line(self) -> Markup:
        """The frontier as steps: what each price buys at most."""
        edge = sorted((cost, self._y(mean)) for one, cost, mean in self.points if one.frontier)
        corners: list[str] = []
        height = math.inf
        for cost, y in edge:
            if y < height:  # what costs within 5 % may lie a little to the left of a worse one
                x = f"{_WIDE * self.across.share(cost):.1f}"
                corners += [f"{x},{height:.1f}"] if corners else []
                corners.append(f"{x},{y:.1f}")
                height = y
        if not corners:
            return Markup()
        corners.append(f"{_WIDE},{height:.1f}")
        return tag(
            "svg",
            tag("polyline", points=" ".join(corners), class_="edge"),
            width="100%",
            height=_PLOT,
            viewBox=f"0 0 {_WIDE} {_PLOT}",
            preserveAspectRatio="none",
        )

    def _whisker(self, option: Option, cost: float, _mean: float) -> Markup:
        low, high = option.summary.low, option.summary.high
        if low is None or high is None:
            return Markup()
        x = self.across.percent(cost)
        return line(x, self._y(low), x, self._y(high), "reach")

    def _point(self, option: Option, cost: float, mean: float) -> Markup:
        kind = self._kind(option)
        about = f"{option.spec}: {number(mean)}, {axis_text(self.found, option)}"
        state = "worse" if option.ruled_out else "alike"
        x, y = self.across.percent(cost), self._y(mean)
        drawn = tag(
            "circle",
            tag("title", about),
            cx=x,
            cy=y,
            r=7 if kind == "chosen" else 4.5,
            class_="dot",
        )
        if self._below(mean):
            mark = tag("polygon", tag("title", about), points=_LOWER, class_="dot")
            drawn = tag("svg", mark, x=x, y=y)
        return tag("g", drawn, class_=f"{state} {kind}".strip())

    def _labels(self, points: Iterable[tuple[Option, float, float]]) -> list[Markup]:
        """Ranks to the left of their points, moved apart up and down."""
        placed = [(one, self.across.percent(cost), self._y(mean)) for one, cost, mean in points]
        heights = _under(_TOP, spread([y - 4 for *_, y in placed], _GAP))
        return [self._label(one, x, y, at) for (one, x, y), at in zip(placed, heights, strict=True)]

    def _label(self, option: Option, x: str, y: float, at: float) -> Markup:
        leader = line("-4", y - at, f"{3 - _ROOM}", 0, "leader")
        text = tag("text", self.labels[option.spec], x=-_ROOM, y=4.0, text_anchor="end")
        inside = (tag("title", option.spec), leader, text)
        return tag("svg", *inside, x=x, y=at, class_=f"name {self._kind(option)}".strip())


def _near(found: Recommendation, mean: float) -> bool:
    """Whether a mean is not far worse than those that are not ruled out."""
    best = found.best.summary.mean
    kept = [one.summary.mean for one in found.options if not one.ruled_out]
    gaps = [abs(mean - best) for mean in kept if mean is not None and best is not None]
    most = 1.5 * max([*gaps, _LEAST * found.margin])
    return best is None or abs(mean - best) <= most


def _under(top: float, heights: Sequence[float]) -> list[float]:
    """The same heights, none above `top`, as far apart and in the same order."""
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    out = list(heights)
    for rank, i in enumerate(order):
        out[i] = max(heights[i], top + rank * _GAP)
    return out


def _legend(found: Recommendation, marked: Sequence[Option], labels: Mapping[str, str]) -> Markup:
    rows = [
        tag(
            "li",
            tag("span", labels[one.spec], class_="rank"),
            tag("span", spec(one.spec), *_words(found, one)),
            tag("b", number(one.summary.mean), class_="value"),
            tag("span", axis_text(found, one), class_="value"),
            class_="chosen" if one is found.chosen else None,
        )
        for one in marked
    ]
    about = f"The {noun(found, 2)} with a number, the cheapest first"
    return tag("ol", *rows, class_="legend", aria_label=about)


def _words(found: Recommendation, option: Option) -> list[Markup]:
    """What is special about a labelled option."""
    if found.choice is None:
        return []
    words = {"take this": option is found.chosen, "the best": option is found.best}
    return [tag("em", word) for word, holds in words.items() if holds]
