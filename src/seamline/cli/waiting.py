"""That a command is at work where nobody can say how far: a moving sign on stderr."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["waiting"]

_PATIENCE_SECONDS = 0.5


@contextmanager
def waiting(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show `what` on a terminal from half a second on, until the block ends; nothing if `quiet`."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    shown: list[Any] = []
    timer = threading.Timer(_PATIENCE_SECONDS, lambda: shown.append(_sign(what)))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        for sign in shown:
            sign.stop()


def _sign(what: str) -> Any:
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    console = Console(stderr=True)
    sign = Progress(*columns, console=console, transient=True, redirect_stdout=False)
    sign.add_task(what, total=None)
    sign.start()
    return sign
