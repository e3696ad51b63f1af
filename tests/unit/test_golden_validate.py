import json

import pytest

from seamline.errors import InvalidConfig, MissingInput
from seamline.golden import load_golden, validate
from seamline.types import Chunk, Document

TEXT = (
    "# Refunds\n\n"
    "A refund is paid within fourteen days of the request, to the card it came from.\n\n"
    "Write to billing first. They answer on weekdays only, before noon.\n\n"
    "Write to billing first. Then wait for the form.\n"
)
DOC = Document("refunds.md", TEXT)
COPY = Document("copy.md", "Write to billing first. They answer on weekdays only, before noon.\n")


def line(*quotes, **fields):
    return {
        "id": "q1",
        "doc_id": "refunds",
        "question": "How long does it take?",
        "answers": list(quotes),
    } | fields


@pytest.fixture
def check(tmp_path):
    def run(*rows, documents=(DOC,), **options):
        path = tmp_path / "golden.jsonl"
        text = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text(text, encoding="utf-8")
        return validate(path, documents, **options)

    return run


GOOD = "A refund is paid within fourteen days of the request"


def test_a_clean_set_has_no_findings(check):
    found = check(line(GOOD))
    assert found.findings == ()
    assert found.ok
    assert (found.n_questions, found.n_spans) == (1, 1)


def codes(found):
    return [finding.code for finding in found.findings]


def test_all_lines_are_checked_and_findings_sorted_by_line(check):
    found = check("{", line(GOOD), line(GOOD), line("No such text here at all", id="q3"))
    assert [(f.line, f.code, f.severity) for f in found.errors] == [
        (1, "json", "error"),
        (3, "duplicate_id", "error"),
        (4, "quote", "error"),
    ]
    assert not found.ok
    assert (found.n_questions, found.n_spans) == (4, 1)
    assert found.counts() == {"json": 1, "duplicate_id": 1, "quote": 1}


@pytest.mark.parametrize(
    "answer",
    [
        "A refund is payed within 14 days of the request",
        {"start": 3, "end": 50, "text": "A refund is payed within 14 days of the request"},
    ],
)
def test_a_quote_that_drifted_gets_the_nearest_text_ready_to_paste(check, answer):
    found = check(line(answer))
    assert codes(found) == ["quote"]
    pasted = json.loads(found.errors[0].suggestion)
    assert pasted["text"] == GOOD
    assert check(line(pasted)).findings == ()


def test_a_quote_like_nothing_gets_no_suggestion(check):
    found = check(line("Zebras quickly vex jumping foxes"))
    assert found.errors[0].suggestion == ""
    assert str(found.errors[0]).startswith("question 'q1': the quote 'Zebras")


def test_a_question_without_gold(check):
    found = check(line())
    assert codes(found) == ["no_gold"]
    assert found.ok


def test_spans_under_five_tokens_are_counted_by_the_sizer(check):
    short = "fourteen days"
    assert codes(check(line(short))) == ["short_span"]
    assert "has 2 of at least 5 tokens" in check(line(short), sizer="words").warnings[0].message
    assert codes(check(line(short), sizer="characters")) == []


@pytest.mark.parametrize("text", ["\n" + GOOD, "answer on weekdays only, before noon.\n"])
def test_white_space_at_the_ends(check, text):
    found = check(line(text))
    assert codes(found) == ["white_space"]
    assert "leave the white space out" in found.warnings[0].suggestion


def test_overlapping_spans(check):
    assert codes(check(line(GOOD, "fourteen days of the request, to the card"))) == ["overlap"]


def test_text_that_stands_again_in_the_document_or_in_another(check):
    found = check(
        line("They answer on weekdays only, before noon."),
        line({"text": "Write to billing first.", "occurrence": 1}, id="q2"),
        documents=(DOC, COPY),
    )
    assert codes(found) == ["repeated", "repeated"]
    first, second = (finding.message for finding in found.findings)
    assert "stands in 1 other document," in first
    again = TEXT.rindex("Write")
    assert f"stands again at {again} and stands in 1 other document" in second


def test_alternatives_of_one_question_are_not_repeats(check):
    both = [{"text": "Write to billing first.", "occurrence": i} for i in (1, 2)]
    assert codes(check(line(*both, mode="any"))) == []


@pytest.mark.parametrize(
    ("question", "copies"),
    [
        ("Is a refund paid within fourteen days of the request?", True),
        ("When is the refund due: within fourteen days after request, paid to whom?", True),
        ("How soon do I get my money back?", False),
        ("Refund?", False),
    ],
)
def test_questions_in_the_answers_words(check, question, copies):
    found = check(
        line("A refund is paid within fourteen days of the request, to the card", question=question)
    )
    assert codes(found) == (["copied"] if copies else [])


def test_a_run_of_words_out_of_a_long_answer_is_a_copy(check):
    words = [f"word{i}" for i in range(200)]
    document = Document("refunds.md", " ".join(words))
    asked = "Please tell " + " ".join(words[90:97])
    assert codes(check(line(document.text, question=asked), documents=[document])) == ["copied"]
    mixed = "Please tell " + " ".join(reversed(words[90:97]))
    assert codes(check(line(document.text, question=mixed), documents=[document])) == []


