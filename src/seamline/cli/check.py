"""`seamline check`: hold the configuration to its lock."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seamline.cli.lock import ConfigFile, project_of, telling
from seamline.cli.options import Debug, Json, Quiet, examples
from seamline.cli.output import note, on_github, print_json, render, whole_file
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.progress import Bar
from seamline.cli.sentences import sentence
from seamline.errors import SeamlineError

if TYPE_CHECKING:
    from seamline.lock.checked import Checked
    from seamline.lock.run import Project

__all__ = ["EXAMPLES", "annotate_usage", "check"]

EXAMPLES = examples(
    "seamline check",
    "seamline check --floor containment=0.85 --floor recall@5 --floor mean_chunk_size",
    "seamline check --junit junit.xml --markdown check.md",
    "seamline check --config rag/seamline.toml --json | jq .verdict",
)


def check(
    *,
    config: ConfigFile = None,
    lock: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The lock.  [default: seamline.lock beside the config]"),
    ] = None,
    floor: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME[=VALUE]",
            help="A measure that must not be below VALUE (above, where lower is better); without "
            "VALUE, not beyond what was locked by more than 0.03. mean_chunk_size must lie within "
            "3 % of VALUE, or of what was locked, up and down; tolerance=0.05 allows 5 in place "
            "of 3. May be repeated; adds to [floors] in seamline.toml.",
        ),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write JUnit XML, a test case a part.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a summary for a pull request.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Check the configuration in seamline.toml against seamline.lock.

    Looks at gold, comparability, boundaries, the primary measure and floors, in this order.
    Documents that changed since the lock are set aside with their questions, and listed.

    Exit codes: 0 as locked, or not separable from it. 1 regression: the strategy of the lock
    cuts unchanged documents otherwise (moved cuts are shown), the primary measure dropped by
    more than the margin and significantly, or a floor is broken. 2 not comparable: gold,
    tokenizer, model, measure, budget or margin changed, too few questions are left, or the
    lock is for another configuration; also unusable input. 3 broken gold: spans no longer fit
    their documents.

    Where GITHUB_ACTIONS is set, and neither 0 nor false, errors become annotations (on stderr)
    and the summary goes to GITHUB_STEP_SUMMARY, too. A check that could not be made is an error
    in the file of --junit.
    """
    from seamline.config import CONFIG_FILE
    from seamline.report.checked import checked_text

    with _unusable_told(config or Path(CONFIG_FILE)):
        project = project_of(config, lock)
        inputs = project.inputs | {"the lock": project.lock_file}
        refuse_overwriting({"--junit": junit, "--markdown": markdown}, inputs, project.docs)
        with _unusable_written(junit):
            checked = _checked(project, floor or (), junit, markdown, quiet=quiet)
    if as_json:
        print_json(checked.as_dict())
    else:
        render(checked_text(checked))
    if on_github():
        sys.stdout.flush()
        _annotate(checked, project)
    raise typer.Exit(checked.code)


def _checked(
    project: Project,
    floors: Sequence[str],
    junit: Path | None,
    markdown: Path | None,
    *,
    quiet: bool,
) -> Checked:
    """The check, written into the files that are asked for."""
    from seamline.report.junit import checked_junit
    from seamline.report.markdown import checked_markdown

    with ExitStack() as stack:
        written = {
            make: stack.enter_context(whole_file(path))
            for path, make in ((junit, checked_junit), (markdown, checked_markdown))
            if path is not None
        }
        with Bar(1, quiet=quiet) as bar:
            checked = project.check(floors, progress=bar, told=telling(quiet=quiet))
        for make, file in written.items():
            file.write(make(checked))
    return checked


@contextmanager
def _unusable_told(config: Path) -> Iterator[None]:
    """Tell GitHub Actions of an error that ends the check, beside the config file."""
    from seamline.report.annotations import unusable_annotation

    try:
        yield
    except (SeamlineError, OSError) as error:
        if on_github():
            line = unusable_annotation(sentence(error), config=config, workspace=_workspace())
            sys.stderr.write(f"{line}\n")
        raise


@contextmanager
def _unusable_written(junit: Path | None) -> Iterator[None]:
    """Write an error that ends the check as a test case."""
    from seamline.report.junit import unusable_junit

    try:
        yield
    except (SeamlineError, OSError) as error:
        if junit is not None:
            with suppress(OSError), whole_file(junit) as file:  # it may be the error itself
                file.write(unusable_junit(sentence(error)))
        raise


def annotate_usage(error: typer.TyperException) -> None:
    """Tell GitHub Actions of a command line of `check` that cannot be."""
    from seamline.report.annotations import unusable_annotation

    context = getattr(error, "ctx", None)
    if on_github() and context is not None and context.info_name == "check":
        sys.stderr.write(f"{unusable_annotation(error.format_message())}\n")


def _workspace() -> Path | None:
    place = os.environ.get("GITHUB_WORKSPACE")
    return Path(place) if place else None


def _annotate(checked: Checked, project: Project) -> None:
    """Tell GitHub Actions: errors beside their files, the summary on the page of the run."""
    from seamline.report.annotations import checked_annotations
    from seamline.report.markdown import checked_markdown

    lines = checked_annotations(
        checked,
        config=project.config_file,
        golden=project.golden_file,
        workspace=_workspace(),
    )
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(summary).open("a", encoding="utf-8", newline="\n") as file:
                file.write(checked_markdown(checked))
        except OSError as error:  # the result stands, and is printed
            note(f"warning: GITHUB_STEP_SUMMARY cannot be written: {summary}: {error.strerror}")
