"""What becomes of gold when its documents change, question by question."""

import json

import pytest

from seamline.golden.reanchor import reanchor
from seamline.types import Document, Span

LONG = "The pump is oiled once a week."
TEXT = f"# Pumps\n\n{LONG} Room 308 is shut. It holds 308 belts.\n"


def document(text=TEXT, doc_id="a.md"):
    return Document(doc_id, text)


def golden(tmp_path, *rows):
    path = tmp_path / "golden.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_bytes("\n".join(lines).encode())
    return path


def question(*answers, doc_id="a.md", **more):
    return {"id": "q1", "doc_id": doc_id, "question": "When?", "answers": list(answers), **more}


def answer(quote, **more):
    start = TEXT.index(quote)
    return {"start": start, "end": start + len(quote), "text": quote, **more}


def only(tmp_path, row, *documents, **options):
    found = reanchor(golden(tmp_path, row), documents, **options)
    (span,) = found.spans
    return span, found


def test_gold_that_did_not_move_gets_its_context_and_digest(tmp_path):
    row = question(answer(LONG, mine=1), tags=["x"], own="kept")
    span, found = only(tmp_path, row, document())
    assert (span.state, span.old, span.new) == ("unchanged", Span(9, 39), Span(9, 39))
    assert found.ok
    new = json.loads(found.text)
    assert new["doc_sha256"] == document().digest
    assert new["answers"] == [
        answer(LONG, mine=1) | {"before": "# Pumps\n\n", "after": " Room 308 is shut. It holds 30"}
    ]
    assert {key: new[key] for key in row if key != "answers"} == {
        key: row[key] for key in row if key != "answers"
    }
    assert reanchor(golden(tmp_path, found.text), [document()]).text == found.text


def test_gold_moves_with_its_text(tmp_path):
    span, found = only(tmp_path, question(answer(LONG)), document(f"New.\n\n{TEXT}"))
    assert (span.state, span.new, span.text) == ("moved", Span(15, 45), LONG)
    assert json.loads(found.text)["answers"][0]["start"] == 15


def test_gold_that_is_gone_is_lost_with_what_is_nearest(tmp_path):
    changed = TEXT.replace("once a week", "twice a week")
    span, found = only(tmp_path, question(answer(LONG)), document(changed))
    assert span.state == "lost"
    assert "no longer stands in 'a.md'" in span.why
    assert span.near_text == "The pump is oiled twice a week."
    assert changed[span.near.start : span.near.end] == span.near_text
    assert not found.ok
    assert found.text == json.dumps(question(answer(LONG)))
    unlike = document("Something wholly different stands here.")
    assert only(tmp_path, question(answer(LONG)), unlike)[0].near is None


def test_a_line_that_lost_its_gold_is_dropped_if_asked(tmp_path):
    rows = question(answer(LONG)), question(answer("308 belts")) | {"id": "q2"}
    changed = document(TEXT.replace("once a week", "daily"))
    path = golden(tmp_path, *rows, "")
    kept = reanchor(path, [changed], drop_lost=True)
    assert [json.loads(line)["id"] for line in kept.text.splitlines()] == ["q2"]
    assert not kept.ok


def test_a_question_is_written_anew_only_with_all_its_gold(tmp_path):
    changed = document(f"New. {TEXT.replace('308 belts', 'no belts')}")
    row = question(answer(LONG), answer("It holds 308 belts."))
    found = reanchor(golden(tmp_path, row), [changed])
    assert [span.state for span in found.spans] == ["moved", "lost"]
    assert found.text == json.dumps(row)


@pytest.mark.parametrize(
    ("given", "text", "state"),
    [
        # Repeated, and its context tells the two apart.
        (
            answer("308", before="Room ", after=" is shut"),
            "It holds 308 belts. Room 308 is shut.",
            "moved",
        ),
        # Repeated, and nothing tells them apart.
        (answer("308"), "It holds 308 belts. Room 308 is shut.", "ambiguous"),
        # Once, but short and without context: it may be another.
        (answer("308"), "Two halls hold 308 belts.", "ambiguous"),
        # At the same offsets by chance, in another context.
        (
            answer("308", before="Room ", after=" is shut"),
            TEXT.replace("Room 308 is", "Cost 308 in"),
            "ambiguous",
        ),
        (answer("308", before="Room ", after=" is shut"), TEXT, "unchanged"),
        (answer("308"), TEXT + "More.", "unchanged"),
        # Nothing to look for.
        ({"start": 9, "end": 39}, TEXT, "ambiguous"),
        ("308 belts", TEXT, "unchanged"),
        ({"text": "308", "occurrence": 2}, TEXT, "ambiguous"),
        (
            {"text": "308", "occurrence": 2, "before": "holds ", "after": " belts"},
            TEXT,
            "unchanged",
        ),
        ({"text": "308", "occurrence": 1}, "Room 308.", "unchanged"),
        ({"text": "308", "occurrence": 1}, "Room 309.", "lost"),
    ],
)
def test_what_is_not_certain_is_said_to_be_so(tmp_path, given, text, state):
    span, found = only(tmp_path, question(given), document(text))
    assert span.state == state
    assert found.ok == (state in {"unchanged", "moved"})
    assert (span.new is None) == bool(span.why)
    if span.new:
        assert text[span.new.start : span.new.end] == span.text


