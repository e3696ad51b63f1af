"""The passage of a document that is most like a quote that is no longer in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamline.golden.anchor import is_whole
from seamline.golden.search import Grams, gram_hashes
from seamline.types import Span

__all__ = ["SAME_MARKS", "Nearest", "nearest"]

LEAST_SCORE = 60.0
# Of the same length before and after, so that offsets stay.
SAME_MARKS = str.maketrans("‘’‚“”„–—\u00a0\t\n", "'''\"\"\"--   ")
_EDGE = 32
_MAX_HITS = 64
_WINDOWS = 3

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Nearest:
    """Where the passage is, and how like the quote: 0 to 100 (100 x indel similarity)."""

    span: Span
    score: float


def nearest(text: str, quotes: Sequence[str]) -> list[Nearest | None]:
    """For each quote the most similar passage of `text`, None where none scores 60.

    Places that share short runs of characters with the quote are found in one
    pass over the text; only the best few are aligned. Case, the kind of quotation
    marks and dashes, and the kind of white space do not count. Ties go to the
    earlier place.

    Example:
        >>> text = "Invoices are paid within thirty days of receipt."
        >>> found = nearest(text, ["invoices are payed within 30 days"])[0]
        >>> text[found.span.start : found.span.end]
        'Invoices are paid within thirty days'
    """
    folded = _fold(text)
    results: list[Nearest | None] = [None] * len(quotes)
    for width in (8, 4, 2):
        rows = [i for i, quote in enumerate(quotes) if _width(quote) == width]
        if rows:
            wanted = [_fold(quotes[i]) for i in rows]
            for i, found in zip(rows, _nearest(text, folded, wanted, width), strict=True):
                results[i] = found
    return results


def _width(quote: str) -> int:
    """Long quotes are told apart by long runs, which few wrong places share."""
    return 8 if len(quote) >= 48 else 4 if len(quote) >= 12 else 2


def _fold(text: str) -> str:
    """The text with what does not count made alike, of the same length."""
    lower = text.lower()
    return (lower if len(lower) == len(text) else text).translate(SAME_MARKS)


def _nearest(text: str, folded: str, quotes: list[str], width: int) -> list[Nearest | None]:
    hashes = [_hashes(quote, width) for quote in quotes]
    grams = Grams(np.concatenate(hashes), width)
    where, which = grams.hits(folded)
    order = np.argsort(which, kind="stable")
    where, bounds = where[order], np.searchsorted(which[order], np.arange(len(grams.keys) + 1))
    found: list[Nearest | None] = []
    for quote, own in zip(quotes, hashes, strict=True):
        keys = np.searchsorted(grams.keys, own)
        starts = _candidates(where, bounds[keys], bounds[keys + 1], len(quote))
        options = [_align(text, folded, quote, start) for start in starts]
        best = max(options, key=lambda option: option.score, default=None)
        found.append(best if best and best.score >= LEAST_SCORE else None)
    return found


def _hashes(quote: str, width: int) -> NDArray[np.uint64]:
    if len(quote) < width:
        return np.empty(0, np.uint64)
    return gram_hashes(quote, width)


def _candidates(where: Positions, low: Positions, high: Positions, size: int) -> list[int]:
    """Where the quote may start: offsets that many of its runs of characters agree on."""
    high = np.minimum(high, low + _MAX_HITS)
    counts = high - low
    n_hits = int(counts.sum())
    if not n_hits:
        return []
    offsets = np.repeat(np.arange(len(low)), counts)
    first = np.repeat(low - (np.cumsum(counts) - counts), counts)
    starts = where[first + np.arange(n_hits)] - offsets
    # Insertions shift the later part, so neighbouring bins count together.
    bins, inverse = np.unique(starts // max(16, size // 4), return_inverse=True)
    votes = np.bincount(inverse, weights=1.0 / np.repeat(counts, counts))
    follows = np.append(np.diff(bins) == 1, False)
    pairs = votes + np.where(follows, np.append(votes[1:], 0.0), 0.0)
    best = np.argsort(-pairs, kind="stable")[:_WINDOWS]
    return [int(np.min(starts[inverse == i])) for i in best]


def _align(text: str, folded: str, quote: str, start: int) -> Nearest:
    """The best passage near `start`: its two ends are aligned apart, so its middle may differ."""
    from rapidfuzz import fuzz

    size = len(quote)
    left, right = max(0, start - size // 4 - _EDGE), start + size + size // 2 + _EDGE
    window = folded[max(left, 0) : max(right, 0)]
    edge = min(size, max(8, min(_EDGE, size // 3)))
    head = fuzz.partial_ratio_alignment(quote[:edge], window)
    tail = fuzz.partial_ratio_alignment(quote[-edge:], window)
    whole = fuzz.partial_ratio_alignment(quote, window) if size <= 4 * _EDGE else None
    spans = [(a.dest_start, a.dest_end) for a in (whole,) if a]
    if head and tail and tail.dest_end > head.dest_start:
        spans.append((head.dest_start, tail.dest_end))
    options = [_whole_words(text, left + a, left + b) for a, b in spans]
    scored = [
        Nearest(span, fuzz.ratio(quote, folded[span.start : span.end]))
        for span in options
        if len(span)
    ]
    return max(scored, key=lambda near: near.score, default=Nearest(Span(0, 0), 0.0))


def _whole_words(text: str, start: int, end: int, reach: int = 24) -> Span:
    """The span without white space at its ends, grown to whole words."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    for _ in range(reach):
        grown = start - (start < end and not is_whole(text, start, len(text)))
        if grown == start:
            break
        start = grown
    for _ in range(reach):
        grown = end + (start < end and not is_whole(text, 0, end))
        if grown == end:
            break
        end = grown
    return Span(start, end)
