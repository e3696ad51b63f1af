"""Sums over neighbours, spread counts and the kernel against matrices of all pairs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seamline.retrieve.hybrid import Hybrid
from seamline.retrieve.kernel import Kernel
from seamline.retrieve.lexical import Bm25
from seamline.retrieve.places import Neighbours, Places
from seamline.retrieve.positional import spread_counts


@st.composite
def layouts(draw):
    rows = draw(
        st.lists(st.tuples(st.integers(0, 3), st.integers(0, 200), st.integers(0, 60)), max_size=12)
    )
    rows.sort(key=lambda row: row[0])  # sections in order, places in any
    table = np.array(rows, np.int64).reshape(-1, 3)
    return Places(table[:, 0], table[:, 1] / 2, table[:, 2]), draw(st.integers(1, 150))


def weights(places, reach):
    """float64[n, n]: 1 - distance / reach in a section, 1 with itself."""
    distance = np.abs(places.centre[:, None] - places.centre)
    alike = places.section[:, None] == places.section
    return np.where(alike, np.maximum(0, 1 - distance / reach), 0)


@given(layouts(), st.integers(0, 9))
def test_weighted_sums_are_those_of_all_pairs(case, seed):
    places, reach = case
    near = Neighbours(places, reach)
    values = np.random.default_rng(seed).integers(0, 9, (2, len(places))).astype(np.float64)
    found = near.weighted(values[:, near.order])[:, near.rank]
    assert np.allclose(found, values @ weights(places, reach))


@given(layouts(), st.integers(0, 9))
def test_spread_counts_are_those_of_all_pairs(case, seed):
    places, reach = case
    n, rng = len(places), np.random.default_rng(seed)
    counts = rng.integers(0, 4, (5, n)) * (rng.random((5, n)) < 0.3)
    term, text = np.nonzero(counts)
    spread = spread_counts(term, text, counts[term, text], Neighbours(places, reach))
    found = np.zeros((5, n))
    found[spread.term, spread.text] = spread.count
    assert np.allclose(found, counts @ weights(places, reach))
    assert np.all(spread.count > 0)
    assert np.all(np.diff(spread.term) >= 0)


@given(layouts(), st.integers(0, 9))
def test_the_kernel_is_that_of_all_pairs_and_stays_between_the_scores(case, seed):
    places, reach = case
    n = len(places)
    scores = np.random.default_rng(seed).standard_normal((3, n)).astype(np.float32)
    mass = weights(places, reach) * places.tokens
    np.fill_diagonal(mass, 0)
    total = np.maximum(mass.sum(axis=1), reach)
    mean = (scores @ mass.T + (total - mass.sum(axis=1)) * scores) / total
    expected = 0.3 * scores + 0.7 * mean
    found = scores.copy()
    Kernel(places, reach).smooth(found, 0, n)
    assert np.allclose(found, expected, atol=1e-5)
    if n:
        assert np.all(found <= scores.max(axis=1, keepdims=True) + 1e-5)
        assert np.all(found >= scores.min(axis=1, keepdims=True) - 1e-5)


@given(layouts(), st.integers(0, 9))
def test_a_document_alone_scores_as_in_its_corpus(case, seed):
    """Sections end with their documents, so what is searched together changes no kernel."""
    places, reach = case
    n = len(places)
    scores = np.random.default_rng(seed).standard_normal((2, n)).astype(np.float32)
    whole = scores.copy()
    kernel = Kernel(places, reach)
    kernel.smooth(whole, 0, n)
    for section in np.unique(places.section):
        first, last = np.searchsorted(places.section, [section, section + 1])
        part = scores[:, first:last].copy()
        kernel.smooth(part, int(first), int(last))
        assert np.allclose(part, whole[:, first:last], atol=1e-6)


@given(layouts(), st.sampled_from(["bm25", "hybrid"]), st.integers(0, 9))
def test_questions_alone_and_together_score_the_same_bytes(case, kind, seed):
    places, reach = case
    n, rng = len(places), np.random.default_rng(seed)
    texts = [" ".join(rng.choice(["cat", "dog", "red", "blue"], 3)) for _ in range(n)]
    vectors = rng.standard_normal((n + 3, 8))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    made = Bm25(positional=reach) if kind == "bm25" else Hybrid(positional=reach, kernel=reach)
    doc = places.section.astype(np.int32)
    index = made.index(texts, vectors[:n], doc, places)
    asked = ["cat", "red dog", "blue blue"]
    together = index.rank(asked, vectors[n:], depth=5)
    for i, question in enumerate(asked):
        alone = index.rank([question], vectors[n + i :][:1], depth=5)
        assert np.array_equal(alone.ids[0], together.ids[i])
        assert np.array_equal(alone.scores[0], together.scores[i])
