"""What a store shows is what the benchmark showed: every retriever, every way to assemble."""

import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from seamline.bench import run_bench
from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.plan import make_plan
from seamline.bench.trial import Trials
from seamline.config import BenchConfig
from seamline.embed.cache import CachedEmbedder
from seamline.embed.minilm import MiniLM
from seamline.golden import load_golden
from seamline.ingest.labels import Labels
from seamline.ingest.open import open_ingest, open_searcher
from seamline.parse import find_files, read_documents
from seamline.retrieve.assemble import assemble
from seamline.store import Reader, key, open_store
from seamline.store.where import Any_
from seamline.types import Question, Span

ROOT = Path(__file__).parents[2]
SETS = {
    "handbook": ROOT / "examples" / "handbook",
    "runbooks": ROOT / "examples" / "runbooks",
    "techdocs": ROOT.parent / "shared" / "data" / "techdocs",
}
PLACED = "hybrid(positional=160, kernel=512)"
RETRIEVERS = ("dense", "bm25", "hybrid", PLACED, "hybrid(fusion=rrf)")
STRATEGIES = (
    "hierarchical(parent=sections, size=200)",
    "hierarchical(parent=512, size=128)",
    "table_rows",
    "structure(size=512)",
    "recursive(size=128, overlap=32)",
)
WAYS = (
    {"k": 5},
    {"k": None, "budget": 500},
    {"k": None, "budget": 1000},
    {"k": None, "budget": 500, "dedupe": True},
    {"k": None, "budget": 1000, "merge": True},
    {"k": 3, "budget": 500, "merge": True, "separator": 7},
    {"k": 3, "merge": True},
    {"k": 5, "dedupe": True},
)
MODEL = CachedEmbedder(MiniLM(), None)  # both sides ask the same texts: embedded once


@cache
def golden_set(name):
    folder = SETS[name]
    if not folder.is_dir():
        pytest.skip(f"the development data holds no set {name!r}")
    docs = folder / "docs"
    documents = list(read_documents([docs]))
    asked = list(load_golden(folder / "golden.jsonl", documents))
    return SimpleNamespace(
        docs=docs, documents=documents, questions=asked, files=find_files([docs])
    )


def benched(documents, questions, config):
    """What the benchmark ranks, with what it assembles from.

    The chunks are those that were cut, not those that reach over white space in gold: what
    gold there is must not change what is found.
    """
    plan = make_plan(config, None, MODEL)
    corpus = Corpus.of(documents, questions, plan.sizer)
    asked = [question.text for question in corpus.questions]
    queries = MODEL.embed_queries(asked) if plan.retriever.needs_vectors else None
    trials = Trials(plan, corpus, asked, queries, Clock(), lambda *_: None)
    chunked = trials.chunk(plan.strategies[0])
    cuts = chunked.cuts
    vectors = chunked.vectors if plan.retriever.needs_vectors else None
    index = trials.index(plan.retriever, cuts, chunked.texts, vectors)
    ranks = trials.ranks(index, np.arange(len(asked)), depth=max(len(cuts), 1))
    return SimpleNamespace(corpus=corpus, asked=asked, cuts=cuts, ranks=ranks)


def shown(bench, number, *, separator=0, **way):
    """(document, start, end, tokens, score) of what the benchmark shows for a question."""
    ranks, corpus = bench.ranks, bench.corpus
    found = assemble(
        ranks.ids[number],
        ranks.scores[number],
        bench.cuts,
        token_ends=corpus.ends,
        separator_tokens=separator,
        **way,
    )
    columns = (found.doc, found.start, found.end, found.tokens, found.scores)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    # What is left of a hit may be white space alone, which a search does not show.
    return [
        (corpus.documents[doc].id, *row)
        for doc, *row in rows
        if not corpus.documents[doc].text[row[0] : row[1]].isspace()
    ]


def found_by(searcher, question, reader=None):
    answer = searcher.search(question, reader)
    rows = answer.passages
    assert [passage.rank for passage in rows] == list(range(1, len(rows) + 1))
    for passage in rows:
        assert sum(passage.parts.values()) == pytest.approx(passage.score, abs=2e-5)
    return [(p.doc_id, p.start, p.end, p.tokens, p.score) for p in rows]


def assert_alike(ours, theirs, question):
    assert [row[:4] for row in ours] == [row[:4] for row in theirs], question
    # float32 sums in another order
    assert [row[4] for row in ours] == pytest.approx([row[4] for row in theirs], abs=2e-5)


def ingested(url, config, one, labels=None):
    store = open_store(url)
    work = open_ingest(config, store, one.files, embedder=MODEL, labels=labels)
    done = work.run(one.files)
    assert done.new == len(one.files)
    return store


def configured(strategy, retriever):
    return BenchConfig(strategy=strategy, retriever=retriever, embedder="minilm")


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_every_retriever_and_way_to_assemble(name, retriever, tmp_path):
    one, config = golden_set(name), configured("adaptive(target=64)", retriever)
    bench = benched(one.documents, one.questions, config)
    for url in ("memory://", f"sqlite:///{tmp_path}/index.db"):
        with ingested(url, config, one) as store:
            ways = WAYS if url.startswith("sqlite") else WAYS[:1]
            for way in ways:
                searcher = open_searcher(config, store, embedder=MODEL, **way)
                for number, question in enumerate(bench.asked):
                    ours = found_by(searcher, question)
                    assert_alike(ours, shown(bench, number, **way), question)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_parents_tables_and_overlap(name, strategy, tmp_path):
    one, config = golden_set(name), configured(strategy, PLACED)
    bench = benched(one.documents, one.questions, config)
    with ingested(f"sqlite:///{tmp_path}/index.db", config, one) as store:
        for way in (WAYS[0], WAYS[3], WAYS[4], *WAYS[6:]):
            searcher = open_searcher(config, store, embedder=MODEL, **way)
            for number, question in enumerate(bench.asked[::2]):
                ours = found_by(searcher, question)
                assert_alike(ours, shown(bench, 2 * number, **way), question)


