"""Foreign splitters: any object that splits, and where its pieces lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seamline.errors import AlignmentError, InvalidConfig
from seamline.protocols import Strategy
from seamline.split.pack import skip_blank
from seamline.split.strategies import Cutter, make_chunks
from seamline.types import Chunk, Document, Span

__all__ = ["Foreign", "align", "as_strategy"]

_PREVIEW = 60
_METHODS = ("split", "split_text")


def _place(text: str, piece: str, last_start: int, last_end: int) -> int:
    """Where `piece` most likely lies after the piece before it, -1 if nowhere."""
    next_start = skip_blank(text, last_end)
    if text.startswith(piece, next_start):
        return next_start
    at = text.find(piece, last_start + 1, min(last_end + len(piece), len(text)))
    while 0 <= at < last_end and at + len(piece) <= last_end:
        at = text.find(piece, at + 1, min(last_end + len(piece), len(text)))
    return at if at >= 0 else text.find(piece, last_end)


def _loosely(text: str, piece: str, start: int) -> tuple[int, int] | None:
    """Where `piece` lies from `start` on if runs of white space count as equal."""
    words = piece.split()
    found = re.compile(r"\s+".join(map(re.escape, words))).search(text, start)
    return found.span() if found else None


def align(document: Document, pieces: Iterable[str]) -> tuple[list[Chunk], int]:
    r"""The chunks that `pieces` stand for, and how many equal their slice exactly.

    Pieces must be in document order; each is placed after the start of the one
    before it, right behind its end where it fits there. White space may have
    been changed or stripped; blank pieces are dropped.

    Raises:
        AlignmentError: a piece is no string, or nowhere after the one before it.

    Example:
        >>> chunks, exact = align(Document.from_text("OK OK\nOK"), ["OK", "OK OK"])
        >>> [c.span for c in chunks], exact
        ([Span(start=0, end=2), Span(start=3, end=8)], 1)
    """
    text = document.text
    starts: list[int] = []
    ends: list[int] = []
    exact, last_start, last_end = 0, -1, 0
    for i, raw in enumerate(pieces):
        if not isinstance(raw, str):
            raise AlignmentError(
                f"pieces must be strings, but piece {i} of {document.id!r} is a "
                f"{type(raw).__name__}"
            )
        piece = raw.replace("\r\n", "\n").strip()
        if not piece:
            continue
        at = _place(text, piece, last_start, last_end)
        span = (at, at + len(piece)) if at >= 0 else _loosely(text, piece, last_start + 1)
        if span is None:
            raise AlignmentError(
                f"every chunk must occur in its document after the chunk before it, but chunk {i} "
                f"of {document.id!r} does not: {piece[:_PREVIEW]!r}; return Chunk objects instead"
            )
        exact += at >= 0
        last_start, last_end = span
        starts.append(last_start)
        ends.append(last_end)
    return make_chunks(document, (starts, ends)), exact


@dataclass(frozen=True)
class Foreign:
    """A strategy made of any object with `split(document)` or `split_text(text)`.

    Chunks it returns are checked against their document; strings, and objects
    that hold one in `page_content` or `text` (LangChain, LlamaIndex), are aligned.

    Raises:
        InvalidConfig: the object has neither method, or is a class.
        AlignmentError: when splitting, something else was returned, or a piece is
            not in its document.
    """

    splitter: Any
    label: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.splitter, type):
            raise InvalidConfig(
                f"a strategy must be an object, got the class {self.splitter.__name__}: "
                f"make one, {self.splitter.__name__}(...)"
            )
        if not any(callable(getattr(self.splitter, name, None)) for name in _METHODS):
            raise InvalidConfig(
                f"a strategy must have split(document) or split_text(text), "
                f"got {type(self.splitter).__name__}, which has neither"
            )
        object.__setattr__(self, "label", self.label or _label(self.splitter))

    def __str__(self) -> str:
        return self.label

    def split(self, document: Document) -> list[Chunk]:
        """The chunks of `document`, in order."""
        return self.split_counted(document)[0]

    def split_counted(self, document: Document) -> tuple[list[Chunk], int]:
        """The chunks and how many of them are exact slices as the splitter gave them."""
        split_text = getattr(self.splitter, "split_text", None)
        parts = split_text(document.text) if callable(split_text) else self.splitter.split(document)
        if not isinstance(parts, Iterable) or isinstance(parts, str | bytes | Mapping | Chunk):
            raise AlignmentError(
                f"{self.label} must return a list of strings or Chunk objects for document "
                f"{document.id!r}, got a {type(parts).__name__}"
            )
        parts = list(parts)
        if parts and all(isinstance(part, Chunk) for part in parts):
            return _checked(document, parts, self.label), len(parts)
        if any(isinstance(part, Chunk) for part in parts):
            kinds = sorted({type(part).__name__ for part in parts})
            raise AlignmentError(
                f"{self.label} must return either Chunk objects only or none for document "
                f"{document.id!r}, got {', '.join(kinds)}"
            )
        return align(document, [self._text(document, part) for part in parts])

    def _text(self, document: Document, part: Any) -> str:
        """The text of a piece: itself, or what LangChain or LlamaIndex keep it in."""
        texts = (part, getattr(part, "page_content", None), getattr(part, "text", None))
        for text in texts:
            if isinstance(text, str):
                return text
        raise AlignmentError(
            f"{self.label} must return strings, Chunk objects, or objects with a string in "
            f"page_content or text, but for document {document.id!r} one is a "
            f"{type(part).__name__}"
        )


def _label(splitter: Any) -> str:
    return str(getattr(splitter, "name", type(splitter).__name__))


def _checked(document: Document, chunks: Sequence[Chunk], label: str) -> list[Chunk]:
    """The chunks, numbered in order.

    Raises:
        AlignmentError: one does not lie in its document after the one before it.
    """
    last_start, last_end = -1, 0
    for i, chunk in enumerate(chunks):
        fault = _fault(document, chunk)
        if not fault and not (last_start < chunk.start and last_end < chunk.end):
            fault = f"start and end after those of the chunk before it, {last_start}-{last_end}"
        if fault:
            raise AlignmentError(
                f"{label}: chunk {i} ({str(chunk.doc_id)[:_PREVIEW]}#{chunk.start}-{chunk.end}) "
                f"of document {document.id!r} must {fault}"
            )
        last_start, last_end = chunk.start, chunk.end
    return [
        chunk if chunk.ordinal == i else chunk._replace(ordinal=i) for i, chunk in enumerate(chunks)
    ]


def _fault(document: Document, chunk: Chunk) -> str:
    """What must hold of a chunk and does not, empty if all does."""
    text, start, end = document.text, chunk.start, chunk.end
    if type(start) is not int or type(end) is not int:
        kinds = f"{type(start).__name__} and {type(end).__name__}"
        return f"have whole numbers (int) as start and end, got {kinds}"
    if not 0 <= start < end <= len(text):
        return f"have 0 <= start < end <= {len(text):,}, the length of the text"
    texts = (chunk.text, chunk.context, chunk.indexed)
    if not all(isinstance(one, str) for one in texts):
        kinds = ", ".join(type(one).__name__ for one in texts)
        return f"have strings as text, context and what is indexed, got {kinds}"
    if chunk.doc_id != document.id or text[start:end] != chunk.text:
        return (
            f"name its document and have its document's text[start:end] as text, "
            f"got {chunk.doc_id!r} and {chunk.text[:_PREVIEW]!r}"
        )
    return _parent_fault(len(text), chunk)


def _parent_fault(n_characters: int, chunk: Chunk) -> str:
    parent: Any = chunk.parent
    if parent is None:
        return ""
    if not isinstance(parent, Span) or {type(parent.start), type(parent.end)} != {int}:
        return f"have a Span or None as parent, got {str(parent)[:_PREVIEW]}"
    if not parent.start <= chunk.start < chunk.end <= parent.end <= n_characters:
        return (
            f"lie in its parent and this in the text of {n_characters:,} characters, got {parent}"
        )
    return ""


def as_strategy(thing: Any) -> Strategy:
    """`thing` itself if it is one of seamline's own, else wrapped as a foreign one."""
    return thing if isinstance(thing, Cutter | Foreign) else Foreign(thing)
