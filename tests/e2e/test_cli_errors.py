"""Bad input: one clear sentence, the right exit code, nothing written."""

import json
import os
import resource
import subprocess
from pathlib import Path

import pytest
from cli_runner import SEAMLINE, environment, refused, run

LINE = {"id": "q1", "doc_id": "a.md", "question": "What is oiled?", "answers": ["the pump"]}


@pytest.fixture
def place(tmp_path):
    """A small golden set; every command runs here and must leave it as it was."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("Oil the pump. Check the belt.\n" * 3)
    (tmp_path / "docs" / "b.md").write_text("Oil the pump, then rest.\n")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "golden.jsonl").write_text(golden(LINE | {"doc_id": "b.md"}))
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.fixture(autouse=True)
def _nothing_written(place):
    before = sorted(place.rglob("*"))
    yield
    assert sorted(place.rglob("*")) == before


def golden(*lines):
    return "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["chunk", "nowhere"], "'nowhere'"),
        (["chunk", "empty"], "found none in 'empty'"),
        (["chunk", "docs", "--strategy", "recursiv"], "did you mean 'recursive'?"),
        (["chunk", "docs", "--strategy", "recursive(sise=5)"], "did you mean 'size'?"),
        (["chunk", "docs", "--strategy", "recursive(size=5"], "at position 16"),
        (
            ["chunk", "docs", "--strategy", "recursive", "--size", "200", "--overlap", "256"],
            "overlap=256 with size=200",
        ),
        (["chunk", "docs", "--overlap", "5"], "'adaptive' has no parameter 'overlap'"),
        (["chunk", "docs", "--size", "0"], "size must be a whole number of at least 1"),
        (["chunk", "docs", "--size", "ten"], "'--size': it must be a whole number, got 'ten'"),
        (["chunk", "docs", "--overlap", "1.5"], "'--overlap': it must be a whole number"),
        (["bench", ".", "-k", ""], "it must be a whole number, got ''"),
        (["bench", ".", "--budget", "9" * 5000], "it must be a whole number, got '999"),
        (["bench", ".", "--budget", "9" * 30], "budget must be at least 1 token and at most 2"),
        (["bench", ".", "--out", ""], "out must be the path of a folder, got ''"),
        (["bench", ".", "--out", "docs"], "outside the folder of the documents, got 'docs'"),
        (["bench", "docs", "--out", "docs/new/report"], "got 'docs/new/report' in 'docs'"),
        (["chunk", "docs", "--out", "docs/a.md"], "--out must not be one of the documents"),
        (["chunk", "docs", "--unit", "tokns"], "did you mean 'tokens'?"),
        (["chunk", "docs", "--unit", "gone.json"], "gone.json"),
        (["chunk", "docs", "--strategy", "whole", "--overlap", "5"], "no parameter 'overlap'"),
        (["chunk", "docs", "--embedder", "minilmm"], "did you mean 'minilm'?"),
        (["chunk"], "Missing argument 'PATH'"),
        (["chunk", "docs", "--sise", "5"], "--sise"),
        (["chunk", "docs", "--json", "--show"], "exclude each other"),
        (
            ["chunk", "docs", "--out", "docs"],
            "docs must be a file, but is a folder (Is a directory): give the path of a file",
        ),
        (["chunk", "docs", "--out", "no/chunks.jsonl"], "no/chunks.jsonl: its folder must exist"),
        (["chunk", "docs", "--out", "golden.jsonl/x"], "golden.jsonl/x"),
        (["chunk", "broken.json"], "broken.json must be JSON, but is not at line 1, column 2"),
        (["bench", "docs/a.md"], "got 'docs/a.md'"),
        (["bench", "nowhere"], "a path must exist, got 'nowhere'"),
        (["bench", "docs", "nowhere"], "a path must exist, got 'nowhere'"),
        (["bench", "nowhere", "--golden", "golden.jsonl"], "'nowhere'"),
        (["bench", "empty", "--golden", "golden.jsonl"], "found none in 'empty'"),
        (["bench", "docs", "--golden", "gone.jsonl"], "gone.jsonl"),
        (["bench", ".", "--strategies", "fixed;recursiv"], "did you mean 'recursive'?"),
        (["bench", ".", "--strategies", "fixed fixed"], "';'"),
        (["bench", ".", "--strategies", "fixed;fixed"], "once"),
        (["bench", ".", "--strategies", "fixed(size=9, overlap=9)"], "overlap=9 with size=9"),
        (["bench", ".", "--retriever", "denser"], "did you mean 'dense'?"),
        (["bench", ".", "--embedder", "minlm"], "did you mean 'minilm'?"),
        (["bench", ".", "--scope", "document's"], "'corpus' or 'document'"),
        (["bench", ".", "-k", "0"], "k must be at least 1"),
        (["bench", ".", "--budget", "0"], "budget must be at least 1"),
        (["bench", ".", "--config", "gone.toml"], "gone.toml"),
        (["bench", ".", "--out", "golden.jsonl"], "golden.jsonl: must be a folder"),
        (["bench", ".", "--out", "golden.jsonl/report"], "golden.jsonl: must be a folder"),
        (["golden", "validate", "docs/a.md"], "documents and a golden set are needed"),
        (["golden", "validate", "docs", "--golden", "gone.jsonl"], "gone.jsonl"),
        (["golden", "validate", "nowhere", "--golden", "golden.jsonl"], "'nowhere'"),
        (["golden", "validate", ".", "--strategies", "fixd"], "did you mean 'fixed'?"),
        (["golden"], "Missing command"),
        (["benhc"], "benhc"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(place, arguments, says):
    assert says in refused(*arguments, cwd=place)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([LINE | {"doc_id": "b.md"}, '{"id": "q2", \n'], "bad.jsonl:2: "),
        ([LINE | {"doc_id": "gone.md"}], "'gone.md'"),
        ([LINE | {"answers": [{"start": 5, "end": 12, "text": "the pump"}]}], "bad.jsonl:1: "),
        ([LINE | {"doc_id": "b.md"}] * 2, "bad.jsonl:2: "),
        ([LINE | {"doc_id": "b.md", "answers": []}], "gold"),
        ([], "at least one question"),
    ],
)
def test_broken_gold_is_refused_with_file_and_line(place, tmp_path_factory, lines, says):
    bad = tmp_path_factory.mktemp("bad") / "bad.jsonl"
    bad.write_text(golden(*lines))
    assert says in refused("bench", "docs", "--golden", bad, "--out", "new/report", cwd=place)


def test_several_errors_in_a_golden_set_are_named_together(place, tmp_path_factory):
    bad = tmp_path_factory.mktemp("bad") / "bad.jsonl"
    bad.write_text(golden("nonsense\n", LINE | {"doc_id": "gone.md"}))
    process = run("bench", "docs", "--golden", bad, cwd=place)
    assert process.returncode == 2
    assert process.stdout == ""
    assert "has 2 errors" in process.stderr
    assert "Traceback" not in process.stderr


def test_a_document_that_is_no_utf_8_is_named(place, tmp_path_factory):
    file = tmp_path_factory.mktemp("latin") / "latin.txt"
    file.write_bytes("Prüfung".encode("latin-1"))
    assert "latin.txt" in refused("chunk", file, "--out", "chunks.jsonl", cwd=place)


def test_a_bad_document_after_good_ones_leaves_no_output(place, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "a.txt").write_text("good")
    (folder / "b.txt").write_bytes(b"\xff\xfe\xff")
    given = (folder / "a.txt", folder / "b.txt")
    assert "b.txt" in refused("chunk", *given, "--out", "chunks.jsonl", cwd=place)
    assert "b.txt" in refused("chunk", folder, "--strict", "--out", "chunks.jsonl", cwd=place)


def test_an_output_that_exists_survives_a_failed_run(place, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "a.txt").write_text("good")
    (folder / "b.txt").write_bytes(b"\xff\xfe\xff")
    out = tmp_path_factory.mktemp("out") / "chunks.jsonl"
    out.write_text("precious")
    refused("chunk", folder, "--strict", "--out", out, cwd=place)
    assert out.read_text() == "precious"


@pytest.mark.parametrize(
    "arguments",
    [
        ["chunk", "docs", "--size", "10", "--out", "chunks.jsonl"],
        ["bench", ".", "--strategies", "whole", "--retriever", "bm25", "--out", "a/b/report"],
    ],
)
def test_a_disk_that_is_full_leaves_nothing(place, arguments):
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

    message = refused(*arguments, cwd=place, preexec_fn=small_files)
    assert message.startswith(f"{arguments[-1]} must be no larger than a file may be here (File to")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("arguments", [["strategies"], ["chunk", "docs", "--json"]])
def test_a_stdout_that_takes_nothing_is_an_error(place, arguments):
    command = [SEAMLINE, *arguments]
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            command, cwd=place, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert process.returncode == 2
    assert process.stderr.splitlines()[-1] == (
        "error: stdout must have room for what is written, but has none (No space left on device): "
        "make room, and run again"
    )
    assert "Traceback" not in process.stderr
    assert "Exception" not in process.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_a_folder_without_permission_is_named(place, tmp_path_factory):
    locked = tmp_path_factory.mktemp("locked")
    locked.chmod(0)
    assert "Permission denied" in refused("chunk", "docs", "--out", locked / "x", cwd=place)
    assert "Permission denied" in refused("bench", ".", "--out", locked / "x", cwd=place)
    assert "Permission denied" in refused("chunk", locked, cwd=place)


def test_a_config_file_with_an_unknown_key_names_file_and_key(place, tmp_path_factory):
    config = tmp_path_factory.mktemp("config") / "my.toml"
    config.write_text("strategis = 'fixed'\n")
    message = refused("bench", ".", "--config", config, cwd=place)
    assert "my.toml" in message
    assert "did you mean 'strategies'?" in message
