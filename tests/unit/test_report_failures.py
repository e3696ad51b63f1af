"""Why questions failed, as it is told: advice with its evidence, tables, the report's section."""

import io
import json
import re
from copy import deepcopy

import pytest
from rich.console import Console

from diagnose_samples import ASKED, GOLD, RIVALS, Paragraphs, Words, ask, document, filler
from seamline.bench import Results, run_bench
from seamline.bench.recommend import recommend
from seamline.config import BenchConfig
from seamline.report import failures_text
from seamline.report.advice import advise, told_about
from seamline.report.html import report_html
from seamline.report.labels import LABELS, cutoff_text
from seamline.types import Question

DOCS = [document(f"{GOLD}. {filler(30, f'd{i}x')}", *RIVALS, doc_id=f"{i}.txt") for i in range(3)]
QUESTIONS = [ask(doc, GOLD, number=i) for i, doc in enumerate(DOCS)]
STRATEGIES = {
    "paragraphs": Paragraphs(),
    "small": "fixed(size=4, overlap=0, unit=words)",
    "large": "fixed(size=40, overlap=0, unit=words)",
}


def measured(strategies=STRATEGIES, questions=QUESTIONS, documents=DOCS, **settings):
    usual = {"tokenizer": "words", "retriever": "dense", "k": 2, "budgets": (12, 24, 200)}
    usual |= {"measures": ("Recall@12t", "Noise@2", "Containment", "PrecisionOmega")}
    config = BenchConfig(**(usual | settings))
    return run_bench(documents, questions, config, strategies=strategies, embedder=Words())


@pytest.fixture(scope="module")
def results():
    return measured()


def changed(results, change, spec="paragraphs"):
    """The results with `change(row, explanation)` applied to one strategy."""
    data = deepcopy(dict(results.data))
    row = next(one for one in data["strategies"] if one["spec"] == spec)
    change(row, next(one for one in data["diagnosis"] if one["spec"] == spec))
    return Results(data)


def relabelled(results, label, n=3, **more):
    """The results with `n` of the failed questions of `paragraphs` under another label."""

    def change(_row, found):
        for name in list(found["labels"])[:n]:
            found["labels"][name] = label
        found["counts"] = {key: list(found["labels"].values()).count(key) for key in LABELS}
        found.update(more)

    return changed(results, change)


def advice(results, spec="paragraphs"):
    found = next(one for one in results.data["diagnosis"] if one["spec"] == spec)
    return [str(one) for one in advise(results, found)]


def drawn(*parts, width=80):
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, highlight=False)
    for part in parts:
        console.print(part)
    return file.getvalue()


def test_nothing_failed_nothing_advised(results):
    assert advice(changed(results, lambda _, found: found.update(labels={}, details={}))) == []


def test_diluted_asks_for_smaller_chunks_and_says_what_they_gave(results):
    (text,) = [one for one in advice(results) if "are diluted" in one]
    assert text.startswith("3 of 3 failed questions are diluted")
    assert "Take smaller chunks" in text
    found = re.search(r"Measured, in Recall@12t: small ([+−]\d\.\d{3})", text)
    rows = {
        row["spec"]: row["measures"]["Recall@12t"]["mean"] for row in results.data["strategies"]
    }
    difference = rows["small"] - rows["paragraphs"]
    assert float(found[1].replace("−", "-")) == pytest.approx(difference, abs=5e-4)


def test_what_was_not_measured_is_said(results):
    data = {**results.data, "strategies": results.data["strategies"][:1]}
    (text,) = [one for one in advice(Results(data)) if "are diluted" in one]
    assert text.endswith("Not measured here.")


def test_containment_under_the_threshold_asks_for_more_in_a_chunk(results):
    def low(row, _):
        row["containment"]["rate"] = 0.84

    (text,) = [one for one in advice(changed(results, low)) if "Containment" in one]
    assert "0.840, under 0.85" in text
    assert "Take larger chunks, overlap, or semantic chunks" in text
    assert "large" in text

    def enough(row, _):
        row["containment"]["rate"] = 0.85

    assert not [one for one in advice(changed(results, enough)) if "Containment" in one]


def test_cut_questions_ask_for_it_too_whatever_the_containment(results):
    (text,) = [one for one in advice(relabelled(results, "cut")) if "Containment" in one]
    assert "3 of 3 failed questions are cut" in text


@pytest.mark.parametrize(("size", "told"), [(0.5, False), (1.0, True), (3.0, True)])
def test_smaller_chunks_are_no_evidence_for_larger_ones(results, size, told):
    data = deepcopy(dict(relabelled(results, "cut").data))
    rows = {row["spec"]: row for row in data["strategies"]}
    small = rows["small"]
    small["strategy"] = "semantic(size=512, threshold=0.5)"
    small["size"]["tokens"]["mean"] = size * rows["paragraphs"]["size"]["tokens"]["mean"]
    (text,) = [one for one in advice(Results(data)) if "Containment" in one]
    assert (small["spec"] in text) == told


