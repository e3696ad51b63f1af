"""Rank measures against ranx and ir_measures on random runs."""

import warnings

import numpy as np
import pytest

from seamline.measure import Gold, Shown, parse_measure, score_all

KS = (1, 3, 5, 10)
N_QUESTIONS = 200
NAMES = ("MRR", "nDCG", "Hit", "PrecisionChunks")


@pytest.fixture(scope="module")
def runs():
    """Questions over an index of 40 pieces a document, and a random ranking of each."""
    rng = np.random.default_rng(2)
    golds, shown, relevant, ranked = [], [], [], []
    for _ in range(N_QUESTIONS):
        starts = rng.integers(0, 360, rng.integers(1, 4))
        gold = Gold(0, tuple(np.array([[start, start + 25]]) for start in starts))
        index = [(doc, 20 * i, 20 * i + 20) for doc in (0, 1) for i in range(20)]
        good = [
            i for i, (doc, start, end) in enumerate(index) if doc == 0 and gold.overlaps(start, end)
        ]
        order = rng.permutation(len(index))[: rng.integers(1, 25)].tolist()
        rows = [(*index[i], 5, 1 - rank / 100) for rank, i in enumerate(order)]
        golds.append(gold)
        shown.append(Shown.of(rows, n_relevant=len(good)))
        relevant.append({f"p{i}": 1 for i in good})
        ranked.append({f"p{i}": 1 - rank / 100 for rank, i in enumerate(order)})
    assert all(relevant)
    return golds, shown, relevant, ranked


def ours(runs, name, k):
    golds, shown, _, _ = runs
    return score_all([parse_measure(f"{name}@{k}")], golds, shown)[:, 0]


def named(rows):
    return {f"q{i:03}": row for i, row in enumerate(rows)}


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("name", NAMES)
def test_ranks_equal_those_of_ir_measures(runs, name, k):
    oracle = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    theirs = {"MRR": "RR", "nDCG": "nDCG", "Hit": "Success", "PrecisionChunks": "P"}
    measure = oracle.parse_measure(f"{theirs[name]}@{k}")
    _, _, relevant, ranked = runs
    rows = oracle.iter_calc([measure], named(relevant), named(ranked))
    values = {row.query_id: row.value for row in rows}
    expected = [values[f"q{i:03}"] for i in range(N_QUESTIONS)]
    np.testing.assert_allclose(ours(runs, name, k), expected, atol=1e-9)


@pytest.mark.parametrize("k", KS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_ranks_equal_those_of_ranx(runs, name, k):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle = pytest.importorskip("ranx", reason="ranx is not installed")
    theirs = {"MRR": "mrr", "nDCG": "ndcg", "Hit": "hit_rate", "PrecisionChunks": "precision"}
    _, _, relevant, ranked = runs
    expected = oracle.evaluate(
        oracle.Qrels(named(relevant)),
        oracle.Run(named(ranked)),
        f"{theirs[name]}@{k}",
        return_mean=False,
    )
    np.testing.assert_allclose(ours(runs, name, k), expected, atol=1e-9)
