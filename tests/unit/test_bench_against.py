"""Results compared with each other: what is paired, what is refused, what is said."""

import copy
import io
import math
import re
from dataclasses import replace

import pytest
from recommend_samples import made, mixed, scores, worse
from report_samples import measured
from rich.cells import cell_len
from rich.console import Console

from seamline.bench import Results
from seamline.bench.against import compare_results
from seamline.compare import choose
from seamline.errors import InvalidConfig, NotComparable, UnknownName
from seamline.phrases import signed
from seamline.report.compared import cautions, notes, sentences, title
from seamline.report.comparing import comparing_text

FIXED, WHOLE = "fixed(size=20, overlap=5)", "whole"


@pytest.fixture(scope="module")
def first():
    return measured()[0]


def edited(results, change):
    """A copy whose data `change` has been at."""
    data = copy.deepcopy(dict(results.data))
    change(data)
    return Results(data)


def keep(*specs):
    def change(data):
        data["strategies"] = [row for row in data["strategies"] if row["spec"] in specs]

    return change


def without_question(index):
    def change(data):
        del data["questions"][index]
        for row in data["strategies"]:
            for measure in row["measures"].values():
                del measure["values"][index]

    return change


def test_one_file_is_compared_with_its_best_as_choose_does(first):
    found = compare_results(first)
    assert (found.way, found.primary, found.n) == ("best", True, 23)
    values = {
        row["spec"]: [
            math.nan if value is None else value
            for value in row["measures"][found.measure]["values"]
        ]
        for row in first.data["strategies"]
    }
    documents = [question["doc_id"] for question in first.data["questions"]]
    best = choose(values, documents, dict.fromkeys(values, (0,))).best
    assert {one.to for one in found.comparisons} == {found.choice.best}
    assert sum(values[best]) == pytest.approx(sum(values[found.choice.best]))
    assert len(found.comparisons) == len(values) - 1
    assert {one.n for one in found.comparisons} == {23}


def test_a_named_strategy_is_a_baseline(first):
    found = compare_results(first, to=WHOLE)
    assert found.way == "fixed"
    assert found.choice is None
    assert {one.to for one in found.comparisons} == {WHOLE}
    assert WHOLE not in {one.name for one in found.comparisons}
    gains = [one.mean for one in found.comparisons]
    assert gains == sorted(gains, reverse=True)
    for one, (mean, to) in zip(found.comparisons, found.means, strict=True):
        assert one.mean == pytest.approx(mean - to)


def test_two_files_are_compared_strategy_by_strategy(first):
    second = edited(first, lambda data: data["strategies"].reverse())
    found = compare_results(first, second)
    assert found.way == "same"
    assert {one.mean for one in found.comparisons} == {0.0}
    assert len(found.comparisons) == 5
    assert found.unpaired == ()
    fewer = compare_results(first, edited(first, keep(FIXED, WHOLE)))
    assert len(fewer.comparisons) == 2
    assert len(fewer.unpaired) == 3


def test_questions_are_paired_by_id_whatever_their_order(first):
    def turn(data):
        data["questions"].reverse()
        for row in data["strategies"]:
            for measure in row["measures"].values():
                measure["values"].reverse()

    found = compare_results(first, edited(first, turn))
    assert {one.mean for one in found.comparisons} == {0.0}
    assert {one.n_different for one in found.comparisons} == {0}


def test_the_best_of_each_is_compared_where_they_share_no_strategy(first):
    left, right = edited(first, keep(FIXED)), edited(first, keep(WHOLE))
    found = compare_results(left, right)
    assert found.way == "bests"
    (one,) = found.comparisons
    assert (one.name, one.to) == (FIXED, WHOLE)
    assert title(found).endswith("the best of the first file against the best of the second")


def test_the_second_file_holds_the_named_strategy(first):
    second = edited(first, keep(WHOLE))
    found = compare_results(first, second, to=WHOLE)
    assert {one.to for one in found.comparisons} == {WHOLE}
    assert {one.name: one.mean for one in found.comparisons}[WHOLE] == 0.0
    with pytest.raises(UnknownName, match="no strategy 'fixed' in the second file"):
        compare_results(first, second, to="fixed")


def test_a_question_in_one_file_only_is_left_out_and_counted(first):
    second = edited(first, without_question(3))
    found = compare_results(first, second)
    assert (found.n, found.n_left_out) == (22, (1, 0))
    assert "Left out: 1 question only in the first file." in cautions(found)


