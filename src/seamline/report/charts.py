"""Charts as SVG inside HTML: widths in percent, so that one drawing fits every screen.

Heights and text are in pixels and never scale; only curves and clouds of points
are stretched, with strokes that keep their width.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from seamline.report.intervals import mark
from seamline.report.markup import Markup, spec, tag
from seamline.report.model import Standing, number
from seamline.report.scale import Axis, axis

__all__ = ["bar", "drawing", "histograms", "line", "places", "ticks_row", "whiskers"]

_ROW = 26  # height of a row of the ranking
_BARS = 72  # height of a histogram


def drawing(height: int, *children: str, class_: str | None = None) -> Markup:
    """An SVG as wide as there is room; it says nothing that a table does not say too."""
    return tag("svg", *children, width="100%", height=height, class_=class_, aria_hidden="true")


def line(x1: str, y1: float, x2: str, y2: float, class_: str) -> Markup:
    """A straight line between lengths across (percent or pixels) and pixels down."""
    return tag("line", x1=x1, y1=float(y1), x2=x2, y2=float(y2), class_=class_)


def _grid(scale: Axis, height: int) -> list[Markup]:
    marks = map(scale.percent, scale.ticks)
    return [line(x, 0, x, height, "grid") for x in marks]


def ticks_row(scale: Axis) -> Markup:
    """The numbers under a horizontal axis, on a logarithmic one each with its own decimals."""
    texts = [
        tag("text", number(tick, n), x=scale.percent(tick), y=14, text_anchor="middle")
        for tick in scale.ticks
        for n in [_decimals(tick) if scale.log else places(scale)]
    ]
    return drawing(18, *texts, class_="ticks")


def places(scale: Axis) -> int:
    """Decimals that tell the ticks apart."""
    return max(map(_decimals, scale.ticks))


def _decimals(tick: float) -> int:
    return len(f"{tick:g}".partition(".")[2])


def bar(share: float | None) -> Markup:
    """A bar of a share, 0 to 1, in its frame."""
    full = tag("rect", width="100%", height=10, y=2, rx=2, class_="frame")
    part = tag("rect", width=f"{100 * (share or 0):.2f}%", height=10, y=2, rx=2, class_="bar")
    return drawing(14, full, part)


def whiskers(placed: Sequence[Standing], primary: str) -> Markup:
    """The primary measure of each strategy with its interval, best first."""
    edges = [(one.summary.mean, one.summary.low, one.summary.high) for one in placed]
    scale = axis(value for row in edges for value in row if value is not None)
    rows = [
        tag(
            "li",
            tag("span", one.label, class_="rank"),
            spec(one.summary.spec),
            _whisker(one, scale),
            tag("b", f"{number(one.summary.mean)}{mark(one.summary.interval)}", class_="value"),
            class_="worse" if one.worse else "alike",
        )
        for one in placed
    ]
    last = tag("li", ticks_row(scale), class_="axis", aria_hidden="true")
    return tag("ol", *rows, last, class_="whiskers", aria_label=f"{primary} with its interval")


def _whisker(one: Standing, scale: Axis) -> Markup:
    low, high, mean, middle = one.summary.low, one.summary.high, one.summary.mean, _ROW / 2
    drawn = _grid(scale, _ROW)
    if low is not None and high is not None:
        ends = scale.percent(low), scale.percent(high)
        drawn.append(line(ends[0], middle, ends[1], middle, "reach"))
        drawn += [line(x, middle - 4, x, middle + 4, "reach") for x in ends]
    if mean is not None:
        drawn.append(tag("circle", cx=scale.percent(mean), cy=middle, r=5, class_="dot"))
    return drawing(_ROW, *drawn)


def histograms(placed: Sequence[Standing]) -> Markup:
    """The sizes of each strategy's chunks in tokens, all to one scale."""
    tallest = max((max(_shares(one), default=0.0) for one in placed), default=0.0) or 1.0
    return tag("div", *(_panel(one, tallest) for one in placed), class_="panels")


def _shares(one: Standing) -> list[float]:
    counts = one.row["size"]["tokens"]["histogram"]["counts"]
    total = sum(counts) or 1
    return [count / total for count in counts]


def _panel(one: Standing, tallest: float) -> Markup:
    size, shares = one.row["size"]["tokens"], _shares(one)
    width = 100 / max(len(shares), 1)
    bars = [
        tag(
            "rect",
            x=f"{i * width:.2f}%",
            width=f"{width * 0.86:.2f}%",
            y=_BARS * (1 - share / tallest),
            height=_BARS * share / tallest,
            class_="bar",
        )
        for i, share in enumerate(shares)
        if share
    ]
    edges = _edges(size["histogram"]["edges"], width)
    about = (
        f"median {number(size['median'], 0)}, nine in ten {number(size['p5'], 0)} to "
        f"{number(size['p95'], 0)}"
    )
    drawn = drawing(_BARS + 18, *bars, line("0", _BARS, "100%", _BARS, "base"), *edges)
    name = tag("h3", tag("span", one.label, class_="rank"), spec(one.summary.spec))
    return tag("section", name, drawn, tag("p", about, class_="note"), class_="panel")


def _edges(edges: Iterable[int], width: float) -> list[Markup]:
    return [
        tag(
            "text",
            number(edge, 0),
            x=f"{i * width:.2f}%",
            y=_BARS + 14,
            text_anchor="start" if i == 0 else "middle",
        )
        for i, edge in enumerate(edges)
        if edge in (0, 100, 300, 1_000)
    ]
