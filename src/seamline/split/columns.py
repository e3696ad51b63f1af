"""The columns of a table: what they are called, what their cells say, which are the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import repeat, zip_longest

from seamline.split.english import is_number, is_plural, is_value, lowered, measured, period

__all__ = [
    "ABOVE",
    "EMPTY",
    "ENDED",
    "EXACT",
    "LONG",
    "NO",
    "NONE",
    "TEXT",
    "YES",
    "Column",
    "codes_of",
    "columns_of",
]

# What a cell is to its column, as one letter.
EMPTY, EXACT, TEXT, LONG, ENDED, NONE, YES, NO = "0utleoyf"
ABOVE = frozenset({"^^", "\u3003", '"'})
"""What a cell says that holds the same as the one above it."""

_SAID, _STOPS = (TEXT, LONG), (".", "!", "?")
_LONGEST_NAME = 80
_PROSE = 80  # a column with a longer cell holds prose
_MOST_KEYS, _WIDEST_KEY = 3, 80
_SEARCHED = 16  # of so many columns the key is chosen


def _cased(words: str) -> set[str]:
    return {form for w in words.split() for form in (w, w.capitalize(), w.upper())}


_DASHES = frozenset({"-", "--", "\u2013", "\u2014"})
_CELLS: Mapping[str, str] = {
    **dict.fromkeys(("", *sorted(_DASHES)), EMPTY),
    **dict.fromkeys(sorted(_cased("none")), NONE),
}
_MARKS_YES = {"\u2713", "\u2714", "\u2714\ufe0f", "\u2705", "\u2611", "\u2611\ufe0f", "[x]", "[X]"}
_MARKS_NO = {"\u2717", "\u2718", "\u274c", "\u2612", "\u2716", "\u2716\ufe0f", "\u00d7", "[ ]"}
_CROSSED, _INITIALS = {"x", "X"}, _cased("y n")
_YES = _cased("yes true y") | _MARKS_YES | _CROSSED
_NO = _cased("no false n") | _MARKS_NO


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `name` as in the header, `label` and `unit` as a sentence has them.

    `cells` says what certain cells are to it. `exact` where it matters whether a
    cell is a number and nothing else, `prose` where long texts stand. `key` is 0,
    or its place in the key from 1.
    """

    name: str = ""
    label: str = ""
    unit: str = ""
    cells: Mapping[str, str] = field(default_factory=lambda: _CELLS)
    exact: bool = False
    prose: bool = False
    key: int = 0


def codes_of(column: Column, cells: Sequence[str]) -> list[str]:
    """What each cell is to its column, as one letter.

    Example:
        >>> codes_of(Column(), ["", "12", "oil", "None", "-"])
        ['0', 't', 't', 'o', '0']
    """
    codes = list(map(column.cells.get, cells, repeat(TEXT)))
    if column.exact:
        pairs = zip(cells, codes, strict=True)
        return [EXACT if code == TEXT and is_number(cell) else code for cell, code in pairs]
    if column.prose:
        codes = [LONG if code == TEXT else code for code in codes]
    said = "\n".join([*cells, ""])
    if ".\n" in said or "!\n" in said or "?\n" in said:
        pairs = zip(cells, codes, strict=True)
        return [ENDED if code in _SAID and cell.endswith(_STOPS) else code for cell, code in pairs]
    return codes


def columns_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Column]:
    """The columns of a table, by the names in its header and some of its rows.

    The key is the first column that holds more than numbers, with the leading
    columns that it takes to tell the rows apart; one that numbers the rows
    where only that does.

    Example:
        >>> found = columns_of(
        ...     ["#", "Part", "Weight (kg)"], [["1", "pump", "5"], ["2", "belt", ""]]
        ... )
        >>> [(column.label, column.unit, column.key) for column in found]
        [('number', '', 0), ('part', '', 1), ('weight', 'kg', 0)]
    """
    held: list[list[str]] = [[] for _ in names]
    for row in rows:
        while len(held) < len(row):
            held.append([])
        for cells, cell in zip(held, row, strict=False):
            cells.append(cell)
    pairs = zip_longest(names, held, fillvalue="")
    found = [_column(str(name), list(cells)) for name, cells in pairs]
    keys = _keys(found, held, rows)
    for place, at in enumerate(keys, 1):
        found[at] = replace(found[at], key=place)
    if keys and (again := f"{found[keys[0]].label} ") != " ":
        found = [
            replace(one, label=one.label.removeprefix(again)) if not one.key else one
            for one in found
        ]
    return found


