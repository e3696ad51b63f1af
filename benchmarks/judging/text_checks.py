"""What must hold of chunks of any text: each check gives what went wrong, or nothing."""

from __future__ import annotations

import re
from itertools import pairwise

from judging import reading
from judging.piece import Piece
from judging.view import View, squeezed

__all__ = [
    "abbreviations",
    "cjk",
    "graphemes",
    "kept",
    "line_ends",
    "no_chunks",
    "offsets",
    "overlap",
    "pages",
    "sizes",
    "slices",
    "whole_characters",
]

_ABBREVIATIONS = ("Mr.", "Mrs.", "Dr.", "Prof.", "St.", "U.S.", "U.K.", "e.g.", "i.e.", "p.m.")
_CJK_ENDS = ("。", "！", "？", "；")


def kept(view: View) -> str:
    """Every character that is no white space is in some chunk, and nothing else is."""
    seen = bytearray(len(squeezed(view.text)))
    source = squeezed(view.text)
    for piece, place in zip(view.pieces, view.places(), strict=True):
        # A header that is repeated parts a chunk from its place: then line by line, tag by tag.
        for words in [piece.text] if place else re.split(r"\n|(?<=>)", piece.text):
            short = squeezed(words)
            at = -1
            while short and (at := source.find(short, at + 1)) >= 0:
                seen[at : at + len(short)] = b"\1" * len(short)
            if short and short not in source:
                return "text changed"
    return "" if all(seen) else "text lost"


def slices(view: View) -> str:
    """Each chunk is a slice of the text."""
    return "" if all(one.text in view.text for one in view.pieces) else "not a slice"


def offsets(view: View) -> str:
    """Where a chunk is said to be, it is; each begins after the one before; nothing is left out."""
    starts = [one.start for one in view.pieces]
    wrong = sum(not _is_there(one, view.text) for one in view.pieces)
    if wrong and all(start is None for start in starts):
        return "no offsets"
    if wrong:
        return f"{wrong} of {len(starts)} offsets wrong"
    rising = all(a is not None and b is not None and a < b for a, b in pairwise(starts))
    if not rising:
        return "offsets go back"
    seen = {
        i for one in view.pieces for i in range(one.start or 0, (one.start or 0) + len(one.text))
    }
    left = any(i not in seen and not char.isspace() for i, char in enumerate(view.text))
    return "offset of another place" if left else ""


def _is_there(piece: Piece, text: str) -> bool:
    start = piece.start
    return start is not None and start >= 0 and text.startswith(piece.text, start)


def sizes(view: View) -> str:
    """No chunk is larger than the limit."""
    largest = max((view.size(one.text) for one in view.sized), default=0)
    return "" if largest <= view.case.limit else f"{largest} of limit {view.case.limit}"


def whole_characters(view: View) -> str:
    """No character comes out broken."""
    return "broken characters" if any("\ufffd" in one.text for one in view.pieces) else ""


def graphemes(view: View) -> str:
    """No cut lies inside what a reader sees as one character, unless that alone is too large."""
    cuts = [place[0] for place in view.places() if place]
    for start, end in pairwise(reading.grapheme_borders(view.text)):
        if view.fits(view.text[start:end]) and any(start < cut < end for cut in cuts):
            return "character cut"
    return ""


def line_ends(view: View) -> str:
    """Line ends of Windows give the same chunks as those of Unix."""
    unix = view.source.replace("\r\n", "\n")
    plain, windows = view.tool.run(unix).pieces, view.tool.run(unix.replace("\n", "\r\n")).pieces
    if any("\r" in title for one in windows for title in one.path):
        return "line end in title"
    same = [one.text.strip() for one in plain] == [
        one.text.replace("\r\n", "\n").strip() for one in windows
    ]
    return "" if same else "CRLF cut differently"


def no_chunks(view: View) -> str:
    """Nothing comes of blank text."""
    return f"{len(view.pieces)} blank" if view.pieces else ""


def overlap(view: View) -> str:
    """Each chunk repeats something of the one before."""
    places = view.places()
    fine = all(a and b and b[0] < a[1] for a, b in pairwise(places))
    return "" if fine and len(places) > 1 else "no overlap"


def pages(view: View) -> str:
    """Each chunk says the pages it touches."""
    for piece, place in zip(view.pieces, view.places(), strict=True):
        if not piece.pages:
            return "no pages"
        if place is None or piece.pages != tuple(
            view.text.count("\f", 0, at) + 1 for at in (place[0], place[1] - 1)
        ):
            return "wrong pages"
    return ""


def abbreviations(view: View) -> str:
    """Chunks end where sentences end."""
    for one in view.pieces[:-1]:
        words = one.text.split()
        if words[-1] in _ABBREVIATIONS:
            return f"cut after {words[-1]}"
        if not words[-1].endswith((".", "!", "?")):
            return "sentence cut"
    return ""


def cjk(view: View) -> str:
    """Chunks end where sentences end, and each fits."""
    if sizes(view):
        return sizes(view)
    ends = all(one.text.rstrip().endswith(_CJK_ENDS) for one in view.pieces)
    return "" if ends else "sentence cut"
