import json
import pickle

import pytest

from seamline.errors import InvalidGold, MissingInput
from seamline.golden import load_golden
from seamline.golden.sets import load_set
from seamline.types import Document, Question, Span

TEXT = "Alpha is first.\nBeta is second.\nGamma is third, and Beta is back.\n"
DOC = Document("guide/greek.md", TEXT)
OTHER = Document("guide/other.md", "Nothing to see here.\n")
ALPHA, BETA = TEXT.index("Alpha is first."), TEXT.index("Beta is second.")


def line(answers=("Alpha is first.",), **fields):
    row = {"id": "q1", "doc_id": "guide/greek.md", "question": "Who?", "answers": list(answers)}
    row |= fields
    return {key: value for key, value in row.items() if value is not ...}


@pytest.fixture
def load(tmp_path):
    def write(*rows, documents=(DOC, OTHER), raw=None):
        path = tmp_path / "golden.jsonl"
        text = "\n".join(json.dumps(row) for row in rows) if raw is None else raw
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_golden(path, documents)

    return write


def answer(start, end, **fields):
    return {"start": start, "end": end, "text": TEXT[start:end]} | fields


def test_a_line_becomes_a_question(load):
    row = line(
        [answer(0, 15), answer(16, 31)],
        tags=["greek", "greek", "easy"],
        source="human",
        reviewed=True,
        note="unknown keys are left alone",
    )
    assert load(row) == (
        Question(
            "q1",
            DOC.id,
            "Who?",
            ((Span(0, 15),), (Span(16, 31),)),
            ("greek", "easy"),
            "human",
            reviewed=True,
        ),
    )


def test_a_golden_set_is_a_tuple_that_keeps_its_notes_when_pickled(load):
    golden = load(line([answer(0, 15), answer(10, 31)]))
    assert isinstance(golden, tuple)
    back = pickle.loads(pickle.dumps(golden))
    assert back == golden
    assert back.notes == golden.notes
    assert len(golden.notes) == 1


@pytest.mark.parametrize(
    ("answers", "mode", "slots"),
    [
        ([answer(0, 5), answer(16, 20)], "all", ((Span(0, 5),), (Span(16, 20),))),
        ([answer(16, 20), answer(0, 5)], "all", ((Span(0, 5),), (Span(16, 20),))),
        ([answer(16, 20), answer(0, 5)], "any", ((Span(0, 5), Span(16, 20)),)),
        ([answer(0, 5), answer(0, 5)], "any", ((Span(0, 5),),)),
        ([answer(0, 9), answer(6, 15)], "any", ((Span(0, 9), Span(6, 15)),)),
        (
            [[answer(16, 20), answer(52, 56)], [answer(0, 5)]],
            ...,
            ((Span(0, 5),), (Span(16, 20), Span(52, 56))),
        ),
        ([[answer(0, 5)]], "all", ((Span(0, 5),),)),
        ([], "any", ()),
        ([], "all", ()),
    ],
)
def test_modes_and_nested_slots(load, answers, mode, slots):
    assert load(line(answers, mode=mode))[0].slots == slots


def test_overlapping_spans_are_merged_and_noted_touching_ones_kept(load):
    golden = load(line([answer(0, 9), answer(6, 15), answer(15, 20), answer(1, 3)]))
    assert golden[0].slots == ((Span(0, 15),), (Span(15, 20),))
    assert [note.code for note in golden.notes] == ["overlap"]
    assert "2 merged" in golden.notes[0].message


@pytest.mark.parametrize("answers", [[], None, ...])
def test_a_question_without_answers_is_kept_without_slots(load, answers):
    row = line() | {"answers": answers}
    assert load({key: value for key, value in row.items() if value is not ...})[0].slots == ()


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("guide/greek.md", "guide/greek.md"),
        ("guide/greek", "guide/greek.md"),
        ("v1.2", "v1.2"),
        ("plain", "plain"),
    ],
)
def test_a_document_is_named_with_or_without_its_suffix(load, given, found):
    documents = [DOC, Document("v1.2", TEXT), Document("v1.3", TEXT), Document("plain", TEXT)]
    assert load(line(doc_id=given), documents=documents)[0].doc_id == found


def test_documents_may_be_a_mapping(load):
    assert load(line(), documents={"any key": DOC})[0].doc_id == DOC.id


def test_an_exact_id_beats_one_without_suffix(load):
    documents = [Document("a.md", "Beta"), Document("a", TEXT)]
    assert load(line(doc_id="a"), documents=documents)[0].doc_id == "a"


