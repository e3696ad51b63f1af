"""scipy.stats.bootstrap draws documents in the same order, so the ends must agree."""

import numpy as np
import pytest

from seamline.compare import mean_intervals
from seamline.compare.bootstrap import STUDENTISED_BELOW

stats = pytest.importorskip("scipy.stats", reason="scipy is a development dependency")


def scipy_interval(values, codes, seed):
    sums = np.bincount(codes, values)
    counts = np.bincount(codes)

    def mean(units, axis=-1):
        return sums[units].sum(axis=axis) / counts[units].sum(axis=axis)

    units = (np.arange(len(sums)),)
    found = stats.bootstrap(
        units, mean, n_resamples=999, method="BCa", rng=np.random.default_rng(seed).spawn(1)[0]
    )
    return found.confidence_interval


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", ["even", "uneven", "skewed"])
def test_bca_ends_equal_scipys(seed, shape):
    rng = np.random.default_rng(100 + seed)
    sizes = np.full(130, 3) if shape == "even" else rng.geometric(0.2, 130)
    codes = np.repeat(np.arange(130), sizes)
    values = rng.random(len(codes)) ** (8 if shape == "skewed" else 1)
    expected = scipy_interval(values, codes, seed)
    labels = [f"d{code:03}" for code in codes]
    (found,) = mean_intervals(
        values[:, None], labels, rng=np.random.default_rng(seed), n_resamples=999
    )
    assert found.method == "cluster-bca"
    assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_studentised_and_bca_agree_where_there_are_many_documents(seed, monkeypatch):
    rng = np.random.default_rng(200 + seed)
    values = rng.random((400, 1))
    labels = [f"d{i // 2:03}" for i in range(400)]
    assert STUDENTISED_BELOW <= 200
    (bca,) = mean_intervals(values, labels, rng=np.random.default_rng(seed))
    monkeypatch.setattr("seamline.compare.bootstrap.STUDENTISED_BELOW", 201)
    (t,) = mean_intervals(values, labels, rng=np.random.default_rng(seed))
    assert t.method == "cluster-t"
    assert (t.low, t.high) == pytest.approx((bca.low, bca.high), abs=0.003)
