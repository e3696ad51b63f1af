"""What was drafted for a golden set and what became of one, as terminal tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from seamline.golden.rows import Draft
from seamline.report.layout import Fitted
from seamline.report.plain import one_line

__all__ = ["drafts_table"]


def drafts_table(drafts: Sequence[Draft]) -> RenderableType:
    """A row a kind: how many questions and about how many documents, and one of them."""
    table = _table()
    table.add_column("Kind", no_wrap=True)
    table.add_column("Questions", justify="right", no_wrap=True)
    table.add_column("Docs", justify="right", no_wrap=True)
    table.add_column("For example", ratio=1, no_wrap=True, overflow="ellipsis")
    kinds: dict[str, list[Draft]] = {}
    for draft in drafts:
        kinds.setdefault(draft.kind, []).append(draft)
    for kind, own in kinds.items():
        n_documents = len({draft.document.id for draft in own})
        example = Text(one_line(own[0].question), style="dim")
        table.add_row(kind, f"{len(own):,}", f"{n_documents:,}", example)
    return Fitted(lambda _: table)


def _table() -> Table:
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
