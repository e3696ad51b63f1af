"""Columns of blocks with other blocks among them or in their places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from seamline.types import Block, Blocks

__all__ = ["merged", "replaced"]


def merged(blocks: Blocks, added: Sequence[Block]) -> Blocks:
    """The blocks and those `added`, by (start, -end); where equal, the added first.

    Example:
        >>> rule = Blocks(["rule"], [4], [7], [0], [""])
        >>> merged(rule, Blocks(["math"], [0], [3], [0], [""])).kinds
        ['math', 'rule']
    """
    starts, ends = blocks.starts, blocks.ends
    made = Blocks([], [], [], [], [])
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
    made = Blocks([], [], [], [], [])
    last = 0
    for at, others in parts.items():
        _extend(made, blocks, last, at)
        for block in others:
            _append(made, block)
        last = at + 1
    _extend(made, blocks, last, len(blocks))
    return made


def _append(made: Blocks, block: Block) -> None:
    made.kinds.append(block.kind)
    made.starts.append(block.span.start)
    made.ends.append(block.span.end)
    made.levels.append(block.level)
    made.titles.append(block.title)


def _extend(made: Blocks, blocks: Blocks, low: int, high: int) -> None:
    made.kinds += blocks.kinds[low:high]
    made.starts += blocks.starts[low:high]
    made.ends += blocks.ends[low:high]
    made.levels += blocks.levels[low:high]
    made.titles += blocks.titles[low:high]
