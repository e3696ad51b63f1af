"""Gold as chunks of its own: what stands for it, how it is indexed, and how it is ranked."""

from pathlib import Path

import numpy as np
import pytest

from diagnose_samples import ASKED, GOLD, RIVALS, Paragraphs, Words, ask, document, filler
from seamline.bench import rounds
from seamline.bench.clock import Clock
from seamline.bench.corpus import Corpus
from seamline.bench.exact import Exact, extend
from seamline.bench.plan import make_plan
from seamline.bench.rounds import rank_in_place
from seamline.bench.trial import Trials
from seamline.config import BenchConfig
from seamline.golden import load_golden
from seamline.parse import parse_text, read_documents
from seamline.retrieve import parse_retriever
from seamline.types import Question, Span

RUNBOOKS = Path(__file__).parents[2] / "examples" / "runbooks"


def cut(documents, questions, strategy, **settings):
    config = BenchConfig(tokenizer="words", **settings)
    plan = make_plan(config, [strategy], Words())
    corpus = Corpus.of(documents, questions, plan.sizer)
    asked = [question.text for question in corpus.questions]
    queries = plan.embedder.embed_queries(asked)
    trials = Trials(plan, corpus, asked, queries, Clock(), lambda *_: None)
    return trials, trials.chunk(plan.strategies[0])


def told(corpus, exact):
    return [
        corpus.documents[doc].text[start:end]
        for doc, start, end in zip(exact.doc, exact.start, exact.end, strict=True)
    ]


def test_gold_stands_for_itself_and_so_does_its_sentence():
    doc = document("Some pad. The fee is 42 for a day. More pad.")
    trials, chunked = cut([doc], [ask(doc, "42")], "whole")
    found = Exact.of(trials.corpus, chunked.cuts, [0])
    assert told(trials.corpus, found) == ["The fee is 42 for a day.", "42"]
    assert found.host.tolist() == [0, 0]


def test_a_sentence_goes_no_further_than_the_chunk_that_holds_the_gold():
    doc = document("one two three 42 five six seven eight nine ten")
    trials, chunked = cut([doc], [ask(doc, "42")], "fixed(size=5, overlap=0, unit=words)")
    found = Exact.of(trials.corpus, chunked.cuts, [0])
    assert told(trials.corpus, found) == ["one two three 42 five", "42"]


def test_gold_over_a_border_is_as_long_as_its_sentences():
    doc = document("one two three 42 five six. Seven eight.")
    trials, chunked = cut([doc], [ask(doc, "42 five six")], "fixed(size=5, overlap=0, unit=words)")
    found = Exact.of(trials.corpus, chunked.cuts, [0])
    assert told(trials.corpus, found) == ["one two three 42 five six.", "42 five six"]


@pytest.mark.parametrize("prefix", ["true", "false"])
def test_a_span_is_indexed_with_the_headings_where_chunks_are(prefix):
    doc = parse_text("# Pumps\n\n## Oil\n\nUse grade 30.\n", "a.md", media_type="text/markdown")
    start = doc.text.index("Use")
    question = Question("q1", "a.md", "Which?", ((Span(start, start + 12),),))
    trials, chunked = cut([doc], [question], f"sentence(size=4, prefix={prefix})")
    found = extend(
        chunked, trials.corpus, Exact.of(trials.corpus, chunked.cuts, [0]), embedded=False
    )
    texts = [text for text, own in zip(found.texts, found.exact, strict=True) if own >= 0]
    path = "Pumps > Oil\n" if prefix == "true" else ""
    assert texts == [f"{path}Use grade 30", f"{path}Use grade 30."]


def test_a_span_is_indexed_with_what_a_splitter_of_ones_own_puts_before_its_chunks():
    class Titled:
        def split(self, doc):
            from seamline.types import Chunk

            at = doc.text.index("two")
            return [
                Chunk(doc.id, 0, at, doc.text[:at], indexed_as=f"Title\n{doc.text[:at]}"),
                Chunk(doc.id, at, len(doc.text), doc.text[at:]),
            ]

    doc = document("one amber pad. two falcon pad.")
    questions = [ask(doc, "amber"), ask(doc, "falcon", number=2)]
    trials, chunked = cut([doc], questions, Titled())
    spans = Exact.of(trials.corpus, chunked.cuts, [0, 1])
    found = extend(chunked, trials.corpus, spans, embedded=False)
    texts = [text for text, own in zip(found.texts, found.exact, strict=True) if own >= 0]
    assert texts == ["Title\none amber pad.", "Title\namber", "two falcon pad.", "falcon"]


