"""Byte offsets of a text's UTF-8 form as offsets in code points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["code_points", "line_starts"]

_WINDOW = 1 << 18  # bytes counted at once, so that counting costs no more memory than the text


def code_points(data: bytes, offsets: Sequence[int]) -> list[int]:
    """Byte offsets into `data`, in any order, as code points; O(bytes + n log n).

    An offset inside a character counts as the end of that character.

    Example:
        >>> code_points("größe".encode(), [0, 3, 4, 7])
        [0, 3, 3, 5]
    """
    if data.isascii() or not offsets:
        return list(offsets)
    bounds, places = np.unique(offsets, return_inverse=True)
    points, n_before = np.zeros_like(bounds), 0
    for low in range(0, int(bounds[-1]) + 1, _WINDOW):
        # int8: the bytes that continue a code point are -128 to -65.
        begins = np.frombuffer(data[low : low + _WINDOW], dtype=np.int8) >= -64
        n_begun = np.concatenate(([0], np.cumsum(begins))) + n_before
        first, last = np.searchsorted(bounds, (low, low + _WINDOW), side="left")
        points[first:last] = n_begun[bounds[first:last] - low]
        n_before = int(n_begun[-1])
    result: list[int] = points[places].tolist()
    return result


def line_starts(data: bytes) -> list[int]:
    r"""Code-point offsets where lines start: 0, and after every line feed that text follows.

    Example:
        >>> line_starts("ä\n\nb\n".encode())
        [0, 2, 3]
    """
    starts: list[int] = [0]
    plain, n_before = data.isascii(), 0
    for low in range(0, len(data), _WINDOW):
        window = np.frombuffer(data, np.int8, min(_WINDOW, len(data) - low), low)
        if not plain:
            window = window[window >= -64]  # one byte of each code point
        starts += (np.flatnonzero(window == ord("\n")) + (n_before + 1)).tolist()
        n_before += len(window)
    if len(starts) > 1 and starts[-1] == n_before:
        starts.pop()
    return starts
