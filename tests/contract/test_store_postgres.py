"""What is particular to PostgreSQL: row-level security, and many writers."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from seamline.errors import InvalidConfig, MissingInput, StoreError
from seamline.store import NamespaceInfo, Reader, key, open_store
from seamline.testing.stores import CHECKS, INFO, make_entry, seen, vector_of, with_store

pytest_plugins = ["postgres_server"]

TABLES = ("document", "content", "page", "chunk", "word")


@pytest.fixture
def store(postgres_url):
    with open_store(postgres_url) as store:
        yield store


@pytest.fixture
def raw(postgres_server, postgres_database, store):
    """A plain connection to the database of `store`."""
    with postgres_server.connect(postgres_database) as connection:
        yield connection


def tables_of(raw):
    key = raw.execute("SELECT max(id) FROM seamline.namespace").fetchone()[0]
    return [f"seamline.{name}_{key}" for name in TABLES]


def counts(raw):
    """How many rows of each table a connection sees."""
    return [raw.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables_of(raw)]


def told(work):
    with pytest.raises(StoreError) as caught:
        work()
    return str(caught.value)


# Row-level security


def entries():
    return [
        make_entry("a", "One of nobody's."),
        make_entry("a", "One of ours.", tenant="ours"),
        make_entry("b", "One for staff.", tenant="ours", access=frozenset({"staff"})),
        make_entry("a", "One of theirs.", tenant="theirs"),
    ]


def as_reader(raw, **settings):
    raw.execute("BEGIN")
    for name, value in settings.items():
        raw.execute("SELECT set_config(%s, %s, true)", [f"seamline.{name}", value])
    raw.execute("SET LOCAL ROLE seamline_reader")
    try:
        return counts(raw)
    finally:
        raw.execute("ROLLBACK")


def test_without_a_setting_no_row_is_seen(store, raw):
    store.create(INFO).put(entries())
    assert counts(raw) == [4, 4, 4, 4, 4]
    assert as_reader(raw) == [0, 0, 0, 0, 0]
    # Once it was set in a session, a setting is empty after it, and not missing.
    as_reader(raw, tenant="=ours", access="{}", terms="{}")
    assert as_reader(raw) == [0, 0, 0, 0, 0]
    for wrong in ("", "theirs", "ttheirs", "%", "x", "1theirs"):
        assert as_reader(raw, tenant=wrong) == [0, 0, 0, 0, 0]


def test_who_may_only_read_can_search(postgres_server, postgres_database, store, raw):
    store.create(INFO).put(entries())
    name = f"searcher_{postgres_database}"
    raw.execute(f"DROP ROLE IF EXISTS {name}")
    raw.execute(f"CREATE ROLE {name} LOGIN")
    try:
        raw.execute(f"GRANT seamline_reader TO {name}")
        with open_store(postgres_server.url(postgres_database, name), create=False) as theirs:
            namespace = theirs.open(INFO.name)
            reader = Reader("ours", frozenset({"staff"}))
            assert seen(namespace, reader) == seen(store.open(INFO.name), reader)
            with pytest.raises(StoreError, match="allowed"):
                namespace.put([make_entry("new", "One.")])
    finally:
        raw.execute(f"DROP ROLE {name}")


def test_rows_are_those_of_the_tenant_with_a_label_and_a_term(store, raw):
    store.create(INFO).put(entries())
    terms = raw.execute(f"SELECT terms::text FROM {tables_of(raw)[-1]} LIMIT 1").fetchone()[0]
    assert as_reader(raw, tenant="=theirs") == [1, 1, 1, 1, 0]
    assert as_reader(raw, tenant="=") == [1, 1, 1, 1, 0]
    assert as_reader(raw, tenant="=ours") == [1, 1, 1, 1, 0]
    assert as_reader(raw, tenant="=ours", access="{staff}") == [2, 2, 2, 2, 0]
    assert as_reader(raw, tenant="=ours", access="{staff}", terms=terms) == [2, 2, 2, 2, 2]
    assert as_reader(raw, tenant="=ours", terms="{7}") == [1, 1, 1, 1, 0]
    assert as_reader(raw, tenant="=nobody", access="{staff}", terms=terms) == [0, 0, 0, 0, 0]


def test_the_reader_owns_nothing_and_writes_nothing(store, raw):
    import psycopg

    store.create(INFO).put(entries())
    owned = "SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = 'seamline_reader'"
    assert raw.execute(owned).fetchone() == (0,)
    for name in (*tables_of(raw), "seamline.namespace"):
        raw.execute("BEGIN")
        raw.execute("SET LOCAL ROLE seamline_reader")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            raw.execute(f"DELETE FROM {name}")
        raw.execute("ROLLBACK")


@pytest.fixture(params=["CREATEROLE", "NOCREATEROLE"])
def owner(request, postgres_server, postgres_database):
    """The URL of a database whose owner is no superuser, and whether it can read as another."""
    name = f"owner_{request.param.lower()}_{postgres_database}"
    with postgres_server.connect() as raw:
        raw.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        raw.execute(f"DROP ROLE IF EXISTS {name}")
        raw.execute(f"CREATE ROLE {name} LOGIN {request.param}")
        if request.param == "CREATEROLE":
            raw.execute(
                "DO $$ BEGIN CREATE ROLE seamline_reader NOLOGIN; "
                "EXCEPTION WHEN duplicate_object THEN NULL; END $$"
            )
            raw.execute(f"GRANT seamline_reader TO {name}")
        raw.execute(f"CREATE DATABASE {name} OWNER {name}")
        with postgres_server.connect(name) as there:
            there.execute("CREATE EXTENSION vector")  # this build lets a superuser alone do it
        yield postgres_server.url(name, name), name
        raw.execute(f"DROP DATABASE {name} WITH (FORCE)")
        raw.execute(f"DROP ROLE {name}")


def test_an_owner_that_is_bound_keeps_every_law(owner, postgres_server):
    url, name = owner
    for check in CHECKS:
        with_store(lambda: open_store(url), check)
        with postgres_server.connect(name, name) as raw:
            raw.execute("DROP SCHEMA seamline CASCADE")


def test_an_owner_without_a_setting_sees_no_row(owner, postgres_server):
    url, name = owner
    with open_store(url) as store:
        store.create(INFO).put(entries())
    with postgres_server.connect(name, name) as raw:
        assert counts(raw) == [0, 0, 0, 0, 0]
        raw.execute("SET seamline.tenant = '=theirs'")
        assert counts(raw) == [1, 1, 1, 1, 1]
        raw.execute("RESET seamline.tenant")
        assert counts(raw) == [0, 0, 0, 0, 0]


# Strings


def test_no_string_is_read_as_sql(store, raw):
    bad = "x'; DROP SCHEMA seamline CASCADE; -- \" \\ %s %(a)s @document {} $1 :a"
    info = NamespaceInfo(bad[:90], bad, 8, bad)
    namespace = store.create(info)
    entry = make_entry(
        bad,
        f"One {bad}.",
        tenant=bad,
        access=frozenset({bad}),
        tags=frozenset({bad}),
        source=bad,
        media_type=bad,
        metadata={bad: {bad: [bad]}, "plain": bad},
    )
    namespace.put([entry])
    place = key("plain")
    where = (place == bad) & place.one_of([bad]) & (place >= bad) & key("tags").has(bad)
    where = where & (key("id") == bad) & (key("source") <= bad) & ~key(bad[:5]).has(bad)
    for reader in (Reader(bad, frozenset({bad})), Reader(bad, frozenset({bad}), where)):
        assert seen(namespace, reader)["totals"][0] == 1
    assert namespace.digests(bad, [bad]) == {bad: entry.digest}
    assert list(namespace.doc_ids(bad)) == [bad]
    assert namespace.versions(bad, bad)[0].metadata == entry.metadata
    assert set(namespace.vectors(bad, bad)) == set(entry.details.digests)
    assert store.open(info.name).info == info
    with pytest.raises(MissingInput):
        store.open(bad + "!")
    assert namespace.remove(bad, [bad]) == 1
    assert store.drop(info.name)
    assert not store.drop(bad + "!")
    assert raw.execute("SELECT count(*) FROM seamline.migration").fetchone() == (2,)


@pytest.mark.parametrize("field", ["doc_id", "tenant", "source"])
def test_lone_surrogates_are_refused(store, field):
    namespace = store.create(INFO)
    good = make_entry("good", "One.")
    facts = {"doc_id": "bad", "text": "One.", field: "One \ud800."}
    with pytest.raises(InvalidConfig, match="lone surrogates"):
        namespace.put([good, make_entry(**facts)])
    assert seen(namespace, Reader())["totals"] == (0, 0)


def test_ids_too_long_for_an_index_are_refused(store):
    namespace = store.create(INFO)
    name = "".join(chr(0x4E00 + i) for i in range(3000))
    assert "2,600 bytes" in told(lambda: namespace.put([make_entry(name, "One.")]))
    assert list(namespace.doc_ids("")) == []


# Many at once


def test_writers_at_once_neither_wait_forever_nor_duplicate(postgres_url):
    names = [f"d{i}" for i in range(12)]
    with open_store(postgres_url) as store:
        store.create(INFO)

    def write(seed):
        with open_store(postgres_url) as store:
            namespace = store.create(INFO)
            for turn in range(6):
                order = names[seed:] + names[:seed] if turn % 2 else names[::-1]
                text = f"One turn {turn}." if turn < 5 else "One last."
                namespace.put([make_entry(name, text) for name in order], keep_versions=1)
                namespace.remove("", [order[seed]])

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(write, seed) for seed in range(6)]:
            done.result()
    with open_store(postgres_url) as store:
        namespace = store.open(INFO.name)
        namespace.put([make_entry(name, "One last.") for name in names])
        assert sorted(namespace.doc_ids("")) == sorted(names)
        found = seen(namespace, Reader())
        assert found["totals"] == (12, 12)
        assert set(found["texts"].values()) == {"One last."}


def test_what_two_put_alike_is_stored_once(postgres_url, postgres_server, postgres_database):
    entries = [make_entry(f"d{i}", f"One of {i}. Two of {i}.") for i in range(40)]
    barrier = threading.Barrier(4, timeout=20)

    def write():
        with open_store(postgres_url) as store:
            namespace = store.create(INFO)
            barrier.wait()
            return namespace.put(entries)

    with ThreadPoolExecutor(4) as pool:
        revisions = [done.result() for done in [pool.submit(write) for _ in range(4)]]
    assert revisions == [1, 1, 1, 1]
    with postgres_server.connect(postgres_database) as raw:
        chunks = sum(len(entry.columns) for entry in entries)
        assert counts(raw) == [40, 40, 40, chunks, chunks]
        held = raw.execute("SELECT chunks FROM seamline.namespace").fetchone()[0]
        assert held == chunks


def test_what_is_replaced_and_removed_leaves_no_row(store, raw):
    namespace = store.create(INFO)
    for text in ("One. Two.", "Three one.", "Four."):
        namespace.put([make_entry("a", text), make_entry("b", text, tenant="t")], keep_versions=1)
    assert namespace.remove("", ["a"]) == 1
    assert counts(raw)[:3] == [2, 2, 2]
    assert namespace.remove("t", ["b"]) == 1
    assert counts(raw) == [0, 0, 0, 0, 0]
    assert raw.execute("SELECT chunks FROM seamline.namespace").fetchone() == (0,)


KILLED = """
import sys
from seamline.store import open_store
from seamline.testing.stores import INFO, make_entry
namespace = open_store(sys.argv[1]).create(INFO)
for i in range(100_000):
    namespace.put([make_entry(f"{i}-{j}", "One. Two three four five six seven. " * 5) for j in range(4)])
    print(i, flush=True)