def test_a_quote_is_resolved_once(load):
    start = TEXT.index("Gamma")
    assert load(line(["Gamma is third"]))[0].spans == (Span(start, start + 14),)
    assert load(line([{"text": "Gamma is third"}]))[0].spans == (Span(start, start + 14),)


@pytest.mark.parametrize(("occurrence", "start"), [(1, 16), (2, TEXT.rindex("Beta is"))])
def test_an_occurrence_says_which_counted_from_one(load, occurrence, start):
    found = load(line([{"text": "Beta is", "occurrence": occurrence}]))
    assert found[0].spans == (Span(start, start + 7),)


def test_the_context_says_which_too(load):
    found = load(line([{"text": "Beta is", "before": "third, and "}]))
    assert found[0].spans[0].start == TEXT.rindex("Beta is")


def test_offsets_need_no_text(load):
    assert load(line([{"start": 0, "end": 5}]))[0].spans == (Span(0, 5),)


def test_a_file_as_windows_writes_it(load):
    row = json.dumps(line([{"start": 0, "end": 31, "text": "Alpha is first.\r\nBeta is second."}]))
    found = load(raw=b"\xef\xbb\xbf" + f"\r\n{row}\r\n\r\n  \r\n".encode())
    assert found[0].spans == (Span(0, 31),)


def test_line_separators_inside_strings_do_not_end_a_line(load):
    text = "one\u2028two\x85three\x0cfour"
    document = Document("d", text)
    row = line([{"start": 0, "end": len(text), "text": text}], doc_id="d")
    raw = json.dumps(row, ensure_ascii=False)
    assert load(raw=raw, documents=[document])[0].spans == (Span(0, len(text)),)


def test_offsets_count_code_points(load):
    text = "😀 the flag 🇩🇪 is é here"
    start = text.index("é")
    row = line([{"start": start, "end": start + 6, "text": "é here"}], doc_id="d")
    assert load(row, documents=[Document("d", text)])[0].spans == (Span(start, start + 6),)


def test_a_number_may_be_an_id(load):
    assert load(line(id=7))[0].id == "7"


def test_an_empty_file_has_no_questions(load):
    assert load(raw="\n \n") == ()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{", "must be one JSON object, but .* at column 2"),
        ('{"id": "q1"} {"id": "q2"}', "but Extra data at column 14"),
        ("[1, 2]", "got a list"),
        ('"text"', "got a str"),
        ("[" * 100_000, "must be one JSON object"),
        ('{"id": "q", "question": "\\ud83d"}', "surrogate"),
        (line(id=...), "'id' must be a non-empty string, got nothing"),
        (line(id=" "), r"'id' must be a non-empty string, got \" \""),
        (line(id=True), "'id' must be a non-empty string, got true"),
        (line(doc_id=5), "'doc_id' must be a non-empty string, got 5"),
        (line(question=" \n"), "'question' must be a non-empty string"),
        (line() | {"answers": "Alpha"}, "'answers' must be a list, got a str"),
        (line(answers=[]) | {"answers": None, "anwsers": ["x"]}, "no 'answers' but 'anwsers'"),
        (line(mode="some"), "'mode' must be 'all' or 'any', got 'some'"),
        (line([["Alpha"], "Beta"]), "all spans or all lists"),
        (line([["Alpha is first."]], mode="any"), "drop 'mode'"),
        (line([[]]), "a slot of nested answers must not be empty"),
        (line([5]), "an answer must be an object or a quote, got 5"),
        (line([{}]), "got neither"),
        (line([{"start": 3}]), "both 'start' and 'end' or neither"),
        (line([{"start": 3, "end": 3}]), r"start < end, got \[3, 3\)"),
        (line([{"start": -1, "end": 3}]), "'start' must be a whole number >= 0, got -1"),
        (line([{"start": True, "end": 3}]), "'start' must be a whole number"),
        (line([{"start": 1.0, "end": 3}]), "'start' must be a whole number"),
        (line([{"text": ""}]), "'text' must be a non-empty string"),
        (line([{"text": 5}]), "'text' must be a non-empty string, got 5"),
        (line([{"text": "Beta is", "occurrence": 0}]), "'occurrence' must be a whole number >= 1"),
        (line([{"text": "Beta is", "occurrence": 3}]), "'occurrence' must be at most 2"),
        (line([{"text": "Beta is", "before": 5}]), "'before' must be a non-empty string, got 5"),
        (line(tags="greek"), "'tags' must be a list of strings"),
        (line(tags=[1]), "'tags' must be a list of strings"),
        (line(source=5), "'source' must be"),
        (line(reviewed="yes"), "'reviewed' must be true or false, got 'yes'"),
        (line(doc_sha256=5), "'doc_sha256' must be"),
        (line(["Beta is"]), r"must occur once in .* occurs 2 times, at 16, 52: add \"occurrence\""),
        (line(["Omega"]), "the quote 'Omega' must stand in document 'guide/greek.md'"),
        (line([{"text": "Omega", "occurrence": 1}]), "'Omega' must stand in"),
        (line(doc_id="guide/greek.txt"), "none of the 2 given .* did you mean 'guide/greek.md'"),
        (line(doc_id="zzz"), "is its file in the folder"),
    ],
)
def test_a_broken_line_is_named_with_what_must_hold(load, row, message):
    good = json.dumps(line(id="good"))
    broken = row if isinstance(row, str) else json.dumps(row)
    with pytest.raises(InvalidGold, match=message) as caught:
        load(raw=f"{good}\n{broken}\n")
    assert "golden.jsonl:2: " in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_duplicate_id_names_both_lines(load):
    with pytest.raises(InvalidGold, match=r"golden.jsonl:3: question 'q1': .*line 1 has this one"):
        load(line(), line(id="q2"), line())


