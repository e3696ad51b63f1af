"""Whether the first row of a table names its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["has_header", "is_label", "is_value"]

_LONGEST_LABEL = 80
_ROWS_LOOKED_AT = 100
# A number, an amount, a share, a date, a time, an address: what a cell holds, not its name.
_VALUE = re.compile(
    r"""[-+(]?\s*[$€£¥]?\s*\d[\d.,'’\s\u00a0]*(?:[eE][-+]?\d+)?\s*[%€$£¥)]?
    | \d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[T\s].*)?
    | \d{1,2}:\d\d(?::\d\d)?(?:\s*[ap]m)?
    | \S+@\S+\.\S+
    | https?://\S+
    | true | false""",
    re.VERBOSE | re.IGNORECASE,
)
_YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d", re.IGNORECASE)


def is_value(cell: str) -> bool:
    """Whether a cell holds a number, a date, an address or the like.

    Example:
        >>> [is_value(cell) for cell in ("12.5 %", "2024-05-01", "Price", "")]
        [True, True, False, False]
    """
    return _VALUE.fullmatch(cell.strip()[: _LONGEST_LABEL + 1]) is not None


def is_label(cell: str) -> bool:
    """Whether a cell could be the name of a column: short, on one line, no value but a year."""
    cell = cell.strip()
    if not cell or len(cell) > _LONGEST_LABEL or "\n" in cell:
        return False
    return not is_value(cell) or _YEAR.fullmatch(cell) is not None


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first of these rows is a header.

    Its cells must be different labels, all but the first there, not all of them
    years unless the first is empty, and none may stand again below it in its
    column. One row alone is no header.

    Example:
        >>> has_header([["part", "price"], ["pump", "12.50"]])
        True
        >>> has_header([["pump", "12.50"], ["belt", "3.20"]])
        False
    """
    if not rows:
        return False
    first, *others = [[cell.strip() for cell in row] for row in rows[:_ROWS_LOOKED_AT]]
    while first and not first[-1]:
        first = first[:-1]
    if not others or not first or not all(map(is_label, first[1:])):
        return False
    named = [cell for cell in first if cell]
    if len({cell.casefold() for cell in named}) < len(named) or not all(map(is_label, named)):
        return False
    if first[0] and all(map(is_value, named)):
        return False
    below = [{row[i].casefold() for row in others if i < len(row)} for i in range(len(first))]
    return not any(cell and cell.casefold() in below[i] for i, cell in enumerate(first))
