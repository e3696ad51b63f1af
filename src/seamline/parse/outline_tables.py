"""Tables in plain text: drawn with pipes, as a grid, with tabs or in columns of blanks."""

from __future__ import annotations

import re

__all__ = ["table_rows"]

Row = tuple[int, int, str]
Lines = list[tuple[int, int]]

_PIPE = re.compile(r"(?<!\\)\|")
_DRAWN = re.compile(r"[-+=|:_ \t]*[-=_]{2,}[-+=|:_ \t]*")
_GUTTER = re.compile(r" {2,}")
_DIGIT = re.compile(r"\d")
_WIDEST = 400  # characters of a line in columns


def table_rows(text: str, lines: Lines) -> list[Row]:
    r"""(start, end, title) of the rows of the table that the lines are; empty if they are none.

    The first line may be a caption. The header row runs to the end of the line
    drawn below it; without one, the first row is the header where it alone has
    no digits.

    Example:
        >>> text = "Day   Load\nMon   40\nTue   55"
        >>> table_rows(text, [(0, 10), (11, 19), (20, 28)])
        [(0, 10, 'header'), (11, 19, ''), (20, 28, '')]
    """
    for skipped in (0, 1):
        rest = lines[skipped:]
        if len(rest) >= 2 and (_is_piped(text, rest) or _is_columns(text, rest)):
            return _rows(text, rest)
    return []


def _is_piped(text: str, lines: Lines) -> bool:
    """Whether all lines have pipes and those that hold cells have equally many."""
    if text.find("|", lines[0][0], lines[1][1]) < 0:
        return False
    counts = set()
    n_rows = 0
    for low, high in lines:
        line = text[low:high].strip()
        if _DRAWN.fullmatch(line):
            continue
        cells = line.removeprefix("|")
        n_pipes = len(_PIPE.findall(cells)) if "\\" in cells else cells.count("|")
        counts.add(n_pipes + 1 - (cells.endswith("|") and not cells.endswith("\\|")))
        n_rows += 1
        if len(counts) > 1:
            return False
    return n_rows >= 2 and max(counts, default=0) >= 2


def _is_columns(text: str, lines: Lines) -> bool:
    """Whether tabs, or a gutter of two blanks or more through all lines, part them alike."""
    if len(lines) < 3:
        return False
    if text.find("\t", lines[0][0], lines[-1][1]) >= 0:
        tabs = {text.count("\t", low, high) for low, high in lines}
        if max(tabs) > 0:
            return len(tabs) == 1
    return _has_gutter(text, lines)


def _has_gutter(text: str, lines: Lines) -> bool:
    starts = [text.rfind("\n", 0, low) + 1 for low, _ in lines]
    if max(high - start for (_, high), start in zip(lines, starts, strict=True)) > _WIDEST:
        return False
    common: int | None = None
    for start, (low, high) in zip(starts, lines, strict=True):
        blanks = 0
        for gap in _GUTTER.finditer(text, low, high):
            begin, end = gap.start() - start, gap.end() - start
            blanks |= (1 << end) - (1 << begin)
        common = blanks if common is None else common & blanks
        if not common:
            return False
    # Two blanks side by side in every line.
    return bool(common and common & (common >> 1))


def _rows(text: str, lines: Lines) -> list[Row]:
    rows: list[Row] = []
    header = False
    for low, high in lines:
        drawn = _DRAWN.fullmatch(text, low, high) is not None
        if drawn and not header and len(rows) <= 3 and any(not _drawn(text, row) for row in rows):
            rows = [(rows[0][0], high, "header")]
            header = True
        elif drawn and rows and (header or not _drawn(text, rows[-1])):
            rows[-1] = (rows[-1][0], high, rows[-1][2])
        else:
            rows.append((low, high, ""))
    if not header and len(rows) > 1 and _heads(text, rows):
        rows[0] = (rows[0][0], rows[0][1], "header")
    return rows


def _drawn(text: str, row: Row) -> bool:
    return _DRAWN.fullmatch(text, row[0], row[1]) is not None


def _heads(text: str, rows: list[Row]) -> bool:
    """Whether the first row has no digits and most others have."""
    with_digits = [_DIGIT.search(text, low, high) is not None for low, high, _ in rows]
    return not with_digits[0] and sum(with_digits) * 2 >= len(rows) - 1
