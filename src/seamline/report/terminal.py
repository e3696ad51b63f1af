"""Tables for a terminal of 80 columns or more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from seamline.bench import Results
from seamline.bench.recommend import Recommendation
from seamline.golden import Finding, Validation
from seamline.measure import describe
from seamline.phrases import counted
from seamline.report.headline import headline
from seamline.report.intervals import GLOSS, difference_text, footnotes, interval_text
from seamline.report.layout import Column, Fitted, broken, grouped
from seamline.report.model import MOST_DRAWN, Standing, columns, number, standings
from seamline.report.plain import one_line

__all__ = [
    "findings_table",
    "headline_text",
    "measures_table",
    "plain_table",
    "ranking_table",
    "standing_tables",
    "tags_table",
]

_SHORT = {"Containment": "Contain.", "Precision": "Prec."}
_NAME = 28  # columns that a strategy has at least
_LONG = 32  # columns that it has at least where a part of one needs them
_RANK = 4  # columns for its rank

_DIFFERENCE = "Δ best: the paired difference to the best, of each alone"


def plain_table(title: str = "", *, gap: int = 1, **options: Any) -> Table:
    """An empty table with a line under its heads and none around it."""
    return Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, gap, 0, 0),
        **options,
    )


def ranking_table(results: Results, found: Recommendation | None = None) -> RenderableType:
    """The strategies, best first: quality and cost, in as few tables as the width allows.

    `=` marks those that are not ruled out as worse than the best; equal values share a rank.
    Of more than 15 the best are shown and the rest is counted. Below stands what the marks
    and the short heads mean.
    """
    every, names = standings(results, found), columns(results.data)
    placed, many = every[:MOST_DRAWN], len(every) > 1
    shown = [
        Column(_head(names[0]), [number(one.summary.mean) for one in placed]),
        Column("95 %\ninterval", [interval_text(one) for one in placed]),
        *([Column("Δ\nbest", [difference_text(one) for one in placed])] if many else []),
        *(_measured(placed, name) for name in names[1:]),
        *_costs(placed),
    ]
    notes = [
        *_left_over(every),
        *([f"= {GLOSS}", _DIFFERENCE] if many else []),
        *footnotes(results.data, placed),
        _short_heads(names),
    ]

    def make(width: int) -> RenderableType:
        return Group(*standing_tables(placed, shown, width), Text("\n".join(notes), style="dim"))

    return Fitted(make)


def _left_over(every: Sequence[Standing]) -> list[str]:
    """How many are not shown, and how many of them are not ruled out."""
    rest = every[MOST_DRAWN:]
    if not rest:
        return []
    alike = sum(not one.worse for one in rest)
    marked = f", {alike:,} of them not ruled out either" if alike else ""
    return [f"… and {len(rest):,} more, which the report has{marked}"]


def _measured(placed: Sequence[Standing], name: str) -> Column:
    places = 0 if name.startswith("Tokens") else 3
    return Column(_head(name), [number(one.summary.means[name], places) for one in placed])


def _head(name: str) -> str:
    before, at, cutoff = name.partition("@")
    return f"{_SHORT.get(before, before)}\n{at}{cutoff}".strip()


def _short_heads(names: Iterable[str]) -> str:
    known = dict.fromkeys(name.partition("@")[0] for name in names)
    short = [f"{_SHORT[name]} = {name}" for name in known if name in _SHORT]
    costs = ["Infl. = indexed tokens / source tokens", "Embed calls = texts embedded"]
    return f"{', '.join([*short, *costs])}; `seamline measures` explains each measure"


def _costs(placed: Sequence[Standing]) -> list[Column]:
    costs = [one.summary.cost for one in placed]
    return [
        Column("Chunks", [f"{cost['chunks']:,}" for cost in costs]),
        Column("Infl.", [number(cost["inflation"], 2) for cost in costs]),
        Column("Embed\ncalls", [f"{cost['embedding_calls']:,}" for cost in costs]),
    ]


def standing_tables(
    placed: Sequence[Standing], shown: Sequence[Column], width: int
) -> list[RenderableType]:
    """The columns beside the strategies, in one table or below each other."""
    parts: list[RenderableType] = []
    least = max(_NAME, min(_longest(placed), _LONG))
    for group in grouped(shown, width - _RANK - least):
        left = width - _RANK - sum(column.width + 1 for column in group)
        gap = 1 if left - len(group) - 2 >= least else 0
        name = left - gap * (len(group) + 2)
        parts += [_standing_table(placed, group, max(name, 1), gap), ""]
    return parts[:-1]


def _longest(placed: Sequence[Standing]) -> int:
    """What the longest part of a strategy needs: it breaks after commas only."""
    return max(
        (cell_len(part) for one in placed for part in broken(one.summary.spec, 1).split("\n")),
        default=0,
    )


def _standing_table(
    placed: Sequence[Standing], shown: Sequence[Column], name: int, gap: int
) -> Table:
    table = plain_table(gap=gap)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("Strategy", max_width=name, overflow="fold")
    for column in shown:
        table.add_column(Text(column.head), justify="right", no_wrap=True)
    for i, one in enumerate(placed):
        cells = [column.cells[i] for column in shown]
        rank = f"{one.rank}" if one.worse or one.alone else f"={one.rank}"
        style = "" if one.worse else "bold"
        table.add_row(rank, Text(broken(one_line(one.summary.spec), name)), *cells, style=style)
    return table


def headline_text(results: Results, found: Recommendation | None = None) -> RenderableType:
    """The result in words, and what limits it."""
    said = headline(results, found)
    text = Text(f"{said.title}.\n", style="bold")
    text.append(" ".join(said.sentences), style="not bold")
    for caution in said.cautions:
        text.append(f"\n! {one_line(caution)}", style="not bold yellow")
    return Fitted(lambda _: text)


def tags_table(results: Results, found: Recommendation | None = None) -> RenderableType:
    """The primary measure of each strategy for each tag; more tags than fit go below."""
    data, every = results.data, standings(results, found)
    placed, primary = every[:MOST_DRAWN], data["config"]["primary"]
    counts: dict[str, int] = {}
    for question in data["questions"]:
        for tag in dict.fromkeys(question["tags"]):
            counts[tag] = counts.get(tag, 0) + 1
    tags = sorted(counts, key=lambda tag: (-counts[tag], tag))
    if not tags:
        return Text("No question has a tag.")

    def column(tag: str) -> Column:
        means = [number(one.row["by_tag"][tag][primary]["mean"]) for one in placed]
        return Column(f"{one_line(tag)}\n({counts[tag]})", means)

    shown = [column(tag) for tag in tags]

    def make(width: int) -> RenderableType:
        title = Text(f"{primary} by tag (questions)", style="bold")
        notes = [*_left_over(every), *([f"= {GLOSS}"] if len(every) > 1 else [])]
        below = Text("\n".join(notes), style="dim")
        return Group(title, "", *standing_tables(placed, shown, width), below)

    return Fitted(make)


def findings_table(validation: Validation) -> RenderableType:
    """What `golden validate` found: errors and warnings by line, then answers to paste.

    An answer is one line of any length: print with `crop=False`.
    """
    total = Text(
        f"{counted(validation.n_questions, 'question')}, "
        f"{counted(validation.n_spans, 'gold span')}: "
        f"{counted(len(validation.errors), 'error')}, "
        f"{counted(len(validation.warnings), 'warning')}"
    )
    if not validation.findings:
        return total
    table = plain_table()
    table.add_column("Line", justify="right", style="dim")
    table.add_column("", no_wrap=True)
    table.add_column("Question", max_width=16, overflow="fold")
    table.add_column("What", ratio=1, overflow="fold")
    for one in validation.findings:
        style = "red" if one.severity == "error" else "yellow"
        severity = Text(one.severity, style=style)
        table.add_row(str(one.line), severity, Text(one_line(one.question)), _finding(one))
    pasted = [part for one in validation.findings if _is_answer(one) for part in _paste(one)]
    found = Group(table, *pasted, total)
    return Fitted(lambda _: found)


def _is_answer(one: Finding) -> bool:
    return one.suggestion.startswith("{")


def _finding(one: Finding) -> Text:
    text = Text(one_line(one.message))
    if one.suggestion and not _is_answer(one):
        text.append(f": {one_line(one.suggestion)}")
    text.append(f"  {one.code}", style="dim")
    return text


def _paste(one: Finding) -> list[RenderableType]:
    """An answer that can be copied: one line, whatever its length."""
    head = Text(f"line {one.line}, nearest passage as an answer:", style="dim")
    answer = Text(one_line(one.suggestion), no_wrap=True, overflow="ignore", style="green")
    return [head, answer]


def measures_table() -> RenderableType:
    """The measures by name with range and meaning."""
    table = plain_table()
    table.add_column("Measure", no_wrap=True, style="bold")
    table.add_column("Example", no_wrap=True)
    table.add_column("Range", no_wrap=True)
    table.add_column("What it says", ratio=1)
    for one in describe():
        example = one.example if one.needs_retrieval else "no retrieval"
        table.add_row(one.name, example, one.range, Text(one.about))
    note = "A cutoff counts pieces (@5) or tokens (@1000t)."
    found = Group(table, Text(note, style="dim"))
    return Fitted(lambda _: found)
