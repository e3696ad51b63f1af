"""A recommendation in words."""

import math
import re

import pytest
from recommend_samples import made, mixed, scores, worse
from report_samples import STRATEGIES, measured, numbers

from seamline.bench.recommend import recommend
from seamline.report.headline import headline
from seamline.report.recommendation import noun, price_text, sentences, title

GOOD = scores(0.7, 60, 1)
FIXED, ADAPTIVE = "fixed(size=512, overlap=0)", "adaptive(target=64)"
CHEAP, DEAR = (50, 40_000), (400, 60_000)


def found(given, costs=(), **settings):
    margin = settings.pop("margin", None)
    prefer = settings.pop("prefer", "tokens")
    results = made(given, costs=dict(zip(given, costs, strict=False)), **settings)
    return recommend(results, margin=margin, prefer=prefer)


@pytest.mark.parametrize(
    ("given", "costs", "settings", "said"),
    [
        (
            (GOOD, worse(GOOD, 0.3)),
            (DEAR, CHEAP),
            {},
            "Take a: it has the best Recall@1000t, by more than chance explains",
        ),
        (
            (GOOD, mixed(GOOD, 0.03)),
            (CHEAP, DEAR),
            {},
            "Take a: it has the best Recall@1000t, and nothing is cheaper",
        ),
        (
            (GOOD, mixed(GOOD, 0.03)),
            (DEAR, CHEAP),
            {},
            "Take a: it has the best Recall@1000t, and nothing cheaper comes within 0.02",
        ),
        (
            (GOOD, mixed(GOOD, 0.03)),
            (DEAR, CHEAP),
            {"margin": 0.05},
            "Take b: it scores within 0.05 of the best Recall@1000t, and costs less",
        ),
        (
            (GOOD, mixed(GOOD, 0.03)),
            (DEAR, CHEAP),
            {"margin": 0},
            "Take a: it has the best Recall@1000t, and nothing cheaper scores as well",
        ),
        (
            (GOOD, worse(GOOD, 0.005)),
            (DEAR, CHEAP),
            {},
            "These are the same: both strategies lie within 0.02; take the cheaper, b",
        ),
        (
            (GOOD, worse(GOOD, 0.005)),
            (CHEAP, CHEAP),
            {},
            "These are the same: both strategies lie within 0.02; none is cheaper, so take any, like a",
        ),
        (
            (GOOD, worse(GOOD, 0.005), worse(GOOD, 0.3)),
            (DEAR, CHEAP, CHEAP),
            {},
            "Take b: it is the same as the best within 0.02, and costs less",
        ),
        (
            (GOOD, worse(GOOD, 0.005), worse(GOOD, 0.006)),
            (DEAR, DEAR, CHEAP),
            {},
            "These are the same: all 3 strategies lie within 0.02; take the cheapest, c",
        ),
        ((GOOD,), (), {}, "a is the only strategy measured"),
        (
            (GOOD[:9], worse(GOOD[:9], 0.3)),
            (),
            {},
            "Too few to tell: 9 questions of at least 15; for now take a",
        ),
        (
            ([1.0] * 60, [1.0] * 60),
            (),
            {},
            "The comparison is empty: both have the best possible Recall@1000t, 1, on every question",
        ),
        (
            ([0.0] * 60, [0.0] * 60),
            (),
            {},
            "Nothing to recommend: nothing scores above 0 in Recall@1000t",
        ),
    ],
)
def test_the_title_says_what_to_take_and_why(given, costs, settings, said):
    assert title(found(dict(zip("abc", given, strict=False)), costs, **settings)) == said


def test_the_score_is_the_cross_fitted_one_and_says_by_how_much_the_mean_flatters():
    given = {f"s{i}": scores(0.7, 60, i) for i in range(9)}
    one = found(given)
    said = sentences(one)[0]
    fitted, own = one.choice.cross_fitted, one.chosen.summary.mean
    *others, flatters = numbers(said)
    assert others == pytest.approx([fitted.mean, fitted.low, fitted.high, own], abs=0.0006)
    assert flatters == pytest.approx(fitted.optimism, abs=0.0011)
    assert said.startswith("Expect a Recall@1000t of ")
    assert "half of the documents" in said
    assert re.search(r", flatters by 0\.0\d\d\.$", said)


def test_where_nothing_flatters_it_says_so():
    assert sentences(found({"a": GOOD, "b": worse(GOOD, 0.3)}))[0].endswith("does not flatter it.")


