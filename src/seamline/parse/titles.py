"""Headings' titles without their markup."""

from __future__ import annotations

from seamline.parse.destinations import normalised
from seamline.parse.inlines import inline_text

__all__ = ["marked_titles"]


def marked_titles(raws: list[str], links: list[str], notes: list[str]) -> list[str]:
    """The titles of headings with markup; `links` and `notes` are the labels defined."""
    known = {normalised(label) for label in links} if any("[" in raw for raw in raws) else set()
    cited = {normalised(label) for label in notes}
    return [" ".join(inline_text(raw, known, cited).split()) for raw in raws]
