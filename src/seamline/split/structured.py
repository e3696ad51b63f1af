"""Strategies that follow a document's structure: structure, and adaptive with small units."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from seamline.errors import InvalidConfig
from seamline.protocols import Sizer
from seamline.sizers import Ruler, make_ruler
from seamline.split.atoms import Atoms, find_atoms, larger_than, spans_of
from seamline.split.chunks import make_chunks
from seamline.split.context import contexts
from seamline.split.levels import make_levels
from seamline.split.optimal import optimal_units
from seamline.split.pack import Cuts, content_end, content_start, pack, skip_blank
from seamline.split.profile import SHORT, reason
from seamline.split.strategies import AUTO, Cutter, check_whole
from seamline.types import Chunk, Document

__all__ = ["Adaptive", "Structure"]

_TARGET = 64
_TARGETS = {"characters": 256, "chars": 256, "words": 48}
# A small unit has at most this many times the target.
_MOST = 1.6
# A longer text, in characters for each unit of the target, is not measured as a whole: not short.
_MOST_SHORT = 16
# A long atom is cut at the first of these that makes it fit.
_INSIDE_ATOMS = ("sentence", ";", ",", "word")


class _Costs(dict[str, int]):
    """What contexts take of the limit, each measured once."""

    def __init__(self, sizer: Sizer) -> None:
        super().__init__({"": 0})
        self._sizer = sizer

    def __missing__(self, context: str) -> int:
        self[context] = cost = self._sizer.size(f"{context}\n")
        return cost


@dataclass(frozen=True)
class _Structured(Cutter):
    """What both share: units of atoms inside sections, and what each hangs on."""

    whole: ClassVar[Mapping[str, float]]
    """Kinds of blocks that stay whole up to this many times the target."""
    stiffness: ClassVar[float]
    """How much more than in small units a cut inside a block costs."""
    size: int = 512
    unit: str = "tokens"
    prefix: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        self._check_window()

    def _goal(self) -> tuple[int, int]:
        """The size that units should have, and the most that they may."""
        raise NotImplementedError

    def reason(self, kind: str, document: Document | None = None) -> str:
        return SHORT if document and self._is_short(document) else reason(kind)

    def _is_short(self, document: Document) -> bool:  # noqa: ARG002 - others look at it
        """Whether the document is one unit, whatever its sections."""
        return False

    def cut(self, document: Document) -> Cuts:
        return self._cut(document)[0]

    def split(self, document: Document) -> list[Chunk]:
        cuts, shown, hung = self._cut(document)
        indexed = self._indexed(document, cuts, hung)
        return make_chunks(document, cuts, contexts=shown, indexed=indexed)

    def _cut(self, document: Document) -> tuple[Cuts, list[str], list[str]]:
        """The cuts, what each shows as context, together within the limit, and what it hangs on."""
        ruler = make_ruler(self._sizer, document.text)
        costs = _Costs(self._sizer)
        units = self._units(document, ruler, costs)
        lines = contexts(document, units[0])
        rooms = [self.size - costs[line] for line in lines]
        larger = set(larger_than(rooms, *units, ruler))
        if not larger:
            return units, lines, lines
        cuts: Cuts = ([], [])
        shown: list[str] = []
        for i, (start, end, line) in enumerate(zip(*units, lines, strict=True)):
            if i not in larger:
                lows, highs, told = [start], [end], [line]
            else:
                room, context = rooms[i], line
                if 4 * room < 3 * self.size:  # it leaves too little room for the text
                    room, context = self.size, ""
                lows, highs = self._pieces(document, start, end, room)
                told = [context] * len(lows)
                for at in larger_than([room] * len(lows), lows, highs, ruler):
                    told[at] = ""  # one character is larger than what is left of the limit
            cuts[0].extend(lows)
            cuts[1].extend(highs)
            shown.extend(told)
        hung = contexts(document, cuts[0])
        return cuts, shown, [line or other for line, other in zip(shown, hung, strict=True)]

    def _pieces(self, document: Document, start: int, end: int, size: int) -> Cuts:
        """A span in pieces of at most `size`, cut where it hurts least."""
        part = document.text[start:end]
        ruler = make_ruler(self._sizer, part)
        starts, ends = pack(part, make_levels(part, _INSIDE_ATOMS), ruler, size)
        return [start + at for at in starts], [start + at for at in ends]

    def _units(self, document: Document, ruler: Ruler, costs: _Costs) -> Cuts:
        target, most = self._goal()
        if self._is_short(document):
            return _all_of(document.text, target)
        found = find_atoms(
            document,
            ruler,
            most=most,
            whole={kind: min(round(k * target), self.size) for kind, k in self.whole.items()},
            cut=lambda start, end: self._pieces(document, start, end, most),
            sure=self._sure(document.text, target),
        )
        units = optimal_units(
            found.weights if 2 * most > self.size else _with_light_turns(document, found),
            found.borders,
            found.flags,
            hangs=[costs[line] for line in contexts(document, found.starts)],
            stiffness=self.stiffness,
            target=target,
            most=most,
            limit=self.size,
        )
        return spans_of(document.text, found, units, most // 2)


def _all_of(text: str, room: int) -> Cuts:
    """The text as one unit, none if it is blank."""
    solid, last = skip_blank(text, 0), content_end(text)
    return ([content_start(text, 0, solid, room)], [last]) if solid < last else ([], [])


def _with_light_turns(document: Document, found: Atoms) -> list[int]:
    """The sizes of the atoms, those of turns halved: it takes more words to say a thing."""
    blocks, weights = document.columns, list(found.weights)
    for at in blocks.places("turn"):
        first = bisect_left(found.starts, blocks.starts[at])
        after = bisect_left(found.starts, blocks.ends[at])
        weights[first:after] = [-(-weight // 2) for weight in found.weights[first:after]]
    return weights


@dataclass(frozen=True)
class Structure(_Structured):
    """Whole sections where they fit in `size`, else cut where their blocks end.

    A heading stays with its body; tables, fences, functions, numbered steps,
    question-answer pairs and formulas are whole where they fit. What a later part
    hangs on (a table's header, the signature above it, the question, the steps
    before) is its `context`, inside the limit. With `prefix` the title and heading
    path are indexed, never shown.

    Example:
        >>> from seamline.types import Block, Span
        >>> blocks = Block("heading", Span(0, 3), 1, "A"), Block("heading", Span(5, 8), 1, "B")
        >>> document = Document.from_text("A x. B y.", blocks=blocks)
        >>> [chunk.text for chunk in Structure().split(document)]
        ['A x.', 'B y.']
    """

    name: ClassVar[str] = "structure"
    always: ClassVar[tuple[str, ...]] = ("size",)
    whole: ClassVar[Mapping[str, float]] = dict.fromkeys(
        ("code", "definition", "list", "math", "qa_pair", "table"), 1.0
    )
    stiffness: ClassVar[float] = 5.0

    def _goal(self) -> tuple[int, int]:
        return self.size, self.size


@dataclass(frozen=True)
class Adaptive(_Structured):
    """Small units near `target` along the structure, the heading path indexed with them.

    Sentences, list items, rows, lines of code and turns are joined inside their
    section so that units come near the target and cuts fall where the structure
    has them (dynamic programming); question-answer pairs and formulas stay whole,
    and units of turns are twice as large where `size` allows it. A document within
    the target is one unit, unless it holds such pairs or several sheets. What a unit hangs on
    (a table's header, a signature, the question) is its `context`. `size` is the limit
    that holds for context and text together. `target` is 64 tokens, 48 words or 256
    characters unless given, `size` at most.

    Example:
        >>> document = Document.from_text("One two three. Four five six seven. Eight.")
        >>> strategy = Adaptive(target=4, size=9, unit="words")
        >>> [c.text for c in strategy.split(document)]
        ['One two three.', 'Four five six seven. Eight.']
    """

    name: ClassVar[str] = "adaptive"
    always: ClassVar[tuple[str, ...]] = ("target",)
    whole: ClassVar[Mapping[str, float]] = {"qa_pair": 4.0, "math": 3.0}
    stiffness: ClassVar[float] = 1.0
    target: int = AUTO

    def __post_init__(self) -> None:
        super().__post_init__()
        target: Any = self.target
        if target is None:
            object.__setattr__(self, "target", min(_TARGETS.get(self.unit, _TARGET), self.size))
        check_whole("target", self.target, 1)
        if self.target > self.size:
            raise InvalidConfig(
                f"target must be at most size, got target={self.target} with size={self.size}: "
                "lower it, or give a larger size"
            )

    def _is_short(self, document: Document) -> bool:
        text, target = document.text, self.target
        if len(text) > _MOST_SHORT * target or "qa_pair" in document.columns.kinds:
            return False
        if len(document.metadata.get("sheets", ())) > 1:
            return False
        starts, ends = _all_of(text, target)
        return bool(starts) and self._sizer.size(text[starts[0] : ends[0]]) <= target

    def _goal(self) -> tuple[int, int]:
        return self.target, min(round(_MOST * self.target), self.size)
