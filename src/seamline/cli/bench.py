"""`seamline bench`: compare strategies on a golden set."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.options import Debug, Docs, Embedder, Golden, Quiet, Strict, examples, whole
from seamline.cli.output import note, render, staged, utf8_stdout
from seamline.cli.outputs import refuse_overwriting
from seamline.cli.progress import Bar
from seamline.cli.skips import leave, refuse_all_skipped, tell_skipped
from seamline.errors import InvalidConfig

if TYPE_CHECKING:
    from seamline.bench import Results
    from seamline.config import BenchConfig
    from seamline.parse import Skipped
    from seamline.types import Document, Question

    Measure = Callable[[Sequence[Document], Sequence[Question], Sequence[Skipped]], Results]

__all__ = [
    "EXAMPLES",
    "Budget",
    "Config",
    "JsonOut",
    "K",
    "Out",
    "Retriever",
    "Scope",
    "announce",
    "bench",
    "chosen_set",
    "keep_config",
    "run_and_save",
    "settings_of",
    "show",
]

REPORT = "report.html"
TEXTS = "texts.jsonl"
EXAMPLES = examples(
    "seamline bench docs/ --golden golden.jsonl",
    "seamline bench examples/handbook --retriever bm25 -k 3 --budget 200",
    'seamline bench docs/ --golden golden.jsonl --strategies "fixed;recursive(size=256)" --tags',
    "seamline bench --config seamline.toml --json --out report/ | jq .config",
)

Config = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Settings in TOML, among them those that have no option: measures, budgets, "
        "threshold, tokenizer, dedupe, merge, separator, identical, seed, cache_dir, limits. "
        "Options win "
        "over the file.  "
        "[default: seamline.toml if it is here]",
    ),
]
Strategies = Annotated[
    str | None,
    typer.Option(
        metavar="SPECS",
        help='Strategies or presets separated by semicolons: "fixed;recursive(size=256);'
        'semantic-0.5"; `seamline strategies` lists both.  [default: the usual ones]',
    ),
]
Retriever = Annotated[
    str | None,
    typer.Option(
        metavar="SPEC",
        help="How chunks are ranked: dense, bm25, or hybrid, which adds up both, as in "
        "hybrid(alpha=0.5).  [default: hybrid]",
    ),
]
K = Annotated[
    int | None,
    typer.Option(
        "-k",
        "--k",
        metavar="N",
        parser=whole,
        help="Chunks a question for the measures at k.  [default: 5]",
    ),
]
Budget = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=whole,
        help="Tokens that the reader is given a question; strategies are ranked by their recall "
        "within it.  [default: 1000]",
    ),
]
Scope = Annotated[
    str | None,
    typer.Option(
        metavar="SCOPE",
        help="Where a question is searched: corpus, or document for its own document only.  "
        "[default: corpus]",
    ),
]
Tags = Annotated[bool, typer.Option("--tags", help="Rank for each tag of the questions too.")]
JsonOut = Annotated[
    bool, typer.Option("--json", help="Print results.json on stdout instead of the table.")
]
Out = Annotated[
    str | None,
    typer.Option(
        metavar="FOLDER",
        help="Where results.json, report.html, timings.json and inputs.json (the paths measured) "
        "go, and texts.jsonl: the texts that spans refer to, of documents that were converted.  "
        "[default: report]",
    ),
]


def bench(
    docs: Docs = None,
    *,
    golden: Golden = None,
    config: Config = None,
    strategies: Strategies = None,
    embedder: Embedder = None,
    retriever: Retriever = None,
    k: K = None,
    budget: Budget = None,
    scope: Scope = None,
    tags: Tags = False,
    as_json: JsonOut = False,
    out: Out = None,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Search each strategy through this store too, beside the exact ranking: what its "
            "index loses, how long a search takes, how large it is.  [default: none]",
        ),
    ] = None,
    strict: Strict = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Compare strategies on your questions.

    Every strategy gets the same documents, embedder and exact search. Prints them ranked, the
    best first, why questions failed and what would help (docs/explain.md), and writes
    results.json (the same bytes for the same inputs; docs/results.md says what it holds),
    report.html (one file, opens without a network) and timings.json. The files appear when all is
    done, or not at all. Vectors are kept, so a second run is fast.

    Files of a folder that cannot be read are skipped, named on stderr with the reason and listed
    in results.json; the exit code is then 3. If a question is about one of them, nothing is run.
    """
    options = {
        "strategies": strategies,
        "embedder": embedder,
        "retriever": retriever,
        "k": k,
        "budget": budget,
        "scope": scope,
        "tags": tags or None,
        "out": out,
    }
    settings = settings_of(config, options, quiet=quiet)
    keep_config(settings, config)
    skipped: list[Skipped] | None = None if strict else []
    chosen = chosen_set(docs, golden, settings)
    results = run_and_save(
        settings, *chosen, skipped=skipped, strict=strict, quiet=quiet, store=store
    )
    if as_json:
        utf8_stdout()
        sys.stdout.write(results.dumps())
    else:
        show(results, tags=settings.tags)
    announce(settings, quiet=quiet)
    leave(skipped or ())


def settings_of(config: Path | None, options: Mapping[str, Any], *, quiet: bool) -> BenchConfig:
    """The settings of the config file with the options on top; says which file it found."""
    from seamline.config import CONFIG_FILE, load_config

    settings = load_config(config, options)
    if config is None and Path(CONFIG_FILE).is_file():
        note(f"settings: {CONFIG_FILE}", quiet=quiet)
    return settings


