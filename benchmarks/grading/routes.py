"""What it is worth to see each kind of region: the same cut, blind to one kind after another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from seamline.protocols import Strategy
from seamline.types import Blocks, Chunk, Document

__all__ = ["KINDS", "Blind"]

KINDS = {
    "questions": ("qa_pair",),
    "turns": ("turn",),
    "clauses": ("clause",),
    "tables": ("table", "table_row"),
    "lists": ("list", "list_item"),
    "code": ("code", "definition", "signature", "statement", "string"),
    "formulas": ("math",),
    "headings": ("heading",),
}
"""Kinds of blocks by a name for them together."""


@dataclass(frozen=True)
class Blind:
    """A strategy that is not shown blocks of some kinds."""

    strategy: Strategy
    kinds: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.strategy} without {', '.join(self.kinds)}"

    def split(self, document: Document) -> Sequence[Chunk]:
        kept = Blocks.of(block for block in document.blocks if block.kind not in self.kinds)
        return self.strategy.split(replace(document, blocks=kept))
