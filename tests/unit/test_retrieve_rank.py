import numpy as np
import pytest

from seamline.errors import InvalidConfig, UnknownName
from seamline.retrieve import RETRIEVERS, parse_retriever
from seamline.retrieve.base import ScoredIndex
from seamline.retrieve.dense import Dense, top_similarity
from seamline.retrieve.hybrid import Hybrid, reciprocal_ranks, standardise
from seamline.retrieve.lexical import Bm25

EYE = np.eye(3, dtype=np.float32)
ONE_DOCUMENT = np.zeros(3, np.int32)


def mix(*weights):
    rows = np.array(weights, np.float32)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("dense", "dense"),
        ("dense()", "dense"),
        ("bm25", "bm25"),
        ("bm25(k1=1.2, b=0.75, language=auto)", "bm25"),
        ("bm25(b=1)", "bm25(b=1.0)"),
        ("bm25(language=none)", "bm25(language=none)"),
        ("bm25(language=german, k1=0)", "bm25(k1=0.0, language=german)"),
        ("hybrid", "hybrid(alpha=0.5)"),
        ("hybrid(fusion=rrf)", "hybrid(alpha=0.5, fusion=rrf)"),
        ("hybrid(alpha=1, k1=2)", "hybrid(alpha=1.0, k1=2.0)"),
    ],
)
def test_a_retriever_is_a_string_that_parses_back(given, canonical):
    retriever = parse_retriever(given)
    assert str(retriever) == canonical
    assert parse_retriever(canonical) == retriever


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("bm52", UnknownName, "no retriever named 'bm52'; did you mean 'bm25'?"),
        ("bm25(k=1)", UnknownName, "retriever 'bm25' has no parameter 'k'"),
        ("bm25(k1=-1)", InvalidConfig, "k1 must be a number of at least 0, got -1"),
        ("bm25(k1=inf)", InvalidConfig, "k1 must be a number of at least 0, got inf"),
        ("bm25(k1=nan)", InvalidConfig, "k1 must be a number of at least 0, got nan"),
        ("bm25(b=1.5)", InvalidConfig, "b must be a number from 0 to 1, got 1.5"),
        ("bm25(b=true)", InvalidConfig, "b must be a number from 0 to 1, got True"),
        ("bm25(language=klingon)", UnknownName, "no language named 'klingon'"),
        ("hybrid(alpha=2)", InvalidConfig, "alpha must be a number from 0 to 1, got 2"),
        ("hybrid(alpha=most)", InvalidConfig, "alpha must be a number from 0 to 1, got 'most'"),
        ("hybrid(fusion=zscores)", UnknownName, "no fusion named 'zscores'; did you mean 'zscore'"),
        ("hybrid(language=1)", UnknownName, "no language named 1"),
        ("dense(k1=1)", UnknownName, "retriever 'dense' has no parameter 'k1'"),
    ],
)
def test_a_bad_spec_is_refused_in_a_sentence(spec, error, message):
    with pytest.raises(error) as caught:
        parse_retriever(spec)
    assert message in str(caught.value)


def test_every_registered_retriever_says_whether_it_needs_vectors():
    needs = {name: RETRIEVERS.get(name).needs_vectors for name in RETRIEVERS.names()}
    assert needs == {"dense": True, "bm25": False, "hybrid": True}


def test_dense_scores_are_cosines():
    index = Dense().index(["a", "b", "c"], EYE, ONE_DOCUMENT)
    ranks = index.rank(["q"], mix([0, 3, 4]), depth=3)
    assert ranks.ids.tolist() == [[2, 1, 0]]
    assert ranks.scores[0] == pytest.approx([0.8, 0.6, 0.0], abs=1e-7)


