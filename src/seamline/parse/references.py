"""Link reference definitions and the labels of footnotes."""

from __future__ import annotations

import re

__all__ = ["count_definitions", "note_label"]

_LABEL = r"(?=[^\]]*?[^\s\]])((?:[^\[\]\\]|\\.){1,999}+)\]:"
_NOTE = re.compile(r"\[\^" + _LABEL + r"[ \t\v\f]*+")
# The first line break may stand before the destination, another one before the title.
_DEFINITION = re.compile(
    r"\[" + _LABEL + r"[ \t\v\f]*+\n?[ \t\v\f]*+(?:<(?:[^<>\n\\]|\\.)*+>|(?!<)([^\x00-\x20\x7f]++))"
    r"(?:[ \t\v\f]*+(?=\n|\Z)|(?=[ \t\v\f]))",
    re.DOTALL,
)
_TITLE = re.compile(
    r"(?:[ \t\v\f]++|[ \t\v\f]*+\n[ \t\v\f]*+)"
    r"(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))[ \t\v\f]*+(?=\n|\Z)",
    re.DOTALL,
)
_PAREN = re.compile(r"\\.|[()]", re.DOTALL)
_BLANK = " \t\n\v\f"
_DEEPEST = 32  # brackets in a destination


def note_label(text: str, at: int, stop: int) -> tuple[str, int]:
    """The label of the footnote defined at `at`, and where its text begins; else 0."""
    found = _NOTE.match(text, at, stop)
    return (found[1], found.end()) if found else ("", 0)


def count_definitions(lines: list[str]) -> tuple[int, list[str]]:
    """How many of a paragraph's first lines define links, and the labels of these."""
    content, at, labels = "\n".join(lines), 0, []
    while found := _DEFINITION.match(content, at):
        if found[2] and not _balanced(found[2]):
            break
        end = found.end()
        title = _TITLE.match(content, end)
        if title:
            end = title.end()
        elif end < len(content) and content[end] != "\n":
            break
        labels.append(found[1])
        at = end + 1
    if not content[at:].strip(_BLANK):
        return len(lines), labels
    return content.count("\n", 0, at), labels


def _balanced(destination: str) -> bool:
    depth = 0
    for found in _PAREN.finditer(destination):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if not 0 <= depth <= _DEEPEST:
            return False
    return depth == 0
