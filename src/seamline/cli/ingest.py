"""`seamline ingest`: documents into a store, again and again, with nothing done twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from seamline.cli.bench import Config, settings_of
from seamline.cli.options import Debug, Embedder, Json, Quiet, examples, whole
from seamline.cli.output import emit, note, print_json
from seamline.cli.progress import Bar
from seamline.cli.skips import leave, refuse_all_skipped, tell_skipped
from seamline.errors import InvalidConfig, MissingInput
from seamline.phrases import counted, listed

if TYPE_CHECKING:
    from seamline.config import BenchConfig
    from seamline.ingest.batch import Summary
    from seamline.ingest.labels import Rules
    from seamline.ingest.run import File, Ingest
    from seamline.parse import Skipped
    from seamline.store import Store

__all__ = ["EXAMPLES", "Access", "NamespaceName", "StoreUrl", "Tenant", "ingest"]

EXAMPLES = examples(
    "seamline ingest docs/ --store sqlite:///index.db",
    "seamline ingest docs/ --store sqlite:///index.db --tenant acme --access staff --prune",
    "seamline ingest docs/ --store postgresql://user@host/rag --dry-run",
    "seamline ingest --config seamline.toml --watch",
)

StoreUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Where documents are kept: sqlite:///index.db (a path after three slashes).  "
        "[default: `store` in seamline.toml]",
    ),
]
NamespaceName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Where in the store: one for each strategy and model.  "
        "[default: `namespace` in seamline.toml, else main]",
    ),
]
Tenant = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Whose documents: no other tenant ever sees them.", show_default=False
    ),
]
Access = Annotated[
    list[str] | None,
    typer.Option(
        metavar="LABEL", help="A label of who may read; may be given again.", show_default=False
    ),
]
Tag = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TAG", help="A tag of all documents; may be given again.", show_default=False
    ),
]
Meta = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=VALUE",
        help="Metadata of all documents, to filter by: year=2024; may be given again.",
        show_default=False,
    ),
]


def ingest(
    docs: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="DOCS",
            help="Documents: files and folders.  [default: `docs` in seamline.toml]",
            show_default=False,
        ),
    ] = None,
    *,
    store: StoreUrl = None,
    config: Config = None,
    namespace: NamespaceName = None,
    tenant: Tenant = "",
    access: Access = None,
    tag: Tag = None,
    meta: Meta = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What single documents get besides: JSONL, a line like "
            '{"id": "hr/*", "access": ["hr"], "tags": ["new"], "metadata": {"year": 2024}}.',
            show_default=False,
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC",
            help="How to cut.  [default: `strategy` in seamline.toml, else adaptive]",
        ),
    ] = None,
    embedder: Embedder = None,
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Remove the tenant's documents that are not among DOCS any more."
        ),
    ] = False,
    keep_versions: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            parser=whole,
            help="Former versions to keep of each document.  "
            "[default: `keep_versions` in seamline.toml, else 0]",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and change nothing.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and ingest what changes until stopped.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
    _debug: Debug = False,
) -> None:
    """Bring a store up to date with documents.

    What is new or changed is cut, embedded and written; an unchanged document costs a hash, an
    unchanged chunk no embedding. A changed document takes the place of its former version in one
    transaction. Stopped at any point and run again, it goes on where it was.

    Strategy, embedder, retriever and tokenizer are those of seamline.toml, which `seamline
    recommend` writes: what was measured is what is ingested. Documents get --tenant, --access
    and --tag; whoever searches needs the tenant, and one of the labels if there are any.

    Files of a folder that cannot be read are skipped, named on stderr with the reason; what the
    store holds of them stays. The exit code is then 3.
    """
    from seamline.ingest.labels import Labels, Rules, read_rules
    from seamline.ingest.open import open_ingest, planned

    options = {
        "strategy": strategy,
        "embedder": embedder,
        "store": store,
        "namespace": namespace,
        "keep_versions": keep_versions,
    }
    settings = settings_of(config, options, quiet=quiet)
    if watch and dry_run:
        raise InvalidConfig("--watch goes on and --dry-run changes nothing: give one of them")
    paths = docs or [Path(path) for path in settings.docs]
    skipped: list[Skipped] = []
    files = _files(paths, skipped)
    rules = read_rules(labels) if labels else Rules()
    given = Labels(
        tenant, frozenset(access or ()), frozenset(tag or ()), _metadata(meta or ()), rules
    )
    _tell_unused(rules, files, quiet=quiet)
    with _opened(settings, dry_run=dry_run) as opened:
        if dry_run:
            states = planned(settings, opened, files, given, skipped)
            read = sum(len(states[state]) for state in ("new", "changed", "unchanged"))
            refuse_all_skipped(read, skipped)
            _tell_plan(states, skipped, prune=prune, as_json=as_json, quiet=quiet)
            return
        work = open_ingest(settings, opened, files, labels=given)
        with Bar(quiet=quiet) as bar:
            done = work.run(
                files,
                prune=prune,
                skipped=skipped,
                progress=lambda n, total, name: bar("ingest", name, n, total),
            )
        refuse_all_skipped(done.new + done.changed + done.unchanged, skipped)
        if watch and as_json:  # a line each time
            emit(json.dumps(done.row()))
            tell_skipped(skipped, quiet=quiet)
        else:
            _tell(done, work, skipped, as_json=as_json, quiet=quiet)
        if watch:
            _watch(work, paths, prune=prune, as_json=as_json)
    leave(skipped)


def _opened(settings: BenchConfig, *, dry_run: bool) -> Store:
    """The store; of a dry run an empty one where there is none yet."""
    from seamline.ingest.open import store_of
    from seamline.store import open_store

    try:
        return store_of(settings, create=not dry_run)
    except MissingInput:
        return open_store("memory://")


def _files(paths: Sequence[Path], skipped: list[Skipped]) -> list[File]:
    from seamline.parse import find_files

    if not paths:
        raise InvalidConfig("documents must be given, as DOCS or `docs` in seamline.toml")
    return find_files(paths, skipped=skipped)


def _metadata(pairs: Sequence[str]) -> dict[str, Any]:
    """Metadata from `key=value`; `a.b=1` stands in a table, a value is read as in a condition."""
    from seamline.store.where import parse_value

    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        path = name.strip().split(".")
        place: Any = found
        for part in path[:-1]:
            place = place.setdefault(part, {}) if isinstance(place, dict) else None
        if not equals or not all(path) or not isinstance(place, dict) or path[-1] in place:
            raise InvalidConfig(
                f"--meta must be like year=2024, each key once and with a value, got {pair!r}"
            )
        place[path[-1]] = parse_value(value)
    return found


def _tell_unused(rules: Rules, files: Sequence[File], *, quiet: bool) -> None:
    unused = rules.unused([name for _, name in files])
    if unused:
        from seamline.report.plain import one_line

        shown = listed([one_line(name) for name in unused], 5)
        note(f"labels: {counted(len(unused), 'rule')} fit no document: {shown}", quiet=quiet)


def _tell_plan(
    states: dict[str, list[str]],
    skipped: list[Skipped],
    *,
    prune: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what would change; nothing was made, not even the namespace."""
    from seamline.report.plain import one_line

    if not prune:
        states.pop("removed")
    opened = states["opened"] if as_json else states.pop("opened")
    if as_json:
        print_json(states)
    else:
        for state, names in states.items():
            shown = listed([one_line(name) for name in names], 10)
            emit(f"{state}: {len(names):,}{': ' if names else ''}{shown}")
        if opened:
            shown = listed([one_line(name) for name in opened], 10)
            note(f"{_opening(len(opened))}: {shown}", quiet=quiet)
    tell_skipped(skipped, quiet=quiet)
    leave(skipped)


