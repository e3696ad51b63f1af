"""What every test stands on: Hypothesis profiles, no network, the development data."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

settings.register_profile("dev", deadline=None, max_examples=50)
settings.register_profile("deep", deadline=None, max_examples=1000)
settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


def _is_here(sock, address):
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return True
    host = address[0]
    return host in ("localhost", "::1") or host.startswith("127.")


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    """A test that reaches for another machine fails, and says where it reached."""

    def guarded(name):
        connect = getattr(socket.socket, name)

        def only_loopback(self, address):
            if not _is_here(self, address):
                pytest.fail(f"a test must not use the network, but connects to {address}")
            return connect(self, address)

        return only_loopback

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, guarded(name))


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Tests never read or fill the user's cache; subprocesses inherit this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEAMLINE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def root():
    """The repository's folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared():
    """The development data beside the repository; tests that need it skip without it."""
    if not SHARED.is_dir():
        pytest.skip("the development data is not there: no folder 'shared' beside the repository")
    return SHARED


@pytest.fixture(scope="session")
def data_set(shared):
    """The path of a golden set of the development data, by name: `data_set("techdocs")`."""

    def find(name):
        path = shared / "data" / name
        if not path.is_dir():
            pytest.skip(f"the development data holds no set {name!r}")
        return path

    return find
