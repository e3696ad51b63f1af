"""`seamline bench` and `seamline demo`: what they print, write and leave behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import pytest
from cli_runner import SEAMLINE, done, environment, refused

from seamline.bench import Results

QUICK = ["--strategies", "whole;sentence(size=64)", "--retriever", "bm25"]
FILES = ["inputs.json", "report.html", "results.json", "timings.json"]


@pytest.fixture(scope="module")
def handbook(root):
    return root / "examples" / "handbook"


@pytest.fixture
def ran(handbook, tmp_path):
    return done("bench", handbook, *QUICK, cwd=tmp_path)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_table_is_on_stdout_and_the_report_where_it_says(ran, tmp_path):
    assert "sentence(size=64" in ran.stdout
    assert "whole" in ran.stdout
    assert ran.stderr.splitlines()[-1] == "report: report/report.html"
    assert names(tmp_path) == ["report"]
    assert names(tmp_path / "report") == FILES


def test_results_are_the_same_bytes_in_every_run(handbook, ran, tmp_path):
    done("bench", handbook, *QUICK, "--out", "again", cwd=tmp_path)
    first, second = (tmp_path / name / "results.json" for name in ("report", "again"))
    assert first.read_bytes() == second.read_bytes()


def test_json_is_results_json_and_nothing_else(handbook, tmp_path):
    process = done("bench", handbook, *QUICK, "--json", "--quiet", cwd=tmp_path)
    assert process.stdout == (tmp_path / "report/results.json").read_text(encoding="utf-8")
    assert [row["spec"] for row in json.loads(process.stdout)["strategies"]] == [
        *["whole", "sentence(size=64, overlap=0)"]
    ]
    assert process.stderr == ""


def test_documents_and_golden_set_may_be_given_in_any_of_three_ways(handbook, tmp_path):
    ways = [
        [handbook],
        ["--golden", handbook / "golden.jsonl"],
        [handbook / "docs", "--golden", handbook / "golden.jsonl"],
    ]
    outputs = {done("bench", *way, *QUICK, "--json", cwd=tmp_path).stdout for way in ways}
    assert len(outputs) == 1


def test_a_config_file_gives_settings_and_options_win(handbook, tmp_path):
    (tmp_path / "seamline.toml").write_text(
        f"docs = {json.dumps(str(handbook / 'docs'))}\n"
        f"golden = {json.dumps(str(handbook / 'golden.jsonl'))}\n"
        'strategies = ["whole"]\nretriever = "bm25"\nk = 3\nout = "there"\n'
    )
    done("bench", "-k", 2, cwd=tmp_path)
    data = Results.load(tmp_path / "there").data
    assert data["config"]["k"] == 2
    assert data["config"]["retriever"].startswith("bm25")
    assert [row["spec"] for row in data["strategies"]] == ["whole"]


def test_a_set_on_the_command_line_is_not_paired_with_the_config_files_questions(
    handbook, root, tmp_path
):
    runbooks = (root / "examples" / "runbooks" / "golden.jsonl").as_posix()
    config = f'golden = "{runbooks}"\nstrategies = "whole"\nretriever = "bm25"\n'
    (tmp_path / "seamline.toml").write_text(config, encoding="utf-8")
    for given in ([handbook], ["--golden", handbook / "golden.jsonl"]):
        process = done("bench", *given, "--out", tmp_path / "r", cwd=tmp_path)
        assert "settings: seamline.toml" in process.stderr
        assert len(Results.load(tmp_path / "r" / "results.json").data["questions"]) == 9


def test_scope_budget_and_k_reach_the_measures(handbook, tmp_path):
    options = ["--scope", "document", "--budget", 300, "-k", 3]
    done("bench", handbook, *QUICK, *options, cwd=tmp_path)
    config = Results.load(tmp_path / "report").data["config"]
    assert (config["scope"], config["budget"], config["k"]) == ("document", 300, 3)
    assert config["primary"] == "Recall@300t"


def test_tags_add_a_table_of_tags(handbook, ran, tmp_path):
    out = done("bench", handbook, *QUICK, "--tags", cwd=tmp_path).stdout
    assert out.startswith(ran.stdout.rstrip()[:200])
    for tag in ("prose", "faq", "table"):
        assert tag in out.removeprefix(ran.stdout.rstrip())


def test_what_stood_in_the_folder_before_is_replaced_or_left(handbook, tmp_path):
    report = tmp_path / "report"
    report.mkdir()
    (report / "results.json").write_text("old")
    (report / "mine.txt").write_text("mine")
    done("bench", handbook, *QUICK, cwd=tmp_path)
    assert names(report) == sorted([*FILES, "mine.txt"])
    assert Results.load(report).data["strategies"]


def test_semantic_and_dense_work_with_the_bundled_model(handbook, tmp_path):
    options = ["--strategies", "semantic-0.5;sentence(size=64)", "--retriever", "dense"]
    done("bench", handbook, *options, cwd=tmp_path)
    assert Results.load(tmp_path / "report").data["config"]["embedder"] == "minilm"


def test_spans_that_moved_are_used_and_warned_about(handbook, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    text = (handbook / "docs" / "handbook.md").read_text(encoding="utf-8")
    (docs / "handbook.md").write_text("A new first line.\n\n" + text, encoding="utf-8")
    line = json.loads((handbook / "golden.jsonl").read_text(encoding="utf-8").splitlines()[0])
    line["doc_sha256"] = "0" * 64
    (tmp_path / "golden.jsonl").write_text(json.dumps(line))
    process = done("bench", tmp_path, *QUICK, cwd=tmp_path)
    assert process.stderr.startswith(f"warning: {tmp_path / 'golden.jsonl'}:1: ")


@pytest.mark.parametrize(
    ("sent", "code", "says"),
    [
        ([signal.SIGINT], 130, "interrupted\n"),
        ([signal.SIGINT, signal.SIGINT], 130, "interrupted\n"),
        ([signal.SIGTERM], 143, ""),
    ],
)
def test_a_run_that_is_stopped_leaves_nothing(handbook, tmp_path, sent, code, says):
    """It is stopped while it waits for an embedding server that has accepted, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        port = server.getsockname()[1]
        spec = f'http(url="http://127.0.0.1:{port}/v1", model=silent)'
        command = [SEAMLINE, "bench", handbook, "--embedder", spec, "--out", "a/report"]
        with subprocess.Popen(
            command,
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            connection, _ = server.accept()
            with connection:
                for one in sent:
                    process.send_signal(one)
                out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (code, "", says)
    assert names(tmp_path) == []


def test_an_embedding_server_that_is_not_there_is_one_sentence(handbook, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    spec = f'http(url="http://127.0.0.1:{port}/v1", model=gone, retries=0)'
    message = refused("bench", handbook, "--embedder", spec, cwd=tmp_path)
    assert f"127.0.0.1:{port}" in message
    assert names(tmp_path) == []


def test_the_demo_sweeps_the_runbooks_and_says_what_to_take(tmp_path):
    process = done("demo", "--out", "demo", cwd=tmp_path)
    assert names(tmp_path / "demo") == FILES
    assert "report: demo/report.html" in process.stderr
    rows = Results.load(tmp_path / "demo").data["strategies"]
    assert len(rows) >= 12
    assert all(row["spec"].split("(")[0] in process.stdout for row in rows)
    assert "Take " in process.stdout


def on_a_terminal(code, columns):
    """What a Python program writes to a terminal of so many columns on stderr."""
    import pty

    ours, theirs = pty.openpty()
    env = environment(TERM="xterm", COLUMNS=str(columns))
    with subprocess.Popen([sys.executable, "-c", code], env=env, stderr=theirs):
        os.close(theirs)
        out = b""
        try:
            while part := os.read(ours, 4096):
                out += part
        except OSError:  # Linux says so when the other end is closed
            pass
    os.close(ours)
    return out.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_progress_is_drawn_on_a_terminal_and_wiped_away(tmp_path):
    code = (
        "from seamline.cli.progress import Bar\n"
        "with Bar(2) as bar:\n"
        "    bar._start -= 10\n"
        "    bar('embed', 'fixed(size=512)', 3, 7)\n"
        "with Bar(2) as bar:\n"
        "    bar._start -= 10\n"
        "    bar('explain', 'fixed(size=512)', 0, 7)\n"
        "with Bar(2, quiet=True) as bar:\n"
        "    bar._start -= 10\n"
        "    bar('embed', 'never shown', 3, 7)\n"
        "from seamline.cli.progress import SweepBar\n"
        "with SweepBar() as bar:\n"
        "    bar._start -= 10\n"
        "    bar('kept', '', 5, 60)\n"
        "    bar('race', 'whole | bm25', 11, 60)\n"
        "    bar('split', 'whole', 2, 9)\n"
        "with SweepBar() as bar:\n"
        "    bar._start -= 10\n"
        "    bar('configurations', 'whole | bm25', 59, 60)\n"
        "    bar('explained', 'fixed | bm25', 1, 2)\n"
    )
    out = on_a_terminal(code, 120)
    assert "1/2 fixed(size=512): embed" in out
    assert "3/7" in out
    assert "1/2 fixed(size=512): why questions failed" in out
    assert "taken over from an earlier run: 5 of 60 configurations" in out
    assert "on a part of the documents: whole | bm25: split 2/9" in out
    assert "11/60" in out
    assert "why questions failed: fixed | bm25" in out
    assert "never shown" not in out


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
@pytest.mark.parametrize("columns", [40, 50, 60, 80, 100])
def test_of_progress_the_name_gives_way_and_never_the_counts(columns):
    name = "recursive(size=256, overlap=0) | hybrid(alpha=0.6, positional=160) | merge"
    code = (
        "from seamline.cli.progress import SweepBar\n"
        "with SweepBar() as bar:\n"
        f"    bar('configurations', {name!r}, 11, 60)\n"
        "    bar._start -= 10\n"
        "    bar('embed', 'any', 1234, 9000)\n"
    )
    lines = re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", on_a_terminal(code, columns)))
    (line,) = {line.rstrip() for line in lines if line.strip()}
    assert len(line) <= columns
    assert "…: embed 1,234/9,000 " in line
    assert " 11/60 " in line


def test_without_a_terminal_a_line_is_written_every_ten_seconds():
    code = (
        "from seamline.cli.progress import Bar, SweepBar\n"
        "with Bar(2) as bar:\n"
        "    bar('embed', 'too early', 3, 7)\n"
        "    bar._start -= 10\n"
        "    bar('embed', 'fixed', 1300, 7000)\n"
        "    bar('embed', 'too early', 4, 7)\n"
        "with Bar(quiet=True) as bar:\n"
        "    bar._start -= 10\n"
        "    bar('embed', 'quiet', 3, 7)\n"
        "with SweepBar() as bar:\n"
        "    for event in (('configurations', 'whole | bm25', 5, 60), ('embed', 'x', 2, 9),\n"
        "                  ('race', 'whole | bm25', 0, 3), ('explained', 'whole | bm25', 1, 2)):\n"
        "        bar._start -= 10\n"
        "        bar(*event)\n"
        "        bar('split', 'too early', 1, 2)\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment()
    )
    assert found.stdout == ""
    assert found.stderr.splitlines() == [
        "2/2 fixed: embed 1,300/7,000",
        "configurations 5/60: whole | bm25",
        "configurations 5/60: whole | bm25: embed 2/9",
        "on a part of the documents 0/3: whole | bm25",
        "why questions failed 1/2: whole | bm25",
    ]


def test_the_texts_of_converted_documents_are_kept_beside_the_results(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.html").write_text("<p>Oil the <b>pump</b> weekly.</p>", "utf-8")
    (tmp_path / "docs" / "b.md").write_text("Check the belt.\n", "utf-8")
    asked = {"id": "q", "doc_id": "a.html", "question": "Which?", "answers": [{"text": "pump"}]}
    (tmp_path / "golden.jsonl").write_text(json.dumps(asked), "utf-8")
    given = ("--strategies", "whole", "--retriever", "bm25", "--out", tmp_path / "report")
    done("bench", tmp_path / "docs", "--golden", tmp_path / "golden.jsonl", *given)
    kept = (tmp_path / "report" / "texts.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in kept] == [
        {"id": "a.html", "media_type": "text/html", "text": "Oil the pump weekly."}
    ]
