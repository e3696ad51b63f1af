"""The strategies that need no model: each says where cutting would be good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, cast

from seamline.errors import InvalidConfig
from seamline.protocols import Sizer, Strategy
from seamline.registry import spec_of
from seamline.sizers import Ruler, make_ruler, parse_sizer
from seamline.sizers.characters import Characters
from seamline.sizers.rulers import CharacterRuler
from seamline.sizers.tokens import BpeTokens
from seamline.sizers.words import Words
from seamline.split.chunks import make_chunks
from seamline.split.context import contexts
from seamline.split.graphemes import at_most
from seamline.split.headings import section_starts
from seamline.split.levels import Level, Offsets, compile_separator, make_level, make_levels
from seamline.split.outline import indexed_texts
from seamline.split.pack import Cuts, pack
from seamline.split.sentences import sentence_ends
from seamline.split.widen import widen, windows
from seamline.types import Chunk, Document, Span

__all__ = [
    "Cutter",
    "Fixed",
    "Hierarchical",
    "Recursive",
    "Sentence",
    "Sliding",
    "Whole",
    "make_chunks",
]

PROSE = ("\n\n", "\n", "sentence", "word")
MARKDOWN = ("\n## ", "\n### ", *PROSE)
SHEETS = ("\n# ", *PROSE)
SEPARATORS = {"prose": PROSE, "markdown": MARKDOWN, "sheets": SHEETS}
# What `auto` takes; prose for all other media types.
_SEPARATORS_OF = {
    "text/markdown": "markdown",
    "application/x-ipynb+json": "markdown",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "sheets",
    "application/vnd.ms-excel": "sheets",
    "application/vnd.oasis.opendocument.spreadsheet": "sheets",
}
# The same with page breaks, for texts that have some.
PAGED = {
    name: tuple(chain.from_iterable(("\f", item) if item == "\n" else (item,) for item in items))
    for name, items in SEPARATORS.items()
}
_MOST_BYTES = 4  # of a character in UTF-8
# The share of the size that overlaps unless told.
_OVERLAP = 8
AUTO = cast("int", None)  # resolved when a strategy is made, so that it is an int ever after
# The parents of a document that has no sections, in the strategy's unit.
_PARENT = 512


def check_whole(name: str, value: Any, least: int) -> None:
    """Raise `InvalidConfig` unless `value` is a whole number of at least `least`."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidConfig(f"{name} must be a whole number of at least {least}, got {value!r}")


def check_below(small: str, less: int, large: str, more: int) -> None:
    """Raise `InvalidConfig` unless `less < more`."""
    if less >= more:
        raise InvalidConfig(
            f"{small} must be smaller than {large}, got {small}={less} with {large}={more}"
        )


@dataclass(frozen=True)
class Cutter:
    """What the built-in strategies share: a sizer, the cutter, a string that parses back."""

    name: ClassVar[str]
    always: ClassVar[tuple[str, ...]] = ("size", "overlap")
    prefix: bool = field(default=False, kw_only=True)
    """Whether the document's title, heading path and table header are indexed with a chunk."""

    def __str__(self) -> str:
        return str(spec_of(self, self.name, self.always))

    @cached_property
    def _sizer(self) -> Sizer:
        return parse_sizer(getattr(self, "unit", "characters"))

    def _check_window(self) -> None:
        size, overlap = getattr(self, "size", 1), getattr(self, "overlap", 0)
        check_whole("size", size, 1)
        if overlap is None:
            overlap = size // _OVERLAP
            object.__setattr__(self, "overlap", overlap)
        check_whole("overlap", overlap, 0)
        check_below("overlap", overlap, "size", size)
        if not isinstance(self.prefix, bool):
            raise InvalidConfig(f"prefix must be true or false, got {self.prefix!r}")
        _ = self._sizer  # an unknown unit is refused now, not at the first document

    def _ruler(self, text: str, size: int) -> Ruler:
        """The ruler of `text`; one that measures nothing where all of it surely fits.

        No unit of the built-in sizers is smaller than a byte.
        """
        no_smaller = isinstance(self._sizer, Characters | Words | BpeTokens)
        if no_smaller and len(text) <= size and len(text.encode()) <= size:
            return CharacterRuler(text)
        return make_ruler(self._sizer, text)

    def _sure(self, text: str, room: int) -> int:
        """How many characters of a text surely fit into `room`, -1 if that is not known.

        No unit of the built-in sizers is smaller than a byte.
        """
        if isinstance(self._sizer, Characters | Words):
            return room
        if isinstance(self._sizer, BpeTokens):
            return room if text.isascii() else room // _MOST_BYTES
        return -1

    def split(self, document: Document) -> list[Chunk]:
        """The chunks of `document`, in order; none for blank text."""
        cuts = self.cut(document)
        return make_chunks(document, cuts, indexed=self._indexed(document, cuts))

    def reason(self, kind: str, document: Document | None = None) -> str:  # noqa: ARG002
        """Why a region of this kind (see `split.profile`), in a document if given, is cut so."""
        return f"as {self} cuts, whatever the structure"

    def _indexed(
        self, document: Document, cuts: Cuts, hung: list[str] | None = None
    ) -> list[str | None] | None:
        """What is indexed of each chunk if that is not the text; `hung` is what it hangs on."""
        if not self.prefix:
            return None
        return indexed_texts(document, *cuts, contexts(document, cuts[0]) if hung is None else hung)

    def _said(
        self, document: Document, cuts: Cuts, shown: list[str], said: list[str | None]
    ) -> list[str | None]:
        """What is indexed of each chunk: what is `said` there, else as by default."""
        others = [i for i, line in enumerate(said) if line is None]
        spans = [cuts[0][i] for i in others], [cuts[1][i] for i in others]
        hung = [
            shown[i] or line for i, line in zip(others, contexts(document, spans[0]), strict=True)
        ]
        lines = self._indexed(document, spans, hung) or ()
        filled = dict(zip(others, lines, strict=False))
        return [filled.get(i) if line is None else line for i, line in enumerate(said)]

    def cut(self, document: Document) -> Cuts:
        """Starts and ends of the chunks: parallel lists of code-point offsets."""
        raise NotImplementedError