def change_setting(key, value):
    return lambda data: data["config"].__setitem__(key, value)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (change_setting("tokenizer", "words"), "tokenizer is 'cl100k_base' and 'words'"),
        (change_setting("budget", 99), "budget is 40 and 99"),
        (change_setting("k", 9), "k is 3 and 9"),
        (change_setting("scope", "document"), "scope is 'corpus' and 'document'"),
        (change_setting("primary", "Recall@3"), "primary measure is Recall@40t and Recall@3"),
        (lambda data: data["documents"][0].update(digest="x"), "1 document with another text"),
        (lambda data: data["documents"][0].update(tokens=9), "another number of tokens: 'pump-0"),
        (lambda data: data["documents"].pop(), "1 document only in the first"),
        (lambda data: data["documents"].append({**data["documents"][0], "id": "new"}), "'new'"),
        (lambda data: data["questions"][0].update(text="?"), "1 question with another text"),
        (
            lambda data: [one.update(slots=[]) for one in data["questions"]],
            "23 questions with another text, document or gold: .* and 20 more",
        ),
        (
            lambda data: [one.update(id=f"x{i}") for i, one in enumerate(data["questions"])],
            "have none in common",
        ),
    ],
)
def test_what_differs_is_named(first, change, match):
    with pytest.raises(NotComparable, match=match):
        compare_results(first, edited(first, change))


def test_cosines_of_two_models_are_not_compared(first):
    def other(data):
        data["config"]["embedder"] = "other"
        for row in data["strategies"]:
            row["measures"]["Similarity@1"] = row["measures"]["Recall@3"]

    own = edited(first, other)
    own.data["config"]["embedder"] = "minilm"
    with pytest.raises(NotComparable, match="cosines are those of minilm and other"):
        compare_results(own, edited(first, other), measure="Similarity@1")
    assert compare_results(own, edited(first, other)).way == "same"


def test_another_measure_is_marked_as_a_second_look(first):
    found = compare_results(first, measure="Recall@3")
    assert not found.primary
    assert "Recall@3 is not the measure that the run was made for" in cautions(found)[0]
    tokens = compare_results(first, to=WHOLE, measure="Tokens@3")
    assert tokens.lower_is_better
    losses = [one.mean for one in tokens.comparisons]
    assert losses == sorted(losses)
    assert "lower is better" in title(tokens)


def test_what_does_not_exist_is_refused(first):
    with pytest.raises(UnknownName, match="no measure 'Recall@4'"):
        compare_results(first, measure="Recall@4")
    with pytest.raises(UnknownName, match="not by 'colour'"):
        compare_results(first, by="colour")
    with pytest.raises(UnknownName, match="no strategy"):
        compare_results(first, to="fixed(size=1)")
    with pytest.raises(InvalidConfig, match="two strategies to compare, got 1"):
        compare_results(edited(first, keep(WHOLE)))


def test_parts_of_the_questions(first):
    found = compare_results(first, by="tag")
    assert [one.label for one in found.strata["tag"]] == ["<b>", "key", "oil"]
    assert sum(one.comparison.n for one in found.strata["tag"]) == 23
    by, worst = found.worst
    means = {one.label: one.comparison.mean for one in found.strata["tag"]}
    assert (by, means[worst.label]) == ("tag", min(means.values()))
    assert {(one.comparison.name, one.comparison.to) for one in found.strata["tag"]} == {
        found.leading
    }
    each = compare_results(first, by="document").strata["document"]
    assert len(each) == 12
    assert not any(one.supported for one in each)
    kinds = compare_results(first, by="kind").strata["kind"]
    assert sum(one.comparison.n for one in kinds) == 23


def test_the_worst_part_is_one_that_says_something_where_any_does():
    found = compare_results(measured(18)[0], by="tag")
    assert [one.supported for one in found.strata["tag"]] == [False, True, True]
    assert found.worst[1].supported


def test_few_documents_are_said_to_support_nothing():
    found = compare_results(measured(5)[0])
    assert found.why_not == "5 of at least 10 documents and 9 of at least 15 questions"
    assert cautions(found)[0].startswith("Only 5 of at least 10 documents")
    assert notes(found)[0].startswith("* ")


def test_all_numbers_are_plain_and_the_same_each_time(first):
    record = compare_results(first).as_dict()
    assert record == compare_results(first).as_dict()
    assert record["comparisons"][0]["verdict"] in str(record)
    assert isinstance(record["means"][0][0], float)


# Words and tables


def drawn(renderable, width=80):
    console = Console(file=io.StringIO(), width=width, legacy_windows=False)
    console.print(renderable, crop=False)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 128])
@pytest.mark.parametrize("options", [{}, {"by": "tag"}, {"to": WHOLE, "by": "document"}])
def test_nothing_is_wider_than_the_terminal(first, width, options):
    text = drawn(comparing_text(compare_results(first, **options), by=options.get("by")), width)
    assert max(map(cell_len, text.splitlines())) <= width


