"""Strategies compared, as a table with what follows from it and what does not."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from seamline.bench.against import Against, By
from seamline.compare import Comparison, Stratum
from seamline.compare.verdict import Verdict
from seamline.phrases import signed
from seamline.report.compared import WIDER, cautions, leading_text, notes, sentences, title
from seamline.report.layout import Column, Fitted, broken
from seamline.report.model import number
from seamline.report.plain import one_line
from seamline.report.terminal import plain_table

__all__ = ["comparing_text"]

_STYLES: dict[Verdict, str] = {
    "BETTER": "green",
    "WORSE": "red",
    "EQUIVALENT": "bold",
    "NOT SEPARABLE": "",
    "UNRESOLVABLE": "dim",
}
_HEADS: dict[By, str] = {"tag": "Tag", "kind": "Kind", "document": "Document"}
_DIFFERENCE = "Differ-\nence"
_GAP = 2  # blanks between columns
_LEAST_NAME = 12  # columns that a strategy has at least


def comparing_text(found: Against, *, by: By | None = None) -> RenderableType:
    """The comparisons with their verdicts, also by parts of the questions, and what limits them."""

    def make(width: int) -> RenderableType:
        parts: list[RenderableType] = [Text(title(found), style="bold"), "", _table(found, width)]
        if by is not None:
            head = Text(leading_text(found, by), style="bold")
            parts += ["", head]
            parts += ["", _strata(found.strata[by], by, width)] if found.strata[by] else []
        below = Text("\n".join(notes(found, by=by)), style="dim")
        parts += [below, "", Text(" ".join(sentences(found)))]
        return Group(*parts, *(Text(f"! {one}", style="yellow") for one in cautions(found)))

    return Fitted(make)


def _table(found: Against, width: int) -> Table:
    """A row a comparison."""
    every = found.comparisons
    if found.way in ("same", "bests"):
        own = [Column("In the\nsecond", [number(mean) for _, mean in found.means])]
    else:
        own = [Column("Mean", [number(mean) for mean, _ in found.means])]
    names = [one.name if found.way != "bests" else f"{one.name} / {one.to}" for one in every]
    return _drawn("Strategy", names, [*own, *_columns(every)], every, width)


def _strata(parts: Sequence[Stratum], by: By, width: int) -> Table:
    """A row a part of the questions."""
    every = [part.comparison for part in parts]
    counts = [
        Column("Ques-\ntions", [f"{one.n:,}" for one in every]),
        Column("Docs", [f"{one.n_clusters:,}" for one in every]),
    ]
    names = [f"{part.label}{'' if part.supported else ' (few)'}" for part in parts]
    return _drawn(_HEADS[by], names, [*counts, *_columns(every)], every, width)


def _columns(every: Sequence[Comparison]) -> list[Column]:
    return [
        Column(_DIFFERENCE, [f"{signed(one.mean)}{_mark(one)}" for one in every]),
        Column("95 % interval,\nall at once", list(map(_interval, every))),
        Column("p, ad-\njusted", [_p(one.p_adjusted) for one in every]),
    ]


def _drawn(
    head: str,
    names: Sequence[str],
    columns: Sequence[Column],
    every: Sequence[Comparison],
    width: int,
) -> Table:
    """The table; columns give way where names would get no room, the difference last."""
    verdict = Column("Verdict", [one.verdict for one in every])
    kept = list(columns)

    def room() -> int:
        return width - sum(column.width + _GAP for column in (*kept, verdict))

    while kept and room() < _LEAST_NAME:
        kept.pop(0 if kept[-1].head == _DIFFERENCE else -1)
    name = max(room(), _LEAST_NAME)
    table = plain_table()
    table.add_column(head, min_width=min(name, _LEAST_NAME), max_width=name, overflow="fold")
    for column in kept:
        table.add_column(Text(column.head), justify="right", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    for i, one in enumerate(every):
        cells = [column.cells[i] for column in kept]
        word = Text(one.verdict, style=_STYLES[one.verdict])
        table.add_row(Text(broken(one_line(names[i]), name)), *cells, word)
    return table


def _mark(one: Comparison) -> str:
    """`*` where questions were flipped, for want of documents."""
    return "*" if one.unit == "question" and one.n else ""


def _interval(one: Comparison) -> str:
    if one.low_all is None or one.high_all is None:
        return "–"
    mark = WIDER if one.wider else ""
    return f"{signed(one.low_all)} to {signed(one.high_all).removeprefix('+')}{mark}"


def _p(p: float) -> str:
    return "<0.001" if round(p, 3) == 0 else f"{p:.3f}"
