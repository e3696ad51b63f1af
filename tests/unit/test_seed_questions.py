"""The questions that this project began with, put to the bundled handbook: the first hit answers.

Nine questions about one page of prose, question-answer pairs and a table of plans: what
a fixed cut gets wrong (the dental question answered with the dress code) and structure
gets right, with the embedded model and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seamline.api import load_set
from seamline.embed import parse_embedder
from seamline.split import parse_strategy

SET = Path(__file__).parents[2] / "examples" / "handbook"


@pytest.fixture(scope="module")
def asked():
    documents, golden = load_set(SET / "docs", SET / "golden.jsonl")
    return documents[0], list(golden), parse_embedder("minilm")


def first_hits(asked, spec):
    """Each question with the chunk most like it."""
    document, questions, embedder = asked
    chunks = parse_strategy(spec, embedder=embedder).split(document)
    vectors = embedder.embed_documents([chunk.indexed for chunk in chunks])
    queries = embedder.embed_queries([question.text for question in questions])
    best = np.argmax(np.asarray(queries) @ np.asarray(vectors).T, axis=1)
    return [(question, chunks[i]) for question, i in zip(questions, best, strict=True)]


def answered(hits, tag):
    """Whether the last gold span of each question of a kind lies in its first hit."""
    return [
        any(c.start <= s.start and s.end <= c.end for s in q.slots[-1])
        for q, c in hits
        if tag in q.tags
    ]


def test_every_question_of_the_handbook_is_answered_by_the_first_hit(asked):
    hits = first_hits(asked, "table_rows")
    assert {tag: answered(hits, tag) for tag in ("prose", "faq", "table")} == {
        "prose": [True] * 3,
        "faq": [True] * 3,
        "table": [True] * 3,
    }


@pytest.mark.parametrize("spec", ["adaptive", "structure", "table_rows"])
def test_pairs_are_found_whole_and_alone(asked, spec):
    hits = first_hits(asked, spec)
    assert answered(hits, "faq") == [True] * 3
    for question, chunk in hits:
        if "faq" in question.tags:
            assert chunk.text.startswith("Q: ")
            assert chunk.text.count("\nA: ") == 1


def test_rows_are_found_whole_and_alone(asked):
    for question, chunk in first_hits(asked, "table_rows"):
        if "table" in question.tags:
            assert "\n" not in chunk.text


def test_fixed_windows_answer_less_with_more(asked):
    fixed = first_hits(asked, "fixed(size=512, overlap=50)")
    rows = first_hits(asked, "table_rows")
    assert sum(answered(fixed, "faq")) < 3
    assert sum(len(c.text) for _, c in fixed) > 3 * sum(len(c.text) for _, c in rows)
