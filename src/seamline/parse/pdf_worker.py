"""The process in which PDFium reads the files of a folder: `python -m seamline.parse.pdf_worker`.

It answers each pickled (data, source, limits) on stdin with a pickled document or error on
stdout, and ends itself where a file takes too long or too much memory.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import signal
import sys
import threading
from pathlib import Path
from typing import BinaryIO

from seamline.errors import InvalidDocument
from seamline.parse.pdf import PdfParser
from seamline.parse.pdf_apart import READY

__all__ = ["main", "serve"]

_LATE = 1.0  # seconds after the limit until a page that does not end is given up
_MEMORY = 4 << 30


def main() -> None:
    """Serve stdin until it ends; what PDFium itself prints goes to stderr.

    Ctrl-C ends it at once: Python would wait for PDFium to come back.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _bound_memory()
    answers.write(READY)
    answers.flush()
    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


def serve(questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer every file on `questions`, one at a time."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        while True:
            try:
                data, source, limits = pickle.load(questions)  # noqa: S301 - from our own parent
            except EOFError:
                return
            seconds = min(limits.max_seconds + _LATE, threading.TIMEOUT_MAX)
            faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
            answer: object
            try:
                answer = PdfParser(limits=limits).parse(data, source)
            except MemoryError:
                answer = InvalidDocument(f"{source} must need less memory: split the file")
            except Exception as error:  # noqa: BLE001 - it is raised again where it was asked for
                answer = error
            faulthandler.cancel_dump_traceback_later()
            pickle.dump(answer, answers)
            answers.flush()


def _bound_memory() -> None:
    """Let a page that unfolds without end fail, rather than fill the machine."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, hard))


if __name__ == "__main__":
    main()
