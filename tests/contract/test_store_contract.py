"""Every store keeps every law."""

import pytest

from seamline.store import open_store
from seamline.testing.stores import CHECKS, with_store

pytest_plugins = ["postgres_server"]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request, tmp_path):
    urls = {"memory": "memory://", "sqlite": f"sqlite:///{tmp_path}/index.db"}
    url = urls.get(request.param) or request.getfixturevalue("postgres_url")
    return lambda: open_store(url)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_a_store_keeps_the_law(make, check):
    with_store(make, check)