def test_dense_similarity_does_not_depend_on_how_questions_are_grouped():
    rng = np.random.default_rng(7)
    chunks = mix(*rng.standard_normal((3001, 384)))
    queries = mix(*rng.standard_normal((65, 384)))
    index = Dense().index([""] * 3001, chunks, np.zeros(3001, np.int32))
    together = index.rank([""] * 65, queries, depth=3001)
    for size in (1, 7, 64):
        part = index.rank([""] * size, queries[:size], depth=3001)
        assert np.array_equal(part.ids, together.ids[:size])
        assert np.array_equal(part.scores, together.scores[:size])
    exact = queries.astype(np.float64) @ chunks.astype(np.float64).T
    order = np.take_along_axis(exact, together.ids.astype(np.int64), axis=1)
    assert np.abs(order - together.scores).max() < 1e-7


def test_top_similarity_is_the_score_of_dense_and_nan_without_a_hit():
    rng = np.random.default_rng(3)
    chunks, queries = (mix(*rng.standard_normal((n, 96))) for n in (50, 4))
    ranks = (
        Dense().index([""] * 50, chunks, np.zeros(50, np.int32)).rank([""] * 4, queries, depth=1)
    )
    top = top_similarity(np.append(ranks.ids[:3, 0], -1), chunks, queries)
    assert np.array_equal(top[:3], ranks.scores[:3, 0])
    assert np.isnan(top[3])


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (None, "this retriever needs the vectors of the chunks: embed them first"),
        (EYE[:2], "the chunks need one vector each, got an array of shape (2, 3) for 3"),
        (EYE * 2, "must have length 1 (or be all zero), got length 2 in row 0: normalise them"),
        (EYE * np.array([[1], [1], [np.nan]]), "got length nan in row 2"),
    ],
)
def test_vectors_that_are_no_unit_vectors_are_refused(vectors, message):
    with pytest.raises(InvalidConfig) as caught:
        Dense().index(["a", "b", "c"], vectors, ONE_DOCUMENT)
    assert message in str(caught.value)


def test_question_vectors_are_checked_too():
    index = Dense().index(["a", "b", "c"], EYE, ONE_DOCUMENT)
    with pytest.raises(InvalidConfig, match="needs the vectors of the questions"):
        index.rank(["q"], depth=1)
    with pytest.raises(InvalidConfig, match="embedded alike, got vectors of 2 and of 3 dimensions"):
        index.rank(["q"], np.eye(2, dtype=np.float32)[:1], depth=1)
    with pytest.raises(InvalidConfig, match="query_vectors needs a row a question, got 2 for 1"):
        index.rank(["q"], EYE[:2], depth=1)
    with pytest.raises(InvalidConfig, match="scope needs a row a question, got 2 for 1"):
        index.rank(["q"], EYE[:1], depth=1, scope=np.zeros(2, np.int32))
    with pytest.raises(InvalidConfig, match="depth must be at least 1, got 0"):
        index.rank(["q"], EYE[:1], depth=0)


def test_a_zero_vector_is_similar_to_nothing():
    vectors = np.concatenate((np.zeros((1, 3), np.float32), -EYE[:2]))
    ranks = Dense().index(["", "a", "b"], vectors, ONE_DOCUMENT).rank(["q"], EYE[:1], depth=3)
    assert ranks.ids.tolist() == [[0, 2, 1]]
    assert ranks.scores.tolist() == [[0.0, 0.0, -1.0]]


def test_chunks_out_of_document_order_are_refused():
    with pytest.raises(InvalidConfig, match="sort the chunks by document first"):
        Bm25().index(["a", "b"], None, np.array([1, 0], np.int32))


def test_bm25_ranks_only_chunks_that_share_a_word():
    index = Bm25().index(["red cats", "a dog", "cat, cat!"], None, ONE_DOCUMENT)
    ranks = index.rank(["Which CAT?", "a bird", ""], depth=3)
    assert ranks.ids.tolist() == [[2, 0, -1], [-1, -1, -1], [-1, -1, -1]]
    assert ranks.scores[0, 0] > ranks.scores[0, 1] > 0 == ranks.scores[0, 2]


def test_bm25_of_one_term_is_the_formula():
    texts = ["cat", "cat cat dog", "dog"]
    ranks = Bm25(language=None).index(texts, None, ONE_DOCUMENT).rank(["cat"], depth=3)
    idf = np.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    once = idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 1 / (5 / 3)))
    twice = idf * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / (5 / 3)))
    assert ranks.ids.tolist() == [[0, 1, -1]]
    assert ranks.scores[0] == pytest.approx([once, twice, 0], rel=1e-6)