def _opening(n: int) -> str:
    return f"other labels: more readers than before may read {counted(n, 'document')}"


def _tell(
    done: Summary, work: Ingest, skipped: Sequence[Skipped], *, as_json: bool, quiet: bool
) -> None:
    from seamline.store.values import Reader

    if as_json:
        print_json(done.row())
    else:
        labels = work.labels.access | work.labels.rules.access
        everything = Reader(work.labels.tenant, labels)
        with work.namespace.read(everything) as view:
            there = view.count()
        emit(str(done))
        emit(
            f"{counted(done.chunks, 'chunk')} written, {done.embedded:,} embedded, "
            f"{counted(done.reused, 'vector')} taken over"
        )
        held = counted(there.documents, "document")
        info = work.namespace.info
        emit(
            f"namespace {info.name}: {held}, {counted(there.chunks, 'chunk')}, revision "
            f"{done.revision}; cut by {info.strategy}"
        )
        if done.opened:
            note(_opening(done.opened), quiet=quiet)
    tell_skipped(skipped, quiet=quiet)


def _watch(work: Ingest, paths: Sequence[Path], *, prune: bool, as_json: bool) -> None:
    from seamline.ingest.watch import watch

    skipped: list[Skipped] = []
    note("watching; Ctrl-C ends it")
    for done in watch(work, paths, prune=prune, skipped=skipped):
        emit(json.dumps(done.row()) if as_json else str(done))
        if done.opened:
            note(_opening(done.opened))
        tell_skipped(skipped, quiet=False)
        skipped.clear()
