"""`seamline demo`: the whole decision on the examples that come with seamline."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from seamline.cli.options import Debug, Quiet, examples
from seamline.cli.output import emit
from seamline.errors import MissingInput

EXAMPLES = examples("seamline demo", "seamline demo --out demo/")

# The handbook has under a thousand tokens: the usual budget would hold all of it.
_SETS: dict[str, dict[str, Any]] = {
    "handbook": {"k": 3, "budget": 200, "budgets": (50, 100, 200, 400, 800)},
    "runbooks": {},
}


def demo(
    out: Annotated[
        str,
        typer.Option(metavar="FOLDER", help="Where the reports go, one folder for each example."),
    ] = "report",
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Sweep the bundled examples and say what to take.

    The examples are a handbook and the runbooks of a company. Needs no network and no documents
    of your own; takes a minute or so the first time, seconds after that. Prints a table for each
    example and where the reports are.
    """
    from seamline.cli.bench import announce, run_and_save, show
    from seamline.cli.sweep import measured
    from seamline.config import BenchConfig

    for name, given in _SETS.items():
        settings = BenchConfig(out=str(Path(out, name)), **given)
        folder = examples_folder() / name
        measure = partial(measured, settings, quiet=quiet)
        results = run_and_save(settings, (folder,), None, quiet=quiet, measure=measure)
        emit(f"{name}, at most {settings.budget:,} tokens a question")
        show(results, tags=False)
        emit()
        announce(settings, quiet=quiet)


def examples_folder() -> Path:
    """Where the examples are: in the installed package, or at the root of a checkout.

    Raises:
        MissingInput: in neither.
    """
    package = Path(__file__).parents[1]
    for folder in (package / "examples", package.parents[1] / "examples"):
        if all((folder / name / "golden.jsonl").is_file() for name in _SETS):
            return folder
    raise MissingInput("the examples must come with seamline, but are not there: reinstall it")
