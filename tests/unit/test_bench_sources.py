"""Synthetic questions are reported apart from those of people."""

from dataclasses import replace

import pytest

from seamline.bench import run_bench
from seamline.bench.recommend import recommend
from seamline.config import BenchConfig
from seamline.report.headline import headline
from seamline.report.model import standings
from seamline.report.recommendation import title
from seamline.report.synthetic import synthetic
from seamline.types import Document, Question, Span

TEXT = "Oil the pump once a week. Belts are kept in the hall. Lamps last a year. Tanks are red."
CONFIG = BenchConfig(
    strategies=("sentence(size=8)", "whole"), retriever="bm25", measures=("Precision@1", "Recall@1")
)


def question(name, quote, source="", tags=()):
    start = TEXT.index(quote)
    spans = ((Span(start, start + len(quote)),),)
    return Question(name, "a.md", f"What of {quote}?", spans, tags, source)


def cautions(*questions, strategies=None):
    results = run_bench([Document("a.md", TEXT)], questions, CONFIG, strategies=strategies)
    said = [one for one in headline(results).cautions if "synthetic" in one]
    return results.data, said


PEOPLE = question("p1", "Oil the pump", "ticket"), question("p2", "Belts are kept")
DRAFTED = (
    question("s1", "Lamps last", "synthetic", ("known-item", "faq")),
    question("s2", "Tanks are red", "synthetic"),
)


def test_without_synthetic_questions_nothing_is_said():
    data, said = cautions(*PEOPLE)
    assert said == []
    assert data["strategies"][0]["by_tag"] == {}
    assert all(one["tags"] == [] for one in data["questions"])


def test_both_kinds_have_figures_of_their_own():
    data, (said,) = cautions(*PEOPLE, *DRAFTED)
    for row in data["strategies"]:
        values = row["measures"]["Precision@1"]["values"]
        by_tag = row["by_tag"]
        assert by_tag["source:human"]["Precision@1"]["mean"] == pytest.approx(sum(values[:2]) / 2)
        assert by_tag["source:synthetic"]["Precision@1"]["mean"] == pytest.approx(
            sum(values[2:]) / 2
        )
        assert by_tag["known-item"]["Precision@1"]["n"] == 1
    means = data["strategies"][0]["by_tag"]
    people, drafted = (
        means[f"source:{name}"]["Precision@1"]["mean"] for name in ("human", "synthetic")
    )
    assert said == (
        "2 of 4 questions are synthetic: no person asked them, and 1 of them asks in the documents' "
        "own words, which favours strategies that index headings or cut by structure. On the 2 "
        f"questions of people alone sentence(size=8, overlap=0) is best (Precision@1 "
        f"{people:.3f}); on the synthetic ones sentence(size=8, overlap=0) is best "
        f"({drafted:.3f})."
    )


def test_synthetic_questions_alone_are_said_to_be_alone():
    data, (said,) = cautions(*DRAFTED[1:])
    assert said == "All 1 question is synthetic: no person asked it."
    assert list(data["strategies"][0]["by_tag"]) == ["source:synthetic"]


def test_one_strategy_is_not_called_the_best():
    _, (said,) = cautions(*PEOPLE, *DRAFTED, strategies="whole")
    assert "of people alone" not in said


def test_kinds_that_disagree_are_told_with_both_names():
    config = replace(CONFIG, measures=("Recall@1",))
    results = run_bench([Document("a.md", TEXT)], [question("p", TEXT), *DRAFTED], config)
    placed = [
        replace(one, row=one.row | {"by_tag": tags(one.summary.spec == "whole")})
        for one in standings(results)
    ]
    (said,) = synthetic(results.data, placed)
    assert said.endswith(
        "On the 1 question of people alone whole is best (Recall@1 0.700); on the synthetic ones "
        "sentence(size=8, overlap=0) is best (0.400)."
    )
    (said,) = synthetic(results.data, placed, "sentence(size=8, overlap=0)")
    assert (
        "(Recall@1 0.700), and sentence(size=8, overlap=0), which is the one to take, has 0.500"
        in said
    )
    nothing = [replace(one, row=one.row | {"by_tag": tags(True, human=None)}) for one in placed]
    assert "2 of 2 are best (Recall@1 –)" in synthetic(results.data, nothing)[0]


def test_a_choice_that_drafts_make_is_called_one():
    many = [replace(one, id=f"{one.id}-{i}") for i in range(8) for one in DRAFTED]
    found = recommend(run_bench([Document("a.md", TEXT)], [*many, *PEOPLE], CONFIG))
    assert found.n_synthetic == 16
    assert title(found).startswith("Nobody asked 16 of 18 questions: ask people before you decide")


def tags(whole, human=0.5):
    """Means by tag in which `whole` is better for people and the other for the rest."""
    people = human and human + 0.2 * whole
    means = {"source:human": people, "source:synthetic": 0.4 - 0.1 * whole}
    return {tag: {"Recall@1": {"mean": mean, "n": 1}} for tag, mean in means.items()}
