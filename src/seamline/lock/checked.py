"""What a check found: a verdict with its exit code, and each part with its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from seamline.bench.results import canonical
from seamline.compare import Comparison
from seamline.lock.compared import Aside
from seamline.lock.floors import Held
from seamline.lock.gold import Fault
from seamline.lock.lock import Lock
from seamline.lock.moved import NO_MOVES, Moves
from seamline.measure.floors import Floors

__all__ = [
    "BROKEN_GOLD",
    "NOT_COMPARABLE",
    "PASS",
    "REGRESSION",
    "Checked",
    "Outcome",
    "Part",
    "all_parts",
    "floor_part",
    "part_names",
]

PASS, REGRESSION, NOT_COMPARABLE, BROKEN_GOLD = 0, 1, 2, 3
"""The exit codes of `seamline check`."""

Outcome = Literal["pass", "open", "fail", "skip"]


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that was checked: `says` is the figure or the reason, a sentence or two.

    With `open` no failure is shown, but a drop beyond the margin was seen that may be one.
    With `skip` it was not looked at, since an earlier part had failed or it does not apply.
    """

    name: str
    outcome: Outcome
    says: str

    @property
    def ok(self) -> bool:
        """Whether it holds as far as it was looked at."""
        return self.outcome != "fail"


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of `check`: `code` is the exit code, `verdict` the words for it.

    `title` says in a sentence what was found and `todo` what to do about it, empty where
    there is nothing. `changes` are what was turned in the configuration since the lock
    and `upgrades` what is of another version. `means` are those of each measure over
    all questions of today, and `mean_chunk_size` of all chunks. What an earlier failure
    left undone is None or empty.
    """

    code: int
    verdict: str
    title: str
    todo: str
    locked: str
    parts: tuple[Part, ...]
    now: str = ""
    changes: tuple[str, ...] = ()
    upgrades: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    aside: Aside | None = None
    moves: Moves = NO_MOVES
    comparison: Comparison | None = None
    held: tuple[Held, ...] = ()
    faults: tuple[Fault, ...] = ()
    means: Mapping[str, float] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether the check passed."""
        return self.code == PASS

    def __getitem__(self, name: str) -> Part:
        """The part of that name."""
        return next(part for part in self.parts if part.name == name)

    def as_dict(self) -> dict[str, Any]:
        """All of it in plain JSON types, the same for the same check."""
        found: dict[str, Any] = canonical(asdict(self))
        moves = found.pop("moves")
        return {**found, "boundaries": moves}


def part_names(lock: Lock, floors: Floors) -> list[str]:
    """What a check looks at, in its order: known before it runs."""
    return [
        *("gold", "comparable", "boundaries"),
        lock.primary,
        *(floor_part(name) for name, _ in floors),
    ]


def floor_part(name: str) -> str:
    """The name of the part that holds a floor."""
    return f"floor {name}"


def all_parts(names: Sequence[str], parts: Sequence[Part], why: str) -> tuple[Part, ...]:
    """The parts in the order of `names`; the others were skipped, and `why`."""
    found = {part.name: part for part in parts}
    return tuple(found.get(name, Part(name, "skip", why)) for name in names)
