"""`seamline ingest` and `seamline namespaces`: what they say, how they end, what they leave."""

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess

import pytest
from cli_runner import SEAMLINE, done, environment, run

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
SQL = """x'); DROP TABLE document; --"""
STORE = "sqlite:///index.db"


@pytest.fixture
def place(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Pumps\n\nOil the pump. Check the belt.\n")
    (tmp_path / "docs" / "b.md").write_text("# Fish\n\nFeed the fish at noon.\n")
    (tmp_path / "seamline.toml").write_text('retriever = "bm25"\n')
    return tmp_path


def ingest(place, *arguments, **options):
    return run("ingest", *arguments, cwd=place, **options)


def refused(*arguments, cwd):
    """The sentence of a command that must end with 2; what it says of its settings apart."""
    process = run(*arguments, cwd=cwd)
    assert (process.returncode, process.stdout) == (2, ""), process.stderr
    assert "Traceback" not in process.stderr
    error, *rest = [
        line for line in process.stderr.splitlines() if not line.startswith("settings: ")
    ]
    assert error.startswith("error: ")
    assert all(line.startswith("see: ") for line in rest)
    return error.removeprefix("error: ")


def listed(place, *arguments):
    return json.loads(done("namespaces", "--store", STORE, "--json", *arguments, cwd=place).stdout)


def test_what_is_said_the_first_and_the_second_time(place):
    first = done("ingest", "docs", "--store", STORE, cwd=place)
    assert first.stdout.splitlines() == [
        "2 new documents, 0 changed, 0 unchanged, 0 removed",
        "2 chunks written, 0 embedded, 0 vectors taken over",
        "namespace main: 2 documents, 2 chunks, revision 1; cut by adaptive(target=64)",
    ]
    assert "error" not in first.stderr
    row = json.loads(done("ingest", "docs", "--store", STORE, "--json", "-q", cwd=place).stdout)
    assert row["unchanged"] == 2
    assert set(row) == {
        "new", "changed", "unchanged", "removed", "skipped", "chunks", "embedded", "reused",
        "opened", "revision",
    }  # fmt: skip
    (there,) = listed(place)
    assert (there["documents"], there["chunks"], there["revision"]) == (2, 2, 1)
    assert sorted(path.name for path in place.iterdir()) == ["docs", "index.db", "seamline.toml"]


def test_the_store_of_the_settings_is_the_one_that_is_filled(place):
    (place / "seamline.toml").write_text(
        f'retriever = "bm25"\nstore = "{STORE}"\nnamespace = "own"\ndocs = ["docs"]\n'
        'strategy = "sentence(size=8)"\n'
    )
    assert "namespace own: 2 documents" in done("ingest", cwd=place).stdout
    assert [row["strategy"] for row in listed(place)] == ["sentence(size=8, overlap=0)"]
    assert "pump" in run("search", "oil pump", cwd=place).stdout


def test_a_skipped_file_is_named_and_the_exit_code_is_3(place):
    (place / "docs" / "bad.md").write_bytes(b"caf\xe9 \xff")
    process = ingest(place, "docs", "--store", STORE)
    assert process.returncode == 3
    assert "2 new documents, 0 changed, 0 unchanged, 0 removed, 1 skipped" in process.stdout
    assert "skipped 1 file:\n  docs/bad.md: " in process.stderr
    quiet = ingest(place, "docs", "--store", STORE, "-q")
    assert quiet.returncode == 3
    assert "docs/bad.md" in quiet.stderr
    (place / "only").mkdir()
    shutil.move(place / "docs" / "bad.md", place / "only" / "bad.md")
    assert "none is: only/bad.md" in ingest(place, "only", "--store", STORE).stderr


def test_a_dry_run_says_what_a_run_does_and_makes_nothing(place):
    said = done("ingest", "docs", "--store", STORE, "--dry-run", cwd=place).stdout
    assert said.splitlines() == ["new: 2: a.md and b.md", "changed: 0", "unchanged: 0"]
    assert not (place / "index.db").exists()
    done("ingest", "docs", "--store", STORE, cwd=place)
    before = (place / "index.db").read_bytes()
    (place / "docs" / "a.md").write_text("# Pumps\n\nNo pump.\n")
    (place / "docs" / "b.md").unlink()
    said = done("ingest", "docs", "--store", STORE, "--dry-run", "--prune", "--json", cwd=place)
    plan = {"new": [], "changed": ["a.md"], "unchanged": [], "removed": ["b.md"]}
    assert json.loads(said.stdout) == plan | {"opened": []}
    assert (place / "index.db").read_bytes() == before
    real = done("ingest", "docs", "--store", STORE, "--prune", cwd=place).stdout
    assert real.startswith("0 new documents, 1 changed, 0 unchanged, 1 removed\n")


def test_labels_tags_and_metadata_are_asked_for_again(place):
    facts = ["--tenant", "acme", "--access", "staff", "--tag", "hr", "--meta", "year=2024"]
    done("ingest", "docs", "--store", STORE, *facts, cwd=place)
    assert listed(place)[0]["documents"] == 0
    assert listed(place, "--tenant", "acme")[0]["documents"] == 0
    assert listed(place, "--tenant", "acme", "--access", "staff")[0]["documents"] == 2
    reader = ["--tenant", "acme", "--access", "staff", "--where", "tags~hr"]
    found = done("search", "pump", "--store", STORE, *reader, "--where", "year>2023", cwd=place)
    assert found.stdout.startswith("1  a.md")
    wrong = run("search", "pump", "--store", STORE, *reader, "--where", "year>2024", cwd=place)
    assert wrong.returncode == 4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["docs"], "a store must be named"),
        (["docs", "--store", ""], "a store must be named"),
        (["docs", "--store", "index.db"], "did you mean sqlite:///index.db?"),
        (["docs", "--store", "sqlite://index.db"], "like sqlite:///index.db"),
        (["docs", "--store", "sqlite:///"], "like sqlite:///index.db"),
        (["docs", "--store", "sqlit:///x"], "no store named 'sqlit'; did you mean 'sqlite'?"),
        (["docs", "--store", "sqlite:///no/folder/i.db"], "the folder of an index must be there"),
        (["docs", "--store", "sqlite:///docs"], "index 'docs'"),
        (["--store", STORE], "documents must be given"),
        (["nowhere", "--store", STORE], "'nowhere'"),
        (["docs", "--store", STORE, "--namespace", ""], "namespace must be a name"),
        (["docs", "--store", STORE, "--namespace", "a\nb"], "printable name"),
        (["docs", "--store", STORE, "--namespace", "x" * 101], "printable name"),
        (["docs", "--store", STORE, "--meta", "year"], "--meta must be like year=2024"),
        (["docs", "--store", STORE, "--meta", "year>2"], "--meta must be like year=2024"),
        (["docs", "--store", STORE, "--meta", "a..b=2"], "--meta must be like year=2024"),
        (["docs", "--store", STORE, "--meta", "a=1", "--meta", "a.b=2"], "each key once"),
        (["docs", "--store", STORE, "--meta", "a.b=1", "--meta", "a=2"], "each key once"),
        (["docs", "--store", STORE, "--meta", "id=2"], "other keys than id, source"),
        (["docs", "--store", STORE, "--keep-versions", "-1"], "must be 0 or more"),
        (["docs", "--store", STORE, "--labels", "none.jsonl"], "labels must be a file"),
        (["docs", "--store", STORE, "--labels", "docs"], "labels must be a file"),
        (["docs", "--store", STORE, "--labels", "docs/a.md"], "docs/a.md, line 1: "),
        (["docs", "--store", STORE, "--watch", "--dry-run"], "give one of them"),
        (["docs", "--store", STORE, "--access", ""], "access"),
        (["docs", "--store", STORE, "--tag", ""], "tag"),
        (["docs", "--store", STORE, "--strategy", "recursiv"], "did you mean 'recursive'?"),
        (["docs", "--store", STORE, "--embedder", "minilmm"], "did you mean 'minilm'?"),
    ],
)
def test_what_cannot_be_done_is_one_sentence_and_leaves_no_index(place, arguments, says):
    assert says in refused("ingest", *arguments, cwd=place)
    assert not (place / "index.db").exists()


