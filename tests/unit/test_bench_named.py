"""Rows of results by name: whole, by strategy, by how they begin."""

import pytest

from seamline.bench.named import row_named
from seamline.errors import UnknownName

ROWS = [
    "whole | hybrid(alpha=0.5)",
    "fixed(size=512, overlap=50) | bm25",
    "recursive(size=256, overlap=0) | dense",
    "recursive(size=256, overlap=0) | dense | merge",
    "recursive(size=128, overlap=0) | dense",
    "My splitter | dense",
]


@pytest.mark.parametrize("spec", ROWS)
def test_a_row_means_itself_though_others_begin_so(spec):
    assert row_named(spec, ROWS) == spec


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("whole", 0),
        ("whole | hybrid", 0),
        ("fixed", 1),
        ("fixed-512-50", 1),
        ("fixed( size = 512,overlap=50 )", 1),
        ("recursive(overlap=0, size=128)", 4),
        ("recursive(size=128", 4),
        ("recursive(size=256, overlap=0) | dense | m", 3),
        ("My splitter", 5),
        ("My", 5),
    ],
)
def test_what_means_one_row_is_enough(text, row):
    assert row_named(text, ROWS) == ROWS[row]


@pytest.mark.parametrize(
    ("text", "n"), [("recursive", 3), ("recursive(size=256, overlap=0)", 2), ("re", 3)]
)
def test_what_means_several_is_refused_and_they_are_named(text, n):
    with pytest.raises(UnknownName, match=f"means {n} rows in the second: give one whole") as told:
        row_named(text, ROWS, where=" in the second")
    assert f"'{ROWS[2]}'" in str(told.value)


@pytest.mark.parametrize("text", ["", "hole", "fixed(size=7)", "whole | dense", "|", "recursive(("])
def test_what_means_none_is_refused(text):
    with pytest.raises(UnknownName, match="no strategy"):
        row_named(text, ROWS)
