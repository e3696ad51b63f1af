"""The pytest plugin in real runs: a test a part of the check, in a few lines of a user's file."""

import shutil
import subprocess
import sys

import pytest

from lock_project import edit, locked, rewrite_lock, write_set
from seamline.lock.run import Project

pytest_plugins = ["pytester"]

TEST = """
pytest_plugins = ["seamline.adapters.pytest"]

def test_chunking_is_as_locked(seamline_part):
    seamline_part.hold()
"""
BASELINES = """
import pytest

pytest_plugins = ["seamline.adapters.pytest"]

@pytest.mark.parametrize(("measure", "floor"), [("Recall@5", 0.83), ("Containment", 1.01)])
def test_chunking_regression(seamline_check, measure, floor):
    assert seamline_check.means[measure] >= floor

def test_whole_check(seamline_check):
    assert seamline_check.ok and seamline_check.code == 0
    assert seamline_check["boundaries"].ok
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write_set(folder)
    return locked(folder, more="[floors]\nContainment = true")


@pytest.fixture
def project(made, pytester):
    """A locked project at the root of a run of its own, with tests in a folder below."""
    shutil.copytree(made.config_file.parent, pytester.path, dirs_exist_ok=True)
    (pytester.path / "tests").mkdir()
    (pytester.path / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n")
    return Project(pytester.path / "seamline.toml")


def run(pytester, text):
    (pytester.path / "tests" / "test_rag.py").write_text(text, encoding="utf-8")
    return pytester.runpytest_subprocess("-v", "-p", "no:cacheprovider")


def test_each_part_is_a_test_with_its_own_name(project, pytester):
    result = run(pytester, TEST)
    result.assert_outcomes(passed=5)
    for part in ("gold", "comparable", "boundaries", "Recall@60t", "floor Containment"):
        result.stdout.fnmatch_lines([f"*test_chunking_is_as_locked?{part}?*PASSED*"])


def test_a_part_that_fails_says_why_and_those_after_it_are_skipped(project, pytester):
    def change(data):
        data["documents"]["u03.md"]["cuts"][2] -= 5
        data["documents"]["u03.md"]["boundaries"] = "0" * 16

    rewrite_lock(project, change)
    result = run(pytester, TEST)
    result.assert_outcomes(passed=2, failed=1, skipped=2)
    result.stdout.fnmatch_lines(
        [
            *["boundaries: * moved in 1 document that did not change"],
            *["u03.md: a chunk that starts at * in the lock starts at * now", "locked  *|*"],
            "To do: *`seamline bench --out report/locked && seamline lock report/locked`.",
        ]
    )
    assert "Traceback" not in result.stdout.str()


def test_baselines_may_stand_in_the_test_file(project, pytester):
    result = run(pytester, BASELINES)
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*test_chunking_regression?Containment-1.01?*FAILED*"])


def test_without_a_lock_the_test_fails_in_one_sentence(project, pytester):
    project.lock_file.unlink()
    result = run(pytester, TEST)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["there must be a lock to check against*`seamline lock`*"])
    assert "During handling" not in result.stdout.str()


def test_a_test_file_may_name_its_config(project, pytester):
    (pytester.path / "rag").mkdir()
    for name in ("docs", "golden.jsonl", "seamline.toml", "seamline.lock"):
        shutil.move(pytester.path / name, pytester.path / "rag" / name)
    result = run(pytester, f'{TEST}\nSEAMLINE_CONFIG = "../rag/seamline.toml"\n')
    result.assert_outcomes(passed=5)
    edit(pytester.path / "rag" / "golden.jsonl", "grade 13", "grade 14")
    result = run(pytester, TEST)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["there must be a seamline.toml in the folder of the test file or above it*"]
    )
    assert 'in the test file: SEAMLINE_CONFIG = "../rag/seamline.toml"' in result.stdout.str()


def test_a_config_that_is_not_where_the_test_file_says_is_named(project, pytester):
    result = run(pytester, f'{TEST}\nSEAMLINE_CONFIG = "../rag/seamline.toml"\n')
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["SEAMLINE_CONFIG must name a config file, relative to *"])
    assert str(pytester.path / "rag" / "seamline.toml") in result.stdout.str()


@pytest.mark.parametrize("below", ["tests", "tests/unit/rag"])
def test_the_config_is_found_from_wherever_the_run_is_started(project, pytester, below):
    """Without an ini file the root of a run is the folder in which it was started."""
    (pytester.path / "pytest.ini").unlink()
    folder = pytester.path / below
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "test_rag.py").write_text(TEST, encoding="utf-8")
    for start in (folder, pytester.path, project.config_file.parent / "docs"):
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(start)
            result = pytester.runpytest_subprocess("-p", "no:cacheprovider", folder)
        result.assert_outcomes(passed=5)


def test_the_plugin_loads_nothing_before_it_is_used():
    code = (
        "import sys, pytest\n"
        "import seamline.adapters.pytest\n"
        "print([name for name in sys.modules if name.startswith(('seamline', 'numpy'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['seamline', 'seamline.adapters', 'seamline.adapters.pytest']"
