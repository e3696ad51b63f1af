"""`check`, `lock`, `recommend` and `golden draft` write over nothing that they read."""

import re
import shlex
import shutil

import pytest
from cli_runner import done, refused, run
from lxml import etree

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


UNUSABLE = {
    "--floor nothing": "no measure",
    "--lock gone.lock": "there must be a lock",
    "--lock docs": "there must be a lock",
    "--lock docs/u01.md": "must be a lock in JSON",
}


@pytest.mark.parametrize("on", ["true", "1", "yes", "True"])
def test_a_check_that_cannot_be_made_is_an_annotation_and_a_test_case(project, on):
    for options, says in UNUSABLE.items():
        env = {"GITHUB_ACTIONS": on, "GITHUB_WORKSPACE": str(project.parent)}
        process = run("check", *options.split(), "--junit", "junit.xml", cwd=project, env=env)
        assert process.returncode == 2
        lines = process.stderr.splitlines()
        (line,) = [one for one in lines if one.startswith("::error ")]
        where = "file=own/seamline.toml,title=seamline check%3A UNUSABLE INPUT::"
        assert line.startswith(f"::error {where}")
        assert says in line
        root = etree.parse(project / "junit.xml").getroot()
        assert root.get("errors") == "1"
        assert says in root.find(".//testcase[@name='input']/error").get("message")


def test_a_command_line_that_cannot_be_is_an_annotation_of_check_alone(project):
    env = {"GITHUB_ACTIONS": "1"}
    err = run("check", "--flor", "x", cwd=project, env=env).stderr
    assert "::error title=seamline check%3A UNUSABLE INPUT::No such option: --flor" in err
    assert "::error" not in run("lock", "--flor", "x", cwd=project, env=env).stderr
    assert "::error" not in run("check", "--flor", "x", cwd=project).stderr


@pytest.mark.parametrize("off", ["", "0", "false", "False"])
def test_where_the_variable_says_no_there_is_no_runner(project, off):
    process = run("check", "--lock", "gone", cwd=project, env={"GITHUB_ACTIONS": off})
    assert "::error" not in process.stderr


def test_an_error_of_input_takes_the_place_of_no_input(project):
    before = (project / "golden.jsonl").read_bytes()
    run("check", "--lock", "gone", "--junit", "golden.jsonl", cwd=project)
    run("check", "--config", "gone", "--junit", "golden.jsonl", cwd=project)
    assert (project / "golden.jsonl").read_bytes() == before


def test_each_broken_floor_is_an_annotation(project):
    floors = ["--floor", "MRR@5=0.9999", "--floor", "Precision@5=0.99", "--floor", "Containment=0"]
    process = run("check", *floors, cwd=project, env={"GITHUB_ACTIONS": "true"})
    assert process.returncode == 1
    lines = [one for one in process.stderr.splitlines() if one.startswith("::error ")]
    assert [line.rpartition("REGRESSION::")[2].split(": ")[0] for line in lines] == [
        "floor MRR@5",
        "floor Precision@5",
    ]


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
