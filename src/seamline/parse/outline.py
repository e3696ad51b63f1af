"""The outline of plain text: headings, lists, code, tables, quotes and paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from seamline.parse.math import formula_spans
from seamline.parse.outline_headings import settle_headings
from seamline.parse.outline_lists import blocks_of
from seamline.parse.outline_pieces import Piece, code_among, hints_in, pieces_between
from seamline.types import Blocks

__all__ = ["outline_blocks"]

# One whitespace run that holds two line feeds, and the indentation after it.
_BLANK_LINES = re.compile(r"\n\s*\n[^\S\n]*")
_FENCE = re.compile(r"\n([ \t]{0,3})(`{3,}|~{3,})([^`\n]*)(?=\n|\Z)")


def outline_blocks(text: str, *, numbered: bool = True) -> Blocks:
    r"""The blocks of a text without markup, nested or disjoint, sorted by (start, -end).

    What is not clearly something else is a paragraph. Headings are lines over an
    underline, numbered lines, lines in capitals and short titles, where they stand
    alone and text follows; their level is the rank of their kind among those that
    the text has. Lists have two items at least. Without `numbered`, numbers and
    letters make no lists: they are a contract's clauses.

    Example:
        >>> text = "Pumps\n=====\n\nDaily:\n1. Look.\n2. Oil.\n"
        >>> [(b.kind, b.span.start, b.span.end, b.title) for b in outline_blocks(text)]
        [('heading', 0, 11, 'Pumps'), ('paragraph', 13, 19, ''), ('list', 20, 36, 'ordered'),
         ('list_item', 20, 28, ''), ('list_item', 29, 36, '')]
    """
    pieces: list[Piece] = []
    hints = hints_in(text)
    begin = 0
    for fixed in _fixed(text):
        pieces += pieces_between(text, hints, _runs(text, begin, fixed.start))
        pieces.append(fixed)
        begin = fixed.end
    pieces += pieces_between(text, hints, _runs(text, begin, len(text)))
    settled = settle_headings(text, code_among(text, pieces))
    return blocks_of(settled, numbered=numbered)


def _runs(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """The runs of lines between blank lines in [begin, end), without blanks at both ends."""
    between = text[begin:end] if begin or end < len(text) else text
    low, end = begin + len(between) - len(between.lstrip()), begin + len(between.rstrip())
    if low >= end:
        return
    for gap in _BLANK_LINES.finditer(text, low, end):
        yield low, gap.start()
        low = gap.end()
    yield low, end


def _fixed(text: str) -> list[Piece]:
    """Closed fences and formulas, in order: what is inside them is nothing else."""
    fences = list(_fences(text)) if "```" in text or "~~~" in text else []
    formulas = formula_spans(text, [(piece.start, piece.end) for piece in fences])
    pieces = [Piece("math", start, end) for start, end in formulas]
    return sorted([*fences, *pieces], key=lambda piece: piece.start)


def _fences(text: str) -> Iterator[Piece]:
    opened: re.Match[str] | None = None
    for found in _FENCE.finditer(f"\n{text}"):  # so that every line has a line feed before it
        if opened is None:
            opened = found
        elif found[2].startswith(opened[2]) and not found[3].strip():
            info = opened[3].strip()
            kind, indent = ("math" if info == "math" else "code"), len(opened[1])
            start = opened.start() + (indent if kind == "math" else 0)
            title = "" if kind == "math" else info
            yield Piece(kind, start, found.end() - 1, indent, "fence", title=title)
            opened = None
