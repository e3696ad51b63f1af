"""The sections of a document with their heading paths, and what is indexed with a chunk.

This module is compiled where a C compiler is at hand (`outline.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from seamline.split.pack import skip_blank
from seamline.types import Document

__all__ = ["Outline", "heading_paths", "indexed_texts", "join_path", "outline"]

_PATH_CHARACTERS = 200
# Definitions in each other that a path names, at most: each path is a list of them.
_DEEPEST = 100
_JOINER = " > "


@dataclass(frozen=True, eq=False)
class Outline:
    r"""Sections in document order: the first begins at 0, each runs to the next one.

    `starts` (n offsets, increasing) is where a heading or a definition begins or
    ends, `paths` (n tuples) the titles above and at each.

    Example:
        >>> from seamline.types import Block, Span
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


def outline(document: Document, *, titled: bool = True) -> Outline:
    """The sections of a document, by its headings and, in code, its definitions. Cost: linear.

    All paths begin with the document's title if `titled`.
    """
    blocks = document.columns
    sections = _Sections(str(document.metadata.get("title") or "") if titled else "")
    _enter_all(sections, blocks.kinds, blocks.starts, blocks.ends, blocks.levels, blocks.titles)
    return Outline(sections.starts, sections.paths)


class _Sections:
    """Sections in the making: the titles above, and the definitions that are open."""

    def __init__(self, title: str) -> None:
        self._above: list[str] = [title] if title else []
        self._levels: list[int] = [0] if title else []
        self._inside: list[str] = []
        self._ends: list[int] = []
        self.starts: list[int] = [0]
        self.paths: list[tuple[str, ...]] = [tuple(self._above)]

    def _note(self, offset: int) -> int:
        """Note the path from an offset on."""
        path = tuple(self._above + self._inside[:_DEEPEST])
        if offset == self.starts[-1]:
            self.paths[-1] = path
        else:
            self.starts.append(offset)
            self.paths.append(path)
        return 0

    def leave(self, offset: int) -> int:
        """Close the definitions that end at or before an offset."""
        while len(self._ends) and self._ends[-1] <= offset:
            end = self._ends.pop()
            self._inside.pop()
            self._note(end)
        return 0

    def define(self, start: int, end: int, title: str) -> int:
        self._inside.append(title)
        self._ends.append(end)
        return self._note(start)

    def head(self, start: int, level: int, title: str) -> int:
        """Put a heading in the place of those of its level and below."""
        while len(self._levels) and self._levels[-1] >= level:
            self._levels.pop()
            self._above.pop()
        # A document that is called as its first heading is named once.
        if len(self._levels) == 1 and self._levels[0] == 0 and self._above[0] == title:
            self._levels.pop()
            self._above.pop()
        self._levels.append(level)
        self._above.append(title)
        return self._note(start)


def _enter_all(
    sections: _Sections,
    kinds: list[str],
    starts: list[int],
    ends: list[int],
    levels: list[int],
    titles: list[str],
) -> int:
    last = 0
    for i in range(len(kinds)):
        kind = kinds[i]
        if kind == "heading":
            sections.leave(starts[i])
            sections.head(starts[i], levels[i], titles[i])
        elif kind == "definition":
            sections.leave(starts[i])
            sections.define(starts[i], ends[i], titles[i])
            last = max(last, ends[i])
    return sections.leave(last)


def heading_paths(
    document: Document, starts: Sequence[int], ends: Sequence[int]
) -> list[tuple[str, ...]]:
    r"""The headings and definitions over each chunk, the outermost first; none if there are none.

    Those over the first text below the headings that a chunk begins with, its own
    headings so among them.

    Example:
        >>> from seamline.types import Block, Span
        >>> blocks = Block("heading", Span(0, 3), 1, "A"), Block("heading", Span(5, 9), 2, "B")
        >>> document = Document.from_text("# A\n\n## B\n\nOil.", blocks=blocks)
        >>> heading_paths(document, [0, 11], [9, 15])
        [('A', 'B'), ('A', 'B')]
    """
    blocks = document.columns
    if "heading" not in blocks.kinds and "definition" not in blocks.kinds:
        return []
    found = outline(document, titled=False)
    below: dict[int, int] = {}  # by where a heading begins, where the first text below it does
    for at in reversed(list(blocks.places("heading"))):
        after = skip_blank(document.text, blocks.ends[at])
        below[blocks.starts[at]] = below.get(after, after)
    paths: list[tuple[str, ...]] = []
    for start, end in zip(starts, ends, strict=True):
        path = found.path(min(below.get(start, start), end - 1))
        paths.append(tuple(filter(None, path)) if "" in path else path)
    return paths


def indexed_texts(
    document: Document, starts: Sequence[int], ends: Sequence[int], contexts: Sequence[str]
) -> list[str | None]:
    """What is indexed of chunks: title and heading path, what each hangs on, the text.

    None where that is the text alone. Of the path only what neither the text nor
    the context says itself.
    """
    found = outline(document)
    return _indexed(
        document.text, found.starts, found.paths, list(starts), list(ends), list(contexts)
    )


def _indexed(
    text: str,
    sections: list[int],
    paths: list[tuple[str, ...]],
    starts: list[int],
    ends: list[int],
    contexts: list[str],
) -> list[str | None]:
    found: list[str | None] = []
    last = len(sections) - 1
    at = 0
    for i in range(len(starts)):
        start, end = starts[i], ends[i]
        while at < last and sections[at + 1] <= start:
            at += 1
        path, other = paths[at], at + 1
        while len(path) and other <= last and sections[other] < end:
            path = _common(path, paths[other])
            other += 1
        found.append(_one_indexed(path, text[start:end], contexts[i]))
    return found


def _common(path: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The titles that both begin with."""
    n, most = 0, min(len(path), len(other))
    while n < most and path[n] == other[n]:
        n += 1
    return path[:n]


def _one_indexed(path: tuple[str, ...], text: str, context: str) -> str | None:
    shown = context.replace(" \u203a ", "\n").split("\n") if context else []
    names = [name for name in path if name not in text and name not in shown]
    line = _joined(names, _PATH_CHARACTERS) if names else ""
    before = f"{line}\n{context}" if line and context else line or context
    return f"{before}\n{text}" if before else None


def join_path(path: Sequence[str], *, most: int = _PATH_CHARACTERS) -> str:
    """The titles as one line of at most `most` characters: the last ones, which say most.

    Empty titles are left out.

    Example:
        >>> join_path(["Manual", "Pumps", "Oil"], most=13)
        'Pumps > Oil'
    """
    return _joined(list(path), most)


def _joined(path: list[str], most: int) -> str:
    kept: list[str] = []
    left = most
    for title in reversed(path):
        if len(title) > left:
            if not kept:
                kept.append(title[:most])
            break
        if title:
            kept.append(title)
            left -= len(title) + len(_JOINER)
    kept.reverse()
    return _JOINER.join(kept)
