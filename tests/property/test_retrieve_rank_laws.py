import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seamline.retrieve.analyze import Analyzer
from seamline.retrieve.base import ScoredIndex

SCORES = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 0.5000001, 2.0])
TEXTS = st.text(st.sampled_from("aB_ 1é北京ก한👍\ufe0fＡ\n"), max_size=30) | st.text(max_size=20)


@st.composite
def scored(draw):
    doc = sorted(draw(st.lists(st.integers(0, 4), max_size=12)))
    n_questions = draw(st.integers(0, 4))
    row = st.lists(SCORES, min_size=len(doc), max_size=len(doc))
    block = draw(st.lists(row, min_size=n_questions, max_size=n_questions))
    documents = st.lists(st.integers(0, 6), min_size=n_questions, max_size=n_questions)
    scope = draw(st.none() | documents)
    return doc, np.array(block, np.float32).reshape(n_questions, len(doc)), scope


@given(scored(), st.integers(1, 15), st.sampled_from([-np.inf, 0.0]))
def test_a_ranking_is_the_sorted_scores_of_the_scope(case, depth, floor):
    doc, block, scope = case
    index = ScoredIndex(
        np.array(doc, np.int32), lambda q, v: lambda rows, lo, hi: block[rows, lo:hi], floor
    )
    ranks = index.rank(
        [""] * len(block), depth=depth, scope=None if scope is None else np.array(scope, np.int32)
    )
    assert ranks.ids.shape == ranks.scores.shape == (len(block), depth)
    for number, row in enumerate(block):
        allowed = [
            i for i, d in enumerate(doc) if row[i] > floor and (scope is None or d == scope[number])
        ]
        best = sorted(allowed, key=lambda i: (-row[i], i))[:depth]
        padding = depth - len(best)
        assert ranks.ids[number].tolist() == best + [-1] * padding
        assert ranks.scores[number].tolist() == [row[i] for i in best] + [0.0] * padding


@given(st.lists(TEXTS, max_size=5), st.sampled_from([None, "english", "french"]))
def test_encoding_many_texts_is_analyzing_each(texts, language):
    analyzer = Analyzer(language)
    terms = analyzer.encode(texts)
    for number, text in enumerate(texts):
        alone = analyzer.terms(text)
        numbers = [terms.vocabulary.number(term) for term in alone]
        assert sorted(numbers) == sorted(terms.term[terms.text == number].tolist())
        assert len(set(numbers)) == len(set(alone))
        assert all(term and term == term.lower() for term in alone)
