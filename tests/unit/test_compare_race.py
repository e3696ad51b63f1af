"""Who can be dropped early: the sign-flip test against all opponents at once."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.compare.race import p_if_close
from seamline.errors import InvalidConfig


def by_enumeration(values, clusters, margin):
    """The same p, pattern by pattern and sum by sum."""
    documents = sorted(set(clusters))
    out = {}
    for name, own in values.items():
        sums = []
        for other in values:
            pairs = [
                (documents.index(c), b - a)
                for c, a, b in zip(clusters, own, values[other], strict=True)
                if not (np.isnan(a) or np.isnan(b))
            ]
            if all(abs(sum(d for i, d in pairs if i == k)) < 1e-9 for k in range(len(documents))):
                continue
            total = [sum(d - margin for i, d in pairs if i == k) for k in range(len(documents))]
            scale = sum(t * t for t in total) ** 0.5
            if scale > 1e-9:
                sums.append([t / scale for t in total])
        if not sums:
            out[name] = 1.0
            continue
        seen = max(sum(one) for one in sums)
        patterns = list(product((1, -1), repeat=len(documents)))
        far = sum(
            max(sum(s * t for s, t in zip(signs, one, strict=True)) for one in sums) >= seen - 1e-9
            for signs in patterns
        )
        out[name] = far / len(patterns)
    return out


QUESTIONS = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.lists(st.sampled_from("abcd"), min_size=n, max_size=n),
        st.lists(
            st.lists(st.sampled_from([0.0, 0.5, 1.0, float("nan")]), min_size=n, max_size=n),
            min_size=1,
            max_size=4,
        ),
    )
)


@given(QUESTIONS, st.sampled_from([0.0, 0.02, 0.5]))
def test_it_is_the_share_of_sign_patterns_counted_one_by_one(drawn, margin):
    clusters, columns = drawn
    values = {f"{i}": column for i, column in enumerate(columns)}
    found = p_if_close(values, clusters, margin=margin)
    assert found == pytest.approx(by_enumeration(values, clusters, margin))


@given(QUESTIONS)
def test_lower_is_better_turns_everything_round(drawn):
    clusters, columns = drawn
    values = {f"{i}": np.array(column) for i, column in enumerate(columns)}
    turned = {name: -column for name, column in values.items()}
    assert p_if_close(values, clusters) == p_if_close(turned, clusters, lower_is_better=True)


def test_one_alone_and_twins_cannot_be_dropped():
    assert p_if_close({"a": [1.0, 0.0]}, ["x", "y"]) == {"a": 1.0}
    assert p_if_close({"a": [1.0, 0.0], "b": [1.0, 0.0]}, ["x", "y"]) == {"a": 1.0, "b": 1.0}
    assert p_if_close({"a": [], "b": []}, []) == {"a": 1.0, "b": 1.0}


def test_who_is_worse_by_less_than_the_margin_everywhere_cannot_be_dropped():
    clusters = [f"{i}" for i in range(12)]
    values = {"good": np.full(12, 0.9), "close": np.full(12, 0.89), "bad": np.full(12, 0.8)}
    found = p_if_close(values, clusters, margin=0.02)
    assert found == {"good": 1.0, "close": 1.0, "bad": 2**-12}
    assert p_if_close(values, clusters)["close"] == 2**-11  # all signs turned, it beats "bad"


def test_with_few_documents_nothing_falls_under_the_level():
    clusters = [f"{i % 4}" for i in range(400)]
    values = {"good": np.ones(400), "bad": np.zeros(400)}
    assert p_if_close(values, clusters) == {"good": 1.0, "bad": 1 / 16}


def test_with_many_documents_patterns_are_drawn_and_the_seed_decides():
    rng = np.random.default_rng(1)
    clusters = [f"{i:03}" for i in range(40)]
    values = {name: rng.random(40) + shift for name, shift in (("a", 0), ("b", 0), ("c", -1))}
    first, again = (p_if_close(values, clusters, seed=3) for _ in range(2))
    other = p_if_close(values, clusters, seed=4)
    assert first == again
    assert first != other
    assert first["c"] == pytest.approx(1 / 10_001)
    assert max(first["a"], first["b"]) > 0.3


def test_a_value_a_question_is_needed():
    with pytest.raises(InvalidConfig, match="one value a question"):
        p_if_close({"a": [1.0, 2.0]}, ["x"])
    with pytest.raises(InvalidConfig, match="at least one"):
        p_if_close({}, [])
