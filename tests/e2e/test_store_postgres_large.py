"""PostgreSQL where there are too many chunks to score all: what the indexes lose, and keep apart."""

import os

import numpy as np
import pytest

from seamline.ingest.cut import Maker
from seamline.retrieve.analyze import Analyzer
from seamline.retrieve.dense import Dense
from seamline.retrieve.hybrid import Hybrid
from seamline.retrieve.lexical import Bm25
from seamline.retrieve.live import score
from seamline.retrieve.terms import hashed
from seamline.sizers import parse_sizer
from seamline.split import parse_strategy
from seamline.store import Entry, NamespaceInfo, Reader, key, open_store
from seamline.store.base import Asked
from seamline.store.postgres import settle as settle_module
from seamline.store.postgres import view as view_module
from seamline.testing.stores import make_entry
from seamline.types import Document

pytest_plugins = ["postgres_server"]
pytestmark = pytest.mark.xdist_group("postgres_large")  # one worker fills it, once

DIM, PER, WORDS, DOCUMENTS = 64, 50, 40, 300
INFO_LARGE = NamespaceInfo("large", "fixed", DIM, "random-1")
OFTEN = 1 / (np.arange(5000) + 5.0)
OFTEN /= OFTEN.sum()
VOCABULARY = np.array([f"w{i}x" for i in range(len(OFTEN))])
MAKER = Maker(
    parse_strategy(f"fixed(size={WORDS}, overlap=0, unit=words)"),
    parse_sizer("words"),
    Analyzer(None),
)