def test_a_namespace_is_not_ingested_into_by_other_means(place):
    done("ingest", "docs", "--store", STORE, cwd=place)
    said = refused("ingest", "docs", "--store", STORE, "--strategy", "whole", cwd=place)
    assert said.startswith("namespace 'main' was made with strategy 'adaptive(target=64)'")
    done("ingest", "docs", "--store", STORE, "--strategy", "whole", "--namespace", "w", cwd=place)
    assert [row["name"] for row in listed(place)] == ["main", "w"]
    assert "dropped w" in done("namespaces", "--store", STORE, "--drop", "w", cwd=place).stdout
    assert "'w'" in refused("namespaces", "--store", STORE, "--drop", "w", cwd=place)
    assert [row["name"] for row in listed(place)] == ["main"]


COMMANDS = (
    ["ingest", "docs", "--store", STORE],
    ["ingest", "docs", "--store", STORE, "--dry-run"],
    ["search", "pump", "--store", STORE],
    ["namespaces", "--store", STORE],
)


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        (command, kind)
        for command in COMMANDS
        for kind in ("text", "other", "newer", "folder")
        if (kind, command[-1]) != ("folder", "--dry-run")  # all is new, whatever is there
    ],
)
def test_what_is_no_index_of_ours_is_left_as_it_is(place, command, kind):
    index = place / "index.db"
    if kind == "folder":
        index.mkdir()
    elif kind == "text":
        index.write_text("shopping list\n" * 100)
    else:
        connection = sqlite3.connect(index)
        connection.execute("CREATE TABLE mine (a)")
        if kind == "newer":
            connection.execute(f"PRAGMA application_id = {0x5EA3711E}")
            connection.execute("PRAGMA user_version = 99")
        connection.commit()
        connection.close()
    before = None if kind == "folder" else index.read_bytes()
    said = refused(*command, cwd=place)
    wanted = {
        "text": "no SQLite database",
        "other": "another SQLite database",
        "newer": "version 1 or before, got 99: a newer seamline",
        "folder": "index",
    }
    assert wanted[kind] in said
    assert kind == "folder" or index.read_bytes() == before
    assert not list(place.glob("index.db-*"))


