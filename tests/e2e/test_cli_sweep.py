"""`seamline sweep` as a person runs it: stopped, gone on, limited, refused."""

import json
import signal
import subprocess
import time

import pytest
from cli_runner import SEAMLINE, done, environment, refused, run

from seamline.bench import Results

GRID = """
budget = 200

[[grid]]
strategies = ["recursive(size=[48, 64, 96], overlap=[0, 8])", "sentence(size=64)", "whole"]
retrievers = ["hybrid"]
merge = [false, true]

[[grid]]
strategies = ["semantic(size=64, threshold=[0.4, 0.6])"]
retrievers = ["dense", "bm25"]
"""
N = 8 * 2 + 2 * 2


@pytest.fixture
def handbook(root):
    return root / "examples" / "handbook"


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "grid.toml"
    path.write_text(GRID, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def first(root, tmp_path_factory):
    """The folder of a sweep that nothing interrupted: its cache, and its results in `out`."""
    folder = tmp_path_factory.mktemp("whole")
    path = folder / "grid.toml"
    path.write_text(GRID, encoding="utf-8")
    done(*sweep(root / "examples" / "handbook", path, folder), env=cache(folder))
    return folder


@pytest.fixture(scope="module")
def whole_run(first):
    """The bytes of its results."""
    return (first / "out" / "results.json").read_bytes()


@pytest.fixture
def warm(first):
    """The environment in which all of that sweep is kept."""
    return cache(first)


def sweep(docs, config, folder, *more):
    return "sweep", docs, "--config", config, "--out", folder / "out", *more


def cache(folder):
    return {"SEAMLINE_CACHE_DIR": str(folder / "cache")}


def kept(folder):
    return list((folder / "cache" / "sweeps").glob("*.z"))


def start(arguments, folder):
    return subprocess.Popen(
        [SEAMLINE, *map(str, arguments)],
        env=environment(**cache(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(n, folder, process):
    """Until `n` configurations are kept; the command must not end before."""
    while len(kept(folder)) < n:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)


def taken_over(stderr):
    lines = [line for line in stderr.splitlines() if line.startswith("taken over")]
    return int(lines[0].split()[6]) if lines else 0


@pytest.mark.parametrize("n", [0, 1, 7, 13])
def test_a_sweep_that_was_killed_goes_on_to_the_same_bytes(
    handbook, config, tmp_path, whole_run, n
):
    arguments = sweep(handbook, config, tmp_path)
    process = start(arguments, tmp_path)
    wait_for(n, tmp_path, process)
    process.kill()
    process.communicate()
    assert not (tmp_path / "out").exists()
    again = done(*arguments, env=cache(tmp_path))
    assert taken_over(again.stderr) >= n
    assert (tmp_path / "out" / "results.json").read_bytes() == whole_run


def test_a_sweep_killed_again_and_again_comes_to_its_end(handbook, config, tmp_path, whole_run):
    arguments = sweep(handbook, config, tmp_path)
    for n in (3, 6, 12):
        process = start(arguments, tmp_path)
        wait_for(n, tmp_path, process)
        process.kill()
        process.communicate()
    done(*arguments, env=cache(tmp_path))
    assert (tmp_path / "out" / "results.json").read_bytes() == whole_run


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_say_what_is_kept_and_leave_nothing_else(
    handbook, config, tmp_path, number
):
    process = start(sweep(handbook, config, tmp_path), tmp_path)
    wait_for(2, tmp_path, process)
    process.send_signal(number)
    stdout, stderr = process.communicate()
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}[number]
    assert stdout == ""
    assert "what is measured is kept: the same command goes on from there" in stderr
    assert "Traceback" not in stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "grid.toml"]


def test_a_second_run_measures_nothing_and_a_larger_grid_only_what_is_new(
    handbook, config, tmp_path, whole_run, warm
):
    arguments = sweep(handbook, config, tmp_path)
    again = done(*arguments, env=warm)
    assert f"grid: {N} configurations of 10 cuts\n" in again.stderr
    assert taken_over(again.stderr) == N
    assert (tmp_path / "out" / "results.json").read_bytes() == whole_run
    config.write_text(GRID.replace("[48,", "[40, 48,"), encoding="utf-8")
    assert taken_over(done(*arguments, env=warm).stderr) == N
    assert len(Results.load(tmp_path / "out").data["strategies"]) == N + 4


def test_another_setting_is_measured_anew(handbook, config, tmp_path, warm):
    arguments = sweep(handbook, config, tmp_path, "-k", 3)
    assert taken_over(done(*arguments, env=warm).stderr) == 0
    assert taken_over(done(*arguments, env=warm).stderr) == N


def test_a_row_of_a_sweep_is_that_of_a_benchmark(handbook, config, tmp_path, first, warm):
    swept = {row["spec"]: row for row in Results.load(first / "out").data["strategies"]}
    for merge in (False, True):
        config.write_text(
            'budget = 200\nstrategies = ["whole", "sentence(size=64)"]\n'
            f"merge = {str(merge).lower()}",
            encoding="utf-8",
        )
        done("bench", handbook, "--config", config, "--out", tmp_path / "bench", env=warm)
        for row in Results.load(tmp_path / "bench").data["strategies"]:
            own = swept[f"{row['spec']} | hybrid(alpha=0.5){' | merge' if merge else ''}"]
            assert {key for key in row if row[key] != own[key]} <= {"spec", "difference"}
            assert row["measures"] == own["measures"]


def test_stdout_is_the_table_or_json_and_stderr_says_what_is_next(handbook, config, tmp_path, warm):
    table = done(*sweep(handbook, config, tmp_path), env=warm)
    assert "… and 5 more, which the report has" in table.stdout
    assert table.stderr.splitlines()[-1] == f"next: seamline recommend {tmp_path}/out/results.json"
    printed = done(*sweep(handbook, config, tmp_path, "--json", "-q"), env=warm)
    assert printed.stderr == ""
    assert printed.stdout == (tmp_path / "out" / "results.json").read_text("utf-8")
    data = json.loads(printed.stdout)
    assert data["config"]["retriever"] is None
    assert data["config"]["merge"] is None
    assert data["config"]["dedupe"] is False
    assert (tmp_path / "out" / "report.html").stat().st_size > 10_000


def test_the_quick_grid_is_the_default(handbook, tmp_path):
    found = done("sweep", handbook, "--out", tmp_path / "out", "--budget", 200, cwd=tmp_path)
    assert "grid: 14 configurations of 9 cuts" in found.stderr


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ('strategies = "whole; fixd"', "no strategy named 'fixd'; did you mean 'fixed'?"),
        ('strategies = "whole"\nretrievers = "bm52"', "no retriever named 'bm52'"),
        ('strategies = "fixed(size=8, overlap=[8, 9])"', "overlap must be smaller than size"),
        ('strategies = ""', "at least one spec"),
        ("merge = true", "grid.strategies must be a list of at least one strategy"),
    ],
)
def test_a_grid_that_cannot_be_is_refused_before_anything_is_read(tmp_path, grid, message):
    path = tmp_path / "grid.toml"
    path.write_text(f"[grid]\n{grid}\n", encoding="utf-8")
    said = refused("sweep", tmp_path / "nowhere", "--config", path, "-q")
    assert message in said


