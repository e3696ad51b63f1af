import numpy as np
import pytest

from seamline.bench import run_bench
from seamline.bench.blanks import Blanks, trimmed
from seamline.config import BenchConfig
from seamline.types import Document, Question, Span

TEXT = "Turn it off.\n\nWait a minute.\n\nTurn it on."
DOCUMENTS = (Document.from_text("  no gold here ", "a"), Document.from_text(TEXT, "b"))
GOLD = (Span(0, 28),)  # the first two sentences, with the blank line between them
QUESTION = Question("q", "b", "How do I reset it?", (GOLD,))


def test_gold_over_a_blank_line_is_whole_when_both_chunks_are_shown():
    config = BenchConfig(retriever="bm25", k=3, tokenizer="words", budget=6, budgets=(6,))
    strategies = ["sentence(size=3, overlap=0, unit=words)"]
    asked = Question("q", "b", "Turn it off? Wait a minute?", (GOLD,))
    (row,) = run_bench(DOCUMENTS, [asked], config, strategies=strategies).data["strategies"]
    assert row["chunks"]["b"] == [[0, 12], [14, 28], [30, 41]]
    assert [hit[1:3] for hit in row["retrieved"][0]] == [[14, 28], [0, 12], [30, 41]]
    assert row["measures"]["HitWhole@6t"]["mean"] == 1.0
    assert row["measures"]["Recall@6t"]["mean"] == 1.0
    assert row["containment"]["rate"] == 0.0


def test_white_space_at_the_ends_of_gold_is_not_part_of_it():
    loose = Question("q", "b", "?", ((Span(12, 30),), (Span(12, 14),)))
    assert trimmed(loose, DOCUMENTS[1]).slots == ((Span(14, 28),), (Span(12, 14),))


@pytest.mark.parametrize(
    ("ends", "extended"),
    [
        ([12, 28, 41], [14, 28, 41]),  # only the first blank line is inside gold
        ([4, 13, 14], [5, 14, 14]),  # between words, inside the run, at its end
    ],
)
def test_ends_inside_gold_move_over_the_blanks_there(ends, extended):
    blanks = Blanks.of(DOCUMENTS, [QUESTION], np.array([1], np.int32))
    doc = np.ones(len(ends), np.int32)
    assert blanks._extended(doc, np.array(ends, np.int32)).tolist() == extended


def test_trimming_undoes_extending_where_a_chunk_was_trimmed():
    blanks = Blanks.of(DOCUMENTS, [QUESTION], np.array([1], np.int32))
    ends = np.array([i for i in range(len(TEXT) + 1) if not TEXT[:i].endswith(("\n", " "))])
    doc = np.ones(len(ends), np.int64)
    extended = blanks._extended(doc, ends.astype(np.int32)).astype(np.int64)
    assert (extended != ends).any()
    assert blanks.trim(doc, extended).tolist() == ends.tolist()


def test_no_parent_stays_no_parent():
    blanks = Blanks.of(DOCUMENTS, [QUESTION], np.array([1], np.int32))
    none = np.full(2, -1, np.int32)
    assert blanks._extended(np.array([0, 1], np.int32), none).tolist() == [-1, -1]


def test_gold_without_white_space_moves_nothing():
    word = Question("q", "b", "?", ((Span(0, 4),),))
    blanks = Blanks.of(DOCUMENTS, [word], np.array([1], np.int32))
    ends = np.array([4, 12], np.int32)
    assert blanks._extended(np.ones(2, np.int32), ends) is ends
    assert blanks.trim(np.ones(2, np.int64), ends.astype(np.int64)).tolist() == [4, 12]
