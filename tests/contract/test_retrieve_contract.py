"""What every registered retriever must do, whatever it ranks by."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

from seamline.retrieve import RETRIEVERS, parse_retriever
from seamline.retrieve.places import Places

SPECS = [
    *RETRIEVERS.names(),
    "hybrid(fusion=rrf)",
    "bm25(language=none)",
    "hybrid(alpha=0)",
    "bm25(positional=9)",
    "hybrid(positional=9, kernel=20)",
    "hybrid(fusion=rrf, kernel=20)",
]
WORDS = ["cat", "cats", "dog", "北京市", "getUserName", "👍🏽", "éclair", "42", "the", "हिन्दी"]
QUESTIONS = [
    "Which cat?",
    "北京 在哪里",
    "user name 42",
    "👍🏽",
    "",
    "unknown words only",
    "the dog",
]
N, DIMENSIONS = 60, 24


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def corpus():
    """Texts, vectors and documents of 60 chunks; every third chunk repeats an earlier one."""
    rng = np.random.default_rng(11)
    texts = [" ".join(rng.choice(WORDS, rng.integers(0, 6))) for _ in range(N)]
    vectors = unit(rng.standard_normal((N, DIMENSIONS)))
    for i in range(3, N, 3):
        texts[i], vectors[i] = texts[i - 3], vectors[i - 3]
    return texts, vectors, np.sort(rng.integers(0, 5, N)).astype(np.int32)


TEXTS, VECTORS, DOC = corpus()
ASKED = unit(np.random.default_rng(12).standard_normal((len(QUESTIONS), DIMENSIONS)))


def indexed(retriever, texts, vectors, doc):
    """The index; where places are needed, chunks of ten tokens, four a section."""
    if not getattr(retriever, "needs_places", False):
        return retriever.index(texts, vectors, doc)
    nth = np.arange(len(texts)) - np.searchsorted(doc, doc)
    section = doc.astype(np.int64) * len(texts) + nth // 4
    places = Places(section, nth * 7.5, np.full(len(texts), 10))
    return retriever.index(texts, vectors, doc, places=places)


@pytest.fixture(params=SPECS)
def spec(request):
    return request.param


@pytest.fixture
def retriever(spec):
    return parse_retriever(spec)


@pytest.fixture
def index(retriever):
    return indexed(retriever, TEXTS, VECTORS if retriever.needs_vectors else None, DOC)


def same(a, b):
    return np.array_equal(a.ids, b.ids) and np.array_equal(a.scores, b.scores)


def test_its_string_parses_back(retriever):
    assert parse_retriever(str(retriever)) == retriever
    assert pickle.loads(pickle.dumps(retriever)) == retriever


def test_a_ranking_is_filled_up_sorted_and_without_repeats(index):
    ranks = index.rank(QUESTIONS, ASKED, depth=N)
    assert ranks.ids.dtype == np.int32
    assert ranks.scores.dtype == np.float32
    assert ranks.ids.shape == ranks.scores.shape == (len(QUESTIONS), N)
    assert np.all(np.isfinite(ranks.scores))
    for ids, scores in zip(ranks.ids, ranks.scores, strict=True):
        n = np.count_nonzero(ids >= 0)
        assert np.all(ids[n:] == -1)
        assert np.all(scores[n:] == 0)
        assert len(set(ids[:n].tolist())) == n
        assert np.all(np.diff(scores[:n]) <= 0)


def test_ties_are_in_document_order(spec, index):
    ranks = index.rank(QUESTIONS, ASKED, depth=N)
    n_ties = 0
    for ids, scores in zip(ranks.ids, ranks.scores, strict=True):
        tied = (np.diff(scores) == 0) & (ids[1:] >= 0)
        n_ties += np.count_nonzero(tied)
        assert np.all(np.diff(ids)[tied] > 0)
    assert n_ties > 0 or "rrf" in spec or "positional" in spec  # ranks and places differ


def test_one_question_at_a_time_gives_the_same(index):
    together = index.rank(QUESTIONS, ASKED, depth=N)
    for i, question in enumerate(QUESTIONS):
        alone = index.rank([question], ASKED[i : i + 1], depth=N)
        assert np.array_equal(alone.ids[0], together.ids[i])
        assert np.array_equal(alone.scores[0], together.scores[i])


def test_the_order_of_questions_changes_nothing(index):
    order = np.array([3, 0, 6, 2, 5, 1, 4])
    scope = np.array([0, 3, 1, 4, 4, 2, 0], np.int32)
    for scoped in (None, scope):
        plain = index.rank(QUESTIONS, ASKED, depth=7, scope=scoped)
        mixed = index.rank(
            [QUESTIONS[i] for i in order],
            ASKED[order],
            depth=7,
            scope=None if scoped is None else scoped[order],
        )
        assert np.array_equal(mixed.ids, plain.ids[order])
        assert np.array_equal(mixed.scores, plain.scores[order])


def test_a_smaller_depth_is_the_head_of_a_larger_one(index):
    deep = index.rank(QUESTIONS, ASKED, depth=N)
    for depth in (1, 5, 59):
        head = index.rank(QUESTIONS, ASKED, depth=depth)
        assert np.array_equal(head.ids, deep.ids[:, :depth])
        assert np.array_equal(head.scores, deep.scores[:, :depth])


def test_a_depth_beyond_the_corpus_is_filled_with_minus_one(index):
    exact, beyond = (index.rank(QUESTIONS, ASKED, depth=depth) for depth in (N, N + 9))
    assert np.array_equal(beyond.ids[:, :N], exact.ids)
    assert np.all(beyond.ids[:, N:] == -1)


def test_a_scope_of_one_document_finds_its_chunks_only(index):
    for document in range(5):
        scope = np.full(len(QUESTIONS), document, np.int32)
        ids = index.rank(QUESTIONS, ASKED, depth=N, scope=scope).ids
        assert np.all(DOC[ids[ids >= 0]] == document)
        assert np.any(ids >= 0)


def test_a_scope_of_a_corpus_of_one_document_is_the_corpus(retriever):
    index = indexed(retriever, TEXTS, VECTORS, np.zeros(N, np.int32))
    scope = np.zeros(len(QUESTIONS), np.int32)
    assert same(
        index.rank(QUESTIONS, ASKED, depth=9, scope=scope), index.rank(QUESTIONS, ASKED, depth=9)
    )


def test_a_document_without_chunks_has_no_hits(index):
    scope = np.full(len(QUESTIONS), 77, np.int32)
    assert np.all(index.rank(QUESTIONS, ASKED, depth=3, scope=scope).ids == -1)


def test_an_empty_corpus_has_no_hits(retriever):
    empty = indexed(retriever, [], np.empty((0, DIMENSIONS), np.float32), np.empty(0, np.int32))
    ranks = empty.rank(QUESTIONS, ASKED, depth=3)
    assert ranks.ids.shape == (len(QUESTIONS), 3)
    assert np.all(ranks.ids == -1)


def test_no_question_gives_no_row(index):
    ranks = index.rank([], np.empty((0, DIMENSIONS), np.float32), depth=3)
    assert ranks.ids.shape == ranks.scores.shape == (0, 3)
    assert len(ranks) == 0


@pytest.mark.parametrize(
    "text", ["", "\n", "👍🏽👩‍👩‍👧", "北京市" * 50, "a" * 100_000, "\u0301", "\x00"]
)
def test_one_odd_text_is_ranked_without_harm(retriever, text):
    vector = unit(np.ones((1, 4)))
    index = indexed(retriever, [text], vector, np.zeros(1, np.int32))
    ranks = index.rank([text, "cat"], np.repeat(vector, 2, axis=0), depth=2)
    assert set(ranks.ids[:, 0].tolist()) <= {0, -1}
    assert np.all(np.isfinite(ranks.scores))


def test_the_inputs_are_left_alone(retriever):
    texts, vectors, doc = list(TEXTS), VECTORS.copy(), DOC.copy()
    for array in (vectors, doc):
        array.flags.writeable = False
    asked = ASKED.copy()
    asked.flags.writeable = False
    indexed(retriever, texts, vectors, doc).rank(QUESTIONS, asked, depth=3)
    assert texts == TEXTS


SCRIPT = """
import sys; sys.path.insert(0, {folder!r})
import test_retrieve_contract as t
from seamline.retrieve import parse_retriever
for spec in t.SPECS:
    index = t.indexed(parse_retriever(spec), t.TEXTS, t.VECTORS, t.DOC)
    ranks = index.rank(t.QUESTIONS, t.ASKED, depth=9)
    print(ranks.ids.tobytes().hex(), ranks.scores.tobytes().hex())
"""


def test_another_process_with_another_hash_seed_gives_the_same_bytes():
    folder = __file__.rpartition("/")[0]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT.format(folder=folder)],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) == len(SPECS)
