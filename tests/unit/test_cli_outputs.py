"""What a command writes: over none of its inputs, each file once, no command to a runner."""

import errno
import json
import os
from pathlib import Path

import pytest

from seamline.cli.output import emit, note, print_json, render
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.sentences import sentence
from seamline.errors import InvalidConfig


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "docs").mkdir()
    for name in ("docs/a.md", "docs/a.lock", "golden.jsonl"):
        (tmp_path / name).write_text("x")
    (tmp_path / "link.xml").symlink_to("golden.jsonl")
    return tmp_path


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("golden.jsonl", "--out must not be the golden set"),
        ("docs/../golden.jsonl", "--out must not be the golden set"),
        ("link.xml", "--out must not be the golden set"),
        ("gone.toml", "--out must not be the config file"),
        ("docs/a.md", "--out must not be one of the documents"),
        ("docs/../twice.xml", "--out and --junit must be two files, got 'twice.xml' twice"),
    ],
)
def test_an_output_that_is_an_input_or_another_output_is_refused(folder, path, says):
    outputs = {"--out": Path(path), "--junit": Path("twice.xml")}
    inputs = {"the golden set": Path("golden.jsonl"), "the config file": folder / "gone.toml"}
    with pytest.raises(InvalidConfig, match=says):
        refuse_overwriting(outputs, inputs, [Path("docs")])


def test_new_files_other_kinds_and_what_is_no_file_are_fine(folder):
    inputs, docs = {"the golden set": Path("golden.jsonl"), "the lock": None}, [Path("docs")]
    for path in (
        "new.xml",
        "docs/golden.jsonl",
        "docs/a.lock",
        "docs",
        "docs/.ci/a.md",
        "/dev/null",
    ):
        refuse_overwriting({"--out": Path(path), "--junit": None}, inputs, docs)
    twice = Path("/dev/null")
    refuse_overwriting({"--out": twice, "--junit": twice}, inputs, docs)
    with pytest.raises(InvalidConfig, match="one of the documents"):
        refuse_overwriting({"--out": Path("golden.jsonl")}, {}, [folder / "golden.jsonl"])


@pytest.mark.parametrize("name", ["new.md", "deep/new.xml", "new.toml", "new"])
def test_nothing_is_written_where_it_would_be_taken_for_a_document(folder, name):
    with pytest.raises(InvalidConfig, match=r"--out must lie outside .* in 'docs'"):
        refuse_overwriting({"--out": Path("docs", name)}, {}, [Path("docs")])


HOSTILE = "::error::a\n \t::warning::b\rstd::vector ##[error]c"
SAFE = ": :error::a\n \t: :warning::b\rstd::vector ## [error]c"


def test_in_github_actions_nothing_printed_is_a_command(monkeypatch, capsys):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    emit(HOSTILE)
    assert capsys.readouterr().out == f"{SAFE}\n"
    note(HOSTILE)
    err = capsys.readouterr().err
    assert err.startswith(": :error::a\n  : :warning::b")
    assert "##[" not in err
    monkeypatch.setenv("COLUMNS", "20")
    render("a name of words and ::warning::that wraps", "  ::error::x")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert ": :warning::that" in lines[1]
    assert not [line for line in lines if line.lstrip().startswith("::")]
    print_json({"says": HOSTILE})
    out = capsys.readouterr().out
    assert "##[" not in out
    assert json.loads(out) == {"says": HOSTILE}


def test_anywhere_else_text_stays_as_it_is(monkeypatch, capsys):
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    emit(HOSTILE)
    render("  ::error::x")
    assert capsys.readouterr().out == f"{HOSTILE}\n  ::error::x\n"


@pytest.mark.parametrize("number", sorted(errno.errorcode))
@pytest.mark.parametrize("name", ["docs/a.md", None])
def test_an_error_of_the_system_says_what_must_hold_and_what_to_do(number, name):
    said = sentence(OSError(number, os.strerror(number), name))
    assert said.startswith(f"{name or 'stdout'} must ")
    assert os.strerror(number) in said or (number == errno.EBADF and not name)
    assert ": " in said or "closed" in said


def test_an_error_that_says_it_itself_stays_as_it_is():
    assert sentence(OSError(errno.ENOENT, "its folder must exist", "a/b")) == (
        "a/b: its folder must exist"
    )
    assert sentence(InvalidConfig("k must be 1")) == "k must be 1"
