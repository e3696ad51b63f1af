"""The lists that are open: how deep, and the marker before the next item."""

from __future__ import annotations

import string
from collections.abc import Mapping

from seamline.parse.writer import Writer

__all__ = ["Lists", "numeral"]

_DEEPEST = 8  # indentation stops here, so that a thousand nested lists stay readable
_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


def numeral(number: int, style: str = "1") -> str:
    """A number in one of the styles 1, a, A, i, I; in digits where the style has none.

    Example:
        >>> [numeral(4, style) for style in "1aAiI"], numeral(28, "a")
        (['4', 'd', 'D', 'iv', 'IV'], 'ab')
    """
    if style in ("A", "I"):
        return numeral(number, style.lower()).upper()
    if not 0 < number < 4000 or style not in ("a", "i"):
        return str(number)
    text = ""
    if style == "a":
        while number:
            number, letter = divmod(number - 1, 26)
            text = string.ascii_lowercase[letter] + text
        return text
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


class Lists:
    """Numbers the items of nested lists; a marker is written with its item's first text."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int, int]] = []
        self._waiting: list[str] = []

    @property
    def depth(self) -> int:
        """How many lists are open."""
        return len(self._open)

    def open(self, style: str, attributes: Mapping[str, str]) -> None:
        """A list begins; its style is that of its numbers, or nothing for bullets."""
        step = -1 if "reversed" in attributes else 1
        start = _number(attributes.get("start", ""))
        if step < 0 and start is None:
            style = ""  # where it would begin to count is known at its end only
        self._open.append((style, 1 if start is None else start, step))

    def close(self) -> None:
        """The innermost list ends."""
        self._open.pop()

    def start_item(self, attributes: Mapping[str, str]) -> int:
        """An item begins; gives what `end_item` needs."""
        style, number, step = self._open[-1] if self._open else ("", 1, 1)
        given = _number(attributes.get("value", ""))
        number = number if given is None else given
        if self._open:
            self._open[-1] = style, number + step, step
        self._waiting.append(f"{numeral(number, style)}. " if style else "- ")
        return len(self._waiting) - 1

    def end_item(self, n_waiting: int) -> None:
        """An item ends: a marker that is still waiting stood before nothing."""
        del self._waiting[n_waiting:]

    def mark(self, writer: Writer) -> None:
        """Writes the markers that wait for text."""
        if self._waiting:
            writer.separate(1, "  " * min(self.depth - 1, _DEEPEST))
            writer.mark("".join(self._waiting))
            self._waiting.clear()


def _number(text: str) -> int | None:
    text = text.strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
