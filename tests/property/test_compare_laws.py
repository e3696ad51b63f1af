import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamline.compare import mean_intervals, wilson_interval

shares = st.one_of(st.sampled_from([0.0, 1.0, float("nan")]), st.floats(0, 1, width=16))


@st.composite
def samples(draw):
    n = draw(st.integers(1, 40))
    values = draw(st.lists(shares, min_size=n, max_size=n))
    clusters = draw(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=n, max_size=n))
    return np.array(values)[:, None], clusters


@settings(deadline=None)
@given(samples(), st.integers(0, 9))
def test_an_interval_of_shares_holds_its_mean_and_stays_in_0_to_1(sample, seed):
    values, clusters = sample
    (found,) = mean_intervals(
        values, clusters, rng=np.random.default_rng(seed), shares=True, n_resamples=200
    )
    if found.method is None:
        kept = values[~np.isnan(values)]
        assert len(kept) < 5 or np.ptp(kept) < 1e-9
        assert found.low is found.high is None
    else:
        mean = float(np.nanmean(values))
        assert 0 <= found.low <= mean + 1e-12
        assert mean - 1e-12 <= found.high <= 1


@settings(deadline=None)
@given(samples())
def test_the_names_of_documents_do_not_matter(sample):
    values, clusters = sample
    renamed = [f"x{ord(name):03}" for name in clusters]
    ends = [
        mean_intervals(values, names, rng=np.random.default_rng(1), n_resamples=100)
        for names in (clusters, renamed)
    ]
    assert ends[0] == ends[1]


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_mirrors(case):
    hits, n = case
    low, high = wilson_interval(hits, n)
    assert 0 <= low <= hits / n + 1e-12
    assert hits / n - 1e-12 <= high <= 1
    assert wilson_interval(n - hits, n) == pytest.approx((1 - high, 1 - low))
