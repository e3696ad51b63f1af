"""Files that commands write: over nothing they read, in no place of documents, alone, as private."""

import shlex
import shutil
import subprocess
import sys
from threading import Event

import pytest
from cli_runner import SEAMLINE, done, environment, run

from chat_server import serving
from lock_project import locked, write_set

posix = pytest.mark.skipif(sys.platform == "win32", reason="no such modes and locks there")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write_set(folder)
    locked(folder)
    return folder


@pytest.fixture
def project(made, tmp_path):
    return shutil.copytree(made, tmp_path / "own")


def told(*command, cwd):
    """The error of a command that must be refused, whatever it notes before."""
    process = run(*command, cwd=cwd)
    assert process.returncode == 2, (process.returncode, process.stdout, process.stderr)
    (line,) = [one for one in process.stderr.splitlines() if one.startswith("error: ")]
    return line.removeprefix("error: ")


def content(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


REPORT = ("results.json", "timings.json", "inputs.json", "report.html", "texts.jsonl")


@pytest.mark.parametrize(
    ("command", "name"),
    [("bench", "results.json"), ("sweep", "timings.json"), ("bench", "texts.jsonl")],
)
def test_a_report_takes_the_place_of_no_golden_set_config_file_or_document(project, command, name):
    shutil.rmtree(project / "report")
    (project / "report").mkdir()
    (project / "cfg").mkdir()
    shutil.copy(project / "golden.jsonl", project / "report" / name)
    config = (project / "seamline.toml").read_text().replace('"docs"', '"../docs"')
    (project / "cfg" / name).write_text(config.replace('"golden', '"../golden'))
    before = content(project)
    says = told(command, "docs", "--golden", f"report/{name}", cwd=project)
    assert says.startswith(f"{name} in --out must not be the golden set, which it would overwrite")
    says = told(command, "--config", f"cfg/{name}", "--out", "cfg", cwd=project)
    assert says.startswith(f"{name} in --out must not be the config file, which it would")
    documents = [project / "docs" / "u01.md", f"report/{name}"]
    says = told(command, *documents, "--golden", "golden.jsonl", cwd=project)
    assert says.startswith(f"{name} in --out must not be one of the documents, which it would")
    assert content(project) == before


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("recommend --out seamline.lock --force", "--out must not be the lock, which it would"),
        ("recommend --out other.lock --force", "--out must be a settings file where one is there"),
        ("recommend --golden report/recommendation.html", "recommendation.html must not be the go"),
        ("golden draft docs --out seamline.lock --force", "--out must not be the lock, which it"),
        ("chunk docs --out seamline.toml", "--out must not be the config file, which it would"),
        ("check --markdown docs/check.md", "--markdown must lie outside the folder of the docum"),
        ("check --junit docs/junit.xml", "--junit must lie outside the folder of the documents"),
        ("lock --out docs/lock.json", "--out must lie outside the folder of the documents"),
        (
            "recommend --out docs/x.toml --docs docs --golden golden.jsonl",
            "--out must lie outside the folder of the documents",
        ),
        ("golden anchor --out docs/new.jsonl", "--out must lie outside the folder of the docum"),
        ("golden draft docs --out docs/new.jsonl", "--out must lie outside the folder of the doc"),
        ("chunk docs --out docs/chunks.jsonl", "--out must lie outside the folder of the docum"),
    ],
)
def test_no_command_writes_over_what_it_reads_or_among_the_documents(project, command, says):
    shutil.copy(project / "seamline.lock", project / "other.lock")
    shutil.copy(project / "golden.jsonl", project / "report" / "recommendation.html")
    before = content(project)
    assert told(*command.split(), cwd=project).startswith(says)
    assert content(project) == before


