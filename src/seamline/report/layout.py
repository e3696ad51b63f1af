"""Fitting tables to a terminal: columns that fit, specs broken at commas, no trailing blanks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment

__all__ = ["Column", "Fitted", "broken", "grouped"]

_LEAST = 5  # columns for a number


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head and its cells, from top to bottom."""

    head: str
    cells: Sequence[str]

    @property
    def width(self) -> int:
        """What the longest line needs."""
        lines = [*self.head.split("\n"), *self.cells]
        return max(_LEAST, *map(cell_len, lines))


@dataclass(frozen=True, slots=True)
class Fitted:
    """A renderable made for the width there is, without blanks at the ends of its lines."""

    make: Callable[[int], RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        drawn = console.render(self.make(options.max_width), options)
        for line in Segment.split_lines(drawn):
            yield from _stripped(line)
            yield Segment.line()


def _stripped(line: list[Segment]) -> list[Segment]:
    kept = list(line)
    while kept and not kept[-1].text.rstrip(" "):
        kept.pop()
    if kept:
        text, style, control = kept[-1]
        kept[-1] = Segment(text.rstrip(" "), style, control)
    return kept


def broken(spec: str, width: int) -> str:
    r"""A strategy on as many lines as `width` asks for, broken after commas only.

    Example:
        >>> broken("fixed(size=256, overlap=25)", 20)
        'fixed(size=256,\noverlap=25)'
    """
    first, *rest = spec.split(", ")
    lines = [first]
    for part in rest:
        if cell_len(f"{lines[-1]}, {part},") <= width:
            lines[-1] += f", {part}"
        else:
            lines[-1] += ","
            lines.append(part)
    return "\n".join(lines)


def grouped(shown: Iterable[Column], room: int) -> list[list[Column]]:
    """The columns in as many groups as `room` asks for, each with a blank before it."""
    groups: list[list[Column]] = []
    left = 0
    for one in shown:
        if not groups or one.width + 1 > left:
            groups.append([])
            left = room
        groups[-1].append(one)
        left -= one.width + 1
    return groups
