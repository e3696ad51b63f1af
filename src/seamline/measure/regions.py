"""What a boundary should not cut: sentences, fences, table rows, steps, Q&A pairs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import sentencex
from numpy.typing import NDArray

from seamline.spans import SpanArray
from seamline.types import Document

__all__ = ["Regions", "next_ink", "regions_of"]

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_ROW = re.compile(r"^[ \t]*\|[^\n]*\|[ \t]*$", re.MULTILINE)
_STEP = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t][^\n]*$", re.MULTILINE)
# Text of its own between two steps: a line that is neither blank nor indented.
_PLAIN_LINE = re.compile(r"^\S", re.MULTILINE)
_ASKED = (
    r"(?:[ \t]*(?:\*\*)?Q(?:uestion)?[ \t]?\d*[.:)]|#{1,6}[ \t][^\n]*\?[ \t#]*$|\*\*[^\n]*\?\*\*)"
)
_PAIR = re.compile(
    rf"^{_ASKED}[^\n]*\n(?:[ \t]*\n)?(?:(?!{_ASKED}|\#)[ \t]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE
)
# Lines that begin a sentence whatever stands before them, and those that also end one.
_OPENS = re.compile(r"^[ \t]*(?:[-*+•>|]|#{1,6}[ \t]|\d{1,3}[.)][ \t]|`{3}|~{3})", re.MULTILINE)
_ALONE = re.compile(r"^[ \t]*(?:#{1,6}[ \t]|\||`{3}|~{3})[^\n]*$", re.MULTILINE)
_INK = re.compile(r"\S")
# Characters between two steps, at most.
_STEP_GAP = 500
_PIECE = 2000

Offsets = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The spans (int64[n, 2]) of a document that are better left whole.

    `sentence_starts` (int64[n]) are the offsets where a sentence, or a block
    that is no sentence, begins.
    """

    fence: SpanArray
    table_row: SpanArray
    steps: SpanArray
    qa_pair: SpanArray
    sentence_starts: Offsets


def regions_of(document: Document) -> Regions:
    """The regions of a document: from its blocks where it has some, else by its lines.

    Q&A pairs are always found by their lines: a line that asks (`Q:`, or a
    heading or bold line with a question mark) and the paragraph below it.
    Sentences are those of `sentencex`, an independent detector, so no strategy
    is measured by its own rules.
    """
    text = document.text
    kinds: dict[str, list[tuple[int, int]]] = {}
    for block in document.blocks:
        kinds.setdefault(block.kind, []).append((block.span.start, block.span.end))
    if document.blocks:
        fences, rows = kinds.get("code", []), kinds.get("table_row", [])
        lists = kinds.get("list", [])
        steps = kinds.get("steps") or [span for span in lists if _STEP.match(text, *span)]
    else:
        fences = list(_fences(text))
        rows, steps = [found.span() for found in _ROW.finditer(text)], list(_steps(text))
    pairs = kinds.get("qa_pair") or [found.span() for found in _PAIR.finditer(text)]
    edges = [edge for spans in kinds.values() for span in spans for edge in span]
    return Regions(
        _inked(text, fences),
        _inked(text, rows),
        _inked(text, steps),
        _inked(text, pairs),
        _sentence_starts(text, edges),
    )


def next_ink(text: str, offsets: Iterable[int]) -> Offsets:
    """int64[n]: the first character at or after each offset that is no white space; sorted, unique.

    Offsets with only white space after them are left out.

    Example:
        >>> next_ink("a  b ", [4, 1, 2, 0]).tolist()
        [0, 3]
    """
    found: list[int] = []
    for offset in sorted(offsets):
        if found and offset <= found[-1]:
            continue
        ink = _INK.search(text, offset)
        if ink is None:
            break
        found.append(ink.start())
    return np.array(found, dtype=np.int64)


def _inked(text: str, spans: list[tuple[int, int]]) -> SpanArray:
    """The outermost of the spans, sorted and disjoint, without white space before them."""
    rows: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        ink = _INK.search(text, start, end)
        if ink and (not rows or ink.start() >= rows[-1][1]):
            rows.append((ink.start(), end))
    return np.array(rows, dtype=np.int64).reshape(-1, 2)


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Fenced code by the rules: closed by the same mark, as long or longer, or by the end."""
    mark, start = "", 0
    for found in _FENCE.finditer(text):
        ticks, info = found.groups()
        if not mark:
            if ticks[0] == "`" and "`" in info:
                continue
            mark, start = ticks, found.start()
        elif ticks.startswith(mark) and not info.strip():
            yield start, found.end()
            mark = ""
    if mark:
        yield start, len(text)


def _steps(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines numbered 1, 2, … (or all 1) with only blank or indented lines between.

    Numbers that stand further apart are those of sections, not of steps.
    """
    start, end, last, n = 0, 0, 0, 0
    for found in _STEP.finditer(text):
        number, near = int(found.group(1)), found.start() - end <= _STEP_GAP
        follows = number in (last + 1, 1) if last == 1 else number == last + 1
        if n and near and follows and not _PLAIN_LINE.search(text, end, found.start()):
            end, last, n = found.end(), number, n + 1
            continue
        if n > 1:
            yield start, end
        start, end, last, n = found.start(), found.end(), number, 1
    if n > 1:
        yield start, end


def _sentence_starts(text: str, edges: list[int]) -> Offsets:
    starts = list(_detected(text))
    starts += [found.start() for found in _OPENS.finditer(text)]
    starts += [found.end() for found in _ALONE.finditer(text)]
    return next_ink(text, starts + edges)


def _detected(text: str) -> Iterator[int]:
    """Sentence starts, found piece by piece: sentencex takes quadratic time in a paragraph."""
    at, opens = 0, True
    while at < len(text):
        piece = text[at : at + _PIECE]
        found = [int(row["start_index"]) for row in sentencex.get_sentence_boundaries("en", piece)]
        yield from (at + start for start in found if start or opens)
        opens = len(found) > 1
        at += found[-1] if opens and at + len(piece) < len(text) else len(piece)
