"""`seamline golden draft`, `anchor` and `power`, as a person runs them."""

import json
import re
import shutil
import signal
import subprocess
import time

import pytest
from cli_runner import SEAMLINE, done, environment, refused, run

from chat_server import is_asking, serving

BENCH = ("--strategies", "sentence(size=64);whole", "--retriever", "bm25", "--quiet")


@pytest.fixture
def runbooks(root, tmp_path):
    """A copy of an example, to be changed."""
    return shutil.copytree(root / "examples" / "runbooks", tmp_path / "runbooks")


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_known_items_are_drafted_validated_and_reported_apart(runbooks, tmp_path):
    docs = runbooks / "docs"
    process = done("golden", "draft", docs, "-n", 24, cwd=tmp_path)
    drafted = rows(tmp_path / "golden.jsonl")
    assert len(drafted) == 24
    assert "24 questions, none reviewed yet" in process.stderr
    assert process.stderr.count("known items look up what stands in a document") == 1
    assert process.stderr.splitlines()[-1] == (
        f"next: review the drafts, then seamline golden validate {docs} --golden golden.jsonl"
    )
    assert [line.split()[0] for line in process.stdout.splitlines()[2:]] == [
        "heading",
        "docstring",
        "row",
        "faq",
    ]
    assert all(row["source"] == "synthetic" and row["reviewed"] is False for row in drafted)
    assert all(row["tags"][0] == "known-item" for row in drafted)
    process = done("golden", "validate", docs, "--golden", "golden.jsonl", cwd=tmp_path)
    assert process.stderr.endswith(f"next: seamline sweep {docs} --golden golden.jsonl\n")
    both = tmp_path / "both.jsonl"
    people = (runbooks / "golden.jsonl").read_text(encoding="utf-8")
    both.write_text(people + (tmp_path / "golden.jsonl").read_text(encoding="utf-8"), "utf-8")
    process = done("bench", docs, "--golden", both, *BENCH, "--tags", cwd=tmp_path)
    said = " ".join(process.stdout.split())
    assert "! 24 of 143 questions are synthetic: no person asked them" in said
    assert "On the 119 questions of people alone" in said
    assert "source:human" in said
    results = json.loads((tmp_path / "report" / "results.json").read_text(encoding="utf-8"))
    for row in results["strategies"]:
        assert row["by_tag"]["source:synthetic"]["Recall@1000t"]["n"] == 24


def test_the_same_seed_writes_the_same_bytes(runbooks, tmp_path):
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        done("golden", "draft", runbooks, "--out", tmp_path / name, "--seed", seed, "-n", 9)
    a, b, c = ((tmp_path / name).read_bytes() for name in "abc")
    assert a == b != c


def test_a_golden_set_is_never_overwritten_unasked(runbooks, tmp_path):
    path = runbooks / "golden.jsonl"
    before = path.read_bytes()
    says = refused("golden", "draft", runbooks, "--out", path)
    assert "give --append to add to it, or --force to write it anew" in says
    assert path.read_bytes() == before
    process = done("golden", "draft", runbooks, "--out", path, "--append", "--json", "-n", 9)
    told = json.loads(process.stdout)
    assert (told["questions"], told["in_all"]) == (9, len(before.splitlines()) + 9)
    after = path.read_bytes()
    assert after.startswith(before)
    assert len(after.splitlines()) == len(before.splitlines()) + 9
    process = done("golden", "draft", runbooks, "--out", path, "--append", "-n", 9)
    n_all = len(before.splitlines()) + 18
    said = f"golden.jsonl: 9 questions added, none reviewed yet; {n_all} in all\n"
    assert said in process.stderr
    ids = [row["id"] for row in rows(path)]
    assert len(ids) == len(set(ids)) == len(before.splitlines()) + 18
    done("golden", "validate", runbooks)
    done("golden", "draft", runbooks, "--out", path, "--force", "-n", 3)
    assert len(rows(path)) == 3


def test_broken_lines_stay_when_questions_are_added(runbooks):
    path = runbooks / "golden.jsonl"
    path.write_bytes(b"nonsense\n" + path.read_bytes().rstrip(b"\n"))
    process = done("golden", "draft", runbooks, "--out", path, "--append", "-n", 2)
    assert "1 error in what is there (the first in line 1): left as it is" in process.stderr
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "nonsense"
    assert len(lines) == 122


