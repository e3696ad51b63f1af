"""`seamline chunk`: what it prints and writes."""

import json
import os
import subprocess
import sys

import pytest
from cli_runner import SEAMLINE, done, environment, refused, run

TEXT = "# Pumps\n\nOil the pump. Check the belt.\n\n## Belts\n\nA belt lasts two years. Then renew it.\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pumps.md").write_text(TEXT, encoding="utf-8")
    return tmp_path


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_json_lines_hold_exact_slices_and_nothing_else(folder):
    out = done("chunk", folder, "--strategy", "sentence", "--size", 8, "--json").stdout
    chunks = records(out)
    assert len(chunks) > 2
    for number, chunk in enumerate(chunks):
        assert list(chunk) == [
            *["id", "doc_id", "start", "end", "text", "context", "indexed", "tokens"],
            *["ordinal", "parent", "headings"],
        ]
        assert chunk["text"] == TEXT[chunk["start"] : chunk["end"]]
        assert chunk["id"] == f"pumps.md#{chunk['start']}-{chunk['end']}"
        assert chunk["ordinal"] == number
        assert 0 < chunk["tokens"] <= 8
        assert chunk["parent"] is None


def test_the_parent_of_a_chunk_is_given_by_its_id(folder):
    out = done("chunk", folder, "--strategy", "hierarchical", "--size", 8, "--json").stdout
    parents = [chunk["parent"] for chunk in records(out)]
    assert parents[0].startswith("pumps.md#0-")
    assert len(set(parents)) == 2


def test_the_summary_counts_and_names_documents_without_text(folder):
    (folder / "blank.txt").write_text(" \n\n", encoding="utf-8")
    process = done("chunk", folder / "pumps.md", folder / "blank.txt", "--json")
    n_chunks = len(records(process.stdout))
    assert f"2 documents, {n_chunks} chunk" in process.stderr
    assert "1 without text: blank.txt" in process.stderr


def test_quiet_says_nothing_beside_the_result(folder):
    assert done("chunk", folder, "--json", "--quiet").stderr == ""


def test_out_writes_the_same_lines_that_json_prints(folder, tmp_path):
    target = tmp_path / "chunks.jsonl"
    printed = done("chunk", folder / "pumps.md", "--json").stdout
    process = done("chunk", folder / "pumps.md", "--out", target)
    assert process.stdout == ""
    assert target.read_text(encoding="utf-8") == printed
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_out_may_be_what_is_no_file(folder):
    printed = done("chunk", folder / "pumps.md", "--json").stdout
    assert done("chunk", folder / "pumps.md", "--out", "/dev/stdout").stdout == printed


def test_out_through_a_link_replaces_the_file_and_keeps_the_link(folder, tmp_path):
    file, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    file.write_text("old")
    link.symlink_to(file)
    done("chunk", folder / "pumps.md", "--out", link)
    assert link.is_symlink()
    assert records(file.read_text(encoding="utf-8"))


def test_out_never_overwrites_a_document(folder):
    process = run("chunk", folder, "--out", folder / "pumps.md")
    assert process.returncode == 2
    assert "must not be one of the documents" in process.stderr
    assert (folder / "pumps.md").read_text(encoding="utf-8") == TEXT


def test_options_win_over_the_spec(folder):
    spec = "recursive(size=100, overlap=2)"
    by_option = done("chunk", folder, "--strategy", spec, "--size", 8, "--json").stdout
    by_spec = done("chunk", folder, "--strategy", "recursive(size=8, overlap=2)", "--json").stdout
    assert by_option == by_spec


def test_a_preset_stands_for_its_spec(folder):
    spec = "hierarchical(parent=128, size=64)"
    preset = done("chunk", folder, "--strategy", "hierarchical-128-64", "--json").stdout
    assert preset == done("chunk", folder, "--strategy", spec, "--json").stdout


@pytest.mark.parametrize("unit", ["characters", "words", "o200k_base"])
def test_sizes_count_the_unit_asked_for(folder, unit):
    options = ["--strategy", "sentence", "--size", 30, "--unit", unit]
    chunks = records(done("chunk", folder, *options, "--json").stdout)
    measure = {"characters": len, "words": lambda text: len(text.split())}.get(unit)
    sizes = [measure(chunk["text"]) if measure else chunk["tokens"] for chunk in chunks]
    assert 0 < max(sizes) <= 30


def test_semantic_uses_the_bundled_model(folder):
    out = done("chunk", folder, "--strategy", "semantic(size=64, threshold=0.9)", "--json").stdout
    assert len(records(out)) > 1


def test_the_default_output_is_to_read(folder):
    out = done("chunk", folder / "pumps.md", "--strategy", "sentence", "--size", 8).stdout
    assert out.startswith("── pumps.md#0-22 · 8 tokens\n# Pumps\n\nOil the pump.\n\n── pumps.md#")
    assert "\x1b" not in out


def test_a_context_is_told_from_the_slice_without_colour(tmp_path):
    header = "| pump | oil |\n|---|---|\n"
    rows = "".join(f"| number {n} | weekly |\n" for n in range(9))
    (tmp_path / "a.md").write_text(header + rows, encoding="utf-8")
    out = done("chunk", tmp_path, "--strategy", "structure(size=40)").stdout
    first, second, *_ = out.split("── a.md#")[1:]
    assert "┆" not in first
    assert second.split("\n")[1:4] == ["┆ | pump | oil |", "┆ |---|---|", "| number 2 | weekly |"]


def test_show_draws_the_text_once_with_borders(folder):
    cut = ["chunk", folder / "pumps.md", "--size", 8]
    lines = done(*cut, "--show").stdout.splitlines()
    n_chunks = len(records(done(*cut, "--json").stdout))
    assert f"{n_chunks} chunks" in lines[0]
    assert sum(" tokens " in line for line in lines) == n_chunks
    drawn = [line.removeprefix("│ ") for line in lines if line.startswith("│ ")]
    assert "".join("".join(drawn).split()) == "".join(TEXT.split())


