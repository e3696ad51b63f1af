"""What a tool says of one chunk, in the same words for every tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Case", "Cut", "Piece", "Run", "Tool"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk: its text, and what the tool says beside it.

    `start` is None where the tool gives no offset. `said` is what is handed on with the text
    (a context, a header, titles); `path` the titles alone; `pages` the first and last page.
    """

    text: str
    start: int | None = None
    said: str = ""
    path: tuple[str, ...] = ()
    pages: tuple[int, int] | None = None


class Cut(NamedTuple):
    """The text that offsets refer to, and its chunks in order."""

    text: str
    pieces: list[Piece]


@dataclass(frozen=True, slots=True)
class Case:
    """An input with the settings that every tool gets, and what is looked at.

    `limit` and `overlap` count `unit`. `ours` is the strategy of seamline, by name or in full;
    `peers` are the names of the tools beside it, `checks` those of what must hold. `titled`: long
    metadata goes with the text, to seamline as its title.
    """

    name: str
    right: str
    checks: tuple[str, ...]
    ours: str
    peers: tuple[str, ...]
    limit: int = 60
    overlap: int = 0
    unit: str = "characters"
    suffix: str = ".md"
    titled: bool = False


Run = Callable[[str], Cut]


class Tool(NamedTuple):
    """A tool ready to run.

    `sized` if it keeps a limit, `sections` if it cuts at headings; of a table it gives at most
    `n_rows` at once, if that is its limit.
    """

    run: Run
    sized: bool = True
    sections: bool = False
    n_rows: int = 0
