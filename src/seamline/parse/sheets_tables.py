"""The rows of a sheet as a reader sees them: tables, their headers, lines of text between."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from seamline.parse.csv_header import has_header, is_label
from seamline.parse.limits import Limits

__all__ = ["Region", "cell_text", "fill_merged", "regions_of"]

Merged = Sequence[tuple[tuple[int, int], tuple[int, int]]]
_HIGHEST_HEADER = 4


@dataclass(slots=True)
class Region:
    """Rows that belong together: their texts, and their numbers in the sheet from 1.

    `n_header` of them are the header. A region of one cell a row is text, no table.
    """

    rows: list[list[str]]
    numbers: list[int]
    n_header: int = 0
    is_table: bool = True


def cell_text(value: Any) -> str:
    """A cell's value as a reader sees it, on one line.

    Example:
        >>> [cell_text(value) for value in (3.0, 0.1 + 0.2, True, dt.date(2024, 5, 1))]
        ['3', '0.3', 'TRUE', '2024-05-01']
        >>> cell_text(dt.timedelta(hours=30)), cell_text(dt.time(9, 5))
        ('30:00:00', '09:05')
    """
    if isinstance(value, str):
        return " ".join(value.replace("_x000D_", " ").split())
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, int | float):
        return f"{value:.15g}"
    if isinstance(value, dt.timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if isinstance(value, dt.datetime):
        value = (value + dt.timedelta(milliseconds=500)).replace(microsecond=0)
        if value.time() == dt.time():
            return str(value.date())
    return str(value).removesuffix(":00")


def fill_merged(
    rows: list[list[str]], merged: Merged, start: tuple[int, int], limits: Limits
) -> None:
    """Write the text of merged cells into every place they cover, as far as `limits` allow.

    `start` is the place of the first cell of `rows` in the sheet.
    """
    copies, characters = limits.max_copies, limits.max_copied_characters
    for (top, left), (bottom, right) in merged:
        low, first = max(0, top - start[0]), max(0, left - start[1])
        high = min(len(rows) - 1, bottom - start[0])
        if top < start[0] or left < start[1] or low > high or first >= len(rows[low]):
            continue
        text, last = rows[low][first], min(right - start[1] + 1, len(rows[low]))
        n_places = (high - low + 1) * (last - first)
        copies, characters = copies - n_places, characters - n_places * len(text)
        if copies < 0 or characters < 0:
            return
        for row in rows[low : high + 1] if text else []:
            row[first:last] = [cell or text for cell in row[first:last]]


def regions_of(rows: Sequence[list[str]], first_number: int) -> list[Region]:
    """The regions of a sheet, parted by empty rows; empty rows and columns are left out.

    Lines of one cell above a table are a region of their own. A table without a header
    that goes on in the columns of the one above belongs to it.

    Example:
        >>> rows = [["Stock"], ["part", "price"], ["pump", "12"], ["", ""], ["belt", "3"]]
        >>> [(region.is_table, region.n_header, region.numbers) for region in regions_of(rows, 1)]
        [(False, 0, [1]), (True, 1, [2, 3, 5])]
    """
    found: list[Region] = []
    columns: list[int] = []
    for numbers, run in _runs(rows, first_number):
        n_above = next((n for n, row in enumerate(run) if _n_texts(row) > 1), len(run))
        if n_above:
            texts = [[next(filter(None, row))] for row in run[:n_above]]
            found.append(Region(texts, numbers[:n_above], is_table=False))
        if n_above == len(run):
            continue
        table, here = run[n_above:], numbers[n_above:]
        used = [i for i in range(max(map(len, table))) if any(i < len(r) and r[i] for r in table)]
        n_header = _n_header(_only(table, used))
        above = found[-1] if found and found[-1].is_table and found[-1].n_header else None
        if above and not n_header and set(used) <= set(columns):
            above.rows += _only(table, columns)
            above.numbers += here
        else:
            columns = used
            found.append(Region(_only(table, used), here, n_header))
    return found


def _runs(
    rows: Sequence[list[str]], first_number: int
) -> Iterator[tuple[list[int], list[list[str]]]]:
    """Rows that follow each other without an empty one between, with their numbers."""
    numbers: list[int] = []
    run: list[list[str]] = []
    for number, row in enumerate(rows, start=first_number):
        if any(row):
            numbers.append(number)
            run.append(row)
        elif run:
            yield numbers, run
            numbers, run = [], []
    if run:
        yield numbers, run


def _n_texts(row: Sequence[str]) -> int:
    """How many different texts a row holds: one where a title is merged across."""
    return len(set(filter(None, row)))


def _only(rows: Sequence[list[str]], columns: Sequence[int]) -> list[list[str]]:
    return [[row[i] if i < len(row) else "" for i in columns] for row in rows]


def _n_header(rows: Sequence[list[str]]) -> int:
    """How many of the first rows name the columns, those above the last in groups."""
    for n in range(1, min(_HIGHEST_HEADER, len(rows) - 1) + 1):
        if n > 1 and not _is_grouping(rows[n - 2]):
            return 0
        if has_header([_names(rows[:n]), *rows[n:]]):
            return n
    return 0


def _is_grouping(row: Sequence[str]) -> bool:
    """Whether a row's labels are above several columns each."""
    labels = [cell for cell in row if cell]
    spread = len(labels) < len(row) or any(a == b for a, b in pairwise(row))
    return spread and all(map(is_label, labels))


def _names(rows: Sequence[list[str]]) -> list[str]:
    """The names of the columns: a group's label in front of those below it."""
    parts: list[list[str]] = [[] for _ in rows[0]]
    for depth, row in enumerate(rows):
        label = ""
        for i, cell in enumerate(row):
            label = cell or (label if depth < len(rows) - 1 else "")
            if label and label not in parts[i]:
                parts[i].append(label)
    return [" / ".join(part) for part in parts]
