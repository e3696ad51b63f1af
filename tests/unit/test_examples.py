"""The bundled examples are what their README says, and every gold span is exact."""

import itertools
import json
import re
from collections import Counter
from pathlib import Path

import pytest

from seamline.sizers import parse_sizer

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("handbook", "runbooks")
KINDS = {"prose", "table", "code", "steps", "faq", "transcript"}


def documents(name):
    paths = sorted((EXAMPLES / name / "docs").iterdir())
    return {path.name: path.read_bytes().decode() for path in paths}


def questions(name):
    text = (EXAMPLES / name / "golden.jsonl").read_bytes().decode()
    return [json.loads(line) for line in text.splitlines()]


def evidence(question):
    return tuple(answer["text"] for answer in question["answers"])


@pytest.fixture(params=NAMES)
def example(request):
    return documents(request.param), questions(request.param)


def test_documents_are_markdown_with_unix_line_ends(example):
    for name, text in example[0].items():
        assert name.endswith(".md")
        assert "\r" not in text
        assert "\ufeff" not in text
        assert text.endswith("\n")
        assert not re.search(r"[ \t]+$", text, re.MULTILINE)


def test_every_question_has_the_fields_of_a_golden_set(example):
    docs, golden = example
    for question in golden:
        keys = {"id", "doc_id", "question", "answers", "mode", "tags", "source", "reviewed"}
        assert set(question) == keys
        assert question["doc_id"] in docs
        assert question["question"].strip()
        assert question["mode"] in {"all", "any"}
        assert question["source"] == "human"
        assert question["reviewed"] is True
        assert KINDS & set(question["tags"])
        assert set(question["tags"]) <= KINDS | {"hard"}


def test_every_span_is_exact_occurs_once_and_says_something(example):
    docs, golden = example
    tokens = parse_sizer("tokens")
    for question in golden:
        text = docs[question["doc_id"]]
        for answer in question["answers"]:
            quote = answer["text"]
            assert quote == text[answer["start"] : answer["end"]]
            assert quote == quote.strip()
            assert text.count(quote) == 1
            assert tokens.size(quote) >= 5


def test_no_gold_text_stands_in_another_document_too(example):
    docs, golden = example
    for question in golden:
        for quote in evidence(question):
            assert [name for name, text in docs.items() if quote in text] == [question["doc_id"]]


def test_the_spans_of_a_question_are_sorted_and_apart(example):
    for question in example[1]:
        spans = [(answer["start"], answer["end"]) for answer in question["answers"]]
        assert spans
        assert all(a[1] < b[0] for a, b in itertools.pairwise(spans))
        assert question["mode"] == "all" or len(spans) > 1


def test_ids_questions_and_answers_are_unique(example):
    golden = example[1]
    for values in (
        [question["id"] for question in golden],
        [question["question"] for question in golden],
        [evidence(question) for question in golden],
    ):
        assert Counter(values).most_common(1)[0][1] == 1


def test_the_handbook_has_three_kinds_of_sections():
    docs = documents("handbook")
    assert list(docs) == ["handbook.md"]
    text = docs["handbook.md"]
    assert 900 <= parse_sizer("tokens").size(text) <= 1100
    prose, faq, table = re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]
    assert len(prose.strip().split("\n\n")) == 3
    assert len(re.findall(r"^Q: .*\?\nA: .*\.$", faq, re.MULTILINE)) == 10
    assert len(re.findall(r"^[QA]: ", faq, re.MULTILINE)) == 20
    assert len(re.findall(r"^\|.*\|$", table, re.MULTILINE)) == 2 + 8


def test_the_handbook_asks_three_questions_a_section():
    text = documents("handbook")["handbook.md"]
    starts = [match.start() for match in re.finditer(r"^## ", text, re.MULTILINE)]
    asked = Counter()
    for question in questions("handbook"):
        sections = {sum(a["start"] > s for s in starts) for a in question["answers"]}
        asked[(*question["tags"], *sections)] += 1
    assert asked == {("prose", 1): 3, ("faq", 2): 3, ("table", 3): 3}


def test_the_runbooks_are_long_pages_of_every_kind():
    docs = documents("runbooks")
    assert len(docs) >= 10
    for text in docs.values():
        words = [word for word in text.split() if re.search(r"\w", word)]
        assert 800 <= len(words) <= 2000
    whole = "\n".join(docs.values())
    assert {"bash", "http", "json", "python", "sql", "text", "yaml"} == set(
        re.findall(r"^ *```(\w+)$", whole, re.MULTILINE)
    )
    for shape in (r"^#{1,3} ", r"^[=-]{6,}$", r"^\|---", r"^1\. ", r"^  +- ", r"^> ", r"^- \[ \] "):
        assert re.search(shape, whole, re.MULTILINE), shape
    assert sum(text.startswith("---\n") for text in docs.values()) == 2


def test_some_offsets_differ_from_utf16_and_from_bytes():
    text = documents("runbooks")["on-call-faq.md"]
    assert len(text) < len(text.encode("utf-16-le")) // 2 < len(text.encode())


def test_the_runbooks_ask_enough_and_much_of_it_is_hard():
    golden = questions("runbooks")
    per_page = Counter(question["doc_id"] for question in golden)
    assert len(golden) == 119
    assert set(per_page) == set(documents("runbooks"))
    assert min(per_page.values()) >= 5
    tags = Counter(tag for question in golden for tag in question["tags"])
    assert min(tags[kind] for kind in KINDS) >= 5
    assert 40 <= tags["hard"] <= 80
    assert sum(question["mode"] == "any" for question in golden) >= 5
    several = [q for q in golden if q["mode"] == "all" and len(q["answers"]) > 1]
    assert len(several) >= 20
    assert sum("\n\n" in quote for q in golden for quote in evidence(q)) >= 10
