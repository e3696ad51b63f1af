"""Tables for the terminal, for Markdown and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from timing import Cell, Check, Table


def text(cell: Cell) -> str:
    """A cell as it is shown: three significant digits."""
    if cell is None:
        return ""
    return f"{cell:.3g}" if isinstance(cell, float) else str(cell)


def show(table: Table) -> None:
    """Print the table."""
    from rich.console import Console
    from rich.table import Table as Shown
    from rich.text import Text

    shown = Shown(title=table.title, title_justify="left")
    for i, name in enumerate(table.columns):
        shown.add_column(name, justify="right" if i else "left")
    for row in table.rows:
        cells = [row.get(name) for name in table.columns]
        shown.add_row(*(Text(text(cell), style=_style(cell)) for cell in cells))
    console = Console(width=130)
    console.print(shown)
    console.print(table.note, highlight=False)


def _style(cell: Cell) -> str:
    if not isinstance(cell, Check):
        return ""
    return "green" if cell.passed else "bold red"


def as_markdown(about: dict[str, Any], tables: Sequence[Table]) -> str:
    """The tables with what they depend on."""
    machine = ", ".join(f"{key} {value}" for key, value in about["machine"].items())
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    how = f"{about['rounds']} rounds, seed {about['seed']}, {about['timeout']:g} s a peer and shape"
    lines = [
        "# Figures",
        "",
        "Written by the command below, not by hand: benchmarks/README.md says how it measures.",
        "A figure to reach stands beside what was measured, and whether it was met or missed.",
        "",
        f"Command: `{about['command']}` on {about['date']}; {how}.",
        "",
        f"Machine: {machine}.",
        "",
        f"Versions: {versions}.",
        "",
        f"Text: drawn from {about['text']}.",
    ]
    for table in tables:
        lines += ["", f"## {table.title}", ""]
        lines.append("| " + " | ".join(table.columns) + " |")
        lines.append("|---" + "|--:" * (len(table.columns) - 1) + "|")
        for row in table.rows:
            lines.append("| " + " | ".join(text(row.get(name)) for name in table.columns) + " |")
        if table.note:
            lines += ["", table.note]
    return "\n".join(lines) + "\n"


def as_json(about: dict[str, Any], tables: Sequence[Table]) -> dict[str, Any]:
    """The unrounded figures; a figure to reach keeps its limit and whether it was met."""
    return about | {
        "tables": [
            {
                "title": table.title,
                "rows": [{name: _plain(cell) for name, cell in row.items()} for row in table.rows],
                "note": table.note,
            }
            for table in tables
        ]
    }


def _plain(cell: Cell) -> Any:
    if not isinstance(cell, Check):
        return cell
    limit = {"at_least" if cell.at_least else "at_most": cell.limit}
    return {"value": cell.value, **limit, "met": cell.passed}