def chosen_set(
    docs: Sequence[str | Path] | None, golden: str | Path | None, settings: BenchConfig
) -> tuple[Sequence[str | Path], str | Path | None]:
    """The documents and the golden set: what the command line names beats the config file.

    A folder that holds both is not paired with another golden set, nor a golden
    set that has its documents beside it with others.
    """
    from seamline.api import is_set

    if docs:
        whole = len(docs) == 1 and is_set(Path(docs[0]))
        return docs, golden or (None if whole else settings.golden or None)
    if golden and is_set(Path(golden).parent):
        return (), golden
    return settings.docs, golden or settings.golden or None


def run_and_save(
    settings: BenchConfig,
    docs: Sequence[str | Path],
    golden: str | Path | None,
    *,
    skipped: list[Skipped] | None = None,
    strict: bool = False,
    quiet: bool,
    measure: Measure | None = None,
    store: str | None = None,
) -> Results:
    """The results of a benchmark, written with its report into the folder `settings.out`.

    What was skipped is named on stderr before the work begins, and listed in the results.
    `measure` takes the place of a benchmark of `settings.strategies`.
    """
    from seamline.api import find_set, load_set
    from seamline.bench.inputs import Inputs
    from seamline.report import write_report

    _refuse_inside(settings.out, docs, golden)
    _refuse_over(settings, *find_set(docs, golden))
    with staged(Path(settings.out)) as folder:
        documents, questions = load_set(
            docs, golden, skipped=skipped, strict=strict, limits=settings.limits
        )
        refuse_all_skipped(len(documents), skipped or ())
        tell_skipped(skipped or (), quiet=quiet)
        chosen = measure or partial(_benchmark, settings, store, quiet=quiet)
        results = chosen(documents, questions, skipped or ())
        results.save(folder)
        _write_texts(documents, folder)
        inputs = Inputs.of(*find_set(docs, golden), tokenizer=settings.tokenizer)
        inputs.save(folder, beside=Path(settings.out))
        write_report(results, {one.id: one for one in documents}, folder / REPORT)
    return results


def _benchmark(
    settings: BenchConfig,
    store: str | None,
    documents: Sequence[Document],
    questions: Sequence[Question],
    skipped: Sequence[Skipped],
    *,
    quiet: bool,
) -> Results:
    from seamline.bench import run_bench
    from seamline.store import open_store

    with Bar(len(settings.strategies), quiet=quiet) as bar:
        run = partial(run_bench, progress=bar, skipped=skipped)
        if store is None:
            return run(documents, questions, settings)
        with open_store(store) as opened:
            return run(documents, questions, settings, store=opened)


def _write_texts(documents: Sequence[Document], folder: Path) -> None:
    """The texts that spans refer to of documents that are no text themselves, a line each."""
    made = [one for one in documents if one.media_type not in ("text/plain", "text/markdown")]
    if made:
        with (folder / TEXTS).open("w", encoding="utf-8", newline="\n") as target:
            for one in made:
                record = {"id": one.id, "media_type": one.media_type, "text": one.text}
                target.write(f"{json.dumps(record, ensure_ascii=False)}\n")


def _refuse_inside(out: str, docs: Sequence[str | Path], golden: str | Path | None) -> None:
    """Refuse a report among the documents: the next run would read it as one of them."""
    from seamline.api import find_set

    for folder in find_set(docs, golden)[0]:
        real = Path(os.path.realpath(out))
        if folder.is_dir() and real.is_relative_to(os.path.realpath(folder)):
            raise InvalidConfig(
                f"--out must lie outside the folder of the documents, got {out!r} in "
                f"{str(folder)!r}: give another folder"
            )


def keep_config(settings: BenchConfig, config: Path | None) -> None:
    """Refuse a report that would take the place of the config file."""
    from seamline.config import CONFIG_FILE

    refuse_overwriting(_written(settings), {"the config file": config or Path(CONFIG_FILE)})


def _refuse_over(settings: BenchConfig, docs: Sequence[Path], golden: Path) -> None:
    """Refuse a report that would take the place of what is read."""
    inputs = {"the golden set": golden, "the tokenizer": Path(settings.tokenizer)}
    refuse_overwriting(_written(settings), inputs, docs)


def _written(settings: BenchConfig) -> dict[str, Path | None]:
    """The files that a benchmark writes, by what they are."""
    from seamline.bench.inputs import INPUTS_FILE
    from seamline.bench.results import RESULTS_FILE, TIMINGS_FILE

    names = (RESULTS_FILE, REPORT, TIMINGS_FILE, INPUTS_FILE, TEXTS)
    return {f"{name} in --out": Path(settings.out, name) for name in names}


def show(results: Results, *, tags: bool) -> None:
    """Print the ranking, by tag too if asked, what follows from it, and why questions failed."""
    from seamline.bench.recommend import recommend
    from seamline.report import failures_text, headline_text, ranking_table, tags_table
    from seamline.report.through import through_table

    found = recommend(results)
    render(ranking_table(results, found), "", headline_text(results, found))
    if failed := failures_text(results, found):
        render("", failed)
    if "through" in results.data:
        render("", through_table(results, found))
    if tags:
        render("", tags_table(results, found))


def announce(settings: BenchConfig, *, quiet: bool) -> None:
    """Say where the report is."""
    note(f"report: {Path(settings.out, REPORT)}", quiet=quiet)
