"""Documents that are ingested again whenever their files change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from seamline.ingest.run import File, Ingest, Summary
from seamline.parse import Skipped, find_files

__all__ = ["watch"]

_SECONDS = 1.0

State = dict[str, tuple[Path, int, int]]


def watch(
    ingest: Ingest,
    paths: Sequence[str | Path],
    *,
    prune: bool,
    skipped: list[Skipped],
    wait: Callable[[float], object] = time.sleep,
) -> Iterator[Summary]:
    """After each change of files under `paths` what was done about it, without end.

    A file counts as changed when its size or time of change does; looked at every second.
    Files that are gone are removed with `prune` only.
    """
    last = _state(paths)
    while True:
        wait(_SECONDS)
        now = _state(paths)
        changed: list[File] = [(one[0], name) for name, one in now.items() if last.get(name) != one]
        gone = [name for name in last if name not in now]
        if changed or (gone and prune):
            done = ingest.run(changed, paths, skipped=skipped)
            if gone and prune:
                namespace, tenant = ingest.namespace, ingest.labels.tenant
                done.removed = namespace.remove(tenant, gone, keep_versions=ingest.keep_versions)
            yield done
        last = now


def _state(paths: Sequence[str | Path]) -> State:
    found: State = {}
    for path, name in find_files(paths, skipped=[]):
        try:
            stat = path.stat()
        except OSError:
            continue
        found[name] = path, stat.st_mtime_ns, stat.st_size
    return found
