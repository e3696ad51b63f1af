import statistics

import numpy as np
import pytest

from seamline.measure import size_distribution


def test_the_distribution_is_that_of_the_statistics_module():
    sizes = [3, 49, 50, 51, 999, 1000, 1001, 4000, 7]
    found = size_distribution(sizes)
    assert found.count == len(sizes)
    assert found.mean == pytest.approx(statistics.mean(sizes))
    assert found.median == statistics.median(sizes)
    assert found.sd == pytest.approx(statistics.pstdev(sizes))
    assert (found.min, found.max) == (3, 4000)
    assert found.under_50 == pytest.approx(3 / 9)
    assert found.over_1000 == pytest.approx(2 / 9)
    assert (found.p5, found.p95) == tuple(np.percentile(sizes, [5, 95]))


@pytest.mark.parametrize("top", [0, 1, 24, 25, 3999, 4000, 4001, 999_999, 1_000_000])
def test_every_chunk_is_in_the_histogram_and_no_bin_is_closed_on_the_right(top):
    sizes = np.array([0, 25, 50, top])
    found = size_distribution(sizes)
    assert sum(found.counts) == 4
    assert len(found.edges) == len(found.counts) + 1
    assert found.edges[-1] > top
    for low, high, n in zip(found.edges, found.edges[1:], found.counts, strict=False):
        assert n == ((sizes >= low) & (sizes < high)).sum()


def test_no_chunks_have_no_sizes():
    found = size_distribution([])
    assert (found.count, found.mean, found.max, sum(found.counts)) == (0, 0.0, 0, 0)


def test_one_chunk():
    found = size_distribution([70])
    assert (found.mean, found.sd, found.p5, found.p95) == (70.0, 0.0, 70.0, 70.0)


def test_the_dict_has_the_keys_of_the_results_file():
    assert list(size_distribution([1]).as_dict()) == [
        "count",
        "mean",
        "median",
        "sd",
        "min",
        "max",
        "p5",
        "p95",
        "under_50",
        "over_1000",
        "histogram",
    ]
    assert set(size_distribution([1]).as_dict()["histogram"]) == {"edges", "counts"}
