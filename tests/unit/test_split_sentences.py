"""Sentence ends by example: marks, quotes and abbreviations before other words."""

from __future__ import annotations

import pytest

from seamline.split.sentences import last_sentence_end, next_sentence_end, sentence_ends


@pytest.mark.parametrize(
    "text",
    [
        'It went to Acme Inc.| "The price was low."|',
        "Acme Inc. (a maker) sold it.|",
        'Acme Inc. "or so" sold it.|',
        'Acme Inc. "',
        "She asked why?| so they went",
        "She asked why?! so they went",
        "She asked why?!| So they went",
        "And then... nothing",
        "And then...| Nothing",
        "See no. 5 of it.| No.| Yes",
        "Ask Dr. Ng.| He knows approx. 3.5 of them.|",
        "First|\n\nSecond",
    ],
)
def test_sentences_end_at_the_bars(text):
    parts = text.split("|")
    plain = "".join(parts)
    ends = [sum(map(len, parts[:n])) for n in range(1, len(parts))]
    assert sentence_ends(plain).tolist() == ends
    for low in [0, *ends]:
        for high in range(low, len(plain) + 1):
            inside = [end for end in ends if low < end <= high]
            assert next_sentence_end(plain, low, high) == min(inside, default=-1)
            assert last_sentence_end(plain, low, high) == max(inside, default=-1)
