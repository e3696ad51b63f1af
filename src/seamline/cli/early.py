"""Ctrl-C while the command is still being loaded, when there is nothing to undo."""

from __future__ import annotations

import os
import signal

__all__ = ["INTERRUPTED", "leave", "watch_early"]

INTERRUPTED = 130


def watch_early() -> None:
    """From now on Ctrl-C ends the process at once; an ignored one stays ignored.

    An exception would not do: imports turn it into other ones.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        try:
            signal.signal(signal.SIGINT, leave)
        except ValueError:
            return  # only the main thread may, and only it gets Ctrl-C


def leave(*_: object) -> None:
    """End the process as interrupted."""
    try:
        os.write(2, b"interrupted\n")
    finally:
        os._exit(INTERRUPTED)
