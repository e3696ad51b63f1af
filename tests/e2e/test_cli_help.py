"""Help, lists, the version and `golden validate`."""

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import version

import pytest
from cli_runner import SEAMLINE, done, environment, run

from seamline.config import BenchConfig
from seamline.measure import CHUNK_MEASURES, MEASURES
from seamline.split import PRESETS, STRATEGIES, parse_strategy

COMMANDS = [
    "chunk",
    "bench",
    "recommend",
    "demo",
    "strategies",
    "measures",
    "golden draft",
    "golden validate",
    "golden anchor",
    "golden power",
]


@pytest.mark.parametrize("command", ["", *COMMANDS, "golden"])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help_is_on_stdout_and_ends_well(command, flag):
    process = done(*command.split(), flag)
    assert process.stdout.startswith(f"Usage: seamline {command}".strip())
    assert process.stderr == ""


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_says_the_default_of_each_option(command):
    text = done(*command.split(), "--help").stdout
    assert "\nExamples:\n  seamline " in text
    for option, description in options(text).items():
        takes_a_value = re.search(r" [A-Z]+$", option)
        assert not takes_a_value or "[default: " in description or "--out FILE" in option, option


def options(text):
    """The options of a help page and what it says about each."""
    body = text.partition("\nOptions:\n")[2].partition("\nExamples:\n")[0]
    entries = re.split(r"^  (?=-)", body, flags=re.MULTILINE)[1:]
    pairs = [re.split(r"\s{2,}", entry.strip(), maxsplit=1) for entry in entries]
    return {name: " ".join(rest[0].split()) for name, *rest in pairs}


def test_the_defaults_that_help_names_are_the_real_ones():
    shown = {
        option.split()[-2].removeprefix("--"): text.rpartition("[default: ")[2].rstrip("]")
        for option, text in options(done("bench", "--help").stdout).items()
        if "[default: " in text
    }
    plain = {key: shown[key] for key in ("embedder", "retriever", "k", "budget", "scope", "out")}
    assert plain == {key: str(getattr(BenchConfig(), key)) for key in plain}
    assert shown["strategies"] == "the usual ones"
    assert len(BenchConfig().strategies) == 14
    chunk = " ".join(done("chunk", "--help").stdout.split())
    adaptive, recursive = parse_strategy("adaptive"), parse_strategy("recursive")
    assert "if it is here and names one, else adaptive]" in chunk
    assert f"adaptive: {adaptive.size}, and units near {adaptive.target} tokens" in chunk
    assert "recursive and fixed an eighth of the size]" in chunk
    assert 8 * recursive.overlap == recursive.size


def test_the_examples_of_the_help_are_commands_that_parse(root, tmp_path):
    """Each is run where its files are, or must fail for want of them, not for its options."""
    for command in ["", *COMMANDS]:
        text = done(*command.split(), "--help").stdout
        for line in text.partition("\nExamples:\n")[2].splitlines():
            words = shlex.split(line.partition("|")[0])
            if words[1:] == ["demo"] or "demo/" in words:
                continue
            process = run(*words[1:], cwd=tmp_path)
            assert "see: " not in process.stderr, (line, process.stderr)


def test_exit_codes_are_in_the_help():
    text = " ".join(done("--help").stdout.split())
    for code in ("0 done", "1 a check failed", "2 unusable input", "130 interrupted"):
        assert code in text


def test_no_command_is_a_usage_error_that_shows_the_help():
    process = run()
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr.startswith("Usage: seamline")


def test_the_version_is_the_installed_one():
    assert done("--version").stdout == f"seamline {version('seamline')}\n"


def test_the_module_is_the_command():
    command = [sys.executable, "-m", "seamline", "--version"]
    shown = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert shown.stdout == f"seamline {version('seamline')}\n"


def test_help_imports_neither_numpy_nor_a_model_runtime():
    code = (
        "import sys; from seamline.cli import main; main(['--help']); "
        "print(*{'numpy', 'onnxruntime', 'tokenizers', 'rich'} & sys.modules.keys())"
    )
    command = [sys.executable, "-c", code]
    shown = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines()[-1] == ""


def test_strategies_lists_every_strategy_and_preset():
    out = done("strategies").stdout
    for name in (*STRATEGIES.names(), *PRESETS):
        assert re.search(rf"^{re.escape(name)} ", out, re.MULTILINE), name
    listed = json.loads(done("strategies", "--json").stdout)
    assert [row["name"] for row in listed["strategies"]] == STRATEGIES.names()
    assert listed["presets"] == PRESETS
    (recursive,) = [row for row in listed["strategies"] if row["name"] == "recursive"]
    assert recursive["parameters"]["size"] == parse_strategy("recursive").size
    assert recursive["about"]


