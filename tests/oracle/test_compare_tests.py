"""Tests and corrections against scipy, and against ranx where it is installed."""

import importlib
import warnings

import numpy as np
import pytest

from seamline.compare import compare_to, detectable, flip_test, holm, questions_needed
from seamline.compare.intervals import flip_interval

stats = pytest.importorskip("scipy.stats", reason="scipy is a development dependency")

DOCUMENTS = {n: [f"d{i:03}" for i in range(n)] for n in (9, 10, 13, 40, 200)}


def by_document(n_documents, seed):
    """Differences of uneven documents, their labels and their sums."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(n_documents), rng.geometric(0.3, n_documents))
    values = rng.normal(0.1, 1, len(codes)) + rng.normal(0, 0.5, n_documents)[codes]
    return values, [f"d{code:03}" for code in codes], np.bincount(codes, values)


def total(sums, axis=-1):
    return sums.sum(axis=axis)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_documents", [10, 13])
def test_exact_p_is_that_of_scipys_permutation_test_of_the_documents_sums(n_documents, seed):
    values, labels, sums = by_document(n_documents, seed)
    theirs = stats.permutation_test(
        (sums,), total, permutation_type="samples", n_resamples=2**n_documents, vectorized=True
    )
    found = flip_test(values, labels)
    assert (found.exact, found.unit) == (True, "document")
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-12)


def test_questions_are_flipped_as_scipy_does_under_ten_documents():
    values = np.random.default_rng(3).normal(0.3, 1, 9)
    theirs = stats.permutation_test(
        (values,), total, permutation_type="samples", n_resamples=2**9, vectorized=True
    )
    assert flip_test(values, DOCUMENTS[9]).p == pytest.approx(theirs.pvalue, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_random_p_is_near_that_of_scipys(seed):
    values, labels, sums = by_document(40, seed)
    theirs = stats.permutation_test(
        (sums,),
        total,
        permutation_type="samples",
        n_resamples=20_000,
        vectorized=True,
        rng=np.random.default_rng(seed),
    )
    found = flip_test(values, labels)
    error = np.sqrt(theirs.pvalue * (1 - theirs.pvalue) * (1 / 10_000 + 1 / 20_000))
    assert not found.exact
    assert abs(found.p - theirs.pvalue) < 4 * error + 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_with_many_documents_of_one_question_it_is_students_paired_test(seed):
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.2, 0.8, 200)
    other = base + rng.normal(0.008, 0.1, 200)
    (one,) = compare_to({"a": base, "b": other}, DOCUMENTS[200], to="a")
    theirs = stats.ttest_rel(other, base)
    assert one.p == pytest.approx(theirs.pvalue, abs=0.02)
    low, high = theirs.confidence_interval()
    assert (one.low, one.high) == pytest.approx((low, high), abs=0.002)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_the_interval_at_students_critical_t_is_students(level):
    sums = np.random.default_rng(4).normal(1, 2, 25)
    t = stats.t.ppf((1 + level) / 2, 24)
    critical = t * np.sqrt(25 / (24 + t * t))  # the same point on the scale of the flips
    theirs = stats.ttest_1samp(sums, 0).confidence_interval(level)
    assert flip_interval(sums, np.ones(25), critical) == pytest.approx(tuple(theirs))


@pytest.mark.parametrize(("better", "n"), [(5, 5), (6, 6), (9, 11), (13, 14), (2, 8)])
def test_hits_and_misses_of_one_question_a_document_are_mcnemars_exact_test(better, n):
    values = np.zeros(40)
    values[:better], values[better:n] = 1.0, -1.0
    theirs = stats.binomtest(better, n, 0.5).pvalue
    assert flip_test(values, DOCUMENTS[40]).p == pytest.approx(theirs, abs=1e-12)


def test_holm_is_the_closed_test_of_bonferroni():
    """Of all sets of hypotheses that hold one: the largest Bonferroni p."""
    p = np.random.default_rng(5).uniform(0, 0.2, 6)
    sets = [[j for j in range(6) if bits >> j & 1] for bits in range(1, 64)]
    closed = [max(min(1, len(s) * p[s].min()) for s in sets if j in s) for j in range(6)]
    assert holm(p) == pytest.approx(closed)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
@pytest.mark.parametrize("alpha", [0.05, 0.001])
def test_the_formulas_are_those_of_the_normal_distribution(power, alpha):
    reach = stats.norm.isf(alpha / 2) + stats.norm.ppf(power)
    assert detectable(0.4, 1.7, 300, power=power, alpha=alpha) == pytest.approx(
        reach * 0.4 * np.sqrt(1.7 / 300)
    )
    needed = questions_needed(0.4, 1.7, 0.03, power=power, alpha=alpha)
    assert needed == np.ceil((reach * 0.4 / 0.03) ** 2 * 1.7)


def ranx_tests(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("ranx", reason="ranx is not installed")
        return getattr(importlib.import_module(f"ranx.statistical_tests.{name}"), name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("gain", [0.0, 0.02, 0.05])
def test_p_is_near_that_of_ranxs_randomisation_and_students_tests(gain):
    fisher, student = map(ranx_tests, ("fisher_randomization_test", "paired_student_t_test"))
    rng = np.random.default_rng(6)
    base = rng.uniform(0.2, 0.8, 200)
    other = base + gain + rng.normal(0, 0.15, 200)
    found = flip_test(other - base, DOCUMENTS[200]).p
    theirs = fisher(base, other, n_permutations=10_000, random_seed=1)[0]
    assert found == pytest.approx(theirs, abs=0.025)
    assert found == pytest.approx(student(base, other)[0], abs=0.025)
