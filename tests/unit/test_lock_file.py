"""The lock as a file: what it holds, that it is the same twice, and what is refused."""

import json
from dataclasses import replace

import pytest

from lock_project import edit, locked, rewrite_lock, write_config, write_set
from seamline.bench import Results
from seamline.errors import InvalidConfig, InvalidGold, MissingInput
from seamline.lock import Lock
from seamline.lock.lock import LockedDocument, LockedQuestion
from seamline.lock.run import Project


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write_set(folder)
    return locked(folder, more='[floors]\n"HitWhole@5" = true\nmean_chunk_size = true')


@pytest.fixture
def project(made, tmp_path):
    """A copy of the locked folder, to be changed."""
    import shutil

    folder = tmp_path / "own"
    shutil.copytree(made.config_file.parent, folder)
    return Project(folder / "seamline.toml")


def test_a_lock_holds_the_configuration_the_scores_and_the_cuts(made):
    lock = Lock.load(made.lock_file)
    assert str(lock.configuration) == "recursive(size=32, overlap=0) | bm25"
    assert lock.measures == ("Recall@60t", "Containment", "Recall@5", "HitWhole@5")
    assert lock.primary == "Recall@60t"
    assert (lock.config["margin"], lock.config["seed"]) == (0.02, 0)
    assert lock.config["embedder"] is lock.config["embedder_fingerprint"] is None
    assert len(lock.questions) == 36
    assert lock.questions["u03-1"].doc_id == "u03.md"
    assert lock.questions["u03-1"].values[0] == 1.0
    text = (made.config_file.parent / "docs" / "u03.md").read_text(encoding="utf-8")
    (start, end), *_ = lock.documents["u03.md"].spans
    assert text[start:end].startswith("# Unit 3")
    assert lock.versions["seamline"]


def test_the_same_lock_is_the_same_text_and_reads_back(made):
    again = made.lock(made.config_file.parent / "report")
    text = made.lock_file.read_text(encoding="utf-8")
    assert again.dumps() == text
    assert Lock.loads(text) == again
    assert json.loads(text)["lock"] == 1


def test_a_question_and_a_document_have_a_line_each(made):
    lines = made.lock_file.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith('  "u03') for line in lines) == 4  # the document, three questions
    assert "seamline bench --out report/locked && seamline lock report/locked" in lines[1]
    assert max(map(len, lines)) < 400


def test_a_lock_of_a_thousand_documents_is_a_few_megabytes(made):
    spans = tuple((i * 900, i * 900 + 1100) for i in range(100))
    document = LockedDocument("0" * 64, 25_000, 30_000, "0" * 16, spans)
    question = LockedQuestion("d1", "0" * 16, "0" * 16, (((812, 990),),), (0.3333333333,) * 4)
    lock = replace(
        Lock.load(made.lock_file),
        documents={f"d{i}": document for i in range(1000)},
        questions={f"q{i}": question for i in range(5000)},
    )
    assert len(lock.dumps()) < 3_000_000


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must be a lock in JSON"),
        ("<<<<<<< HEAD\n{}", "must be a lock in JSON"),
        ("[1]", "of format 1, got format None"),
        ('{"lock": "1"}', "of format 1, got format '1'"),
        ('{"lock": true}', "of format 1, got format True"),
        ('{"lock": 2, "versions": {"seamline": "9.1"}}', r"newer seamline \(9.1\): upgrade"),
        ('{"lock": 2, "versions": 3}', r"newer seamline \(unknown\)"),
        ('{"lock": 1}', "must be a whole lock, but lacks 'config'"),
        ("[" * 100_000, "must be a lock in JSON"),
    ],
)
def test_what_is_no_lock_is_refused_and_what_to_run_is_said(text, says):
    with pytest.raises(InvalidConfig, match=says) as caught:
        Lock.loads(text, "seamline.lock")
    assert str(caught.value).startswith("seamline.lock must be")
    assert "seamline bench --out report/locked && seamline lock report/locked" in str(caught.value)


def remove(*path):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return change


def put(value, *path):
    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


