r"""Where grapheme clusters end, asked for one offset at a time.

Segmenting a whole text costs more than cutting it, so only the neighbourhood of
an offset is looked at: two characters of scripts that never join need no more,
and otherwise the clusters are counted from the nearest border that holds
whatever stands around it. Clusters are those of `regex`'s `\X` (UAX 29).

This module is compiled where a C compiler is at hand (`graphemes.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import regex

from seamline.sizers.rulers import character_table

__all__ = ["at_least", "at_most", "is_border", "next_border"]

# Characters that join neither what precedes nor what follows them.
_PLAIN = character_table(
    "\\x20-\\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0377\u0384-\u0482\u048a-\u052f\u0531-\u0556"
    "\u05d0-\u05ea\u0620-\u063f\u2010-\u2027\u2030-\u205e\u3000-\u3029\u3041-\u3096\u30a1-\u30fa"
    "\u3400-\u4dbf\u4e00-\ua014\uff01-\uff9d\\t\\n"
)
# Borders that hold whatever lies further to the left or right, by what follows them
# (UAX 29: GB9 to GB13 look further back only in the cases left out here).
_NEVER_FIRST = r"\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}"
_HANGUL = r"\p{GCB=L}\p{GCB=V}\p{GCB=T}\p{GCB=LV}\p{GCB=LVT}"
_PAIRS = (
    ("", rf"[^{_NEVER_FIRST}{_HANGUL}\p{{GCB=RI}}\p{{ExtPict}}\p{{InCB=Consonant}}]"),
    (r"\p{GCB=RI}", r"\p{GCB=RI}"),
    (r"\p{GCB=ZWJ}", r"\p{ExtPict}"),
    (r"\p{GCB=Extend}\p{GCB=ZWJ}", r"\p{InCB=Consonant}"),
    (r"\p{GCB=L}", r"[\p{GCB=L}\p{GCB=LV}\p{GCB=LVT}]"),
    (_HANGUL, r"[\p{GCB=V}\p{GCB=T}]"),
)
_HARD = regex.compile(
    "(?r)" + "|".join(rf"(?<=[^\p{{GCB=Prepend}}{last}])(?={after})" for last, after in _PAIRS),
    regex.DOTALL,
)
_CLUSTER = regex.compile(r"\X")
_AHEAD = 64


def _walk(text: str, offset: int, floor: int) -> tuple[int, int]:
    """The last border at or before `offset` and the first one at or after it."""
    at = _after_flags(text, max(floor, 0), offset)
    if at < 0:
        anchor = _HARD.search(text, max(floor, 0), offset)
        at = anchor.start() if anchor else max(floor, 0)
    ahead = _AHEAD
    while True:
        # A slice, because regex counts flags back to the start of the text it is given.
        piece = text[at : offset + ahead]
        last = end = 0
        for found in _CLUSTER.finditer(piece):  # pragma: no branch - `piece` reaches past offset
            last, end = end, found.end()
            if at + end >= offset:
                break
        if end < len(piece) or at + end >= len(text):
            return (at + end, at + end) if at + end == offset else (at + last, at + end)
        ahead *= 4


def _after_flags(text: str, floor: int, offset: int) -> int:
    """A border near before `offset` in a run of flags, which are pairs; -1 if there is none.

    `regex` goes back to the start of the run for each flag of it.
    """
    first = offset
    while first > floor and "\U0001f1e6" <= text[first - 1] <= "\U0001f1ff":
        first -= 1
    return first + (offset - first - 1) // 2 * 2 if offset - first > 2 else -1


def _is_plain(code: int) -> bool:
    """Whether a code point is known to join neither side but through a joiner."""
    if code < 0x10000:
        return _PLAIN[code] != 0
    if code < 0x20000:  # pictographs, without the skin tones
        return 0x1F300 <= code <= 0x1FAFF and not 0x1F3FB <= code <= 0x1F3FF
    return code < 0x30000  # Han


def is_border(text: str, offset: int, floor: int = 0) -> bool:
    r"""Whether no grapheme cluster spans `offset`; `floor` is a border at or before it.

    Example:
        >>> is_border("e\u0301", 1)
        False
    """
    if offset <= max(floor, 0) or offset >= len(text):
        return True
    if text[offset - 1] < "\u0300" and text[offset] < "\u0300":
        return True
    if _is_plain(ord(text[offset - 1])) and _is_plain(ord(text[offset])):
        return True
    return _walk(text, offset, floor)[0] == offset


def at_most(text: str, offset: int, floor: int = 0) -> int:
    """The last border at or before `offset`, not before `floor`, itself a border."""
    if is_border(text, offset, floor):
        return min(offset, len(text))
    return _walk(text, offset, floor)[0]


def at_least(text: str, offset: int, floor: int = 0) -> int:
    """The first border at or after `offset`."""
    return offset if is_border(text, offset, floor) else _walk(text, offset, floor)[1]


def next_border(text: str, offset: int, floor: int = 0) -> int:
    """The first border after `offset`; the end of the text at the latest."""
    offset += 1
    if is_border(text, offset, floor):
        return min(offset, len(text))
    return _walk(text, offset, floor)[1]