def reason_of(strategy: Strategy, kind: str, document: Document | None = None) -> str:
    """Why a strategy, perhaps one of the user's own, cuts regions of a kind as it does."""
    if not isinstance(strategy, Cutter):
        return f"as {strategy} cuts"
    return strategy.reason(kind, document)


@dataclass(frozen=True)
class Fixed(Cutter):
    """Windows of `size` units, each repeating the last `overlap` units of the one before.

    `overlap` is an eighth of the size unless given.

    The baseline to beat: it cuts wherever the window ends, words and tables included.

    Example:
        >>> document = Document.from_text("abcdefgh")
        >>> [c.text for c in Fixed(size=4, overlap=1, unit="characters").split(document)]
        ['abcd', 'defg', 'gh']
    """

    name: ClassVar[str] = "fixed"
    size: int = 512
    overlap: int = AUTO
    unit: str = "tokens"

    def __post_init__(self) -> None:
        self._check_window()

    def cut(self, document: Document) -> Cuts:
        text = document.text
        return windows(text, self._ruler(text, self.size), self.size, self.overlap)


@dataclass(frozen=True)
class Sliding(Cutter):
    """Windows of `size` units that start every `step` units; the tail is always covered.

    Example:
        >>> document = Document.from_text("abcdefgh")
        >>> [c.text for c in Sliding(size=4, step=3, unit="characters").split(document)]
        ['abcd', 'defg', 'gh']
    """

    name: ClassVar[str] = "sliding"
    always: ClassVar[tuple[str, ...]] = ("size", "step")
    size: int = 400
    step: int = 200
    unit: str = "tokens"

    def __post_init__(self) -> None:
        check_whole("size", self.size, 1)
        check_whole("step", self.step, 1)
        if self.step > self.size:
            raise InvalidConfig(
                f"step must be at most size, got step={self.step} with size={self.size}"
            )
        _ = self._sizer

    def cut(self, document: Document) -> Cuts:
        return Fixed(self.size, self.size - self.step, self.unit).cut(document)


