"""Files that are written whole or not at all, each beside its place and with the mode it had."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EISDIR, ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from tempfile import mkdtemp
from typing import IO

from seamline.cli.locking import hold, release
from seamline.cli.stopping import PARTIAL

__all__ = ["staged", "whole_file"]

_MADE, _HELD = ".seamline-new.", ".seamline."


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A file to write that becomes `path` when the block ends well, else is gone.

    It keeps the mode of a file that is there. What is no regular file (a pipe,
    /dev/stdout) is written as it comes.
    """
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if path.exists() and not path.is_file():
        try:
            with path.open("w", encoding="utf-8", newline="\n") as file:
                yield file
        except OSError as error:
            _call(error, path, path)
            raise
        return
    target = _target(path)
    with _workplace(target.parent, path) as folder:
        partial = folder / target.name
        try:
            with partial.open("w", encoding="utf-8", newline="\n") as file:
                yield file
            _move(partial, target)
        except OSError as error:
            _call(error, path, folder)
            raise


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """An empty folder whose files move into `folder` when the block ends well, else are gone.

    It is made at once, so that a place where nothing can be written is found
    before the work, not after it. Files that are there keep their modes.
    """
    base = next(path for path in (folder, *folder.parents) if path.exists())
    broken = folder.is_symlink() and not folder.exists()
    if broken or not base.is_dir():
        raise NotADirectoryError(ENOTDIR, "must be a folder", str(folder if broken else base))
    with _workplace(base, folder) as partial:
        try:
            yield partial
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(partial.iterdir()):
                _move(path, folder / path.name)
        except OSError as error:
            _call(error, folder, partial)
            raise


def _target(path: Path) -> Path:
    """The file that a path stands for, which need not be there, in a folder that is."""
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, "its folder must exist", str(path))
    try:
        path.stat()
    except OSError as error:
        if error.errno == ELOOP:
            raise
    return Path(os.path.realpath(path))


def _move(partial: Path, target: Path) -> None:
    """Put a finished file into its place; a file that is there gives it its mode."""
    with suppress(FileNotFoundError):
        shutil.copymode(target, partial)
    partial.replace(target)


@contextmanager
def _workplace(base: Path, called: Path) -> Iterator[Path]:
    """A folder of its own in `base`, gone when the block ends; errors call it `called`.

    As long as it is there it is held by a lock, which ends with the process however
    that ends: what is not held was left behind, and is removed. It gets the name
    that is looked for only when it is held.
    """
    try:
        made = Path(mkdtemp(prefix=_MADE, dir=base))
        held = hold(made)
        folder = made.rename(made.with_name(made.name.replace(_MADE, _HELD, 1)))
    except OSError as error:
        error.filename, error.filename2 = str(called), None
        raise
    PARTIAL.add(folder)
    try:
        yield folder
        _sweep(base)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        PARTIAL.discard(folder)
        release(held)


def _sweep(base: Path) -> None:
    """Remove the folders that killed commands left in `base`."""
    for folder in base.glob(f"{_HELD}*"):
        if folder.is_symlink() or not folder.is_dir():
            continue
        with suppress(OSError):
            held = hold(folder)
            if held is not None:
                shutil.rmtree(folder, ignore_errors=True)
                release(held)


def _call(error: OSError, path: Path, partial: Path) -> None:
    """Make a failed write name `path`, as the user does, not the file beside it."""
    own = error.filename is None or str(error.filename).startswith(str(partial))
    if error.errno is not None and own:
        error.filename, error.filename2 = str(path), None
