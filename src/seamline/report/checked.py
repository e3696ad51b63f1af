"""A check on a terminal: the verdict, each part, the cuts that moved, what to do."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from seamline.lock.checked import PASS, Checked
from seamline.report.details import details_of, notes_of
from seamline.report.layout import Fitted
from seamline.report.plain import one_line

__all__ = ["checked_text"]

_MARKS = {
    "pass": ("✓", "green"),
    "open": ("–", "yellow"),
    "fail": ("✗", "bold red"),
    "skip": ("–", "dim"),
}


def checked_text(checked: Checked) -> RenderableType:
    """All that a check found, for a terminal of 80 columns or more."""
    style = "bold green" if checked.code == PASS else "bold red"
    title = Text.assemble((checked.verdict, style), f": {one_line(checked.title)}.")
    parts: list[RenderableType] = [title, "", _parts(checked)]
    for lines in (*(details_of(checked, one.name) for one in checked.parts), _tail(checked)):
        if lines:
            parts += ["", *(Text(line, overflow="fold") for line in lines)]
    return Fitted(lambda _: Group(*parts))


def _parts(checked: Checked) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    for options in ({"width": 1}, {"no_wrap": True}, {"overflow": "fold"}):
        table.add_column(**options)
    for part in checked.parts:
        mark, style = _MARKS[part.outcome]
        says = Text(one_line(part.says), style="dim" if part.outcome == "skip" else "")
        table.add_row(Text(mark, style=style), Text(part.name), says)
    return table


def _tail(checked: Checked) -> list[str]:
    """What to do, and what limits the verdict."""
    todo = [f"To do: {checked.todo}."] if checked.todo else []
    return [*todo, *(f"! {one_line(note)}" for note in notes_of(checked))]
