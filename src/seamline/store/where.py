"""Conditions on documents: typed values, told to a database as parameters, never as text.

`key("year") >= 2024` is a condition; `&`, `|` and `~` join them. Whatever is compared with
a value of another type, or is not there, does not match, so its negation does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, cast, get_args

from seamline.errors import InvalidConfig
from seamline.store.values import check_string

__all__ = [
    "OWN",
    "All",
    "Any_",
    "Compare",
    "Has",
    "In",
    "Key",
    "Not",
    "Where",
    "key",
    "parse_value",
    "parse_where",
]

Scalar = str | int | float | bool
Operator = Literal["=", "!=", "<", "<=", ">", ">="]

OWN = ("id", "source", "media_type", "version")
"""Keys that name what every document has; all others name its metadata."""

_LARGEST = 2**53
_DEEPEST = 50


class Where:
    """A condition on a document."""

    __slots__ = ()

    def __and__(self, other: Where) -> Where:
        return All((*_parts(self, All), *_parts(other, All)))

    def __or__(self, other: Where) -> Where:
        return Any_((*_parts(self, Any_), *_parts(other, Any_)))

    def __invert__(self) -> Where:
        return self.part if isinstance(self, Not) else Not(self)

    def __bool__(self) -> bool:
        raise InvalidConfig("conditions are joined by &, | and ~, not by and, or and not")

    def matches(self, document: Mapping[str, Any]) -> bool:
        """Whether the condition holds of a document's facts: metadata, `OWN`, `tags`."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Compare(Where):
    """The value at `path` compared with `value`, which must be of the same type."""

    path: tuple[str, ...]
    operator: Operator
    value: Scalar
    _kinds: tuple[str, ...] = field(init=False, repr=False)  # else 1 would equal true

    def __post_init__(self) -> None:
        object.__setattr__(self, "_kinds", (kind_of(self.value),))
        if self.operator not in get_args(Operator):
            raise InvalidConfig(
                f"a condition compares by one of {' '.join(get_args(Operator))}, got "
                f"{self.operator!r}"
            )
        check_value(self.value)
        if isinstance(self.value, bool) and self.operator not in ("=", "!="):
            raise InvalidConfig(f"true and false compare by = and != only, got {self.operator!r}")

    def matches(self, document: Mapping[str, Any]) -> bool:
        found = value_at(document, self.path)
        if self.operator == "!=":
            return not _equal(found, self.value)
        if self.operator == "=":
            return _equal(found, self.value)
        return kind_of(found) == kind_of(self.value) and _ordered(found, self.operator, self.value)


@dataclass(frozen=True, slots=True)
class In(Where):
    """The value at `path` is one of `values`."""

    path: tuple[str, ...]
    values: tuple[Scalar, ...]
    _kinds: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_kinds", tuple(map(kind_of, self.values)))
        for value in self.values:
            check_value(value)

    def matches(self, document: Mapping[str, Any]) -> bool:
        found = value_at(document, self.path)
        return any(_equal(found, value) for value in self.values)


