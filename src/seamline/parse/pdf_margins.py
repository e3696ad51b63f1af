"""What repeats at the top or bottom of a PDF's pages, left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from seamline.parse.pdf_chars import Piece

__all__ = ["without_margins"]

_TOP, _BOTTOM = 0.09, 0.915  # of the page's height
_TABLE = 0.15  # of the page's height: a taller table is none of running heads
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_FEWEST = 2  # pages with the same words
_ENOUGH = 3  # times that such words stand on a line, to make it the line of running heads


def without_margins(
    pages: Sequence[Sequence[Piece]], heights: Sequence[float]
) -> Iterator[list[Piece]]:
    """The pieces of each page without running heads, feet and page numbers.

    Left out is what stands in the margin of several pages with the same words,
    whatever the numbers, and what else stands on the same line of other pages.
    """
    keys = [
        {_key(piece) for piece in pieces if _in_margin(piece, height)}
        for pieces, height in zip(pages, heights, strict=True)
    ]
    counts = Counter(key for page in keys for key in page)
    repeated = {key for key, count in counts.items() if count >= _FEWEST}
    places = Counter(
        round(piece.middle)
        for pieces, height in zip(pages, heights, strict=True)
        for piece in pieces
        if _in_margin(piece, height) and _key(piece) in repeated
    )
    lines = {place for place, count in places.items() if count >= _ENOUGH}
    for pieces, height in zip(pages, heights, strict=True):
        yield [
            piece
            for piece in pieces
            if not _in_margin(piece, height)
            or (_key(piece) not in repeated and round(piece.middle) not in lines)
        ]


def _in_margin(piece: Piece, height: float) -> bool:
    if piece.grid and piece.grid.box[3] - piece.grid.box[1] > _TABLE * height:
        return False
    return not _TOP * height < piece.middle < _BOTTOM * height


def _key(piece: Piece) -> str:
    return _NUMBER.sub("#", piece.text.lower())