def test_gold_larger_than_a_chunk_is_told_apart(results):
    def change(_, found):
        for one in found["details"].values():
            one["larger"] = True

    (text,) = [one for one in advice(changed(results, change)) if "Containment" in one]
    assert "0 of 3 failed questions are cut, 3 are larger than a chunk" in text


def test_rows_and_pairs_that_are_parted_ask_for_structure(results):
    def parted(row, found):
        row["boundaries"] |= {"boundaries": 100, "table_row": 4, "qa_pair": 1}
        found["cut_through"]["table_row"] = 1

    (text,) = [one for one in advice(changed(results, parted)) if "borders" in one]
    assert text.startswith("5% of the borders part table rows and question-answer pairs")
    assert "1 of 3 failed questions is cut there" in text
    assert "structure, adaptive or table_rows" in text

    def few(row, _):
        row["boundaries"] |= {"boundaries": 100, "table_row": 4}

    assert not [one for one in advice(changed(results, few)) if "borders" in one]


def test_text_without_structure_asks_for_semantic(results):
    def marked(marks):
        data = deepcopy(dict(results.data))
        for one in data["documents"]:
            one["marks"] = marks
        return [one for one in advice(Results(data)) if "semantic" in one]

    assert len(marked(0)) == 1
    assert "0.0 headings, items or rows, under 4" in marked(0)[0]
    assert not marked(100)


def test_found_by_the_other_arm_asks_for_hybrid(results):
    def found_by(names):
        return changed(results, lambda _, found: found.update(found_by={"bm25": names}))

    (text,) = [one for one in advice(found_by(["q0", "q1"])) if "bm25" in one]
    assert "2 of 3 failed questions are found by bm25 alone, not by dense" in text
    assert "Rank by hybrid" in text
    assert not [one for one in advice(found_by(["q0"])) if "bm25" in one]


def test_within_hybrid_it_asks_for_another_weight():
    results = measured(retriever="hybrid")

    def arms(dense, bm25):
        found = changed(results, lambda _, one: one.update(found_by={"dense": dense, "bm25": bm25}))
        return [text for text in advice(found) if "alpha" in text]

    assert "Raise alpha" in arms(["q0", "q1"], [])[0]
    assert "Lower alpha" in arms([], ["q0", "q1"])[0]
    assert not arms(["q0", "q1"], ["q2"])


def test_truncated_asks_for_a_larger_budget_and_says_what_it_gives(results):
    (text,) = [one for one in advice(relabelled(results, "truncated")) if "truncated" in one]
    whole = results.data["strategies"][0]["curve"]["whole"][1]
    assert f"(HitWhole is {whole:.3f} at 24 tokens)" in text


def test_crowded_out_asks_for_text_once_or_for_fewer_copies(results):
    (text,) = [one for one in advice(relabelled(results, "crowded out")) if "nearly" in one]
    assert "Take copies and old versions out" in text
    repeated = relabelled(results, "crowded out", deduped=["q0", "q1"])
    (text,) = [one for one in advice(repeated) if "dedupe" in one]
    assert text.startswith("2 of 3 failed questions would be shown whole if no text")


def missed(results):
    (text,) = [one for one in advice(relabelled(results, "missed")) if "missed" in one]
    return text


def test_missed_names_the_cut_that_finds_them_and_the_best_of_all(results):
    text = missed(results)
    assert "Take another embedder or ranking, or a cut that keeps more" in text
    assert "With this ranking small finds 3 of them" in text
    assert "the best of all that was tried with it is Recall@12t 1.000" in text


def test_missed_says_where_no_other_cut_finds_them(results):
    def without(*specs):
        kept = [row for row in results.data["strategies"] if row["spec"] not in specs]
        return {**results.data, "strategies": kept}

    def unfound(data):
        data = deepcopy(data)
        for found in data["diagnosis"]:
            found["found_by_cuts"] = {}
        return missed(Results(data))

    assert "None of 1 other cut with this ranking finds them" in unfound(without("small"))
    assert "No other cut was measured with this ranking" in unfound(without("small", "large"))
    assert "or a cut that keeps more" not in unfound(without("small"))


def test_older_results_without_other_cuts_are_advised_on(results):
    data = deepcopy(dict(results.data))
    for found in data["diagnosis"]:
        del found["found_by_cuts"]
    assert "None of 2 other cuts" in missed(Results(data))


def test_gold_of_a_lone_word_is_told_to_be_widened(results):
    def short(_row, found):
        for one in found["details"].values():
            one["tokens"] = 4

    (text,) = [
        one for one in advice(changed(relabelled(results, "missed"), short)) if "missed" in one
    ]
    assert "that of 3 has under 5 tokens" in text
    assert "Mark the sentence or row that answers" in text


