"""What Ctrl-C and SIGTERM do: everything is undone, within two seconds whatever threads wait for.

An exception alone would not do: it cannot leave a pool of threads before each of
them has its answer, and a server may take minutes to give one.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
from pathlib import Path
from types import FrameType

from seamline.cli.early import INTERRUPTED, leave

__all__ = ["INTERRUPTED", "PARTIAL", "discard", "stopped_by", "tell", "watch"]

TERMINATED = 143
PARTIAL: set[Path] = set()
"""Files and folders that are being written: none of them may stay when the command ends."""

_GRACE_SECONDS = 2.0
_codes: list[int] = []
_told = threading.Event()


def watch() -> None:
    """From now on SIGINT and SIGTERM stop the command; an ignored SIGINT stays ignored."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, leave):
        signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)


def discard() -> None:
    """Remove what is not whole."""
    for path in list(PARTIAL):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        PARTIAL.discard(path)


def _stop(number: int, _frame: FrameType | None) -> None:
    code = INTERRUPTED if number == signal.SIGINT else TERMINATED
    if _codes:
        _leave(code)
    _codes.append(code)
    timer = threading.Timer(_GRACE_SECONDS, _leave, (code,))
    timer.daemon = True
    timer.start()
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(code)


def stopped_by() -> int:
    """The exit code that the first of the signals asked for; 0 if there was none.

    What they raise may arrive as another error: imports and compiled code turn it into one.
    """
    return _codes[0] if _codes else 0


def tell() -> None:
    """Say on stderr that the command was interrupted, once."""
    if not _told.is_set():
        _told.set()
        sys.stderr.write("interrupted\n")
        sys.stderr.flush()


def _leave(code: int) -> None:
    discard()
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K\x1b[?25h")  # wipe the progress bar, show the cursor
    if code == INTERRUPTED:
        tell()
    os._exit(code)
