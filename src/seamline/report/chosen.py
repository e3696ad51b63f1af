"""A recommendation for a terminal of 80 columns or more."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from seamline.bench import Results
from seamline.bench.recommend import Option, Recommendation
from seamline.phrases import rounded_share
from seamline.report.headline import headline
from seamline.report.layout import Fitted, broken
from seamline.report.model import number
from seamline.report.plain import one_line
from seamline.report.recommendation import axis_name, axis_text, noun
from seamline.report.terminal import plain_table

__all__ = ["recommendation_text"]

_NUMBERS = 44  # columns that all but the name take
_NAME = 28  # columns that a name has at least


def recommendation_text(results: Results, found: Recommendation) -> RenderableType:
    """Five sentences, the frontier as a table, and what limits all of it."""
    said = headline(results, found)
    title = Text(f"{one_line(said.title)}.", style="bold")
    lines = [Text(one_line(sentence)) for sentence in said.sentences]
    cautions = [Text(f"! {one_line(caution)}", style="yellow") for caution in said.cautions]
    compared = found.choice is not None and len(found.options) > 1
    shown = [_frontier(found), Text()] if compared else []
    parts = Group(title, *lines, Text(), *shown, *cautions)
    return Fitted(lambda _: parts)


def _frontier(found: Recommendation) -> RenderableType:
    """What scores more than all that is cheaper, the best and the one to take."""
    special = [one for one in (found.best, found.chosen) if one is not None]
    kept = [one for one in found.options if one.frontier or one in special]
    kept.sort(key=lambda one: (found.cost(one) or 0.0, one.summary.mean or 0.0))
    note = f"→ take · cost: {axis_name(found)} · best in: share of redraws in which it is best"
    table = Fitted(lambda width: _table(found, kept, max(width - _NUMBERS, _NAME)))
    return Group(table, Text(note, style="dim"))


def _table(found: Recommendation, kept: Sequence[Option], name: int) -> Table:
    table = plain_table()
    table.add_column("", no_wrap=True)
    table.add_column(f"Frontier: {noun(found, 2)}", max_width=name, overflow="fold")
    for head in (found.primary, "95 %\ninterval", "Cost", "Best\nin"):
        table.add_column(Text(head), justify="right", no_wrap=True)
    for one in kept:
        own = one.summary
        edges = "–" if own.low is None else f"{number(own.low)}–{number(own.high)}"
        table.add_row(
            "→" if one is found.chosen else "",
            Text(broken(one_line(own.spec), name)),
            number(own.mean),
            edges,
            axis_text(found, one),
            "–" if one.p_best is None else rounded_share(one.p_best),
            style="bold" if one is found.chosen else "",
        )
    return table
