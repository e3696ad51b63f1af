"""`seamline golden`: look after golden sets."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seamline.cli import golden_anchor, golden_draft, golden_power
from seamline.cli.bench import Config
from seamline.cli.golden_set import read_given
from seamline.cli.options import Command, Debug, Docs, Golden, Group, Json, Quiet, Strict, examples
from seamline.cli.output import emit, note, print_json, render
from seamline.cli.skips import leave, tell_skipped
from seamline.phrases import counted

if TYPE_CHECKING:
    from seamline.golden import Validation
    from seamline.parse import Skipped
    from seamline.types import Chunk, Document

app = typer.Typer(cls=Group, rich_markup_mode=None, help="Make golden sets and check them.")
for _command, _examples in (
    (golden_draft.draft, golden_draft.EXAMPLES),
    (golden_anchor.anchor, golden_anchor.EXAMPLES),
    (golden_power.power, golden_power.EXAMPLES),
):
    app.command(cls=Command, epilog=_examples)(_command)

EXAMPLES = examples(
    "seamline golden validate",
    "seamline golden validate docs/ --golden golden.jsonl",
    "seamline golden validate examples/handbook --json",
)


@app.command(cls=Command, epilog=EXAMPLES)
def validate(
    docs: Docs = None,
    *,
    golden: Golden = None,
    config: Config = None,
    strategies: Annotated[
        str | None,
        typer.Option(
            metavar="SPECS",
            help="Strategies whose borders no gold span should start and end on, as it does if "
            "the question was made from a chunk; separated by semicolons.  "
            "[default: the usual ones that need no embedder]",
        ),
    ] = None,
    as_json: Json = False,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Check a golden set against its documents.

    Errors: broken lines, offsets that do not hold their text (with the nearest text, ready to
    paste), unknown documents, duplicate ids. Warnings: questions without gold or in the answer's
    own words, misspelt keys, spans under 5 tokens, gold that stands elsewhere too, and more.

    Without DOCS and --golden the config file says what is checked.

    Prints a finding a line, FILE:LINE first. Exit code 0 without errors (warnings are allowed),
    1 with errors, 2 where a file cannot be read at all, 3 without errors where files of a folder
    were skipped.
    """
    from seamline.golden import validate as find_findings
    from seamline.parse import skipped_records

    skipped: list[Skipped] | None = None if strict else []
    file, documents = read_given(docs, golden, config=config, skipped=skipped, quiet=quiet)
    found = find_findings(file, documents, strategies=_chunks(documents, strategies))
    if as_json:
        print_json(_record(found) | {"skipped": skipped_records(skipped or ())})
    else:
        _print(found)
    tell_skipped(skipped or (), quiet=quiet)
    n_errors, n_warnings = len(found.errors), len(found.warnings)
    read = f"{counted(found.n_questions, 'question')}, {counted(found.n_spans, 'gold span')}"
    note(f"{read}: {counted(n_errors, 'error')}, {counted(n_warnings, 'warning')}", quiet=quiet)
    if not found.ok:
        raise typer.Exit(1)
    _tell_next(docs, golden, config, quiet=quiet)
    leave(skipped or ())


def _tell_next(
    docs: Sequence[Path] | None, golden: Path | None, config: Path | None, *, quiet: bool
) -> None:
    """The command that a set without errors is for, about the same documents."""
    words = ["seamline", "sweep", *map(str, docs or ())]
    for option, path in (("--golden", golden), ("--config", config)):
        words += [option, str(path)] if path else []
    note(f"next: {shlex.join(words)}", quiet=quiet)


def _chunks(documents: Sequence[Document], strategies: str | None) -> dict[str, list[Chunk]]:
    """The chunks of all documents by strategy."""
    from seamline.config import DEFAULT_STRATEGIES
    from seamline.embed import parse_embedder
    from seamline.embed.cache import CachedEmbedder, cache_path
    from seamline.registry import parse_specs
    from seamline.split import parse_strategy

    cached = CachedEmbedder(parse_embedder("minilm"), cache_path())
    if strategies is None:
        made = [parse_strategy(spec) for spec in DEFAULT_STRATEGIES]
        made = [strategy for strategy in made if not hasattr(strategy, "embedder")]
    else:
        made = [parse_strategy(spec, embedder=cached) for spec in parse_specs(strategies)]
    return {
        str(strategy): [chunk for document in documents for chunk in strategy.split(document)]
        for strategy in made
    }


def _record(found: Validation) -> dict[str, object]:
    return {
        "path": found.path,
        "ok": found.ok,
        "questions": found.n_questions,
        "spans": found.n_spans,
        "errors": len(found.errors),
        "warnings": len(found.warnings),
        "findings": [asdict(finding) for finding in found.findings],
    }


def _print(found: Validation) -> None:
    """A table for a person, a line a finding for other programs."""
    from seamline.report import findings_table
    from seamline.report.plain import one_line

    if sys.stdout.isatty():
        render(findings_table(found))
        return
    for one in found.findings:
        emit(one_line(f"{found.path}:{one.line}: {one.severity} [{one.code}] {one}"))
