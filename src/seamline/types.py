"""The values that travel through seamline: small, immutable, picklable.

Offsets everywhere are half-open and count Python code points of `Document.text`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast, overload

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig, InvalidDocument
from seamline.scan import first_surrogate

__all__ = [
    "Block",
    "Blocks",
    "Chunk",
    "Document",
    "FloatArray",
    "IntArray",
    "Question",
    "Seams",
    "Span",
]

IntArray = NDArray[np.int32]
FloatArray = NDArray[np.float32]


def _whole(value: object) -> bool:
    return isinstance(value, int | np.integer)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points, `0 <= start <= end`.

    Raises:
        InvalidConfig: `start` is negative or `end` lies before `start`.

    Example:
        >>> len(Span(3, 8))
        5
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not (_whole(self.start) and _whole(self.end) and 0 <= self.start <= self.end):
            raise InvalidConfig(
                f"a span needs whole numbers with 0 <= start <= end, got start={self.start!r} "
                f"and end={self.end!r}"
            )

    def __len__(self) -> int:
        return self.end - self.start

    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class Block:
    """A structural part of a document: `kind`, where it is, how deep, its title.

    `kind` is one of heading, paragraph, list, list_item, table, table_row, code,
    quote, front_matter, html, rule, math; qa_pair (title: the question), turn
    (title: the speaker), clause (title: its number); in source code definition
    (title: `class Tank`, `def drain`), signature, statement and string (a literal
    or comment of several lines). Blocks of one document are nested or disjoint and
    sorted by (start, -end). `level` is the heading level 1-6 (or the nesting depth
    of a list item, a quote, a clause or a definition), 0 where it says nothing;
    `title` is a heading's text without markup, a fence's info string, `ordered` or
    `bullet` of a list, `header` of a header row, else empty.
    """

    kind: str
    span: Span
    level: int = 0
    title: str = ""


class Blocks(Sequence[Block]):
    """Blocks in columns, as they are read and cut: a list of each property, none to be changed.

    Parallel lists of n values: `kinds`, `starts` and `ends` (code points), `levels`,
    `titles`. As a sequence it gives `Block`s, made when they are asked for.

    Example:
        >>> blocks = Blocks(["rule"], [0], [3], [0], [""])
        >>> blocks[0]
        Block(kind='rule', span=Span(start=0, end=3), level=0, title='')
        >>> blocks == (Block("rule", Span(0, 3)),)
        True
    """

    __slots__ = ("_rows", "ends", "kinds", "levels", "starts", "titles")

    def __init__(
        self,
        kinds: list[str],
        starts: list[int],
        ends: list[int],
        levels: list[int],
        titles: list[str],
    ) -> None:
        self.kinds = kinds
        self.starts = starts
        self.ends = ends
        self.levels = levels
        self.titles = titles
        self._rows: tuple[Block, ...] | None = None

    @classmethod
    def of(cls, blocks: Iterable[Block]) -> Blocks:
        """The columns of some blocks; what is in columns stays as it is."""
        if isinstance(blocks, Blocks):
            return blocks
        rows = tuple(blocks)
        made = cls(
            [block.kind for block in rows],
            [block.span.start for block in rows],
            [block.span.end for block in rows],
            [block.level for block in rows],
            [block.title for block in rows],
        )
        made._rows = rows
        return made

    @property
    def rows(self) -> tuple[Block, ...]:
        """The same as objects, made once."""
        if self._rows is None:
            spans = map(Span, self.starts, self.ends)
            self._rows = tuple(map(Block, self.kinds, spans, self.levels, self.titles))
        return self._rows

    def places(self, kind: str) -> Iterator[int]:
        """The indices of the blocks of a kind."""
        at = -1
        for _ in range(self.kinds.count(kind)):
            at = self.kinds.index(kind, at + 1)
            yield at

    def __len__(self) -> int:
        return len(self.kinds)

    def __iter__(self) -> Iterator[Block]:
        return iter(self.rows)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Block, ...]: ...
    def __getitem__(self, index: int | slice) -> Block | tuple[Block, ...]:
        return self.rows[index]

    def __eq__(self, other: object) -> bool:
        return self.rows == other.rows if isinstance(other, Blocks) else self.rows == other

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        return repr(self.rows)

    def __reduce__(self) -> tuple[Any, ...]:
        return Blocks, (self.kinds, self.starts, self.ends, self.levels, self.titles)


@dataclass(frozen=True)
class Document:
    r"""A text that never changes, and what its parser saw in it.

    Line ends are normalised on the way in (`\r\n` and `\r` become `\n`, as
    `open()` does), so the same document cuts alike whatever system wrote it.

    Raises:
        InvalidDocument: id or text is no string, or the text holds a lone surrogate,
            so it has no UTF-8 form.

    Example:
        >>> Document.from_text("one\r\ntwo").text
        'one\ntwo'
    """

    id: str
    text: str
    blocks: Sequence[Block] = ()
    source: str = ""
    media_type: str = "text/plain"
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        text: Any = self.text
        doc_id: Any = self.id
        if not isinstance(doc_id, str) or not isinstance(text, str):
            name, value = ("text", text) if isinstance(doc_id, str) else ("id", doc_id)
            raise InvalidDocument(
                f"the {name} of a document must be a string, got a {type(value).__name__}"
            )
        if type(text) is not str or type(self.id) is not str:  # a subclass may slice otherwise
            text = str.__str__(text)
            object.__setattr__(self, "id", str.__str__(self.id))
            object.__setattr__(self, "text", text)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
            object.__setattr__(self, "text", text)
        if (surrogate := first_surrogate(text)) >= 0:
            raise InvalidDocument(
                f"the text of document {self.id!r} must be valid Unicode, but holds a lone "
                f"surrogate at offset {surrogate}: decode it with errors='replace' first"
            )
        if type(self.blocks) is not Blocks:
            object.__setattr__(self, "blocks", self._columns(text))

    def _columns(self, text: str) -> Blocks:
        """The blocks given, each of them checked."""
        given: Any = self.blocks
        rows: tuple[Any, ...] = tuple(given) if isinstance(given, Iterable) else (given,)
        for row in rows:
            known = isinstance(row, Block) and isinstance(row.span, Span)
            if not known or row.span.end > len(text) or not _whole(row.level):
                break
            if type(row.kind) is not str or type(row.title) is not str:
                break
        else:
            return Blocks.of(rows)
        raise InvalidDocument(
            f"the blocks of document {self.id!r} must be Block objects inside its text of "
            f"{len(text)} characters, with strings as kind and title, got {row!r}"
        )

    @classmethod
    def from_text(cls, text: str, doc_id: str = "text", **fields: Any) -> Document:
        """A plain-text document made of `text`; other fields by keyword."""
        return cls(id=doc_id, text=text, **fields)

    @property
    def columns(self) -> Blocks:
        """`blocks` in columns."""
        return cast(Blocks, self.blocks)

    @property
    def digest(self) -> str:
        """The SHA-256 of the text's UTF-8 form, in hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class Seams:
    """Offsets where a text may be cut, and how strong each seam is.

    `offsets` (int32[n]) is strictly increasing; `strengths` (float32[n]) is
    larger where a cut is better. An offset of 0 or of the text's length is
    allowed and changes nothing.

    Raises:
        InvalidConfig: lengths differ, or offsets are negative or do not increase.

    Example:
        >>> Seams.of([4, 9], [1.0, 2.0]).offsets.tolist()
        [4, 9]
    """

    offsets: IntArray
    strengths: FloatArray

    def __post_init__(self) -> None:
        n = len(self.offsets)
        if n != len(self.strengths):
            raise InvalidConfig(
                f"seams need one strength an offset, got {n} offsets "
                f"and {len(self.strengths)} strengths"
            )
        if n and (self.offsets[0] < 0 or not bool(np.all(np.diff(self.offsets) > 0))):
            raise InvalidConfig("seam offsets must be >= 0 and strictly increase: sort them first")

    @classmethod
    def of(cls, offsets: Any, strengths: Any = 1.0) -> Seams:
        """Seams from any sequence of ints; one strength may serve for all."""
        array = np.asarray(offsets, dtype=np.int32).reshape(-1)
        weights = np.broadcast_to(np.asarray(strengths, dtype=np.float32), array.shape)
        return cls(array, np.ascontiguousarray(weights))

    def __len__(self) -> int:
        return len(self.offsets)


