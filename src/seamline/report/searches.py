"""The section of the HTML report about searching through a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from seamline.bench import Results
from seamline.phrases import signed
from seamline.report.charts import drawing, line, ticks_row
from seamline.report.evidence import Section
from seamline.report.markup import Markup, join, measure, spec, table, tag
from seamline.report.model import MOST_DRAWN, Standing, drawn, number
from seamline.report.scale import Axis, axis, round_log_axis
from seamline.report.through import NOTE, Searched, searched, store_columns

__all__ = ["searches"]

_ROW = 26  # height of a row
_CLOCKED = ("p50_ms", "p95_ms", "p99_ms")


def searches(
    results: Results, placed: Sequence[Standing], timings: Mapping[str, Any]
) -> Section | None:
    """Exact beside through the store, what a search took, and the table; None without a store."""
    found = searched(results, placed, timings)
    if not found:
        return None
    kept, (_, said) = found[:MOST_DRAWN], drawn([one.standing for one in found])
    primary = found[0].row["measure"]
    order = "The best through the store stands first, with the rank of the exact ranking."
    lead = f"{NOTE[0].upper()}{NOTE[1:]} {order}{said}"
    content = (
        tag("h2", "Through the store"),
        tag("p", lead, class_="lead"),
        tag("h3", f"{primary} through the store and exact"),
        _losses(kept, primary),
        _key(),
        *_latencies(kept),
        _table(found, primary),
    )
    return Section("through", "Store", content)


def _table(found: Sequence[Searched], primary: str) -> Markup:
    """The columns that the terminal has, with the rank beside the strategy."""
    first, *rest = store_columns(found)
    heads = ["", "strategy", measure(primary), *(one.head.replace("\n", " ") for one in rest)]
    rows = [
        [one.standing.label, spec(one.row["spec"]), *(column.cells[i] for column in (first, *rest))]
        for i, one in enumerate(found)
    ]
    return table(heads, rows, caption="All strategies through the store", text_columns=2)


def _key() -> Markup:
    alike, worse = (tag("span", class_=f"dot {kind}") for kind in ("alike", "worse"))
    text = " exact · at the right: the loss"
    return tag("p", alike, " through the store · ", worse, text, class_="note")


def _losses(kept: Sequence[Searched], primary: str) -> Markup:
    """A dot through the store and a ring exact, on the scale of the ranking's intervals."""
    edges = [(one.standing.summary.low, one.standing.summary.high) for one in kept]
    means = [(one.row["exact"], one.row["through"]) for one in kept]
    scale = axis(_known(value for pair in (*edges, *means) for value in pair))

    def marks(one: Searched) -> list[Markup]:
        return _pair(scale, one.row["exact"], one.row["through"])

    about = f"{primary} through the store and exact"
    return _rows(kept, scale, marks=marks, value=lambda one: signed(one.loss), about=about)


def _pair(scale: Axis, exact: float | None, through: float | None) -> list[Markup]:
    """Both means and the way between them; the ring is larger, so that equal ones show both."""
    found = []
    if exact is not None and through is not None:
        ends = scale.percent(exact), scale.percent(through)
        found.append(line(ends[0], _ROW / 2, ends[1], _ROW / 2, "reach"))
    if exact is not None:
        found.append(tag("g", _dot(scale, exact, 7), class_="worse"))
    if through is not None:
        found.append(_dot(scale, through, 4))
    return found


def _dot(scale: Axis, value: float, radius: int) -> Markup:
    return tag("circle", cx=scale.percent(value), cy=_ROW / 2, r=radius, class_="dot")


def _latencies(kept: Sequence[Searched]) -> list[Markup]:
    """The milliseconds of a search on a logarithmic scale; nothing where none were kept."""
    known = _known(one.clocked.get(key) for one in kept for key in _CLOCKED)
    if not known:
        return []
    scale = round_log_axis(known)

    def marks(one: Searched) -> list[Markup]:
        return _tail(scale, *(one.clocked.get(key) for key in _CLOCKED))

    def value(one: Searched) -> str:
        return number(one.clocked.get("p50_ms"), 2)

    about = "Of 100 searches 50 took no longer than the point says, 95 and 99 than the marks."
    return [
        tag("h3", "Milliseconds of a search"),
        _rows(kept, scale, marks=marks, value=value, about="Milliseconds of a search"),
        tag("p", f"{about} The scale is logarithmic; at the right: p50.", class_="note"),
    ]


def _tail(scale: Axis, p50: float | None, p95: float | None, p99: float | None) -> list[Markup]:
    if p50 is None or p95 is None or p99 is None:
        return []
    middle = _ROW / 2
    start, *marks = (scale.percent(max(value, scale.low)) for value in (p50, p95, p99))
    return [
        line(start, middle, marks[-1], middle, "reach"),
        *(line(x, middle - 4, x, middle + 4, "reach") for x in marks),
        _dot(scale, max(p50, scale.low), 5),
    ]


def _rows(
    kept: Sequence[Searched],
    scale: Axis,
    *,
    marks: Callable[[Searched], Iterable[Markup]],
    value: Callable[[Searched], str],
    about: str,
) -> Markup:
    """A row a strategy, as the ranking has them: rank, strategy, drawing, value."""
    ticks = [scale.percent(tick) for tick in scale.ticks]
    grid = join(line(x, 0, x, _ROW, "grid") for x in ticks)
    rows = [
        tag(
            "li",
            tag("span", one.standing.label, class_="rank"),
            spec(one.row["spec"]),
            drawing(_ROW, grid, *marks(one)),
            tag("b", value(one), class_="value"),
        )
        for one in kept
    ]
    last = tag("li", ticks_row(scale), class_="axis", aria_hidden="true")
    return tag("ol", *rows, last, class_="whiskers", aria_label=about)


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
