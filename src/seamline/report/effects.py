"""What each knob does to the primary measure: a row a level, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from seamline.compare import Effect
from seamline.phrases import counted, signed
from seamline.report.charts import drawing, line, ticks_row
from seamline.report.intervals import mark
from seamline.report.markup import Markup, tag
from seamline.report.scale import Axis, axis

__all__ = ["by_weight", "effects_chart", "level_text"]

_ROW = 26  # height of a row
_WORDS = {"True": "yes", "False": "no", "None": "none"}


def by_weight(found: Sequence[Effect]) -> list[list[Effect]]:
    """The effects of each knob, that which moves most first."""
    groups = [list(own) for _, own in groupby(found, key=lambda one: one.knob)]
    return sorted(groups, key=lambda own: -max(abs(one.mean) for one in own))


def effects_chart(found: Sequence[Effect], margin: float) -> Markup:
    """Every level against the one that is most common, by knob; shaded is the margin.

    Hollow are those whose interval holds 0, or that have none.
    """
    edges = [edge for one in found for edge in (one.mean, one.low, one.high) if edge is not None]
    scale = axis([*edges, -margin, margin])
    parts = [
        tag(
            "section",
            tag("h3", own[0].knob.replace("_", " ")),
            tag("ol", *(_row(one, scale, margin) for one in own)),
        )
        for own in by_weight(found)
    ]
    last = tag("ol", tag("li", ticks_row(scale), class_="axis", aria_hidden="true"))
    return tag("div", *parts, last, class_="effects")


def _row(one: Effect, scale: Axis, margin: float) -> Markup:
    about = f"{level_text(one.level)} instead of {level_text(one.to)}"
    return tag(
        "li",
        tag("span", about, tag("small", f" {counted(one.n_pairs, 'pair')}"), class_="spec"),
        _whisker(one, scale, margin),
        tag("b", signed(one.mean) + mark(one.interval), class_="value"),
        class_="alike" if _sure(one) else "worse",
    )


def _sure(one: Effect) -> bool:
    return one.low is not None and one.high is not None and (one.low > 0 or one.high < 0)


def _whisker(one: Effect, scale: Axis, margin: float) -> Markup:
    middle, left = _ROW / 2, 100 * scale.share(-margin)
    width = 100 * scale.share(margin) - left
    zero = scale.percent(0.0)
    drawn = [
        tag("rect", x=f"{left:.2f}%", width=f"{width:.2f}%", height=_ROW, class_="band"),
        *(line(scale.percent(tick), 0, scale.percent(tick), _ROW, "grid") for tick in scale.ticks),
        line(zero, 0, zero, _ROW, "base"),
    ]
    if one.low is not None and one.high is not None:
        ends = scale.percent(one.low), scale.percent(one.high)
        drawn.append(line(ends[0], middle, ends[1], middle, "reach"))
        drawn += [line(x, middle - 4, x, middle + 4, "reach") for x in ends]
    drawn.append(tag("circle", cx=scale.percent(one.mean), cy=middle, r=5, class_="dot"))
    return drawing(_ROW, *drawn)


def level_text(level: object) -> str:
    """A level as a reader says it.

    Example:
        >>> level_text(True), level_text(512), level_text("bm25")
        ('yes', '512', 'bm25')
    """
    return _WORDS.get(str(level), str(level))
