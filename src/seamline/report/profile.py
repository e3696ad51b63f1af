"""What documents are made of, as terminal tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from seamline.report.plain import one_line

__all__ = ["explained_table", "profile_table"]


def profile_table(doc_id: str, rows: Sequence[Mapping[str, Any]], summary: str) -> RenderableType:
    """One document: a row a kind of region with its share, and what it is cut into."""
    table = Table(box=None, pad_edge=False, title=None, expand=False)
    table.add_column(Text(one_line(doc_id), style="bold"), no_wrap=True, max_width=44)
    for name in ("Regions", "Tokens", "Share", "Units"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("How adaptive cuts them", ratio=1)
    for row in rows:
        numbers = (f"{row['regions']:,}", f"{row['tokens']:,}", f"{row['share']:.0%}")
        table.add_row(f"  {row['kind']}", *numbers, f"{row['units']:,}", Text(row["why"]))
    table.caption, table.caption_justify = Text(summary, style="dim"), "left"
    return table


def explained_table(doc_id: str, rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """One document: a row a region in reading order, how many chunks begin in it, and why."""
    table = Table(box=None, pad_edge=False, expand=False)
    table.add_column(Text(one_line(doc_id), style="bold"), no_wrap=True, max_width=30)
    table.add_column("Characters", justify="right", no_wrap=True)
    table.add_column("Chunks", justify="right", no_wrap=True)
    table.add_column("Begins", no_wrap=True, max_width=36, overflow="ellipsis")
    table.add_column("Why", ratio=1)
    for row in rows:
        span = f"{row['start']:,}–{row['end']:,}"
        begins = Text(one_line(row["begins"]), style="dim")
        table.add_row(f"  {row['kind']}", span, f"{row['chunks']:,}", begins, Text(row["why"]))
    return table