class Chunk(NamedTuple):
    """A slice of a document: `text == document.text[start:end]`, always.

    `context` (a heading path, a table header) is shown with the chunk and
    `indexed` is what is embedded and searched; neither ever enters `text`.
    `parent` is the larger span that retrieval returns in the chunk's place, in
    the same document. A named tuple because millions are made: creating one
    costs a third of a frozen dataclass.

    Example:
        >>> Chunk("a.md", 0, 5, "Hello").id
        'a.md#0-5'
    """

    doc_id: str
    start: int
    end: int
    text: str
    ordinal: int = 0
    context: str = ""
    parent: Span | None = None
    indexed_as: str | None = None
    metadata: Mapping[str, Any] = {}  # read-only by contract, shared by a document's chunks

    def __hash__(self) -> int:
        return hash((self.doc_id, self.start, self.end, self.ordinal))

    @property
    def id(self) -> str:
        """`doc#start-end`: unique in a split, the same in every run."""
        return f"{self.doc_id}#{self.start}-{self.end}"

    @property
    def span(self) -> Span:
        """Where the chunk lies in its document."""
        return Span(self.start, self.end)

    @property
    def indexed(self) -> str:
        """The text that is embedded and searched."""
        return self.text if self.indexed_as is None else self.indexed_as

    @property
    def parent_id(self) -> str | None:
        """`doc#start-end` of the parent, None where the chunk has none."""
        if self.parent is None:
            return None
        return f"{self.doc_id}#{self.parent.start}-{self.parent.end}"

    @property
    def digest(self) -> str:
        """The SHA-256 of what is indexed, in hexadecimal."""
        return hashlib.sha256(self.indexed.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the gold spans that answer it, in one document.

    Every slot of `slots` is needed; within a slot any one span suffices.
    Spans of a slot are sorted; a question without gold has no slots, is counted
    apart and is never averaged. `lost` is a quote that the golden set says got lost when
    the document was parsed; such a question has no slots.
    """

    id: str
    doc_id: str
    text: str
    slots: tuple[tuple[Span, ...], ...]
    tags: tuple[str, ...] = ()
    source: str = ""
    reviewed: bool | None = None
    lost: str = ""

    @property
    def spans(self) -> tuple[Span, ...]:
        """All gold spans of all slots, sorted, without duplicates."""
        return tuple(sorted({span for slot in self.slots for span in slot}))
