import numpy as np
import pytest

from seamline.spans import contains, intersect, length, subtract, union


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], []),
        ([(3, 3)], []),
        ([(2, 5)], [[2, 5]]),
        ([(4, 6), (0, 4)], [[0, 6]]),
        ([(0, 10), (2, 3), (9, 12)], [[0, 12]]),
        ([(0, 1), (2, 3)], [[0, 1], [2, 3]]),
        ([(5, 5), (0, 2)], [[0, 2]]),
    ],
)
def test_union_sorts_merges_and_drops_empty_spans(spans, expected):
    assert union(spans).tolist() == expected


def test_all_operations_give_int64_pairs():
    for found in (union([]), intersect([], [(1, 2)]), subtract([], []), subtract([(1, 2)], [])):
        assert found.dtype == np.int64
        assert found.ndim == 2
        assert found.shape[1] == 2


def test_spans_may_be_a_generator_or_an_array_of_any_int():
    assert union((i, i + 1) for i in range(3)).tolist() == [[0, 3]]
    assert union(np.array([[0, 2], [1, 4]], dtype=np.int32)).tolist() == [[0, 4]]


def test_length_counts_each_character_once():
    assert length([(0, 3), (2, 5), (9, 9)]) == 5
    assert length([]) == 0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([(0, 5)], [(5, 9)], []),
        ([(0, 5)], [], []),
        ([(0, 9)], [(1, 2), (4, 6)], [[1, 2], [4, 6]]),
        ([(0, 3), (5, 9)], [(2, 6)], [[2, 3], [5, 6]]),
    ],
)
def test_intersect(a, b, expected):
    assert intersect(a, b).tolist() == expected
    assert intersect(b, a).tolist() == expected


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([(0, 9)], [(2, 4)], [[0, 2], [4, 9]]),
        ([(0, 9)], [], [[0, 9]]),
        ([], [(0, 9)], []),
        ([(2, 4)], [(0, 9)], []),
        ([(0, 4)], [(4, 9)], [[0, 4]]),
    ],
)
def test_subtract(a, b, expected):
    assert subtract(a, b).tolist() == expected


def test_contains_looks_across_touching_spans():
    assert contains([(0, 4), (4, 9)], [(2, 6)])
    assert not contains([(0, 4), (5, 9)], [(2, 6)])
    assert contains([], [])
    assert contains([], [(3, 3)])
