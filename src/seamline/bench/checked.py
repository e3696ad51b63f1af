"""What a results file must hold: the types of `schema`, and what its parts say of one another."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import itemgetter
from types import UnionType
from typing import (
    Any,
    NotRequired,
    Protocol,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from seamline.bench.schema import ConfigRow, ResultsData
from seamline.errors import InvalidConfig, SeamlineError
from seamline.measure import parse_measure

__all__ = ["LARGEST_NUMBER", "check_results", "value_range"]

Wrong = tuple[str, str, Any]
"""Where, what must hold there, and what was given."""

LARGEST_NUMBER = 2**53
"""The largest number that a file may hold: whole ones up to it are exact as floats."""

_NONE = object()
_SHOWN = 60  # characters of what was given
_KINDS: dict[Any, tuple[set[type], str]] = {
    str: ({str}, "a string"),
    bool: ({bool}, "true or false"),
    int: ({int}, "a whole number from 0 on"),
    float: ({int, float}, "a finite number"),
}


def check_results(data: Any) -> None:
    """Raise `InvalidConfig` unless `data` is a whole results file, with the cuts of every row.

    Types are those of `ResultsData`; keys that it does not name may stand there. Ids are
    unique, each list that goes by question has one entry a question, values lie in their
    measure's range, and what is named is there. Takes about 0.1 s for 5 MB.
    """
    shape = _shape(ResultsData)
    wrong = None if shape.all([data]) else shape.find(data)
    wrong = wrong or next(_contradictions(data), None)
    if wrong:
        where, wanted, given = wrong
        raise InvalidConfig(
            f"{where.removeprefix('.')} must {wanted}, got {_short(given)}: measure again"
        )


def _short(value: Any) -> str:
    if value is _NONE:
        return "none"
    if isinstance(value, list | dict) and value:
        return f"a {'list' if isinstance(value, list) else 'table'} of {len(value):,}"
    if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
        return "a larger one"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class _Shape(Protocol):
    """`all` tells of many values at once whether they fit, `find` what does not in one."""

    def all(self, values: Sequence[Any], /) -> bool: ...

    def find(self, value: Any, /) -> Wrong | None: ...


@dataclass(frozen=True, slots=True)
class _Plain:
    kinds: set[type]
    wanted: str

    def all(self, values: Sequence[Any]) -> bool:
        found = set(map(type, values))
        if not found <= self.kinds:
            return False
        numbers = int in found or float in found
        low = 0 if float not in self.kinds else -LARGEST_NUMBER
        # NaN is no result of json.loads: Results.load refuses it.
        return not numbers or (min(values) >= low and max(values) <= LARGEST_NUMBER)

    def find(self, value: Any) -> Wrong | None:
        if self.all([value]):
            return None
        large = type(value) in self.kinds and float in self.kinds
        return "", f"be {'no larger than 2^53' if large else self.wanted}", value


class _Anything:
    def all(self, _values: Sequence[Any], /) -> bool:
        return True

    def find(self, _value: Any, /) -> Wrong | None:
        return None


@dataclass(frozen=True, slots=True)
class _Maybe:
    item: _Shape

    def all(self, values: Sequence[Any]) -> bool:
        return self.item.all([value for value in values if value is not None])

    def find(self, value: Any) -> Wrong | None:
        wrong = None if value is None else self.item.find(value)
        return wrong and (wrong[0], wrong[1] if wrong[0] else f"{wrong[1]} or null", wrong[2])


@dataclass(frozen=True, slots=True)
class _Many:
    """A list, or a table with any keys."""

    kind: type
    item: _Shape

    def all(self, values: Sequence[Any]) -> bool:
        if not set(map(type, values)) <= {self.kind}:
            return False
        parts = values if self.kind is list else [value.values() for value in values]
        return self.item.all(list(chain.from_iterable(parts)))

    def find(self, value: Any) -> Wrong | None:
        if type(value) is not self.kind:
            return "", f"be a {'list' if self.kind is list else 'table'}", value
        pairs = value.items() if type(value) is dict else enumerate(cast("list[Any]", value))
        return _first((f"[{key!r}]", self.item.find(item)) for key, item in pairs)


@dataclass(frozen=True, slots=True)
class _Table:
    """A table with these keys, of which those in `optional` may lack."""

    keys: dict[str, _Shape]
    optional: frozenset[str]

    def all(self, values: Sequence[Any]) -> bool:
        if not set(map(type, values)) <= {dict}:
            return False
        for key, shape in self.keys.items():
            column = [value[key] for value in values if key in value]
            if len(column) < len(values) and key not in self.optional:
                return False
            if not shape.all(column):
                return False
        return True

    def find(self, value: Any) -> Wrong | None:
        if type(value) is not dict:
            return "", "be a table", value
        for key in self.keys.keys() - self.optional - value.keys():
            return f".{key}", "be there", _NONE
        return _first(
            (f".{key}", self.keys[key].find(value[key])) for key in self.keys if key in value
        )


def _first(found: Iterable[tuple[str, Wrong | None]]) -> Wrong | None:
    return next(((at + wrong[0], *wrong[1:]) for at, wrong in found if wrong), None)


@cache
def _shape(declared: Any) -> _Shape:
    """What a declared type asks for."""
    if declared in _KINDS:
        return _Plain(*_KINDS[declared])
    if declared is Any:
        return _Anything()
    if is_typeddict(declared):
        hints = get_type_hints(declared, include_extras=True)
        optional = frozenset(key for key, one in hints.items() if get_origin(one) is NotRequired)
        if declared is ResultsData:
            hints["config"] = ConfigRow
        return _Table({key: _shape(one) for key, one in hints.items()}, optional)
    origin, args = get_origin(declared), get_args(declared)
    if origin is NotRequired:
        return _shape(args[0])
    if origin is UnionType:
        return _Maybe(_shape(args[0]))
    return _Many(list if origin is list else dict, _shape(args[-1]))


def _contradictions(data: ResultsData) -> Iterator[Wrong]:
    """Where parts of the right types do not fit one another."""
    for part, key in (("documents", "id"), ("questions", "id"), ("strategies", "spec")):
        yield from _unique(part, [row[key] for row in data[part]])  # type: ignore[literal-required]
    characters = {row["id"]: row["characters"] for row in data["documents"]}
    for i, question in enumerate(data["questions"]):
        if question["doc_id"] not in characters:
            yield f"questions[{i}].doc_id", "be the id of a document", question["doc_id"]
    yield from _config(data)
    for i, row in enumerate(data["strategies"]):
        for where, wanted, given in chain(_row(row, data, characters), _measured(row, data)):
            yield f"strategies[{i}].{where}", wanted, given


def _unique(part: str, names: Sequence[str]) -> Iterator[Wrong]:
    if not names:
        yield part, "be a list of at least one", names
    seen: set[str] = set()
    for i, name in enumerate(names):
        if name in seen:
            key = "spec" if part == "strategies" else "id"
            yield f"{part}[{i}].{key}", "stand once", name
        seen.add(name)


def _config(data: ResultsData) -> Iterator[Wrong]:
    config = data["config"]
    if not 0 <= config.get("margin", 0) < 1:
        yield "config.margin", "be from 0 to below 1", config["margin"]
    for name in (config["primary"], *config["measures"]):
        try:
            measure = parse_measure(name)
        except SeamlineError:
            yield "config.measures", "be names of measures", name
            return
        if name == config["primary"] and measure.lower_is_better != config["lower_is_better"]:
            yield "config.lower_is_better", f"be that of {name}", config["lower_is_better"]


def _row(row: Any, data: ResultsData, characters: dict[str, int]) -> Iterator[Wrong]:
    n = len(data["questions"])
    for key in ("top1", "retrieved"):
        if len(row[key]) != n:
            yield key, f"have {n:,} entries, one a question", len(row[key])
    yield from _spans(row, characters)
    pieces = list(chain.from_iterable(row["retrieved"]))
    four, doc = set(map(len, pieces)) <= {4}, itemgetter(0)
    if not four or not all(0 <= i < len(characters) for i in set(map(doc, pieces))):
        yield "retrieved", "be [document, start, end, score] each", row["retrieved"]
    if all(one["spec"] != row["difference"]["to"] for one in data["strategies"]):
        yield "difference.to", "be the spec of a strategy", row["difference"]["to"]


def _spans(row: Any, characters: dict[str, int]) -> Iterator[Wrong]:
    for doc, spans in row["chunks"].items():
        last = characters.get(doc, -1)
        if last < 0:
            yield "chunks", "be those of documents", doc
        elif bad := _misplaced(spans, last):
            yield f"chunks[{doc!r}]", f"be [start, end] within 0 to {last:,}", bad


def _misplaced(spans: list[list[int]], last: int) -> str:
    """The first span that is none in a text of `last` characters, as text."""
    if not set(map(len, spans)) <= {2}:
        return str(next(one for one in spans if len(one) != 2))
    return next((str([a, b]) for a, b in spans if not a <= b <= last), "")


def _measured(row: Any, data: ResultsData) -> Iterator[Wrong]:
    n, config = len(data["questions"]), data["config"]
    for name in (config["primary"], *config["measures"]):
        if name not in row["measures"]:
            yield "measures", f"have {name}, as config says", row["measures"]
    for name, measured in row["measures"].items():
        where, values = f"measures[{name!r}]", measured["values"]
        if len(values) != n:
            wanted = f"have {n:,} numbers or nulls, one a question"
            yield f"{where}.values", wanted, len(values)
        known = [value for value in values if value is not None]
        if measured["n"] != len(known):
            yield f"{where}.n", f"be {len(known):,}, as many as there are values", measured["n"]
        low, high = value_range(name)
        given = known if measured["mean"] is None else [*known, measured["mean"]]
        if given and not (low <= min(given) and max(given) <= high):
            bad = next(value for value in given if not low <= value <= high)
            yield (
                where,
                f"have values from {low:g} to {high:g}"
                if high == 1
                else "have values of 0 or more",
                bad,
            )


@cache
def value_range(name: str) -> tuple[float, float]:
    """The least and greatest value of a measure; of an unknown one any."""
    try:
        words = parse_measure(name).range
    except SeamlineError:
        return -math.inf, math.inf
    return {"0 to 1": (0.0, 1.0), "0 or more": (0.0, math.inf)}.get(words, (-math.inf, math.inf))
