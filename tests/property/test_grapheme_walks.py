"""Grapheme borders asked for one at a time are those of the whole text."""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from seamline.split.graphemes import at_least, at_most, is_border, next_border
from seamline.testing.texts import odd_texts
from seamline.types import Document

_FLAG, _OTHER = "\U0001f1e9", "\U0001f1ea"
_PARTS = st.sampled_from(
    [
        *(
            _FLAG,
            _OTHER,
            _FLAG * 3,
            (_FLAG + _OTHER) * 40,
            "\u0600",
            "\u0301",
            "\u200d",
            "a",
            " ",
            "\n",
        ),
        *(
            "\U0001f468\u200d",
            "\U0001f469",
            "\u1112",
            "\u1161",
            "\uac00",
            "\u0915\u094d",
            "\u0937",
            "\u0903",
        ),
    ]
)
TEXTS = st.one_of(odd_texts(20), st.lists(_PARTS, max_size=25).map("".join))


@given(TEXTS, st.data())
def test_every_border_is_one_of_the_whole_text(text, data):
    text = Document.from_text(text).text
    borders = [0, *(found.end() for found in regex.finditer(r"\X", text))]
    floor = data.draw(st.sampled_from(borders))
    at = data.draw(st.integers(floor, len(text)))
    assert is_border(text, at, floor) == (at in borders)
    assert at_most(text, at, floor) == max(b for b in borders if b <= at)
    assert at_least(text, at, floor) == min(b for b in borders if b >= at)
    assert next_border(text, at, floor) == min((b for b in borders if b > at), default=len(text))
