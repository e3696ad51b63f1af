"""What the commands share: options, and help that ends in examples."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from seamline.errors import InvalidConfig

if TYPE_CHECKING:
    from seamline.config import BenchConfig
    from seamline.parse import Limits

__all__ = [
    "DEBUG",
    "Command",
    "Debug",
    "Docs",
    "Embedder",
    "Golden",
    "Group",
    "Json",
    "Quiet",
    "Strict",
    "examples",
    "limits_here",
    "settings_here",
    "whole",
]

DEBUG = "SEAMLINE_DEBUG"


def examples(*lines: str) -> str:
    """An epilog: example command lines in a Markdown fence, as docs/cli.md shows them."""
    return "\n".join(["**Examples**:", "", "```console", *(f"$ {line}" for line in lines), "```"])


def whole(text: str) -> int:
    """The whole number that an option gives."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"it must be a whole number, got {text!r}") from None


def limits_here() -> Limits:
    """What the `seamline.toml` of the current folder lets one file cost, or else the usual."""
    return settings_here().limits


def settings_here() -> BenchConfig:
    """The settings of the `seamline.toml` of the current folder, or else the usual ones."""
    from seamline.config import load_config

    return load_config()


def _write_epilog(epilog: str | None, formatter: Any) -> None:
    """Example lines as they are: the help that typer would write wraps them."""
    lines = [line[2:] for line in (epilog or "").splitlines() if line.startswith("$ ")]
    if lines:
        with formatter.section("Examples"):
            for line in lines:
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")


_PATHS = {
    "FILE": "file",
    "FOLDER": "folder",
    "PATH": "file or folder",
    "DOCS": "file or folder",
    "RESULTS": "file or folder",
    "[RESULTS]": "file or folder",
    "RESULTS|DOCS": "file or folder",
}


class Command(TyperCommand):
    """A command whose help ends in its examples, and whose paths are none of them empty."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Refuse an empty path, which would stand for the current folder."""
        _refuse_empty(self, args)
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the examples, one a line."""
        _write_epilog(self.epilog, formatter)


def _refuse_empty(command: Any, args: Sequence[str]) -> None:
    options = {name: one for one in command.params for name in one.opts}
    places = [one for one in command.params if one.param_type_name == "argument"]
    before = ""
    for arg in args:
        name = arg[:-1] if arg.startswith("--") and arg.endswith("=") else before
        option = options.get(name)
        option = None if getattr(option, "is_flag", False) else option
        if arg == "" and option is None:
            option, name = (places[0], str(places[0].metavar)) if places else (None, "")
        empty = arg in ("", f"{name}=")
        if empty and option is not None and option.metavar in _PATHS:
            raise InvalidConfig(f"{name} must be the path of a {_PATHS[option.metavar]}, got ''")
        before = "" if "=" in arg else arg


class Group(TyperGroup):
    """A group of commands whose help ends in its examples."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the examples, one a line."""
        _write_epilog(self.epilog, formatter)


def _remember_debug(value: bool) -> bool:
    if value:
        os.environ[DEBUG] = "1"
    return value


Debug = Annotated[
    bool,
    typer.Option(
        "--debug",
        callback=_remember_debug,
        help=f"Show the traceback of an error; {DEBUG}=1 does the same.",
    ),
]
Docs = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="DOCS",
        help="Documents: files, folders, or one folder that holds docs/ and golden.jsonl.  "
        "[default: docs/ beside the golden set]",
        show_default=False,
    ),
]
Embedder = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="What turns texts into vectors: minilm (works offline), "
        "http(url=..., model=...), sentence-transformers(model=...) …  [default: minilm]",
    ),
]
Golden = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The golden set: JSONL, a question a line with the spans that answer it.  "
        "[default: golden.jsonl beside docs/]",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines, nothing else.")]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet", "-q", help="No progress and no summary on stderr; warnings and errors stay."
    ),
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Stop at the first file of a folder that cannot be read, rather than skip it.",
    ),
]
