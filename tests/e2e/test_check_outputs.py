"""`check`, `lock`, `recommend` and `golden draft` write over nothing that they read."""

import re
import shlex
import shutil

import pytest
from cli_runner import done, refused, run

from lock_project import edit, locked, write_set


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write_set(folder)
    locked(folder)
    done("bench", "--quiet", cwd=folder)
    return folder


@pytest.fixture
def project(made, tmp_path):
    return shutil.copytree(made, tmp_path / "own")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("check --junit seamline.lock", "the lock"),
        ("check --markdown golden.jsonl", "the golden set"),
        ("check --junit seamline.toml", "the config file"),
        ("check --markdown report/results.json", "the results"),
        ("check --markdown docs/u01.md", "one of the documents"),
        ("lock --out seamline.toml", "the config file"),
        ("lock report --out report/results.json", "the results"),
        ("lock --out docs/u01.md", "one of the documents"),
        ("recommend --out golden.jsonl --force", "the golden set measured"),
        ("recommend --out report/results.json --force", "the results"),
        ("recommend --out docs/u01.md --force", "one of the documents"),
        ("golden draft docs --out docs/u01.md --force", "one of the documents"),
        ("golden draft docs --out seamline.toml --force", "the config file"),
    ],
)
def test_an_output_in_the_place_of_an_input_is_refused(project, command, what):
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert f"must not be {what}, which it would overwrite" in refused(*command.split(), cwd=project)
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


def test_two_outputs_and_two_floors_must_differ(project):
    says = refused("check", "--junit", "same", "--markdown", "./same", cwd=project)
    assert says.startswith("--junit and --markdown must be two files")
    floors = ("--floor", "recall@5=0.9", "--floor", "recall@5=0.1")
    assert "must be given once, got recall@5 twice" in refused("check", *floors, cwd=project)


def test_a_golden_set_among_the_documents_can_be_drafted_anew(project):
    shutil.copy(project / "golden.jsonl", project / "docs")
    done("golden", "draft", "docs", "--out", "docs/golden.jsonl", "--force", cwd=project)


def test_the_commands_that_lock_anew_leave_the_results_that_lie_there(project):
    edit(project / "seamline.toml", "size=32", "size=30")
    process = run("check", cwd=project, env={"COLUMNS": "200"})
    (said,) = re.findall(r"lock anew: `(.*)`", process.stdout)
    before = {path: path.read_bytes() for path in (project / "report").iterdir()}
    for command in said.split(" && "):
        done(*shlex.split(command)[1:], cwd=project)
    assert {path: path.read_bytes() for path in (project / "report").glob("*.*")} == before
    done("check", cwd=project)


def test_a_step_summary_that_cannot_be_written_changes_nothing_else(project):
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(project / "no" / "summary")}
    process = run("check", cwd=project, env=env)
    assert process.returncode == 0
    assert process.stdout.startswith("PASS: ")
    assert process.stderr.startswith("warning: GITHUB_STEP_SUMMARY cannot be written: ")


def test_names_of_documents_are_no_commands_to_the_runner(project):
    name = "::warning::x.md"
    (project / "docs" / "u01.md").rename(project / "docs" / name)
    edit(project / "golden.jsonl", '"u01.md"', f'"{name}"')
    (project / "seamline.lock").unlink()
    env = {"GITHUB_ACTIONS": "true", "COLUMNS": "40"}
    done("bench", "--quiet", cwd=project)
    done("lock", cwd=project, env=env)
    (project / "docs" / name).write_text("Something else.\n", encoding="utf-8")
    for command in (("check",), ("golden", "validate")):
        process = run(*command, cwd=project, env=env)
        lines = [*process.stdout.splitlines(), *process.stderr.splitlines()]
        assert any("warning::x.md" in line for line in lines)
        found = [line for line in lines if line.lstrip().startswith("::")]
        assert all(line.startswith("::error file=") for line in found), found
