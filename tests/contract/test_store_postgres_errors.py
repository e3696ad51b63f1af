"""What PostgreSQL refuses, and whether the error says what to do without the password."""

import subprocess
import sys

import pytest

from seamline.errors import InvalidConfig, MissingExtra, StoreError
from seamline.store import Reader, key, open_store
from seamline.store.postgres import link
from seamline.testing.stores import INFO, make_entry, seen

pytest_plugins = ["postgres_server"]

SECRET = "s3cr3t@/:?"


@pytest.fixture
def store(postgres_url):
    with open_store(postgres_url) as store:
        yield store


@pytest.fixture
def raw(postgres_server, postgres_database, store):
    """A plain connection to the database of `store`."""
    with postgres_server.connect(postgres_database) as connection:
        yield connection


def told(work, kind=StoreError):
    with pytest.raises(kind) as caught:
        work()
    assert SECRET not in repr(caught.value)
    assert "s3cr3t" not in str(caught.value)
    return str(caught.value)


def test_tables_of_a_later_version_are_left_alone(postgres_url, store, raw):
    raw.execute("INSERT INTO seamline.migration (version) VALUES (99)")
    assert "newer seamline" in told(lambda: open_store(postgres_url))
    assert raw.execute("SELECT max(version) FROM seamline.migration").fetchone() == (99,)


def test_an_old_pgvector_is_refused(postgres_url, store, raw):
    raw.execute("UPDATE pg_extension SET extversion = '0.8.3' WHERE extname = 'vector'")
    try:
        assert "ALTER EXTENSION vector UPDATE" in told(lambda: open_store(postgres_url))
    finally:
        raw.execute("UPDATE pg_extension SET extversion = '0.8.6' WHERE extname = 'vector'")


def test_who_may_not_do_what_is_needed_is_told_what(postgres_server, postgres_database):
    name = f"guest_{postgres_database}"
    with postgres_server.connect() as raw:
        raw.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        raw.execute(f"DROP ROLE IF EXISTS {name}")
        raw.execute(f"CREATE ROLE {name} LOGIN")
        raw.execute(f"CREATE DATABASE {name}")
    url = postgres_server.url(name, name)
    assert "CREATE EXTENSION vector" in told(lambda: open_store(url))
    with postgres_server.connect(name) as raw:
        raw.execute("CREATE EXTENSION vector")
    assert "GRANT CREATE ON DATABASE" in told(lambda: open_store(url))
    open_store(postgres_server.url(name)).close()
    assert "permission" in told(lambda: open_store(url))
    with postgres_server.connect() as raw:
        raw.execute(f"DROP DATABASE {name} WITH (FORCE)")
        raw.execute(f"DROP ROLE {name}")


def test_where_it_cannot_connect_it_says_why(postgres_server, postgres_database, tmp_path):
    from urllib.parse import quote

    host = postgres_server.folder
    with postgres_server.connect() as raw:
        raw.execute(
            "DO $$ BEGIN CREATE ROLE locked LOGIN PASSWORD 'other'; "
            "EXCEPTION WHEN duplicate_object THEN NULL; END $$"
        )
    secret = quote(SECRET, safe="")
    wrong = f"postgresql://locked:{secret}@/{postgres_database}?host={host}"
    assert "user and password must be right" in told(lambda: open_store(wrong))
    none = f"postgres://locked@/{postgres_database}?host={host}"
    assert "password" in told(lambda: open_store(none))
    missing = f"postgresql://postgres:{secret}@/nowhere?host={host}"
    assert "create them" in told(lambda: open_store(missing))
    down = f"postgresql://postgres:{secret}@/x?host={tmp_path}"
    assert "start the server" in told(lambda: open_store(down))
    for odd in (f"postgresql://u:{SECRET}@[::/x", f"postgresql://u@h/x?nonsense={secret}"):
        assert "must be like" in told(lambda odd=odd: open_store(odd), InvalidConfig)


