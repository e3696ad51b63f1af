"""Tables for a terminal of 80 columns or more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from seamline.bench import Results
from seamline.golden import Finding, Validation
from seamline.measure import describe
from seamline.registry import format_spec
from seamline.report.model import Standing, columns, counted, headline, number, standings
from seamline.report.plain import plain
from seamline.split import PRESETS, STRATEGIES

__all__ = [
    "findings_table",
    "headline_text",
    "measures_table",
    "ranking_table",
    "strategies_table",
    "tags_table",
]

_SHORT = {"Containment": "In one\nchunk", "HitWhole": "Whole", "Precision": "Prec."}
_WIDE = 128  # columns from which quality and cost stand side by side
_NAME = 31  # columns for a strategy, enough for most of them on one line
_FIRST = 5  # columns of quality that fit beside them in 80 columns

Column = tuple[str, Callable[[Standing], str]]


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A renderable made for the width there is."""

    make: Callable[[int], RenderableType]

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.make(options.max_width)


def _table(title: str = "", **options: Any) -> Table:
    return Table(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        **options,
    )


def ranking_table(results: Results) -> RenderableType:
    """The strategies, best first: quality and cost, in one table where it fits, else in two.

    `=` marks those that are not separable from the best one.
    """
    placed, names = standings(results), columns(results.data)
    quality = [_primary(names[0]), ("95 %\ninterval", _interval)]
    quality += [_measured(name) for name in names[1:]]

    def make(width: int) -> RenderableType:
        if width >= _WIDE:
            return _standing_table(placed, [*quality, *_COSTS], width)
        first = _standing_table(placed, quality[:_FIRST], _NAME)
        return Group(first, "", _standing_table(placed, [*quality[_FIRST:], *_COSTS], _NAME))

    return _Fitted(make)


def _primary(name: str) -> Column:
    return _header(name), lambda one: number(one.summary.mean)


def _measured(name: str) -> Column:
    places = 0 if name.startswith("Tokens") else 3
    return _header(name), lambda one: number(one.summary.means[name], places)


def _header(name: str) -> str:
    before, at, cutoff = name.partition("@")
    return f"{_SHORT.get(before, before)}\n{at}{cutoff}".strip()


def _interval(one: Standing) -> str:
    low, high = one.summary.low, one.summary.high
    return "–" if low is None or high is None else f"{low:.3f}–{high:.3f}"


_COSTS: tuple[Column, ...] = (
    ("Chunks", lambda one: f"{one.summary.cost['chunks']:,}"),
    ("Infl.", lambda one: number(one.summary.cost["inflation"], 2)),
    ("Embed\ncalls", lambda one: f"{one.summary.cost['embedding_calls']:,}"),
)


def _standing_table(placed: Sequence[Standing], shown: Sequence[Column], name: int) -> Table:
    table = _table(caption="= not separable from the best", caption_justify="left")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("Strategy", max_width=name, overflow="fold")
    for header, _ in shown:
        table.add_column(Text(header), justify="right", no_wrap=True)
    for one in placed:
        cells = [cell(one) for _, cell in shown]
        rank = f"{one.rank}" if one.worse else f"={one.rank}"
        style = "" if one.worse else "bold"
        table.add_row(rank, Text(plain(one.summary.spec)), *cells, style=style)
    return table


def headline_text(results: Results) -> RenderableType:
    """The result in words, and what limits it."""
    said = headline(results)
    text = Text(f"{said.title}.\n", style="bold")
    text.append(" ".join(said.sentences), style="not bold")
    for caution in said.cautions:
        text.append(f"\n! {caution}", style="not bold yellow")
    return text


