"""How large the chunks are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SizeDistribution", "size_distribution"]

UNDER, OVER = 50, 1_000
# The same edges for all strategies, so that their histograms can be laid side by side.
EDGES = (0, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1_000, 1_500, 2_000, 4_000)


@dataclass(frozen=True, slots=True)
class SizeDistribution:
    """Count, mean, median, sd (of the population), min, max, 5th and 95th percentile.

    `under_50` and `over_1000` are shares of the chunks, 0 to 1. The histogram's
    bins are `[edges[i], edges[i + 1])`; the last edge is the first multiple of
    1,000 above the largest size where that exceeds 4,000. All are 0 without
    chunks.
    """

    count: int
    mean: float
    median: float
    sd: float
    min: int
    max: int
    p5: float
    p95: float
    under_50: float
    over_1000: float
    edges: tuple[int, ...]
    counts: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        """The fields, with `edges` and `counts` under `histogram`."""
        fields = asdict(self)
        histogram = {"edges": list(fields.pop("edges")), "counts": list(fields.pop("counts"))}
        return {**fields, "histogram": histogram}


def size_distribution(sizes: Sequence[int] | NDArray[np.integer[Any]]) -> SizeDistribution:
    """The distribution of chunk sizes (any unit).

    Percentiles interpolate linearly between the two nearest sizes.

    Example:
        >>> found = size_distribution([10, 20, 60, 2000])
        >>> found.mean, found.median, found.under_50, found.over_1000
        (522.5, 40.0, 0.5, 0.25)
    """
    array = np.asarray(sizes, dtype=np.int64)
    top = int(array.max()) if len(array) else 0
    edges = EDGES if top < EDGES[-1] else (*EDGES, (top // 1_000 + 1) * 1_000)
    counts = tuple(np.histogram(array, bins=edges)[0].tolist())
    if not len(array):
        return SizeDistribution(0, 0.0, 0.0, 0.0, 0, 0, 0.0, 0.0, 0.0, 0.0, edges, counts)
    p5, median, p95 = np.percentile(array, (5, 50, 95)).tolist()
    return SizeDistribution(
        count=len(array),
        mean=float(array.mean()),
        median=median,
        sd=float(array.std()),
        min=int(array.min()),
        max=top,
        p5=p5,
        p95=p95,
        under_50=float((array < UNDER).mean()),
        over_1000=float((array > OVER).mean()),
        edges=edges,
        counts=counts,
    )