def test_the_table_shows_each_comparison_and_its_verdict(first):
    found = compare_results(first, to=WHOLE)
    lines = drawn(comparing_text(found), 128).splitlines()
    for one in found.comparisons:
        (line,) = (line for line in lines if line.startswith(one.name))
        assert one.verdict in line
        assert signed(one.mean) in line
        assert signed(one.low_all) in line


def test_a_row_is_named_by_what_tells_it(first):
    assert compare_results(first, to="who").comparisons[0].to == WHOLE
    with pytest.raises(UnknownName, match="no strategy 'hole' in the second file"):
        compare_results(first, first, to="hole")


def ruled_out_by_a_step():
    """Results in which a pair is ruled out in its step, though its interval holds 0."""
    for seed in range(60):
        good = scores(0.7, 40, seed)
        far = {f"far{i}": worse(good, 0.5, seed=i, spread=0.2) for i in range(4)}
        near = {f"near{i}": mixed(good, 0.1, seed=i, apart=0.2) for i in range(3)}
        results = made({"best": good, **far, **near}, n_docs=12)
        found = compare_results(results, by="document")
        if any(one.wider for one in found.comparisons):
            return found
    raise AssertionError("no seed gives one")


def test_what_is_worse_beside_an_interval_with_0_is_marked_and_explained():
    found = ruled_out_by_a_step()
    text = drawn(comparing_text(found), 128)
    for one in found.comparisons:
        (line,) = (line for line in text.splitlines() if line.startswith(one.name))
        holds = one.low_all is not None and one.low_all <= 0 <= one.high_all
        assert one.wider == (holds and one.verdict in ("WORSE", "BETTER"))
        assert ("‡" in line) == one.wider
    (note,) = [note for note in notes(found) if note.startswith("‡")]
    assert "ruled out one after the other" in note
    assert note.endswith("The verdict goes by p.")


def marks_in(text, marks="*†‡"):
    """The marks beside figures of a table, and those that a line below explains."""
    lines = text.splitlines()
    used = {mark for line in lines for mark in re.findall(rf"\d([{marks}])", line)}
    used |= {"(few)"} if any(re.search(r"\S \(few\) ", line) for line in lines) else set()
    told = {mark for line in lines for mark in (*marks, "(few)") if line.startswith(mark)}
    return used, told


@pytest.mark.parametrize("by", [None, "tag", "kind", "document"])
@pytest.mark.parametrize("n_documents", [5, 12, 18])
def test_every_mark_in_a_table_is_explained_below_it_and_no_other(by, n_documents):
    found = compare_results(measured(n_documents)[0], by=by)
    used, told = marks_in(drawn(comparing_text(found, by=by), 128))
    assert used == told
    if by == "document":
        assert {"*", "(few)"} <= used


def test_the_least_good_part_is_not_called_worse_where_it_is_not():
    found = compare_results(measured(18)[0], by="tag")
    by, part = found.worst
    for mean, words in ((-0.01, "The worst part for "), (0.005, "The part least in favour of ")):
        one = replace(part, comparison=replace(part.comparison, mean=mean))
        said = sentences(replace(found, worst=(by, one)))[-1]
        assert said.startswith(words)
        assert ("though not against it" in said) == (mean > 0)
        turned = replace(found, worst=(by, one), lower_is_better=True)
        assert sentences(turned)[-1].startswith("The worst part") == (mean > 0)


def asked_by(first, *sources):
    """The results with the sources of their first questions as tags, the rest people's."""

    def change(data):
        for i, question in enumerate(data["questions"]):
            tags = sources[i] if i < len(sources) else ("source:human",)
            question["tags"] = [*question["tags"], *tags]

    return edited(first, change)


def test_synthetic_questions_are_told_of_with_the_pair_on_those_of_people(first):
    assert not any("synthetic" in one for one in cautions(compare_results(first)))
    some = asked_by(first, ("source:synthetic",), ("source:synthetic", "known-item"))
    found = compare_results(some)
    (said,) = [one for one in cautions(found) if "synthetic" in one]
    assert said.startswith("2 of 23 questions are synthetic: no person asked them, and 1 of them")
    assert found.people.comparison.n == 21
    pair = f"On the 21 questions of people alone {found.leading[0]} against {found.leading[1]} is "
    assert pair in said
    assert found.people.comparison.verdict in said
    every = asked_by(first, *23 * [("source:synthetic",)])
    (said,) = [one for one in cautions(compare_results(every)) if "synthetic" in one]
    assert said == "All 23 questions are synthetic: no person asked them."


def test_verdicts_are_explained_in_words(first):
    same = compare_results(first, first)
    assert sentences(same) == ["No question scores otherwise in the first file than in the second."]
    wide = compare_results(first, to=WHOLE, margin=0.99)
    assert "lie within 0.99; take the cheaper." in " ".join(sentences(wide))
    assert "p and intervals hold for all 4 comparisons at once." in notes(wide)
