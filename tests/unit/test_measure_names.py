import math

import numpy as np
import pytest

from seamline.errors import InvalidConfig, UnknownName
from seamline.measure import (
    CHUNK_MEASURES,
    MEASURES,
    PRIMARY,
    Cutoff,
    Gold,
    Shown,
    default_measures,
    describe,
    parse_measure,
    score_all,
    share_under,
)
from seamline.types import Question, Span

GOLD = Gold(0, (np.array([[10, 20]]),))


@pytest.mark.parametrize(
    "name",
    [
        "Similarity@1",
        *CHUNK_MEASURES,
        *(f"{name}@{at}" for name in MEASURES if name != "Similarity" for at in ("5", "1000t")),
    ],
)
def test_every_name_parses_back_whatever_its_case(name):
    measure = parse_measure(name)
    assert str(measure) == name
    assert parse_measure(f" {name.lower()} ") == measure
    assert measure.about
    assert measure.range


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Recall", "Recall needs a cutoff, like Recall@5 or Recall@1000t, got 'Recall'"),
        ("Recall@0", "at least 1 and at most .*, got 0"),
        ("Recall@five", "must be a name with a cutoff"),
        ("Recall@5k", "must be a name with a cutoff"),
        ("", "must be a name with a cutoff"),
        ("Containment@5", "takes no cutoff"),
        ("Similarity@2", "use Similarity@1"),
        ("Similarity@1t", "use Similarity@1"),
    ],
)
def test_a_measure_that_cannot_be_is_refused(text, message):
    with pytest.raises(InvalidConfig, match=message):
        parse_measure(text)


def test_an_unknown_measure_gets_a_suggestion():
    with pytest.raises(UnknownName, match="no measure named 'Recal'; did you mean 'Recall'"):
        parse_measure("Recal@5")


def test_the_primary_measure_comes_first_of_the_defaults():
    names = [str(measure) for measure in default_measures()]
    assert names[0] == PRIMARY
    assert len(names) == len(set(names))
    assert {"HitWhole@1000t", "Precision@1000t", "Recall@5", "Similarity@1"} <= set(names)
    assert str(default_measures(k=3, budget=500)[0]) == "Recall@500t"


def test_every_measure_is_described_in_a_line_and_its_example_parses():
    rows = describe()
    assert {row.name for row in rows} == {*MEASURES, *CHUNK_MEASURES}
    for row in rows:
        assert str(parse_measure(row.example)).startswith(row.name)
        assert row.about
        assert "\n" not in row.about
        assert row.needs_retrieval == (row.name in MEASURES)


def test_lower_is_better_where_it_is_a_cost():
    lower = {name for name, measure in MEASURES.items() if measure.lower_is_better}
    assert lower == {"Noise", "Tokens"}
    assert parse_measure("SplitRate").lower_is_better
    assert not parse_measure("Containment").lower_is_better


def test_a_chunk_measure_has_a_value_a_question():
    questions = [
        Question("q1", "a", "?", ((Span(0, 2),), (Span(3, 8),))),
        Question("q2", "a", "?", ()),
    ]
    chunks = {"a": np.array([[0, 5], [5, 10]])}
    values = {name: parse_measure(name).values(questions, chunks) for name in CHUNK_MEASURES}
    assert values["Containment"][0] == 0.0
    assert values["SplitRate"][0] == 0.5
    assert values["PrecisionOmega"][0] == 0.7
    assert all(math.isnan(row[1]) for row in values.values())


def test_without_gold_nothing_is_scored():
    empty, shown = Gold(0, ()), Shown.of([(0, 0, 9, 3, 0.5)])
    for name in ("Hit@5", "Tokens@5", "Similarity@1", "Noise@1000t"):
        assert math.isnan(parse_measure(name).score(empty, shown))


def test_where_nothing_was_shown_nothing_is_found():
    nothing = Shown.of([])
    scores = {str(m): m.score(GOLD, nothing) for m in default_measures()}
    assert scores.pop("Noise@5") == 1.0
    assert set(scores.values()) == {0.0}
    assert parse_measure("PrecisionChunks@100t").score(GOLD, nothing) == 0.0
    assert parse_measure("PrecisionUnique@5").score(GOLD, nothing) == 0.0


