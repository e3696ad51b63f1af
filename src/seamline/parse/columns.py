"""Columns of blocks with other blocks among them or in their places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from seamline.types import Block, Blocks

__all__ = ["append", "merged", "none", "replaced"]


def none() -> Blocks:
    """No blocks yet: what others are added to while they are read."""
    return Blocks([], [], [], [], [])


def append(made: Blocks, kind: str, start: int, end: int, level: int = 0, title: str = "") -> None:
    """Add a block to blocks that are being made.

    Example:
        >>> made = none()
        >>> append(made, "rule", 0, 3)
        >>> made[0]
        Block(kind='rule', span=Span(start=0, end=3), level=0, title='')
    """
    made.kinds.append(kind)
    made.starts.append(start)
    made.ends.append(end)
    made.levels.append(level)
    made.titles.append(title)


def merged(blocks: Blocks, added: Sequence[Block]) -> Blocks:
    """The blocks and those `added`, by (start, -end); where equal, the added first.

    Example:
        >>> rule = Blocks(["rule"], [4], [7], [0], [""])
        >>> merged(rule, Blocks(["math"], [0], [3], [0], [""])).kinds
        ['math', 'rule']
    """
    starts, ends = blocks.starts, blocks.ends
    made = none()
    last = 0
    for block in sorted(added, key=lambda block: (block.span.start, -block.span.end)):
        at = max(last, bisect_left(starts, block.span.start))
        while at < len(starts) and starts[at] == block.span.start and ends[at] > block.span.end:
            at += 1
        _extend(made, blocks, last, at)
        _append(made, block)
        last = at
    _extend(made, blocks, last, len(starts))
    return made


def replaced(blocks: Blocks, parts: Mapping[int, Sequence[Block]]) -> Blocks:
    """The blocks, those at the keys of `parts`, in order, with others in their places."""
    made = none()
    last = 0
    for at, others in parts.items():
        _extend(made, blocks, last, at)
        for block in others:
            _append(made, block)
        last = at + 1
    _extend(made, blocks, last, len(blocks))
    return made


def _append(made: Blocks, block: Block) -> None:
    append(made, block.kind, block.span.start, block.span.end, block.level, block.title)


def _extend(made: Blocks, blocks: Blocks, low: int, high: int) -> None:
    made.kinds += blocks.kinds[low:high]
    made.starts += blocks.starts[low:high]
    made.ends += blocks.ends[low:high]
    made.levels += blocks.levels[low:high]
    made.titles += blocks.titles[low:high]
