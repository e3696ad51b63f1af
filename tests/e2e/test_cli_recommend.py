"""`seamline recommend`, and what its settings file is good for."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from cli_runner import done, refused, run

from seamline.config import load_config

# The runbooks have enough documents to say something; three cuts and words alone are fast.
BENCH = ("--retriever", "bm25", "--strategies", "fixed(size=128);recursive(size=256);whole", "-q")


@pytest.fixture(scope="module")
def measured(root, tmp_path_factory):
    """A folder with documents, a golden set and results."""
    folder = tmp_path_factory.mktemp("recommend")
    for name in ("docs", "golden.jsonl"):
        source = root / "examples" / "runbooks" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / name)
    done("bench", "docs", *BENCH, cwd=folder)
    return folder


@pytest.fixture
def here(measured, tmp_path):
    """A copy of it, to write into."""
    return shutil.copytree(measured, tmp_path / "project")


def told(process):
    """The lines on stderr by their first word."""
    return dict(line.split(": ", 1) for line in process.stderr.splitlines())


def test_it_says_what_to_take_in_five_sentences_and_a_table(here):
    process = done("recommend", "report/results.json", cwd=here, env={"COLUMNS": "80"})
    assert max(map(len, process.stdout.splitlines())) <= 80
    words = " ".join(process.stdout.split())
    assert words.startswith("Take ")
    for part in ("Expect a Recall@1000t of", "It costs", "best", "Based on 119 questions", "→"):
        assert part in words
    assert told(process) == {
        "report": "report/recommendation.html",
        "settings": "seamline.toml",
        "next": "seamline lock report",
    }


def test_from_a_benchmark_to_chunks_a_lock_and_a_check(here):
    chosen = json.loads(done("recommend", "--json", cwd=here).stdout)["chosen"]
    config = load_config(here / "seamline.toml")
    assert (config.strategy, config.strategies) == (chosen, (chosen,))
    assert config.retriever == "bm25(k1=1.2, b=0.75)" or config.retriever.startswith("bm25")
    cut = done("chunk", "docs", "--json", cwd=here)
    assert f"strategy: {chosen} (seamline.toml)" in cut.stderr
    assert cut.stdout.count("\n") > 10
    again = done("bench", "--json", "--out", "again", cwd=here)
    rows = json.loads(again.stdout)["strategies"]
    assert [row["spec"] for row in rows] == [chosen]
    first = json.loads((here / "report" / "results.json").read_text())["strategies"]
    assert rows[0]["measures"] == next(r for r in first if r["spec"] == chosen)["measures"]
    done("lock", "report", cwd=here)
    done("check", cwd=here)


def test_the_same_results_give_the_same_bytes(here):
    names = ("seamline.toml", "report/recommendation.html")
    first = done("recommend", cwd=here).stdout
    written = [(here / name).read_bytes() for name in names]
    again = run("recommend", cwd=here)
    assert again.stdout == first
    assert [(here / name).read_bytes() for name in names] == written
    assert told(again)["settings"] == "seamline.toml (left as it is)"


def test_a_file_that_says_the_same_stays_to_the_byte(here):
    """Also where other results give another reason: its own is that of the choice."""
    done("recommend", cwd=here)
    marked = b"\xef\xbb\xbf# mine\r\n" + (here / "seamline.toml").read_bytes()
    (here / "seamline.toml").write_bytes(marked)
    done("bench", "--out", "again", "--quiet", cwd=here)
    process = done("recommend", "again", cwd=here)
    assert "is the only strategy measured" in process.stdout
    assert told(process)["settings"] == "seamline.toml (left as it is)"
    assert (here / "seamline.toml").read_bytes() == marked
    record = json.loads(done("recommend", "again", "--json", cwd=here).stdout)
    assert record["written"] is None


def test_json_has_all_numbers(here):
    found = json.loads(done("recommend", "report", "--json", "--margin", "0.1", cwd=here).stdout)
    assert found["margin"] == 0.1
    assert found["written"] == "seamline.toml"
    assert {one["spec"] for one in found["options"]} == {
        "fixed(size=128, overlap=16)",
        "recursive(size=256, overlap=32)",
        "whole",
    }
    for key in ("cross_fitted", "p_best", "ruled_out", "undecided", "comparisons"):
        assert key in found["choice"]
    assert found["effects"]
    assert len(found["sentences"]) == 4
    assert load_config(here / "seamline.toml").margin == 0.1


def test_a_settings_file_keeps_what_it_has(here):
    mine = '# mine\nretriever = "dense"  # why\nout = "elsewhere"\n\n[limits]\nmax_pages = 9\n'
    (here / "seamline.toml").write_text(mine)
    process = done("recommend", "report", cwd=here)
    text = (here / "seamline.toml").read_text()
    assert text.startswith('# mine\nretriever = "bm25')
    assert text.endswith("\n\n[limits]\nmax_pages = 9\n")
    assert 'out = "elsewhere"\n' in text
    assert load_config(here / "seamline.toml").docs == (str(here / "docs"),)
    assert told(process)["settings"] == (
        "seamline.toml (changed: strategy, retriever, docs, golden)"
    )


def test_other_documents_in_a_settings_file_stay_and_are_named(here):
    (here / "seamline.toml").write_text('docs = "other"\ngolden = "golden.jsonl"\n')
    process = done("recommend", cwd=here)
    assert told(process)["settings"].endswith("; it names other docs than were measured")
    assert tomllib.loads((here / "seamline.toml").read_text())["docs"] == "other"
    done("recommend", "--docs", "docs", cwd=here)
    assert tomllib.loads((here / "seamline.toml").read_text())["docs"] == "docs"


def test_a_file_that_cannot_be_changed_stays_until_it_is_forced(here):
    (here / "seamline.toml").write_text("strategies = [\n")
    process = run("recommend", cwd=here)
    assert process.returncode == 2
    assert process.stdout == ""
    first, *lines = process.stderr.splitlines()
    assert "give --force to write it anew, --out for another file, or set in it" in first
    assert [line.split()[0] for line in lines] == ["docs", "golden", "strategy", "retriever"]
    assert (here / "seamline.toml").read_text() == "strategies = [\n"
    assert not (here / "report" / "recommendation.html").exists()
    done("recommend", "--force", cwd=here)
    assert load_config(here / "seamline.toml").strategy


def test_paths_are_seen_from_the_settings_file(here):
    (here / "conf").mkdir()
    done("recommend", "--out", "conf/mine.toml", cwd=here)
    found = tomllib.loads((here / "conf" / "mine.toml").read_text())
    assert (found["docs"], found["golden"]) == ("../docs", "../golden.jsonl")
    done("bench", "--config", "conf/mine.toml", "--out", "again", "-q", cwd=here)


def test_without_known_paths_there_are_lines_to_fill_in(here):
    (here / "report" / "inputs.json").unlink()
    done("recommend", cwd=here)
    text = (here / "seamline.toml").read_text()
    assert '# docs = "docs"\n# golden = "golden.jsonl"\n' in text
    assert not {"docs", "golden"} & tomllib.loads(text).keys()


def test_where_the_comparison_is_empty_nothing_is_written(here):
    done("bench", "docs", *BENCH, "--budget", "200000", cwd=here)
    process = done("recommend", cwd=here)
    assert process.stdout.startswith("The comparison is empty: the budget of 200,000 tokens holds")
    assert told(process)["settings"] == "nothing to write into seamline.toml"
    assert not (here / "seamline.toml").exists()
    assert (here / "report" / "recommendation.html").is_file()
    assert json.loads(done("recommend", "--json", cwd=here).stdout)["written"] is None


def test_latency_needs_the_timings_of_the_run(here):
    process = done("recommend", "--prefer", "latency", cwd=here)
    assert " ms to rank a question" in " ".join(process.stdout.split())
    timings = here / "report" / "timings.json"
    timings.write_text('{"strategies": {}}')
    assert "timings.json beside the results has none for 3 of 3" in refused(
        "recommend", "--prefer", "latency", cwd=here
    )
    timings.unlink()
    assert "the times of the run must be readable beside its results, but" in refused(
        "recommend", "--prefer", "latency", cwd=here
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no results at 'nowhere'"),
        (("report", "--prefer", "speed"), "no preference 'speed'; there are: index, latency"),
        (("report", "--margin", "-1"), "margin must be from 0 to below 1"),
        (("report", "--margin", "much"), "should be a valid number"),
        (("report", "--golden", "gone.jsonl", "--docs", "gone"), "gone"),
        (("report", "--out", "gone/seamline.toml"), "its folder must exist"),
    ],
)
def test_what_cannot_be_is_refused(here, arguments, said):
    assert said in refused("recommend", *arguments, cwd=here)
    assert not Path(here / "seamline.toml").exists()


def mine(spec):
    return f"Mine {spec.partition('(')[0]}"


def test_a_splitter_of_ones_own_is_recommended_but_not_written(here):
    path = here / "report" / "results.json"
    data = json.loads(path.read_text())
    for row in data["strategies"]:
        row["spec"] = row["strategy"] = mine(row["strategy"])
        row["difference"]["to"] = mine(row["difference"]["to"])
    path.write_text(json.dumps(data))
    process = done("recommend", cwd=here)
    assert "Mine " in process.stdout
    assert told(process)["settings"].startswith("nothing written into seamline.toml: the chosen")
    assert not (here / "seamline.toml").exists()