def _column(name: str, cells: list[str]) -> Column:
    name = " ".join(name.split())[:_LONGEST_NAME]
    label, unit = measured(name)
    label = "number" if label.lower().rstrip(".") in ("#", "no", "nr") else lowered(label)
    return Column(
        name,
        label,
        unit,
        _meanings(set(cells)),
        exact=bool(unit) or is_plural(label),
        prose=max(map(len, cells), default=0) > _PROSE,
    )


def _meanings(words: set[str]) -> Mapping[str, str]:
    """What the cells of a column mean that holds these: yes and no only where all are one."""
    words = words - _DASHES - {""}
    if not words or not words <= _YES | _NO:
        return _CELLS
    crossed, initials = not words.isdisjoint(_CROSSED), not words.isdisjoint(_INITIALS)
    if (crossed and initials) or (initials and not words <= _INITIALS):
        return _CELLS
    marks = words <= _MARKS_YES | _MARKS_NO | _CROSSED
    return _yes_no(crossed=crossed, initials=initials, marks=marks)


@cache
def _yes_no(*, crossed: bool, initials: bool, marks: bool) -> Mapping[str, str]:
    left_out = (set() if crossed else _CROSSED) | (set() if initials else _INITIALS)
    return {
        **_CELLS,
        **dict.fromkeys(_YES - left_out, YES),
        **dict.fromkeys(_NO - left_out, NO),
        **(dict.fromkeys(_DASHES, NO) if marks else {}),
    }


def _keys(
    columns: Sequence[Column], held: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> list[int]:
    """The numbers of the key columns, the main one first."""
    if not columns:
        return []
    searched = range(min(len(columns), _SEARCHED))
    numeric = [_only(held[at], is_number) for at in searched]
    named = [at for at in searched if _names(columns[at], held[at], first=at == 0)]
    main = named[0] if named else 0
    dated = (at for at in searched if at not in named and _only(held[at], period))
    keys = _telling(rows, main, sorted({*named, *dated} - {main}), len(columns))
    if _n_distinct(rows, keys) < len(rows):
        numbering = [at for at in searched if numeric[at] and at < main]
        for at in numbering:
            if _n_distinct(rows, [at]) == len(rows):
                return [at]
        return _telling(rows, main, numbering, len(columns))
    return keys


def _only(cells: Sequence[str], test: Callable[[str], object]) -> bool:
    """Whether a column holds nothing but numbers, or nothing but years, and not nothing."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(map(test, filled))


def _names(column: Column, cells: Sequence[str], *, first: bool) -> bool:
    """Whether a column's cells could name rows: most are there, no answers, prose or amounts."""
    filled = [cell for cell in cells if cell]
    if column.cells is not _CELLS or len(filled) * 2 < len(cells) or not filled:
        return False
    if first:
        return not _only(cells, is_number) and sum(map(len, filled)) <= _WIDEST_KEY * len(filled)
    return sum(map(is_value, filled)) * 4 < len(filled) and max(map(len, filled)) <= _WIDEST_KEY


def _telling(
    rows: Sequence[Sequence[str]], main: int, usable: Sequence[int], n_columns: int
) -> list[int]:
    """The main column and the first others that tell the rows apart; it alone if none do."""
    keys, told = [main], _n_distinct(rows, [main])
    for at in usable:
        if len(keys) >= min(_MOST_KEYS, n_columns - 1) or told == len(rows):
            break
        more = _n_distinct(rows, [*keys, at])
        if more > told:
            keys, told = [*keys, at], more
    return keys if told == len(rows) else [main]


def _n_distinct(rows: Sequence[Sequence[str]], columns: Sequence[int]) -> int:
    return len({tuple(row[at] if at < len(row) else "" for at in columns) for row in rows})
