"""Quotes that got lost when their document was parsed."""

import json

import pytest

from seamline.bench import run_bench
from seamline.config import BenchConfig
from seamline.errors import InvalidGold
from seamline.golden import load_golden, validate
from seamline.parse import read_documents

PAGE = (
    "<html><body><p>Oil the pump each month.</p>"
    '<script>document.write("Close valve seven first.")</script>'
    "<p>The key hangs behind the blue door.</p></body></html>"
)
KEPT, GONE, OTHER = "Oil the pump", "Close valve seven first.", "behind the blue door"


@pytest.fixture
def documents(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.html").write_text(PAGE)
    (folder / "b.md").write_text("Call the porter.\n")
    return list(read_documents(folder))


@pytest.fixture
def golden(tmp_path):
    def write(*lines):
        rows = [
            {"id": f"q{i}", "doc_id": "a", "question": "What now?"} | line
            for i, line in enumerate(lines)
        ]
        path = tmp_path / "golden.jsonl"
        path.write_text("\n".join(map(json.dumps, rows)))
        return path

    return write


def test_a_quote_that_the_text_lacks_is_an_error_that_says_what_to_do(documents, golden):
    with pytest.raises(InvalidGold, match=r'if parsing lost it, say "lost": true'):
        load_golden(golden({"answers": [GONE]}), documents)


def test_a_quote_said_to_be_lost_leaves_the_question_without_gold(documents, golden):
    found = load_golden(golden({"answers": [GONE], "lost": True}, {"answers": [KEPT]}), documents)
    assert (found[0].slots, found[0].lost) == ((), GONE)
    assert found[1].lost == ""
    assert [note.code for note in found.notes] == ["lost"]
    assert "lost in parsing" in found.notes[0].message


def test_one_lost_slot_is_enough_but_an_alternative_that_is_there_suffices(documents, golden):
    lines = (
        {"answers": [KEPT, GONE], "lost": True},
        {"answers": [KEPT, GONE], "mode": "any", "lost": True},
    )
    all_of, any_of = load_golden(golden(*lines), documents)
    assert (all_of.slots, all_of.lost) == ((), GONE)
    assert any_of.lost == ""
    assert len(any_of.slots) == 1


def test_what_is_there_is_used_whatever_the_flag_says(documents, golden):
    found = load_golden(golden({"answers": [KEPT], "lost": True}), documents)
    assert len(found[0].slots) == 1
    assert "drop 'lost'" in str(found.notes[0])


def test_nothing_gets_lost_of_text_that_is_read_as_it_is(documents, golden):
    line = {"doc_id": "b", "answers": [GONE], "lost": True}
    with pytest.raises(InvalidGold, match=r"must stand in document 'b\.md'"):
        load_golden(golden(line), documents)


def test_the_flag_is_true_or_false(documents, golden):
    with pytest.raises(InvalidGold, match="'lost' must be true or false, got 'yes'"):
        load_golden(golden({"answers": [GONE], "lost": "yes"}), documents)


def test_validate_warns_once(documents, golden):
    path = golden({"answers": [GONE], "lost": True}, {"answers": [OTHER]})
    found = validate(path, documents)
    assert not found.errors
    assert [one.code for one in found.warnings if one.question == "q0"] == ["lost"]


@pytest.mark.parametrize("retriever", ["bm25", "bm25(positional=20)"])
def test_it_counts_as_failed_and_is_in_no_mean(documents, golden, retriever):
    path = golden({"answers": [GONE], "lost": True}, {"answers": [KEPT]})
    config = BenchConfig(strategies=("whole", "sentence(size=8)"), retriever=retriever)
    data = run_bench(documents, load_golden(path, documents), config).data
    assert [one["id"] for one in data["questions"]] == ["q1"]
    assert data["skipped"] == [
        {"id": "q0", "why": f"lost in parsing: the text of a.html lacks {GONE!r}"}
    ]
    for found in data["diagnosis"]:
        assert found["labels"]["q0"] == "lost in parsing"
        assert found["counts"]["lost in parsing"] == 1
        assert found["n"] == 2
