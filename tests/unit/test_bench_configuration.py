"""Configurations: their names parse back, and every setting of one can be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamline.bench import run_bench
from seamline.bench.configuration import Configuration, configuration_of, parse_configuration
from seamline.config import BenchConfig
from seamline.errors import InvalidConfig, SeamlineError, UnknownName
from seamline.split import PRESETS, STRATEGIES
from seamline.types import Document, Question, Span

SPECS = st.sampled_from([*STRATEGIES.names(), *PRESETS, 'recursive(separators=["|", ". "])'])
RETRIEVERS = st.sampled_from(["dense", "bm25(b=0.5)", "hybrid(alpha=0.6, rerank=maxsim)"])


@given(SPECS, RETRIEVERS, st.booleans(), st.booleans())
def test_a_name_parses_back(strategy, retriever, dedupe, merge):
    words = ["dedupe"] * dedupe + ["merge"] * merge
    made = parse_configuration(" | ".join([strategy, retriever, *words]))
    assert (made.dedupe, made.merge) == (dedupe, merge)
    assert parse_configuration(str(made)) == made
    assert made.knobs.keys() >= {"strategy", "retriever", "dedupe", "merge"}


def test_a_strategy_alone_takes_the_retriever_at_hand():
    made = parse_configuration("fixed-256-25 | merge", retriever="bm25")
    assert str(made) == "fixed(size=256, overlap=25) | bm25 | merge"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", InvalidConfig, "at least one spec"),
        ("whole | bm", UnknownName, "did you mean 'bm25'"),
        ("whole | bm25 | marge", UnknownName, "did you mean 'merge'"),
        ("whole | bm25 | merge(x=1)", UnknownName, "only dedupe and merge can follow"),
        ("whole | bm25 | merge | merge", InvalidConfig, "must stand once"),
        ("whol | bm25", UnknownName, "did you mean 'whole'"),
        ("whole bm25", InvalidConfig, "expected '|'"),
    ],
)
def test_what_is_no_configuration_is_refused(text, error, message):
    with pytest.raises(error) as caught:
        parse_configuration(text)
    assert message in str(caught.value)
    assert isinstance(caught.value, SeamlineError)


def test_rows_say_what_they_were_measured_with_and_old_ones_leave_it_to_the_settings():
    document = Document.from_text("Press F5 to refresh. Press F1 for help.")
    question = Question("q1", "text", "How do I refresh?", ((Span(6, 8),),))
    config = BenchConfig(strategies=("fixed(size=8, overlap=0)",), retriever="bm25", merge=True)
    data = run_bench([document], [question], config).data
    [row] = data["strategies"]
    made = Configuration("fixed(size=8, overlap=0)", "bm25", merge=True)
    assert configuration_of(row, data["config"]) == made
    assert row["knobs"] == made.knobs
    old = {"spec": row["spec"]}
    assert configuration_of(old, data["config"]) == made


def test_a_splitter_of_somebody_else_has_a_name_and_no_parameters():
    assert Configuration("Splitter #2", "dense").knobs == {
        "strategy": "Splitter #2",
        "retriever": "dense",
        "dedupe": False,
        "merge": False,
    }
