"""The sections of a document with their heading paths, and what belongs to an offset."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from seamline.types import Block, Document

__all__ = ["Outline", "join_path", "outline"]

PATH_CHARACTERS = 200
_JOINER = " > "


@dataclass(frozen=True, eq=False)
class Outline:
    r"""Sections in document order: the first begins at 0, each runs to the next one.

    `starts` (n offsets, increasing) is where a heading or a definition begins or
    ends, `paths` (n tuples) the titles above and at each.

    Example:
        >>> from seamline.types import Span
        >>> blocks = Block("heading", Span(0, 3), 1, "A"), Block("heading", Span(5, 9), 2, "B")
        >>> found = outline(Document.from_text("# A\n\n## B\n\nOil.", blocks=blocks))
        >>> found.starts, found.path(12)
        ([0, 5], ('A', 'B'))
    """

    starts: list[int]
    paths: list[tuple[str, ...]]

    def path(self, offset: int) -> tuple[str, ...]:
        """The titles that stand over an offset, the outermost first."""
        return self.paths[bisect_right(self.starts, offset) - 1]

    def common(self, start: int, end: int) -> tuple[str, ...]:
        """The titles that stand over all of a span."""
        low, high = bisect_right(self.starts, start) - 1, bisect_right(self.starts, end - 1) - 1
        path = self.paths[low]
        for other in self.paths[low + 1 : high + 1]:
            shared = takewhile(lambda pair: pair[0] == pair[1], zip(path, other, strict=False))
            path = tuple(title for title, _ in shared)
        return path


def outline(document: Document) -> Outline:
    """The sections of a document, by its headings and, in code, its definitions. Cost: linear."""
    title = str(document.metadata.get("title") or "")
    starts: list[int] = [0]
    paths: list[tuple[str, ...]] = [(title,) if title else ()]
    for offset, path in _changes(document.blocks, title):
        if offset == starts[-1]:
            paths[-1] = path
        else:
            starts.append(offset)
            paths.append(path)
    return Outline(starts, paths)


def _changes(blocks: Sequence[Block], title: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Where the path changes, and to what; a definition is over at its end."""
    above: list[tuple[int, str]] = [(0, title)] if title else []
    inside: list[Block] = []

    def path() -> tuple[str, ...]:
        return (*(name for _, name in above), *(block.title for block in inside))

    for block in blocks:
        if block.kind not in ("heading", "definition"):
            continue
        while inside and inside[-1].span.end <= block.span.start:
            end = inside.pop().span.end
            yield end, path()
        if block.kind == "definition":
            inside.append(block)
        else:
            _enter(above, block)
        yield block.span.start, path()
    while inside:
        end = inside.pop().span.end
        yield end, path()


def _enter(above: list[tuple[int, str]], heading: Block) -> None:
    """Put a heading in the place of those of its level and below."""
    while above and above[-1][0] >= heading.level:
        above.pop()
    # A document that is called as its first heading is named once.
    if len(above) == 1 and above[0] == (0, heading.title):
        above.pop()
    above.append((heading.level, heading.title))


def join_path(path: Sequence[str], *, most: int = PATH_CHARACTERS) -> str:
    """The titles as one line of at most `most` characters: the last ones, which say most.

    Empty titles are left out.

    Example:
        >>> join_path(["Manual", "Pumps", "Oil"], most=13)
        'Pumps > Oil'
    """
    kept: list[str] = []
    left = most
    for title in reversed([title for title in path if title]):
        if len(title) > left:
            if not kept:
                kept.append(title[:most])
            break
        kept.append(title)
        left -= len(title) + len(_JOINER)
    return _JOINER.join(reversed(kept))
