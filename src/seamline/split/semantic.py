"""Cuts where the meaning turns: neighbouring sentences that are little alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.protocols import Embedder
from seamline.sizers import Ruler, make_ruler
from seamline.split.levels import Offsets, make_level
from seamline.split.pack import Cuts, pack
from seamline.split.sentences import sentence_ends
from seamline.split.strategies import Cutter, check_below, check_whole
from seamline.types import Document, FloatArray, IntArray, Seams

__all__ = ["Semantic", "semantic_seams"]

_PERCENTILE = 80.0
# Characters under which a sentence with an end mark, and a line without one, say
# too little to be compared alone; and those that a joined one may have.
_SHORT_SENTENCE = 10
_SHORT_LINE = 40
_JOINED = 400


def _pooled(vectors: FloatArray, window: int) -> tuple[FloatArray, FloatArray]:
    """Unit means of the `window` sentences before and after each of the n - 1 borders."""
    total = np.concatenate(
        (np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=float))
    )
    borders = np.arange(1, len(vectors))
    before = total[borders] - total[np.maximum(borders - window, 0)]
    after = total[np.minimum(borders + window, len(vectors))] - total[borders]
    return _unit_rows(before), _unit_rows(after)


def _unit_rows(rows: NDArray[np.float64]) -> FloatArray:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(norms, 1e-12), dtype=np.float32)


def _utterances(text: str, ends: IntArray) -> list[tuple[int, str]]:
    """The ends and texts of what is embedded: sentences, with very short ones joined.

    A short sentence that has an end mark ("Yes.") joins the one before it, one
    that has none (a heading, a list mark) the one after it.
    """
    found: list[tuple[int, str]] = []
    start = 0
    opens = False  # whether the last piece waits for the one after it
    for end in [*ends.tolist(), len(text)]:
        piece = text[start:end].strip()
        start = end
        if not piece:
            continue
        marked = piece[-1] in ".!?\u2026\u3002\uff01\uff1f"
        joins = opens or (marked and len(piece) < _SHORT_SENTENCE)
        if found and joins and len(found[-1][1]) < _JOINED:
            found[-1] = (end, f"{found[-1][1]} {piece}")
        else:
            found.append((end, piece))
        opens = not marked and len(piece) < _SHORT_LINE
    return found


def semantic_seams(text: str, ends: IntArray, embedder: Embedder, window: int = 1) -> Seams:
    """A seam between sentences; strength = cosine distance across it, 0 to 2.

    Each sentence is embedded once, all of them in one call; very short ones
    with a neighbour. With a `window` over 1 the means of that many sentences on
    either side are compared.
    """
    kept = _utterances(text, ends)
    if len(kept) < 2:
        return Seams.of([])
    vectors = embedder.embed_documents([piece for _, piece in kept])
    before, after = _pooled(vectors, window)
    distances = 1.0 - np.einsum("ij,ij->i", before, after)
    return Seams.of([end for end, _ in kept[:-1]], distances)


@dataclass(frozen=True)
class Semantic(Cutter):
    """Runs of sentences that stay on one subject, at most `size` long.

    One criterion says where the subject turns: a `threshold` on cosine
    similarity (cut below it), a `distance` (cut above it), a `percentile` of
    the document's distances (80 if no other criterion is given), or `minima`
    (cut where similarity has a local minimum below its median). Runs under
    `floor` join the next one. Every sentence is embedded once.

    Raises:
        InvalidConfig: two criteria at once, or one out of its range.
    """

    name: ClassVar[str] = "semantic"
    always: ClassVar[tuple[str, ...]] = ("size",)
    size: int = 512
    threshold: float | None = None
    distance: float | None = None
    percentile: float | None = None
    minima: bool = False
    window: int = 1
    floor: int = 0
    unit: str = "tokens"
    embedder: Embedder | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check_window()
        check_whole("window", self.window, 1)
        check_whole("floor", self.floor, 0)
        if not isinstance(self.minima, bool):
            raise InvalidConfig(f"minima must be true or false, got {self.minima!r}")
        check_below("floor", self.floor, "size", self.size)
        given = {
            name: value
            for name in ("threshold", "distance", "percentile", "minima")
            if (value := getattr(self, name)) not in (None, False)
        }
        if len(given) > 1:
            raise InvalidConfig(
                f"semantic takes one criterion, got {' and '.join(given)}: keep one"
            )
        for name, low, high in (("threshold", -1, 1), ("distance", 0, 2), ("percentile", 0, 100)):
            _check_between(name, getattr(self, name), low, high)

    def is_turn(self, distances: FloatArray) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """bool[n]: where the criterion cuts."""
        if self.threshold is not None:
            return 1.0 - distances < self.threshold
        if self.distance is not None:
            return distances > self.distance
        if self.minima:
            padded = np.pad(distances, 1, constant_values=-np.inf)
            peak = (distances > padded[:-2]) & (distances >= padded[2:])
            return np.asarray(peak & (distances > np.median(distances)))
        percentile = _PERCENTILE if self.percentile is None else self.percentile
        return distances > np.percentile(distances, percentile)

    def cut(self, document: Document) -> Cuts:
        if self.embedder is None:
            raise InvalidConfig(
                "semantic needs an embedder: pass one, parse_strategy('semantic', embedder=...)"
            )
        text = document.text
        ends = sentence_ends(text)
        seams = semantic_seams(text, ends, self.embedder, self.window)
        turns = seams.offsets[self.is_turn(seams.strengths)] if len(seams) else seams.offsets
        ruler = self._ruler(text, self.size)
        bounds = turns.tolist()
        if self.floor:
            bounds = _join_short(turns, text, make_ruler(self._sizer, text), self.floor)
        return pack(
            text, (Offsets(ends), make_level(text, "word")), ruler, self.size, bounds=bounds
        )


def _check_between(name: str, value: Any, low: float, high: float) -> None:
    if value is not None and not (type(value) in (int, float) and low <= value <= high):
        raise InvalidConfig(f"{name} must be a number from {low} to {high}, got {value!r}")


def _join_short(turns: IntArray, text: str, ruler: Ruler, floor: int) -> list[int]:
    """The turns that leave at least `floor` before each of them and after the last."""
    kept: list[int] = []
    last = 0
    for turn in turns.tolist():
        if ruler.size(last, turn) >= floor:
            kept.append(turn)
            last = turn
    if kept and ruler.size(kept[-1], len(text)) < floor:
        kept.pop()
    return kept
