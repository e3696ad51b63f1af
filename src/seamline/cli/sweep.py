"""`seamline sweep`: compare a grid of configurations on a golden set."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from seamline.cli.bench import (
    Budget,
    Config,
    JsonOut,
    K,
    Out,
    Retriever,
    Scope,
    announce,
    chosen_set,
    keep_config,
    run_and_save,
    settings_of,
    show,
)
from seamline.cli.options import Debug, Docs, Embedder, Golden, Quiet, Strict, examples, whole
from seamline.cli.output import note, utf8_stdout
from seamline.cli.progress import SweepBar
from seamline.cli.skips import leave
from seamline.phrases import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from seamline.bench import Results
    from seamline.bench.allowance import Budget as Allowed
    from seamline.config import BenchConfig
    from seamline.parse import Skipped
    from seamline.types import Document, Question

__all__ = ["EXAMPLES", "measured", "sweep"]

EXAMPLES = examples(
    "seamline sweep docs/ --golden golden.jsonl",
    "seamline sweep examples/handbook --grid quick -k 3 --budget 200",
    "seamline sweep docs/ --golden golden.jsonl --grid full --minutes 10",
    "seamline sweep --config seamline.toml --out report/",
)

GridName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="A ready-made grid: quick, or full, which has the usual sizes and overlaps, semantic "
        "thresholds and rankings. One of your own goes into the config file.  [default: quick]",
    ),
]
Minutes = Annotated[
    float | None,
    typer.Option(
        metavar="M",
        help="The most time to measure: configurations that cannot win, judged by a part of the "
        "documents, are dropped, the best go first. Reading the documents, finding out why "
        "questions failed and writing the report come on top.  [default: no limit]",
    ),
]
EmbedCalls = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole,
        help="The most texts to send to the embedder, those in the cache not counted; ends a "
        "sweep as --minutes does.  [default: no limit]",
    ),
]


def sweep(
    docs: Docs = None,
    *,
    golden: Golden = None,
    config: Config = None,
    grid: GridName = None,
    embedder: Embedder = None,
    retriever: Retriever = None,
    k: K = None,
    budget: Budget = None,
    scope: Scope = None,
    minutes: Minutes = None,
    embed_calls: EmbedCalls = None,
    as_json: JsonOut = False,
    out: Out = None,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Compare a grid on your questions.

    A configuration is a strategy, a ranking and how pieces are shown:
    recursive(size=256, overlap=0) | hybrid(alpha=0.5) | merge. What configurations share is
    computed once. Prints the best 15 and writes the same files as `seamline bench`;
    `seamline recommend` then says which to take.

    Finished configurations are kept beside the vectors: a sweep that was interrupted goes on
    where it was, to the same bytes, and one with a larger grid measures only what is new. The
    results of a sweep with a limit depend on how far it came; they say what was left out.

    --retriever takes the place of the rankings that the grid names.
    A grid of one's own is a table in seamline.toml; docs/howto/sweep.md shows it.
    """
    options = {
        "grid": grid,
        "embedder": embedder,
        "retriever": retriever,
        "k": k,
        "budget": budget,
        "scope": scope,
        "out": out,
    }
    from seamline.bench.allowance import Budget as Allowed

    allowed = Allowed(minutes, embed_calls)
    settings = settings_of(config, options, quiet=quiet)
    keep_config(settings, config)
    if retriever:
        settings = replace(settings, grid=settings.grid.ranked(settings.retriever))
    _announce_grid(settings, quiet=quiet)
    skipped: list[Skipped] | None = None if strict else []
    results = run_and_save(
        settings,
        *chosen_set(docs, golden, settings),
        skipped=skipped,
        strict=strict,
        quiet=quiet,
        measure=partial(measured, settings, budget=allowed, quiet=quiet),
    )
    if as_json:
        utf8_stdout()
        sys.stdout.write(results.dumps())
    else:
        show(results, tags=False)
    announce(settings, quiet=quiet)
    note(f"next: seamline recommend {settings.out}/results.json", quiet=quiet)
    leave(skipped or ())


def measured(
    settings: BenchConfig,
    documents: Sequence[Document],
    questions: Sequence[Question],
    skipped: Sequence[Skipped],
    *,
    budget: Allowed | None = None,
    quiet: bool,
) -> Results:
    """The results of a sweep, with a bar; says that nothing is lost if it is stopped."""
    from seamline.bench import run_sweep

    try:
        with SweepBar(quiet=quiet) as bar:
            return run_sweep(
                documents, questions, settings, budget=budget, progress=bar, skipped=skipped
            )
    except (KeyboardInterrupt, SystemExit):
        note("what is measured is kept: the same command goes on from there", quiet=quiet)
        raise


def _announce_grid(settings: BenchConfig, *, quiet: bool) -> None:
    """Say how many configurations there are, and which combinations cannot be."""
    from seamline.bench.grid import expand

    found = expand(settings)
    chosen = found.configurations
    cuts = counted(len({one.strategy for one in chosen}), "cut")
    note(f"grid: {counted(len(chosen), 'configuration')} of {cuts}", quiet=quiet)
    for line in found.left_out:
        note(f"left out {line}", quiet=quiet)