@pytest.mark.parametrize(
    ("given", "near"),
    [
        ("guide/greek.rst", "guide/greek.md"),
        ("greek", "guide/greek.md"),
        ("old/greek.md", "guide/greek.md"),
        ("guide/greeks.md", "guide/greek.md"),
        ("httpx-timeout.md", ""),
        ("httpx-timeouts.md", ""),
        ("httpx-client.md", "httpx-clients.md"),
        ("b.md", ""),
        ("x/y.md", ""),
        (".md", ""),
    ],
)
def test_only_a_document_that_is_near_is_suggested(load, given, near):
    """Any two names with one suffix and one prefix look alike by their letters."""
    ids = ["guide/greek.md", "httpx-clients.md", "a.md"]
    documents = [Document(name, TEXT) for name in ids]
    with pytest.raises(InvalidGold) as caught:
        load(line(doc_id=given), documents=documents)
    said = f"did you mean {near!r}?" if near else "is its file in the folder?"
    assert said in str(caught.value)


def test_two_documents_that_differ_by_suffix_only_are_ambiguous(load):
    documents = [Document("a.txt", TEXT), Document("a.md", TEXT)]
    with pytest.raises(InvalidGold, match=r"'a' may be 'a.md' or 'a.txt': write the whole id"):
        load(line(doc_id="a"), documents=documents)


def test_a_span_that_ends_after_its_document(load):
    with pytest.raises(
        InvalidGold,
        match=r"question 'q1': gold span \[60, 90\) ends after document 'guide/greek.md' "
        r"\(66 characters\): was the document changed since\?",
    ):
        load(line([{"start": 60, "end": 90}]))


def test_a_text_that_is_not_there_shows_both_and_where_it_stands(load):
    with pytest.raises(InvalidGold) as caught:
        load(line([{"start": 1, "end": 16, "text": "Alpha is first."}]))
    message = str(caught.value)
    assert "must hold 'Alpha is first.', but holds 'lpha is first.\\n'" in message
    assert "the text stands at 0" in message
    assert '{"start": 0, "end": 15, "text": "Alpha is first."}' in message


def test_a_text_that_stands_in_several_places_lists_them(load):
    with pytest.raises(InvalidGold, match="occurs 2 times, at 16, 52"):
        load(line([{"start": 1, "end": 8, "text": "Beta is"}]))


def test_a_text_that_stands_nowhere_is_an_error(load):
    with pytest.raises(InvalidGold, match="stands nowhere in it: was the document changed"):
        load(line([{"start": 1, "end": 8, "text": "Omega i"}]))