def test_touching_is_not_a_hit():
    shown = Shown.of([(0, 0, 10, 3, 0.9), (0, 20, 30, 3, 0.8), (1, 10, 20, 3, 0.7)])
    assert parse_measure("Hit@3").score(GOLD, shown) == 0.0
    assert parse_measure("Hit@3").score(GOLD, Shown.of([(0, 19, 30, 3, 0.9)])) == 1.0


def test_what_was_shown_has_a_length():
    assert len(Shown.of([])) == 0
    assert len(Shown.of([(1, 0, 50, 9, 0.9)] * 3)) == 3


def test_the_cutoff_counts_pieces_and_a_budget_counts_all():
    shown = Shown.of([(1, 0, 50, 9, 0.9), (0, 0, 50, 8, 0.8)])
    assert parse_measure("Hit@1").score(GOLD, shown) == 0.0
    assert parse_measure("Hit@2").score(GOLD, shown) == 1.0
    assert parse_measure("Hit@1t").score(GOLD, shown) == 1.0
    assert parse_measure("Tokens@1").score(GOLD, shown) == 9.0
    assert parse_measure("Tokens@9t").score(GOLD, shown) == 17.0


def test_the_better_covered_alternative_counts_and_ties_go_to_the_shorter():
    gold = Gold(0, (np.array([[0, 10], [50, 60]]), np.array([[100, 140], [200, 210]])))
    shown = Shown.of([(0, 55, 60, 1, 0.9)])
    assert parse_measure("Recall@5").score(gold, shown) == 5 / (10 + 10)
    whole = Shown.of([(0, 50, 60, 1, 0.9), (0, 100, 140, 1, 0.8)])
    assert parse_measure("HitWhole@5").score(gold, whole) == 1.0
    assert parse_measure("HitWhole@1").score(gold, whole) == 0.0


def test_an_alternative_that_is_shown_too_is_no_noise():
    gold = Gold(0, (np.array([[0, 10], [50, 60]]),))
    both = Shown.of([(0, 0, 10, 1, 0.9), (0, 50, 60, 1, 0.8)])
    assert parse_measure("Noise@5").score(gold, both) == 0.0
    assert parse_measure("IoU@5").score(gold, both) == 1.0


def test_ndcg_knows_what_the_index_holds():
    rows = [(0, 0, 12, 3, 0.9), (1, 0, 12, 3, 0.8)]
    ndcg = parse_measure("nDCG@2")
    assert ndcg.score(GOLD, Shown.of(rows)) == 1.0
    assert ndcg.score(GOLD, Shown.of(rows, n_relevant=1)) == 1.0
    assert ndcg.score(GOLD, Shown.of(rows, n_relevant=2)) == pytest.approx(
        1 / (1 + 1 / math.log2(3))
    )
    assert ndcg.score(GOLD, Shown.of(rows, n_relevant=9)) == ndcg.score(
        GOLD, Shown.of(rows, n_relevant=2)
    )
    assert ndcg.score(GOLD, Shown.of(rows[1:], n_relevant=2)) == 0.0


def test_gold_of_a_question_uses_the_documents_number():
    question = Question("q", "b.md", "?", ((Span(1, 3), Span(5, 9)), (Span(10, 12),)))
    gold = Gold.of(question, {"a.md": 0, "b.md": 1})
    assert gold.doc == 1
    assert [slot.tolist() for slot in gold.slots] == [[[1, 3], [5, 9]], [[10, 12]]]


@pytest.mark.parametrize("slots", [([],), ([[3, 3]],), ([[1, 2]], [[5, 4]])])
def test_gold_without_characters_is_refused(slots):
    with pytest.raises(InvalidConfig, match="start < end"):
        Gold(0, slots)


def test_columns_of_what_was_shown_must_be_equally_long():
    one = np.zeros(1, np.int32)
    with pytest.raises(InvalidConfig, match=r"equally long, got \[1, 2\]"):
        Shown(one, one, one, one, np.zeros(2, np.float32))


def test_each_gold_needs_what_was_shown():
    with pytest.raises(InvalidConfig, match="got 1 and 0"):
        score_all([parse_measure("Hit@5")], [GOLD], [])


def test_the_share_under_the_threshold_leaves_nan_out():
    assert share_under([0.75, 0.7, 0.9, math.nan]) == pytest.approx(1 / 3)
    assert share_under([0.2, 0.6], threshold=0.5) == 0.5
    assert math.isnan(share_under([math.nan]))


def test_a_cutoff_is_at_least_one():
    with pytest.raises(InvalidConfig):
        Cutoff(0)
