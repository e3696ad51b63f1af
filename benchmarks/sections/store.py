"""A store filled and searched: what an ingest costs beside the model, memory, CPU a question.

Peers are run by `sys.executable`, or by the interpreter that SEAMLINE_PEERS names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from sections import Context
from store_worker import CHUNKS, DIM, QUESTIONS, grouped
from texts import REPOSITORY
from timing import Check, Table

FEW, SOME, MANY = 1_000, 5_000, 100_000
LEAST_FASTER, MOST_BESIDE, MOST_GROWTH = 50, 0.10, 1.5
DENSE_MS, HYBRID_MS, TENANT = 20, 30, 0.1
CHROMA = 10
HYBRID = "hybrid(positional=160, kernel=512)"


def run(context: Context) -> list[Table]:
    return [_again(context), _memory(context), *_index(context)]


def worker(*arguments: Any, python: str = sys.executable) -> dict[str, Any] | None:
    command = [python, REPOSITORY / "benchmarks" / "store_worker.py", *arguments]
    words = [str(part) for part in command]
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode:
        print(f"{arguments[0]} {arguments[1]}: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return None
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _documents(context: Context, folder: Path, n: int) -> None:
    """`n` small documents of 300 to 900 characters."""
    (folder / "docs").mkdir()
    texts: list[str] = []
    while len(texts) < n:
        texts += context.fresh.documents(600 * n, 300, 900)
    for number, text in enumerate(texts[:n]):
        (folder / "docs" / f"{number:06}.md").write_text(text, encoding="utf-8")


def _ingested(context: Context, n: int, model: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        _documents(context, Path(folder), n)
        return worker("ingest", folder, model) or {}


def _again(context: Context) -> Table:
    table = Table(f"{SOME:,} small documents into SQLite with the embedded model")
    found = _ingested(context, SOME, "minilm")
    first, again = found["first"], found["again"]
    beside = 1 - first["model CPU-s"] / first["CPU-s"]
    faster = first["CPU-s"] / again["CPU-s"]
    table.rows = [
        {
            "run": name,
            "chunks written": row["chunks"],
            "CPU-s": row["CPU-s"],
            "wall-s": row["wall-s"],
            "share beside the model": share,
            "times faster": times,
        }
        for name, row, share, times in (
            ("first", first, Check(beside, MOST_BESIDE, at_least=False), None),
            ("again, unchanged", again, None, Check(faster, LEAST_FASTER)),
        )
    ]
    return table


def _memory(context: Context) -> Table:
    table = Table(
        "Peak memory of an ingest",
        note="The model embeds the first 1,500 texts, so that it is in memory; the others get "
        "vectors that cost nothing.",
    )
    peaks = {n: float(_ingested(context, n, "first")["first"]["peak MB"]) for n in (FEW, MANY)}
    for n, peak in peaks.items():
        growth = Check(peak / peaks[FEW], MOST_GROWTH, at_least=False) if n == MANY else None
        table.rows.append({"documents": n, "peak MB": peak, "times that of the few": growth})
    return table


def _index(context: Context) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        inputs(context, place)
        filled, asked = worker("fill", folder) or {}, worker("search", folder) or {}
        python = os.environ.get("SEAMLINE_PEERS", sys.executable)
        peers = {name: worker("peer", name, folder, python=python) for name in PEERS}
    return [
        _filled(filled, {name: row for name, row in peers.items() if row}),
        _loaded(asked),
        _asked(asked, {name: row for name, row in peers.items() if row}),
    ]


PEERS = ("chromadb", "lancedb")


def inputs(context: Context, place: Path) -> None:
    """Real text for 100,000 chunks of 48 tokens, vectors in groups, questions of golden sets."""
    np.save(place / "vectors.npy", grouped(np.random.default_rng(0), CHUNKS))
    texts = context.fresh.documents(CHUNKS * 200, 1_000, 4_000)
    (place / "texts.json").write_text(json.dumps(texts))
    golden = sorted(REPOSITORY.glob("examples/*/golden.jsonl"))
    lines = [line for path in golden for line in path.read_text().splitlines()]
    questions = [json.loads(line)["question"] for line in lines[:: len(lines) // QUESTIONS]]
    (place / "questions.json").write_text(json.dumps(questions[:QUESTIONS]))


def _filled(ours: dict[str, Any], peers: dict[str, Any]) -> Table:
    table = Table(f"{CHUNKS:,} chunks with vectors of {DIM} dimensions written")
    for name, row in {"seamline, SQLite": ours, **peers}.items():
        ratio: Any = row["put"] / ours["put"]
        table.rows.append(
            {
                "store": name,
                "CPU-s": row["put"],
                "times seamline's": Check(ratio, CHROMA) if name == "chromadb" else ratio,
                "cutting and counting words, CPU-s": row.get("cut"),
                "MB": row["MB"],
            }
        )
    return table


def _loaded(ours: dict[str, Any]) -> Table:
    row = {name: ours[name] for name in ("load CPU-s", "kept MB", "peak MB")}
    row["peak ÷ kept"] = ours["peak MB"] / ours["kept MB"]
    return Table(f"{CHUNKS:,} chunks loaded by the first question", [row])


def _asked(ours: dict[str, Any], peers: dict[str, Any]) -> Table:
    table = Table(f"CPU ms a question at {CHUNKS:,} chunks, 10 pieces shown")
    limits = {"dense": DENSE_MS, HYBRID: HYBRID_MS}
    for spec in ("dense", "bm25", "hybrid", HYBRID):
        limit = limits.get(spec)
        all_ms = Check(ours[spec], limit, at_least=False) if limit else ours[spec]
        table.rows.append({"search": spec, "all": all_ms, "a tenant's 1 %": ours[f"{spec}, 1 %"]})
    share = ours["scan of 1 %"] / ours["scan"]
    table.rows.append(
        {
            "search": "the scan of vectors alone",
            "all": ours["scan"],
            "a tenant's 1 %": ours["scan of 1 %"],
            "1 % ÷ all": Check(share, TENANT, at_least=False),
        }
    )
    for name, row in peers.items():
        table.rows.append(
            {"search": name, "all": row["dense"], "a tenant's 1 %": row["dense, 1 %"]}
        )
    return table
