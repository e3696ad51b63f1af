"""Readers and a writer on one store at once: no error, no wrong row, and what a search takes.

A document has the number of its version in every sentence, and its version is stored beside it,
so a reader sees a mixture of two versions or a row of another tenant at once.

    python benchmarks/load.py sqlite:////tmp/load.db --readers 16 --seconds 300
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
import time
from collections.abc import Iterator
from multiprocessing.queues import Queue
from typing import Any

import numpy as np

from seamline.retrieve import parse_retriever
from seamline.retrieve.searcher import Searcher
from seamline.store import NamespaceInfo, Reader, open_store
from seamline.store.base import Namespace
from seamline.testing.stores import make_entry, vector_of

DIM = 384
SENTENCES = 10  # of a document, each a chunk
WORDS = ("pump", "belt", "valve", "filter", "motor", "gauge", "hose", "seal")
INFO = NamespaceInfo("load", "sentence(size=8)", DIM, "load-1")
RANKING = "hybrid(positional=160, kernel=512)"
TENANTS = ("one", "two")


class Hashed:
    """Vectors that follow from a text alone."""

    fingerprint = INFO.fingerprint

    def embed_documents(self, texts: list[str]) -> Any:
        return np.array([vector_of(text, DIM) for text in texts], np.float32)

    embed_queries = embed_documents


def document(number: int, version: int) -> Any:
    """Version `version` of a document: every sentence says so."""
    rng = np.random.default_rng(number)
    lines = [
        f"Doc{number} v{version} line{i} has a {rng.choice(WORDS)} and {rng.choice(WORDS)}."
        for i in range(SENTENCES)
    ]
    tenant = TENANTS[number % len(TENANTS)]
    return make_entry(
        f"{number:06}", " ".join(lines), dim=DIM, tenant=tenant, metadata={"version": version}
    )


def fill(namespace: Namespace, n: int) -> None:
    """All documents in their first version."""
    for at in range(0, n, 200):
        namespace.put([document(number, 1) for number in range(at, min(at + 200, n))])


def write(url: str, n: int, until: float, out: Queue[Any]) -> None:
    """Replace one document after the other until the time is over."""
    rng, done = np.random.default_rng(1), 0
    versions = np.ones(n, np.int64)
    with open_store(url) as store:
        namespace = store.open(INFO.name)
        while time.time() < until:
            number = int(rng.integers(n))
            versions[number] += 1
            namespace.put([document(number, int(versions[number]))])
            done += 1
    out.put(("writer", done, [], []))


def read(url: str, seed: int, until: float, out: Queue[Any]) -> None:
    """Search until the time is over; what was wrong, and what each search took."""
    rng = np.random.default_rng(seed)
    spent: list[float] = []
    wrong: list[str] = []
    with open_store(url) as store:
        namespace = store.open(INFO.name)
        searcher = Searcher(namespace, parse_retriever(RANKING), Hashed(), k=5)
        while time.time() < until:
            tenant = TENANTS[int(rng.integers(len(TENANTS)))]
            question = f"Which {rng.choice(WORDS)} and {rng.choice(WORDS)}?"
            began = time.perf_counter()
            try:
                answer = searcher.search(question, Reader(tenant))
            except Exception as error:  # noqa: BLE001 - counted
                wrong.append(f"{type(error).__name__}: {error}")
                continue
            spent.append(time.perf_counter() - began)
            wrong += list(faults(answer, tenant))
    out.put(("reader", len(spent), wrong, spent))


def faults(answer: Any, tenant: str) -> Iterator[str]:
    """What is wrong with an answer."""
    if len(answer.passages) != 5:
        yield f"{len(answer.passages)} passages"
    for passage in answer.passages:
        owner = TENANTS[int(passage.doc_id) % len(TENANTS)]
        if owner != tenant:
            yield f"{passage.doc_id} of {owner} for {tenant}"
        said = set(re.findall(r"Doc(\d+) v(\d+)", passage.text))
        if said != {(str(int(passage.doc_id)), str(passage.document["version"]))}:
            yield f"{passage.doc_id} version {passage.document['version']} says {said}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("store", help="its URL")
    parser.add_argument("--readers", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--documents", type=int, default=2000, help="of 10 chunks each")
    given = parser.parse_args()
    with open_store(given.store) as store:
        store.drop(INFO.name)
        fill(store.create(INFO), given.documents)
    context = multiprocessing.get_context("spawn")
    out: Queue[Any] = context.Queue()
    until = time.time() + given.seconds
    work = [
        context.Process(target=write, args=(given.store, given.documents, until, out)),
        *(
            context.Process(target=read, args=(given.store, seed, until, out))
            for seed in range(given.readers)
        ),
    ]
    for one in work:
        one.start()
    found = [out.get() for _ in work]
    for one in work:
        one.join()
    spent = np.array([took for _, _, _, own in found for took in own]) * 1000
    wrong = [text for _, _, own, _ in found for text in own]
    told = {
        "store": given.store.partition(":")[0],
        "seconds": given.seconds,
        "readers": given.readers,
        "chunks": given.documents * SENTENCES,
        "searches": len(spent),
        "writes": sum(n for kind, n, _, _ in found if kind == "writer"),
        "wrong": len(wrong),
        "examples": wrong[:3],
        **{f"p{p}_ms": float(np.percentile(spent, p)) for p in (50, 95, 99)},
    }
    print(json.dumps(told, indent=1))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