@pytest.mark.parametrize(
    "change",
    [
        remove("config", "strategy"),
        remove("questions", "u01-1", "gold"),
        remove("documents", "u01.md"),
        put([1], "config"),
        put("5", "config", "k"),
        put(3, "config", "probe"),
        put("no base64!", "config", "probe"),
        put([], "measures"),
        put([3], "measures"),
        put([1.0], "questions", "u01-1", "values"),
        put(["x"] * 4, "questions", "u01-1", "values"),
        put([[3]], "questions", "u01-1", "slots"),
        put([0, 5, 3], "documents", "u01.md", "cuts"),
        put("cuts", "documents", "u01.md", "cuts"),
        put([], "documents"),
        put(3, "versions"),
        put(True, "versions"),
        put({"seamline": True}, "versions"),
        put([], "means"),
        put({"Recall@60t": {}}, "means"),
        put(None, "documents", "u01.md", "boundaries"),
        put(7, "documents", "u01.md", "digest"),
        put(True, "documents", "u01.md", "tokens"),
        put(None, "questions", "u01-1", "gold"),
        put(["u01.md"], "questions", "u01-1", "doc_id"),
        put([[[0, "9"]]], "questions", "u01-1", "slots"),
        put([10**400] * 3, "questions", "u01-1", "values"),
        put([float("nan")] * 3, "questions", "u01-1", "values"),
        put("Recall@5", "measures"),
        put(True, "config", "k"),
        put(float("nan"), "config", "margin"),
        put(-1, "config", "seed"),
        *(put([value] * 3, "questions", "u01-1", "values") for value in (1e200, 5, -3, 1.01)),
        *(put({"Recall@60t": value}, "means") for value in (1e308, -0.1, 1.5, float("inf"))),
        *(put(value, "documents", "u01.md", "tokens") for value in (-1, 10**30)),
        *(put(value, "documents", "u01.md", "chunk_tokens") for value in (-1, 10**30)),
        *(put(value, "documents", "u01.md", "cuts") for value in ([-5, 9], [0, -9], [0, 10**30])),
        *(
            put([[value]], "questions", "u01-1", "slots")
            for value in ([9, 3], [-3, 9], [0, 10**30])
        ),
        *(put(value, "config", key) for key in ("k", "budget") for value in (0, 10**30)),
        *(put(value, "config", "separator") for value in (-1, 10**30)),
    ],
)
def test_a_damaged_lock_is_refused(project, change):
    rewrite_lock(project, change)
    with pytest.raises(InvalidConfig, match="must be a whole lock, but"):
        Lock.load(project.lock_file)


def test_a_lock_that_is_not_there_or_no_text_is_refused(tmp_path):
    with pytest.raises(MissingInput, match="write it with `seamline lock` after `seamline bench`"):
        Lock.load(tmp_path / "seamline.lock")
    with pytest.raises(MissingInput, match="there must be a lock"):
        Lock.load(tmp_path)
    (tmp_path / "seamline.lock").write_bytes(b"\xff\xfe{")
    with pytest.raises(InvalidConfig, match="must be a lock in UTF-8"):
        Lock.load(tmp_path / "seamline.lock")


def refused(project, says, error=InvalidConfig):
    with pytest.raises(error, match=says):
        Project(project.config_file).lock(project.config_file.parent / "report")


def test_without_a_strategy_nothing_is_locked(project):
    edit(project.config_file, 'strategy = "recursive(size=32, overlap=0)"\n', "")
    refused(project, 'add strategy = "…"')


def test_the_results_must_hold_the_configuration(project):
    edit(project.config_file, "size=32", "size=64")
    refused(project, r"in seamline.toml, recursive\(size=64, overlap=0\) \| bm25, but hold rec")
    edit(project.config_file, "size=64", "size=32")
    edit(project.config_file, '"bm25"', '"dense"')
    refused(project, "must hold the configuration")


def test_the_results_must_be_measured_as_the_config_says(project):
    edit(project.config_file, "budget = 60", "budget = 80\nk = 7\ntokenizer = 'words'")
    says = "k 5 and not 7, budget 60 and not 80, tokenizer 'cl100k_base' and not 'words', primary"
    refused(project, says)


def test_the_results_must_be_of_the_documents_and_questions_of_today(project):
    folder = project.config_file.parent
    edit(folder / "docs" / "u03.md", "painted grey", "painted pink")
    refused(project, "'u03.md' changed since: measure again", InvalidConfig)
    edit(folder / "docs" / "u03.md", "painted pink", "painted grey")
    edit(folder / "golden.jsonl", "Which oil wants the relay", "What oil wants the relay")
    refused(project, "'u07-0' changed since: measure again", InvalidConfig)
    edit(folder / "golden.jsonl", "of grade 13 in", "of grade 99 in")
    refused(project, "question 'u03-0'", InvalidGold)


def test_the_results_must_be_of_the_cuts_of_today(project):
    results = Results.load(project.config_file.parent / "report")
    chunks = results.data["strategies"][0]["chunks"]
    for number in range(5):
        chunks[f"u0{number}.md"][0][1] -= 1
    results.save(project.config_file.parent / "report")
    refused(project, "'u00.md', 'u01.md', 'u02.md' and 2 more are others: measure again")


def test_too_few_questions_are_not_worth_a_lock(tmp_path):
    write_set(tmp_path, n=1)
    with pytest.raises(InvalidConfig, match="at least 5 questions with gold"):
        locked(tmp_path)


def test_results_of_several_strategies_hold_the_one_that_is_locked(project):
    folder = project.config_file.parent
    more = 'strategies = ["whole", "recursive(size=32, overlap=0)"]'
    write_config(folder, strategy="whole", more=more)
    from seamline.bench import run_bench
    from seamline.golden.sets import load_set

    config = Project(project.config_file).config
    run_bench(*load_set(config.docs, config.golden), config).save(folder / "report")
    lock = Project(project.config_file).lock(folder / "report")
    assert str(lock.configuration) == "whole | bm25"
    assert lock.means["Recall@60t"] < 0.5


def test_a_project_needs_its_config_file(tmp_path):
    with pytest.raises(MissingInput, match="run where it is, or give --config"):
        Project(tmp_path / "seamline.toml")
    file = write_config(tmp_path)
    assert Project(file).lock_file == tmp_path / "seamline.lock"
    assert Project(file, tmp_path / "other.lock").lock_file == tmp_path / "other.lock"
