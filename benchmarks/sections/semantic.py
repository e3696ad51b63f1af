"""Semantic splitting with one embedding function for every tool."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import peers
from ours import embedded_model, semantic
from sections import Context
from sections.characters import OURS
from timing import Check, Table, cpu_seconds, n_bytes, ratios

LIMIT, SHARE = 2.5, 15.0
TOTAL = 30_000
Embed = Callable[[Sequence[str]], Any]


class Meter:
    """The embedding function, and what was spent in it since the last `take`."""

    def __init__(self, embed: Embed) -> None:
        self._embed = embed
        self.texts, self.seconds = 0, 0.0

    def __call__(self, texts: Sequence[str]) -> Any:
        start = time.process_time()
        vectors = self._embed(list(texts))
        self.seconds += time.process_time() - start
        self.texts += len(texts)
        return vectors

    def take(self) -> tuple[int, float]:
        spent = self.texts, self.seconds
        self.texts, self.seconds = 0, 0.0
        return spent


def run(context: Context) -> list[Table]:
    meter = Meter(embedded_model().embed_documents)
    tools = {OURS: semantic(meter)} | peers.made(peers.SEMANTIC, meter)
    rounds = max(3, context.rounds // 3)
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in tools}
    for tool in tools.values():
        tool(context.fresh.document(3_000))
    for _ in range(rounds):
        for name, tool in tools.items():
            texts = context.fresh.documents(TOTAL)
            mb = n_bytes(texts) / 1e6
            meter.take()
            total = cpu_seconds(tool, texts)
            embedded, inside = meter.take()
            found[name].append((total / mb, embedded / mb, 100 * (total - inside) / total))
    return [_table(found)]


def _table(found: dict[str, list[tuple[float, float, float]]]) -> Table:
    table = Table("Semantic, the embedded model, documents of 2 to 20 KB")
    ours = [total for total, _, _ in found[OURS]]
    for name, rows in found.items():
        totals, embedded, shares = (list(column) for column in zip(*rows, strict=True))
        ratio, spread = ratios(totals, ours)
        share = statistics.median(shares)
        table.rows.append(
            {
                "tool": name,
                "CPU-s / MB": statistics.median(totals),
                f"{OURS} is × as fast": ratio if name == OURS else Check(ratio, LIMIT),
                "range over rounds": spread,
                "texts embedded / KB": statistics.median(embedded) / 1000,
                "not embedding, %": Check(share, SHARE, at_least=False) if name == OURS else share,
            }
        )
    table.note = (
        "Every tool is given the same function, as large a batch as it will pass; CPU seconds "
        "of all threads. llama-index and langchain embed windows of three sentences, chonkie "
        "windows of three and each sentence, with their default thresholds."
    )
    return table
