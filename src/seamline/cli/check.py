"""`seamline check`: hold the configuration to its lock."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seamline.cli.lock import ConfigFile, project_of, telling
from seamline.cli.options import Debug, Json, Quiet, examples
from seamline.cli.output import note, on_github, print_json, render, whole_file
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.progress import Bar

if TYPE_CHECKING:
    from seamline.lock.checked import Checked
    from seamline.lock.run import Project

__all__ = ["EXAMPLES", "check"]

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
            help="A measure, or mean_chunk_size, that must not be below VALUE; without VALUE, not "
            "below what was locked by more than 0.03 (tolerance=VALUE changes that). May be "
            "repeated; adds to [floors] in seamline.toml.",
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

    Where GITHUB_ACTIONS is set, errors become annotations (on stderr) and the summary goes to
    GITHUB_STEP_SUMMARY, too.
    """
    from seamline.report.checked import checked_text
    from seamline.report.junit import checked_junit
    from seamline.report.markdown import checked_markdown

    project = project_of(config, lock)
    inputs = project.inputs | {"the lock": project.lock_file}
    refuse_overwriting({"--junit": junit, "--markdown": markdown}, inputs, project.docs)
    with ExitStack() as stack:
        written = {
            make: stack.enter_context(whole_file(path))
            for path, make in ((junit, checked_junit), (markdown, checked_markdown))
            if path is not None
        }
        with Bar(1, quiet=quiet) as bar:
            checked = project.check(floor or (), progress=bar, told=telling(quiet=quiet))
        for make, file in written.items():
            file.write(make(checked))
    if as_json:
        print_json(checked.as_dict())
    else:
        render(checked_text(checked))
    if on_github():
        sys.stdout.flush()
        _annotate(checked, project)
    raise typer.Exit(checked.code)


def _annotate(checked: Checked, project: Project) -> None:
    """Tell GitHub Actions: errors beside their files, the summary on the page of the run."""
    from seamline.report.annotations import checked_annotations
    from seamline.report.markdown import checked_markdown

    place = os.environ.get("GITHUB_WORKSPACE")
    lines = checked_annotations(
        checked,
        config=project.config_file,
        golden=project.golden_file,
        workspace=Path(place) if place else None,
    )
    sys.stderr.write("".join(f"{line}\n" for line in lines))
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        try:
            with Path(summary).open("a", encoding="utf-8", newline="\n") as file:
                file.write(checked_markdown(checked))
        except OSError as error:  # the result stands, and is printed
            note(f"warning: GITHUB_STEP_SUMMARY cannot be written: {summary}: {error.strerror}")