def test_settings_lock_and_golden_set_may_lie_among_the_documents(project):
    for name in ("seamline.toml", "golden.jsonl"):
        shutil.move(project / name, project / "docs" / name)
    config = project / "docs" / "seamline.toml"
    config.write_text(config.read_text().replace('docs = "docs"', 'docs = "."\nout = "../report"'))
    done("bench", cwd=config.parent)
    done("recommend", "../report", cwd=config.parent)
    done("lock", cwd=config.parent)
    done("check", "--markdown", ".ci.md", cwd=config.parent)


@posix
@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("bench", [f"report/{name}" for name in REPORT[:4]]),
        ("lock", ["seamline.lock"]),
        ("check --markdown out --junit out.xml", ["out", "out.xml"]),
        ("recommend --margin 0.3", ["seamline.toml", "report/recommendation.html"]),
        ("golden draft docs -n 3 --append", ["golden.jsonl"]),
        ("golden anchor --in-place", ["golden.jsonl"]),
        ("chunk docs --out out", ["out"]),
    ],
)
def test_a_file_that_is_written_anew_keeps_its_mode(project, command, names):
    for name in names:
        (project / name).touch()
        (project / name).chmod(0o600)
    done(*command.split(), cwd=project)
    assert [oct((project / name).stat().st_mode & 0o777) for name in names] == ["0o600"] * len(
        names
    )


@posix
def test_two_drafts_at_a_time_lose_no_question_and_one_says_so(project):
    asked, go_on = Event(), Event()

    def wait(_body, _n):
        asked.set()
        go_on.wait(60)
        return ""

    known = (project / "golden.jsonl").read_text(encoding="utf-8").splitlines()[0] + "\n"
    (project / "golden.jsonl").write_text(known, encoding="utf-8")
    command = ["golden", "draft", "docs", "-n", "2", "--append", "--out", "golden.jsonl"]
    with serving(wait) as server:
        by_model = [SEAMLINE, *command, "--llm", server.url, "--model", "m"]
        first = subprocess.Popen(by_model, cwd=project, env=environment(), stderr=subprocess.PIPE)
        assert asked.wait(60)
        says = told(*command, cwd=project)
        assert says.startswith("golden.jsonl must be written by one command at a time")
        assert "by one command" in told("golden", "anchor", "--in-place", cwd=project)
        by_hand = known.strip().replace("u00-0", "by-hand")
        (project / "golden.jsonl").write_text(f"{known}{by_hand}\n", encoding="utf-8")
        go_on.set()
        _, err = first.communicate(timeout=60)
        assert first.returncode == 0, err
    now = (project / "golden.jsonl").read_text(encoding="utf-8")
    assert now.startswith(f"{known}{by_hand}\n")
    assert len(now.splitlines()) > 2
    assert not list(project.glob(".*"))
    done(*command, cwd=project)


@posix
def test_what_a_killed_command_left_is_removed_and_what_a_living_one_has_is_not(project):
    asked, go_on = {"killed": Event(), "living": Event()}, Event()

    def wait(body, _n):
        asked[body["model"]].set()
        go_on.wait(60)
        return ""

    with serving(wait) as server:

        def started(name):
            command = ["golden", "draft", "docs", "-n", "1", "--llm", server.url, "--model", name]
            process = subprocess.Popen(
                [SEAMLINE, *command, "--out", f"{name}.jsonl"],
                cwd=project,
                env=environment(),
                stderr=subprocess.DEVNULL,
            )
            assert asked[name].wait(60)
            return process

        with started("killed") as killed:
            killed.kill()
        (left,) = project.glob(".seamline.*")
        with started("living") as living:
            held = set(project.glob(".seamline.*")) - {left}
            assert len(held) == 1
            done("golden", "draft", "docs", "-n", "1", "--out", "third.jsonl", cwd=project)
            assert set(project.glob(".seamline.*")) == held
            go_on.set()
        assert living.returncode == 0
    assert (project / "living.jsonl").read_text(encoding="utf-8")
    assert not list(project.glob(".seamline*"))


