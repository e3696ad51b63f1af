"""A folder as it lies on disk: what is read, what is skipped, and that all of it is said."""

import json
import os
import subprocess
import sys

import pytest
from pdf_samples import IMAGE, pdf, text

from seamline.api import benchmark
from seamline.bench import run_bench
from seamline.config import BenchConfig
from seamline.errors import InvalidDocument, MissingInput, UnsupportedFormat
from seamline.golden import load_golden
from seamline.parse import (
    Limits,
    count_kinds,
    find_files,
    parse_bytes,
    parse_file,
    read_documents,
    read_each,
)
from seamline.parse.skipped import is_no_document

GOOD = {"a.md": b"# Pumps\n\nOil them.\n", "t.csv": b"part,price\npump,1\n"}
BAD = {
    "latin.md": (b"caf\xe9", "must be UTF-8"),
    "empty.txt": (b"", "must hold text, but is empty"),
    "blank.md": (b" \n\n", "must hold text, but is blank"),
    "broken.json": (b'{"a":', "line 1, column 6"),
    "broken.ipynb": (b"[]", "Jupyter notebook"),
    "broken.xlsx": (b"PK\x03\x04", "cut off"),
    "slides.pptx": (b"PK\x03\x04", "no parser reads .pptx files"),
    "all.tar.gz": (b"\x1f\x8b\0", "no parser reads .gz files"),
    "notes.xyz": (b"text", "no parser reads .xyz files"),
    "MANUAL": (b"text", "no parser reads files without an extension"),
}
OTHERS = {
    "p.png": b"\x89PNG",
    "sub/q.PNG": b"\x89PNG",
    "Cargo.lock": b"text",
    "package-lock.json": b"{}",
    "tool.unknown": b"\x7fELF\0\0",
    "sub/__init__.py": b"",
}


@pytest.fixture
def folder(tmp_path):
    """Makes a folder of files, given as a mapping of names to bytes."""

    def make(files, name="docs"):
        for path, data in files.items():
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return tmp_path / name

    return make


@pytest.fixture
def mixed(folder):
    return folder({**GOOD, **{name: data for name, (data, _) in BAD.items()}, **OTHERS})


