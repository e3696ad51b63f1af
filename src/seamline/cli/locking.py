"""Locks of files and folders that end with the process that holds them, however it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from seamline.cli.stopping import PARTIAL
from seamline.errors import InvalidConfig

__all__ = ["alone", "hold", "release"]


def hold(path: Path) -> int | None:
    """A handle that holds a file or folder until it is released; None where that cannot be.

    That is where folders cannot be locked (Windows, some network drives).

    Raises:
        BlockingIOError: somebody holds it.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise
    except OSError:  # no locks here
        os.close(handle)
        return None
    return handle


def release(handle: int | None) -> None:
    """Let go of what `hold` gave."""
    if handle is not None:
        os.close(handle)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """A block in which no other command adds to the file at `path`, which need not be there.

    Held is a file beside it, `.NAME.lock`, since the file itself is replaced by another.

    Raises:
        InvalidConfig: another one does.
    """
    target = Path(os.path.realpath(path))
    if not target.parent.is_dir() or (target.exists() and not target.is_file()):
        yield  # no file that could be replaced
        return
    beside = target.with_name(f".{target.name}.lock")
    handle = _opened(beside, path)
    try:
        if not _locked(handle) or not _is(beside, handle):
            raise InvalidConfig(
                f"{path} must be written by one command at a time, but another `seamline golden` "
                "is at it: run this one when that is done"
            )
        PARTIAL.add(beside)
        try:
            yield
        finally:
            with suppress(OSError):  # Windows removes no file that is open
                beside.unlink()
            PARTIAL.discard(beside)
    finally:
        os.close(handle)


def _opened(beside: Path, path: Path) -> int:
    try:
        return os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        error.filename = str(path)
        raise


def _locked(handle: int) -> bool:
    """Whether a file is held now, by this process."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is(path: Path, handle: int) -> bool:
    """Whether a file is the one that lies there still: who held it before removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except OSError:
        return False
