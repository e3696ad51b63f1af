"""Sweeps under a budget: what is tried on a part, what is dropped, what is said of it."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_bench_run import Letters

from seamline.bench import run_sweep
from seamline.bench.allowance import Allowance, Budget
from seamline.bench.configuration import Configuration
from seamline.bench.race import Race, _ordered
from seamline.bench.rung import parts_of
from seamline.config import BenchConfig
from seamline.embed.cache import CachedEmbedder
from seamline.errors import BudgetSpent, InvalidConfig
from seamline.types import Document, Question, Span

TOPICS = "pump belt valve motor crane lathe press drill forge wheel gauge clamp".split()
FILL = "Nothing of interest happens here, and that is said at some length. "


def corpus(n):
    """Documents of three sentences that say something, each asked about, with filler between."""
    documents, questions = [], []
    for i in range(n):
        said = [f"The {topic} of hall {i} wants oil number {i}{j}." for j, topic in topics(i)]
        text = FILL.join(f"{sentence} " for sentence in said) + FILL
        documents.append(Document.from_text(text, f"d{i:02}"))
        for j, sentence in enumerate(said):
            start = text.index(sentence)
            span = Span(start, start + len(sentence))
            about = f"What does the {topics(i)[j][1]} of hall {i} want?"
            questions.append(Question(f"q{i:02}-{j}", f"d{i:02}", about, ((span,),)))
    return documents, questions


def topics(i):
    return list(enumerate(TOPICS[(i + j) % len(TOPICS)] for j in range(3)))


GOOD = "sentence(size=16, unit=words)"
GRID = {
    "strategies": [
        f"{GOOD}",
        "sentence(size=24, unit=words)",
        "fixed(size=3, unit=words)",
        "whole",
    ],
    "retrievers": ["hybrid", "bm25"],
}


def sweep(n, grid=GRID, **given):
    documents, questions = corpus(n)
    parts = {key: given.pop(key) for key in ("embedder", "progress") if key in given}
    settings = {"grid": grid, "budget": 20, "budgets": [10, 20], "scope": "document"} | given
    limits = {key: settings.pop(key) for key in ("minutes", "embed_calls") if key in settings}
    return run_sweep(
        documents,
        questions,
        BenchConfig(**settings),
        budget=Budget(**limits),
        embedder=parts.pop("embedder", None) or Letters(),
        **parts,
    )


def specs(results):
    return [row["spec"] for row in results.data["strategies"]]


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 5))
def test_parts_are_nested_shares_of_those_with_and_without_questions(n, n_asked, seed):
    documents = [Document.from_text("x" * (i % 7), f"{i}") for i in range(n)]
    asked = {f"{i}" for i in range(min(n, n_asked))}
    questions = [Question(f"q{one}", one, "?", ((Span(0, 0),),)) for one in sorted(asked)]
    unasked = [Question(f"u{one.id}", one.id, "?", ()) for one in documents]
    found = parts_of(documents, [*questions, *unasked], seed=seed)
    assert found == parts_of(list(reversed(documents)), questions, seed=seed)
    if len(asked) < 4:
        assert found == []
        return
    for part, share in zip(found, (4, 2), strict=False):
        for group in (asked, {one.id for one in documents} - asked):
            blocks, rest = divmod(len(group), 4)
            least = blocks * 4 // share
            assert least <= len(part & group) <= least + min(rest, 4 // share)
    assert len(found) == 1 or found[0] < found[1]
    assert len(found) == 1 or len(found[1] & asked) >= 6


def test_parts_are_drawn_by_kind_and_size():
    documents = [
        Document.from_text("x" * size, f"{kind} {size}", media_type=kind)
        for kind in ("text/plain", "text/markdown")
        for size in (1, 2, 3, 4, 100, 200, 300, 400)
    ]
    questions = [Question(one.id, one.id, "?", ((Span(0, 1),),)) for one in documents]
    for seed in range(5):
        quarter, half = parts_of(documents, questions, seed=seed)
        drawn = [one for one in documents if one.id in quarter]
        assert [one.media_type for one in drawn] == ["text/plain"] * 2 + ["text/markdown"] * 2
        assert [len(one.text) >= 100 for one in drawn] == [False, True] * 2
        assert len(half) == 8
    assert parts_of(documents, questions, seed=0) != parts_of(documents, questions, seed=1)


def test_what_cannot_win_is_dropped_on_a_part_and_said():
    results = sweep(48, embed_calls=600)
    dropped = {row["spec"]: row for row in results.data["dropped"]}
    assert "whole | bm25" in dropped
    why = dropped["whole | bm25"]
    assert why["why"].startswith("not within 0.02 of the best on 12 documents: one that is would")
    assert why["n"] == 36
    assert why["difference"] < -0.1
    assert why["mean"] < 0.9
    assert {*specs(results), *dropped} == set(specs(sweep(48)))
    (note,) = (note for note in results.data["notes"] if "race" in note)
    n = sum("not within" in row["why"] for row in dropped.values())
    assert note.startswith(f"a race on 12 documents dropped {n} of 8 configurations: the cheapest")
    assert "with a probability of at most 2.5%" in note


def test_who_is_measured_has_the_row_that_it_has_without_a_budget():
    whole = {row["spec"]: row for row in sweep(48).data["strategies"]}
    for row in sweep(48, embed_calls=600).data["strategies"]:
        own = whole[row["spec"]]
        assert row["retrieved"] == own["retrieved"]
        values = [one["measures"]["Recall@20t"]["values"] for one in (row, own)]
        assert values[0] == values[1]


def test_the_same_budget_gives_the_same_bytes_and_another_seed_other_parts():
    first, again = (sweep(48, embed_calls=600).dumps() for _ in range(2))
    assert first == again
    assert (
        sweep(48, embed_calls=600, seed=1).data["dropped"]
        != sweep(48, embed_calls=600).data["dropped"]
    )


def test_without_a_margin_only_the_best_is_sought():
    results = sweep(48, embed_calls=600, margin=0.0)
    assert any(row["why"].startswith("not the best on 12") for row in results.data["dropped"])


def test_where_all_fits_nothing_is_dropped():
    results = sweep(48, embed_calls=100_000)
    assert results.data["dropped"] == []
    assert not any("race" in note for note in results.data["notes"])
    assert specs(results) == specs(sweep(48))


@pytest.mark.parametrize("n", [1, 3])
def test_few_documents_are_no_race(n):
    stages = []
    sweep(n, embed_calls=10_000, progress=lambda stage, *_: stages.append(stage))
    assert "configurations" in stages
    assert "race" not in stages


def test_the_best_of_the_part_go_first_and_those_of_one_strategy_together():
    told = []

    def progress(stage, name, *_):
        if stage == "configurations":
            told.append(name)

    sweep(8, embed_calls=10_000, progress=progress)
    cuts = [name.split(" | ")[0] for name in told]
    assert [cut for i, cut in enumerate(cuts) if i == 0 or cuts[i - 1] != cut] == list(
        dict.fromkeys(cuts)
    )
    assert cuts[-1] == "whole"


def test_finding_out_why_questions_failed_is_told_as_the_last_part():
    told = []
    results = sweep(8, progress=lambda *event: told.append(event))
    names = [row["spec"] for row in results.data["diagnosis"]]
    explained = [event for event in told if event[0] == "explained"]
    assert explained == [("explained", name, i, len(names)) for i, name in enumerate(names)]
    after = {stage for stage, *_ in told[told.index(explained[0]) :]}
    assert "explain" in after
    assert "configurations" not in after


def test_no_more_texts_are_embedded_than_allowed():
    for limit in (0, 30, 80, 200, 500):
        embedder = Letters()
        if limit < 24:
            with pytest.raises(InvalidConfig, match=f"one configuration, got {limit}: at most"):
                sweep(8, embed_calls=limit, embedder=embedder)
        else:
            results = sweep(8, embed_calls=limit, embedder=embedder)
            left = {row["spec"] for row in results.data["dropped"]}
            assert {*specs(results), *left} == set(specs(sweep(8)))
        assert len(embedder.texts) <= limit


def test_a_budget_that_is_too_small_for_all_but_words_measures_these():
    results = sweep(8, embed_calls=24)
    assert [spec.split(" | ")[1] for spec in specs(results)] == ["bm25"] * 4
    assert {row["why"] for row in results.data["dropped"]} == {
        "the budget ended before it was tried"
    }
    assert {row["n"] for row in results.data["dropped"]} == {0}
    said = "the budget of 24 texts embedded ended before 4 configurations were measured on all"
    assert any(note.startswith(said) for note in results.data["notes"])


def test_no_time_still_measures_one_in_full():
    results = sweep(8, minutes=1e-9)
    assert len(specs(results)) == 1
    assert len(results.data["dropped"]) == 7
    assert "which they are depends on the clock" in results.data["notes"][0]


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.6, 1.2, 2.5])
def test_wherever_the_clock_ends_it_each_is_measured_or_said_to_be_left_out(seconds):
    def slow(stage, *_):
        if stage in ("race", "configurations"):
            time.sleep(0.05)

    results = sweep(48, minutes=seconds / 60, progress=slow)
    left = [row["spec"] for row in results.data["dropped"]]
    assert len(specs(results)) >= 1
    assert sorted([*specs(results), *left]) == sorted(specs(sweep(2)))
    assert all(row["why"] for row in results.data["dropped"])


def test_an_embedder_of_ones_own_keeps_its_own_limit():
    cached = CachedEmbedder(Letters(), None)
    cached.most = 5_000
    sweep(4, embed_calls=1_000, embedder=cached)
    assert cached.most == 5_000


@pytest.mark.parametrize("minutes", [0, -1, float("nan"), float("inf"), "3", True])
def test_minutes_that_cannot_be_are_refused(minutes):
    with pytest.raises(InvalidConfig, match="minutes must be a number above 0"):
        Budget(minutes)


@pytest.mark.parametrize("calls", [-1, 1.5, "3", True])
def test_calls_that_cannot_be_are_refused(calls):
    with pytest.raises(InvalidConfig, match="embed_calls must be a whole number from 0"):
        Budget(embed_calls=calls)


def test_a_budget_is_said_in_words():
    assert str(Budget(1.5, 2000)) == "1.5 minutes or 2,000 texts embedded"
    assert str(Budget(90)) == "90 minutes"
    assert not Budget().limited


def test_half_of_what_is_left_is_all_there_is_inside():
    cached = CachedEmbedder(Letters(), None)
    with Allowance(Budget(embed_calls=10), cached) as allowance:
        cached.embed_documents(["a", "b"])
        with allowance.half():
            assert allowance.calls == 4
            cached.embed_documents(list("abcdef"))
            with pytest.raises(BudgetSpent, match="at most 6 texts may be embedded, but this"):
                cached.embed_documents(["g"])
            cached.embed_documents(["f", "a"])
        assert allowance.calls == 4
        cached.embed_documents(["g", "g"])
        assert allowance.calls == 3
        assert allowance.seconds == float("inf")
    assert cached.most is None
    assert np.isfinite(cached.embed_documents([f"{i}" for i in range(50)])).all()


class Unsearchable(list):
    """Configurations that may be gone through, but not searched: of 30,000 that takes minutes."""

    def __contains__(self, one):
        raise AssertionError("a list was searched")


def test_a_large_grid_is_put_into_order_in_one_pass():
    sizes = (9, 3, 9, 5)
    chosen = Unsearchable(
        Configuration(f"fixed(size={n})", f"bm25(b=0.{i})") for i, n in enumerate(sizes)
    )
    assert _ordered(chosen, None) == [chosen[i] for i in (0, 2, 1, 3)]


def test_one_that_was_not_measured_is_said_as_one():
    race = Race(None, None, [], Budget(minutes=1), None, BenchConfig(), None)
    race._tell_unmeasured([Configuration("whole", "bm25")])
    assert "ended before 1 configuration was measured on all documents" in race.notes[0]
    race._tell_unmeasured([Configuration("whole", "bm25"), Configuration("whole", "dense")])
    assert "ended before 2 configurations were measured" in race.notes[1]
