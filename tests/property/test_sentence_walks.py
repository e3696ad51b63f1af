"""Sentence ends asked for forwards and backwards, in any window, are the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seamline.split.sentences import last_sentence_end, next_sentence_end, sentence_ends
from seamline.testing.texts import odd_texts
from seamline.types import Document

_PARTS = st.sampled_from(
    [
        *(
            ".",
            "...",
            "!",
            "?!",
            "\u2026",
            "\u3002",
            "\uff1f\uff01",
            "\u3002\u300d",
            '."',
            ".)",
            "\n",
            "\n\n",
        ),
        *(
            " ",
            "word",
            "Dr. ",
            "e.g. ",
            "U.S. ",
            "A. ",
            "J.R. ",
            "etc. ",
            "The ",
            "1. ",
            "No. 5",
            "- ",
            "# ",
            " \n ",
        ),
        *("u.\u212a. ", "\u4e00", "3) ", "approx. ", "\t", '"', "(", "'", "*", "x" * 30),
    ]
)
TEXTS = st.one_of(odd_texts(30), st.lists(_PARTS, max_size=40).map("".join))


def ends_in(text, low, high):
    ends = []
    while (low := next_sentence_end(text, low, high)) >= 0:
        ends.append(low)
    return ends


@given(TEXTS)
def test_backwards_finds_what_forwards_finds(text):
    text = Document.from_text(text).text
    back, high = [], len(text)
    while (high := last_sentence_end(text, 0, high)) >= 0:
        back.append(high)
        high -= 1
    assert back[::-1] == ends_in(text, 0, len(text)) == sentence_ends(text).tolist()


@given(TEXTS, st.data())
def test_the_last_end_of_a_window_is_the_last_that_forwards_finds(text, data):
    text = Document.from_text(text).text
    low = data.draw(st.integers(0, len(text)))
    high = data.draw(st.integers(low, len(text) + 1))
    assert last_sentence_end(text, low, high) == max(ends_in(text, low, high), default=-1)
