"""Floors: what a measure must reach, whatever the statistics say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from seamline.errors import InvalidConfig
from seamline.measure.names import parse_measure

__all__ = ["CHUNK_SIZE", "NO_FLOORS", "Floors"]

CHUNK_SIZE = "mean_chunk_size"
"""The mean size of a chunk in tokens, held from above and below."""

_TOLERANCE = "tolerance"


@dataclass(frozen=True, slots=True)
class Floors:
    """What must be reached: a number by name, or None for what was locked.

    `tolerance` is what may be lost of a locked value: 0.03 is 3 points of a measure
    in 0..1 and 3 % of one in tokens. A number of its own is a floor as it stands;
    `mean_chunk_size` may be off by the tolerance in both directions either way.

    Example:
        >>> Floors.of({"containment": 0.85, "Recall@5": True}).wanted
        (('Containment', 0.85), ('Recall@5', None))
    """

    wanted: tuple[tuple[str, float | None], ...] = ()
    tolerance: float = 0.03

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Floors:
        """The floors of a table: a measure's name, and its floor or `True` for what was locked.

        `tolerance` stands among them. `False` is no floor. Names as in `parse_measure`.

        Raises:
            UnknownName: no such measure.
            InvalidConfig: a value that is neither a number nor true or false, or one
                name twice.
        """
        wanted: dict[str, float | None] = {}
        tolerance = cls().tolerance
        for key, value in table.items():
            if key == _TOLERANCE:
                tolerance = _share(value)
                continue
            name = _name(key)
            if name in wanted:
                raise InvalidConfig(f"each floor must be given once, got {name} twice")
            if value is not False:
                wanted[name] = _floor(name, value)
        return cls(tuple(wanted.items()), tolerance)

    def with_options(self, options: Iterable[str]) -> Floors:
        """These floors and those of `NAME` and `NAME=VALUE`, which take the place of theirs.

        Raises:
            UnknownName, InvalidConfig: as in `of`, and of options that are no floor.

        Example:
            >>> Floors().with_options(["containment=0.8", "Recall@5"]).wanted
            (('Containment', 0.8), ('Recall@5', None))
        """
        given: dict[str, Any] = {}
        for name, value in map(_option, options):
            if name in given:
                raise InvalidConfig(f"each floor must be given once, got {name} twice")
            given[name] = value
        more = Floors.of({_TOLERANCE: self.tolerance, **given})
        own = dict(self.wanted)
        return Floors(tuple({**own, **dict(more.wanted)}.items()), more.tolerance)

    def __iter__(self) -> Iterator[tuple[str, float | None]]:
        return iter(self.wanted)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names that are measures of questions."""
        return tuple(name for name, _ in self.wanted if name != CHUNK_SIZE)


NO_FLOORS = Floors()


def _name(key: str) -> str:
    plain = key.strip().lower().replace("-", "_")
    return CHUNK_SIZE if plain == CHUNK_SIZE else str(parse_measure(key))


def _option(text: str) -> tuple[str, Any]:
    name, given, value = text.partition("=")
    if not given or value.strip() == "true":
        return name.strip(), True
    try:
        return name.strip(), float(value)
    except ValueError:
        raise InvalidConfig(
            f"a floor must be NAME or NAME=VALUE, like Containment=0.85, got {text!r}"
        ) from None


def _number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _floor(name: str, value: Any) -> float | None:
    if value is True:
        return None
    if not _number(value):
        raise InvalidConfig(
            f"the floor of {name} must be a number, or true for what was locked, got {value!r}"
        )
    return float(value)


def _share(value: Any) -> float:
    if not _number(value) or not 0 <= value < 1:
        raise InvalidConfig(
            f"the tolerance of floors must be from 0 to below 1, like 0.03, got {value!r}"
        )
    return float(value)