@pytest.mark.parametrize(
    ("more", "shown"),
    [
        ("", "postgresql://postgres@/{name}?host={folder}"),
        ("&password=s3cr3t", "postgresql://postgres@/{name}?host={folder}"),
        (
            "&port=5432&sslmode=disable",
            "postgresql://postgres@/{name}?host={folder}&port=5432&sslmode=disable",
        ),
    ],
)
def test_its_url_opens_it_again_without_the_password(
    postgres_server, postgres_database, postgres_url, more, shown
):
    with open_store(postgres_url + more) as store:
        assert store.url == shown.format(name=postgres_database, folder=postgres_server.folder)
        with open_store(store.url) as again:
            assert again.url == store.url


def test_a_url_with_host_and_port_hides_the_password_too():
    from seamline.store.postgres.link import Link

    link = Link("postgres://me:s3cr3t@db.example:6543/docs?application_name=a%20b")
    assert link.url == "postgresql://me@db.example:6543/docs?application_name=a+b"
    assert Link(link.url.replace("+", "%20")).url == link.url


def test_a_server_that_stops_is_named_and_found_again_when_it_is_back(own_postgres):
    server = own_postgres
    with open_store(server.url("postgres")) as store:
        namespace = store.create(INFO)
        namespace.put([make_entry("a", "One two.")])

        def lose():
            with namespace.read(Reader()) as view:
                view.count()
                server.stop()
                view.held([1])

        assert "server" in told(lose)
        assert "start the server" in told(lambda: seen(namespace, Reader()))
        assert "start the server" in told(lambda: namespace.put([make_entry("b", "One.")]))
        server.start()
        assert seen(namespace, Reader())["totals"] == (1, 1)
        server.stop()
        server.start()
        namespace.put([make_entry("b", "One.")])
        assert seen(namespace, Reader())["totals"] == (2, 2)


def test_the_extra_is_named_where_psycopg_is_missing():
    code = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from seamline.store import open_store\n"
        "open_store('postgresql://me@h/x')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"{MissingExtra.__name__}: a PostgreSQL store needs psycopg" in done.stderr
    assert "pip install 'seamline[postgres]'" in done.stderr


def test_text_that_is_gone_is_said(store, raw):
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One. Two.")])
    raw.execute(f"TRUNCATE seamline.page_{namespace_key(raw)}")
    assert "must be whole" in told(lambda: seen(namespace, Reader()))


@pytest.mark.parametrize("table", ["word", "chunk", "content", "document"])
def test_a_namespace_without_one_of_its_tables_can_be_dropped(store, raw, table):
    store.create(INFO).put([make_entry("a", "One.")])
    raw.execute(f"DROP TABLE seamline.{table}_{namespace_key(raw)} CASCADE")
    assert "drop it" in told(lambda: store.open(INFO.name).put([make_entry("b", "Two.")]))
    assert store.drop(INFO.name)
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One.")])
    assert seen(namespace, Reader())["totals"] == (1, 1)


def test_a_schema_of_somebody_else_is_left_alone(postgres_server, postgres_database):
    name = f"other_{postgres_database}"
    with postgres_server.connect() as raw:
        raw.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        raw.execute(f"CREATE DATABASE {name}")
    with postgres_server.connect(name) as raw:
        raw.execute("CREATE SCHEMA seamline")
        raw.execute("CREATE TABLE seamline.namespace (id int)")
        assert "another database" in told(lambda: open_store(postgres_server.url(name)))
        assert raw.execute("SELECT count(*) FROM seamline.namespace").fetchone() == (0,)


def test_a_condition_has_as_many_values_as_it_likes(store):
    namespace = store.create(INFO)
    namespace.put([make_entry("a", "One.", metadata={"n": 3}), make_entry("b", "Two.")])
    for where in (
        key("id").one_of([*map(str, range(100_000)), "a"]),
        key("n").one_of(range(1, 70_000)),
        key("version").one_of([1, 2]) & key("id").one_of(["a", 7]),
    ):
        assert seen(namespace, Reader(where=where))["totals"] == (1, 1)


def test_who_waits_for_a_lock_is_told_in_the_end(store, raw, monkeypatch):
    namespace = store.create(INFO)
    monkeypatch.setattr(link, "LOCK_SECONDS", 1)
    with raw.transaction():
        raw.execute("LOCK TABLE seamline.namespace")
        assert "locked" in told(lambda: seen(namespace, Reader()))


def namespace_key(raw):
    return raw.execute("SELECT max(id) FROM seamline.namespace").fetchone()[0]
