"""What a chunk should be read with: the table's header, the question, the signature above it.

A chunk's `context` is shown with it and costs what it takes; the prefix (title and
heading path) is only indexed. Neither ever enters the text.
"""

from __future__ import annotations

from collections.abc import Sequence

from seamline.split.outline import Outline, join_path, outline
from seamline.types import Block, Chunk, Document

__all__ = ["contexts", "with_prefix"]

_OPENERS = frozenset({"table", "definition", "qa_pair", "list", "turn", "clause"})
_CHILDREN = frozenset({"table_row", "list_item"})
# Characters of a context and of the line or question before it, at most.
_MOST, _MOST_BEFORE = 400, 200


class _Open:
    """A block that chunks may begin in, and what of it lies before them."""

    def __init__(self, block: Block, before: str) -> None:
        self.block = block
        self.before = before
        self.header_end = 0
        self.n_items = 0
        self.item_end = 0

    def line(self, text: str, start: int) -> str:
        """What a chunk that begins at `start` inside the block hangs on."""
        block = self.block
        if block.kind == "table":
            return text[block.span.start : self.header_end] if self.header_end <= start else ""
        if block.kind == "list":
            return self._steps(start)
        if block.kind == "turn":
            return f"{self.before}\n{block.title}:".strip()
        return block.title

    def _steps(self, start: int) -> str:
        """The introduction of numbered steps, and where in them the chunk begins."""
        if self.block.title != "ordered" or not self.n_items:
            return self.before
        inside = self.item_end > start
        return f"{self.before} ({'in' if inside else 'after'} step {self.n_items})".strip()


def contexts(document: Document, starts: Sequence[int]) -> list[str]:
    r"""For each chunk that begins at one of the increasing `starts`, what it hangs on.

    A row hangs on its table's header, the rest of an answer on its question, a step
    on those before it, code on the classes and functions around it, the rest of a
    turn on its speaker and the question before. Empty for most. Cost: linear.

    Example:
        >>> from seamline.types import Span
        >>> row, table = Block("table_row", Span(0, 5), title="header"), Block("table", Span(0, 11))
        >>> contexts(Document.from_text("|day|\n|Mon|", blocks=(table, row)), [0, 6])
        ['', '|day|']
    """
    kinds = _OPENERS | _CHILDREN
    blocks = [block for block in document.blocks if block.kind in kinds]
    found: list[str] = []
    inside: list[_Open] = []
    at = 0
    for start in starts:
        while at < len(blocks) and blocks[at].span.start < start:
            _take(inside, blocks[at], document.text)
            at += 1
        _leave(inside, start)
        found.append(_joined(inside, document.text, start)[:_MOST])
    return found


def _joined(inside: Sequence[_Open], text: str, start: int) -> str:
    """The lines of all open blocks; definitions in one, as `class Tank \u203a def drain`."""
    above = " \u203a ".join(o.block.title for o in inside if o.block.kind == "definition")
    lines = [o.line(text, start) for o in inside if o.block.kind != "definition"]
    return "\n".join(line for line in (above, *lines) if line)


def _take(inside: list[_Open], block: Block, text: str) -> None:
    """Open a block that begins before the chunk, or note it in the one that it is a part of."""
    left = _leave(inside, block.span.start)
    if block.kind == "table_row":
        if inside and block.title == "header":
            inside[-1].header_end = block.span.end
    elif block.kind == "list_item":
        if inside:
            inside[-1].n_items += 1
            inside[-1].item_end = block.span.end
    else:
        inside.append(_Open(block, _before(block, left, text)))


def _leave(inside: list[_Open], offset: int) -> Block | None:
    """Close the blocks that end at or before an offset; the last of them."""
    left: Block | None = None
    while inside and inside[-1].block.span.end <= offset:
        left = inside.pop().block
    return left


def _before(block: Block, left: Block | None, text: str) -> str:
    """The line that introduces a list, or the question that a turn answers."""
    if block.kind == "list":
        lead = text[max(0, block.span.start - _MOST_BEFORE) : block.span.start].rstrip()
        line = lead[lead.rfind("\n") + 1 :].strip()
        return line if line.endswith(":") else ""
    if block.kind == "turn" and left and left.kind == "turn":
        said = text[left.span.start : left.span.end].rstrip()[-_MOST_BEFORE:]
        return said if said.endswith("?") else ""
    return ""


def with_prefix(document: Document, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks with what is indexed: title and heading path, what each hangs on, the text.

    Of the path only what the chunk does not say itself. Nothing of it is shown.
    """
    found = outline(document)
    hung = contexts(document, [chunk.start for chunk in chunks])
    return [
        chunk._replace(indexed_as=_indexed(chunk, found, chunk.context or line))
        for chunk, line in zip(chunks, hung, strict=True)
    ]


def _indexed(chunk: Chunk, found: Outline, context: str) -> str | None:
    shown = context.replace(" \u203a ", "\n").split("\n")
    path = found.common(chunk.start, chunk.end)
    line = join_path([name for name in path if name not in chunk.text and name not in shown])
    before = [part for part in (line, context) if part]
    return "\n".join([*before, chunk.text]) if before else None
