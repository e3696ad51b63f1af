"""What the borders of chunks cut through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np
from numpy.typing import NDArray

from seamline.measure.chunks import span_array
from seamline.measure.regions import Regions, next_ink, regions_of
from seamline.spans import SpanArray
from seamline.types import Chunk, Document

__all__ = ["BoundaryCuts", "boundary_cuts"]


@dataclass(frozen=True, slots=True)
class BoundaryCuts:
    """How many boundaries there are, and how many lie inside each kind of thing.

    A boundary inside a fence or a table row is not counted as inside a
    sentence too; one inside a step list or a Q&A pair may be. `cut` counts the
    boundaries inside anything. Counts of several documents add up with `+`.
    """

    boundaries: int = 0
    sentence: int = 0
    fence: int = 0
    table_row: int = 0
    steps: int = 0
    qa_pair: int = 0
    cut: int = 0

    @property
    def share(self) -> float:
        """Share of boundaries that cut something, 0 to 1; NaN where there are none."""
        return self.cut / self.boundaries if self.boundaries else float("nan")

    def __add__(self, other: BoundaryCuts) -> BoundaryCuts:
        names = [item.name for item in fields(self)]
        return BoundaryCuts(*(getattr(self, name) + getattr(other, name) for name in names))

    def as_dict(self) -> dict[str, float]:
        """The counts and the share."""
        return {**asdict(self), "share": self.share}


def boundary_cuts(
    document: Document, chunks: Sequence[Chunk] | SpanArray, regions: Regions | None = None
) -> BoundaryCuts:
    """The counts for the chunks of one document.

    A boundary is where a chunk starts or ends inside the text; an end and the
    start after it with only white space between are one boundary, and where
    chunks overlap each edge is one. `regions` saves finding them anew for every
    strategy. Cost: linear in the text and the chunks.

    Example:
        >>> document = Document.from_text("One is here. Two is there. Three.")
        >>> found = boundary_cuts(document, np.array([[0, 12], [13, 19], [20, 33]]))
        >>> found.boundaries, found.sentence, found.share
        (2, 1, 0.5)
    """
    found = regions or regions_of(document)
    edges = next_ink(document.text, span_array(chunks).ravel().tolist())
    first = next_ink(document.text, [0])
    edges = edges[edges > first[0]] if len(first) else edges
    fence, row = _inside(edges, found.fence), _inside(edges, found.table_row)
    steps, pair = _inside(edges, found.steps), _inside(edges, found.qa_pair)
    sentence = ~np.isin(edges, found.sentence_starts) & ~fence & ~row
    cut = sentence | fence | row | steps | pair
    return BoundaryCuts(
        len(edges), *(int(kind.sum()) for kind in (sentence, fence, row, steps, pair, cut))
    )


def _inside(edges: NDArray[np.int64], spans: SpanArray) -> NDArray[np.bool_]:
    """Which offsets lie strictly inside one of the sorted, disjoint spans."""
    if not len(spans):
        return np.zeros(len(edges), dtype=np.bool_)
    index = np.searchsorted(spans[:, 0], edges, side="left") - 1
    return np.asarray((index >= 0) & (edges < spans[index, 1]), dtype=np.bool_)
