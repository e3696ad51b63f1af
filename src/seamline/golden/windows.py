"""Evidence windows: where in the documents a question is to be asked, blind to every chunker."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from seamline.split.outline import join_path, outline
from seamline.split.sentences import last_sentence_end, next_sentence_end
from seamline.types import Document, Span

__all__ = ["Window", "draw_windows"]

# Code points of a window: drawn too, so that no size of chunk is favoured.
SHORTEST, LONGEST = 400, 1_600
# How far an edge may move to the end of a sentence or block; a table is shown from its start.
_REACH = 600
_TABLE_REACH = 2_000
# Code points around a window in which its answer must be found again.
_WIDE = 4_000
_LEAST_INK = 80


@dataclass(frozen=True, slots=True)
class Window:
    """A passage to ask about, and the wider one in which the answer must be found again.

    `section` is the path of headings that it stands under.
    """

    document: Document
    span: Span
    wide: Span
    section: str

    @property
    def text(self) -> str:
        """The passage."""
        return self.document.text[self.span.start : self.span.end]

    @property
    def wide_text(self) -> str:
        """The wider passage."""
        return self.document.text[self.wide.start : self.wide.end]


def draw_windows(
    documents: Sequence[Document], n: int, rng: np.random.Generator
) -> Iterator[Window]:
    """At most `n` windows in random order, of all texts together one from each nth part.

    So long documents get more, and none of a document's parts is left out for long.
    Where a part lies is all that chance decides on; the edges then move to ends of
    sentences or blocks, as the text has them, and no strategy is asked. Windows
    that hold next to no text or that were drawn already are left out. Cost: what
    the windows hold, and the number of blocks once.

    Example:
        >>> document = Document.from_text("Oil the pump every week. " * 100)
        >>> window = next(draw_windows([document], 3, np.random.default_rng(0)))
        >>> window.text.startswith("Oil"), window.text.endswith("week.")
        (True, True)
    """
    ends = list(accumulate(len(document.text) for document in documents))
    if not ends or not ends[-1]:
        return
    offsets = (np.arange(n) + rng.random(n)) / n * ends[-1]
    sizes = rng.integers(SHORTEST, LONGEST + 1, n)
    shares = rng.random(n)
    edges: dict[int, _Edges] = {}
    drawn: set[tuple[int, Span]] = set()
    for i in rng.permutation(n).tolist():
        at = min(bisect_right(ends, int(offsets[i])), len(ends) - 1)
        document = documents[at]
        known = edges.get(at) or edges.setdefault(at, _Edges(document))
        offset = int(offsets[i]) - (ends[at] - len(document.text))
        span = known.window(offset, int(sizes[i]))
        if (at, span) in drawn or _ink(document.text, span) < _LEAST_INK:
            continue
        drawn.add((at, span))
        wide = known.around(span, float(shares[i]))
        yield Window(document, span, wide, join_path(known.outline.path(span.start)))


def _ink(text: str, span: Span) -> int:
    """Characters of a span that are no white space."""
    return sum(map(len, text[span.start : span.end].split()))


class _Edges:
    """Where windows of one document may begin and end."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        blocks = document.columns
        self._edges = np.unique(np.array([*blocks.starts, *blocks.ends], np.int64)).tolist()
        tables = list(blocks.places("table"))
        self.outline = outline(document)
        self._tables = [(blocks.starts[at], blocks.ends[at]) for at in tables]

    def window(self, offset: int, size: int) -> Span:
        """The window of about `size` code points around the sentence that holds an offset."""
        size = min(size, len(self._text))
        start = self._table_start(self._before(min(offset, len(self._text) - size)))
        return self._trimmed(start, self._after(max(start, offset) + size))

    def around(self, span: Span, share: float) -> Span:
        """A wider window: `share` of what is added lies before it."""
        more = max(0, _WIDE - len(span))
        low = self._before(max(0, span.start - int(more * share)))
        high = self._after(min(len(self._text), span.end + int(more * (1 - share))))
        return self._trimmed(min(low, span.start), max(high, span.end))

    def _before(self, offset: int) -> int:
        """The last end of a sentence or edge of a block up to an offset, if it is near."""
        low = max(0, offset - _REACH)
        at = bisect_right(self._edges, offset) - 1
        edge = self._edges[at] if at >= 0 else -1
        best = max(last_sentence_end(self._text, low, offset), edge, 0 if not low else -1)
        return best if best >= low else self._word(offset, low)

    def _after(self, offset: int) -> int:
        """The first end of a sentence or edge of a block from an offset on, if it is near."""
        n = len(self._text)
        high = min(n, offset + _REACH)
        if offset >= n:
            return n
        at = bisect_left(self._edges, offset)
        ends = [next_sentence_end(self._text, offset - 1, high)]
        ends += self._edges[at : at + 1]
        near = [end for end in ends if offset <= end <= high]
        return min(near, default=n if high == n else self._word(offset, max(0, offset - _REACH)))

    def _word(self, offset: int, low: int) -> int:
        """Where the word that an offset cuts begins; the offset where it cuts none."""
        part = self._text[low:offset]
        words = part.rsplit(None, 1)
        cut = len(words) > 1 and not part[-1].isspace()
        return offset - len(words[-1]) if cut else offset

    def _table_start(self, offset: int) -> int:
        """Where the table that holds an offset begins, if not far before: it needs its header."""
        at = bisect_left(self._tables, (offset,)) - 1
        if at < 0:
            return offset
        start, end = self._tables[at]
        return start if offset < end and offset - start <= _TABLE_REACH else offset

    def _trimmed(self, start: int, end: int) -> Span:
        part = self._text[start:end]
        start += len(part) - len(part.lstrip())
        return Span(start, start + len(part.strip()))
