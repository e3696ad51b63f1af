"""Rows that are measured, kept on disk: what a sweep that was stopped takes over."""

from __future__ import annotations

import hashlib
import json
import re
import time
import warnings
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import numpy as np

import seamline
from seamline.bench.chunked import Row
from seamline.bench.corpus import Corpus
from seamline.bench.plan import Plan
from seamline.bench.results import canonical, write_atomically
from seamline.bench.score import Values

__all__ = ["FOLDER", "Kept", "common_key"]

FOLDER = "sweeps"
_MOST_BYTES = 256 << 20
_STALE_SECONDS = 86_400.0
_MEASURING = (".", "bench", "embed", "measure", "parse", "retrieve", "sizers", "split")
_SETTINGS = ("k", "budgets", "scope", "threshold", "separator", "identical", "measures")
_TOKENIZER = re.compile(r"""[^=,()\[\]"']+\.json""")


@dataclass(slots=True)
class Kept:
    """Measured configurations in `folder`, a file each, named by a digest of all that counts.

    `common` is the digest of what all of them share. A file that is damaged is as good
    as none; a folder that cannot be written warns once and keeps nothing. `folder` is
    None where nothing is to be kept.
    """

    folder: Path | None
    common: str
    _broken: bool = field(default=False, init=False)

    def get(self, name: str) -> tuple[Row, dict[str, Values], Row] | None:
        """The row, the values (float64[q]) and the timings of a configuration, if it is there."""
        path = self._path(name)
        if path is None:
            return None
        try:
            held = json.loads(zlib.decompress(path.read_bytes()))
        except (OSError, ValueError, zlib.error):  # zlib finds what is damaged by a checksum
            return None
        with suppress(OSError):
            path.touch()
        row = held["row"]
        row["chunks"] = {doc_id: _spans(spans) for doc_id, spans in row["chunks"].items()}
        values = {key: np.array(own, np.float64) for key, own in held["values"].items()}
        return row, values, held["timings"]

    def put(self, name: str, row: Row, values: Mapping[str, Values], timings: Row) -> None:
        """Keep a configuration's row without intervals, whole or not at all."""
        path = self._path(name)
        if path is None or self._broken:
            return
        exact = {key: own.tolist() for key, own in values.items()}
        held = {"row": canonical(row), "values": exact, "timings": timings}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, zlib.compress(json.dumps(held).encode(), 1))
        except OSError as error:
            self._broken = True
            warnings.warn(
                f"measured rows cannot be kept in {path.parent} ({error}): a sweep that is "
                "stopped begins anew; set SEAMLINE_CACHE_DIR to a folder that can be written",
                RuntimeWarning,
                stacklevel=2,
            )

    def prune(self, most: int = _MOST_BYTES) -> None:
        """Remove what was not used for longest until at most `most` bytes are left."""
        room, now = most, time.time()
        for path, size, used in self._files():
            room -= size
            partial = path.name.startswith(".")
            if room < 0 or (partial and now - used > _STALE_SECONDS):
                with suppress(OSError):  # another sweep's folder, say: not worth an error
                    path.unlink(missing_ok=True)

    def _files(self) -> list[tuple[Path, int, float]]:
        """Path, bytes and last use of each file, the one used last first."""
        found = []
        for path in self.folder.glob("*") if self.folder else ():
            try:
                state = path.stat()
            except FileNotFoundError:  # another sweep removed it
                continue
            found.append((path, state.st_size, state.st_mtime))
        return sorted(found, key=lambda one: -one[2])

    def _path(self, name: str) -> Path | None:
        if self.folder is None:
            return None
        files = [_file_digest(path) for path in sorted(set(_TOKENIZER.findall(name)))]
        return self.folder / f"{_digest([self.common, name, files])}.z"


def _spans(spans: list[list[int]]) -> Any:
    return np.array(spans, np.int64).reshape(-1, 2)


def common_key(plan: Plan, corpus: Corpus) -> str:
    """The digest of what every row of a run rests on.

    Documents with their blocks, questions, settings, tokenizer, embedder, and the code that
    measures with the packages it needs.
    """
    embedder = plan.embedder.cached
    return _digest(
        [
            [_document(one) for one in corpus.documents],
            [repr(one) for one in corpus.questions],
            {key: getattr(plan.config, key) for key in _SETTINGS},
            plan.sizer.name,
            _file_digest(plan.sizer.name),
            embedder.fingerprint,
            getattr(embedder.embedder, "runtime", ""),
            _code(),
        ]
    )


def _document(document: Any) -> list[str]:
    seen = repr((document.blocks, sorted(document.metadata.items())))
    return [document.id, document.digest, document.media_type, _hashed([seen.encode()])]


@cache
def _code() -> str:
    """The digest of the source that parses, cuts and measures, and of the packages it needs."""
    home = Path(seamline.__file__).parent
    folders = [home / name for name in _MEASURING]
    sources = (path.read_bytes() for folder in folders for path in sorted(folder.glob("*.py")))
    return _digest([version("seamline"), _hashed(sources), *_versions()])


def _versions() -> list[str]:
    names = [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in requires("seamline") or ()]
    found = []
    for name in sorted(set(names)):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return found


def _file_digest(path: str) -> str:
    try:
        return _hashed([Path(path.strip()).read_bytes()])
    except (OSError, ValueError):  # a name, not a path
        return ""


def _digest(value: Any) -> str:
    return _hashed([json.dumps(value, sort_keys=True).encode()])


def _hashed(parts: Iterable[bytes]) -> str:
    digest = hashlib.blake2b(digest_size=20)
    for part in parts:
        digest.update(part)
    return digest.hexdigest()