def test_a_model_drafts_and_its_failures_are_told(runbooks, tmp_path):
    lost = []

    def fault(body, n):
        text = body["messages"][-1]["content"]
        if is_asking(body) and (not lost or text in lost):
            lost.append(text)
            return 400, {}
        return (429, {"Retry_After": "0"}) if n % 5 == 0 else ("prose" if n % 7 == 0 else "")

    with serving(fault) as server:
        given = ("golden", "draft", runbooks, "-n", 6, "--llm", server.url, "--model", "counts")
        out = tmp_path / "new.jsonl"
        process = done(*given, "--out", out, "--json", env={"OPENAI_API_KEY": "k-123"})
        assert set(server.keys) == {"Bearer k-123"}
    told = json.loads(process.stdout)
    drafted = rows(out)
    assert told["questions"] == len(drafted) == 6
    assert told["kinds"] == {"model": 6}
    assert told["calls"] > 12
    assert told["tokens"] > 0
    assert len(told["failures"]) == 1
    assert "failed: " in process.stderr
    assert "answered 400: not now" in process.stderr
    assert "k-123" not in process.stderr + process.stdout + out.read_text(encoding="utf-8")
    assert {row["model"] for row in drafted} == {"counts"}
    assert {tuple(row["tags"]) for row in drafted} == {("model",)}
    done("golden", "validate", runbooks / "docs", "--golden", out)


def test_a_dry_run_calls_nothing_and_writes_nothing(runbooks, tmp_path):
    with serving() as server:
        given = ("golden", "draft", runbooks, "-n", 6, "--llm", server.url, "--model", "counts")
        process = done(*given, "--dry-run", cwd=tmp_path)
        told = json.loads(done(*given, "--dry-run", "--json", cwd=tmp_path).stdout)
        assert server.requests == []
    assert process.stdout.startswith("6 questions from counts: 12 to 36 calls, about ")
    assert told["least_calls"] == 12
    assert list(tmp_path.iterdir()) == [runbooks]


def test_a_server_that_is_not_there_is_one_sentence(runbooks, tmp_path):
    with serving() as server:
        url = server.url
    given = ("golden", "draft", runbooks, "--llm", url, "--model", "m", "--out", tmp_path / "x")
    assert "could not be reached" in refused(*given)
    assert list(tmp_path.iterdir()) == [runbooks]


def test_ctrl_c_while_a_model_thinks_leaves_nothing(runbooks, tmp_path):
    with serving(lambda body, n: time.sleep(30) or "") as server:
        given = [SEAMLINE, "golden", "draft", runbooks, "--llm", server.url, "--model", "m"]
        process = subprocess.Popen(
            given, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
        )
        while not server.requests and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130
        assert process.stderr.read() == "interrupted\n"
        process.stderr.close()
        assert list(tmp_path.iterdir()) == [runbooks]


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ("Hello.", [], "give --llm URL, which can ask about any text"),
        ("# Oil\n\nShort.", [], "the documents hold none"),
        (
            "# Oil\n\nOil is not kept in the yard, by any of us.",
            [],
            "at least one question must be kept",
        ),
        (
            "# A\n",
            ["-n", "0"],
            "n must be a positive number of questions, at most 1,000,000, got 0",
        ),
        ("# A\n", ["--seed", "-1"], "seed must be 0 or more, got -1"),
        ("# A\n", ["--model", "m"], "--model needs --llm URL"),
        ("# A\n", ["--key-env", "K"], "--key-env needs --llm URL"),
        ("# A\n", ["--dry-run"], "--dry-run needs --llm URL"),
        ("# A\n", ["--llm", "localhost"], "the server's base url"),
        ("# A\n", ["--llm", "http://localhost/v1"], "give --model NAME"),
        ("# A\n", ["--append", "--force"], "one of --append and --force"),
        ("# A\n", ["--out", "no/where.jsonl"], "the folder of --out must exist"),
        ("# Two words\n\nOil is not kept in the yard, by any of us.", ["--out", "docs"], "docs"),
    ],
)
def test_what_cannot_be_drafted_is_one_sentence_and_writes_nothing(tmp_path, text, arguments, says):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text(text)
    process = run("golden", "draft", "docs", *arguments, cwd=tmp_path)
    assert process.returncode == 2
    assert says in process.stderr.splitlines()[-1]
    assert "Traceback" not in process.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.md", "docs"]


def test_skipped_files_are_named_and_the_set_is_not_one_of_them(tmp_path):
    (tmp_path / "a.md").write_text("# Oil of pumps\n\nOil is not kept in the yard, by any of us.\n")
    (tmp_path / "b.pdf").write_bytes(b"nonsense")
    process = run("golden", "draft", ".", cwd=tmp_path)
    assert process.returncode == 3
    assert "skipped 1 file:" in process.stderr
    again = run("golden", "draft", ".", "--append", cwd=tmp_path)
    assert "golden.jsonl: 0 questions of 50 wanted" in again.stderr
    assert len(rows(tmp_path / "golden.jsonl")) == 1


