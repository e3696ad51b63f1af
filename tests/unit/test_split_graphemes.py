"""Cuts beside clusters: none is taken apart, whatever a level or a limit says."""

from __future__ import annotations

import pytest

from seamline.sizers.rulers import CharacterRuler
from seamline.split.graphemes import at_least, at_most, is_border, next_border
from seamline.split.levels import Offsets
from seamline.split.pack import content_start, pack


@pytest.mark.parametrize(
    "clusters",
    [
        ["a", "e\u0301", "b"],
        ["\u0915", "\u0915\u094d\u0937", "\u0915"],
        ["e\u0301", "\u0915\u0301", "\u0915"],
        ["\u1112\u1161\u11ab", "\u1112\u1161", "\uac00"],
        ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7", "\U0001f1ee"],
        ["\U0001f468\u200d\U0001f469", "\U0001f44d\U0001f3fd", "\U0001f44d"],
        ["\U00020000", "\U00020001", "\u4e00", "x"],
        ["\u0600a", "\n", "\n"],
        ["a" + "\u0301" * 300, "b"],
    ],
)
def test_borders_lie_between_clusters(clusters):
    text = "".join(clusters)
    borders = [sum(map(len, clusters[:n])) for n in range(len(clusters) + 1)]
    for at in range(len(text) + 1):
        assert is_border(text, at) == (at in borders)
        assert at_most(text, at) == max(border for border in borders if border <= at)
        assert at_least(text, at) == min(border for border in borders if border >= at)
        after = [border for border in borders if border > at]
        assert next_border(text, at) == min(after, default=len(text))


@pytest.mark.parametrize(
    ("text", "cut", "size", "chunks"),
    [
        ("ae\u0301b", 2, 3, ["a", "e\u0301b"]),
        ("e\u0301b", 1, 2, ["e\u0301", "b"]),
        ("e\u0301\u0302b", 1, 2, ["e\u0301\u0302", "b"]),
        ("ab cd", 3, 3, ["ab", "cd"]),
    ],
)
def test_a_seam_inside_a_cluster_cuts_before_it_or_else_behind(text, cut, size, chunks):
    starts, ends = pack(text, [Offsets([cut])], CharacterRuler(text), size)
    assert [text[low:high] for low, high in zip(starts, ends, strict=True)] == chunks


def test_a_blank_that_carries_a_mark_is_content():
    text = "a  \u0301b"
    assert content_start(text, 1, 3, 10) == 2
    assert pack(text, [Offsets([1])], CharacterRuler(text), 3) == ([0, 2], [1, 5])