def test_with_few_documents_questions_are_halved():
    assert "half of the questions" in sentences(found({"a": GOOD, "b": GOOD}, n_docs=3))[0]


def test_with_three_questions_nothing_is_halved():
    said = sentences(found({"a": GOOD[:3], "b": worse(GOOD[:3], 0.2)}))[0]
    assert said.startswith(f"Its Recall@1000t is {sum(GOOD[:3]) / 3:.3f} (95 % interval ")
    assert said.endswith("; too few questions tell by how much having been chosen flatters it.")


def test_the_cost_is_held_against_that_of_the_best_or_of_the_cheapest():
    cheaper = found({"a": GOOD, "b": worse(GOOD, 0.005)}, (DEAR, CHEAP))
    assert sentences(cheaper)[1] == (
        "It costs 236.8 KB of index (50 chunks, 1.00 × the source to embed); the best, a, costs "
        f"854.4 KB of index (400 chunks, 1.50 × the source to embed) and has {sum(GOOD) / 60:.3f}."
    )
    dear = found({"a": GOOD, "b": worse(GOOD, 0.3)}, (DEAR, CHEAP))
    assert "; the cheapest, b, costs 236.8 KB of index" in sentences(dear)[1]
    same = found({"a": GOOD, "b": worse(GOOD, 0.3)}, (CHEAP, CHEAP))
    assert sentences(same)[1].endswith("1.00 × the source to embed).")


def test_a_price_names_what_is_known_of_it():
    timings = {"strategies": {"a | bm25": {"rank": {"seconds": 0.06}}}}
    one = found(
        {"a | bm25": GOOD},
        primary="Recall@5",
        prefer="latency",
        shown={"a | bm25": 1234.4},
        timings=timings,
    )
    assert price_text(one.chosen).startswith(
        "1 ms to rank a question, 1,234 tokens a question and 313.6 KB of index (100 chunks, "
    )
    row = one.options[0]
    free = type(row.price)(None, 10, 0, 1)
    assert price_text(type(row)(row.summary, row.configuration, free, 1.0, False, False)) == (
        "10 B of index (1 chunk, nothing to embed)"
    )


def test_the_doubts_name_the_ruled_out_the_same_and_the_undecided():
    given = {
        "a": GOOD,
        "same": worse(GOOD, 0.004),
        **{f"u{i}": mixed(GOOD, 0.03, seed=i) for i in range(5)},
        "bad": worse(GOOD, 0.4),
        "bad2": worse(GOOD, 0.4, seed=3),
    }
    one = found(given)
    (said,) = sentences(one)[2:]
    assert said.startswith(
        f"It comes first in {one.choice.p_best['a']:.0%}".replace("%", " % of redraws")
    )
    assert "of the 8 others 2 are ruled out as worse, 1 is the same within 0.02 and 5 are" in said
    named = one.choice.undecided
    assert f"undecided ({', '.join(named[:2])} and 3 more)" in said
    assert f" more questions like these would tell {named[0]} from it" in said


def test_of_two_the_other_is_what_it_is():
    assert sentences(found({"a": GOOD, "b": worse(GOOD, 0.3)}))[2] == (
        "It comes first in 100 % of redraws of the documents; the other is ruled out as worse."
    )
    undecided = sentences(found({"a": GOOD, "b": mixed(GOOD, 0.03)}))[2]
    assert "; the other is undecided; about " in undecided


def test_it_says_how_often_the_chosen_one_is_best_too():
    said = sentences(found({"a": GOOD, "b": worse(GOOD, 0.005)}, (DEAR, CHEAP)))[2]
    assert said.startswith("The best comes first in ")
    assert " of redraws of the documents, the choice in " in said


def test_the_doubt_about_the_choice_itself_comes_first():
    given = {"a": GOOD, "u": mixed(GOOD, 0.01, seed=1), "b": mixed(GOOD, 0.015)}
    one = found(given, (DEAR, DEAR, CHEAP))
    said = sentences(one)[2]
    assert one.chosen.spec == "b"
    assert "; against the best the choice is undecided, and the other is undecided; " in said
    assert said.endswith(" more questions like these would tell the choice from the best.")


