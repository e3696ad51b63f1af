"""What a run says about itself: notes, and the ranking a session shows."""

import pytest
from test_bench_run import KEYS, QUESTIONS, Lines, run

from seamline.bench import Results
from seamline.registry import parse_spec
from seamline.types import Document, Question, Span

ALIKE = ("whole", "fixed(size=400)", "sentence(size=5)", "recursive(size=300)")


@pytest.mark.parametrize(
    ("budget", "settings", "held"),
    [
        (50, {}, "the whole corpus (50 tokens)"),
        (49, {}, None),
        (32, {"scope": "document"}, "the whole document of 3 of 3 questions"),
        (31, {"scope": "document"}, None),
        (1000, {"measures": ["Recall@2"]}, None),
        (1000, {"measures": ["Containment"]}, None),
    ],
)
def test_a_budget_that_holds_everything_is_noted(budget, settings, held):
    notes = [note for note in run(budget=budget, **settings).data["notes"] if "budget" in note]
    said = f"the budget of {budget:,} tokens holds {held}: every strategy can show everything"
    assert notes == ([f"{said}; set a smaller --budget"] if held else [])


def test_strategies_that_cut_alike_are_named_together():
    notes = run(strategies=ALIKE, measures=["Recall@2"]).data["notes"]
    said = "these 3 strategies cut your documents identically: whole, fixed(size=400, overlap=50)"
    assert notes == [f"{said} and recursive(size=300, overlap=37)"]


def test_the_same_children_in_other_parents_are_not_alike():
    strategies = ("hierarchical(parent=20, size=6)", "hierarchical(parent=40, size=6)")
    assert not any("identically" in note for note in run(strategies=strategies).data["notes"])


def test_results_print_as_a_short_ranking():
    many = [f"sentence(size={size})" for size in range(5, 25)]
    results = run(strategies=many, budget=1000)
    text = str(results)
    assert text == repr(results)
    assert len(text.splitlines()) <= 15
    title, heads, first, *rest = text.splitlines()
    assert title == "Results of 20 strategies by Recall@1000t: 3 questions, 2 documents"
    assert heads.split()[-1] == "strategy"
    best = results.summary()[0]
    assert first.split()[:2] == ["1", f"{best.mean:.3f}"]
    assert first.endswith(best.spec)
    assert "… and 11 more" in rest
    assert any(line.startswith("! the budget") for line in rest)


def test_ten_strategies_are_all_shown():
    lines = str(run(strategies=[f"sentence(size={size})" for size in range(5, 15)])).splitlines()
    assert sum(line.strip().split()[0].isdigit() for line in lines) == 10
    assert not any("more" in line for line in lines)


def test_a_row_of_the_summary_prints_on_one_line():
    row = run().summary()[0]
    assert repr(row).startswith(f"SummaryRow({row.spec!r}, mean={row.mean:.3f}, interval=")
    assert "\n" not in repr(row)


def test_a_notebook_gets_a_table_in_which_names_are_text():
    class Odd(Lines):
        name = "<b>odd</b> & co"

    html = run(strategies=["whole", Odd()])._repr_html_()
    assert html.count("<tr>") == 3
    assert "&lt;b&gt;odd&lt;/b&gt; &amp; co" in html
    assert "<b>odd" not in html


def test_results_without_a_strategy_print_too():
    empty = Results({"schema": 1})
    assert repr(empty) == "Results of no strategy"
    assert "Results of no strategy" in empty._repr_html_()


def test_splitters_of_one_name_are_numbered_and_may_be_named():
    results = run(strategies=[Lines(), "whole", Lines(), Lines()])
    label = results.data["strategies"][0]["spec"]
    assert [row["spec"] for row in results.data["strategies"]] == [
        label,
        "whole",
        f"{label} #2",
        f"{label} #3",
    ]
    named = run(strategies={"by line": Lines(), "all of it": "whole"}).data["strategies"]
    assert [row["spec"] for row in named] == ["by line", "all of it"]
    n_chunks = named[0]["cost"]["chunks"]
    assert [row["aligned"] for row in named] == [{"chunks": n_chunks, "exact": n_chunks}, None]


def test_one_of_each_is_said_in_the_singular():
    text = str(run(QUESTIONS[:1], [KEYS], ["whole"]))
    assert text.startswith("Results of 1 strategy by Recall@20t: 1 question, 1 document\n")


def test_parsed_specs_serve_as_strategies():
    results = run(strategies=[parse_spec("whole"), parse_spec("sentence(size=5)")])
    assert len(results.data["strategies"]) == 2


def test_one_string_of_specs_serves_as_strategies():
    rows = run(strategies="whole; sentence(size=5)").data["strategies"]
    assert [row["spec"] for row in rows] == ["whole", "sentence(size=5, overlap=0)"]
    assert KEYS.id in rows[0]["chunks"]


def test_identical_passages_count_where_asked_for():
    document = Document.from_text("Press F5. Some more words here.\n\nLater, press F5.", "d")
    question = Question("q", "d", "Which key?", ((Span(6, 8),),))
    plain, wide = (
        run([question], [document], ["sentence(size=5)"], identical=flag) for flag in (False, True)
    )
    assert [len(r.data["questions"][0]["slots"][0]) for r in (plain, wide)] == [1, 2]
    assert wide.data["notes"][-1] == (
        "identical passages count: 1 question can be answered in more than one place"
    )
    assert not any("identical passages" in note for note in plain.data["notes"])
