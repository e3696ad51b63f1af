"""The documentation runs, its links resolve, and nothing public is left out."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from collections import Counter
from itertools import takewhile
from pathlib import Path

import pytest

import seamline

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/README.md")]
)
CLI = ROOT / "docs" / "cli.md"
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^ *```(?:console|sh|bash|shell)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^(```+|~~~+).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")

# Blocks that cannot run here: the page, the block's first line, and why.
SKIPPED: dict[tuple[str, str], str] = {}


def name(page):
    return page.relative_to(ROOT).as_posix()


def blocks(page):
    """The page's Python blocks, each moved down to its own line for tracebacks."""
    text = page.read_text(encoding="utf-8")
    for found in PYTHON.finditer(text):
        first_line = found[1].partition("\n")[0]
        yield first_line, "\n" * (text.count("\n", 0, found.start()) + 1) + found[1]


def run(page, source, names):
    if ">>>" in source:
        test = doctest.DocTestParser().get_doctest(source, names, name(page), str(page), 0)
        failures = []
        doctest.DocTestRunner().run(test, out=failures.append, clear_globs=False)
        names.update(test.globs)
        assert not failures, "".join(failures)
    else:
        exec(compile(source, str(page), "exec"), names)


@pytest.mark.parametrize("page", [page for page in PAGES if list(blocks(page))], ids=name)
def test_every_python_block_of_a_page_runs_in_order(page, tmp_path, monkeypatch):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for first_line, source in blocks(page):
        if (name(page), first_line) not in SKIPPED:
            run(page, source, names)


def test_every_skipped_block_still_exists():
    there = {(name(page), first_line) for page in PAGES for first_line, _ in blocks(page)}
    assert set(SKIPPED) <= there


def anchors(page):
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    titles = re.findall(r"^#{1,6} +(.+?) *#*$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_relative_link_resolves(page):
    broken = []
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        found = target.exists() and (not anchor or anchor in anchors(target))
        broken += [] if found else [link]
    assert not broken


def sections_of_cli():
    text = CLI.read_text(encoding="utf-8")
    parts = re.split(r"^#+ `(seamline[a-z -]*)`$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def commands(page):
    """The `seamline …` commands of the page's shell blocks, continued lines joined."""
    for block in SHELL.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            found = re.match(r"(?:\$ )?(?:\S*/)?(seamline .*)", line)
            if found:
                words = shlex.split(found[1], comments=True)
                yield list(takewhile(lambda word: word != "|", words))


def complaints(words, known):
    command = next(at for n in (3, 2, 1) if (at := " ".join(words[:n])) in known)
    if command == "seamline" and len(words) > 1 and not words[1].startswith("-"):
        yield f"no command {words[1]}"
    for option in (word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)):
        if not re.search(rf"[`, ]{option}[`, ]", known[command]):
            yield f"{command}: no option {option}"


@pytest.mark.parametrize("page", sorted({*PAGES} - {CLI}), ids=name)
def test_every_command_shown_exists_with_its_options(page):
    known = sections_of_cli()
    assert [text for words in commands(page) for text in complaints(words, known)] == []


def test_every_public_name_has_a_docstring_and_stands_in_the_documentation():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    public = [item for item in getattr(seamline, "__all__", []) if not item.startswith("_")]
    undocumented = [
        item
        for item in public
        if not re.search(rf"\b{item}\b", text)
        or (callable(getattr(seamline, item)) and not getattr(seamline, item).__doc__)
    ]
    assert not undocumented


def test_the_changelog_has_an_entry_for_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(project['version'])}\b", changelog, re.MULTILINE)


def tracked():
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("not a git checkout")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [ROOT / item for item in listed.stdout.split("\0") if item]


def test_no_tracked_file_names_a_path_of_this_machine():
    too_general = {Path("/"), Path(tempfile.gettempdir())}
    local = [f"{path}{os.sep}".encode() for path in {Path.home(), ROOT.parent} - too_general]
    naming = [
        name(path)
        for path in tracked()
        if path.is_file() and any(prefix in path.read_bytes() for prefix in local)
    ]
    assert not naming


def test_every_test_file_has_a_name_of_its_own():
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, n in names.items() if n > 1] == []