def tags_table(results: Results) -> RenderableType:
    """The primary measure of each strategy for each tag; more tags than fit go below."""
    data, placed = results.data, standings(results)
    primary = data["config"]["primary"]
    counts: dict[str, int] = {}
    for question in data["questions"]:
        for tag in dict.fromkeys(question["tags"]):
            counts[tag] = counts.get(tag, 0) + 1
    tags = sorted(counts, key=lambda tag: (-counts[tag], tag))
    if not tags:
        return Text("No question has a tag.")

    def column(tag: str) -> Column:
        head = f"{plain(tag)}\n({counts[tag]})"
        return head, lambda one: number(one.row["by_tag"][tag][primary]["mean"])

    def make(width: int) -> RenderableType:
        parts: list[RenderableType] = [Text(f"{primary} by tag (questions)", style="bold")]
        for group in _groups([column(tag) for tag in tags], width - _NAME - 4):
            parts += ["", _standing_table(placed, group, _NAME)]
        return Group(*parts)

    return _Fitted(make)


def _groups(shown: Iterable[Column], room: int) -> list[list[Column]]:
    """The columns in as many tables as their headers need."""
    groups: list[list[Column]] = []
    left = 0
    for one in shown:
        width = 2 + max(5, *map(cell_len, one[0].split("\n")))
        if not groups or width > left:
            groups.append([])
            left = room
        groups[-1].append(one)
        left -= width
    return groups


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
    table = _table()
    table.add_column("Line", justify="right", style="dim")
    table.add_column("", no_wrap=True)
    table.add_column("Question", max_width=16, overflow="fold")
    table.add_column("What", ratio=1, overflow="fold")
    for one in validation.findings:
        style = "red" if one.severity == "error" else "yellow"
        severity = Text(one.severity, style=style)
        table.add_row(str(one.line), severity, Text(plain(one.question)), _finding(one))
    pasted = [part for one in validation.findings if _is_answer(one) for part in _paste(one)]
    return Group(table, *pasted, total)


def _is_answer(one: Finding) -> bool:
    return one.suggestion.startswith("{")


def _finding(one: Finding) -> Text:
    text = Text(plain(one.message))
    if one.suggestion and not _is_answer(one):
        text.append(f": {plain(one.suggestion)}")
    text.append(f"  {one.code}", style="dim")
    return text


def _paste(one: Finding) -> list[RenderableType]:
    """An answer that can be copied: one line, whatever its length."""
    head = Text(f"line {one.line}, nearest passage as an answer:", style="dim")
    answer = Text(plain(one.suggestion), no_wrap=True, overflow="ignore", style="green")
    return [head, answer]


def strategies_table() -> RenderableType:
    """The strategies by name with what they do, and the presets."""
    table = _table()
    table.add_column("Strategy", no_wrap=True, style="bold")
    table.add_column("What it does", ratio=1)
    for name in STRATEGIES.names():
        part = STRATEGIES.get(name)
        table.add_row(name, Text(_first_line(part)))
        table.add_row("", Text(_parameters(part), style="dim"))
    presets = _table("Presets")
    presets.add_column("Name", no_wrap=True, style="bold")
    presets.add_column("Stands for", ratio=1)
    for name, spec in PRESETS.items():
        presets.add_row(name, Text(spec))
    return Group(table, presets)


def _first_line(part: Any) -> str:
    return (part.__doc__ or "").strip().partition("\n")[0]


def _parameters(part: Any) -> str:
    """The parameters with their defaults, as in a spec."""
    if not is_dataclass(part):
        return ""
    shown = {item.name: item.default for item in fields(part) if item.init and item.repr}
    return format_spec("", shown).strip("()")


def measures_table() -> RenderableType:
    """The measures by name with range and meaning."""
    table = _table()
    table.add_column("Measure", no_wrap=True, style="bold")
    table.add_column("Example", no_wrap=True)
    table.add_column("Range", no_wrap=True)
    table.add_column("What it says", ratio=1)
    for one in describe():
        example = one.example if one.needs_retrieval else "no retrieval"
        table.add_row(one.name, example, one.range, Text(one.about))
    note = "A cutoff counts pieces (@5) or tokens (@1000t)."
    return Group(table, Text(note, style="dim"))
