"""How many questions a difference takes: by hand, and by drawing questions that have it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from seamline.bench import run_bench
from seamline.bench.power import ASSUMED_DEFF, Spread, assumed, measured, needed, typical
from seamline.bench.results import Results
from seamline.compare import flip_test
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig
from seamline.types import Document, Question, Span

WORDS = "pump belt valve tank hose motor gauge filter wheel lamp chain pipe".split()


def results(
    measures=("Precision@1",), n_documents=12, strategies=("sentence(size=8)", "whole"), synthetic=0
):
    """Two questions a document; the strategies differ by a document's length."""
    documents, questions = [], []
    for i in range(n_documents):
        parts = [
            f"The {WORDS[(i + j) % 12]} number {i} is {j} meters long." for j in range(2 + i % 3)
        ]
        text = " ".join(parts)
        documents.append(Document(f"{i}.md", text))
        for j in (0, 1):
            start = text.index(parts[j])
            spans = ((Span(start, start + len(parts[j])),),)
            source = "synthetic" if i < synthetic else ""
            asked = f"What of {WORDS[(i + j) % 12]} number {i}?"
            questions.append(Question(f"q{i}-{j}", f"{i}.md", asked, spans, (), source))
    config = BenchConfig(strategies=strategies, retriever="bm25", measures=measures)
    return run_bench(documents, questions, config)


def test_the_spread_is_that_of_the_paired_differences():
    found = results()
    rows = found.data["strategies"]
    for i, row in enumerate(rows):  # documents differ more than the questions of one do
        drawn = np.random.default_rng(i).integers(0, 2, 12).repeat(2) * 0.8 + 0.1
        row["measures"]["Precision@1"]["values"] = (drawn + [0.05, 0.0] * 12).tolist()
    (spread,), n, n_documents = measured(found)
    assert (n, n_documents) == (24, 12)
    values = {row["spec"]: np.array(row["measures"]["Precision@1"]["values"]) for row in rows}
    differences = values[spread.name] - values[found.summary()[0].spec]
    assert spread.sd == pytest.approx(differences.std(ddof=1))
    # The variance of the mean over documents, written out: each has two questions.
    sums = differences.reshape(12, 2).sum(axis=1) - 2 * differences.mean()
    error = math.sqrt((sums**2).sum() * 12 / 11) / 24
    assert spread.deff == pytest.approx(error**2 * 24 / differences.var(ddof=1))
    assert spread.deff > 1.5


def test_questions_of_people_decide_where_there_are_any():
    spreads, n, n_documents = measured(results(synthetic=2))
    assert (n, n_documents) == (20, 10)
    assert measured(results(synthetic=12))[1:] == (24, 12)
    assert spreads


def test_under_ten_documents_the_design_effect_is_one():
    (spread,), n, n_documents = measured(results(n_documents=6))
    assert (n, n_documents) == (12, 6)
    assert spread.deff == 1.0


def test_questions_without_a_value_are_left_out():
    found = results()
    for row in found.data["strategies"]:
        row["measures"]["Precision@1"]["values"][:4] = [None] * 4
    (spread,), _, _ = measured(found)
    assert spread.sd > 0
    for row in found.data["strategies"]:
        row["measures"]["Precision@1"]["values"][:23] = [None] * 23
    with pytest.raises(InvalidConfig, match="two strategies that differ"):
        measured(found)


def test_what_cannot_be_told_is_refused():
    with pytest.raises(InvalidConfig, match="two strategies that differ"):
        measured(results(strategies=("whole",)))
    with pytest.raises(InvalidConfig, match="the primary measure is Tokens@1"):
        measured(results(measures=("Tokens@1", "Precision@1")))


def test_chunk_measures_are_shares():
    found = results(measures=("Containment",), strategies=("fixed(size=20, overlap=0)", "whole"))
    assert measured(found)[0][0].sd > 0
    assert isinstance(found, Results)


def test_more_pairs_need_more_questions_and_none_needs_less_than_fifteen():
    spread = Spread("a", 0.5, 1.5)
    alone, many = needed(spread, 100), needed(spread, 100, n_tests=10)
    assert all(many.questions[d] > alone.questions[d] for d in alone.questions)
    assert alone.questions[0.05] == math.ceil((2.8016 * 0.5 / 0.05) ** 2 * 1.5)
    assert alone.seen < many.seen
    assert needed(spread, 0).seen is None
    assert set(needed(Spread("b", 0.01, 1.0), 9).questions.values()) == {15}


def test_what_is_assumed_is_the_variance_of_right_or_wrong():
    for spread, share in zip(assumed(), (0.1, 0.2, 0.3), strict=True):
        rng = np.random.default_rng(0)
        drawn = rng.choice([-1.0, 0.0, 1.0], 100_000, p=[share / 2, 1 - share, share / 2])
        assert spread.sd == pytest.approx(drawn.std(), abs=0.01)
        assert spread.deff == ASSUMED_DEFF


def test_so_many_questions_show_the_difference_four_times_in_five():
    """Right or wrong, a fifth of the questions decide, a difference of ten points."""
    spread = replace(assumed()[1], deff=1.0)
    n = needed(spread, 1).questions[0.10]
    rng = np.random.default_rng(1)
    rows = rng.choice([-1.0, 0.0, 1.0], (60, n), p=[0.05, 0.8, 0.15])
    names = [str(i) for i in range(n)]
    seen = np.mean([flip_test(row, names, seed=2).p <= 0.05 for row in rows])
    assert 0.66 <= seen <= 0.92


def test_the_typical_pair_is_in_the_middle():
    spreads = [
        Spread(name, sd, deff) for name, sd, deff in (("a", 0.5, 1), ("b", 0.3, 2), ("c", 0.1, 9))
    ]
    assert [one.name for one in typical(spreads)] == ["b", "a"]
    assert [one.name for one in typical(spreads[:2])] == ["b", "a"]
    assert [one.name for one in typical(spreads[:1])] == ["a", "a"]
