r"""Display formulas: `$$ … $$`, `\[ … \]`, `\begin{equation} … \end{equation}`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from seamline.parse.columns import merged, replaced
from seamline.parse.heads import has_pair
from seamline.types import Block, Blocks, Span

__all__ = ["formula_spans", "masked", "may_hold_formulas", "with_formulas"]

Spans = list[tuple[int, int]]

_LONGEST = 10_000  # code points of a formula; an opening mark without an end is none
_MARK = re.compile(r"\$\$|\\\[|\\begin\{")
# At the start of a line, behind the markers of a quote or of a list item.
_OPENING = re.compile(
    r"^[ \t>]*+(?:(?:[-*+]|\d{1,3}[.)])[ \t]++)?"
    r"(\$\$|\\\[|\\begin\{((?:equation|align|alignat|flalign|gather|multline|eqnarray|"
    r"displaymath|math|dmath)\*?)\})",
    re.MULTILINE,
)
_CLOSED = re.compile(r"[ \t]*[.,;:]?[ \t]*(?:\(\d[\w.]*\)|\{#[\w:-]+\})?[ \t]*(?=\n|\Z)")
_BLANK_LINE = re.compile(r"\n[ \t>]*\n")
_MATHS = re.compile(r"[\\^_=+<>{}∑∫√≤≥≈±×÷∂∇]|\d|\b\w\b")


def formula_spans(text: str, taken: Sequence[tuple[int, int]]) -> Spans:
    r"""Where display formulas lie, marks included, outside the sorted spans `taken`.

    A formula begins a line and its closing mark ends one, at most a full stop or
    a number in brackets behind it. Linear in the text.

    Example:
        >>> formula_spans("So\n$$\nE = mc^2\n$$\nand $$x$$ here.", [])
        [(3, 17)]
    """
    if not may_hold_formulas(text):
        return []
    spans: Spans = []
    closers: dict[str, int] = {}  # where each closing mark was found last
    starts = [start for start, _ in taken]
    last = 0
    for found in _openings(text):
        start = found.start(1)
        if start < last or _inside(starts, taken, start):
            continue
        end = _end(text, found, closers)
        if end and not _inside(starts, taken, end - 1):
            spans.append((start, end))
            last = end
    return spans


def may_hold_formulas(text: str) -> bool:
    r"""Whether a mark that opens a display formula is in the text at all.

    Example:
        >>> may_hold_formulas("It costs $ 3.")
        False
    """
    return (
        has_pair(text, "$$")
        or has_pair(text, "\\[")
        or (has_pair(text, "\\b") and "\\begin{" in text)
    )


def _openings(text: str) -> Iterator[re.Match[str]]:
    """The opening marks that begin a line."""
    line, low = -1, 0
    for mark in _MARK.finditer(text):
        begun = text.rfind("\n", low, mark.start()) + 1
        low = mark.start()
        if begun or line < 0:  # else it is one more mark in the line of the last
            line = begun
            if found := _OPENING.match(text, line):
                yield found


def _inside(starts: list[int], taken: Sequence[tuple[int, int]], offset: int) -> bool:
    at = bisect_right(starts, offset) - 1
    return at >= 0 and offset < taken[at][1]


def _end(text: str, opening: re.Match[str], closers: dict[str, int]) -> int:
    """Where the formula ends; 0 where its mark opens none."""
    mark, begin = opening[1], opening.end()
    closer = {"$$": "$$", "\\[": "\\]"}.get(mark, f"\\end{{{opening[2]}}}")
    at = closers.get(closer, 0)
    if 0 <= at < begin:
        at = closers[closer] = text.find(closer, begin)
    if not begin < at <= begin + _LONGEST:
        return 0
    inside = text[begin:at]
    closed = _CLOSED.match(text, at + len(closer))
    if closed is None or not inside.strip() or not _all_maths(inside):
        return 0
    return at + len(closer) + len(closed[0].rstrip())


def _all_maths(inside: str) -> bool:
    """Whether each part between blank lines has a sign of mathematics."""
    parts = _BLANK_LINE.split(inside)
    return len(parts) == 1 or all(_MATHS.search(part) or not part.strip() for part in parts)


def masked(text: str, spans: Spans) -> str:
    """The text with each formula as one long word, so that no markup is seen in it."""
    parts, last = [], 0
    for start, end in spans:
        parts += [text[last:start], "x" * (end - start)]
        last = end
    return "".join([*parts, text[last:]])


def with_formulas(text: str, blocks: Blocks, spans: Spans) -> Blocks:
    """The blocks of the masked text with the formulas among them, and fences of `math`, as `math`.

    A paragraph (or what the mask made a heading) that holds a formula is left as
    the paragraphs before and after it.
    """
    parts: dict[int, list[Block]] = {}
    if "math" in blocks.titles:
        for at, (kind, title) in enumerate(zip(blocks.kinds, blocks.titles, strict=True)):
            if kind == "code" and title == "math":
                parts[at] = [_formula(text, blocks.starts[at], blocks.ends[at])]
        blocks, parts = replaced(blocks, parts), {}
    if not spans:
        return blocks
    starts = [start for start, _ in spans]
    for at, (kind, start, end) in enumerate(
        zip(blocks.kinds, blocks.starts, blocks.ends, strict=True)
    ):
        inside = spans[bisect_left(starts, start) : bisect_left(starts, end)]
        if inside and kind in ("paragraph", "heading"):
            parts[at] = _around(text, (start, end), inside)
        elif inside and kind == "code":
            parts[at] = []
    formulas = [Block("math", Span(start, end)) for start, end in spans]
    return merged(replaced(blocks, parts), formulas)


def _formula(text: str, start: int, end: int) -> Block:
    """A fence of `math` as a formula, without the indentation of its first line."""
    return Block("math", Span(end - len(text[start:end].lstrip(" \t")), end))


def _around(text: str, span: tuple[int, int], inside: Spans) -> list[Block]:
    """The paragraphs before, between and after the formulas in a block."""
    kept = []
    low, end = span
    for start, stop in [*inside, (end, end)]:
        high = end if start == end else text.rfind("\n", low, start)
        part = text[low : max(low, high)]
        ink = len(part) - len(part.lstrip(" \t\n>"))
        if ink < len(part):
            kept.append(Block("paragraph", Span(low + ink, high)))
        low = stop
    return kept
