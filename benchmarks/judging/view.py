"""A tool's chunks of a case, and what checks ask of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from judging.piece import Case, Piece, Tool
from seamline.protocols import Sizer
from seamline.sizers import parse_sizer

__all__ = ["View", "squeezed"]


@dataclass(frozen=True, slots=True)
class View:
    """A tool's chunks of a case; `source` is the input, `text` what offsets refer to."""

    case: Case
    tool: Tool
    source: str
    text: str
    pieces: list[Piece]

    @property
    def sized(self) -> list[Piece]:
        """The chunks; of a tool that keeps no limit none."""
        return self.pieces if self.tool.sized else []

    def size(self, text: str) -> int:
        """How large a text is in the unit of the case."""
        if self.case.unit == "characters":
            return len(text)
        return int(_tokens().size(text))

    def fits(self, text: str) -> bool:
        """Whether a text need not be cut."""
        return not self.tool.sized or self.size(text) <= self.case.limit

    def places(self) -> list[tuple[int, int] | None]:
        """Where each chunk lies, found by its text without regard to white space."""
        solid = [i for i, char in enumerate(self.text) if not char.isspace()]
        source = squeezed(self.text)
        low, found = 0, list[tuple[int, int] | None]()
        for piece in self.pieces:
            words = squeezed(piece.text)
            at = source.find(words, low)
            at = source.find(words) if at < 0 else at
            if at < 0 or not words:
                found.append(None)
                continue
            end = at + len(words)
            found.append((solid[at], solid[end - 1] + 1))
            low = at + 1 if self.case.overlap else end
        return found


@cache
def _tokens() -> Sizer:
    return parse_sizer("tokens")


def squeezed(text: str) -> str:
    return "".join(text.split())
