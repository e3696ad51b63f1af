"""What the code inside a document holds, by the syntax tree of its language."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate

from seamline.errors import MissingExtra
from seamline.parse.code import code_blocks
from seamline.parse.code_languages import language_of_name
from seamline.types import Block, Blocks

__all__ = ["with_code"]

_LEAST = 400  # characters; shorter code is hardly ever cut
_FENCE = re.compile(r" *((`{3,})[^\n`]*|(~{3,})[^\n]*)\n")
_DIRECTIVE = re.compile(r"\.\. [\w-]+::[^\n]*\n(?:[ \t]+:[^\n]*\n)*+")  # of reStructuredText
_PROMPT = re.compile(r"\s*>>> ")
# A command to IPython, not to Python, which is no comment there.
_MAGIC = re.compile(r"^[%!](?=[\w%])", re.MULTILINE)


def with_code(text: str, blocks: Sequence[Block]) -> Blocks:
    r"""The blocks with those that `CodeParser` sees inside `code` whose title names a language.

    Code of at least 400 characters, between fences or alone; a fence's own lines belong
    to the first and the last block in it. Left as they are: code in quotes, sessions
    with a prompt, and all code where the extra `code` is not installed. Cost: linear;
    Markdown full of code takes about twice as long to read.

    Example:
        >>> code = "```python\ndef drain():\n" + "    open_valve()\n" * 25 + "```"
        >>> from seamline.types import Span
        >>> blocks = with_code(code, [Block("code", Span(0, len(code)), 0, "python")])
        >>> [(block.kind, block.title) for block in blocks]
        [('code', 'python'), ('definition', 'def drain'), ('signature', '')]
    """
    columns = Blocks.of(blocks)
    found: dict[int, Blocks] = {}
    for at in columns.places("code"):
        start, end = columns.starts[at], columns.ends[at]
        if end - start >= _LEAST and columns.titles[at]:
            inside = _inside(text, start, end, language=columns.titles[at])
            if inside is not None:
                found[at] = inside
    return _joined(columns, found) if found else columns


def _joined(columns: Blocks, found: dict[int, Blocks]) -> Blocks:
    """The blocks of `found` behind those whose numbers are its keys."""
    joined = Blocks([], [], [], [], [])
    last = 0
    for at, inside in [*found.items(), (len(columns) - 1, Blocks.of(()))]:
        for name in ("kinds", "starts", "ends", "levels", "titles"):
            column: list[object] = getattr(joined, name)
            column += getattr(columns, name)[last : at + 1]
            column += getattr(inside, name)
        last = at + 1
    return joined


def _inside(text: str, start: int, end: int, *, language: str) -> Blocks | None:
    """The blocks of the code in a `code` block, None where it is left as it is."""
    grammar = language_of_name(language)
    if grammar is None:
        return None
    fence = _FENCE.match(text, start, end)
    opening = fence or _DIRECTIVE.match(text, start, end)
    low = opening.end() if opening else start
    high = _closing(text, low, end, fence[2] or fence[3]) if fence else end
    code = text[low:high]
    width = _margin(text, start, fence.start(1)) if fence else _least_margin(code)
    if width < 0 or _PROMPT.match(code):
        return None
    if grammar.name == "python":
        code = _MAGIC.sub("#", code)
    try:
        found = _placed(code, low, language=language, width=width)
    except MissingExtra:
        return None
    if opening:
        _take_edges(found, start, end)
    return found


def _margin(text: str, start: int, mark: int) -> int:
    """How far the lines of a fence are indented at most; -1 in a quote or behind tabs."""
    margin = text[text.rfind("\n", 0, start) + 1 : mark]
    return -1 if ">" in margin or "\t" in margin else len(margin)


def _least_margin(code: str) -> int:
    """How far all lines of code without a fence are indented."""
    lines = [line for line in code.split("\n") if line.strip()]
    return min((len(line) - len(line.lstrip(" ")) for line in lines), default=0)


def _closing(text: str, low: int, end: int, mark: str) -> int:
    """Where the code before the closing fence ends: there, or at the end if there is none."""
    line = max(low, text.rfind("\n", low, end) + 1)
    last = text[line:end].strip(" \t")
    return line if len(last) >= len(mark) and not last.strip(mark[0]) else end


def _placed(code: str, base: int, *, language: str, width: int) -> Blocks:
    """The blocks of code that begins at `base`; up to `width` blanks of each line are margin."""
    if not width:
        found = code_blocks(code, language)
        starts, ends = ([base + at for at in side] for side in (found.starts, found.ends))
        return Blocks(found.kinds, starts, ends, found.levels, found.titles)
    lines = code.split("\n")
    margins = [min(width, len(line) - len(line.lstrip(" "))) for line in lines]
    kept = [line[margin:] for line, margin in zip(lines, margins, strict=True)]
    found = code_blocks("\n".join(kept), language)
    firsts = [0, *accumulate(len(line) + 1 for line in kept)]
    moved = list(accumulate(margins, initial=base))
    # What begins a line begins with its margin.
    starts, ends = (
        [at + moved[bisect_left(firsts, at)] for at in side] for side in (found.starts, found.ends)
    )
    return Blocks(found.kinds, starts, ends, found.levels, found.titles)


def _take_edges(found: Blocks, start: int, end: int) -> None:
    """Let what begins first and what ends last hold the fence's own lines."""
    if found.starts:
        first, last = found.starts[0], max(found.ends)
        found.starts[:] = [start if at == first else at for at in found.starts]
        found.ends[:] = [end if at == last else at for at in found.ends]