def test_a_word_asked_twice_counts_twice():
    index = Bm25(language=None).index(["cat", "dog"], None, np.zeros(2, np.int32))
    once, twice = index.rank(["cat", "cat cat"], depth=1).scores[:, 0]
    assert twice == pytest.approx(2 * once)


def test_document_frequencies_are_those_of_the_corpus_in_every_scope():
    texts = ["cat", "cat", "dog"]
    index = Bm25(language=None).index(texts, None, np.array([0, 1, 1], np.int32))
    scoped = index.rank(["cat"], depth=2, scope=np.array([1], np.int32))
    assert scoped.ids.tolist() == [[1, -1]]
    assert scoped.scores[0, 0] == index.rank(["cat"], depth=2).scores[0, 1]


def test_hybrid_sums_z_scores_over_the_searched_scope():
    vectors = mix([1, 0, 0], [1, 1, 0], [0, 1, 0])
    texts = ["dog", "bird", "cat"]
    ranks = (
        Hybrid(alpha=0.25, language=None)
        .index(texts, vectors, ONE_DOCUMENT)
        .rank(["cat"], EYE[:1], depth=3)
    )
    dense, words = np.array([1, 0.5**0.5, 0]), np.array([0, 0, 1])
    z = [(arm - arm.mean()) / arm.std() for arm in (dense, words)]
    expected = 0.25 * z[0] + 0.75 * z[1]
    assert ranks.ids[0].tolist() == np.argsort(-expected).tolist()
    assert ranks.scores[0] == pytest.approx(np.sort(expected)[::-1], abs=1e-6)


def test_hybrid_without_a_known_word_ranks_as_dense_does():
    rng = np.random.default_rng(5)
    vectors, queries = (mix(*rng.standard_normal((n, 16))) for n in (40, 3))
    texts, doc = ["cat"] * 40, np.zeros(40, np.int32)
    arms = [r.index(texts, vectors, doc) for r in (Hybrid(), Dense(), Hybrid(fusion="rrf"))]
    hybrid, dense, rrf = (arm.rank(["bird"] * 3, queries, depth=40).ids for arm in arms)
    assert np.array_equal(hybrid, dense)
    assert np.array_equal(rrf, dense)


def test_rrf_gives_nothing_to_a_chunk_without_a_shared_word():
    vectors = mix([1, 0, 0], [1, 1, 0], [0, 1, 0])
    index = Hybrid(fusion="rrf", language=None).index(["dog", "cat", "cat"], vectors, ONE_DOCUMENT)
    ranks = index.rank(["cat"], EYE[:1], depth=3)
    assert ranks.ids.tolist() == [[1, 2, 0]]
    expected = [(1 / 62 + 1 / 61) / 2, (1 / 63 + 1 / 62) / 2, 1 / 61 / 2]
    assert ranks.scores[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("scores", [[], [3], [2, 2, 2], [1e-38, 1e-38]])
def test_constant_scores_have_z_zero(scores):
    assert standardise(np.array(scores, np.float32)).tolist() == [0.0] * len(scores)


def test_reciprocal_ranks_of_chunks_that_stand_for_others():
    scores, weight = np.float32([5, 9, 1, 3]), np.array([1.0, 3, 1, 5])
    ranks = 1 / reciprocal_ranks(scores, weight) - 60
    assert ranks.tolist() == pytest.approx([4, 2, 10, 7])


def test_reciprocal_ranks_of_nothing():
    assert reciprocal_ranks(np.array([], np.float32)).tolist() == []


def test_blocks_of_scores_stay_bounded():
    sizes = []

    def prepare(questions, query_vectors):
        def scores(rows, first, last):
            sizes.append(len(rows) * (last - first))
            return np.zeros((len(rows), last - first), np.float32)

        return scores

    ScoredIndex(np.zeros(100_000, np.int32), prepare).rank([""] * 500, depth=2)
    assert sum(sizes) == 500 * 100_000
    assert max(sizes) <= 1 << 23
