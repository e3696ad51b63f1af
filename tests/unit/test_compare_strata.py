import numpy as np
import pytest

from seamline.compare import compare_to, strata, worst_stratum
from seamline.errors import InvalidConfig, UnknownName


def documents(n_documents, each):
    return [f"d{i:03}" for i in range(n_documents) for _ in range(each)]


@pytest.fixture
def split():
    """Twenty documents with two kinds of question: on tables b is far worse, else a little better."""
    rng = np.random.default_rng(0)
    labels = documents(20, 4)
    groups = [["table"] if i % 4 == 0 else ["prose"] for i in range(80)]
    a = rng.uniform(0.4, 0.6, 80)
    gain = np.array([-0.3 if own == ["table"] else 0.05 for own in groups])
    return {"a": a, "b": a + gain + rng.normal(0, 0.02, 80)}, labels, groups


def test_each_part_is_compared_by_itself_and_the_worst_is_named(split):
    values, labels, groups = split
    prose, table = strata(values, labels, groups, name="b", to="a")
    assert (prose.label, table.label) == ("prose", "table")
    assert (prose.comparison.verdict, table.comparison.verdict) == ("BETTER", "WORSE")
    assert (prose.comparison.n, table.comparison.n) == (60, 20)
    assert prose.supported
    assert table.supported
    assert worst_stratum([prose, table]) is table
    assert worst_stratum([prose, table], lower_is_better=True) is prose


def test_p_is_corrected_for_looking_into_all_parts(split):
    values, labels, groups = split
    found = strata(values, labels, groups, name="b", to="a")
    for one in found:
        rows = [i for i, own in enumerate(groups) if own == [one.label]]
        some = {key: own[rows] for key, own in values.items()}
        (alone,) = compare_to({"a": some["a"], "b": some["b"]}, [labels[i] for i in rows], to="a")
        assert one.comparison.mean == alone.mean
        assert one.comparison.p == alone.p
        assert one.comparison.p_adjusted == min(1.0, 2 * alone.p)
        assert one.comparison.high_all >= alone.high_all


def test_a_question_may_have_several_labels_or_none():
    groups = [["x", "y"], ["y"], [], ["x", "x"]]
    values = {"a": [1.0, 0.0, 9.0, 0.5], "b": [0.0, 0.0, 0.0, 0.0]}
    found = {one.label: one.comparison for one in strata(values, "abcd", groups, name="a", to="b")}
    assert {label: (one.n, one.mean) for label, one in found.items()} == {
        "x": (2, 0.75),
        "y": (2, 0.5),
    }


@pytest.mark.parametrize(
    ("n_documents", "each", "enough"), [(9, 5, False), (14, 1, False), (15, 1, True)]
)
def test_few_documents_or_questions_claim_nothing(n_documents, each, enough):
    labels = documents(n_documents, each)
    values = {"a": np.linspace(0, 1, len(labels)), "b": np.zeros(len(labels))}
    (one,) = strata(values, labels, [["t"]] * len(labels), name="a", to="b")
    assert one.supported is enough


def test_parts_without_a_value_are_never_the_worst():
    values = {"a": [np.nan, 0.1], "b": [0.2, 0.3]}
    found = strata(values, "xy", [["empty"], ["full"]], name="a", to="b")
    assert worst_stratum(found).label == "full"
    assert worst_stratum(found[:1]) is None
    assert worst_stratum([]) is None


def test_what_does_not_fit_is_refused():
    values = {"a": [0.1], "b": [0.2]}
    with pytest.raises(InvalidConfig, match="must have its labels, got 2 for 1"):
        strata(values, "x", [["t"], ["t"]], name="a", to="b")
    with pytest.raises(UnknownName, match="no strategy 'c'"):
        strata(values, "x", [["t"]], name="a", to="c")