def test_the_choice_is_not_listed_among_the_others():
    given = {
        "a": GOOD,
        "cheap": mixed(GOOD, 0.01, seed=1),
        **{f"u{i}": mixed(GOOD, 0.03, seed=i) for i in (0, 2, 3)},
        "same": worse(GOOD, 0.004),
        "bad": worse(GOOD, 0.4),
    }
    one = found(given, (DEAR, CHEAP, *5 * (DEAR,)))
    said = sentences(one)[2]
    assert (one.best.spec, one.chosen.spec) == ("a", "cheap")
    assert "cheap" in one.choice.undecided
    others = [spec for spec in one.choice.undecided if spec != "cheap"]
    assert "; against the best the choice is undecided, and of the 5 others 1 is ruled out" in said
    assert f"{len(others)} are undecided ({', '.join(others[:-1])} and {others[-1]})" in said
    assert "cheap" not in said


def test_a_choice_that_is_the_same_as_the_best_is_called_that():
    two = sentences(found({"a": GOOD, "b": worse(GOOD, 0.005)}, (DEAR, CHEAP)))[2]
    assert "; against the best the choice is the same within 0.02" in two
    assert "other" not in two
    given = {"a": GOOD, "b": worse(GOOD, 0.005), "c": worse(GOOD, 0.006), "d": worse(GOOD, 0.4)}
    said = sentences(found(given, (DEAR, CHEAP, DEAR, DEAR)))[2]
    assert "the choice is the same within 0.02, and of the 2 others 1 is ruled out as worse" in said


@pytest.mark.parametrize("seed", range(12))
def test_what_flatters_is_the_difference_of_the_two_means_as_they_are_written(seed):
    good = scores(0.7, 60, seed)
    said = sentences(found({"a": good, "b": mixed(good, 0.01, seed=seed), "c": mixed(good, 0.02)}))
    numbers_ = re.findall(
        r"of (\d\.\d+) \(.*its mean over all, (\d\.\d+), (?:flatters by (\d\.\d+)|does not)",
        said[0],
    )
    ((expected, own, flatters),) = numbers_
    difference = float(own) - float(expected)
    assert float(flatters or 0) == pytest.approx(max(difference, 0), abs=1e-9)


@pytest.mark.parametrize(("by", "many"), [(0.0004, "over 100,000 more"), (0.02, "about ")])
def test_no_number_of_questions_is_absurd(by, many):
    one = found({"a": GOOD, "b": mixed(GOOD, by)}, margin=0)
    assert f"; {many}" in sentences(one)[2]
    needed = one.against_best("b").n_needed - one.choice.n
    assert (needed > 100_000) == many.startswith("over")
    assert by == 0.0004 or f"{math.ceil(needed / 10) * 10:,} more" in sentences(one)[2]


def test_what_a_sweep_dropped_is_counted():
    results = made({"a": GOOD, "b": worse(GOOD, 0.3)})
    dropped = [{"spec": "c", "n": 20, "mean": 0.2, "difference": -0.5, "why": "behind"}]
    one = recommend(type(results)({**results.data, "dropped": dropped}))
    assert sentences(one)[2].endswith("; 1 configuration more is dropped before all questions.")


def test_where_nothing_is_taken_it_says_what_to_do():
    assert sentences(found({"a": [1.0] * 60, "b": [1.0] * 60})) == (
        "Ask harder questions, or set a smaller budget or k.",
    )


def test_rows_that_differ_in_their_ranking_are_configurations():
    one = found({"whole | bm25": GOOD, "whole | dense": GOOD})
    assert (noun(one), noun(one, 2)) == ("configuration", "configurations")
    assert noun(found({"whole": GOOD})) == "strategy"


def test_the_headline_is_the_recommendation():
    results = measured()[0]
    one = recommend(results)
    said = headline(results)
    assert said == headline(results, one)
    assert said.title == title(one)
    assert said.sentences[:-1] == sentences(one)


def test_a_budget_that_holds_everything_is_no_reason_to_take_whole():
    said = headline(measured(strategies=STRATEGIES, budget=1000)[0])
    assert said.title.startswith("The comparison is empty: the budget of 1,000 tokens holds all ")
    assert "Take" not in said.title


@pytest.mark.parametrize(
    ("share", "said"),
    [(1.0, "100 %"), (0.9975, "over 99 %"), (0.5, "50 %"), (0.0004, "under 1 %"), (0.0, "0 %")],
)
def test_nearly_all_redraws_are_not_all(share, said):
    result = found({"a": GOOD, "b": mixed(GOOD, 0.03)}, (CHEAP, DEAR))
    result.choice.p_best["a"] = share
    assert f"It comes first in {said} of redraws" in " ".join(sentences(result))
