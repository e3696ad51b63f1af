"""Ingests that are killed, and two at once, while readers never stop looking."""

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import ExitStack
from unittest.mock import patch

import numpy as np
import pytest
from cli_runner import environment

from seamline.config import BenchConfig
from seamline.ingest import batch as batching
from seamline.ingest.open import open_ingest
from seamline.parse import find_files
from seamline.store import Reader, open_store
from seamline.testing.stores import seen, vector_of

CONFIG = BenchConfig(strategy="sentence(size=14)", retriever="hybrid")
N_DOCUMENTS, N_SENTENCES = 40, 6
NAMES = [f"d{number:02}" for number in range(N_DOCUMENTS)]
INGEST = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_ingest_killed import ingest
ingest(Path(sys.argv[1]), sys.argv[2], told=lambda *step: print(*step, flush=True))
"""
READ = """
import sys
from pathlib import Path
sys.path.insert(0, {tests!r})
from test_ingest_killed import read_until
read_until(Path(sys.argv[1]), sys.argv[2])
"""


class Model:
    """Vectors that follow from the text, without a model to load."""

    fingerprint = "killed-1"

    def embed_documents(self, texts):
        return np.array([vector_of(one) for one in texts], np.float32).reshape(-1, 8)

    embed_queries = embed_documents


def ingest(folder, url, told=None):
    """One run in small batches, so that there are many points to be killed at."""
    docs = folder / "docs"
    files = find_files([docs])
    with patch.object(batching, "_BATCH", 25), open_store(url) as store:
        work = open_ingest(CONFIG, store, files, embedder=Model())
        return work.run(files, prune=True, progress=told)


def editions(store):
    """{document: the editions that its chunks are of}, by texts and by what is indexed."""
    found = {}
    with store.open("main").read(Reader()) as view:
        scope, totals = view.scope(), view.count()
        numbers = sorted(set(scope.document.tolist()))
        columns, held, details = view.columns(numbers), view.held(numbers), view.details(numbers)
        assert len(scope) == totals.chunks
        assert len({one.doc_id for one in held.values()}) == len(numbers) == totals.documents
        for number in numbers:
            own = columns[number][0]
            spans = [
                (number, a, b) for a, b in zip(own.start.tolist(), own.end.tolist(), strict=True)
            ]
            texts = view.texts(spans)
            assert len(texts) == N_SENTENCES == held[number].n_chunks == len(details[number].heads)
            rows = np.flatnonzero(scope.document == number)
            for row, text in zip(rows.tolist(), texts, strict=True):
                assert scope.dense(vector_of(text))[row] == pytest.approx(1, abs=1e-5)
            found[held[number].doc_id] = {text.split()[3] for text in texts}
    return found


def read_until(folder, url):
    """Look again and again until `stop` is there: documents are there, each of one edition."""
    n = 0
    with open_store(url) as store:
        while not (folder / "stop").exists() or not n:
            found = editions(store)
            mixed = {name: own for name, own in found.items() if len(own) > 1}
            assert not mixed, mixed
            missing = {f"{name}.txt" for name in NAMES[3:]} - found.keys()
            assert not missing, missing
            n += 1
    sys.stdout.write(f"looked {n}\n")


def write(docs, edition, names):
    docs.mkdir(exist_ok=True)
    for path in docs.iterdir():
        path.unlink()
    for name in names:
        lines = [f"In {name} edition {edition} says rule {i} here." for i in range(N_SENTENCES)]
        (docs / f"{name}.txt").write_text("\n".join(lines) + "\n")


def python(code, *arguments):
    tests = str(__file__).rpartition("/")[0]
    return subprocess.Popen(
        [sys.executable, "-c", code.format(tests=tests), *map(str, arguments)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ended(process):
    out, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    return out


def state(folder, name):
    """All that is in an index: what is read of it, and how many rows its tables have."""
    with open_store(f"sqlite:///{folder}/{name}") as store:
        found = seen(store.open("main"), Reader(), ("rule", "edition"))
    connection = sqlite3.connect(folder / name)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    for table in ("document", "content", "page"):
        found[table] = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    connection.close()
    found["held"] = [(*row[:2], *row[3:]) for row in found["held"]]  # without the version
    return found


def clean(folder):
    ingest(folder, f"sqlite:///{folder}/clean.db")
    return state(folder, "clean.db")


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_any_point_and_run_again_is_one_clean_run(tmp_path, seed):
    dice, url = random.Random(seed), f"sqlite:///{tmp_path}/index.db"
    write(tmp_path / "docs", "one", NAMES)
    ingest(tmp_path, url)
    with ExitStack() as stack:
        readers = [stack.enter_context(python(READ, tmp_path, url)) for _ in range(2)]
        n_killed = 0
        for edition in ("two", "three"):
            write(tmp_path / "docs", edition, [*NAMES[3:], "new"])
            for _ in range(3):
                work = stack.enter_context(python(INGEST, tmp_path, url))
                for _ in range(dice.randrange(1, N_DOCUMENTS)):
                    work.stdout.readline()
                work.send_signal(signal.SIGKILL)
                n_killed += work.wait() == -signal.SIGKILL
        assert n_killed > 0
        ended(stack.enter_context(python(INGEST, tmp_path, url)))
        (tmp_path / "stop").touch()
        for reader in readers:
            assert int(ended(reader).split()[1]) > 0
    assert state(tmp_path, "index.db") == clean(tmp_path)
    with open_store(url) as store:
        assert set(map(tuple, editions(store).values())) == {("three",)}


def test_killed_in_its_first_run_which_makes_the_file(tmp_path):
    write(tmp_path / "docs", "one", NAMES)
    wanted = clean(tmp_path)
    for seed in range(6):
        name = f"index{seed}.db"
        work = python(INGEST, tmp_path, f"sqlite:///{tmp_path}/{name}")
        with work:
            for _ in range(seed * 5):
                work.stdout.readline()
            work.kill()
        ingest(tmp_path, f"sqlite:///{tmp_path}/{name}")
        assert state(tmp_path, name) == wanted


def test_two_ingests_at_once_are_one(tmp_path):
    url = f"sqlite:///{tmp_path}/index.db"
    for edition in ("one", "two"):
        write(tmp_path / "docs", edition, NAMES)
        with ExitStack() as stack:
            for work in [stack.enter_context(python(INGEST, tmp_path, url)) for _ in range(3)]:
                ended(work)
    assert state(tmp_path, "index.db") == clean(tmp_path)
    with open_store(url) as store:
        namespace = store.open("main")
        assert {len(namespace.versions("", f"{name}.txt")) for name in NAMES} == {1}
        assert {namespace.versions("", f"{name}.txt")[0].version for name in NAMES} == {2}


def test_a_copy_taken_while_it_is_written_is_whole(tmp_path):
    """A backup by SQLite's own means sees one moment, whatever is being written."""
    url = f"sqlite:///{tmp_path}/index.db"
    write(tmp_path / "docs", "one", NAMES)
    ingest(tmp_path, url)
    write(tmp_path / "docs", "two", NAMES)
    with python(INGEST, tmp_path, url) as work:
        work.stdout.readline()
        for number in range(3):
            copy = tmp_path / f"copy{number}.db"
            source, target = sqlite3.connect(tmp_path / "index.db"), sqlite3.connect(copy)
            source.backup(target)
            source.close()
            target.close()
            with open_store(f"sqlite:///{copy}") as store:
                assert all(len(own) == 1 for own in editions(store).values())
        ended(work)


def test_a_view_that_is_open_is_not_changed_by_an_ingest(tmp_path):
    url = f"sqlite:///{tmp_path}/index.db"
    write(tmp_path / "docs", "one", NAMES)
    ingest(tmp_path, url)
    with open_store(url) as store, store.open("main").read(Reader()) as view:
        numbers = sorted(set(view.scope().document.tolist()))
        write(tmp_path / "docs", "two", NAMES)
        with python(INGEST, tmp_path, url) as work:
            ended(work)
        texts = view.texts([(number, 0, 40) for number in numbers])
        assert all(" one " in text for text in texts)
    shutil.rmtree(tmp_path / "docs")
