"""Where inline links lead: destinations, titles, labels."""

from __future__ import annotations

import re

__all__ = ["link_end", "link_label", "normalised"]

_DEEPEST = 32  # brackets in a destination
_BLANK = r"[ \t]*+\n?[ \t]*+"
_OPENING = re.compile(rf"\({_BLANK}")
_POINTED = re.compile(r"<(?:[^<>\n\\]|\\.)*+>")
_BREAKS = re.compile(r"\\[!-/:-@\[-`{-~]|[()\x00-\x20\x7f]")
_TITLE = re.compile(
    r"(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))", re.DOTALL
)
_CLOSING = re.compile(rf"{_BLANK}\)")
_SPACE = re.compile(r"[ \t]++\n?[ \t]*+|\n[ \t]*+")
_LABEL = re.compile(r"\[(?:[^\[\]\\]|\\.){0,999}+\]", re.DOTALL)


def link_end(text: str, at: int) -> int:
    """Where `(destination "title")` ends that begins at `at`, 0 if there is none."""
    opening = _OPENING.match(text, at)
    if opening is None:
        return 0
    at = destination_end(text, opening.end())
    if at < 0:
        return 0
    if (space := _SPACE.match(text, at)) and (title := _TITLE.match(text, space.end())):
        at = title.end()
    closing = _CLOSING.match(text, at)
    return closing.end() if closing else 0


def destination_end(text: str, at: int) -> int:
    """Where the destination ends that begins at `at`, -1 if there is none; it may be empty."""
    if text.startswith("<", at):
        found = _POINTED.match(text, at)
        return found.end() if found else -1
    depth = 0
    for found in _BREAKS.finditer(text, at):
        if found[0] == "(":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif found[0] == ")":
            depth -= 1
            if depth < 0:
                return found.start()
        elif found[0][0] != "\\":
            return found.start() if depth == 0 else -1
    return len(text) if depth == 0 else -1


def link_label(text: str, at: int) -> str:
    """The label in its brackets that begins at `at`, empty if there is none."""
    found = _LABEL.match(text, at)
    return found[0] if found else ""


def normalised(label: str) -> str:
    """A label as labels are compared."""
    return " ".join(label.split()).casefold()
