"""Headings' titles without their markup."""

from __future__ import annotations

import re

from seamline.parse.destinations import normalised
from seamline.parse.inlines import inline_text

__all__ = ["marked_titles"]

# No other markup than code, and `_` inside of words.
_SIMPLE = re.compile(r"(?:[^\\`*_~\[<&]++|(?<=[^\W_])_++(?=[^\W_])|`(?! )[^`\n]++(?<! )`(?!`))*+")


def marked_titles(raws: list[str], links: list[str], notes: list[str]) -> list[str]:
    """The titles of headings with markup; `links` and `notes` are the labels defined."""
    known = {normalised(label) for label in links} if any("[" in raw for raw in raws) else set()
    cited = {normalised(label) for label in notes}
    return [
        raw.replace("`", "") if _SIMPLE.fullmatch(raw) else inline_text(raw, known, cited)
        for raw in raws
    ]