"""


@pytest.mark.parametrize("after", [0, 3])
def test_a_killed_writer_leaves_whole_documents(
    postgres_url, postgres_server, postgres_database, after
):
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, postgres_url], stdout=subprocess.PIPE, text=True
    ) as writer:
        for _ in range(after + 1):
            last = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        rest = writer.stdout.read().split()
    last = int(rest[-1]) if rest else last
    with open_store(postgres_url) as store:
        namespace = store.open(INFO.name)
        names = {name.partition("-")[0] for name in namespace.doc_ids("")}
        # What was said to be stored is; what was on its way when it died may be.
        assert {str(i) for i in range(last + 1)} <= names <= {str(i) for i in range(last + 2)}
        totals = seen(namespace, Reader())["totals"]
        assert totals[0] == 4 * len(names)
        with postgres_server.connect(postgres_database) as raw:
            assert counts(raw) == [totals[0], totals[0], totals[0], totals[1], totals[1]]


def test_a_process_that_is_forked_off_has_its_own_connection(store):
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One.")])
    child = os.fork()
    if not child:
        ok = seen(namespace, Reader())["totals"] == (1, 1)
        os._exit(0 if ok else 1)
    assert os.waitpid(child, 0)[1] == 0
    namespace.put([make_entry("b", "One.")])
    assert seen(namespace, Reader())["totals"] == (2, 2)


def test_a_view_is_of_no_use_once_reading_has_ended(store):
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One.")])
    with namespace.read(Reader()) as view:
        scope = view.scope()
    number = scope.document.tolist()[0]
    for ask in (lambda: scope.dense(vector_of("One.")), lambda: view.held([number])):
        assert "reading has ended" in told(ask)


def test_a_thread_may_write_while_it_reads(store):
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One.")])
    with namespace.read(Reader()) as view:
        namespace.put([make_entry("b", "One.")])
        assert view.count().documents == 1


def test_who_writes_into_a_namespace_that_was_dropped_is_told(postgres_url, store):
    namespace = store.create(INFO)
    with open_store(postgres_url) as other:
        assert other.drop(INFO.name)
    assert "dropped" in told(lambda: namespace.put([make_entry("a", "One.")]))
    assert "dropped" in told(lambda: namespace.remove("", ["a"]))
    assert "dropped" in told(lambda: seen(namespace, Reader()))
    store.create(INFO).put([make_entry("a", "One.")])
    assert seen(store.open(INFO.name), Reader())["totals"] == (1, 1)


def test_who_only_looks_makes_no_tables(postgres_url, postgres_server, postgres_database):
    with pytest.raises(MissingInput):
        open_store(postgres_url, create=False)
    with postgres_server.connect(postgres_database) as raw:
        assert raw.execute("SELECT to_regnamespace('seamline')").fetchone() == (None,)
    open_store(postgres_url).close()
    open_store(postgres_url, create=False).close()


def test_it_says_what_it_takes_on_disk(store):
    namespace = store.create(INFO)
    before = namespace.n_bytes
    namespace.put([make_entry(f"d{i}", "One two three. " * 100) for i in range(20)])
    assert namespace.n_bytes > before > 0


def test_conditions_that_are_equal_in_python_are_told_apart(store):
    namespace = store.create(INFO)
    namespace.put([make_entry(f"d{x}", "One.", metadata={"x": x}) for x in (1, True)])
    for value, name in ((1, "d1"), (True, "dTrue"), (1.0, "d1")):
        assert set(seen(namespace, Reader(where=key("x") == value))["texts"]) == {(name, 0)}
