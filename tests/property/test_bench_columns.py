"""Scoring in columns gives what assembling and scoring question by question gives."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamline.bench.corpus import Corpus
from seamline.bench.describe import describe_chunks
from seamline.bench.score import Scorer
from seamline.config import BenchConfig
from seamline.measure import CHUNK_MEASURES, MEASURES, Cutoff, parse_measure
from seamline.retrieve import Ranks
from seamline.retrieve.table import ChunkTable
from seamline.sizers import parse_sizer, sizes
from seamline.types import Chunk, Document, Question, Span

WORDS = parse_sizer("words")
BUDGETS = (1, 3, 8, 40)
TEXTS = ("a bb ccc d eeee f gg", "hh  i\njjj k", "lll mm n o pp qqq rr s t uu v")


@st.composite
def spans(draw, text, least=1):
    start = draw(st.integers(0, len(text) - least))
    return start, draw(st.integers(start + least, len(text)))


@st.composite
def chunks_of(draw, document):
    out = []
    for start, end in draw(st.lists(spans(document.text), max_size=5)):
        parent = None
        if draw(st.booleans()):
            low = draw(st.sampled_from(sorted({0, start})))
            parent = Span(low, draw(st.sampled_from(sorted({end, len(document.text)}))))
        context = draw(st.sampled_from(["", "in short"]))
        text = document.text[start:end]
        out.append(Chunk(document.id, start, end, text, len(out), context, parent))
    return out


@st.composite
def questions(draw, documents, number):
    document = draw(st.sampled_from(documents))
    slots = draw(
        st.lists(st.lists(spans(document.text), min_size=1, max_size=2), min_size=1, max_size=3)
    )
    gold = tuple(tuple(Span(*span) for span in slot) for slot in slots)
    return Question(f"q{number}", document.id, "what?", gold)


@st.composite
def runs(draw):
    n_documents = draw(st.integers(1, 3))
    documents = [Document.from_text(TEXTS[i], f"d{i}") for i in range(n_documents)]
    chunks = [draw(chunks_of(document)) for document in documents]
    asked = [draw(questions(documents, i)) for i in range(draw(st.integers(1, 4)))]
    n_chunks = sum(map(len, chunks))
    depth = draw(st.integers(1, max(1, n_chunks)))
    rows = [draw(st.permutations(range(n_chunks)))[: draw(st.integers(0, depth))] for _ in asked]
    ids = np.array([[*row, *[-1] * (depth - len(row))] for row in rows], np.int32)
    scores = np.tile(np.linspace(0.9, 0.1, depth, dtype=np.float32), (len(asked), 1))
    return documents, chunks, asked, Ranks(ids, scores)


MEASURED = [
    measure(cutoff)
    for name, measure in MEASURES.items()
    for cutoff in (Cutoff(2), Cutoff(3), *(Cutoff(b, in_tokens=True) for b in BUDGETS))
    if name != "Similarity"
] + [MEASURES["Similarity"](Cutoff(1))]


@settings(deadline=None)
@given(runs(), st.integers(0, 2))
def test_columns_equal_one_question_at_a_time(run, separator):
    documents, chunks, asked, ranks = run
    corpus = Corpus.of(documents, asked, WORDS)
    table = ChunkTable.from_chunks(documents, chunks, lambda texts: sizes(WORDS, texts))
    scorer = Scorer(corpus, BenchConfig(k=3, budgets=BUDGETS, separator=separator), MEASURED)

    fast = scorer.start(table)
    scorer.add(fast, slice(0, len(asked)), ranks)
    slow = scorer.start(table)
    shown = scorer.add_some(slow, np.arange(len(asked)), ranks)

    assert {str(measure) for measure in MEASURED} <= fast.values.keys()
    for name, values in slow.values.items():
        assert fast.values[name].tolist() == pytest.approx(values.tolist(), abs=1e-12), name
    near = [np.arange(min(3, len(pieces))) for pieces in shown]
    assert fast.retrieved == list(map(scorer._hits, shown, near))
    assert fast.first.tolist() == ranks.ids[:, 0].tolist()


@settings(deadline=None)
@given(runs(), st.integers(1, 3))
def test_blocks_of_questions_change_nothing(run, step):
    documents, chunks, asked, ranks = run
    corpus = Corpus.of(documents, asked, WORDS)
    table = ChunkTable.from_chunks(documents, chunks, lambda texts: sizes(WORDS, texts))
    scorer = Scorer(corpus, BenchConfig(k=3, budgets=BUDGETS), MEASURED)
    whole, parts = scorer.start(table), scorer.start(table)
    scorer.add(whole, slice(0, len(asked)), ranks)
    for at in range(0, len(asked), step):
        rows = slice(at, min(at + step, len(asked)))
        scorer.add(parts, rows, Ranks(ranks.ids[rows], ranks.scores[rows]))
    assert parts.retrieved == whole.retrieved
    for name, values in whole.values.items():
        assert parts.values[name].tolist() == values.tolist(), name


@settings(deadline=None)
@given(runs())
def test_chunk_measures_and_relevant_pieces_equal_those_counted_one_by_one(run):
    documents, chunks, asked, _ = run
    corpus = Corpus.of(documents, asked, WORDS)
    table = ChunkTable.from_chunks(documents, chunks, lambda texts: sizes(WORDS, texts))
    by_document = {d.id: own for d, own in zip(documents, chunks, strict=True)}
    measures = list(map(parse_measure, CHUNK_MEASURES))
    _, values = describe_chunks(chunks, table, corpus, measures)
    assert values.keys() == CHUNK_MEASURES.keys()
    for measure in measures:
        expected = measure.values(corpus.questions, by_document).tolist()
        assert values[measure.name].tolist() == expected

    relevant = Scorer(corpus, BenchConfig(), []).start(table).n_relevant.tolist()
    for question, n in zip(corpus.questions, relevant, strict=True):
        shown = {chunk.parent or chunk.span for chunk in by_document[question.doc_id]}
        assert n == sum(
            any(piece.start < gold.end and gold.start < piece.end for gold in question.spans)
            for piece in shown
        )
