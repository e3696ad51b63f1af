"""What reaches the standard streams: nothing that drives a terminal, whatever state they are in."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from cli_runner import SEAMLINE, environment, refused, run

HOSTILE = "\x1b[2J\x9b31m\u202egpj\u2066.txt"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def place(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("Oil the pump. Check the belt.\n" * 3)
    line = {"id": "q1", "doc_id": "a.md", "question": "What?", "answers": [{"start": 0, "end": 13}]}
    (tmp_path / "golden.jsonl").write_text(json.dumps(line))
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["chunk", HOSTILE],
        ["chunk", "docs", "--strategy", HOSTILE],
        ["chunk", "docs", "--out", f"{HOSTILE}/x"],
        ["bench", "docs", "--golden", HOSTILE],
        [HOSTILE],
    ],
)
def test_no_error_can_drive_the_terminal(place, arguments):
    process = run(*arguments, cwd=place)
    assert process.returncode == 2
    assert process.stderr.startswith("error: ")
    assert not CONTROLS.search(process.stderr)


def test_names_of_documents_cannot_drive_the_terminal_or_forge_a_line(place):
    (place / "docs" / f"b\nerror: forged{HOSTILE}").write_text("\n")
    (place / "docs" / f"c\nforged{HOSTILE}").write_text("text")
    process = run("chunk", "docs", cwd=place)
    assert process.returncode == 3
    both = process.stdout + process.stderr
    assert not CONTROLS.search(both)
    assert not re.search("^(error: )?forged", both, re.MULTILINE)
    assert "docs/b␊error: forged" in process.stderr
    drawn = run("chunk", "docs", "--show", "--strategy", "sentence(size=1)", cwd=place).stdout
    assert not CONTROLS.search(drawn)
    assert not re.search("^(error: )?forged", drawn, re.MULTILINE)
    assert "1 token " in drawn
    assert "1 tokens" not in drawn


def test_lines_of_a_message_after_the_first_are_indented(place):
    process = run("golden", "validate", "docs", "--golden", "no\nerror: forged", cwd=place)
    assert re.findall("^error: ", process.stderr, re.MULTILINE) == ["error: "]


@pytest.mark.parametrize("given", ["x" * 100_000, "x y" * 30_000])
def test_a_very_long_value_is_shortened(place, given):
    message = refused("chunk", "docs", "--strategy", given, cwd=place)
    assert len(message) < 1_300
    assert "…" in message


def shell(command, place, **env):
    return subprocess.run(
        ["sh", "-c", f'"{SEAMLINE}" {command}'],
        cwd=place,
        env=environment(**env),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    "arguments", ["chunk docs --json", "chunk docs", "strategies", "--version"]
)
def test_a_closed_stdout_is_an_error(place, arguments):
    process = shell(f"{arguments} >&-", place)
    assert process.returncode == 2
    last = process.stderr.splitlines()[-1]
    assert last == "error: stdout must be open to take the output, but is closed"


def test_a_closed_stdout_does_no_harm_where_nothing_is_printed(place):
    process = shell("chunk docs --out chunks.jsonl >&- <&-", place)
    assert process.returncode == 0, process.stderr
    assert len((place / "chunks.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "code"),
    [("chunk docs --json", 0), ("chunk nowhere", 2), ("benhc", 2), ("chunk nowhere >&-", 2)],
)
def test_a_closed_stderr_changes_no_exit_code(place, arguments, code):
    process = shell(f"{arguments} 2>&-", place)
    assert process.returncode == code
    assert bool(process.stdout) == (code == 0)


@pytest.mark.parametrize("columns", ["0", "-5", "wide", "²", "99999999"])
def test_a_width_that_is_none_is_not_taken(place, columns):
    assert run("measures", env={"COLUMNS": columns}).stdout == run("measures").stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_device_that_takes_nothing_is_named(place):
    message = refused("chunk", "docs", "--out", "/dev/full", cwd=place)
    assert message == (
        "/dev/full must have room for what is written, but has none (No space left on device): "
        "make room, and run again"
    )
