"""Recall against tokens: one curve a strategy, named at its end."""

from __future__ import annotations

from collections.abc import Sequence

from seamline.report.charts import drawing, line, places
from seamline.report.markup import Markup, join, spec, tag
from seamline.report.model import Standing, number
from seamline.report.scale import Axis, axis, log_axis

__all__ = ["curves", "spread"]

_PLOT = 340  # height of the curves
_GAP = 14  # between two labels, so that they can be read
_WIDE = 1000  # units across what is stretched
_STYLES = 24  # six colours by four kinds of dashes


def _series(place: int) -> str:
    """The class that gives a strategy its colour and its dashes."""
    return f"s{(place - 1) % _STYLES}"


def curves(placed: Sequence[Standing], budget: int) -> Markup:
    """Recall against the token budget, a line a strategy, numbered by rank at its left end."""
    budgets = placed[0].row["curve"]["budgets"]
    recalls = [(one, one.row["curve"]["recall"]) for one in placed]
    across = log_axis([float(value) for value in budgets])
    up = axis((value for _, row in recalls for value in row if value is not None), high=1.0)
    drawn = [_frame(across, up, budget)]
    starts = [(one, _height(up, row[0])) for one, row in recalls if row[0] is not None]
    drawn += [_curve(one, budgets, row, across, up) for one, row in reversed(recalls)]
    labels = spread([y for _, y in starts], _GAP)
    drawn += [_label(one, y, at) for (one, y), at in zip(starts, labels, strict=True)]
    plot = tag("div", drawing(_PLOT + 26, *drawn), class_="plot")
    return tag("div", plot, _legend(placed), class_="curves")


def _height(up: Axis, value: float | None) -> float:
    return _PLOT * (1 - up.share(value or 0.0))


def _frame(across: Axis, up: Axis, budget: int) -> Markup:
    parts = []
    for tick in up.ticks:
        y = _height(up, tick)
        parts.append(line("0", y, "100%", y, "grid"))
        parts.append(tag("text", number(tick, places(up)), x="100%", dx=8, y=y + 4.0))
    for tick in across.ticks:
        x = across.percent(tick)
        parts.append(line(x, 0, x, _PLOT, "at" if tick == budget else "grid"))
        label = tag("text", number(tick, 0), x=x, y=_PLOT + 19, text_anchor="middle")
        parts.append(label)
    return join(parts)


def _curve(
    one: Standing, budgets: Sequence[int], recall: Sequence[float | None], across: Axis, up: Axis
) -> Markup:
    known = [
        (float(budget), value)
        for budget, value in zip(budgets, recall, strict=True)
        if value is not None
    ]
    points = " ".join(
        f"{_WIDE * across.share(budget):.0f},{_height(up, value):.1f}" for budget, value in known
    )
    stretched = tag(
        "svg",
        tag("polyline", points=points),
        width="100%",
        height=_PLOT,
        viewBox=f"0 0 {_WIDE} {_PLOT}",
        preserveAspectRatio="none",
    )
    dots = [
        tag("circle", cx=across.percent(budget), cy=_height(up, value), r=2.5)
        for budget, value in known
    ]
    return tag("g", stretched, *dots, class_=f"line {_series(one.place)}", data_s=one.place - 1)


def _label(one: Standing, y: float, at: float) -> Markup:
    leader = line("-5", y, "-16", at, "leader")
    text = tag("text", one.label, x=-20, y=at + 4.0, text_anchor="end")
    return tag(
        "g",
        tag("title", one.summary.spec),
        leader,
        text,
        class_=f"name {_series(one.place)}",
        data_s=one.place - 1,
    )


def _legend(placed: Sequence[Standing]) -> Markup:
    sample = line("1", 6, "35", 6, "sample")
    keys = [
        tag(
            "li",
            tag(
                "button",
                tag("span", one.label, class_="rank"),
                tag("svg", sample, width=36, height=12, aria_hidden="true"),
                spec(one.summary.spec),
                tag("span", number(one.row["curve"]["area"]), class_="value"),
                type="button",
                class_=_series(one.place),
                data_s=one.place - 1,
                aria_pressed="false",
            ),
        )
        for one in placed
    ]
    return tag("ol", *keys, class_="legend")


def spread(values: Sequence[float], gap: float) -> list[float]:
    """Places at least `gap` apart, in the order of the values, as near to them as can be.

    Example:
        >>> spread([10.0, 12.0, 40.0], 4.0)
        [9.0, 13.0, 40.0]
    """
    order = sorted(range(len(values)), key=lambda i: values[i])
    blocks: list[tuple[float, int]] = []  # sums and counts of what must move together
    for i, index in enumerate(order):
        blocks.append((values[index] - i * gap, 1))
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] > blocks[-1][0] / blocks[-1][1]:
            (total, n), (more, m) = blocks[-2:]
            blocks[-2:] = [(total + more, n + m)]
    moved = [total / n for total, n in blocks for _ in range(n)]
    out = [0.0] * len(values)
    for i, index in enumerate(order):
        out[index] = moved[i] + i * gap
    return out