def test_a_row_said_as_a_sentence_is_said_so_where_the_gold_is_all_of_it():
    table = "| Plan | Fee |\n|---|---|\n| Basic | $5 |\n| Team | $9 |\n"
    doc = parse_text(table, "a.md", media_type="text/markdown")
    start = doc.text.index("| Team")
    question = Question("q1", "a.md", "Fee?", ((Span(start, start + 13),),))
    trials, chunked = cut([doc], [question], "table_rows")
    spans = Exact.of(trials.corpus, chunked.cuts, [0])
    found = extend(chunked, trials.corpus, spans, embedded=False)
    host = int(spans.host[0])
    own = [text for text, number in zip(found.texts, found.exact, strict=True) if number >= 0]
    assert own == [chunked.texts[host]]


def test_rows_stay_in_document_order():
    docs = [document(GOLD, *RIVALS, doc_id=f"{i}.txt") for i in range(3)]
    questions = [ask(doc, GOLD, number=i) for i, doc in enumerate(docs)]
    trials, chunked = cut(docs, questions, Paragraphs())
    spans = Exact.of(trials.corpus, chunked.cuts, range(3))
    found = extend(chunked, trials.corpus, spans, embedded=True)
    assert (np.diff(found.table.doc) >= 0).all()
    assert len(found.table) == len(found.texts) == len(found.vectors)
    assert sorted(found.exact[found.exact >= 0].tolist()) == list(range(len(spans)))


def test_its_chunks_give_way_and_others_spans_are_not_there():
    gold = ["amber falcon nests here", "amber falcon nests there"]
    doc = document(*(f"{one}. {filler(20, one[-5:])}" for one in gold), *RIVALS)
    questions = [ask(doc, one, number=i) for i, one in enumerate(gold)]
    trials, chunked = cut([doc], questions, Paragraphs())
    found = rank_in_place(trials, chunked, parse_retriever("dense"), [0, 1], depth=50)
    for number, ids in found.ids.items():
        table = found.table
        spans = [(int(table.start[i]), int(table.end[i])) for i in ids]
        low = doc.text.index(gold[number])
        own = [span for span in spans if span[0] < low + len(gold[number]) and span[1] > low]
        assert own == [spans[0]]  # the gold alone, ranked first; its chunk is gone
        assert len(spans) == len(set(spans)) == len(chunked.table)


@pytest.mark.parametrize("scope", ["corpus", "document"])
@pytest.mark.parametrize("retriever", ["dense", "bm25", "hybrid", "hybrid(kernel=90)"])
def test_rankings_are_nearly_those_of_each_question_alone(monkeypatch, retriever, scope):
    """On the examples: the same with cosines, and of nearly the same order with words."""
    documents = list(read_documents(RUNBOOKS / "docs"))
    questions = load_golden(RUNBOOKS / "golden.jsonl", documents)[:60:4]
    strategy = "recursive(size=60, overlap=0, unit=words)"
    trials, chunked = cut(documents, questions, strategy, scope=scope)
    asked = range(len(questions))
    ranked = {}
    for most in (4, 10**9):
        monkeypatch.setattr(rounds, "_ROUNDS", most)
        found = rank_in_place(trials, chunked, parse_retriever(retriever), asked, depth=10)
        ranked[most] = [set(found.ids[number].tolist()) for number in asked]
    pairs = zip(ranked[4], ranked[10**9], strict=True)
    common = [len(a & b) / max(len(b), 1) for a, b in pairs]
    assert np.mean(common) >= (1.0 if retriever == "dense" else 0.95)


def test_nothing_asked_is_nothing_ranked():
    doc = document(GOLD, *RIVALS)
    trials, chunked = cut([doc], [ask(doc, GOLD)], Paragraphs())
    assert rank_in_place(trials, chunked, parse_retriever("dense"), [], depth=5).ids == {}


def test_rounds_hold_few_spans_and_every_question():
    docs = [document(*[f"{ASKED} {i} {j}" for j in range(60)], doc_id=f"{i}.txt") for i in range(4)]
    questions = [
        ask(doc, f"{ASKED} {i} {j}", number=10 * i + j)
        for i, doc in enumerate(docs)
        for j in range(9)
    ]
    trials, chunked = cut(docs, questions, Paragraphs())
    spans = Exact.of(trials.corpus, chunked.cuts, range(len(questions)))
    for by_document in (False, True):
        groups = rounds._rounds(spans, chunked.table, by_document=by_document)
        assert sorted(number for group in groups for number in group) == list(range(len(questions)))
        assert 16 <= len(groups) <= 20
        for group in groups:
            own = np.isin(spans.question, group)
            assert own.sum() <= len(spans) / 16
            if by_document:
                assert np.bincount(spans.doc[own]).max() <= max(len(spans) / 4 / 16, 2)