def test_gold_is_anchored_after_edits_and_a_new_name(runbooks):
    docs, path = runbooks / "docs", runbooks / "golden.jsonl"
    before = path.read_bytes()
    limits = docs / "rate-limits.md"
    limits.write_text("New on top.\n\n" + limits.read_text(encoding="utf-8"), encoding="utf-8")
    (docs / "key-rotation.md").rename(docs / "rotating.md")
    gone = docs / "on-call-faq.md"
    quote = next(row for row in rows(path) if row["doc_id"] == gone.name)["answers"][0]["text"]
    gone.write_text(gone.read_text(encoding="utf-8").replace(quote, quote[:-5]), encoding="utf-8")
    process = run("golden", "anchor", runbooks, env={"COLUMNS": "80"})
    assert process.returncode == 1
    assert path.read_bytes() == before
    assert "key-rotation.md is called rotating.md now" in process.stderr
    assert "nothing written: give --in-place or --out FILE" in process.stderr
    table, _, nearest = process.stdout.partition("nearest passage as an answer:\n")
    assert max(map(len, table.splitlines())) <= 80
    answer = json.loads(nearest.splitlines()[0])
    text = gone.read_text(encoding="utf-8")
    assert text[answer["start"] : answer["end"]] == answer["text"]
    told = json.loads(run("golden", "anchor", runbooks, "--json").stdout)
    assert told["lost"] >= 1
    assert told["moved"] > 10
    assert told["renamed"] == {"key-rotation.md": "rotating.md"}
    assert (
        len(told["spans"]) == told["unchanged"] + told["moved"] + told["lost"] + told["ambiguous"]
    )
    lost = {one["question"] for one in told["spans"] if one["state"] == "lost"}

    new = runbooks / "new.jsonl"
    assert run("golden", "anchor", runbooks, "--out", new).returncode == 1
    assert path.read_bytes() == before
    for old, anchored in zip(rows(path), rows(new), strict=True):
        if old["id"] in lost:
            assert anchored == old
        else:
            assert anchored["doc_sha256"]
            assert [one["text"] for one in anchored["answers"]] == [
                one["text"] for one in old["answers"]
            ]
    assert run("golden", "anchor", runbooks, "--in-place", "--drop-lost").returncode == 1
    assert {row["id"] for row in rows(path)} == {row["id"] for row in rows(new)} - lost
    process = done("golden", "anchor", runbooks)
    assert process.stdout == ""
    done("golden", "validate", runbooks)


def test_what_needs_a_person_is_listed_before_what_only_moved(runbooks):
    docs, path = runbooks / "docs", runbooks / "golden.jsonl"
    for document in docs.iterdir():
        text = document.read_text(encoding="utf-8")
        document.write_text(f"New on top.\n\n{text}", encoding="utf-8")
    last = rows(path)[-1]
    gone = docs / last["doc_id"]
    quote = last["answers"][0]["text"]
    gone.write_text(gone.read_text(encoding="utf-8").replace(quote, quote[:-5]), encoding="utf-8")
    told = json.loads(run("golden", "anchor", runbooks, "--json").stdout)
    assert told["lost"] >= 1

    def states(*options):
        lines = run("golden", "anchor", runbooks, *options).stdout.splitlines()
        found = [re.search(r" (lost|ambiguous|moved) ", line) for line in lines]
        return lines, [match[1] for match in found if match]

    lines, shown = states()
    assert shown[: told["lost"]] == told["lost"] * ["lost"]
    assert shown.count("moved") == 5
    assert any(re.fullmatch(r"and \d+ more moved: --verbose lists them", line) for line in lines)
    every = states("--verbose")[1]
    assert every[: told["lost"]] == told["lost"] * ["lost"]
    assert every.count("moved") > 100


def test_an_anchored_set_is_left_to_the_byte(runbooks):
    done("golden", "anchor", runbooks, "--in-place")
    path = runbooks / "golden.jsonl"
    once = path.read_bytes()
    done("golden", "anchor", runbooks, "--in-place")
    assert path.read_bytes() == once


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--out", "x", "--in-place"], "one of --out and --in-place"),
        (["--out", "runbooks/golden.jsonl"], "--out must be a new file"),
        (["--drop-lost"], "--drop-lost needs --out FILE or --in-place"),
        (["--golden", "gone.jsonl"], "gone.jsonl"),
    ],
)
def test_what_cannot_be_anchored_is_one_sentence(runbooks, tmp_path, arguments, says):
    assert says in refused("golden", "anchor", "runbooks", *arguments, cwd=tmp_path)


