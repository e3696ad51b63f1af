"""Every measure of characters against brute-force sets of integers."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from seamline.measure import MEASURES, Cutoff, Gold, Shown, parse_measure, score_all

SIZE = 50


def span(least=1):
    return st.tuples(st.integers(0, SIZE), st.integers(least, 15)).map(
        lambda pair: (pair[0], sum(pair))
    )


slots = st.lists(st.lists(span(), min_size=1, max_size=3, unique=True), min_size=1, max_size=3)
pieces = st.lists(st.tuples(st.integers(0, 2), span(0), st.integers(0, 9)), max_size=7)
cutoffs = st.one_of(st.builds(Cutoff, st.integers(1, 8)), st.just(Cutoff(1000, in_tokens=True)))


def chars(*spans):
    return {offset for start, end in spans for offset in range(start, end)}


def gold_of(rows):
    return Gold(1, tuple(np.array(slot, dtype=np.int64) for slot in rows))


def shown_of(rows):
    return Shown.of((doc, start, end, tokens, 0.5) for doc, (start, end), tokens in rows)


class Brute:
    """The same counts from sets of (document, offset)."""

    def __init__(self, slots, pieces, cutoff):
        kept = pieces[: cutoff.k]
        self.here = chars(*(span for doc, span, _ in kept if doc == 1))
        self.unique = {(doc, offset) for doc, span, _ in kept for offset in chars(span)}
        self.shown = sum(end - start for _, (start, end), _ in kept)
        self.every = chars(*(span for slot in slots for span in slot))
        self.relevant = [doc == 1 and bool(chars(span) & self.every) for doc, span, _ in kept]
        self.gold = set()
        for slot in slots:
            best = max(
                slot, key=lambda s: (len(chars(s) & self.here) / len(chars(s)), -len(chars(s)))
            )
            self.gold |= chars(best)
        self.whole = all(any(chars(s) <= self.here for s in slot) for slot in slots)
        self.covered = len(self.gold & self.here)
        self.right = len(self.every & self.here)


def expected(name, brute, cutoff):
    precision = brute.right / brute.shown if brute.shown else 0.0
    k = cutoff.k or len(brute.relevant)
    first = brute.relevant.index(True) + 1 if any(brute.relevant) else 0
    return {
        "Hit": float(any(brute.relevant)),
        "HitWhole": float(brute.whole),
        "Recall": brute.covered / len(brute.gold),
        "Precision": precision,
        "PrecisionUnique": brute.right / len(brute.unique) if brute.unique else 0.0,
        "IoU": brute.covered / (len(brute.gold) + brute.shown - brute.right),
        "Noise": 1 - precision,
        "PrecisionChunks": sum(brute.relevant) / k if k else 0.0,
        "MRR": 1 / first if first else 0.0,
    }[name]


@pytest.mark.parametrize(
    "name", [name for name in MEASURES if name not in ("nDCG", "Tokens", "Similarity")]
)
@given(slots=slots, pieces=pieces, cutoff=cutoffs)
def test_a_measure_is_what_sets_of_characters_say(name, slots, pieces, cutoff):
    found = MEASURES[name](cutoff).score(gold_of(slots), shown_of(pieces))
    assert found == pytest.approx(expected(name, Brute(slots, pieces, cutoff), cutoff))


def score(name, slots, pieces, cutoff):
    return MEASURES[name](cutoff).score(gold_of(slots), shown_of(pieces))


@given(slots, pieces, cutoffs)
def test_all_shares_are_bounded_and_their_identities_hold(slots, pieces, cutoff):
    values = {
        name: score(name, slots, pieces, cutoff)
        for name in MEASURES
        if name not in ("Tokens", "Similarity")
    }
    assert all(0.0 <= value <= 1.0 for value in values.values()), values
    assert values["Noise"] == 1 - values["Precision"]
    tiny = 1e-12
    assert values["IoU"] <= min(values["Recall"], values["Precision"]) + tiny
    assert values["Precision"] <= values["PrecisionUnique"] + tiny
    assert values["HitWhole"] <= values["Recall"] + tiny
    assert values["HitWhole"] <= values["Hit"]
    assert (values["Recall"] > 0) == (values["Hit"] == 1) == (values["MRR"] > 0)
    assert (values["Recall"] == 1) == (values["HitWhole"] == 1)


@given(slots, pieces, pieces)
def test_for_single_spans_more_pieces_never_lower_recall(slots, pieces, more):
    single = [slot[:1] for slot in slots]
    cutoff = Cutoff(1000, in_tokens=True)
    for name in ("Recall", "Hit", "HitWhole"):
        assert score(name, single, pieces, cutoff) <= score(name, single, pieces + more, cutoff)


@given(slots, pieces)
def test_repeating_a_piece_costs_precision_but_not_unique_precision(slots, pieces):
    assume(pieces)
    cutoff = Cutoff(1000, in_tokens=True)
    for name in ("Recall", "PrecisionUnique", "Hit", "HitWhole"):
        assert score(name, slots, pieces * 2, cutoff) == score(name, slots, pieces, cutoff)
    once, twice = (score("Precision", slots, rows, cutoff) for rows in (pieces, pieces * 2))
    assert twice == pytest.approx(once / 2)


@given(slots, pieces)
def test_for_gold_without_alternatives_shown_once_iou_is_that_of_sets(slots, pieces):
    single = [slot[:1] for slot in slots]
    once, seen = [], set()
    for doc, (start, end), tokens in pieces:
        if not seen & {(doc, offset) for offset in range(start, end)}:
            once.append((doc, (start, end), tokens))
            seen |= {(doc, offset) for offset in range(start, end)}
    gold = {(1, offset) for offset in chars(*(slot[0] for slot in single))}
    found = score("IoU", single, once, Cutoff(100))
    assert found == pytest.approx(len(gold & seen) / len(gold | seen))


@given(st.lists(st.tuples(slots | st.just([]), pieces), max_size=4))
def test_scoring_many_equals_scoring_each(questions):
    measures = [
        parse_measure(name)
        for name in ("Recall@3", "nDCG@3", "Tokens@1", "Precision@1000t", "Similarity@1", "MRR@2")
    ]
    golds = [gold_of(slots) for slots, _ in questions]
    shown = [shown_of(pieces) for _, pieces in questions]
    table = score_all(measures, golds, shown)
    for row, (gold, seen) in enumerate(zip(golds, shown, strict=True)):
        each = [measure.score(gold, seen) for measure in measures]
        np.testing.assert_array_equal(table[row], each)
        assert all(map(math.isnan, each)) == (not gold.slots)
        assert any(map(math.isnan, each)) == (not gold.slots)
