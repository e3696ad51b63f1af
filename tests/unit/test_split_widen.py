"""Overlap at its edges: sizes that do not add up, clusters and indentations as large as a window."""

from __future__ import annotations

from seamline.sizers.rulers import CharacterRuler, SearchRuler
from seamline.split.widen import widen, windows

ACCENTS = "e" + "\u0301" * 5  # one grapheme cluster of six characters


def sliding(text, size, overlap):
    starts, ends = windows(text, CharacterRuler(text), size, overlap)
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


def test_what_costs_more_joined_than_apart_is_no_overlap():
    text = "onetwo"

    def count(part):  # a tokenizer that makes more of "et" than of its parts
        return len(part) + 9 * ("et" in part)

    cuts = [0, 3], [3, 6]
    assert widen(text, cuts, SearchRuler(text, len), 5, 1) == ([0, 2], [3, 6])
    assert widen(text, cuts, SearchRuler(text, count), 5, 1) == cuts


def test_a_window_that_its_overlap_would_fill_begins_behind_it():
    assert sliding("abcd", 2, 1) == ["ab", "bc", "cd"]
    assert sliding(f"ab{ACCENTS}cd", 2, 1) == ["ab", ACCENTS, "cd"]
    assert sliding(f"ab {ACCENTS}cd", 2, 1) == ["ab", ACCENTS, "cd"]


def test_a_window_that_its_indentation_would_fill_begins_behind_it():
    assert sliding("a\n  bc de", 4, 0) == ["a", "  bc", "de"]
    assert sliding(f"a\n  {ACCENTS} b", 4, 0) == ["a", ACCENTS, "b"]


def test_a_window_that_neither_overlap_nor_blanks_may_fill_keeps_its_indentation():
    assert sliding("ab\n  xy", 4, 3) == ["ab", "  xy"]