@dataclass(frozen=True)
class Sentence(Cutter):
    """As many whole sentences as fit in `size`; a sentence that does not fit is cut at words.

    Example:
        >>> document = Document.from_text("Dr. Ng left. He was late. Nobody saw it.")
        >>> [c.text for c in Sentence(size=8).split(document)]
        ['Dr. Ng left.', 'He was late. Nobody saw it.']
    """

    name: ClassVar[str] = "sentence"
    size: int = 256
    overlap: int = 0
    unit: str = "tokens"

    def __post_init__(self) -> None:
        self._check_window()

    def cut(self, document: Document) -> Cuts:
        text = document.text
        ruler = self._ruler(text, self.size)
        levels = (Offsets(sentence_ends(text)), make_level(text, "word"))
        cuts = pack(
            text, levels, ruler, self.size, reserve=self.overlap, keep=-(-self.overlap // 4)
        )
        return widen(text, cuts, ruler, self.size, self.overlap)


@dataclass(frozen=True)
class Recursive(Cutter):
    r"""The gentlest separators that make pieces fit: a coarser one first, a finer where needed.

    `overlap` is an eighth of the size unless given. `separators` is `auto` (by
    the document's media type), `prose` (blank line, page, line, sentence, word),
    `markdown` (`\n## `, `\n### `, then as prose), `sheets` (`\n# `, then as prose) or a
    list of literals, `re:` expressions, and the words sentence and word. Where none
    applies, grapheme clusters are parted. Separators stay in the text: a chunk is a slice.

    Example:
        >>> document = Document.from_text("One two. Three four five.")
        >>> [c.text for c in Recursive(size=10, overlap=0, unit="characters").split(document)]
        ['One two.', 'Three four', 'five.']
    """

    name: ClassVar[str] = "recursive"
    size: int = 512
    overlap: int = AUTO
    separators: str | Sequence[str] = "auto"
    unit: str = "tokens"

    def __post_init__(self) -> None:
        self._check_window()
        given: Any = self.separators
        if isinstance(given, list | tuple) and all(isinstance(item, str) for item in given):
            object.__setattr__(self, "separators", tuple(str.__str__(item) for item in given))
        elif given not in ("auto", *SEPARATORS):
            raise InvalidConfig(
                f"separators must be auto, {', '.join(SEPARATORS)} or a list of strings, "
                f"got {self.separators!r}"
            )
        for separator in self.separators if isinstance(self.separators, tuple) else ():
            if separator.startswith("re:"):
                compile_separator(separator)

    def levels(self, document: Document) -> list[Level]:
        """The levels of seams of a document, the strongest first."""
        text, separators = document.text, self.separators
        if not isinstance(separators, str):
            return make_levels(text, separators)
        if separators == "auto":
            separators = _SEPARATORS_OF.get(document.media_type, "prose")
        return make_levels(text, (PAGED if "\f" in text else SEPARATORS)[separators])

    def cut(self, document: Document) -> Cuts:
        text = document.text
        ruler = self._ruler(text, self.size)
        cuts = pack(
            text,
            self.levels(document),
            ruler,
            self.size,
            reserve=self.overlap,
            keep=-(-self.overlap // 4),
        )
        return widen(text, cuts, ruler, self.size, self.overlap)


@dataclass(frozen=True)
class Hierarchical(Cutter):
    r"""Small chunks to search, each with the larger span to return in its place.

    `parent` is `sections` (headings and numbered sections; parents of 512 units
    where a document has none) or a size. Children are cut recursively inside.

    Example:
        >>> document = Document.from_text("Section 1. One two three.\n\nSection 2. Four.")
        >>> [(c.text, c.parent.start) for c in Hierarchical(size=6).split(document)]
        [('Section 1.', 0), ('One two three.', 0), ('Section 2. Four.', 27)]
    """

    name: ClassVar[str] = "hierarchical"
    always: ClassVar[tuple[str, ...]] = ("parent", "size")
    parent: str | int = "sections"
    size: int = 200
    unit: str = "tokens"

    def __post_init__(self) -> None:
        self._check_window()
        if isinstance(self.parent, str):
            if self.parent != "sections":
                raise InvalidConfig(f"parent must be 'sections' or a size, got {self.parent!r}")
        else:
            check_whole("parent", self.parent, 1)
            check_below("size", self.size, "parent", self.parent)

    def _parents(self, document: Document, levels: Sequence[Level], ruler: Ruler) -> Cuts:
        starts = section_starts(document) if isinstance(self.parent, str) else []
        if starts:
            starts = sorted({at_most(document.text, start) for start in starts})
            return pack(
                document.text, (), CharacterRuler(document.text), len(document.text), bounds=starts
            )
        size = max(_PARENT, 2 * self.size) if isinstance(self.parent, str) else self.parent
        return pack(document.text, levels, ruler, size)

    def cut(self, document: Document) -> Cuts:
        return self._cut(document)[0]

    def _cut(self, document: Document) -> tuple[Cuts, list[Span]]:
        levels = Recursive(self.size, 0, unit=self.unit).levels(document)
        ruler = self._ruler(document.text, self.size)
        starts, ends = self._parents(document, levels, ruler)
        cuts = pack(document.text, levels, ruler, self.size, bounds=starts[1:])
        spans = [Span(start, end) for start, end in zip(starts, ends, strict=True)]
        parents, at = [], 0
        for start in cuts[0]:
            while spans[at].end <= start:
                at += 1
            parents.append(spans[at])
        return cuts, parents

    def split(self, document: Document) -> list[Chunk]:
        cuts, parents = self._cut(document)
        return make_chunks(document, cuts, parents, indexed=self._indexed(document, cuts))


@dataclass(frozen=True)
class Whole(Cutter):
    r"""The whole document as one chunk: the honest baseline for short documents.

    Example:
        >>> [c.text for c in Whole().split(Document.from_text(" all of it\n"))]
        ['all of it']
    """

    name: ClassVar[str] = "whole"

    def cut(self, document: Document) -> Cuts:
        text = document.text
        return pack(text, (), CharacterRuler(text), max(len(text), 1))