@posix
def test_a_report_removes_what_a_killed_run_left_beside_it(project):
    for name in (".seamline.abc", "report/.seamline.old"):
        (project / name).mkdir()
        (project / name / "results.json").write_text("half")
    done("bench", cwd=project)
    assert not (project / "report" / ".seamline.old").exists()
    shutil.rmtree(project / "report")
    done("bench", cwd=project)
    assert not (project / ".seamline.abc").exists()


@pytest.mark.parametrize("command", ["bench", "sweep", "golden validate", "golden power"])
def test_without_any_path_the_set_of_the_current_folder_is_meant(project, command):
    for name in ("seamline.toml", "report"):
        shutil.move(project / name, project / f"no-{name}")
    (project / "seamline.toml").write_text(
        'strategies = ["whole"]\nretriever = "bm25"\n[grid]\nstrategies = ["whole"]\n'
    )
    process = run(*command.split(), cwd=project)
    assert process.returncode == 0, process.stderr


EMPTY = [
    ("bench --golden=", "--golden must be the path of a file"),
    ("bench --out=", "--out must be the path of a folder"),
    ("sweep --config=", "--config must be the path of a file"),
    ("lock --out=", "--out must be the path of a file"),
    ("check --junit=", "--junit must be the path of a file"),
    ("check --markdown ''", "--markdown must be the path of a file"),
    ("recommend --golden=", "--golden must be the path of a file"),
    ("recommend --docs=", "--docs must be the path of a file or folder"),
    ("recommend -q ''", "RESULTS must be the path of a file or folder"),
    ("golden draft ''", "DOCS must be the path of a file or folder"),
    ("golden draft docs --out ''", "--out must be the path of a file"),
    ("golden anchor --out=", "--out must be the path of a file"),
    ("chunk docs --out=", "--out must be the path of a file"),
    ("compare ''", "RESULTS must be the path of a file or folder"),
]


def test_a_folder_in_the_place_of_a_file_and_no_document_are_said(project):
    says = told("bench", "--config", "docs", cwd=project)
    assert says == "the config file must be a file, got the folder 'docs'"
    (project / "only").mkdir()
    shutil.copy(project / "golden.jsonl", project / "only")
    says = told("bench", "only", "--golden", "only/golden.jsonl", cwd=project)
    assert "what is there was left out (the golden set)" in says


@pytest.mark.parametrize(("command", "says"), EMPTY)
def test_an_empty_path_is_refused_alike_everywhere(project, command, says):
    assert told(*shlex.split(command), cwd=project) == f"{says}, got ''"


def test_a_choice_in_another_file_is_locked_with_it_and_its_golden_set_is_a_file(project):
    paths = ("--docs", "docs", "--golden", "golden.jsonl")
    said = done("recommend", "--margin", "0.3", "--out", "own l.toml", *paths, cwd=project).stderr
    assert "next: seamline lock report --config 'own l.toml'\n" in said
    says = told("recommend", "--golden", "docs", "--docs", "docs", "--out", "n.toml", cwd=project)
    assert says == "the golden set must be a file, got the folder 'docs'"
    assert not (project / "n.toml").exists()


@pytest.mark.parametrize(
    "command",
    [
        "bench loop --golden golden.jsonl",
        "bench docs --golden loop",
        "bench --out loop",
        "bench --config loop",
        "chunk docs --out loop",
        "check --junit loop",
        "check --lock loop",
        "golden validate docs --golden loop",
        "golden anchor --out loop",
        "golden draft docs --out loop",
        "lock --out loop",
        "recommend --margin 0.3 --out loop",
        "recommend --margin 0.3 --docs loop --golden golden.jsonl",
    ],
)
def test_a_link_that_leads_to_itself_is_refused_in_one_sentence(project, command):
    (project / "loop").symlink_to("loop")
    assert told(*command.split(), cwd=project)
    assert (project / "loop").is_symlink()
