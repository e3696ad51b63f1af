"""Stores: where documents that are cut and embedded lie, and are searched."""

from __future__ import annotations

from seamline.errors import InvalidConfig, MissingInput
from seamline.registry import Registry
from seamline.store.base import Namespace, Store
from seamline.store.values import Entry, NamespaceInfo, Reader
from seamline.store.where import Where, key, parse_where

__all__ = [
    "STORES",
    "Entry",
    "Namespace",
    "NamespaceInfo",
    "Reader",
    "Store",
    "Where",
    "key",
    "open_store",
    "parse_where",
]

STORES = Registry(
    "store",
    "seamline.stores",
    {
        "memory": "seamline.store.memory:MemoryStore",
        "postgresql": "seamline.store.postgres.store:PostgresStore",
        "sqlite": "seamline.store.sqlite.store:SqliteStore",
    },
)


def open_store(url: str, *, create: bool = True) -> Store:
    """The store at a URL: `sqlite:///index.db`, `postgresql://user@host/database`, `memory://`.

    A path after `sqlite:///` is relative, unless a fourth slash follows. A file that is not
    there is made, unless `create` is False.

    Raises:
        MissingInput: there is no such file, and none is to be made.
        UnknownName: no store of that kind.
        InvalidConfig: it is no URL.
        StoreError: it cannot be reached or opened.

    Example:
        >>> open_store("memory://").namespaces()
        []
    """
    if "://" not in url:
        hint = f": did you mean sqlite:///{url}?" if url else ""
        raise InvalidConfig(f"a store must be a URL like sqlite:///index.db, got {url!r}{hint}")
    scheme = url.partition("://")[0]
    name = {"postgres": "postgresql"}.get(scheme, scheme)
    kind = STORES.get(name)
    if not create and not getattr(kind, "is_there", bool)(url):
        raise MissingInput(f"no index at {url!r}: `seamline ingest` makes one, or check the path")
    store: Store = kind(url)
    return store
