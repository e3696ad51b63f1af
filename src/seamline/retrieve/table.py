"""The chunks of a corpus as columns: what assembly needs to know of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.types import Chunk, Document, IntArray

__all__ = ["ChunkTable", "SizeMany"]

_BLANK = re.compile(r"\s*")
SizeMany = Callable[[list[str]], IntArray]


@dataclass(frozen=True, slots=True, eq=False)
class ChunkTable:
    """The n chunks of a corpus, a column a fact, all int32[n], in document order.

    `tokens` is the size of the chunk's text; `parent_start`, `parent_end` are -1 and
    `parent_tokens` 0 where there is no parent; `context_tokens` is the size of the
    context shown with the chunk. `reach` is where the white space ends that follows what
    is shown for a chunk: pieces touch where one starts at another's reach. Unless given,
    pieces touch only without white space between.

    Derived: what is shown for a hit (`shown_start`, `shown_end`, `shown_tokens`,
    `shown_reach`: the parent if there is one; a parent is shown without context, so its
    `overhead` is 0), and `piece`, alike for hits that show the same span.

    Raises:
        InvalidConfig: the columns differ in length.
    """

    doc: IntArray
    start: IntArray
    end: IntArray
    tokens: IntArray
    parent_start: IntArray
    parent_end: IntArray
    parent_tokens: IntArray
    context_tokens: IntArray
    reach: IntArray | None = None
    shown_start: IntArray = field(init=False, repr=False)
    shown_end: IntArray = field(init=False, repr=False)
    shown_tokens: IntArray = field(init=False, repr=False)
    overhead: IntArray = field(init=False, repr=False)
    shown_reach: IntArray = field(init=False, repr=False)
    piece: IntArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        lengths = {name: len(getattr(self, name)) for name in _COLUMNS}
        if len(set(lengths.values())) > 1:
            raise InvalidConfig(f"the columns of a chunk table must be equally long, got {lengths}")
        has = self.parent_start >= 0
        shown = {
            "shown_start": np.where(has, self.parent_start, self.start),
            "shown_end": np.where(has, self.parent_end, self.end),
            "shown_tokens": np.where(has, self.parent_tokens, self.tokens),
            "overhead": np.where(has, 0, self.context_tokens),
        }
        shown["piece"] = _number_spans(self.doc, shown["shown_start"], shown["shown_end"])
        reach = shown["shown_end"] if self.reach is None else self.reach
        shown["shown_reach"] = np.maximum(reach, shown["shown_end"])
        for name, column in shown.items():
            object.__setattr__(self, name, column.astype(np.int32))

    def __len__(self) -> int:
        return len(self.doc)

    @property
    def columns(self) -> dict[str, IntArray]:
        """The columns that the others are derived from, by name."""
        reach = self.shown_end if self.reach is None else self.reach
        return {**{name: getattr(self, name) for name in _COLUMNS}, "reach": reach}

    def take(self, rows: NDArray[np.integer[Any]]) -> ChunkTable:
        """The table of some of the chunks, which must be in document order."""
        return ChunkTable(**{name: column[rows] for name, column in self.columns.items()})

    @classmethod
    def from_chunks(
        cls,
        documents: Sequence[Document],
        chunks_per_document: Sequence[Sequence[Chunk]],
        size_many: SizeMany,
    ) -> ChunkTable:
        """The table of each document's chunks; `size_many` gives the tokens of each text.

        Distinct parents and contexts are sized once.

        Raises:
            InvalidConfig: not one list of chunks a document.

        Example:
            >>> words = lambda texts: np.array([len(t.split()) for t in texts], np.int32)
            >>> document = Document.from_text("one two three")
            >>> chunks = [Chunk(document.id, 0, 7, "one two"), Chunk(document.id, 8, 13, "three")]
            >>> ChunkTable.from_chunks([document], [chunks], words).tokens.tolist()
            [2, 1]
        """
        if len(documents) != len(chunks_per_document):
            raise InvalidConfig(
                f"a table needs one list of chunks a document, got {len(chunks_per_document)} "
                f"lists for {len(documents)} documents"
            )
        chunks = [chunk for chunks in chunks_per_document for chunk in chunks]
        lengths = np.array([len(chunks) for chunks in chunks_per_document], np.int64)
        doc = np.repeat(np.arange(len(documents), dtype=np.int32), lengths)
        parents = [(p.start, p.end) if (p := c.parent) else (-1, -1) for c in chunks]
        parent = np.array(parents, np.int32).reshape(-1, 2)
        end = np.array([chunk.end for chunk in chunks], np.int32)
        return cls(
            doc=doc,
            start=np.array([chunk.start for chunk in chunks], np.int32),
            end=end,
            tokens=_sizes([chunk.text for chunk in chunks], size_many),
            parent_start=parent[:, 0],
            parent_end=parent[:, 1],
            parent_tokens=_distinct_sizes(_parent_texts(documents, doc, parent), size_many),
            context_tokens=_distinct_sizes((chunk.context for chunk in chunks), size_many),
            reach=_reach(documents, doc, np.where(parent[:, 0] >= 0, parent[:, 1], end)),
        )


_COLUMNS = (
    "doc",
    "start",
    "end",
    "tokens",
    "parent_start",
    "parent_end",
    "parent_tokens",
    "context_tokens",
)


def _number_spans(doc: IntArray, start: IntArray, end: IntArray) -> NDArray[np.intp]:
    """intp[n]: equal numbers for equal spans of the same document."""
    later = np.diff(doc)
    if np.all((later > 0) | ((later == 0) & (np.diff(start) > 0))):
        return np.arange(len(doc))
    order = np.lexsort((end, start, doc))
    rows = np.stack((doc, start, end))[:, order]
    fresh = np.any(rows[:, 1:] != rows[:, :-1], axis=0)
    out = np.zeros(len(doc), np.intp)
    out[order[1:]] = np.cumsum(fresh)
    return out


def _reach(documents: Sequence[Document], doc: IntArray, end: IntArray) -> IntArray:
    """int32[n]: where the white space after each end ends; each character is read once."""
    order = np.lexsort((-end, doc))
    out = np.empty(len(end), np.int32)
    number, later, reached = -1, 0, 0
    for row, own, at in zip(order.tolist(), doc[order].tolist(), end[order].tolist(), strict=True):
        text = documents[own].text
        if own != number:
            number, later, reached = own, len(text), len(text)
        if (found := _blank_end(text, at, later)) < later:
            reached = found
        later, out[row] = at, reached
    return out


def _blank_end(text: str, start: int, end: int) -> int:
    """Where the white space from `start` on ends, at most `end`."""
    found = _BLANK.match(text, start, end)
    return found.end() if found else start


def _parent_texts(documents: Sequence[Document], doc: IntArray, parent: IntArray) -> Iterable[str]:
    for number, (start, end) in zip(doc.tolist(), parent.tolist(), strict=True):
        yield documents[number].text[start:end] if start >= 0 else ""


def _distinct_sizes(texts: Iterable[str], size_many: SizeMany) -> IntArray:
    numbers: dict[str, int] = {}
    rows = [numbers.setdefault(text, len(numbers)) for text in texts]
    return _sizes(list(numbers), size_many)[rows]


def _sizes(texts: list[str], size_many: SizeMany) -> IntArray:
    """Sizes of texts, 0 for empty ones whatever the sizer says."""
    out = np.zeros(len(texts), np.int32)
    filled = [i for i, text in enumerate(texts) if text]
    if filled:
        out[filled] = size_many([texts[i] for i in filled])
    return out