def seamline(*arguments, cwd=None):
    command = [sys.executable, "-m", "seamline", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_what_cannot_be_read_is_skipped_with_its_reason_and_the_others_go_on(mixed):
    skipped = []
    documents = [document.id for document in read_documents([mixed], skipped=skipped)]
    assert documents == list(GOOD)
    missed = {one.doc_id: one for one in skipped if one.is_document}
    assert missed.keys() == BAD.keys()
    for name, (_, why) in BAD.items():
        assert why in missed[name].why
        assert missed[name].path == str(mixed / name)
        assert not missed[name].why.startswith(str(mixed))


def test_what_is_no_document_is_counted_by_extension(mixed):
    skipped = []
    list(read_documents([mixed], skipped=skipped))
    others = [one for one in skipped if not one.is_document]
    assert {one.doc_id for one in others} == set(OTHERS)
    assert count_kinds(others).split(", ")[0] == "2 .png"


def test_without_a_list_the_first_of_them_is_refused(mixed, folder):
    with pytest.raises(UnsupportedFormat, match=r"MANUAL.*all\.tar\.gz.*notes\.xyz.*slides\.pptx"):
        find_files([mixed])
    documents = read_documents([folder({**GOOD, **OTHERS, "latin.md": b"caf\xe9"}, "other")])
    assert next(documents).id == "a.md"
    with pytest.raises(InvalidDocument, match=r"latin\.md must be UTF-8"):
        next(documents)


def test_strict_refuses_files_without_text_too(folder):
    docs = folder({**GOOD, "empty.txt": b""})
    assert [document.text for document in read_documents([docs])][1] == ""
    with pytest.raises(InvalidDocument, match=r"empty\.txt must hold text"):
        list(read_each(find_files([docs]), [docs], strict=True))


@pytest.mark.parametrize("name", [name for name in BAD if name not in ("empty.txt", "blank.md")])
def test_a_file_given_itself_is_always_refused(mixed, name):
    with pytest.raises((InvalidDocument, MissingInput)) as caught:
        list(read_documents([mixed / name], skipped=[]))
    assert name in str(caught.value)


@pytest.mark.parametrize("name", ["p.png", "Cargo.lock", "tool.unknown"])
def test_even_one_that_is_no_document(mixed, name):
    with pytest.raises(UnsupportedFormat):
        find_files([mixed / name], skipped=[])


def test_a_file_given_beside_its_folder_is_refused_too(folder):
    docs = folder({**GOOD, "latin.md": b"caf\xe9"})
    with pytest.raises(InvalidDocument, match="UTF-8"):
        list(read_documents([docs / "latin.md", docs], skipped=[]))


def test_an_empty_file_given_itself_is_a_document(mixed):
    assert [d.text for d in read_documents([mixed / "empty.txt"], skipped=[])] == [""]


def test_broken_links_pipes_and_closed_folders_are_skipped(folder):
    docs = folder({**GOOD, "closed/b.md": b"text"})
    (docs / "gone.md").symlink_to(docs / "nowhere.md")
    os.mkfifo(docs / "pipe.md")
    (docs / "closed").chmod(0)
    skipped = []
    try:
        documents = [d.id for d in read_documents([docs], skipped=skipped)]
    finally:
        (docs / "closed").chmod(0o700)
    names = {one.doc_id for one in skipped}
    assert {"gone.md", "pipe.md"} <= names
    assert ("closed" in names) == ("closed/b.md" not in documents)  # root may read everything


def test_a_name_that_is_not_unicode_is_skipped_and_can_be_printed(folder):
    docs = folder(GOOD)
    try:
        open(os.fsencode(docs) + b"/\xff.md", "wb").close()  # noqa: PTH123
    except OSError:
        pytest.skip("this file system only takes Unicode names")
    skipped = []
    assert len(list(read_documents([docs], skipped=skipped))) == 2
    assert skipped[0].path.encode()
    assert "valid Unicode" in skipped[0].why


def test_a_folder_without_any_document_says_what_is_there(folder):
    docs = folder({"a.png": b"\x89PNG", "b.xyz": b"text"})
    with pytest.raises(MissingInput, match=r"left out \(1 \.png, 1 \.xyz\); documents are \.md, "):
        find_files([docs], skipped=[])


def test_the_same_folder_twice_is_skipped_once(folder):
    docs = folder({**GOOD, "b.xyz": b"text"})
    skipped = []
    find_files([docs, docs], skipped=skipped)
    assert [one.doc_id for one in skipped] == ["b.xyz"]


def test_files_may_be_left_out(folder):
    docs = folder({**GOOD, "golden.jsonl": b"{}\n"})
    files = find_files([docs], leave_out=[docs / "golden.jsonl"])
    assert [doc_id for _, doc_id in files] == list(GOOD)


@pytest.mark.parametrize(
    ("name", "data", "expected"),
    [
        ("a.JPG", b"", True),
        ("a.md", b"\0", False),
        ("a.doc", b"\0", False),
        ("yarn.lock", b"", True),
        ("__init__.py", b"", True),
        ("__init__.py", b"x = 1", False),
        ("a.zzz", b"text", False),
        ("a.zzz", b"te\0xt", True),
        ("zzz", b"\0", True),
    ],
)
def test_what_is_plainly_no_document(tmp_path, name, data, expected):
    (tmp_path / name).write_bytes(data)
    assert is_no_document(tmp_path / name) is expected


def test_chunk_names_what_it_skips_and_ends_with_3(mixed):
    run = seamline("chunk", mixed, "--json")
    assert run.returncode == 3
    lines = run.stderr.splitlines()
    assert lines[0] == "skipped 10 files:"
    assert len([line for line in lines if line.startswith("  /")]) == 10
    assert "left out 6 files of other kinds: 2 .png" in run.stderr
    assert lines[-1].startswith("2 documents, 2 chunks")
    assert lines[-1].endswith("10 skipped")
    records = [json.loads(line) for line in run.stdout.splitlines()]
    assert [record.get("row_range") for record in records] == [None, [1, 2]]


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo terminals")
def test_all_skipped_files_are_named_but_for_a_terminal(folder):
    import pty

    docs = folder({**GOOD, **{f"{n:02}.xyz": b"text" for n in range(13)}})
    run = seamline("chunk", docs, "--quiet")
    assert [f"{n:02}.xyz" in run.stderr for n in range(13)] == [True] * 13
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "seamline", "chunk", "docs", "--quiet"]
    subprocess.run(command, cwd=docs.parent, stdout=subprocess.DEVNULL, stderr=theirs)
    shown = os.read(ours, 1 << 16)
    os.close(ours)
    os.close(theirs)
    assert b"09.xyz" in shown
    assert b"10.xyz" not in shown
    assert shown.endswith(b"  and 3 more (all with 2>FILE)\r\n")