def test_a_document_cannot_drive_the_terminal(tmp_path):
    hostile = "\x1b[2J\x1b]0;owned\x07 one \x9b31m two \x7f"
    (tmp_path / "a.txt").write_text(hostile, encoding="utf-8")
    for option in ((), ("--show",)):
        out = done("chunk", tmp_path / "a.txt", *option).stdout
        assert not set("\x1b\x07\x9b\x7f") & set(out)
        assert "␛[2J" in out
    (chunk,) = records(done("chunk", tmp_path / "a.txt", "--json").stdout)
    assert chunk["text"] == hostile.strip()


def test_json_is_utf_8_whatever_the_locale(folder):
    (folder / "é.txt").write_text("Ölstand prüfen 油", encoding="utf-8")
    env = environment(PYTHONIOENCODING="ascii")
    command = [SEAMLINE, "chunk", folder / "é.txt", "--json"]
    out = subprocess.run(command, env=env, capture_output=True, check=True).stdout
    assert json.loads(out.decode("utf-8"))["text"] == "Ölstand prüfen 油"


def test_text_that_the_locale_cannot_show_is_no_error(folder):
    (folder / "é.txt").write_text("Ölstand", encoding="utf-8")
    assert (
        "\\xd6lstand" in done("chunk", folder / "é.txt", env={"PYTHONIOENCODING": "ascii"}).stdout
    )


def test_a_reader_that_leaves_ends_the_command_quietly(root):
    command = [SEAMLINE, "chunk", root / "examples/runbooks/docs", "--size", "100", "--json"]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert json.loads(process.stdout.readline())["ordinal"] == 0
        process.stdout.close()
        stderr = process.stderr.read()
    assert process.returncode == 141
    assert stderr == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
@pytest.mark.parametrize(("env", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
@pytest.mark.parametrize(("option", "style"), [([], b"\x1b[2m"), (["--show"], b"\x1b[36m")])
def test_colour_is_for_terminals_that_want_it(folder, option, style, env, coloured):
    import pty

    ours, theirs = pty.openpty()
    command = [SEAMLINE, "chunk", folder / "pumps.md", *option]
    with subprocess.Popen(
        command, env=environment(TERM="xterm", **env), stdout=theirs, stderr=subprocess.DEVNULL
    ):
        os.close(theirs)
        out = b""
        try:
            while part := os.read(ours, 4096):
                out += part
        except OSError:  # Linux says so when the other end is closed
            pass
    os.close(ours)
    assert (style in out) is coloured
    assert b"Oil the pump." in out


@pytest.mark.parametrize("size", [1, 5, 64])
def test_a_size_alone_is_enough(folder, size):
    for name in ("recursive", "fixed", "sentence", "hierarchical", "semantic"):
        command = ["chunk", folder / "pumps.md", "--strategy", name, "--size", size, "--json"]
        chunks = records(done(*command).stdout)
        assert chunks
        assert max(chunk["tokens"] for chunk in chunks) <= size


def test_a_strategy_without_parameters_says_so(folder):
    told = refused("chunk", folder, "--strategy", "whole", "--size", "9")
    assert told == "strategy 'whole' has no parameter 'size'; there are: prefix"


def test_a_package_adds_its_own_strategy(folder, plugin):
    out = done("chunk", folder / "pumps.md", "--strategy", "lines", "--json", env=plugin).stdout
    assert [chunk["text"] for chunk in records(out)] == [line for line in TEXT.split("\n") if line]
    assert "lines " in done("strategies", env=plugin).stdout


def test_a_package_that_does_not_load_hides_no_other_and_is_named(folder, plugin):
    for option in ([], ["--json"]):
        listed = done("strategies", *option, env=plugin)
        assert "recursive" in listed.stdout
        assert "lines" in listed.stdout
        (line,) = listed.stderr.splitlines()
        assert line.startswith("warning: strategy 'gone' of the package 'lines' must load")
        assert "ModuleNotFoundError" in line
    told = refused("chunk", folder, "--strategy", "gone", env=plugin)
    assert "'lines_plugin.nope:X' in 'seamline.strategies'" in told


def test_an_unexpected_error_is_one_line_and_a_way_to_its_traceback(folder, plugin):
    out = folder.parent / "out.jsonl"
    command = ["chunk", folder, "--strategy", "broken", "--out", out]
    process = run(*command, env=plugin)
    assert process.returncode == 70
    assert process.stderr.startswith("error: unexpected ZeroDivisionError: ")
    assert "SEAMLINE_DEBUG=1" in process.stderr
    assert "Traceback" not in process.stderr
    assert not out.exists()
    for told in (
        run(*command, "--debug", env=plugin),
        run(*command, env={**plugin, "SEAMLINE_DEBUG": "1"}),
    ):
        assert told.returncode == 70
        assert "Traceback" in told.stderr


@pytest.fixture
def plugin(tmp_path_factory):
    """An installed package with two strategies; the environment that finds it."""
    folder = tmp_path_factory.mktemp("site")
    info = folder / "lines-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lines\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[seamline.strategies]\nlines = lines_plugin:Lines\nbroken = lines_plugin:Broken\n"
        "gone = lines_plugin.nope:X\n"
    )
    (folder / "lines_plugin.py").write_text(
        "class Lines:\n"
        "    'One chunk a line.'\n"
        "    def split(self, document):\n"
        "        return document.text.split('\\n')\n"
        "class Broken:\n"
        "    def split(self, document):\n"
        "        return 1 / 0\n"
    )
    return {"PYTHONPATH": str(folder)}
