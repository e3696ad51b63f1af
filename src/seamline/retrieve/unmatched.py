"""Why conditions match no document: what the documents that may be read have instead."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from seamline.registry import suggest
from seamline.store.base import Asked, Namespace, View
from seamline.store.common import facts
from seamline.store.values import Reader
from seamline.store.where import OWN, All, Compare, Has, Where, kind_of, parse_value, value_at

__all__ = ["reasons"]

_MOST = 1_000  # documents looked at, and keys
_KEYS = 20  # keys that are named at most
_LONGEST = 40  # characters of a value that is shown
_SAID = {"string": "text", "number": "a number", "boolean": "true or false"}
_HELD = {"string": "text", "number": "numbers", "boolean": "true and false"}
_HELD |= {"table": "tables", "list": "lists"}
_TRUTHS = {"true": "true", "yes": "true", "false": "false", "no": "false"}


def reasons(namespace: Namespace, reader: Reader) -> list[str]:
    """Why a reader's conditions match none of its documents: a sentence each, as far as is known.

    A key that no document has, or a value of another type than all of them have. None where
    the conditions match some, where there is nothing to read without them either, or where it
    is only that no value fits. Up to 1,000 documents are looked at, evenly among all.
    """
    if reader.where is None:
        return []
    with namespace.read(reader) as view:
        if view.count().documents:
            return []
    with namespace.read(replace(reader, where=None)) as view:
        seen = _seen(view)
    found = [_reason(one, seen) for one in _plain(reader.where)] if seen.facts else []
    return list(dict.fromkeys(filter(None, found)))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What conditions may ask of the documents that were looked at; `whole`: of all there are."""

    facts: Sequence[Mapping[str, Any]]
    whole: bool

    @property
    def among(self) -> str:
        return "these documents" if self.whole else f"the {len(self.facts):,} documents looked at"

    @property
    def none(self) -> str:
        return "no document" if self.whole else f"none of {self.among}"

    def at(self, path: Sequence[str]) -> list[Any]:
        """The values at a path, of those that have one; no tags are no value."""
        found = [value_at(one, path) for one in self.facts]
        return [value for value in found if value is not None and (value or path != ("tags",))]


def _seen(view: View) -> _Seen:
    # Without a vector and terms a store that cannot score all gives a sample of its chunks.
    scope = view.scope(Asked(None, np.empty(0, np.uint64), 1))
    numbers = np.unique(scope.document)
    if len(numbers) > _MOST:
        numbers = numbers[np.linspace(0, len(numbers) - 1, _MOST).astype(np.intp)]
    held = view.held(numbers.tolist())
    return _Seen([facts(one) for one in held.values()], len(held) == view.count().documents)


def _plain(where: Where) -> Iterator[Compare | Has]:
    """The single conditions that must all hold."""
    if isinstance(where, All):
        for part in where.parts:
            yield from _plain(part)
    elif isinstance(where, Compare | Has):
        yield where


def _reason(where: Compare | Has, seen: _Seen) -> str:
    """Why a condition can match none of the documents; empty where it could."""
    if isinstance(where, Compare) and where.operator == "!=":
        return ""
    values = seen.at(where.path)
    if not values:
        return _missing(where.path, seen)
    shape, name = _usual(values), ".".join(where.path)
    items = [
        item for value in values if isinstance(value, list) for item in value if item is not None
    ]
    if _fits(where.value, items if isinstance(where, Has) else values):
        return ""
    if shape == "table":
        return f"{name!r} is a table{_inside(where.path, seen)}"
    if shape != "list":
        operator = where.operator if isinstance(where, Compare) else "="
        no_list = "no list but " if isinstance(where, Has) else ""
        what = f"{no_list}{_SAID[shape]} in {seen.among}{_such_as(values, shape)}"
        return f"{name!r} is {what}{_write(name, operator, where.value, shape)}"
    return _list(where, name, items, seen)


