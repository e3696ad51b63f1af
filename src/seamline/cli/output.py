"""Where a command's output goes: stdout for results, stderr for the rest, files whole or not."""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

from seamline.cli.writing import staged, whole_file

__all__ = [
    "dim",
    "emit",
    "harmless",
    "note",
    "on_github",
    "print_json",
    "render",
    "staged",
    "utf8_stdout",
    "whole_file",
]

_WIDTH = 130
_LONG_WORD, _LONG_LINE = 200, 1_200
# What the runner of GitHub Actions takes for a command: `::` at the start of a line, `##[` anywhere
_COMMAND = re.compile(r"((?:^|[\r\n])[^\S\r\n]*:|##)(?=:|(?<=##)\[)")


def emit(text: str = "") -> None:
    """Write lines to stdout: results, and nothing else."""
    sys.stdout.write(f"{no_command(text)}\n")


def on_github() -> bool:
    """Whether this runs in GitHub Actions, which reads commands from what is printed.

    There GITHUB_ACTIONS is "true"; other runners that read such commands set what they like.
    """
    return os.environ.get("GITHUB_ACTIONS", "").strip().lower() not in ("", "0", "false", "no")


def no_command(text: str) -> str:
    r"""Whole lines without commands to GitHub Actions: in its runs each gets a space inside.

    Anywhere else `text` as it is. Names and words of documents may begin a line.
    """
    return _COMMAND.sub(r"\1 ", text) if on_github() else text


def render(*parts: Any) -> None:
    """Write what rich can draw to stdout, as wide as the terminal, or 130 columns where none is."""
    from rich.console import Console

    class Raising(Console):
        """Leaves a reader that has gone to `main`."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _WIDTH
    console = Raising(width=width, markup=False, emoji=False, highlight=False)
    for part in parts:
        if not on_github():
            console.print(part, crop=False)  # an answer to paste is one line, however long
            continue
        with console.capture() as drawn:  # only now it is known where lines begin
            console.print(part, crop=False)
        sys.stdout.write(no_command(drawn.get()))


def note(text: str, *, quiet: bool = False) -> None:
    """Write a line to stderr unless `quiet`."""
    if not quiet:
        sys.stderr.write(f"{harmless(text)}\n")


def harmless(text: str) -> str:
    """A message as stderr may have it, whatever names and answers from outside stand in it.

    Control characters become pictures, lines after the first are indented, so that
    none looks like a message of its own, and what is very long is cut.
    """
    from seamline.report.plain import plain

    first, *rest = plain(text).replace("\t", " ").split("\n")
    indented = [line if line[:2] == "  " else f"  {line}" for line in rest]
    return no_command("\n".join(map(_cut, (first, *indented))))


def _cut(line: str) -> str:
    line = re.sub(rf"(\S{{{_LONG_WORD}}})\S+", r"\1…", line)
    if len(line) <= _LONG_LINE:
        return line
    return f"{line[: _LONG_LINE * 2 // 3]} … {line[-_LONG_LINE // 3 :]}"


def utf8_stdout() -> None:
    """Make stdout UTF-8 whatever the locale, as JSON must be."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8")


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    utf8_stdout()
    text = json.dumps(value, indent=2, ensure_ascii=False)
    emit(text.replace("##[", r"##\u005b") if on_github() else text)  # the same value


def dim(text: str) -> str:
    """`text` in faint colour where stdout is a terminal that shows colour."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain or not sys.stdout.isatty() else f"\x1b[2m{text}\x1b[0m"
