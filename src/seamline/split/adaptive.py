"""Small units along the structure, with a route for each kind of region."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from seamline.errors import InvalidConfig
from seamline.sizers import Ruler, make_ruler
from seamline.split.atoms import find_atoms
from seamline.split.chunks import make_chunks
from seamline.split.context import contexts, with_prefix
from seamline.split.levels import make_levels
from seamline.split.optimal import optimal_units
from seamline.split.outline import outline
from seamline.split.pack import Cuts, content_start, pack
from seamline.split.pieces import Pieces, pieces_of
from seamline.split.strategies import Cutter, check_below, check_whole
from seamline.types import Chunk, Document

__all__ = ["Adaptive"]

# A unit has at most this many times the target; a longer atom is cut at these.
_MOST = 1.6
_INSIDE_ATOMS = ("sentence", ";", ",", "word")
# Regions that stay whole up to this many times the target.
_WHOLE: dict[str, float] = {"qa_pair": 4.0, "math": 3.0}


@dataclass(frozen=True)
class Adaptive(Cutter):
    """Units near `target` along the document's structure; the heading path is indexed with them.

    Sentences, list items, rows, lines of code and turns are joined inside their
    section so that units come near the target and cuts fall where the structure
    has them (dynamic programming); question-answer pairs stay whole. A table's
    header, a question or a signature above a chunk is its `context`. `size` is
    the limit that holds for context and text together.

    Example:
        >>> document = Document.from_text("One two three. Four five six seven. Eight.")
        >>> strategy = Adaptive(target=4, size=9, unit="words")
        >>> [c.text for c in strategy.split(document)]
        ['One two three.', 'Four five six seven. Eight.']
    """

    name: ClassVar[str] = "adaptive"
    always: ClassVar[tuple[str, ...]] = ("target",)
    target: int = 64
    size: int = 512
    unit: str = "tokens"
    prefix: bool = True

    def __post_init__(self) -> None:
        self._check_window()
        check_whole("target", self.target, 1)
        check_below("target", self.target - 1, "size", self.size)
        if not isinstance(self.prefix, bool):
            raise InvalidConfig(f"prefix must be true or false, got {self.prefix!r}")

    def cut(self, document: Document) -> Cuts:
        return self._cut(document)[0]

    def split(self, document: Document) -> list[Chunk]:
        cuts, hung = self._cut(document)
        chunks = make_chunks(document, cuts)
        if any(hung):
            chunks = [c._replace(context=line) for c, line in zip(chunks, hung, strict=True)]
        return with_prefix(chunks, outline(document)) if self.prefix else chunks

    def _cut(self, document: Document) -> tuple[Cuts, list[str]]:
        """The cuts, and what each chunk hangs on: together within the limit."""
        ruler = make_ruler(self._sizer, document.text)
        starts, ends = self._units(document, ruler)
        kept_starts: list[int] = []
        kept_ends: list[int] = []
        hung: list[str] = []
        for start, end, context in zip(starts, ends, contexts(document, starts), strict=True):
            cost = self._sizer.size(f"{context}\n") if context else 0
            fits = ruler.size(start, end) + cost <= self.size
            if not fits and 4 * cost > self.size:  # it leaves too little room for the text
                cost = 0
            room = self.size - cost
            lows, highs = (
                ([start], [end]) if fits else self._pieces(document.text, start, end, room)
            )
            kept_starts += lows
            kept_ends += highs
            hung += [context if cost else ""] * len(lows)
        return (kept_starts, kept_ends), hung

    def _pieces(self, text: str, start: int, end: int, size: int) -> Cuts:
        """A span in pieces of at most `size`, cut where it hurts least."""
        part = text[start:end]
        ruler = make_ruler(self._sizer, part)
        starts, ends = pack(part, make_levels(part, _INSIDE_ATOMS), ruler, size)
        return [start + at for at in starts], [start + at for at in ends]

    def _units(self, document: Document, ruler: Ruler) -> Cuts:
        text = document.text
        most = min(round(_MOST * self.target), self.size)
        found = self._weighed(document, ruler, most)
        units = optimal_units(
            found.weights, found.borders, found.flags, target=self.target, most=most
        )
        ends = [found.ends[after - 1] for after in [*units[1:], len(found.ends)]] if units else []
        starts = [
            content_start(text, before, found.starts[unit], self.size // 2)
            for before, unit in zip([0, *ends], units, strict=False)
        ]
        return starts, ends

    def _weighed(self, document: Document, ruler: Ruler, most: int) -> Pieces:
        return pieces_of(
            document,
            find_atoms(document),
            ruler,
            most=most,
            whole={kind: min(round(k * self.target), self.size) for kind, k in _WHOLE.items()},
            cut=lambda start, end, size: self._pieces(document.text, start, end, size),
        )
