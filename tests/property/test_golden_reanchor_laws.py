"""Gold that is anchored anew holds its text, and nothing else of a set is touched."""

import json

from hypothesis import given
from hypothesis import strategies as st

from seamline.golden import load_golden
from seamline.golden.reanchor import reanchor
from seamline.types import Document

SENTENCE = "Sentence {} speaks of the {} and of nothing else at all."
THINGS = ["pump", "belt", "valve", "tank", "hose", "motor", "gauge", "filter", "wheel", "lamp"]
SENTENCES = [SENTENCE.format(i, thing) for i, thing in enumerate(THINGS)]
ORDERS = st.permutations(range(10)).map(lambda order: order[:7])
EDITS = st.lists(
    st.sampled_from(["Entirely new text.", "", "\n\n# A title\n\n", "É ", "–"]), max_size=8
)


def written(folder, rows):
    path = folder / "golden.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def row(text, number, **more):
    start = text.index(SENTENCES[number])
    answer = {"start": start, "end": start + len(SENTENCES[number]), "text": SENTENCES[number]}
    return {"id": f"q{number}", "doc_id": "a.md", "question": "Which?", "answers": [answer], **more}


@given(ORDERS, EDITS, st.permutations(range(7)))
def test_sentences_are_found_wherever_an_edit_puts_them(tmp_path_factory, chosen, between, order):
    folder = tmp_path_factory.mktemp("set")
    old = " ".join(SENTENCES[i] for i in chosen)
    path = written(folder, [row(old, i) for i in chosen])
    parts = [SENTENCES[chosen[i]] for i in order]
    for i, edit in enumerate(between):
        parts.insert(2 * i, edit)
    document = Document("a.md", "\n".join(parts))
    found = reanchor(path, [document])
    assert found.ok
    assert all(
        one.new and document.text[one.new.start : one.new.end] == one.text for one in found.spans
    )
    assert [one.text for one in found.spans] == [SENTENCES[i] for i in chosen]
    path.write_text(found.text, encoding="utf-8")
    questions = load_golden(path, [document])
    assert questions.notes == ()
    assert [q.spans[0] for q in questions] == [one.new for one in found.spans]
    again = reanchor(path, [document])
    assert again.text == found.text
    assert again.counts()["unchanged"] == len(chosen)


@given(ORDERS, st.sets(st.integers(0, 6)), st.booleans())
def test_what_is_gone_is_lost_and_its_line_stays(tmp_path_factory, chosen, gone, drop_lost):
    folder = tmp_path_factory.mktemp("set")
    old = " ".join(SENTENCES[i] for i in chosen)
    path = written(folder, [row(old, i, mine="own key") for i in chosen])
    kept = [i for at, i in enumerate(chosen) if at not in gone]
    document = Document("a.md", "New. " + " ".join(SENTENCES[i] for i in kept))
    found = reanchor(path, [document], drop_lost=drop_lost)
    lost = {one.question for one in found.spans if one.state == "lost"}
    assert lost == {f"q{chosen[at]}" for at in gone}
    assert found.ok == (not gone)
    before = path.read_text(encoding="utf-8").splitlines()
    after = {json.loads(line)["id"]: line for line in found.text.splitlines()}
    assert len(after) == (len(kept) if drop_lost else len(chosen))
    for line in before:
        name = json.loads(line)["id"]
        if name in lost:
            assert drop_lost or after[name] == line
        else:
            assert json.loads(after[name])["mine"] == "own key"
            assert json.loads(after[name])["doc_sha256"] == document.digest