def test_strict_stops_at_once_and_writes_nothing(folder, tmp_path):
    docs = folder({**GOOD, "empty.md": b""})
    out = tmp_path / "chunks.jsonl"
    run = seamline("chunk", docs, "--strict", "--out", out)
    assert (run.returncode, run.stdout, out.exists()) == (2, "", False)
    assert "empty.md must hold text" in run.stderr


def test_pictures_alone_change_no_exit_code(folder):
    docs = folder({**GOOD, "p.png": b"\x89PNG"})
    for options in ([], ["--strict"]):
        assert seamline("chunk", docs, *options).returncode == 0


def test_nothing_readable_is_an_error(folder):
    run = seamline("chunk", folder({"a.md": b"caf\xe9", "b.md": b"\xff"}))
    assert (run.returncode, run.stdout) == (2, "")
    assert "at least one document must be readable" in run.stderr
    assert "(and 1 file more)" in run.stderr


def test_a_file_that_a_parser_reads_says_why_none_is_readable(folder):
    run = seamline("chunk", folder({"LICENSE": b"text", "b.md": b"caf\xe9"}))
    assert "none is: " in run.stderr
    assert "b.md: must be UTF-8" in run.stderr


def golden(folder, doc_id):
    line = {"id": "q1", "doc_id": doc_id, "question": "Oil?", "answers": ["Oil"]}
    (folder / "golden.jsonl").write_text(json.dumps(line), encoding="utf-8")


def bench(docs, *options, cwd=None):
    run = ("bench", docs, "--golden", docs / "golden.jsonl", "--retriever", "bm25")
    return seamline(
        *run, "--strategies", "whole", "--out", docs.parent / "report", *options, cwd=cwd
    )


def test_bench_lists_what_it_skips_in_its_results(folder):
    docs = folder({**GOOD, "latin.md": b"caf\xe9", "p.png": b"\x89PNG"})
    golden(docs, "a")
    run = bench(docs, "--json")
    assert run.returncode == 3, run.stderr
    results = json.loads(run.stdout)
    (one,) = results["skipped_documents"]
    assert one["id"] == "latin.md"
    assert str(docs) not in run.stdout
    assert [document["id"] for document in results["documents"]] == ["a.md", "t.csv"]
    assert "skipped 1 file:" in run.stderr
    told = bench(docs)
    assert "! 1 file could not be read, so that no figure is about it: latin.md." in told.stdout
    page = (docs.parent / "report" / "report.html").read_text(encoding="utf-8")
    assert "1 file could not be read, so that no figure is about it: latin.md." in page
    assert bench(docs, "--strict").returncode == 2


def test_bench_without_skipped_files_says_nothing_of_them(folder):
    docs = folder(GOOD)
    golden(docs, "a.md")
    run = bench(docs, "--json")
    assert run.returncode == 0, run.stderr
    assert "skipped_documents" not in json.loads(run.stdout)


@pytest.mark.parametrize("doc_id", ["latin.md", "latin"])
def test_bench_refuses_a_question_about_a_skipped_document(folder, doc_id):
    docs = folder({**GOOD, "latin.md": b"caf\xe9"})
    golden(docs, doc_id)
    run = bench(docs)
    assert (run.returncode, run.stdout) == (2, "")
    assert "question 'q1' (line 1)" in run.stderr
    assert "latin.md was skipped: must be UTF-8" in run.stderr
    assert not (docs.parent / "report").exists()


def test_golden_validate_tells_what_was_skipped(folder):
    docs = folder({**GOOD, "latin.md": b"caf\xe9"})
    golden(docs, "a.md")
    run = seamline("golden", "validate", docs, "--golden", docs / "golden.jsonl", "--json")
    assert [one["id"] for one in json.loads(run.stdout)["skipped"]] == ["latin.md"]
    assert run.returncode == 3, run.stderr