@pytest.mark.parametrize("name", ["handbook", "runbooks"])
@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_the_pieces_in_results_json(name, retriever):
    """The same through `run_bench`, which nothing here has set up."""
    one, config = golden_set(name), configured("adaptive(target=64)", retriever)
    results = run_bench(one.documents, one.questions, config, embedder=MODEL)
    (row,) = results.data["strategies"]
    with ingested("memory://", config, one) as store:
        searcher = open_searcher(config, store, embedder=MODEL)
        for question, hits in zip(one.questions, list(row["retrieved"]), strict=True):
            ours = [passage[:3] for passage in found_by(searcher, question.text)]
            theirs = [(one.documents[int(d)].id, int(a), int(b)) for d, a, b, _ in hits]
            assert ours == theirs, question.text


def test_reranked_by_tokens(tmp_path):
    one = golden_set("handbook")
    config = configured("adaptive(target=64)", "hybrid(rerank=maxsim, kernel=256)")
    bench = benched(one.documents, one.questions, config)
    for url in ("memory://", f"sqlite:///{tmp_path}/index.db"):
        with ingested(url, config, one) as store:
            for way in (WAYS[0], WAYS[4]):
                searcher = open_searcher(config, store, embedder=MODEL, **way)
                for number, question in enumerate(bench.asked):
                    ours = found_by(searcher, question)
                    assert_alike(ours, shown(bench, number, **way), question)


@pytest.mark.parametrize("retriever", [*RETRIEVERS, "bm25(positional=160)"])
def test_a_filter_is_the_scope_of_a_question(retriever, tmp_path):
    """Frequencies and lengths are those of all that may be read, spreads those of the filtered."""
    one = golden_set("runbooks")
    config = configured("adaptive(target=64)", retriever)
    bench = benched(one.documents, one.questions, replace(config, scope="document"))
    for url in ("memory://", f"sqlite:///{tmp_path}/index.db"):
        with ingested(url, config, one) as store:
            for way in (WAYS[0], WAYS[3]):
                searcher = open_searcher(config, store, embedder=MODEL, **way)
                for number, question in list(enumerate(one.questions))[::3]:
                    reader = Reader(where=key("id") == question.doc_id)
                    ours = found_by(searcher, question.text, reader)
                    assert_alike(ours, shown(bench, number, **way), question.text)


def test_by_meaning_a_filter_is_the_benchmark_of_the_filtered_documents(tmp_path):
    one = golden_set("runbooks")
    config = configured("adaptive(target=64)", "dense")
    picked = one.documents[::3]
    names = {document.id for document in picked}
    questions = [question for question in one.questions if question.doc_id in names]
    bench = benched(picked, questions, config)
    where = key("id").one_of(sorted(names))
    same = Any_(tuple(key("source") == document.source for document in picked))
    with ingested(f"sqlite:///{tmp_path}/index.db", config, one) as store:
        for reader in (Reader(where=where), Reader(where=same)):
            for way in (WAYS[0], WAYS[3]):
                searcher = open_searcher(config, store, embedder=MODEL, **way)
                for number, question in enumerate(bench.asked):
                    ours = found_by(searcher, question, reader)
                    assert_alike(ours, shown(bench, number, **way), question)


def test_a_tenant_beside_others_and_labels_are_the_benchmark_of_its_own(tmp_path):
    one, config = golden_set("runbooks"), configured("adaptive(target=64)", PLACED)
    half = SimpleNamespace(docs=tmp_path / "half", documents=one.documents[::2])
    half.docs.mkdir()
    for path, name in one.files[::2]:
        shutil.copy(path, half.docs / name)
    half.files = find_files([half.docs])
    names = {document.id for document in half.documents}
    questions = [question for question in one.questions if question.doc_id in names]
    bench = benched(half.documents, questions, config)
    staff = frozenset({"staff"})
    url = f"sqlite:///{tmp_path}/index.db"
    ingested(url, config, one, Labels("other")).close()
    with ingested(url, config, half, Labels("own", staff)) as store:
        searcher = open_searcher(config, store, embedder=MODEL)
        for number, question in enumerate(bench.asked):
            ours = found_by(searcher, question, Reader("own", staff))
            assert_alike(ours, shown(bench, number, k=5), question)
            assert searcher.search(question, Reader("own")).passages == ()


def test_the_order_of_equals_is_that_of_the_documents(tmp_path):
    """Texts that are alike have equal scores, whatever lies between them."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for number in range(23):
        other = "" if number % 3 else f"Note {number} speaks of anchors and their chains.\n"
        (docs / f"{number:02}.md").write_text(f"{other}\nOil the pump before it is started.\n")
    documents = list(read_documents([docs]))
    one = SimpleNamespace(docs=docs, documents=documents, files=find_files([docs]))
    for retriever in RETRIEVERS:
        config = configured("sentence(size=12)", retriever)
        bench = benched(documents, _questions(documents), config)
        with ingested("memory://", config, one) as store:
            searcher = open_searcher(config, store, embedder=MODEL, k=40)
            ours = found_by(searcher, bench.asked[0])
            assert_alike(ours, shown(bench, 0, k=40), retriever)


def _questions(documents):
    start = documents[0].text.index("Oil")
    slot = (Span(start, start + 12),)
    return [Question("q1", documents[0].id, "When is the pump oiled?", (slot,))]
