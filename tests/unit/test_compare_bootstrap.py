import numpy as np
import pytest

from seamline.compare import Interval, mean_intervals, wilson_interval
from seamline.errors import InvalidConfig


def intervals(columns, clusters, *, seed=0, **options):
    values = np.column_stack(columns)
    return mean_intervals(values, clusters, rng=np.random.default_rng(seed), **options)


def documents(n_documents, each):
    return [f"d{i:03}" for i in range(n_documents) for _ in range(each)]


def ends(interval):
    return (interval.low, interval.high)


def test_wilson_matches_the_textbook_value_of_5_out_of_20():
    assert wilson_interval(5, 20) == pytest.approx((0.11186, 0.46870), abs=1e-5)


@pytest.mark.parametrize(("hits", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_counts_that_are_no_rate(hits, n):
    with pytest.raises(InvalidConfig, match="0 <= hits <= n"):
        wilson_interval(hits, n)


def test_a_constant_rate_gets_the_wilson_interval_and_not_a_point():
    (interval,) = intervals([np.ones(60)], documents(20, 3), shares=True)
    assert interval == Interval(*wilson_interval(60, 60), "wilson")
    assert interval.low < 0.95


@pytest.mark.parametrize("constant", [0.0, 0.5, 812.0])
def test_a_constant_that_is_no_rate_has_no_interval(constant):
    (interval,) = intervals([np.full(60, constant)], documents(20, 3))
    assert interval == Interval(None, None, None)


def test_a_constant_share_between_0_and_1_has_no_interval():
    (interval,) = intervals([np.full(60, 0.5)], documents(20, 3), shares=True)
    assert interval == Interval(None, None, None)


def test_a_column_without_values_has_no_interval():
    (interval,) = intervals([np.full(60, np.nan)], documents(20, 3), shares=True)
    assert interval == Interval(None, None, None)


def test_four_values_are_too_few_to_resample():
    labels = documents(2, 3)
    five = [0.1, 0.2, 0.4, 0.8, 0.9, np.nan]
    four, enough = intervals([[np.nan, *five[1:]], five], labels)
    assert four == Interval(None, None, None)
    assert enough.method == "question-t"


def test_the_label_says_what_was_drawn_again():
    rng = np.random.default_rng(1)
    few, some, many = documents(9, 40), documents(20, 18), documents(120, 3)
    values = rng.random(360)
    assert intervals([values], few)[0].method == "question-bca"
    assert intervals([values], some)[0].method == "cluster-t"
    assert intervals([values], many)[0].method == "cluster-bca"
    assert intervals([values[:12]], documents(3, 4))[0].method == "question-t"


def test_a_rate_on_few_documents_gets_the_wilson_interval_of_its_questions():
    hits = np.tile([1.0, 1.0, 0.0], 10)
    (interval,) = intervals([hits], documents(3, 10), shares=True)
    assert interval == Interval(*wilson_interval(20, 30), "wilson")


def test_documents_that_look_all_alike_fall_back_to_questions():
    half = np.tile([0.25, 0.75], 15)
    (interval,) = intervals([half], documents(15, 2), shares=True)
    assert interval.method == "question-t"
    assert interval.low < 0.5 < interval.high


def test_questions_left_out_are_left_out_of_their_column_only():
    rng = np.random.default_rng(2)
    values = rng.random(60)
    holed = values.copy()
    holed[::4] = np.nan
    labels = documents(20, 3)
    kept = [label for i, label in enumerate(labels) if i % 4]
    whole, part = intervals([values, holed], labels)
    alone = intervals([values[np.arange(60) % 4 != 0]], kept)[0]
    assert ends(whole) == pytest.approx(ends(intervals([values], labels)[0]))
    assert ends(part) == pytest.approx(ends(alone))


def test_an_interval_does_not_depend_on_other_columns():
    rng = np.random.default_rng(9)
    values, same_everywhere = rng.random(60), np.tile([0.25, 0.75], 30)
    labels = documents(30, 2)
    both = intervals([values, same_everywhere], labels)
    assert [interval.method for interval in both] == ["cluster-t", "question-t"]
    (alone,) = intervals([same_everywhere], labels)
    assert ends(both[1]) == pytest.approx(ends(alone))


def test_a_paired_difference_is_tighter_than_its_sides():
    rng = np.random.default_rng(3)
    ease = np.repeat(rng.random(40), 5)
    a, b = ease + 0.1 * rng.random(200), ease + 0.1 * rng.random(200)
    side, difference = intervals([a, a - b], documents(40, 5))
    assert difference.high - difference.low < (side.high - side.low) / 5


def test_documents_count_and_not_questions_where_they_differ():
    hits = np.repeat(np.arange(40) % 2, 25).astype(float)
    (by_document,) = intervals([hits], documents(40, 25), shares=True)
    (as_if_apart,) = intervals([hits], [f"q{i}" for i in range(1000)], shares=True)
    assert by_document.high - by_document.low > 4 * (as_if_apart.high - as_if_apart.low)


def test_a_share_stays_between_0_and_1():
    rng = np.random.default_rng(4)
    columns = [rng.integers(0, 2, 40) * rng.uniform(0.0, 1.0, 40) ** 8 for _ in range(300)]
    for interval in intervals(columns, documents(10, 4), shares=True):
        assert 0.0 <= interval.low <= interval.high <= 1.0


def test_the_same_seed_gives_the_same_interval_and_another_seed_another():
    values = np.random.default_rng(5).random(90)
    first, again, other = (
        intervals([values], documents(30, 3), seed=seed)[0] for seed in (7, 7, 8)
    )
    assert first == again
    assert first != other


def test_resampling_in_blocks_changes_nothing(monkeypatch):
    values = np.random.default_rng(6).random(240)
    whole = intervals([values], documents(120, 2))
    monkeypatch.setattr("seamline.compare.bootstrap._BLOCK", 7 * 120)
    assert ends(intervals([values], documents(120, 2))[0]) == pytest.approx(ends(whole[0]))


def test_a_handful_of_resamples_is_refused():
    with pytest.raises(InvalidConfig, match="at least 100"):
        intervals([np.arange(30.0)], documents(15, 2), n_resamples=99)


def test_one_cluster_a_row_is_asked_for():
    with pytest.raises(InvalidConfig, match="one cluster a question"):
        intervals([np.ones(3)], ["a", "b"])


@pytest.mark.parametrize("n_documents", [10, 20, 40])
def test_95_percent_intervals_cover_at_least_93_percent_on_clustered_answers(n_documents):
    rng = np.random.default_rng(8)
    ease = rng.beta(6.3, 2.7, (n_documents, 600))  # mean 0.7, correlation 0.1
    answers = (rng.random((n_documents * 10, 600)) < np.repeat(ease, 10, axis=0)).astype(float)
    found = mean_intervals(answers, documents(n_documents, 10), rng=rng, shares=True)
    assert np.mean([i.low <= 0.7 <= i.high for i in found]) >= 0.93


@pytest.mark.parametrize("n_misses", [1, 2, 3, 5])
@pytest.mark.parametrize("shares", [True, False])
def test_a_few_unlike_values_do_not_blow_the_interval_up(n_misses, shares):
    values = np.ones(92)
    values[:n_misses] = np.linspace(0.0, 0.5, n_misses)
    (interval,) = intervals([values], documents(4, 23), shares=shares)
    assert interval.low > 0.8
    assert interval.high - interval.low < 0.15
