"""How a store grows: what building, loading, memory and searching take at more and more chunks.

    python benchmarks/scale.py sqlite:////tmp/scale.db --chunks 10000 100000 1000000

Chunks are sentences of made-up words, frequent and rare ones as in text (Zipf), with vectors of 384
dimensions in a thousand groups, as texts have subjects.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from seamline.retrieve import parse_retriever
from seamline.retrieve.searcher import Searcher
from seamline.store import NamespaceInfo, Reader, open_store
from seamline.store.base import SupportsSettle, SupportsSize
from seamline.testing.stores import make_entry
from store_worker import grouped

DIM = 384
SENTENCES = 100  # chunks of a document
WORDS = 50_000
TENANTS = 100
INFO = NamespaceInfo("scale", "sentence(size=8)", DIM, "scale-1")
RANKINGS = ("dense", "bm25", "hybrid(positional=160, kernel=512)")


class Drawn:
    """Random vectors, another one for each question."""

    fingerprint = INFO.fingerprint

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return grouped(self.rng, len(texts))

    embed_queries = embed_documents


def entries(first: int, n: int) -> list[Any]:
    """Documents `first` to `first + n`; a hundredth of them belongs to each tenant of its own."""
    rng, made = np.random.default_rng(first), []
    for number in range(first, first + n):
        ranks = np.minimum(rng.zipf(1.3, SENTENCES * 12), WORDS)
        words = [f"w{rank}" for rank in ranks.tolist()]
        lines = [" ".join(words[i * 12 : i * 12 + 8]) + "." for i in range(SENTENCES)]
        entry = make_entry(f"{number:08}", " ".join(lines), dim=DIM)
        made.append((entry, grouped(rng, len(entry.columns))))
    return [_with(entry, vectors) for entry, vectors in made]


def _with(entry: Any, vectors: Any) -> Any:
    from dataclasses import replace

    tenant = "small" if int(entry.doc_id) % TENANTS == 0 else ""
    return replace(entry, vectors=vectors, tenant=tenant)


def build(url: str, n_chunks: int) -> dict[str, Any]:
    """Fill a namespace, and what that took apart from making the documents."""
    with open_store(url) as store:
        store.drop(INFO.name)
        namespace, spent, wall = store.create(INFO), 0.0, 0.0
        for at in range(0, n_chunks // SENTENCES, 20):
            made = entries(at, min(20, n_chunks // SENTENCES - at))
            cpu, clock = time.process_time(), time.perf_counter()
            namespace.put(made)
            spent += time.process_time() - cpu
            wall += time.perf_counter() - clock
        clock = time.perf_counter()
        if isinstance(namespace, SupportsSettle):
            namespace.settle()
        built = time.perf_counter() - clock
        size = namespace.n_bytes if isinstance(namespace, SupportsSize) else 0
    return {
        "chunks": n_chunks,
        "write_cpu_s": spent,
        "write_s": wall,
        "indexes_s": built,
        "bytes": size,
    }


def search(url: str, tenant: str) -> dict[str, Any]:
    """What the first search and later ones take in a process of its own."""
    rng = np.random.default_rng(1)
    with open_store(url) as store:
        namespace = store.open(INFO.name)
        found: dict[str, Any] = {}
        for ranking in RANKINGS:
            searcher = Searcher(namespace, parse_retriever(ranking), Drawn(), k=10)
            name = ranking.partition("(")[0]
            spent, wall = [], []
            for _ in range(41):
                question = " ".join(f"w{rank}" for rank in np.minimum(rng.zipf(1.3, 6), WORDS))
                cpu, clock = time.process_time(), time.perf_counter()
                searcher.search(question, Reader(tenant))
                wall.append((time.perf_counter() - clock) * 1000)
                spent.append((time.process_time() - cpu) * 1000)
            found[f"{name}_first_ms"], found[f"{name}_cpu_ms"] = wall[0], np.median(spent[1:])
            found[f"{name}_p50_ms"], found[f"{name}_p99_ms"] = np.percentile(wall[1:], [50, 99])
    found["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", help="its URL")
    parser.add_argument("--chunks", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--only-search", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only_search is not None:
        print(json.dumps(search(given.store, given.only_search)))
        return 0
    for n in given.chunks:
        told = build(given.store, n)
        for tenant in ("", "small"):
            command = [sys.executable, __file__, given.store, "--only-search", tenant]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            prefix = f"{tenant}_" if tenant else ""
            told |= {f"{prefix}{key}": value for key, value in json.loads(done.stdout).items()}
        print(json.dumps({key: round(value, 2) for key, value in told.items()}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
