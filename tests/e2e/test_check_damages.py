"""`seamline check` after a deliberate damage: the right exit code and the right words."""

import json
import shutil

import pytest
from cli_runner import done, refused, run

from lock_project import edit

CONFIG = """docs = "docs"
golden = "golden.jsonl"
strategy = "recursive(size=512, overlap=64)"
"""


def project_of(source, folder, more=""):
    """A set with its config, measured and locked."""
    shutil.copytree(source / "docs", folder / "docs")
    shutil.copy(source / "golden.jsonl", folder)
    (folder / "seamline.toml").write_text(CONFIG + more, encoding="utf-8")
    done("bench", "--quiet", cwd=folder)
    process = done("lock", cwd=folder)
    assert process.stdout.startswith("locked recursive(size=512, overlap=64) | ")
    assert process.stderr == (
        "lock: seamline.lock\nnext: seamline check; commit seamline.toml and seamline.lock\n"
    )
    return folder


@pytest.fixture(scope="module")
def made(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runbooks")
    return project_of(root / "examples" / "runbooks", folder, 'retriever = "bm25"\n')


@pytest.fixture
def project(made, tmp_path):
    """A copy of the locked project, to be damaged."""
    shutil.copytree(made, tmp_path / "own")
    return tmp_path / "own"


def checked(project, code, *options, **more):
    process = run("check", *options, cwd=project, **more)
    assert process.returncode == code, (process.stdout, process.stderr)
    assert "Traceback" not in process.stderr
    return process


def test_nothing_changed_passes_with_the_same_bytes_each_time(project):
    files = ["--junit", "junit.xml", "--markdown", "check.md", "--json"]
    first = checked(project, 0, *files)
    kept = [(project / name).read_bytes() for name in ("junit.xml", "check.md")]
    second = checked(project, 0, *files)
    assert second.stdout == first.stdout
    assert kept == [(project / name).read_bytes() for name in ("junit.xml", "check.md")]
    assert json.loads(first.stdout)["verdict"] == "PASS"
    assert first.stderr == ""
    before = (project / "seamline.lock").read_bytes()
    done("lock", cwd=project)
    assert (project / "seamline.lock").read_bytes() == before


def test_size_512_to_200(project):
    edit(project / "seamline.toml", "size=512", "size=200")
    out = checked(project, 2).stdout
    assert out.startswith("CONFIGURATION CHANGED: size 512 → 200: no regression is shown, but the")
    assert "To do: undo the change, or, if it is meant, lock anew:" in out


def test_size_512_to_200_where_it_costs_whole_answers(project):
    edit(project / "seamline.toml", 'strategy = "', 'measures = ["HitWhole@5"]\nstrategy = "')
    done("bench", "--quiet", cwd=project)
    done("lock", cwd=project)
    edit(project / "seamline.toml", "size=512", "size=200")
    out = " ".join(checked(project, 1).stdout.split())
    assert out.startswith("REGRESSION: HitWhole@5 fell by 0.1")
    assert "beyond the margin of 0.020 after the configuration changed (size 512 → 200)" in out


def test_overlap_to_0(project):
    edit(project / "seamline.toml", "overlap=64", "overlap=0")
    out = checked(project, 2).stdout
    assert out.startswith("CONFIGURATION CHANGED: overlap 64 → 0: ")


def test_a_changed_separator(project):
    edit(project / "seamline.toml", "overlap=64", "overlap=64, separators=[word]")
    out = checked(project, 2).stdout
    assert out.startswith("CONFIGURATION CHANGED: separators auto → ['word']: ")


def test_a_changed_separator_under_a_floor(project):
    edit(project / "seamline.toml", "overlap=64", "overlap=64, separators=[word]")
    out = " ".join(
        checked(project, 1, "--floor", "recall@1000t", "--floor", "recall@5").stdout.split()
    )
    assert out.startswith("REGRESSION: Recall@1000t is 0.627 and must be at least 0.661 (locked")
    assert "separators auto → ['word']" in out


def test_a_drifted_document_is_set_aside_and_the_rest_is_judged(project):
    edit(project / "docs" / "rate-limits.md", "\n## Sizes", "\nA new paragraph.\n\n## Sizes")
    with (project / "docs" / "webhooks-api.md").open("a", encoding="utf-8") as file:
        file.write("\nA new last paragraph.\n")
    out = " ".join(checked(project, 0).stdout.split())
    assert "of them found again in documents that changed" in out
    assert "11 documents cut as locked" in out
    assert "Since the lock: 2 documents changed (rate-limits.md and webhooks-api.md)." in out
    assert "of 119 locked questions are set aside with their documents" in out
    done("golden", "anchor", "--in-place", cwd=project)
    again = " ".join(checked(project, 0).stdout.split())
    assert "each span in place ✓" in again


def test_gold_that_was_edited_away(project):
    gold = json.loads((project / "golden.jsonl").read_text("utf-8").splitlines()[0])
    name, text = gold["doc_id"], gold["answers"][0]["text"]
    edit(project / "docs" / name, text, "This sentence was rewritten")
    process = checked(project, 3)
    assert process.stdout.startswith("BROKEN GOLD: ")
    assert process.stdout.count(f"question '{gold['id']}'") == 1
    assert f"line 1: question '{gold['id']}'" in process.stdout


def test_a_golden_question_that_was_edited(project):
    edit(project / "golden.jsonl", "In what way may I give", "How may I give")
    out = checked(project, 2).stdout
    assert out.startswith("NOT COMPARABLE: changed since the lock: gold.")
    assert "gold: question 'keys-02' asks something else" in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('tokenizer = "words"', "tokenizer: cl100k_base → words"),
        ("budget = 500", "measure: Recall@1000t → Recall@500t; budget: 1000 → 500"),
    ],
)
def test_another_tokenizer_or_budget(project, line, says):
    edit(project / "seamline.toml", 'strategy = "', f'{line}\nstrategy = "')
    out = checked(project, 2).stdout
    assert out.startswith("NOT COMPARABLE: changed since the lock: ")
    assert says in out


