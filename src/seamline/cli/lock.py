"""`seamline lock`: keep a chosen configuration with what it scored and where it cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seamline.cli.options import Debug, Quiet, examples
from seamline.cli.output import emit, note, whole_file
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.skips import refuse_all_skipped, tell_skipped
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.lock.run import Project
    from seamline.parse import Skipped

__all__ = ["EXAMPLES", "ConfigFile", "lock", "project_of", "telling"]

EXAMPLES = examples(
    "seamline lock",
    "seamline lock report/results.json",
    "seamline lock --config rag/seamline.toml --out rag/seamline.lock",
)

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Settings in TOML that name documents, golden set and strategy.  "
        "[default: seamline.toml]",
    ),
]


def lock(
    results: Annotated[
        Path | None,
        typer.Argument(
            metavar="RESULTS",
            help="A results.json that holds the configuration, or its folder.  "
            "[default: that of `seamline bench`, report/results.json]",
            show_default=False,
        ),
    ] = None,
    *,
    config: ConfigFile = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the lock goes.  [default: seamline.lock beside the config]"
        ),
    ] = None,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Lock the configuration in seamline.toml.

    Writes seamline.lock, to be committed: the strategy with its parameters, the scores of each
    question, where every document was cut, and digests of documents, gold, tokenizer and model.
    `seamline check` then finds out whether any of that got worse.

    seamline.toml must name the strategy (`seamline recommend` writes it), and the results must
    hold it, measured on the documents and the golden set as they are now: the documents are cut
    once more to make sure.
    """
    from seamline.bench.results import RESULTS_FILE

    project = project_of(config, out)
    given = results / RESULTS_FILE if results and results.is_dir() else results
    inputs = project.inputs | ({"the results": given} if given else {})
    refuse_overwriting({"--out": project.lock_file}, inputs, project.docs)
    made = project.lock(results, told=telling(quiet=quiet))
    with whole_file(project.lock_file) as file:
        file.write(made.dumps())
    emit(f"locked {made.configuration}")
    for name in made.measures:
        mean = made.means[name]
        emit(f"  {name} {'–' if mean is None else f'{mean:.3f}'}")
    n_chunks = sum(len(one.spans) for one in made.documents.values())
    asked, held = counted(len(made.questions), "question"), counted(len(made.documents), "document")
    emit(f"  {asked}, {held}, {counted(n_chunks, 'chunk')}")
    note(f"lock: {project.lock_file}", quiet=quiet)
    files = f"{project.config_file.name} and {project.lock_file.name}"
    note(f"next: seamline check; commit {files}", quiet=quiet)


def project_of(config: Path | None, lock_file: Path | None) -> Project:
    """The config file and the lock that the options name."""
    from seamline.config import CONFIG_FILE
    from seamline.lock.run import Project

    return Project(config or Path(CONFIG_FILE), lock_file or Path())


def telling(*, quiet: bool) -> Callable[[int, Sequence[Skipped]], None]:
    """What to do with the files that were left out: name them, and refuse to go on with none."""

    def tell(n_documents: int, skipped: Sequence[Skipped]) -> None:
        refuse_all_skipped(n_documents, skipped)
        tell_skipped(skipped, quiet=quiet)

    return tell
