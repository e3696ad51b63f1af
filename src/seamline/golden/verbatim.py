"""Where a document says what a model claims it says, to the character."""

from __future__ import annotations

import re

from seamline.golden.anchor import is_whole
from seamline.golden.nearest import SAME_MARKS
from seamline.types import Span

__all__ = ["find_verbatim"]

# What models put around a quotation.
_WRAPPING = "\"'`“”‘’…"


def find_verbatim(text: str, quote: str, *, within: Span) -> Span | None:
    r"""The first place of `within` that says `quote`, None if there is none.

    White space may be another (a line break for a blank), and so may the kind of
    quotation marks and dashes; everything else must agree to the letter. The span
    is exact, begins and ends with ink and cuts no word.

    Example:
        >>> text = "Oil the\npump – weekly."
        >>> find_verbatim(text, '"the pump - weekly"', within=Span(0, 22))
        Span(start=4, end=21)
        >>> find_verbatim(text, "Oil pumps weekly", within=Span(0, 22)) is None
        True
    """
    part = text[within.start : within.end].translate(SAME_MARKS)
    for tried in dict.fromkeys((quote, quote.strip().strip(_WRAPPING))):
        words = tried.translate(SAME_MARKS).split()
        if not words:
            continue
        pattern = r"\s+".join(map(re.escape, words))
        for found in re.finditer(pattern, part):
            start, end = within.start + found.start(), within.start + found.end()
            if is_whole(text, start, end):
                return Span(start, end)
    return None
