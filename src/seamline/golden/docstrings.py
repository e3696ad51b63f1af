"""What the docstring or comment over a definition says first."""

from __future__ import annotations

import re

from seamline.split.sentences import next_sentence_end

__all__ = ["docstring"]

_PYTHON = re.compile(r":[ \t]*\n\s*[rRuU]?(\"\"\"|''')(.*?)\1\s*\Z", re.DOTALL)
# A line of a comment, but no `#[attribute]`, `#include` or `#!`.
_COMMENT = re.compile(r"[ \t]*(?://[/!]?|#(?![\[!a-z])|--|/\*\*?|\*(?!/))(.*)")
_TAG = re.compile(r"[ \t]*(?:[@\\:]\w+|<\w)")
_LEAST_WORDS, _MOST_WORDS = 4, 40


def docstring(signature: str) -> str:
    r"""The first sentence of a docstring at the end of a signature or a comment at its start.

    On one line; empty where there is none, or one of fewer than 4 or more than 40
    words.

    Example:
        >>> docstring('def drain(tank):\n    \"\"\"Let all the oil out. Slow.\"\"\"')
        'Let all the oil out.'
        >>> docstring("// drain lets all\n// the oil out.\nfunc drain() {")
        'drain lets all the oil out.'
    """
    found = _PYTHON.search(signature)
    said = found[2].split("\n\n")[0].strip() if found else _comment(signature)
    end = next_sentence_end(said, 0, len(said))
    words = (said[:end] if end > 0 else said).split()
    return " ".join(words) if _LEAST_WORDS <= len(words) <= _MOST_WORDS else ""


def _comment(signature: str) -> str:
    """The first paragraph of the comment that a signature begins with, without its marks."""
    lines: list[str] = []
    for line in signature.split("\n"):
        found = _COMMENT.fullmatch(line)
        said = found[1].removesuffix("*/").strip() if found else ""
        if not found or _TAG.match(said) or (lines and not said):
            break
        if said:
            lines.append(said)
    return "\n".join(lines)
