"""Documents that are ingested again whenever their files change."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from seamline.errors import SeamlineError
from seamline.ingest.batch import Summary
from seamline.ingest.run import File, Ingest
from seamline.parse import Skipped, find_files

__all__ = ["watch"]

_SECONDS = 1.0

State = dict[str, tuple[int, int]]


def watch(
    ingest: Ingest,
    paths: Sequence[str | Path],
    *,
    prune: bool,
    skipped: list[Skipped],
    wait: Callable[[float], object] = time.sleep,
) -> Iterator[Summary]:
    """After each change of files under `paths` what was done about it, without end.

    A file counts as changed when its size or time of change does; looked at every second, all
    of them at first, so nothing that was changed before is missed. Files that are gone are
    removed with `prune` only, and never while no file is there at all: that is a folder being
    moved, or a disk that is not mounted.
    """
    last: State = {}
    while True:
        wait(_SECONDS)
        files, notes = _look(paths)
        now = _state(files)
        changed = [file for file in files if last.get(file[1]) != now.get(file[1])]
        gone = prune and not last.keys() <= now.keys()
        if now and (changed or gone):
            done = ingest.run(changed, skipped=skipped)
            if gone:
                done.removed = ingest.prune([name for _, name in files], notes)
                done.revision = ingest.namespace.put([])
            if done.new or done.changed or done.removed or done.skipped:
                yield done
        last = now or last


def _look(paths: Sequence[str | Path]) -> tuple[list[File], list[Skipped]]:
    """The files that are there and those that were skipped; none while a path is not there."""
    notes: list[Skipped] = []
    try:
        return find_files(paths, skipped=notes), notes
    except SeamlineError:
        return [], notes


def _state(files: Sequence[File]) -> State:
    found: State = {}
    for path, name in files:
        try:
            stat = path.stat()
        except OSError:
            continue
        found[name] = stat.st_mtime_ns, stat.st_size
    return found