def test_a_moved_chunker(project):
    data = json.loads((project / "seamline.lock").read_text("utf-8"))
    row = data["documents"]["key-rotation.md"]
    row["cuts"][2] -= 40
    row["boundaries"] = "0" * 16
    (project / "seamline.lock").write_text(json.dumps(data), encoding="utf-8")
    summary = project / "summary.md"
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    process = checked(project, 1, env=env)
    assert process.stdout.startswith("BOUNDARIES MOVED: ")
    assert "key-rotation.md: a chunk that starts at 1,683 in the lock starts at 1,723 now" in (
        process.stdout
    )
    assert "locked  t person's approval and then giv|es up without having changed any" in (
        process.stdout
    )
    assert process.stderr.startswith(
        "::error file=seamline.toml,title=seamline check%3A BOUNDARIES MOVED::"
    )
    assert summary.read_text("utf-8").startswith("## ❌ seamline check: BOUNDARIES MOVED\n")


def test_locks_that_cannot_be_used_are_one_sentence(project):
    lock = project / "seamline.lock"
    lock.unlink()
    assert "write it with `seamline lock` after `seamline bench`" in refused("check", cwd=project)
    lock.write_text('{"lock": 1, ', encoding="utf-8")
    assert refused("check", cwd=project).startswith("seamline.lock must be a lock in JSON")
    lock.write_text('{"lock": 7, "versions": {"seamline": "8.0"}}', encoding="utf-8")
    assert "written by a newer seamline (8.0): upgrade" in refused("check", cwd=project)
    assert "run where it is, or give --config" in refused("check", cwd=project / "docs")
    assert refused("lock", "docs", cwd=project).startswith("no results at 'docs")


def test_files_that_cannot_be_written_are_found_before_the_work(project):
    message = refused("check", "--junit", "no/such/junit.xml", cwd=project)
    assert message == "no/such/junit.xml: its folder must exist"
    (project / "kept.md").write_text("kept")
    (project / "seamline.lock").unlink()
    refused("check", "--markdown", "kept.md", cwd=project)
    assert (project / "kept.md").read_text() == "kept"
    assert not [path for path in project.iterdir() if path.name.startswith(".")]


@pytest.fixture(scope="module")
def techdocs(data_set, tmp_path_factory):
    return project_of(data_set("techdocs"), tmp_path_factory.mktemp("techdocs"))


def test_on_documentation_with_the_bundled_model_each_damage_is_told_apart(techdocs):
    config = techdocs / "seamline.toml"
    assert checked(techdocs, 0).stdout.startswith("PASS: Recall@1000t 0.")
    for old, new, code, says in (
        ("size=512", "size=200", 2, "CONFIGURATION CHANGED: size 512 → 200"),
        ("overlap=64", "overlap=0", 2, "CONFIGURATION CHANGED: overlap 64 → 0"),
        ("overlap=64", "overlap=64, separators=[word]", 1, "REGRESSION: Recall@1000t fell by 0.0"),
        ("overlap=64)", 'overlap=64)"\nembedder = "wordllama', 2, "NOT COMPARABLE: changed since the lock: model."),
    ):  # fmt: skip
        edit(config, old, new)
        assert checked(techdocs, code).stdout.startswith(says)
        config.write_text(CONFIG, encoding="utf-8")