def test_combinations_that_cannot_be_are_said(handbook, tmp_path, warm):
    path = tmp_path / "grid.toml"
    path.write_text('[grid]\nstrategies = "fixed(size=[8, 64], overlap=8)"\nretrievers = "bm25"')
    said = done(*sweep(handbook, path, tmp_path), env=warm).stderr
    assert "grid: 1 configuration of 1 cut\n" in said
    assert "left out fixed(size=8, overlap=8): overlap must be smaller than size" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--minutes", "0"), "minutes must be a number above 0, got 0.0"),
        (("--minutes", "inf"), "minutes must be a number above 0, got inf"),
        (("--minutes", "soon"), "Invalid value for '--minutes'"),
        (("--embed-calls", "-1"), "embed_calls must be a whole number from 0, got -1"),
        (("--embed-calls", "1.5"), "it must be a whole number, got '1.5'"),
        (("--grid", "fast"), "no grid named 'fast'; there are: full, quick"),
    ],
)
def test_limits_and_names_that_cannot_be_are_refused(handbook, tmp_path, options, message):
    assert message in refused("sweep", handbook, *options, cwd=tmp_path)


def test_a_limit_on_texts_is_never_broken_and_says_what_was_left_out(handbook, config, tmp_path):
    import sqlite3

    limit = 120
    found = done(
        *sweep(handbook, config, tmp_path, "--embed-calls", limit, "--json"), env=cache(tmp_path)
    )
    data = json.loads(found.stdout)
    database = sqlite3.connect(tmp_path / "cache" / "vectors.sqlite3")
    (n,) = database.execute("SELECT count(*) FROM vectors").fetchone()
    assert 0 < n <= limit
    specs = [row["spec"] for row in data["strategies"]]
    left = [row["spec"] for row in data["dropped"]]
    assert left
    assert len({*specs, *left}) == len(specs) + len(left) == N
    assert all(row["why"] for row in data["dropped"])
    assert any("the budget of 120 texts embedded ended before" in one for one in data["notes"])


