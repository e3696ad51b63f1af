import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seamline.spans import contains, intersect, length, subtract, union

spans = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 12)).map(lambda pair: (pair[0], sum(pair))),
    max_size=12,
)


def as_set(rows):
    return {offset for start, end in rows for offset in range(start, end)}


def is_canonical(rows):
    return all(start < end for start, end in rows) and all(
        left[1] < right[0] for left, right in itertools.pairwise(rows)
    )


@given(spans)
def test_union_is_the_same_set_and_canonical(rows):
    found = union(rows).tolist()
    assert as_set(found) == as_set(rows)
    assert is_canonical(found)
    assert union(found).tolist() == found
    assert union(np.array(rows, dtype=np.int32).reshape(-1, 2)).tolist() == found


@given(spans, spans)
def test_intersect_subtract_and_contains_are_those_of_sets(a, b):
    one, other = as_set(a), as_set(b)
    common, rest = intersect(a, b).tolist(), subtract(a, b).tolist()
    assert as_set(common) == one & other
    assert as_set(rest) == one - other
    assert is_canonical(common)
    assert is_canonical(rest)
    assert contains(a, b) == (one >= other)


@given(spans, spans)
def test_lengths_add_up(a, b):
    assert length(a) == len(as_set(a))
    assert length(a) == length(intersect(a, b)) + length(subtract(a, b))
    assert length([*a, *b]) == length(a) + length(b) - length(intersect(a, b))
