"""What documents are made of, as terminal tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
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
    """One document: a row a region in reading order, then why each kind is cut as it is.

    A row says how many chunks hold some of its region. A reason that is the same for
    all stands alone.
    """
    table = Table(box=None, pad_edge=False, expand=True)  # what begins has the width left over
    table.add_column("  Region", no_wrap=True)
    table.add_column("Characters", justify="right", no_wrap=True)
    table.add_column("Chunks", justify="right", no_wrap=True)
    table.add_column("Begins", no_wrap=True, overflow="ellipsis", ratio=1)
    for row in rows:
        span = f"{row['start']:,}–{row['end']:,}"
        begins = Text(one_line(row["begins"]), style="dim")
        table.add_row(f"  {row['kind']}", span, f"{len(row['chunks']):,}", begins)
    return Group(Text(one_line(doc_id), style="bold"), table, "", _reasons(rows))


def _reasons(rows: Sequence[Mapping[str, Any]]) -> RenderableType:
    """The reason of each kind, once."""
    why = {row["kind"]: row["why"] for row in rows}
    if len(set(why.values())) == 1:
        return Padding(Text(rows[0]["why"]), (0, 0, 0, 2))
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1)
    for kind, reason in why.items():
        table.add_row(f"  {kind}", Text(reason))
    return table