def test_a_damaged_index_is_refused_and_never_a_fault(place):
    """Whatever byte is wrong: an answer, or one sentence that says what to do."""
    for number in range(12):
        (place / "docs" / f"n{number}.md").write_text(f"# N{number}\n\nOil the pump. " * 40)
    done("ingest", "docs", "--store", STORE, cwd=place)
    whole = (place / "index.db").read_bytes()
    codes = []
    for seed in range(8):
        dice, data = random.Random(seed), bytearray(whole)
        for at in [dice.randrange(len(data)) for _ in range(400)]:
            data[at] ^= 1 << dice.randrange(8)
        data = data[: dice.randrange(len(data))] if seed % 4 == 3 else data
        (place / "index.db").write_bytes(data)
        for command in COMMANDS[2 - seed % 2 * 2 :][:1]:
            process = run(*command, cwd=place)
            codes.append(process.returncode)
            assert process.returncode in (0, 2, 4), process.stderr
            assert "Traceback" not in process.stderr
    assert 2 in codes


def as_root():
    return os.geteuid() == 0 and shutil.which("mount") is not None


@pytest.fixture
def disk(place):
    """A disk of 1 MB at `disk`."""
    if not as_root():
        pytest.skip("only root may mount a small disk")
    (place / "disk").mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place / "disk"]
    if subprocess.run(command, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield place / "disk"
    subprocess.run(["umount", place / "disk"], check=True)


def test_a_full_disk_is_said_and_loses_nothing(place, disk):
    store = "sqlite:///disk/index.db"
    done("ingest", "docs", "--store", store, cwd=place)
    (place / "more").mkdir()
    dice = random.Random(5)
    for number in range(60):
        words = " ".join(f"w{dice.randrange(10**6)}" for _ in range(1500))
        (place / "more" / f"{number}.md").write_text(words)
    said = refused("ingest", "more", "--store", store, "-q", cwd=place)
    assert "there must be room on the disk, but it is full" in said
    assert "a.md" in done("search", "pump", "--store", store, cwd=place).stdout
    row = done("ingest", "docs", "--store", store, "--json", "-q", cwd=place).stdout
    assert json.loads(row)["unchanged"] == 2
    connection = sqlite3.connect(disk / "index.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def test_an_index_on_a_disk_that_is_read_only_is_searched_and_not_written(place, disk):
    done("ingest", "docs", "--store", STORE, cwd=place)
    name = "i ?&#%41.db"
    shutil.copy(place / "index.db", disk / name)
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    store = f"sqlite:///disk/{name}"
    assert "a.md" in done("search", "pump", "--store", store, cwd=place).stdout
    assert "main: 2 documents" in done("namespaces", "--store", store, cwd=place).stdout
    (place / "docs" / "c.md").write_text("New.\n")
    assert "it must be writable" in refused("ingest", "docs", "--store", store, cwd=place)


def test_no_name_or_label_is_read_as_sql_or_drives_the_terminal(place):
    odd = f"{SQL} \x1b[2J\u202e\n::error::x"
    (place / "docs" / f"{odd.replace('/', '-')}.md").write_text("Oil \x1b[31mthe pump.\n")
    options = ["--tenant", odd, "--access", odd, "--tag", odd, "--meta", f'kind="{SQL}"']
    process = ingest(place, "docs", "--store", STORE, *options)
    assert process.returncode == 0, process.stderr
    reader = ["--tenant", odd, "--access", odd, "--where", f"kind={SQL}", "--where", f"tags~{odd}"]
    for env in ({}, {"GITHUB_ACTIONS": "true"}, {"COLUMNS": "20"}):
        found = run("search", f"pump {odd}", "--store", STORE, *reader, cwd=place, env=env)
        assert found.returncode == 0, found.stderr
        assert "DROP TABLE" in found.stdout
        assert not CONTROLS.search(found.stdout + found.stderr)
        assert not re.search("^(::|##)", found.stdout, re.MULTILINE)
    assert [row["documents"] for row in listed(place, "--tenant", odd, "--access", odd)] == [3]
    assert listed(place, "--tenant", SQL)[0]["documents"] == 0
    dry = ingest(place, "docs", "--store", STORE, "--dry-run", "--tenant", "new")
    assert not CONTROLS.search(dry.stdout)
    assert not re.search("^::", dry.stdout, re.MULTILINE)


def test_a_namespace_of_any_printable_name(place):
    for name in (SQL, "é 魚", "$1 {} %s"):
        done("ingest", "docs", "--store", STORE, "--namespace", name, cwd=place)
        found = done("search", "pump", "--store", STORE, "--namespace", name, cwd=place)
        assert "a.md" in found.stdout
    assert len(listed(place)) == 3


def test_a_file_of_labels_says_what_single_documents_get(place):
    (place / "docs" / "hr").mkdir()
    (place / "docs" / "hr" / "c.md").write_text("# Pay\n\nWho pays for the pump?\n")
    rules = [
        {"id": "hr/*", "access": ["hr"], "metadata": {"review": {"year": 2024}}},
        {"id": "b.md", "tags": ["new"]},
        {"id": "gone\x1b[2J.md"},
        {"id": "zz?"},
    ]
    (place / "rules.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rules))
    command = ["ingest", "docs", "--store", STORE, "--labels", "rules.jsonl"]
    process = done(*command, "--meta", "review.by=me", cwd=place)
    assert re.search(r"(?m)^labels: 2 rules fit no document: gone\S+ and zz\?$", process.stderr)
    assert not CONTROLS.search(process.stderr)

    def search(*reader):
        told = run("search", "pump fish pay", "--store", STORE, "--json", *reader, cwd=place)
        return {passage["doc_id"] for passage in json.loads(told.stdout)["passages"]}

    assert search() == {"a.md", "b.md"}
    assert search("--access", "hr") == {"a.md", "b.md", "hr/c.md"}
    assert search("--access", "hr", "--where", "review.year>=2024") == {"hr/c.md"}
    assert search("--where", "review.by=me") == {"a.md", "b.md"}
    assert search("--where", "tags~new") == {"b.md"}
    again = done(*command, "--meta", "review.by=me", "-q", cwd=place)
    assert (again.stderr, "3 unchanged" in again.stdout) == ("", True)


def test_who_opens_documents_is_told(place):
    labels = ["--access", "staff", "--access", "hr"]
    plain = ["ingest", "docs", "--store", STORE]
    assert "more readers" not in done(*plain, *labels, cwd=place).stderr
    assert "more readers" not in done(*plain, "--access", "hr", cwd=place).stderr  # narrower
    said = "other labels: more readers than before may read 2 documents"
    dry = done(*plain, "--dry-run", cwd=place)
    assert f"{said}: a.md and b.md\n" in dry.stderr
    assert "opened" not in dry.stdout
    plan = json.loads(done(*plain, "--dry-run", "--json", cwd=place).stdout)
    assert plan["opened"] == plan["changed"] == ["a.md", "b.md"]
    assert f"{said}\n" in done(*plain, cwd=place).stderr
    assert "more readers" not in done(*plain, cwd=place).stderr


def test_a_dry_run_names_what_cannot_be_read(place):
    done("ingest", "docs", "--store", STORE, cwd=place)
    (place / "docs" / "a.md").write_text("")
    (place / "docs" / "bad.md").write_bytes(b"caf\xe9 \xff")
    dry = ingest(place, "docs", "--store", STORE, "--dry-run", "--prune")
    assert dry.stdout.splitlines() == ["new: 0", "changed: 0", "unchanged: 1: b.md", "removed: 0"]
    real = ingest(place, "docs", "--store", STORE, "--prune")
    assert "0 new documents, 0 changed, 1 unchanged, 0 removed, 2 skipped" in real.stdout
    for process in (dry, real):
        assert process.returncode == 3
        assert "skipped 2 files:" in process.stderr
        assert "  docs/a.md: must hold text, but is empty" in process.stderr
        assert "  docs/bad.md: must be UTF-8" in process.stderr


def test_former_versions_stay_as_the_settings_say(place):
    (place / "seamline.toml").write_text('retriever = "bm25"\nkeep_versions = 1\n')
    for text, keep in (("first", []), ("second", []), ("third", ["--keep-versions", "0"])):
        (place / "docs" / "a.md").write_text(f"Oil the {text} pump.\n")
        done("ingest", "docs", "--store", STORE, *keep, cwd=place)
        if text == "second":
            old = done("search", "pump", "--store", STORE, "--as-of", "1", cwd=place)
            assert "Oil the first pump." in old.stdout
    said = refused("search", "pump", "--store", STORE, "--as-of", "2", cwd=place)
    assert "as_of must be a revision that is kept, from 3 to 3, got 2" in said


def test_watching_ends_at_a_signal_with_what_was_done_written(place):
    with subprocess.Popen(
        [SEAMLINE, "ingest", "docs", "--store", STORE, "--watch", "--json", "-q"],
        cwd=place,
        env=environment(PYTHONUNBUFFERED="1"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while "watching" not in process.stderr.readline():
            assert process.poll() is None
        (place / "docs" / "c.md").write_text("A new one about valves.\n")
        line = ""
        while '"new": 1' not in line:
            line = process.stdout.readline()
            assert line, process.stderr.read()
        process.terminate()
        assert process.wait(20) == 143
    assert "c.md" in done("search", "valves", "--store", STORE, cwd=place).stdout
