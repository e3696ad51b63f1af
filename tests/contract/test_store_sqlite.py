"""The file of an index: moved, replaced, closed, and searched by many threads."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from seamline.errors import StoreError
from seamline.store import Reader, open_store
from seamline.testing.stores import INFO, make_entry, seen


@pytest.fixture
def path(tmp_path):
    return tmp_path / "index.db"


@pytest.fixture
def store(path):
    with open_store(f"sqlite:///{path}") as store:
        store.create(INFO).put([make_entry("a", "One.")])
        yield store


def in_thread(work):
    """What work gives in a thread of its own."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def remove(path):
    for one in path.parent.glob("index.db*"):
        one.unlink()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts files as Linux tells them")
def test_threads_that_end_leave_no_file_open(store):
    namespace = store.open(INFO.name)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(60):
        assert in_thread(lambda: seen(namespace, Reader())["totals"]) == (1, 1)
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 4


def test_threads_at_once_each_have_a_connection_and_few_are_kept(store):
    namespace, barrier = store.open(INFO.name), threading.Barrier(40)

    def read():
        with namespace.read(Reader()) as view:
            barrier.wait(timeout=30)
            return view.count().chunks

    found = []
    threads = [threading.Thread(target=lambda: found.append(read())) for _ in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 40
    assert len(store._file._idle) <= 16


@pytest.mark.parametrize("how", ["removed", "replaced"])
def test_a_file_that_is_gone_is_neither_read_nor_written(store, path, how):
    namespace = store.open(INFO.name)
    other = path.parent / "other.db"
    if how == "replaced":
        with open_store(f"sqlite:///{other}") as made:
            made.create(INFO)
    remove(path)
    if how == "replaced":
        shutil.move(other, path)
    for work in (
        lambda: namespace.put([make_entry("b", "Two.")]),
        lambda: seen(namespace, Reader()),
        store.namespaces,
        lambda: store.open(INFO.name),
    ):
        with pytest.raises(StoreError, match="open it anew"):
            work()
    assert path.exists() == (how == "replaced")
    with open_store(f"sqlite:///{path}") as again:
        assert again.create(INFO).versions("", "b") == []


def test_a_store_that_is_closed_is_not_searched(store):
    namespace = store.open(INFO.name)
    store.close()
    with pytest.raises(StoreError, match="was closed"):
        seen(namespace, Reader())
    store.close()


def test_what_is_read_as_the_store_closes_is_read_to_its_end(store):
    namespace = store.open(INFO.name)
    with namespace.read(Reader()) as view:
        store.close()
        assert view.count().chunks == 1


def test_a_thread_may_not_write_while_it_reads(store):
    namespace = store.open(INFO.name)
    with namespace.read(Reader()), pytest.raises(StoreError, match="still inside"):
        namespace.put([make_entry("b", "Two.")])
    assert namespace.put([make_entry("b", "Two.")]) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_was_forked_off_has_connections_of_its_own(store):
    namespace = store.open(INFO.name)
    inherited = list(store._file._idle)
    child = os.fork()
    if not child:
        right = seen(namespace, Reader())["totals"] == (1, 1)
        own = not set(map(id, inherited)) & set(map(id, store._file._idle))
        os._exit(0 if right and own else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert seen(namespace, Reader())["totals"] == (1, 1)