@pytest.mark.parametrize(
    ("text", "at", "unit"),
    [
        ("one\ntwo\nthree", lambda t: t.replace("\n", "\r\n").index("three"), r"\\r\\n line ends"),
        ("é漢 three", lambda t: t.encode().index(b"three"), "UTF-8 bytes"),
        ("😀😀 three", lambda t: len("😀😀 ".encode("utf-16-le")) // 2, "UTF-16 code units"),
    ],
)
def test_offsets_in_another_unit_are_explained(load, text, at, unit):
    start = at(text)
    row = line([{"start": start, "end": start + 5, "text": "three"}], doc_id="d")
    with pytest.raises(InvalidGold, match=f"the offsets count {unit}") as caught:
        load(row, documents=[Document("d", text)])
    right = text.index("three")
    assert f'{{"start": {right}, "end": {right + 5}, "text": "three"}}' in str(caught.value)


def test_all_errors_come_in_one_the_first_ten_written_out(load):
    rows = [line(id=f"q{i}", doc_id="nowhere" if i % 2 else DOC.id) for i in range(26)]
    rows[20]["question"] = ""
    with pytest.raises(InvalidGold) as caught:
        load(*rows)
    lines = str(caught.value).split("\n")
    assert "has 14 errors" in lines[0]
    assert len(lines) == 12
    assert "golden.jsonl:2: question 'q1'" in lines[1]
    assert lines[-1] == "  … and 4 more (3 document, 1 empty_question)"


def test_every_broken_answer_of_a_question_is_named(load):
    with pytest.raises(InvalidGold) as caught:
        load(line(["Omega", "Alpha is first.", "Psi"]))
    assert "'Omega'" in str(caught.value)
    assert "'Psi'" in str(caught.value)


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_path_that_is_no_file(tmp_path, name):
    with pytest.raises(MissingInput, match="a golden set must be a"):
        load_golden(tmp_path / name, [DOC])


def test_another_encoding_is_refused_with_the_place(load):
    with pytest.raises(InvalidGold, match="must be UTF-8, but byte 13 is not"):
        load(raw='{"id": "q1"\xa0'.encode() + b"\xe9}")


SHIFTED = Document(DOC.id, "A new first line.\n" + TEXT)


def test_a_changed_document_moves_its_spans_and_notes_it(load):
    row = line([answer(0, 15)], doc_sha256=DOC.digest.upper())
    golden = load(row, documents=[SHIFTED])
    assert golden[0].spans == (Span(18, 33),)
    assert [note.code for note in golden.notes] == ["reanchored"]
    assert "[0, 15) to [18, 33)" in golden.notes[0].message
    assert golden.notes[0].suggestion == '{"start": 18, "end": 33, "text": "Alpha is first."}'


def test_context_moves_a_span_without_a_digest(load):
    start = TEXT.rindex("Beta is")
    found = answer(start, start + 7, before="third, and ", after=" back.")
    golden = load(line([found]), documents=[SHIFTED])
    assert golden[0].spans == (Span(start + 18, start + 25),)


def test_an_unchanged_document_never_moves_a_span(load):
    found = {"start": 1, "end": 16, "text": "Alpha is first.", "before": "x"}
    with pytest.raises(InvalidGold, match="must hold"):
        load(line([found], doc_sha256=DOC.digest))


def test_a_span_that_cannot_be_moved_is_an_error_with_the_questions_id(load):
    row = line([answer(16, 23)], doc_sha256=DOC.digest)
    with pytest.raises(InvalidGold, match=r"question 'q1': .*occurs 2 times, at 34, 70"):
        load(row, documents=[SHIFTED])
    gone = Document(DOC.id, "Everything is new.")
    with pytest.raises(InvalidGold, match=r"question 'q1': the quote 'Beta is' must stand in"):
        load(row, documents=[gone])


def test_a_digest_is_computed_once_a_document(load):
    rows = [line([answer(0, 15)], id=f"q{i}", doc_sha256="0" * 64) for i in range(3)]
    assert [note.line for note in load(*rows).notes] == [1, 2, 3]


def test_a_changed_document_whose_gold_stays_is_noted_only(load):
    golden = load(line([answer(0, 15)], doc_sha256="0" * 64))
    assert golden[0].spans == (Span(0, 15),)
    assert [note.code for note in golden.notes] == ["changed_document"]
    assert load(line([answer(0, 15)], doc_sha256=DOC.digest)).notes == ()


def write(path):
    path.write_text("Text.\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff"])
def test_a_set_without_a_line_is_refused_by_its_name(tmp_path, text):
    path = tmp_path / "golden.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidGold, match=r"golden\.jsonl must hold at least one question, but is"):
        load_set([write(tmp_path / "a.md")], path)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("null", "got null"),
        ("true", "got true or false"),
        ("3.5", "got a number"),
        ('"text"', "got a string"),
        ("9" * 5_000, "but a number has too many digits"),
        ("[" * 100_000, "but it is nested too deep"),
        ('{"id": ' + "[" * 100_000, "but it is nested too deep"),
    ],
)
def test_a_line_that_is_no_object_is_said_to_be_what_it_is(tmp_path, line, says):
    path = tmp_path / "golden.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InvalidGold, match=f"a line must be one JSON object, {says}"):
        load_golden(path, [Document.from_text("Text.", "a.md")])
