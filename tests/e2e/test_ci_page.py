"""docs/howto/ci.md: its settings, commands, workflow, hooks and tests do what the page says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from lock_project import write_set

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "howto" / "ci.md").read_text(encoding="utf-8")
SEAMLINE = Path(sys.executable).with_name("seamline")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def parsed(texts):
    yaml = pytest.importorskip("yaml", reason="needs PyYAML")
    return [yaml.safe_load(text) for text in texts]


def ran(command, cwd, **env):
    """The finished process of one command line of the page."""
    words = shlex.split(command)
    assert words[0] == "seamline"
    return subprocess.run(
        [SEAMLINE, *words[1:]],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with the settings of the page, after its first commands."""
    folder = tmp_path_factory.mktemp("made")
    write_set(folder)
    (folder / "seamline.toml").write_text(blocks("toml")[0], encoding="utf-8")
    commands = [line.removeprefix("$ ") for line in blocks("console")[0].splitlines()]
    assert commands == ["seamline bench", "seamline lock", "seamline check"]
    for command in commands:
        process = ran(command, folder)
        assert process.returncode == 0, process.stderr
    assert process.stdout.startswith("PASS: ")
    return folder


@pytest.fixture
def project(made, tmp_path):
    shutil.copytree(made, tmp_path / "own")
    return tmp_path / "own"


def test_the_floors_of_the_page_are_a_table_of_the_config(project):
    with (project / "seamline.toml").open("a", encoding="utf-8") as file:
        file.write(blocks("toml")[1])
    floors = tomllib.loads(blocks("toml")[1])["floors"]
    process = ran("seamline check", project)
    assert process.returncode == 0, process.stdout + process.stderr
    for name in floors.keys() - {"tolerance"}:
        assert f"floor {name}" in process.stdout
    (said,) = re.findall(r"`(seamline check --floor [^`]*)`", PAGE)
    assert ran(said, project).returncode == 0


def test_the_workflow_runs_a_command_that_passes_and_writes_what_it_uploads(project):
    workflow = parsed(blocks("yaml"))[0]
    steps = workflow["jobs"]["check"]["steps"]
    (step,) = [one for one in steps if one.get("run", "").startswith("seamline ")]
    summary = project / "summary.md"
    runner = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary), **step["env"]}
    process = ran(step["run"], project, **runner)
    assert process.returncode == 0, process.stderr
    uploaded = steps[-1]["with"]["path"].split()
    assert [(project / name).is_file() for name in uploaded] == [True, True]
    assert (project / "check.md").read_text("utf-8") == summary.read_text("utf-8")
    cached = next(one for one in steps if one.get("uses", "").startswith("actions/cache"))
    assert (project / cached["with"]["path"]).is_dir()
    (project / "golden.jsonl").write_text("{]\n", encoding="utf-8")
    process = ran(step["run"], project, **runner)
    assert process.returncode == 3
    assert process.stderr.startswith("::error file=golden.jsonl,line=1,title=seamline check%3A ")


def test_the_job_for_gitlab_runs_a_command_that_writes_its_report(project):
    job = parsed(blocks("yaml"))[1]["seamline"]
    assert ran(job["script"][-1], project).returncode == 0
    assert (project / job["artifacts"]["reports"]["junit"]).is_file()


def test_the_hooks_run_the_check_on_the_files_that_matter(project):
    _, _, remote, local = parsed(blocks("yaml"))
    (offered,) = parsed([(ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")])[0]
    (wanted,), (hook,) = remote["repos"][0]["hooks"], local["repos"][0]["hooks"]
    assert wanted["id"] == offered["id"] == hook["id"]
    assert wanted["files"] == hook["files"]
    for name, matters in (
        ("docs/a/b.md", True),
        ("golden.jsonl", True),
        ("seamline.lock", True),
        ("seamline.toml", True),
        ("src/seamline.toml.py", False),
    ):
        assert bool(re.search(hook["files"], name)) == matters
    for one in (offered, hook):
        assert one["pass_filenames"] is False
        assert ran(one["entry"], project).returncode == 0


def test_the_test_files_run(project):
    (project / "tests").mkdir()
    for number, text in enumerate(blocks("py")):
        (project / "tests" / f"test_{number}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
    process = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert "6 passed" in process.stdout, process.stdout


def test_the_keys_of_the_lock_are_those_on_the_page(made):
    lock = json.loads((made / "seamline.lock").read_text("utf-8"))
    table = PAGE[PAGE.index("## The lock") :]
    named = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    assert named == lock.keys() - {"about"}
    for part in ("config", "documents", "questions"):
        row = lock[part] if part == "config" else next(iter(lock[part].values()))
        (line,) = re.findall(rf"^\| `{part}` \|.*$", table, re.MULTILINE)
        assert not [key for key in row if f"`{key}`" not in line]
