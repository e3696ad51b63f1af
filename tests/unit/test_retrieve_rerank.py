import numpy as np
import pytest

from seamline.bench import run_bench
from seamline.config import BenchConfig
from seamline.embed.minilm import MiniLM
from seamline.errors import InvalidConfig, UnknownName
from seamline.protocols import SupportsTokenVectors
from seamline.retrieve import parse_retriever
from seamline.retrieve.hybrid import Hybrid
from seamline.retrieve.kernel import Kernel
from seamline.retrieve.places import Places
from seamline.types import Document, Question, Span

MINILM = MiniLM()
TEXTS = [
    f"{noun} {verb} the {thing}."
    for noun in ("The pump", "A belt", "This valve", "The bearing")
    for verb in ("drives", "cools", "stops", "oils")
    for thing in ("motor", "shaft", "fan", "gear box")
]
DOC = np.repeat(np.arange(4, dtype=np.int32), 16)
VECTORS = MINILM.embed_documents(TEXTS)
ASKED = ["What oils the gear box?", "Which part cools a fan?", "valve motor"]
QUERIES = MINILM.embed_queries(ASKED)


def late(question, text):
    """The mean over the question's tokens of the best cosine, by hand."""
    asked, tokens = MINILM.embed_tokens([question, text])
    return np.mean([max(float(a @ t) for t in tokens) for a in asked])


def index_of(retriever, places=None):
    return retriever.index(TEXTS, VECTORS, DOC, places, embedder=MINILM)


def test_minilm_has_vectors_of_tokens_whatever_the_batch():
    assert isinstance(MINILM, SupportsTokenVectors)
    together = MINILM.embed_tokens(TEXTS)
    for text, rows in zip(TEXTS, together, strict=True):
        (alone,) = MINILM.embed_tokens([text])
        assert np.array_equal(alone, rows)
        assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-6)
    assert MINILM.embed_tokens([]) == []


def by_id(ranks, row):
    return ranks.scores[row][np.argsort(ranks.ids[row])].astype(np.float64)


@pytest.mark.parametrize("fusion", ["zscore", "rrf"])
@pytest.mark.parametrize("top", [20, 100])
def test_the_best_have_both_scores(monkeypatch, fusion, top):
    monkeypatch.setattr("seamline.retrieve.rerank._TOP", top)
    plain = index_of(Hybrid(fusion=fusion)).rank(ASKED, QUERIES, depth=64)
    ranks = index_of(Hybrid(fusion=fusion, rerank="maxsim")).rank(ASKED, QUERIES, depth=64)
    for row, question in enumerate(ASKED):
        best, own = plain.ids[row, :top], plain.scores[row, :top].astype(np.float64)
        other = np.array([late(question, TEXTS[i]) for i in best])
        expected = by_id(plain, row)
        expected[best] += 0.3 * own.std() * (other - other.mean()) / other.std()
        assert by_id(ranks, row) == pytest.approx(expected, abs=1e-5)


def test_neighbours_hear_of_the_late_scores():
    places = Places(DOC.astype(np.int64), np.tile(np.arange(16.0) * 6, 4), np.full(64, 6))
    late_scores = by_id(index_of(Hybrid(rerank="maxsim")).rank(ASKED, QUERIES, depth=64), 0)
    expected = late_scores[None].astype(np.float32)
    Kernel(places, 40).smooth(expected, 0, 64)
    ranks = index_of(Hybrid(rerank="maxsim", kernel=40), places).rank(ASKED, QUERIES, depth=64)
    assert by_id(ranks, 0) == pytest.approx(expected[0], abs=1e-5)


def test_a_question_alone_and_a_smaller_depth_change_nothing():
    index = index_of(Hybrid(rerank="maxsim"))
    deep = index.rank(ASKED, QUERIES, depth=64)
    for row, question in enumerate(ASKED):
        alone = index_of(Hybrid(rerank="maxsim")).rank([question], QUERIES[row : row + 1], depth=7)
        assert np.array_equal(alone.ids[0], deep.ids[row, :7])
        assert np.array_equal(alone.scores[0], deep.scores[row, :7])


def test_scopes_and_empty_inputs():
    index = index_of(Hybrid(rerank="maxsim"))
    scope = np.array([0, 3, 77], np.int32)
    ids = index.rank(ASKED, QUERIES, depth=64, scope=scope).ids
    assert set(ids[0].tolist()) == {*range(16), -1}
    assert np.all(ids[2] == -1)
    assert index.rank([], np.empty((0, 384), np.float32), depth=3).ids.shape == (0, 3)


def test_specs_parse_back_and_others_are_refused():
    spec = "hybrid(alpha=0.5, kernel=512, rerank=maxsim)"
    assert str(parse_retriever(spec)) == spec
    assert parse_retriever("hybrid(rerank=none)") == Hybrid()
    with pytest.raises(UnknownName, match="no reranker named 'maxim'; did you mean 'maxsim'"):
        parse_retriever("hybrid(rerank=maxim)")


@pytest.mark.parametrize("embedder", [None, object()])
def test_an_embedder_with_token_vectors_is_needed(embedder):
    with pytest.raises(InvalidConfig, match="needs an embedder with embed_tokens"):
        Hybrid(rerank="maxsim").index(TEXTS, VECTORS, DOC, embedder=embedder)


def test_the_benchmark_brings_the_embedder():
    document = Document.from_text("\n\n".join(TEXTS), "parts")
    at = document.text.index("The bearing oils the gear box.")
    question = Question("q", "parts", "What oils the gear box?", ((Span(at, at + 30),),))
    config = BenchConfig(
        strategies=("sentence(size=8, overlap=0)",),
        retriever="hybrid(rerank=maxsim)",
        budget=40,
        budgets=(40,),
        cache_dir="",
    )
    results = run_bench([document], [question], config, embedder=MINILM)
    assert results.summary()[0].mean == 1.0