@pytest.fixture(scope="module", autouse=True)
def fewer():
    """What is large here is half of that elsewhere, which is filled in half the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view_module, "MOST_CHUNKS", 10_000)
        patch.setattr(settle_module, "FROM_CHUNKS", 10_000)
        yield


def random_entry(i, rng, centres):
    """A document of 50 chunks: words by Zipf's law, vectors around some of 100 centres."""
    text = " ".join(rng.choice(VOCABULARY, PER * WORDS, p=OFTEN))
    cut = MAKER.cut(Document.from_text(text, f"d{i}"))
    vectors = centres[rng.integers(len(centres), size=PER)]
    vectors = vectors + rng.standard_normal((PER, DIM)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Entry(
        doc_id=f"d{i}",
        text=text,
        digest=str(i).encode(),
        columns=cut.columns,
        details=cut.details,
        vectors=vectors.astype(np.float32),
        ends=cut.ends,
        tenant="small" if i % 20 == 19 else "large",
        access=frozenset({"staff"}) if i % 20 == 7 else frozenset(),
        metadata={"part": i % 10},
    )


@pytest.fixture(scope="module")
def entries():
    rng = np.random.default_rng(11)
    centres = rng.standard_normal((100, DIM)).astype(np.float32)
    return [random_entry(i, rng, centres) for i in range(DOCUMENTS)]


@pytest.fixture(scope="module")
def stores(entries, postgres_server):
    """The namespace in PostgreSQL and the same in memory."""
    name = f"large_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    with postgres_server.connect() as raw:
        raw.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        raw.execute(f"CREATE DATABASE {name}")
    with open_store(postgres_server.url(name)) as ours, open_store("memory://") as theirs:
        pair = ours.create(INFO_LARGE), theirs.create(INFO_LARGE)
        for namespace in pair:
            for at in range(0, len(entries), 50):
                namespace.put(entries[at : at + 50])
        assert pair[0].settle()
        assert not pair[0].settle()
        yield pair


def questions(entries, n, seed):
    """Vectors near a chunk's, and words of which half are that chunk's."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        entry = entries[rng.integers(len(entries))]
        row = rng.integers(PER)
        vector = entry.vectors[row] + 0.1 * rng.standard_normal(DIM)
        vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        own = entry.text.split()[row * WORDS : (row + 1) * WORDS]
        words = [*rng.choice(own, 4), *rng.choice(VOCABULARY, 4, p=OFTEN)]
        yield Asked(vector, np.unique(hashed(list(map(str, words)))), 200)


def best(namespace, reader, retriever, asked):
    """The ten best chunks by name, and what was looked at."""
    with namespace.read(reader) as view:
        scope = view.scope(asked)
        return ranked(view, scope, retriever, asked), scope


def ranked(view, scope, retriever, asked):
    times = np.ones(len(asked.terms), np.float32)
    rows = score(retriever, scope, asked, times).best(10, scope.eligible)
    documents, ordinals = scope.document[rows].tolist(), scope.ordinal[rows].tolist()
    held = view.held(documents)
    return [(held[n].doc_id, i) for n, i in zip(documents, ordinals, strict=True)]


RETRIEVERS = [
    Dense(),
    Bm25(),
    Hybrid(),
    Hybrid(positional=160, kernel=512),
    Hybrid(fusion="rrf"),
]


@pytest.mark.parametrize("retriever", RETRIEVERS, ids=str)
@pytest.mark.parametrize(
    "reader",
    [
        Reader("large", frozenset({"staff"})),
        Reader("large"),
        Reader("large", where=key("part") != 3),
    ],
    ids=["all", "without a label", "with a condition"],
)
def test_the_order_is_nearly_the_exact_one(stores, entries, retriever, reader):
    shared = []
    with stores[1].read(reader) as view:
        every = view.scope()
        for asked in questions(entries, 40, seed=1):
            exact = ranked(view, every, retriever, asked)
            names, scope = best(stores[0], reader, retriever, asked)
            assert scope.weight is not None
            shared.append(len(set(names) & set(exact)) / len(exact))
    assert np.mean(shared) >= 0.95


def test_frequencies_of_what_brings_chunks_are_exact(stores, entries):
    reader = Reader("large")
    with stores[0].read(reader) as view, stores[1].read(reader) as other:
        for asked in questions(entries, 10, seed=7):
            counted = view.scope(asked).counted
            which, _, _ = other.scope().postings(counted.terms)
            expected = np.bincount(which, minlength=len(counted.terms))
            assert counted.chunks.tolist() == expected.tolist()
            assert len(counted.terms)


def test_weights_stand_for_all_chunks_there_are(stores, entries):
    ours, _ = stores
    for asked in questions(entries, 5, seed=2):
        with ours.read(Reader("large")) as view:
            scope, total = view.scope(asked), view.count().chunks
            assert scope.weight.sum() == pytest.approx(total)
            assert np.all(scope.weight[scope.eligible] == 1)
            order = np.lexsort((scope.ordinal, scope.document))
            assert np.array_equal(order, np.arange(len(scope)))
            assert len(set(zip(scope.document, scope.ordinal, strict=True))) == len(scope)


@pytest.mark.parametrize("reader", [Reader("small"), Reader("large", where=key("part") == 3)])
def test_a_selective_filter_is_answered_exactly(stores, entries, reader):
    ours, theirs = stores
    for asked in questions(entries, 10, seed=3):
        with ours.read(reader) as one, theirs.read(reader) as other:
            assert one.count().chunks == other.count().chunks > 0
        names, scope = best(ours, reader, Dense(), asked)
        exact, _ = best(theirs, reader, Dense(), asked)
        assert scope.weight is None
        assert len(set(names) & set(exact)) >= 9  # a tie within half precision may fall otherwise


def test_nobody_is_shown_what_is_not_theirs(stores, entries):
    ours, _ = stores
    theirs = {entry.doc_id for entry in entries if entry.tenant != "large" or entry.access}
    for asked in questions(entries, 20, seed=4):
        with ours.read(Reader("large")) as view:
            scope = view.scope(asked)
            numbers = sorted(set(scope.document.tolist()))
            held = view.held(numbers)
            assert set(held) == set(numbers)
            assert not theirs & {one.doc_id for one in held.values()}
    with ours.read(Reader("small")) as view:
        others = view.scope().document.tolist()
    with ours.read(Reader("large", frozenset({"staff"}))) as view:
        spans = [(number, 0, 10) for number in others]
        assert view.held(others) == view.columns(others) == view.details(others) == {}
        assert set(view.texts(spans)) == {""}


def test_what_is_put_and_removed_after_the_indexes_are_built_is_seen(stores, entries):
    ours, _ = stores
    rng = np.random.default_rng(5)
    fresh = random_entry(1000, rng, np.zeros((1, DIM), np.float32))
    asked = Asked(fresh.vectors[7], hashed(["nothing"]), 200)
    ours.put([fresh])
    reader = Reader("large")
    assert best(ours, reader, Dense(), asked)[0][0] == ("d1000", 7)
    assert ours.remove("large", ["d1000"]) == 1
    names, _ = best(ours, reader, Dense(), asked)
    assert "d1000" not in {name for name, _ in names}
    assert len(names) == 10


def test_words_alone_find_chunks_without_vectors(stores, entries):
    rare = hashed([str(VOCABULARY[4321])])
    common = hashed([str(VOCABULARY[0])])
    for terms in (rare, common, np.unique(np.concatenate([rare, common]))):
        asked = Asked(None, terms, 200)
        (names, _), (exact, _) = (best(one, Reader("large"), Bm25(), asked) for one in stores)
        assert len(names) == len(exact)
        assert len(set(names) & set(exact)) >= 0.8 * len(exact)


def test_a_large_namespace_without_vectors_is_searched_by_words(postgres_url):
    with open_store(postgres_url) as store:
        namespace = store.create(NamespaceInfo("words", "whole"))
        line = "One two three four five six seven eight. "
        namespace.put([make_entry(f"d{i}", line * 110, dim=0) for i in range(100)])
        namespace.put([make_entry("odd", "Needle in here.", dim=0)])
        for _ in range(2):
            names, scope = best(namespace, Reader(), Bm25(), Asked(None, hashed(["needle"]), 5))
            assert names == [("odd", 0)]
            assert scope.weight is not None
            namespace.settle()


def test_answers_are_right_before_indexes_are_built(postgres_url, entries):
    with open_store(postgres_url) as store, open_store("memory://") as memory:
        pair = [one.create(INFO_LARGE) for one in (store, memory)]
        some = [entry for entry in entries if entry.tenant == "large"]
        for namespace in pair:
            namespace.put(some)
        for asked in questions(some, 5, seed=6):
            (names, scope), (exact, _) = (
                best(one, Reader("large"), Dense(), asked) for one in pair
            )
            assert scope.weight is not None
            assert len(set(names) & set(exact)) >= 9
