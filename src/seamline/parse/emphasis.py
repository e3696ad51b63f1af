"""Emphasis and strikethrough: which marks belong together."""

from __future__ import annotations

import unicodedata

__all__ = ["Delimiter", "pair_up"]


class Delimiter:
    """A run of `*`, `_` or `~`, the part of the text that it is, and what it may do."""

    def __init__(self, text: str, start: int, end: int, part: int) -> None:
        self.mark = text[start]
        self.part = part
        self.size = self.left = end - start
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        left = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
        right = not before.isspace() and (
            not _is_mark(before) or after.isspace() or _is_mark(after)
        )
        self.opens, self.closes = left, right
        if self.mark == "_" or (self.mark == "~" and self.size == 1):
            self.opens = left and (not right or _is_mark(before))
            self.closes = right and (not left or _is_mark(after))
        if self.mark == "~" and self.size > 1:
            self.opens = self.size == 2 and not after.isspace()
            self.closes = self.size == 2 and right

    def matches(self, closer: Delimiter) -> bool:
        """Whether this run may open what the other one closes."""
        if not self.opens or self.mark != closer.mark:
            return False
        if self.mark == "~":
            return self.size == closer.size
        if self.closes or closer.opens:
            thirds = self.size % 3 == 0 and closer.size % 3 == 0
            return thirds or (self.size + closer.size) % 3 != 0
        return True


def _is_mark(c: str) -> bool:
    return unicodedata.category(c)[0] in "PS"


def pair_up(parts: list[str], delimiters: list[Delimiter], bottom: int) -> None:
    """Empty the marks that belong together, from the delimiter at `bottom` on."""
    waiting: list[Delimiter] = []
    floors: dict[tuple[str, int, bool], int] = {}  # no opener below for such a closer
    for closer in delimiters[bottom:]:
        while closer.closes and closer.left:
            kind = closer.mark, closer.size % 3 if closer.mark != "~" else closer.size, closer.opens
            floor = floors.get(kind, 0)
            at = len(waiting) - 1
            while at >= floor and not waiting[at].matches(closer):
                at -= 1
            if at < floor:
                floors[kind] = len(waiting)
                break
            _pair(parts, waiting[at], closer)
            del waiting[at + 1 :]
            if not waiting[at].left:
                waiting.pop()
            floors = {kind: min(floor, len(waiting)) for kind, floor in floors.items()}
        if closer.opens and closer.left:
            waiting.append(closer)
    del delimiters[bottom:]


def _pair(parts: list[str], opener: Delimiter, closer: Delimiter) -> None:
    used = min(opener.left, closer.left, 2)
    for delimiter in (opener, closer):
        delimiter.left -= used
        parts[delimiter.part] = parts[delimiter.part][used:]