def _list(where: Compare | Has, name: str, items: Sequence[Any], seen: _Seen) -> str:
    """What the lists at a key hold, and how they are asked for it."""
    if not items:
        return ""
    kind = kind_of(where.value) if _fits(where.value, items) else _usual(items)
    hold = f"lists of {_HELD[kind]} in {seen.among}{_such_as(items, kind)}"
    if isinstance(where, Compare) and where.operator != "=":
        return f"{name!r} holds {hold}: ask for one value, by {name}~value"
    return f"{name!r} holds {hold}{_write(name, '~', where.value, kind)}"


def _missing(path: Sequence[str], seen: _Seen) -> str:
    """That no document has the key, and which there are beside it."""
    inside = list(path[:-1])
    while inside and not _names(inside, seen):
        inside.pop()
    known = _names(inside, seen)
    name = ".".join(path)
    hint = suggest(name, [*known, *(one for one in OWN if Levenshtein.distance(one, name) < 2)])
    if not hint.startswith("did you mean"):
        hint = f"there are: {_enumerated(known or OWN)}"
    return f"{seen.none} has {name!r}; {hint}"


def _names(path: Sequence[str], seen: _Seen) -> list[str]:
    """The keys in the tables at a path, from the top, that a condition can name."""
    tables = [value_at(one, path) for one in seen.facts]
    names = {
        name
        for table in tables
        if isinstance(table, Mapping)
        for name in table
        if "." not in name and (path or name not in OWN)
    }
    if not path and not seen.at(("tags",)):
        names.discard("tags")
    return sorted(".".join((*path, name)) for name in names)[:_MOST]


def _enumerated(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_KEYS])
    return shown if len(names) <= _KEYS else f"{shown} and {len(names) - _KEYS:,} more"


def _inside(path: Sequence[str], seen: _Seen) -> str:
    return f" in {seen.among}: compare what is in it, {_enumerated(_names(path, seen))}"


def _shape(value: Any) -> str:
    return kind_of(value) or ("table" if isinstance(value, Mapping) else "list")


def _usual(values: Sequence[Any]) -> str:
    return Counter(map(_shape, values)).most_common(1)[0][0]


def _fits(value: Any, values: Sequence[Any]) -> bool:
    return any(kind_of(one) == kind_of(value) for one in values)


def _such_as(values: Sequence[Any], shape: str) -> str:
    """The first value of a shape, as an example where one is needed."""
    if shape == "boolean":
        return ""
    found = next(value for value in values if _shape(value) == shape)
    shown = repr(found) if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    return f", such as {shown if len(shown) <= _LONGEST else f'{shown[: _LONGEST - 1]}…'}"


def _write(name: str, operator: str, value: Any, kind: str) -> str:
    """How to write a condition so that it compares with values of that kind, if it can be."""
    if kind == "boolean" and operator not in ("=", "~"):
        return ""
    wanted = _as_kind(value, kind)
    if not wanted and kind == "number" and str(value).strip("+-0").isdecimal():
        return ": in conditions numbers go to 2**53"
    return f": write {name}{operator}{wanted}" if wanted else ""


def _as_kind(value: Any, kind: str) -> str:
    """A value written so that it is read as one of that kind; empty where it cannot be."""
    said = value if isinstance(value, str) else json.dumps(value)
    if kind == "string":
        plain = parse_value(said) == said and said[:1] not in "=!<>~"
        return said if plain and isinstance(value, str) else json.dumps(said, ensure_ascii=False)
    if kind == "boolean":
        return _TRUTHS.get(said.casefold(), "")
    return _as_number(said) if kind == "number" else ""


def _as_number(text: str) -> str:
    """`1.50`, `007` or `1e3` as a number is written in a condition."""
    try:
        number = float(text)
    except ValueError:
        return ""
    written = str(int(number)) if number.is_integer() else repr(number)
    return written if parse_value(written) == number else ""
