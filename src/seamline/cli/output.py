"""Where a command's output goes: stdout for results, stderr for the rest, files whole or not."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EISDIR, ENOENT, ENOTDIR
from pathlib import Path
from typing import IO, Any

__all__ = [
    "count",
    "dim",
    "emit",
    "note",
    "print_json",
    "staged",
    "table",
    "utf8_stdout",
    "visible",
    "whole_file",
]

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def emit(text: str = "") -> None:
    """Write lines to stdout: results, and nothing else."""
    sys.stdout.write(f"{text}\n")


def note(text: str, *, quiet: bool = False) -> None:
    """Write a line to stderr unless `quiet`."""
    if not quiet:
        sys.stderr.write(f"{text}\n")


def utf8_stdout() -> None:
    """Make stdout UTF-8 whatever the locale, as JSON must be."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    utf8_stdout()
    emit(json.dumps(value, indent=2, ensure_ascii=False))


def count(n: int, noun: str) -> str:
    """A number with its noun, in the plural where it must be.

    Example:
        >>> count(1, "chunk"), count(1200, "chunk")
        ('1 chunk', '1,200 chunks')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def visible(text: str) -> str:
    r"""`text` with control characters drawn, so that no document drives the terminal.

    Example:
        >>> visible("\x1b[31mred\tpill")
        '␛[31mred\tpill'
    """
    return _CONTROLS.sub(_drawn, text)


def _drawn(found: re.Match[str]) -> str:
    code = ord(found.group())
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else f"\\x{code:02x}"


def dim(text: str) -> str:
    """`text` in faint colour where stdout is a terminal that shows colour."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain or not sys.stdout.isatty() else f"\x1b[2m{text}\x1b[0m"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns of text under their heads; the last one is wrapped in a terminal.

    Example:
        >>> print(table(["name", "what"], [["a", "first"], ["bcd", "second"]]))
        name  what
        a     first
        bcd   second
    """
    lines = [heads, *rows]
    widths = [max(len(line[i]) for line in lines) + 2 for i in range(len(heads) - 1)]
    left = sum(widths)
    room = shutil.get_terminal_size().columns - left if sys.stdout.isatty() else 0
    out = []
    for line in lines:
        start = "".join(cell.ljust(width) for cell, width in zip(line[:-1], widths, strict=True))
        parts = textwrap.wrap(line[-1], room) if room >= 20 else [line[-1]]
        out += [f"{start}{parts[0] if parts else ''}".rstrip()]
        out += [" " * left + part for part in parts[1:]]
    return "\n".join(out)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A file to write that becomes `path` when the block ends well, else is gone.

    What is no regular file (a pipe, /dev/stdout) is written as it comes.
    """
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
    if path.exists() and not path.is_file():
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, "its folder must exist", str(path))
    target = path.resolve()
    partial = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        partial.replace(target)
    except OSError as error:
        _call(error, path, partial)
        raise
    finally:
        partial.unlink(missing_ok=True)


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """An empty folder whose files move into `folder` when the block ends well, else are gone.

    It is made at once, so that a place where nothing can be written is found
    before the work, not after it.
    """
    base = next(path for path in (folder, *folder.parents) if path.exists())
    if not base.is_dir():
        raise NotADirectoryError(ENOTDIR, "must be a folder", str(base))
    partial = base / f".seamline.{os.getpid()}"
    try:
        partial.mkdir()
        yield partial
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(partial.iterdir()):
            path.replace(folder / path.name)
    except OSError as error:
        _call(error, folder, partial)
        raise
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _call(error: OSError, path: Path, partial: Path) -> None:
    """Make a failed write name `path`, as the user does, not the file beside it."""
    own = error.filename is None or str(error.filename).startswith(str(partial))
    if error.errno is not None and own:
        error.filename = str(path)
