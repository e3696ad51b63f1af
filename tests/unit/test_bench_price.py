"""What is cheap: tokens shown, then the index; the index alone; the time to rank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.bench.price import PREFER, Price, shown_measure
from seamline.bench.results import price_of, rank_key

COST = {"vector_bytes": 6_000, "indexed_tokens": 1_000, "embedding_tokens": 900, "chunks": 4}


def test_an_index_is_its_vectors_and_its_text():
    assert Price.of(COST, "fixed(size=256)").index_bytes == 6_000 + 4 * 1_000


def test_what_recurs_with_every_question_comes_before_the_index():
    few, many = Price(500.0, 9_000, 900, 9), Price(1_000.0, 1_000, 100, 1)
    assert few.key("tokens") < many.key("tokens")
    assert few.key("index") > many.key("index")


def test_time_counts_where_it_is_preferred_only():
    slow, fast = Price(None, 100, 0, 1, seconds=0.1), Price(None, 9_000, 0, 9, seconds=0.01)
    assert fast.key("latency") < slow.key("latency")
    assert fast.key("tokens") > slow.key("tokens")


def test_without_vectors_the_index_is_smaller():
    vectors = Price.of(COST, "whole")
    words = Price.of({**COST, "vector_bytes": 0, "embedding_tokens": 0}, "whole")
    assert words.key() < vectors.key()


def test_sizes_within_a_few_percent_are_alike_and_then_embedding_decides():
    one, other = Price(None, 100_000, 9_000, 9), Price(None, 101_000, 4_000, 9)
    assert other.key() < one.key()


def test_of_equal_ones_that_with_a_limit_is_preferred():
    whole, fixed = Price.of(COST, "whole"), Price.of(COST, "fixed(size=512, overlap=50)")
    assert fixed.key() < whole.key()
    assert Price.of(COST, "A splitter | of (mine") == Price.of(COST, "fixed")


@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=2), st.sampled_from(PREFER))
def test_more_of_anything_is_never_cheaper(sizes, prefer):
    low, high = sorted(sizes)
    for field in ("shown", "index_bytes", "embedding_tokens", "chunks", "seconds"):
        usual = {"shown": 5.0, "index_bytes": 5, "embedding_tokens": 5, "chunks": 5}
        less, more = Price(**{**usual, field: low}), Price(**{**usual, field: high})
        assert less.key(prefer) <= more.key(prefer)


@pytest.mark.parametrize(
    ("primary", "measured", "name"),
    [
        ("Recall@5", ["Recall@5", "Tokens@5"], "Tokens@5"),
        ("Recall@5", ["Recall@5", "Tokens@3"], None),
        ("Recall@1000t", ["Recall@1000t", "Tokens@1000t"], None),
        ("Containment", ["Containment", "Tokens@3"], "Tokens@3"),
    ],
)
def test_tokens_shown_are_those_within_the_cutoff(primary, measured, name):
    assert shown_measure({"primary": primary, "k": 3}, measured) == name


def test_the_price_of_a_row_holds_the_tokens_it_shows():
    row = {
        "spec": "whole | bm25",
        "strategy": "whole",
        "cost": COST,
        "measures": {"Recall@5": {"mean": 0.5}, "Tokens@5": {"mean": 321.5}},
    }
    price = price_of(row, {"primary": "Recall@5", "k": 5}, seconds=0.25)
    assert (price.shown, price.seconds, price.unlimited) == (321.5, 0.25, True)


def test_the_best_mean_comes_first_then_the_cheapest_and_no_mean_last():
    cheap, dear = Price(None, 1, 1, 1), Price(None, 9_000, 1, 1)

    def order(*rows, lower=False):
        return [row[2] for row in sorted(rank_key(*row, lower=lower) for row in rows)]

    rows = (0.5, dear, "a"), (None, cheap, "b"), (0.5, cheap, "c"), (0.9, dear, "d")
    assert order(*rows) == ["d", "c", "a", "b"]
    assert order(*rows, lower=True) == ["c", "a", "d", "b"]