@pytest.mark.parametrize(
    "given", [{"start": 9, "end": 39}, {"text": "308", "occurrence": 2}, answer("308")]
)
def test_where_the_document_is_the_same_offsets_and_numbers_hold(tmp_path, given):
    span, found = only(tmp_path, question(given, doc_sha256=document().digest), document())
    assert span.state == "unchanged"
    (new,) = json.loads(found.text)["answers"]
    assert TEXT[new["start"] : new["end"]] == new["text"]
    assert "occurrence" not in new


def test_offsets_past_the_end_of_the_same_document_are_not_certain(tmp_path):
    row = question({"start": 9, "end": 999}, doc_sha256=document().digest)
    assert only(tmp_path, row, document())[0].state == "ambiguous"


def test_shapes_of_answers_stay(tmp_path):
    row = question([answer(LONG)], [answer("Room 308 is shut. It"), "308 belts"])
    found = reanchor(golden(tmp_path, row), [document(f"New. {TEXT}")])
    new = json.loads(found.text)["answers"]
    assert [[one["text"] for one in slot] for slot in new] == [
        [LONG],
        ["Room 308 is shut. It", "308 belts"],
    ]
    row = question(answer(LONG), "308 belts", mode="any")
    found = reanchor(golden(tmp_path, row), [document(f"New. {TEXT}")])
    assert json.loads(found.text)["mode"] == "any"
    assert [one["start"] for one in json.loads(found.text)["answers"]] == [14, 72]


def test_a_document_of_the_same_text_under_another_name_is_found(tmp_path):
    row = question(answer(LONG), doc_sha256=document().digest)
    span, found = only(tmp_path, row, document(doc_id="new/b.md"), document("x", "c.md"))
    assert (span.state, span.doc_id, span.new) == ("moved", "new/b.md", Span(9, 39))
    assert found.renamed == {"a.md": "new/b.md"}
    assert json.loads(found.text)["doc_id"] == "new/b.md"


def test_a_document_of_the_same_file_name_elsewhere_is_found(tmp_path):
    row = question(answer("308 belts", before="It holds ", after="."), doc_id="old/a.md")
    span, found = only(tmp_path, row, document(f"New. {TEXT}", "new/a.md"), document("x", "c.md"))
    assert (span.state, span.doc_id) == ("moved", "new/a.md")
    assert json.loads(found.text)["doc_id"] == "new/a.md"


def test_a_document_that_holds_the_gold_is_found(tmp_path):
    row = question(answer(LONG), doc_id="gone.md")
    span, _ = only(tmp_path, row, document(f"New. {TEXT}", "b.md"), document("x", "c.md"))
    assert (span.state, span.doc_id) == ("moved", "b.md")
    twice = document(doc_id="b.md"), document(f"{TEXT}!", "c.md")
    span, found = only(tmp_path, row, *twice)
    assert (span.state, span.doc_id) == ("lost", "gone.md")
    assert "there is no document 'gone.md'" in span.why
    assert found.renamed == {}


def test_a_document_that_is_there_is_preferred_to_a_copy_of_what_it_was(tmp_path):
    row = question(answer(LONG), doc_sha256=document().digest)
    span, found = only(tmp_path, row, document(f"New. {TEXT}"), document(doc_id="archive/a.md"))
    assert (span.state, span.doc_id, found.renamed) == ("moved", "a.md", {})
    swapped = document("Wholly other."), document(doc_id="b.md")
    span, found = only(tmp_path, row, *swapped)
    assert (span.state, span.doc_id) == ("moved", "b.md")


def test_ids_without_suffix_stay_as_they_are_written(tmp_path):
    _, found = only(tmp_path, question(answer(LONG), doc_id="a"), document(f"New. {TEXT}"))
    assert json.loads(found.text)["doc_id"] == "a"
    assert found.renamed == {}


def test_lines_that_are_no_questions_stay_to_the_byte(tmp_path):
    empty = json.dumps(question(), indent=None, separators=(" , ", " :"))
    lines = ["", "nonsense", empty, json.dumps(question(answer(LONG)) | {"id": "q2"}) + "\r", ""]
    path = golden(tmp_path, *lines)
    found = reanchor(path, [document(f"New. {TEXT}")])
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert reanchor(marked, [document(f"New. {TEXT}")]).text == f"\ufeff{found.text}"
    assert not found.ok
    assert [one.line for one in found.broken] == [2]
    new = found.text.split("\n")
    assert new[:3] == lines[:3]
    assert new[3].endswith("}\r")
    assert new[4] == ""
    assert found.n_questions == 2
    assert found.counts() == {"unchanged": 0, "moved": 1, "lost": 0, "ambiguous": 0}
