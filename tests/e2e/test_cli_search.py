"""`seamline search`: passages with their places, and "not answered" said as such."""

import json

import pytest
from cli_runner import done, refused, run

STORE = "sqlite:///index.db"
STRATEGY = "structure(size=40)"
HANDBOOK = """# Handbook

## Pumps

Oil the pump each day before it is started. Check the belt twice.

## Fish

Feed the fish at noon, never later than one.

| item | price |
| --- | --- |
| pump | 12 |
| belt | 3 |
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("search")
    (folder / "docs").mkdir()
    (folder / "docs" / "handbook.md").write_text(HANDBOOK)
    (folder / "docs" / "note.txt").write_text("The anchor weighs nine tons.\n")
    options = ["--keep-versions", 1, "--strategy", STRATEGY]
    done("ingest", "docs", "--store", STORE, *options, cwd=folder)
    (folder / "docs" / "note.txt").write_text("The anchor weighs eight tons.\n")
    done("ingest", "docs", "--store", STORE, *options, cwd=folder)
    return folder


def search(place, *arguments, **options):
    return run("search", *arguments, "--store", STORE, cwd=place, **options)


def found(place, *arguments):
    process = search(place, *arguments, "--json")
    assert process.returncode in (0, 4), process.stderr
    return json.loads(process.stdout)


def test_a_passage_is_shown_with_its_document_headings_and_offsets(place):
    process = search(place, "When are the fish fed?", "--threshold", 0.3, "-k", 1)
    assert (process.returncode, process.stderr) == (0, "")
    first, scores, *rest = process.stdout.splitlines()
    assert first.startswith("1  handbook.md, Handbook > Fish, ")
    assert "cosine 0." in scores
    assert "tokens" in scores
    assert any("Feed the fish at noon" in line for line in rest)


def test_json_has_slices_of_the_documents(place):
    answer = found(place, "When are the fish fed?", "--threshold", 0.3)
    assert answer["answered"] is True
    assert answer["revision"] == 2
    texts = {"handbook.md": HANDBOOK, "note.txt": "The anchor weighs eight tons.\n"}
    for rank, passage in enumerate(answer["passages"], 1):
        assert passage["rank"] == rank
        start, end = passage["start"], passage["end"]
        assert passage["text"] == texts[passage["doc_id"]][start:end]
        assert passage["id"] == f"{passage['doc_id']}#{start}-{end}"
    assert answer["tokens"] == sum(passage["tokens"] for passage in answer["passages"])
    assert answer["passages"][0]["metadata"]["headings"] == ["Handbook", "Fish"]


def test_under_the_threshold_is_not_answered_with_exit_code_4(place):
    process = search(place, "Who won the cup in 1954?")
    assert process.returncode == 4
    assert process.stdout.splitlines()[-1].startswith("Not answered: ")
    assert found(place, "Who won the cup in 1954?")["answered"] is False
    nobody = search(place, "fish", "--tenant", "nobody")
    assert nobody.returncode == 4
    assert nobody.stdout == "Not answered: nothing was found in 0 chunks that you may read.\n"
    assert search(place, "fish", "--threshold", -1).returncode == 0


def test_by_words_there_is_no_threshold(place):
    process = search(place, "fish", "--retriever", "bm25")
    assert process.returncode == 0
    assert "cosine" not in process.stdout
    assert search(place, "xylophone", "--retriever", "bm25").returncode == 4


@pytest.mark.parametrize("budget", [1, 5, 20, 10_000])
def test_a_budget_takes_the_place_of_k_and_holds(place, budget):
    answer = found(place, "pump", "--budget", budget, "--threshold", -1)
    assert 0 < answer["tokens"] <= budget
    both = found(place, "pump", "--budget", budget, "-k", 1, "--threshold", -1)
    assert len(both["passages"]) == 1


def test_conditions_versions_and_labels_narrow_down(place):
    only = found(place, "pump", "--where", "id=note.txt")["passages"]
    assert {passage["doc_id"] for passage in only} == {"note.txt"}
    none = ["--where", "id=note.txt", "--where", "id=handbook.md"]
    assert found(place, "pump", *none)["passages"] == []
    old = found(place, "How heavy is the anchor?", "--as-of", 1)["passages"][0]
    new = found(place, "How heavy is the anchor?")["passages"][0]
    assert (old["text"], new["text"]) == (
        "The anchor weighs nine tons.",
        "The anchor weighs eight tons.",
    )
    assert (old["version"], new["version"]) == (1, 2)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["  \n"], "the question must not be blank"),
        ([""], "the question must not be blank"),
        ([], "Missing argument 'QUESTION'"),
        (["x", "-k", "0"], "k must be at least 1"),
        (["x", "-k", "1.5"], "whole number"),
        (["x", "--budget", "0"], "budget must be at least 1"),
        (["x", "--threshold", "2"], "from -1 to 1"),
        (["x", "--threshold", "nan"], "from -1 to 1"),
        (["x", "--retriever", "densee"], "did you mean 'dense'?"),
        (["x", "--retriever", "hybrid(language=german)"], "language is german"),
        (["x", "--where", "year"], "a condition must be like"),
        (["x", "--where", 'a="b'], "a string in quotes must end in one"),
        (["x", "--where", "a=99999999999999999999"], "below 2**53"),
        (["x", "--as-of", "99"], "from 0 to 2, got 99"),
        (["x", "--as-of", "-1"], "from 0 to 2, got -1"),
        (["x", "--access", ""], "--access must not be empty"),
        (["x", "--namespace", "mian"], "did you mean 'main'?"),
        (["x", "--embedder", "minilmm"], "did you mean 'minilm'?"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(place, arguments, says):
    assert says in refused("search", *arguments, "--store", STORE, cwd=place)


def test_an_index_that_is_not_there_is_not_made(place):
    said = refused("search", "x", "--store", "sqlite:///typo.db", cwd=place)
    assert "no index at 'sqlite:///typo.db'" in said
    assert "no index" in refused("namespaces", "--store", "sqlite:///typo.db", cwd=place)
    assert not (place / "typo.db").exists()
    assert "a store must be named" in refused("search", "x", cwd=place)


def test_settings_of_another_strategy_are_refused(place):
    (place / "other.toml").write_text('strategy = "whole"\n')
    said = refused("search", "x", "--store", STORE, "--config", "other.toml", cwd=place)
    assert "was cut by structure(size=40), but the settings name whole" in said


@pytest.mark.parametrize(
    "question",
    [
        "'; DROP TABLE document; --",
        "\x1b[2J\u202efish",
        "%s {} $1 fish",
        "fish " * 20_000,
        "魚 👩‍👧 é",
    ],
    ids=["sql", "escapes", "formats", "long", "scripts"],
)
def test_any_question_is_only_text(place, question):
    process = search(place, question, env={"COLUMNS": "20"})
    assert process.returncode in (0, 4), process.stderr
    assert "\x1b[2J" not in process.stdout
    assert search(place, "fish", "--threshold", 0.2).returncode == 0