def test_a_question_in_chinese_that_copies(check):
    document = Document("refunds.md", "订单在收到后三十天内付款，逾期付款按年利率计息。")
    answer = "订单在收到后三十天内付款"
    copied = check(line(answer, question="订单在收到后几天内付款"), documents=[document])
    assert codes(copied) == ["copied"]
    assert codes(check(line(answer, question="多久要付钱"), documents=[document])) == []


def chunks(*spans, doc_id="refunds.md"):
    return [Chunk(doc_id, start, end, "", i) for i, (start, end) in enumerate(spans)]


def test_known_items_are_made_of_their_document_and_neither_copy_nor_leak(check):
    chunks = {"own": [Chunk(DOC.id, TEXT.index(GOOD), TEXT.index(GOOD) + len(GOOD), 0)]}
    rows = [line(GOOD, id=id_, question=GOOD) for id_ in ("q1", "q2")]
    rows[1] |= {"tags": ["known-item", "known-item:heading"], "question": f"{GOOD}!"}
    found = check(*rows, strategies=chunks)
    assert [(f.line, f.code) for f in found.findings] == [(1, "copied"), (1, "leak")]


def test_errors_come_before_warnings(check):
    found = check(line(GOOD, question=GOOD), line("No such text here at all", id="q2"))
    assert [(f.line, f.code) for f in found.findings] == [(2, "quote"), (1, "copied")]


def test_a_span_on_the_boundaries_of_a_strategy_is_a_leak(check):
    start = TEXT.index(GOOD)
    end = start + len(GOOD)
    strategies = {
        "same": chunks((start, end)),
        "run": iter(chunks((start, start + 10), (start + 10, end))),
        "start only": chunks((start, end + 5)),
        "other document": chunks((start, end), doc_id="copy.md"),
    }
    found = check(line(GOOD), strategies=strategies)
    assert codes(found) == ["leak"]
    assert "boundaries of same, run:" in str(found.warnings[0])


def test_a_document_that_changed(check):
    start = TEXT.index(GOOD)
    same = {"start": start, "end": start + len(GOOD), "text": GOOD}
    assert codes(check(line(same, doc_sha256="0" * 64))) == ["changed_document"]
    moved = same | {"start": start + 4, "end": start + 4 + len(GOOD)}
    found = check(line(moved, doc_sha256="0" * 64))
    assert codes(found) == ["reanchored"]
    assert json.loads(found.warnings[0].suggestion) == same


def test_a_missing_file(tmp_path):
    with pytest.raises(MissingInput):
        validate(tmp_path / "none.jsonl", [DOC])


@pytest.mark.parametrize(
    "name", ["chroma", "techdocs", "cmrc2018", "tatqa", "xquad_en", "cuad", "qmsum"]
)
def test_the_development_sets_have_no_errors(data_set, name):
    folder = data_set(name)
    documents = [
        Document(path.name, path.read_text(encoding="utf-8"))
        for path in sorted((folder / "docs").iterdir())
    ]
    found = validate(folder / "golden.jsonl", documents)
    assert found.ok
    assert found.n_questions == len(load_golden(folder / "golden.jsonl", documents))


@pytest.mark.parametrize(
    ("row", "key", "near"),
    [
        (line(GOOD, tag=["x"]), "tag", "tags"),
        (line(GOOD, Reviewed=True), "Reviewed", "reviewed"),
        (line(GOOD, docSha256=""), "docSha256", "doc_sha256"),
        (line({"text": GOOD, "occurence": 1}), "occurence", "occurrence"),
        ({**line(), "answers": [[{"text": GOOD, "befor": "x"}]]}, "befor", "before"),
    ],
)
def test_a_misspelt_key_is_warned_about(check, row, key, near):
    (found,) = check(row).warnings
    assert (found.code, found.line, found.question) == ("unknown_key", 1, "q1")
    assert f"{key!r} is no key of" in str(found)
    assert str(found).endswith(f"did you mean {near!r}?")


def test_a_misspelt_key_is_named_beside_the_error_it_causes(check):
    found = check(line({"star": 0, "end": 9}))
    assert codes(found) == ["field", "unknown_key"]
    assert "did you mean 'start'?" in str(found.warnings[0])


def test_keys_of_the_users_own_pass_in_silence(check):
    own = {"difficulty": 3, "author": "me", "note": "x", "tag": "x", "tags": ["y"]}
    assert check(line({"text": GOOD, "page": 3}, **own)).findings == ()


@pytest.mark.parametrize("way", [str, lambda path: [path], lambda path: [path / "refunds.md"]])
def test_documents_may_be_paths(tmp_path, way):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "refunds.md").write_text(TEXT, encoding="utf-8")
    golden = tmp_path / "golden.jsonl"
    golden.write_text(json.dumps(line(GOOD)), encoding="utf-8")
    assert validate(golden, way(folder)).findings == ()
    assert load_golden(golden, way(folder)) == load_golden(golden, [DOC])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("golden.jsonl", 42), "documents must be Document objects, or paths .*, got a int"),
        (("golden.jsonl", [DOC, "a.md"]), "got a str"),
        (("golden.jsonl", {"a": 1}), "got a int"),
        (([], [DOC]), "the golden set must be a path, got a list"),
    ],
)
def test_wrong_types_are_named(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golden.jsonl").write_text(json.dumps(line(GOOD)), encoding="utf-8")
    for read in (load_golden, validate):
        with pytest.raises(InvalidConfig, match=message):
            read(*arguments)
