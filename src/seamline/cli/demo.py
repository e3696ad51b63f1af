"""`seamline demo`: the whole decision on an example that comes with seamline."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from seamline.cli.options import Debug, Quiet, examples
from seamline.errors import MissingInput

EXAMPLES = examples("seamline demo", "seamline demo --out demo/")

_SET = "runbooks"


def demo(
    out: Annotated[
        str, typer.Option(metavar="FOLDER", help="Where the report and the results go.")
    ] = "report",
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Sweep a bundled example and say what to take.

    The example are the runbooks of a company, with questions about them. Needs no network and no
    documents of your own; takes a minute or so the first time, seconds after that. Prints the
    table, what follows from it, and where the report is.
    """
    from seamline.cli.bench import announce, run_and_save, show
    from seamline.cli.sweep import measured
    from seamline.config import BenchConfig

    settings = BenchConfig(out=out)
    measure = partial(measured, settings, quiet=quiet)
    results = run_and_save(
        settings, (examples_folder() / _SET,), None, quiet=quiet, measure=measure
    )
    show(results, tags=False)
    announce(settings, quiet=quiet)


def examples_folder() -> Path:
    """Where the examples are: in the installed package, or at the root of a checkout.

    Raises:
        MissingInput: in neither.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / _SET / "golden.jsonl").is_file():
            return folder
    raise MissingInput("the examples must come with seamline, but are not there: reinstall it")
