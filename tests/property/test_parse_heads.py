"""The scan for places where regions may begin leaves out only what no finder would take."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline import scan
from seamline.parse import heads, qa, turns
from seamline.types import Blocks

PIECES = """
Q|Q: |Q2. |Question 1) |Frage |Вопрос: |问：|問題1、|F: |D:|#3: |A: |Ann|Bob: |Ann:|Ann：|Ann**: |**|__|*|_
**Bob:** |**Bob**: |__Bob__ : |[10:01] |[[10:01] |(10:01:22) |10:01 - |2024-01-02 10:01 |1.2.24, 10:01
 [(10:01)]: x|٣:٤٥ |²x: |<eve> |<v Eve>|<|1.|1. |12) |**3. |**4) Why?**|?|？|?** |: x|:x|::|//|-|.|(|)|[|]|{|"|“|=|x |word
""".replace("\n", "|").split("|")
PIECES += ["\n", "\n\n", "\n ", "\n\t", " " * 19, "\x0c", "\xa0", "\u2028", "w" * 70, "é", "👩"]

texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=40).map("".join)


def taken(found, text):
    """What the finders' expressions match of the heads found."""
    return [
        [at for at in places if expression.match(text, at)]
        for places, expression in (
            (found.turns, turns._TURN),
            (found.labels, qa._ASKED),
            (found.numbered, qa._NUMBERED),
        )
    ]


@pytest.mark.skipif(not scan.COMPILED, reason="the engine is not compiled here: no C compiler")
@given(texts, st.integers(0, 40))
def test_no_head_is_lost_by_the_compiled_scan(text, start):
    start = min(start, len(text))
    blocks = Blocks(["paragraph"], [start], [len(text)], [0], [""])
    every = heads.outer_blocks("", Blocks([], [], [], [], []))
    heads._line_heads(text, (start, len(text)), every)
    found = heads.outer_blocks(text, blocks) if start < len(text) else every
    assert set(found.labels) <= set(every.labels)
    assert taken(found, text) == taken(every, text)


@given(texts)
def test_pairs_are_told_as_in_does(text):
    for pair in ("$$", "\\[", "**", "x ", "ww"):
        assert heads.has_pair(text, pair) == (pair in text)


@pytest.mark.parametrize("lead", ["", "é", "漢", "👩"])
@pytest.mark.parametrize("length", range(55, 70))
def test_a_pair_is_found_across_the_blocks_of_the_scan(lead, length):
    text = lead + "x" * length + "$$" + "x" * 70
    assert heads.has_pair(text, "$$")
    assert not heads.has_pair(text, "\\[")


LETTERS = st.sampled_from(
    ["sh", "all", "SHALL ", "sHaL", "l", "it", "I", "T ", "k", "é", "漢", "👩", "@`{["]
)
WORDS = ("shall", "it", "tk")


@given(st.lists(LETTERS, max_size=30).map("".join), st.integers(0, 20), st.integers(0, 80))
def test_words_are_counted_as_count_does(text, low, high):
    part = text[low:high].lower()
    assert heads.count_words(text, WORDS, low, high) == sum(map(part.count, WORDS))