def test_lines_that_are_no_questions_are_told_and_kept(runbooks):
    path = runbooks / "golden.jsonl"
    path.write_bytes(b"nonsense\n" + path.read_bytes())
    process = run("golden", "anchor", runbooks, "--in-place")
    assert process.returncode == 1
    assert "1 error in lines that stay as they are" in process.stderr
    assert "a line must be one JSON object" in process.stdout
    assert path.read_bytes().startswith(b"nonsense\n")


def test_power_says_what_the_results_or_the_usual_variance_asks_for(runbooks, tmp_path):
    assumed = done("golden", "power", runbooks, cwd=tmp_path)
    assert "10% of questions decide" in assumed.stdout
    assert "Assumed, not measured" in assumed.stdout
    assert "119 questions about 13 documents" in assumed.stdout
    done("bench", runbooks, *BENCH, cwd=tmp_path)
    measured = done("golden", "power", cwd=tmp_path, env={"COLUMNS": "80"})
    assert "the typical pair" in measured.stdout
    assert "Assumed" not in measured.stdout
    assert max(map(len, measured.stdout.splitlines())) <= 80
    told = json.loads(done("golden", "power", "report", "--json", cwd=tmp_path).stdout)
    assert told == json.loads(
        done("golden", "power", "report/results.json", "--json", cwd=tmp_path).stdout
    )
    (row,) = told["rows"]
    assert row["needed"]["0.02"] > row["needed"]["0.05"] > row["needed"]["0.1"]
    assert told["basis"] == "results"
    told = json.loads(done("golden", "power", runbooks, "--json", cwd=tmp_path).stdout)
    assert (told["basis"], told["questions"], len(told["rows"])) == ("assumption", 119, 3)


def test_synthetic_questions_left_out_are_told_and_questions_advised(runbooks, tmp_path):
    path = runbooks / "golden.jsonl"
    few = {f"{name}.md" for name in ("key-rotation", "rate-limits", "on-call-faq")}
    asked = [row | ({} if row["doc_id"] in few else {"source": "synthetic"}) for row in rows(path)]
    path.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    left_out = sum("synthetic" in row.get("source", "") for row in asked)
    done("bench", runbooks, *BENCH, cwd=tmp_path)
    said = " ".join(done("golden", "power", cwd=tmp_path).stdout.split())
    assert f"{119 - left_out} questions about 3 documents" in said
    assert f"{left_out} synthetic questions left out" in said
    assert "ask people's questions about more of the 13 there first" in said
    assert "add documents" not in said


def test_few_documents_are_said_to_be_few(root, tmp_path):
    process = done("golden", "power", root / "examples" / "handbook", cwd=tmp_path)
    assert "add documents first" in " ".join(process.stdout.split())


def test_what_has_no_power_is_one_sentence(tmp_path):
    (tmp_path / "timings.json").write_text("{}")
    assert "must be a results file" in refused("golden", "power", "timings.json", cwd=tmp_path)
    assert "'nowhere'" in refused("golden", "power", "nowhere", cwd=tmp_path)
    assert "documents and a golden set are needed" in refused("golden", "power", cwd=tmp_path)


HOSTILE = "\n::warning::pwned\x1b[31m"


def test_no_name_or_text_of_a_set_begins_a_line_of_what_golden_commands_print(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nThe pump of unit 1 wants oil in spring.\n")
    name = f"b{HOSTILE}.md"
    (tmp_path / "docs" / name).write_text("# B\n\nThe belt is checked by hand.\n")
    quotes = [("a.md", "The pump of unit 9 wants oil"), (name, f"no{HOSTILE}")]
    quotes += [(f"c{HOSTILE}.md", "The belt is checked by hand"), (f"d{HOSTILE}", "?")]
    lines = [
        {"id": f"{i}{HOSTILE}", "doc_id": doc_id, "question": f"What{HOSTILE}?", "answers": [quote]}
        | {"tags": [f"t{HOSTILE}"], f"answrs{HOSTILE}": 1}
        for i, (doc_id, quote) in enumerate([*quotes, quotes[0]])
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in [*lines, lines[0]])
    (tmp_path / "golden.jsonl").write_text(text)
    commands = ["validate", "anchor", "power", "anchor --verbose"]
    for command in commands:
        process = run("golden", *command.split(), cwd=tmp_path, env={"COLUMNS": "300"})
        said = f"{process.stdout}\n{process.stderr}"
        assert "pwned" in said, command
        assert not [line for line in said.splitlines() if line.lstrip().startswith("::")], said
        assert "\x1b[31m" not in said