def test_limits_of_the_config_skip_files_of_a_folder(folder, tmp_path):
    docs = folder({**GOOD, "wide.csv": b"a,b\n" + b"1,2\n" * 99})
    (tmp_path / "seamline.toml").write_text("[limits]\nmax_bytes = 100\n", encoding="utf-8")
    for command in (["chunk", docs, "--json"], ["inspect", docs, "--json"]):
        run = seamline(*command, cwd=tmp_path)
        assert run.returncode == 3, run.stderr
        assert "wide.csv: must be at most 100 bytes, got 400" in run.stderr
        assert "raise max_bytes" in run.stderr
        assert "wide.csv" not in run.stdout
    golden(docs, "a.md")
    run = bench(docs, "--json", cwd=tmp_path)
    assert run.returncode == 3, run.stderr
    assert [one["id"] for one in json.loads(run.stdout)["skipped_documents"]] == ["wide.csv"]


def test_a_limit_misspelt_stops_every_command(folder, tmp_path):
    docs = folder(GOOD)
    (tmp_path / "seamline.toml").write_text("[limits]\nmax_byte = 100\n", encoding="utf-8")
    for command in ("chunk", "inspect"):
        run = seamline(command, docs, cwd=tmp_path)
        assert (run.returncode, run.stdout) == (2, "")
        assert "seamline.toml: no limit named 'max_byte'; did you mean 'max_bytes'" in run.stderr


def test_limits_reach_the_parser_whichever_way_a_file_is_read(folder):
    docs = folder({"a.html": b"<p>Oil</p>"})
    page, small = docs / "a.html", Limits(max_bytes=3)
    for read in (
        lambda: parse_file(page, limits=small),
        lambda: parse_bytes(page.read_bytes(), "a.html", limits=small),
        lambda: list(read_documents([page], limits=small)),
        lambda: list(read_documents([docs], limits=small)),
    ):
        with pytest.raises(InvalidDocument, match="must be at most 3 bytes, got 10"):
            read()
    assert parse_file(page).text == "Oil"


@pytest.mark.parametrize(
    ("name", "todo"),
    [
        ("talk.pptx", "save .pptx as .pdf"),
        ("old.doc", "save .doc as .docx"),
        ("notes.xyz", "name plain text .txt"),
        ("MANUAL", "name plain text .txt"),
    ],
)
def test_an_unknown_format_is_refused_with_what_to_do(folder, name, todo):
    path = folder({name: b"text"}) / name
    for read in (lambda: parse_file(path), lambda: find_files([path])):
        with pytest.raises(UnsupportedFormat, match=todo) as caught:
            read()
        assert "docs/formats.md" in str(caught.value)
        assert len(str(caught.value)) < 250 + len(str(path))


def scanned():
    return pdf(text(50, 700, "Oil it."), IMAGE, text(50, 700, "Stop it."), IMAGE)


def test_every_command_names_pages_without_text(folder, tmp_path):
    pytest.importorskip("pypdfium2", reason="needs the extra pdf")
    docs = folder({"scan.pdf": scanned()})
    for command in ("chunk", "inspect"):
        run = seamline(command, docs)
        assert run.returncode == 0, run.stderr
        assert "no text on pages 2, 4 of scan.pdf: run OCR first" in run.stderr
    golden(docs, "scan.pdf")
    run = bench(docs)
    assert run.returncode == 0, run.stderr
    assert "! 2 pages without text" in run.stdout
    assert "of scan.pdf. Run OCR first." in " ".join(run.stdout.split())
    results = json.loads((docs.parent / "report" / "results.json").read_text(encoding="utf-8"))
    assert results["documents"][0]["pages_without_text"] == [2, 4]


def test_a_library_user_has_skipped_files_in_the_results_too(folder):
    docs = folder({**GOOD, "latin.md": b"caf\xe9"})
    golden(docs, "a.md")
    skipped = []
    documents = read_documents([docs / "a.md", docs / "latin.md"])
    with pytest.raises(InvalidDocument):
        list(documents)
    results = benchmark(
        docs, docs / "golden.jsonl", strategies="whole", retriever="bm25", skipped=skipped
    )
    assert [one["id"] for one in results.data["skipped_documents"]] == ["latin.md"]
    again = []
    read = read_documents([docs], skipped=again)
    questions = load_golden(docs / "golden.jsonl", [parse_file(docs / "a.md")])
    config = BenchConfig(strategies=("whole",), retriever="bm25")
    rows = run_bench(read, questions, config, skipped=again).data["skipped_documents"]
    assert {"id": "latin.md", "why": rows[-1]["why"]} in rows