def test_strategies_says_what_each_parameter_means_and_its_default():
    listed = json.loads(done("strategies", "--json").stdout)["strategies"]
    shown = " ".join(done("strategies").stdout.split())
    for row in listed:
        assert row["meanings"].keys() == row["parameters"].keys()
        for meaning in row["meanings"].values():
            assert meaning in shown
            assert re.fullmatch(r"(`\w+`|[A-Z0-9]).*\.", meaning), meaning
            assert meaning.count("(") == meaning.count(")")
            assert meaning.count("`") % 2 == 0
    assert "size=512, overlap=64, separators=auto, unit=tokens" in shown
    assert "80 unless another criterion is given" in shown


def test_measures_lists_every_measure():
    out = done("measures").stdout
    listed = json.loads(done("measures", "--json").stdout)
    assert {row["name"] for row in listed} == {*MEASURES, *CHUNK_MEASURES}
    for row in listed:
        assert row["example"] in out
        assert row["about"]


@pytest.mark.parametrize("example", ["handbook", "runbooks"])
def test_the_bundled_golden_sets_are_valid(root, example):
    process = done("golden", "validate", root / "examples" / example)
    assert process.stdout == ""
    assert "0 errors" in process.stderr


@pytest.fixture
def drifted(tmp_path):
    """A set with a quote that drifted (an error) and one under five tokens (a warning)."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("Oil the big pump every Monday. Check the belt.\n")
    lines = [
        {"answers": [{"start": 0, "end": 28, "text": "Oil the pump every Monday at"}]},
        {"answers": ["belt"]},
    ]
    (tmp_path / "golden.jsonl").write_text(
        "".join(
            json.dumps({"id": f"q{i}", "doc_id": "a.md", "question": "What next?"} | line) + "\n"
            for i, line in enumerate(lines, start=1)
        )
    )
    return tmp_path


def test_the_config_file_says_which_set_is_checked(root, tmp_path):
    handbook = root / "examples" / "handbook"
    config = (
        f"docs = {json.dumps(str(handbook / 'docs'))}\n"
        f"golden = {json.dumps(str(handbook / 'golden.jsonl'))}\n"
    )
    for name, option in (("seamline.toml", []), ("other.toml", ["--config", "other.toml"])):
        folder = tmp_path / name.partition(".")[0]
        folder.mkdir()
        (folder / name).write_text(config, encoding="utf-8")
        checked = done("golden", "validate", *option, cwd=folder)
        assert "9 questions" in checked.stderr
        assert ("settings: seamline.toml" in checked.stderr) == (not option)
    assert "are needed" in run("golden", "validate", cwd=tmp_path).stderr


def test_findings_name_file_and_line_and_what_to_paste(drifted):
    process = run("golden", "validate", drifted)
    assert process.returncode == 1
    error, warning = process.stdout.splitlines()
    assert error.startswith(f"{drifted}/golden.jsonl:1: error [quote] question 'q1': ")
    assert '"text": "Oil the big pump every Monday' in error
    assert warning.startswith(f"{drifted}/golden.jsonl:2: warning [short_span] question 'q2': ")
    assert process.stderr == "2 questions, 1 gold span: 1 error, 1 warning\n"


def test_findings_as_json(drifted):
    process = run("golden", "validate", drifted, "--json", "--quiet")
    assert process.returncode == 1
    assert process.stderr == ""
    found = json.loads(process.stdout)
    assert found["ok"] is False
    assert (found["questions"], found["spans"]) == (2, 1)
    assert (found["errors"], found["warnings"]) == (1, 1)
    assert [one["line"] for one in found["findings"]] == [1, 2]
    answer = json.loads(found["findings"][0]["suggestion"])
    assert answer["text"].startswith("Oil the big pump")


def test_warnings_alone_end_well(drifted):
    lines = (drifted / "golden.jsonl").read_text().splitlines()
    (drifted / "golden.jsonl").write_text(lines[1])
    process = done("golden", "validate", "--golden", drifted / "golden.jsonl")
    assert "0 errors, 1 warning" in process.stderr


def test_gold_on_the_borders_of_a_strategy_is_a_leak(drifted):
    line = {"id": "q", "doc_id": "a.md", "question": "What next?", "answers": ["Check the belt."]}
    (drifted / "golden.jsonl").write_text(json.dumps(line))
    options = ["--strategies", "sentence(size=8)"]
    assert "[leak]" in done("golden", "validate", drifted, *options).stdout


def test_seamline_is_on_the_path_of_its_environment():
    command = [SEAMLINE, "--version"]
    subprocess.run(command, env=environment(PATH=""), check=True, stdout=subprocess.DEVNULL)