def test_a_limit_that_allows_nothing_is_refused(handbook, config, tmp_path):
    arguments = sweep(handbook, config, tmp_path, "--embed-calls", 3, "-q")
    said = refused(*arguments, env=cache(tmp_path))
    assert "embed_calls must suffice for the questions and one configuration, got 3" in said
    assert not (tmp_path / "out").exists()


def test_a_limit_that_is_wide_changes_no_row(handbook, config, tmp_path, whole_run, warm):
    done(*sweep(handbook, config, tmp_path, "--minutes", 60), env=warm)
    limited = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert limited.pop("dropped") == []
    assert limited == json.loads(whole_run)


def test_no_time_at_all_still_measures_one(handbook, config, tmp_path):
    arguments = sweep(handbook, config, tmp_path, "--minutes", 0.000001, "--json")
    data = json.loads(done(*arguments, env=cache(tmp_path)).stdout)
    assert len(data["strategies"]) == 1
    assert len(data["dropped"]) == N - 1
    assert any("which they are depends on the clock" in one for one in data["notes"])


def written(folder, documents, questions):
    (folder / "docs").mkdir()
    for name, text in documents.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    lines = "".join(f"{json.dumps(one)}\n" for one in questions)
    (folder / "golden.jsonl").write_text(lines, encoding="utf-8")
    return folder


ASKED = {
    "id": "q1",
    "doc_id": "a.txt",
    "question": "What is oiled?",
    "answers": [{"start": 8, "end": 12, "text": "pump"}],
}


@pytest.mark.parametrize("limits", [(), ("--minutes", "5"), ("--embed-calls", "500")])
def test_one_document_and_one_question_are_enough(tmp_path, limits):
    folder = written(tmp_path, {"a.txt": "Oil the pump. Check the belt."}, [ASKED])
    data = json.loads(
        done(
            "sweep",
            folder,
            "--out",
            tmp_path / "out",
            "--json",
            *limits,
            cwd=tmp_path,
            env=cache(tmp_path),
        ).stdout
    )
    assert len(data["strategies"]) == 14
    assert any("cut your documents identically" in note for note in data["notes"])


def test_no_gold_and_no_question_are_refused(tmp_path):
    asked = {**ASKED, "answers": []}
    folder = written(tmp_path, {"a.txt": "Oil the pump."}, [asked])
    assert "question" in refused("sweep", folder, "-q", cwd=tmp_path)
    (folder / "golden.jsonl").write_text("")
    assert "question" in refused("sweep", folder, "-q", cwd=tmp_path)


def test_a_file_that_cannot_be_read_is_skipped_and_said_or_refused(handbook, config, tmp_path):
    folder = written(tmp_path, {"a.txt": "Oil the pump. Check the belt."}, [ASKED])
    (folder / "docs" / "b.docx").write_bytes(b"no archive")
    arguments = sweep(folder, config, tmp_path)
    found = run(*arguments, env=cache(tmp_path))
    assert found.returncode == 3
    assert "b.docx" in found.stderr
    assert [one["id"] for one in Results.load(tmp_path / "out").data["skipped_documents"]] == [
        "b.docx"
    ]
    assert "b.docx" in refused(*arguments, "--strict", "-q", env=cache(tmp_path))


def test_a_cache_that_cannot_be_written_costs_only_the_resuming(handbook, config, tmp_path):
    (tmp_path / "cache").write_text("a file, not a folder", encoding="utf-8")
    found = done(*sweep(handbook, config, tmp_path), env=cache(tmp_path))
    assert "warning: measured rows cannot be kept" in found.stderr
    assert len(Results.load(tmp_path / "out").data["strategies"]) == N


def test_a_retriever_that_is_asked_for_takes_the_place_of_those_in_the_grid(
    handbook, config, tmp_path
):
    done(*sweep(handbook, config, tmp_path), "--retriever", "bm25", env=cache(tmp_path))
    rows = Results.load(tmp_path / "out").data["strategies"]
    assert {row["retriever"] for row in rows} == {"bm25"}
    assert len(rows) == 8 * 2 + 2
