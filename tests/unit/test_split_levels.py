"""Levels: the last cut of a window and the next after an offset, by each kind of separator."""

from __future__ import annotations

import pytest

from seamline.errors import InvalidConfig
from seamline.sizers.rulers import CharacterRuler
from seamline.split.levels import make_level
from seamline.split.pack import pack


@pytest.mark.parametrize(
    ("separator", "text", "cuts"),
    [
        ("\n\n", "one\n\ntwo\n\nthree", [3, 8]),
        (". ", "One. Two. Three.", [4, 9]),
        ("re:;+", "one;; two; three", [5, 10]),
        ("re:\n#+ ", "a\n# b\n## c", [1, 5]),
        ("sentence", "One. Two! Three", [4, 9]),
        ("word", "one two three", [3, 7]),
        ("word", "one\ntwo\tthree", [3, 7]),
        ("word", "\u4e00\u3000\u4e8c\xa0\u4e09", [1, 3]),
        ("word", "\u4e00\uff0c\u4e8c\u3001\u4e09", [2, 4]),
    ],
)
def test_the_last_and_the_next_cut_are_those_of_the_text(separator, text, cuts):
    level = make_level(text, separator)
    for low in range(len(text)):
        for high in range(low + 1, len(text)):
            inside = [cut for cut in cuts if low < cut <= high]
            assert level.last(low, high) == max(inside, default=-1)
            assert level.next(low, high) == min(inside, default=high)


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("a b\nc", 1, 3),
        ("\u4e00 \u4e8c\u3000\u4e09", 1, 3),
        ("\u4e00\u3000\u4e8c\uff0c\u4e09", 1, 4),
    ],
)
def test_words_end_at_the_strongest_of_their_seams_in_a_window(text, first, second):
    level = make_level(text, "word")
    assert level.last(0, 4) == first
    assert level.last(first, 4) == second


def test_a_piece_up_to_an_expression_is_kept_whole_at_the_cost_of_the_overlap():
    text = "one;; two;; three four five;; six"
    levels = [make_level(text, "re:;+"), make_level(text, "word")]
    assert pack(text, levels, CharacterRuler(text), 18, reserve=6)[1] == [11, 29, 33]
    assert pack(text, levels, CharacterRuler(text), 16, reserve=6)[1] == [11, 22, 33]


def test_an_expression_that_is_none_is_refused():
    with pytest.raises(InvalidConfig, match="must be a regular expression, got 're:\\['"):
        make_level("text", "re:[")
