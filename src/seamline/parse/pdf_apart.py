"""PDF files read in another process, so that none can hang, crash or fill this one."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from types import TracebackType
from typing import Self

from seamline.errors import InvalidDocument
from seamline.parse.limits import LIMITS, Limits
from seamline.parse.pdf import PdfParser
from seamline.types import Document

__all__ = ["READY", "PdfApart"]

READY = b"\1"
_END = 5.0  # seconds that a process has to end once it gives no answer


class PdfApart:
    """Reads PDF files one at a time in one process, which starts with the first of them.

    A time limit holds inside a page too. Where no process can be started, files are
    read here. It guards against files that break PDFium, not against those that are
    made to take it over.

    Example:
        >>> with PdfApart() as apart:
        ...     try:
        ...         apart.parse(b"text", "a.pdf")
        ...     except InvalidDocument as error:
        ...         print(str(error).partition(":")[0])
        a.pdf must be a PDF file, but begins with 74 65 78 74
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._is_here = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def parse(self, data: bytes, source: str, limits: Limits = LIMITS) -> Document:
        """The document, as `PdfParser.parse` gives it.

        Raises:
            InvalidDocument: as there, or PDFium takes too long, crashes or wants too
                much memory.
        """
        process = self._started()
        if process is None:
            return PdfParser(limits=limits).parse(data, source)
        began = time.monotonic()
        try:
            answer = _ask(process, (data, source, limits))
        except (OSError, EOFError, pickle.UnpicklingError):
            is_late = time.monotonic() - began >= limits.max_seconds
            code = _ended(process)
            raise InvalidDocument(_why(source, limits, None if is_late else code)) from None
        except BaseException:
            process.kill()
            raise
        if isinstance(answer, Document):
            return answer
        raise answer

    def _started(self) -> subprocess.Popen[bytes] | None:
        if self._process and self._process.poll() is None:
            return self._process
        self._stop()
        if not self._is_here:
            self._process = _start()
            self._is_here = self._process is None
        return self._process

    def _stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _start() -> subprocess.Popen[bytes] | None:
    """A process that is ready to read; None where there can be none."""
    if not sys.executable or getattr(sys, "frozen", False):
        return None
    command = [sys.executable, "-P", "-m", "seamline.parse.pdf_worker"]
    try:
        process = subprocess.Popen(  # noqa: S603 - this Python and this package
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
    if process.stdout and process.stdout.read(1) == READY:
        return process
    process.kill()
    process.communicate()
    return None


def _ask(process: subprocess.Popen[bytes], question: object) -> Document | Exception:
    if process.stdin is None or process.stdout is None:
        raise EOFError
    pickle.dump(question, process.stdin)
    process.stdin.flush()
    answer: Document | Exception = pickle.load(process.stdout)  # noqa: S301 - from our own child
    return answer


def _ended(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process that ends or must."""
    try:
        process.wait(_END)
    except subprocess.TimeoutExpired:
        process.kill()
    process.communicate()
    return process.returncode


def _why(source: str, limits: Limits, code: int | None) -> str:
    """Why there is no answer: with the exit code of a crash, without one the time was up."""
    if code is None:
        return (
            f"{source} must be read within {limits.max_seconds:g} seconds, but a page takes "
            "longer: split the file, leave it out, or raise max_seconds"
        )
    return (
        f"{source} must be a PDF file that PDFium can read, but PDFium crashes or runs out of "
        f"memory (exit code {code}): save it again, or leave it out"
    )