@dataclass(frozen=True, slots=True)
class Has(Where):
    """The list at `path` has `value`; `tags` is such a list."""

    path: tuple[str, ...]
    value: Scalar
    _kinds: tuple[str, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_kinds", (kind_of(self.value),))
        check_value(self.value)

    def matches(self, document: Mapping[str, Any]) -> bool:
        found = value_at(document, self.path)
        return isinstance(found, list) and any(_equal(item, self.value) for item in found)


@dataclass(frozen=True, slots=True)
class All(Where):
    """Every condition of `parts` holds."""

    parts: tuple[Where, ...]
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _depth(self.parts))

    def matches(self, document: Mapping[str, Any]) -> bool:
        return all(part.matches(document) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Any_(Where):  # noqa: N801 - Any is typing's
    """A condition of `parts` holds."""

    parts: tuple[Where, ...]
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _depth(self.parts))

    def matches(self, document: Mapping[str, Any]) -> bool:
        return any(part.matches(document) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Not(Where):
    """`part` does not hold."""

    part: Where
    depth: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", _depth((self.part,)))

    def matches(self, document: Mapping[str, Any]) -> bool:
        return not self.part.matches(document)


def _parts(where: Any, kind: type[All | Any_]) -> tuple[Where, ...]:
    """What is joined in a condition of this kind, so that it need not be nested."""
    return where.parts if isinstance(where, kind) else (where,)


def _depth(parts: Sequence[Any]) -> int:
    """How deep conditions lie in each other; raises `InvalidConfig` if that is too deep."""
    for part in parts:
        if not isinstance(part, Where):
            raise InvalidConfig(f"a condition must be like key('year') >= 2024, got {part!r}")
    depth: int = 1 + max((getattr(part, "depth", 1) for part in parts), default=0)
    if depth > _DEEPEST:
        raise InvalidConfig(f"conditions must be at most {_DEEPEST} deep in each other")
    return depth


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """A place in a document's facts, to be compared: `key("review.year") >= 2024`."""

    path: tuple[str, ...]

    def __hash__(self) -> int:
        return hash(self.path)

    def __eq__(self, value: object) -> Where:  # type: ignore[override]
        return Compare(self.path, "=", cast("Scalar", value))

    def __ne__(self, value: object) -> Where:  # type: ignore[override]
        return Compare(self.path, "!=", cast("Scalar", value))

    def __lt__(self, value: Any) -> Where:
        return Compare(self.path, "<", value)

    def __le__(self, value: Any) -> Where:
        return Compare(self.path, "<=", value)

    def __gt__(self, value: Any) -> Where:
        return Compare(self.path, ">", value)

    def __ge__(self, value: Any) -> Where:
        return Compare(self.path, ">=", value)

    def one_of(self, values: Sequence[Scalar]) -> Where:
        """The value is one of these."""
        return In(self.path, tuple(values))

    def has(self, value: Scalar) -> Where:
        """The list has this value."""
        return Has(self.path, value)


def key(name: str) -> Key:
    """The fact `name` of a document: `id`, `source`, `media_type`, `version`, `tags`, or metadata.

    A dot leads into a table: `review.year`.

    Raises:
        InvalidConfig: the name is empty, or too deep.

    Example:
        >>> condition = (key("kind") == "policy") & ~key("tags").has("draft")
        >>> condition.matches({"kind": "policy", "tags": ["hr"]})
        True
    """
    check_string("a key", name)
    path = tuple(name.split("."))
    if not all(path) or len(path) > _DEEPEST:
        raise InvalidConfig(f"a key must be a name like kind or review.year, got {name!r}")
    return Key(path)


_CONDITION = re.compile(
    r"\s*(?P<key>[^\s=!<>~]+(?:\s+[^\s=!<>~]+)*?)\s*"
    r"(?P<op>[=!<>~]+(?:\s+[=!<>~]+)*)\s*(?P<value>.*?)\s*\Z",
    re.DOTALL,
)
_WRITTEN = (*get_args(Operator), "~")
_SLIPS = {"=>": ">=", "=<": "<=", "<>": "!=", "=!": "!=", "!": "!=", "=~": "~", "~=": "~"}
_NUMBER = re.compile(r"(-(?!0(\.0)?\Z))?(0|[1-9][0-9]*)(\.(0|[0-9]*[1-9]))?")


def parse_where(text: str) -> Where:
    """The condition that a text like `year>=2024`, `kind=policy` or `tags~hr` states.

    `~` asks whether a list has the value; `==` is `=`. Values are read by `parse_value`.

    Raises:
        InvalidConfig: it is no condition.

    Example:
        >>> parse_where("year >= 2024").matches({"year": 2025})
        True
        >>> parse_where('code="7"').matches({"code": 7})
        False
    """
    found = _CONDITION.match(text)
    if not found:
        raise InvalidConfig(
            f"a condition must be like year>=2024, kind=policy or tags~hr, got {text!r}"
        )
    operator = "=" if found["op"] == "==" else found["op"]
    if operator not in _WRITTEN:
        raise _no_operator(operator, text)
    place, value = key(found["key"]), parse_value(found["value"])
    if operator == "~":
        return place.has(value)
    return Compare(place.path, operator, value)  # type: ignore[arg-type]


def _no_operator(given: str, text: str) -> InvalidConfig:
    hint = f"did you mean {_SLIPS[given]}? A" if given in _SLIPS else "a"
    return InvalidConfig(
        f"a condition must compare by one of {' '.join(_WRITTEN)}, got {given!r} in {text!r}: "
        f"{hint} value that begins with such a sign stands in double quotes"
    )


def parse_value(text: str) -> Scalar:
    """The value that a text states: a number, true, false, or else the text itself.

    A number is one only as it is printed, in plain decimals of which nothing would be lost:
    `7`, `-3` and `0.5`, but not `007`, `+7`, `1_000`, `1.50`, `1e3`, nor an integer beyond
    2**53. What stands in double quotes is a string, as in JSON. White space around is left out.

    Raises:
        InvalidConfig: it begins with a double quote, and is no string of JSON.

    Example:
        >>> parse_value("7"), parse_value("007"), parse_value("true"), parse_value('"7"')
        (7, '007', True, '7')
    """
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"'):
        return _unquoted(text)
    if not _NUMBER.fullmatch(text):
        return text
    exact = Decimal(text)
    if exact.copy_abs() > _LARGEST:
        return text
    number = float(text) if "." in text else int(text)
    return number if Decimal(repr(number)) == exact else text


def _unquoted(text: str) -> str:
    try:
        inner = json.loads(text)
    except ValueError:
        inner = None
    if not isinstance(inner, str):
        raise InvalidConfig(f"a string in quotes must end in one, as in JSON, got {text}")
    return inner


def check_value(value: Any) -> None:
    """Raise `InvalidConfig` unless `value` is a string, a finite number, true or false."""
    kind = kind_of(value)
    if kind == "number" and not abs(value) <= _LARGEST:
        raise InvalidConfig(f"numbers in conditions must be finite and below 2**53, got {value!r}")
    if kind == "string":
        check_string("what a condition compares with", value)
    if not kind:
        raise InvalidConfig(
            f"conditions compare with strings, numbers, true and false, got {value!r}"
        )


def kind_of(value: Any) -> str:
    """`string`, `number` or `boolean`, as JSON has it; empty for anything else."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else ""


def value_at(document: Mapping[str, Any], path: Sequence[str]) -> Any:
    """What lies at `path` in nested tables; None where nothing does."""
    found: Any = document
    for name in path:
        if not isinstance(found, Mapping) or name not in found:
            return None
        found = found[name]
    return found


def _equal(found: Any, value: Scalar) -> bool:
    return kind_of(found) == kind_of(value) and bool(found == value)


def _ordered(found: Any, operator: str, value: Any) -> bool:
    if operator in ("<", "<="):
        return bool(found < value or (operator == "<=" and found == value))
    return bool(found > value or (operator == ">=" and found == value))


def parts_of(where: Where) -> Iterator[Where]:
    """The condition and all inside it."""
    yield where
    for part in getattr(where, "parts", ()):
        yield from parts_of(part)
    if isinstance(where, Not):
        yield from parts_of(where.part)
