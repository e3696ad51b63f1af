"""PostgreSQL filled and searched: 100,000 chunks with vectors that are there, beside its peers.

SEAMLINE_POSTGRES is the URL of an empty database on a server with pgvector. Peers are run by
`sys.executable`, or by the interpreter that SEAMLINE_PEERS names.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from sections import Context
from sections.store import inputs, worker
from store_worker import CHUNKS, DIM, SERVER_RANKINGS
from timing import Check, Table

LEAST_FASTER, LEAST_RECALL, LEAST_AGREEMENT = 5, 0.95, 0.95
PEERS = ("langchain-postgres", "llama-index")


def run(context: Context) -> list[Table]:
    url = os.environ.get("SEAMLINE_POSTGRES")
    if not url:
        print("postgres: SEAMLINE_POSTGRES names no database, so it is left out", file=sys.stderr)
        return []
    python = os.environ.get("SEAMLINE_PEERS", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        inputs(context, Path(folder))
        filled = worker("server_fill", folder, url) or {}
        asked = worker("server_search", folder, url) or {}
        found = {name: worker("server_peer", name, folder, url, python=python) for name in PEERS}
    peers = {name: row for name, row in found.items() if row}
    return [_filled(filled, peers), _asked(asked, peers)]


def _filled(ours: dict[str, Any], peers: dict[str, Any]) -> Table:
    table = Table(
        f"{CHUNKS:,} chunks with vectors of {DIM} dimensions into PostgreSQL",
        note="By the clock, the server on the same two cores. seamline also writes what its search "
        "by words needs; the peers build no index here.",
    )
    for name, row in {"seamline": ours, **peers}.items():
        ratio: Any = row["put"] / ours["put"]
        is_first = name == PEERS[0]
        table.rows.append(
            {
                "library": name,
                "seconds": row["put"],
                "chunks/s": CHUNKS / row["put"],
                "times seamline's": Check(ratio, LEAST_FASTER) if is_first else ratio,
                "indexes, s": row.get("indexes"),
                "MB": row.get("MB"),
            }
        )
    return table


def _asked(ours: dict[str, Any], peers: dict[str, Any]) -> Table:
    table = Table(f"A question at {CHUNKS:,} chunks in PostgreSQL, 10 pieces shown")
    for spec in SERVER_RANKINGS:
        recall = Check(ours["recall"], LEAST_RECALL) if spec == "dense" else None
        small = Check(ours["recall, 1 %"], 1.0) if spec == "dense" else None
        p50, p99 = ours[spec]
        table.rows.append(
            {
                "search": spec,
                "p50 ms": p50,
                "p99 ms": p99,
                "recall@10": recall,
                "of the exact first 10": Check(ours[f"{spec}, agrees"], LEAST_AGREEMENT),
                "a tenant's 1 %, p50 ms": ours[f"{spec}, 1 %"][0],
                "recall@10 of it": small,
            }
        )
    for name, row in peers.items():
        p50, p99 = row["dense"]
        table.rows.append({"search": f"{name}, dense", "p50 ms": p50, "p99 ms": p99})
    return table
