"""The entry point: commands, and errors as one sentence with an exit code."""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from seamline.cli import (
    bench,
    calibrate,
    check,
    chunk,
    compare,
    demo,
    golden,
    ingest,
    inspect,
    lock,
    measures,
    namespaces,
    recommend,
    search,
    strategies,
    sweep,
)
from seamline.cli.options import DEBUG, Command, Group, examples
from seamline.cli.output import harmless
from seamline.cli.sentences import sentence
from seamline.cli.stopping import INTERRUPTED, discard, stopped_by, tell, watch
from seamline.errors import SeamlineError

__all__ = ["app", "main"]

UNUSABLE, FAULT, CLOSED = 2, 70, 141

app = typer.Typer(
    name="seamline",
    cls=Group,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(
        "seamline demo",
        "seamline chunk handbook.md --strategy recursive --size 256 --show",
        'seamline bench docs/ --golden golden.jsonl --strategies "fixed;recursive(size=256)"',
        "seamline bench --help",
    ),
)
for _command, _examples in (
    (chunk.chunk, chunk.EXAMPLES),
    (inspect.inspect, inspect.EXAMPLES),
    (bench.bench, bench.EXAMPLES),
    (sweep.sweep, sweep.EXAMPLES),
    (compare.compare, compare.EXAMPLES),
    (recommend.recommend, recommend.EXAMPLES),
    (lock.lock, lock.EXAMPLES),
    (check.check, check.EXAMPLES),
    (calibrate.calibrate, calibrate.EXAMPLES),
    (ingest.ingest, ingest.EXAMPLES),
    (search.search, search.EXAMPLES),
    (namespaces.namespaces, namespaces.EXAMPLES),
    (demo.demo, demo.EXAMPLES),
    (strategies.strategies, strategies.EXAMPLES),
    (measures.measures, measures.EXAMPLES),
):
    app.command(cls=Command, epilog=_examples)(_command)
app.add_typer(golden.app, name="golden")


def _show_version(value: bool) -> None:
    if value:
        from importlib.metadata import version

        typer.echo(f"seamline {version('seamline')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _seamline(
    ctx: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Cut documents for retrieval, measure the cuts on your own questions, decide honestly.

    Results go to stdout, everything else to stderr. NO_COLOR switches colour off;
    SEAMLINE_CACHE_DIR says where vectors are kept.

    Exit codes: 0 done; 1 a check failed or a validation found errors; 2 unusable input or
    usage; 3 done, but files of a folder were skipped (`check` gives 0 to 3 meanings of its own);
    4 a search found no answer; 70 a fault in seamline itself; 130 interrupted; 141 output closed
    by its reader; 143 terminated. An error never leaves a file half written.
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help(), err=True)
        raise typer.Exit(UNUSABLE)


def main(argv: Sequence[str] | None = None) -> int:
    """Run `seamline` with `argv` (the process's own arguments if None); the exit code."""
    _prepare()
    try:
        code = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
    except BrokenPipeError:
        code = CLOSED
        _silence(sys.stdout)
    except KeyboardInterrupt:
        code = INTERRUPTED
        tell()
    except typer.TyperException as error:
        code = UNUSABLE
        _say(f"error: {error.format_message()}", _usage(error))
        check.annotate_usage(error)
    except (SeamlineError, OSError) as error:
        code = UNUSABLE
        _say(f"error: {sentence(error)}")
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - the last line of defence, of a panic in Rust too
        code = stopped_by() or _fault(error)
        if code == INTERRUPTED:
            tell()
    finally:
        discard()
    return code


def _run(argv: list[str]) -> int:
    """The exit code of the command in `argv`; every error passes through.

    Typer's own `main` would turn some of them into other exit codes.
    """
    command = typer.main.get_command(app)
    try:
        with command.make_context("seamline", argv) as ctx:
            command.invoke(ctx)
    except typer.Exit as done:
        return done.exit_code
    return 0


def _prepare() -> None:
    _open_closed()
    columns = os.environ.get("COLUMNS", "")
    if not re.fullmatch("0*[1-9][0-9]{0,3}", columns):
        os.environ.pop("COLUMNS", None)  # rich would take 0 for a width
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    warnings.formatwarning = lambda message, *_args, **_kwargs: (
        f"{harmless(f'warning: {message}')}\n"
    )
    watch()


def _open_closed() -> None:
    """Give the process the standard streams that it was started without.

    Else the next file that is opened would take their place. What is written to
    such a stdout fails, what is written to such a stderr goes nowhere.
    """
    if sys.stdin is None:
        os.open(os.devnull, os.O_RDONLY)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _say(*lines: str) -> None:
    """Lines on stderr, after the traceback where it was asked for."""
    if os.environ.get(DEBUG, "0") not in ("", "0"):
        traceback.print_exc()
    try:
        sys.stderr.write("".join(f"{harmless(line)}\n" for line in lines if line))
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)
    try:
        sys.stdout.flush()
    except OSError:
        _silence(sys.stdout)


def _fault(error: BaseException) -> int:
    _say(
        f"error: unexpected {type(error).__name__}: {error}",
        f"this is a fault in seamline; {DEBUG}=1 shows where it happened",
    )
    return FAULT


def _silence(stream: Any) -> None:
    """Let what a closed stream still holds go nowhere, or Python complains when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _usage(error: typer.TyperException) -> str:
    context = getattr(error, "ctx", None)
    return f"see: {context.command_path} --help" if context else ""
