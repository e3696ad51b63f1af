"""What a process remembers of a namespace; documents never change, so it never grows stale."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from seamline.store.postgres.gathered import Gathered, Laid
from seamline.store.values import Reader

__all__ = ["Known", "Lru", "key_of"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_DOCUMENT_BYTES = 256 << 20
_SCOPE_BYTES = 128 << 20
_READERS = 64
_SAMPLES = 8  # about 25 MB each


class Lru(Generic[K, V]):
    """What was used last, as long as it is together at most `most`; safe for many threads."""

    def __init__(self, most: int, size: Callable[[V], int] = lambda _: 1) -> None:
        self._most, self._size = most, size
        self._items: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._total = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        """What was kept under a key."""
        with self._lock:
            if key not in self._items:
                return None
            self._items.move_to_end(key)
            return self._items[key][0]

    def put(self, key: K, value: V) -> V:
        """Keep a value; the last one stays, however large."""
        size = self._size(value)
        with self._lock:
            if key in self._items:
                self._total -= self._items.pop(key)[1]
            self._items[key] = value, size
            self._total += size
            while self._total > self._most and len(self._items) > 1:
                _, (_, old) = self._items.popitem(last=False)
                self._total -= old
        return value


class Known:
    """Columns by document; `documents`, `totals` and `samples` by reader; `scopes` by documents."""

    def __init__(self) -> None:
        self.laid: Lru[int, Laid] = Lru(_DOCUMENT_BYTES, lambda laid: laid.nbytes)
        self.scopes: Lru[bytes, Gathered] = Lru(_SCOPE_BYTES, lambda scope: scope.nbytes)
        self.documents: Lru[Any, Any] = Lru(_READERS)
        self.totals: Lru[Any, Any] = Lru(_READERS)
        self.samples: Lru[Any, Any] = Lru(_SAMPLES)


def key_of(reader: Reader, as_of: int | None) -> tuple[Reader, str]:
    """What tells a reader at a revision from others.

    Conditions go by what they say: as values, those with 1 and with true are equal.
    """
    return replace(reader, where=None, as_of=as_of), repr(reader.where)