def test_lost_in_parsing_asks_for_the_file():
    lost = Question("gone", DOCS[0].id, "Which?", (), lost="a passage")
    results = measured(questions=[*QUESTIONS, lost])
    (text,) = [one for one in advice(results) if "parsing" in one]
    assert text.startswith("1 of 4 failed questions is lost in parsing")
    assert "run OCR" in text


def test_noise_asks_for_less_in_a_chunk_or_a_reranker(results):
    many = [
        document(
            *(f"{ASKED} {filler(3, f'n{i}x')}" for i in range(40)),
            *DOCS[0].text.split("\n\n"),
            doc_id="m.txt",
        )
    ]
    found = measured(documents=many, questions=[ask(many[0], GOLD, number=i) for i in range(2)])

    def noisy(row, one):
        row["measures"]["Noise@2"]["mean"] = 0.91
        row["measures"]["PrecisionOmega"]["mean"] = 0.2
        one["counts"] |= {"diluted": 0}
        for detail in one["details"].values():
            detail["rank"] = 3

    texts = [one for one in advice(changed(found, noisy)) if "Noise" in one]
    assert len(texts) == 2
    assert "only 20% is gold, under 30%" in texts[0]
    assert "is among the first 12 chunks" in texts[1]  # a quarter of 50
    assert "rerank=maxsim" in texts[1]

    def quiet(row, _):
        row["measures"]["Noise@2"]["mean"] = 0.9

    assert not [one for one in advice(changed(found, quiet)) if "Noise" in one]


def test_the_one_to_take_is_told_about_else_the_best(results):
    advised = recommend(results)
    found = told_about(results, advised)
    assert found["spec"] == (advised.chosen or advised.best).spec
    assert told_about(Results({**results.data, "diagnosis": []}), advised) is None


def test_the_cutoff_in_words():
    assert cutoff_text({"cutoff": "1"}) == "the first piece"


@pytest.mark.parametrize("width", [60, 80, 130])
def test_the_table_fits_and_names_what_failed(width):
    results = measured({"paragraphs": Paragraphs(), "large": STRATEGIES["large"]})
    text = drawn(failures_text(results), width=width)
    assert all(len(line) <= width for line in text.splitlines())
    words = " ".join(text.split())
    assert "whose whole gold is not within 12 tokens" in words
    assert "What would help" in words
    counts = {row["spec"]: row["counts"]["diluted"] for row in results.data["diagnosis"]}
    assert f"{counts['paragraphs']}" in text


def test_nothing_to_tell_is_no_table(results):
    assert failures_text(Results({**results.data, "diagnosis": []})) is None
    good = measured({"whole": "whole"}, budget=500, measures=("Recall@500t",))
    assert failures_text(good) is None


def test_hostile_names_do_no_harm(results):
    strategies = {"\x1b[31mred": Paragraphs(), "plain": "whole"}
    text = drawn(failures_text(measured(strategies)))
    assert "\x1b" not in text


def pages(results):
    return report_html(results, {one.id: one for one in DOCS})


def test_the_report_has_a_section_with_bars_counts_and_the_ceiling(results):
    page = pages(results)
    assert '<section id="failed">' in page
    assert "Why questions failed" in page
    for label, meaning in LABELS.items():
        assert label in page
        assert meaning in page
    ceiling = next(iter(results.data["diagnosis"]))["oracle"]["Recall@12t"]
    assert f"{ceiling:.3f}" in page


def test_the_scripts_get_every_failed_question(results):
    page = pages(results)
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    data = json.loads(block[1])
    assert data["labels"] == list(LABELS)
    found = {row["spec"]: row for row in results.data["diagnosis"]}
    for one in data["strategies"]:
        own = found[one["spec"]]
        assert sorted(data["questions"]["id"][row[0]] for row in one["failed"]) == sorted(
            own["details"]
        )
        for question, label, slot, rank, exact, arms in one["failed"]:
            name = data["questions"]["id"][question]
            assert data["labels"][label] == own["labels"][name]
            detail = own["details"][name]
            assert (slot, rank, exact) == (detail["slot"], detail["rank"], detail["exact_rank"])
            assert arms == [arm for arm, ids in own["found_by"].items() if name in ids]


def test_lost_questions_are_listed_though_no_document_holds_them():
    lost = Question("gone", DOCS[0].id, "Which?", (), lost="a passage")
    results = measured(questions=[*QUESTIONS, lost])
    assert "1 question lost in parsing, in no mean" in pages(results)


def test_older_results_have_no_section(results):
    data = {key: value for key, value in results.data.items() if key != "diagnosis"}
    assert '<section id="failed">' not in pages(Results(data))
