"""`seamline namespaces`: what a store holds."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from seamline.cli.bench import Config, settings_of
from seamline.cli.ingest import Access, StoreUrl, Tenant
from seamline.cli.options import Debug, Json, examples
from seamline.cli.output import emit, print_json
from seamline.errors import MissingInput
from seamline.phrases import counted

__all__ = ["EXAMPLES", "namespaces"]

EXAMPLES = examples(
    "seamline namespaces --store sqlite:///index.db",
    "seamline namespaces --store sqlite:///index.db --drop old",
)


def namespaces(
    *,
    store: StoreUrl = None,
    config: Config = None,
    tenant: Tenant = "",
    access: Access = None,
    drop: Annotated[
        str | None, typer.Option(metavar="NAME", help="Remove this namespace, whole.")
    ] = None,
    as_json: Json = False,
    _debug: Debug = False,
) -> None:
    """Show what a store holds, or drop a part of it.

    A namespace holds the documents that one strategy cut and one model embedded. Counted are the
    documents that the tenant may read with its labels.
    """
    from seamline.ingest.open import store_of
    from seamline.report.plain import one_line
    from seamline.store.values import Reader

    settings = settings_of(config, {"store": store}, quiet=True)
    with store_of(settings) as opened:
        if drop is not None:
            if not opened.drop(drop):
                raise MissingInput(f"no namespace named {drop!r}: nothing was dropped")
            emit(f"dropped {one_line(drop)}")
            return
        rows: list[dict[str, Any]] = []
        for info in opened.namespaces():
            with opened.open(info.name).read(Reader(tenant, frozenset(access or ()))) as view:
                rows.append(asdict(info) | asdict(view.count()))
    if as_json:
        print_json(rows)
        return
    for row in rows:
        held, cut = counted(row["documents"], "document"), counted(row["chunks"], "chunk")
        emit(f"{row['name']}: {held}, {cut}, revision {row['revision']}")
        model = f"; {row['fingerprint']}, {row['dim']} dimensions" if row["dim"] else "; words only"
        emit(f"  {one_line(row['strategy'] + model)}")
    if not rows:
        emit("no namespaces")
