"""A document written block by block: the text and the blocks that are slices of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from seamline.types import Blocks, Document

__all__ = ["Writer"]


class Writer:
    r"""Collects text in reading order; blocks come out nested or disjoint, sorted.

    A block that is open while text is written holds that text; one that gets none
    disappears. Text that stands alone is set off by the separator asked for.

    Example:
        >>> writer = Writer()
        >>> with writer.block("quote", level=1):
        ...     writer.write("Oil it.", "paragraph")
        ...     writer.write("Often.", "paragraph")
        >>> document = writer.document("a.html", "text/html")
        >>> document.text
        'Oil it.\n\nOften.'
        >>> [(block.kind, block.span.start, block.span.end) for block in document.blocks]
        [('quote', 0, 15), ('paragraph', 0, 7), ('paragraph', 9, 15)]
    """

    def __init__(self) -> None:
        self.length = 0
        self.metadata: dict[str, Any] = {}
        self._parts: list[str] = []
        self._kinds: list[tuple[str, int, str]] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._open: list[int] = []
        self._n_started = 0
        self._n_lines = 0
        self._indent = ""
        self._glued = False

    def open(self, kind: str, level: int = 0, title: str = "") -> int:
        """The number of a new block inside all open ones."""
        self._kinds.append((kind, level, title))
        self._starts.append(-1)
        self._ends.append(-1)
        self._open.append(len(self._kinds) - 1)
        return self._open[-1]

    def close(self, number: int) -> None:
        """Block `number`, and whatever is open in it, ends with the text written last."""
        while self._open and self._open[-1] >= number:
            last = self._open.pop()
            self._ends[last] = self.length
        self._n_started = min(self._n_started, len(self._open))

    @contextmanager
    def block(self, kind: str, level: int = 0, title: str = "") -> Iterator[None]:
        """A block that holds what is written meanwhile."""
        number = self.open(kind, level, title)
        yield
        self.close(number)

    def separate(self, n_lines: int = 2, indent: str = "") -> None:
        """What comes next begins at least `n_lines` line feeds later, behind `indent`."""
        if not self._glued:
            self._n_lines = max(n_lines, self._n_lines)
            self._indent = indent

    def write(
        self, text: str, kind: str = "", level: int = 0, *, title: str = "", n_lines: int = 2
    ) -> None:
        """Text set off by line feeds, a block if it has a `kind`; blank text is left out."""
        if not text.strip():
            return
        self.separate(n_lines)
        number = self.open(kind, level, title) if kind else -1
        self.put(text)
        if kind:
            self.close(number)
        self.separate(n_lines)

    def put(self, text: str) -> None:
        """The text as it is, inside the open blocks, behind the line feeds asked for before."""
        if self.length and self._n_lines and not self._glued:
            separator = "\n" * self._n_lines + self._indent
            self._parts.append(separator)
            self.length += len(separator)
        self._n_lines, self._indent, self._glued = 0, "", False
        for number in self._open[self._n_started :]:
            self._starts[number] = self.length
        self._n_started = len(self._open)
        self._parts.append(text)
        self.length += len(text)

    def mark(self, text: str) -> None:
        """Text such as a list's bullet: what comes next follows it without a line feed."""
        self.put(text)
        self._glued = True

    def rename(self, number: int, kind: str = "", title: str = "") -> None:
        """Gives block `number` the kind and title that only its content tells."""
        old_kind, level, old_title = self._kinds[number]
        self._kinds[number] = (kind or old_kind, level, title or old_title)

    def document(
        self, source: str, media_type: str, window: tuple[int, int] | None = None
    ) -> Document:
        """The document; with a `window` only the part [start, end) of what was written."""
        self.close(0)
        text = "".join(self._parts)
        low, high = window or (0, len(text))
        high = low + len(text[low:high].rstrip())
        low = high - len(text[low:high].lstrip())
        return Document(
            id=source,
            text=text[low:high],
            blocks=self._blocks(low, high),
            source=source,
            media_type=media_type,
            metadata=self.metadata,
        )

    def _blocks(self, low: int, high: int) -> Blocks:
        inside = [
            at
            for at, (start, end) in enumerate(zip(self._starts, self._ends, strict=True))
            if low <= start < end <= high
        ]
        return Blocks(
            [self._kinds[at][0] for at in inside],
            [self._starts[at] - low for at in inside],
            [self._ends[at] - low for at in inside],
            [self._kinds[at][1] for at in inside],
            [self._kinds[at][2] for at in inside],
        )
