"""What each strategy costs: chunks, tokens to embed, time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from seamline.report.markup import Markup, spec, table, tag
from seamline.report.model import Standing, number

__all__ = ["expenses", "in_bytes"]

_STAGES = ("split", "embed", "index", "rank", "measure")


def expenses(placed: Sequence[Standing], timings: Mapping[str, Any]) -> list[Markup]:
    """The table of costs, that of times where there are any, and that of aligned chunks."""
    found = [_costs(placed)]
    if timings.get("strategies"):
        found.append(_times(placed, timings))
    if any(one.row["aligned"] for one in placed):
        found.append(_aligned(placed))
    return found


def _costs(placed: Sequence[Standing]) -> Markup:
    rows = []
    for one in placed:
        cost = one.summary.cost
        rows.append(
            [
                spec(one.summary.spec),
                f"{cost['chunks']:,}",
                f"{cost['indexed_tokens']:,}",
                f"{cost['inflation'] or 0:.2f} ×",
                f"{cost['embedding_calls']:,}",
                f"{cost['embedding_tokens']:,}",
                f"{cost['embedding_tokens'] / max(cost['source_tokens'], 1):.2f} ×",
                in_bytes(cost["vector_bytes"]),
                "–" if cost["truncated_share"] is None else f"{cost['truncated_share']:.1%}",
            ]
        )
    head = [
        "strategy",
        "chunks",
        "indexed tokens",
        "inflation",
        "embed calls",
        "tokens embedded",
        "of the source",
        "vectors",
        "unseen",
    ]
    note = tag(
        "p",
        "Counted for a first run, whatever a cache already held. Inflation is indexed tokens over "
        "source tokens; embed calls are the texts embedded. Unseen are tokens beyond the "
        "embedder's window.",
        class_="lead",
    )
    return tag("div", note, table(head, rows, caption="What ingest costs"))


def in_bytes(n_bytes: float) -> str:
    """A number of bytes in the unit that suits it.

    Example:
        >>> in_bytes(950), in_bytes(1_234_567)
        ('950 B', '1.2 MB')
    """
    for unit in ("B", "KB", "MB"):
        if n_bytes < 1_000:
            return f"{n_bytes:.0f} {unit}" if unit == "B" else f"{n_bytes:.1f} {unit}"
        n_bytes /= 1_000
    return f"{n_bytes:.1f} GB"


def _times(placed: Sequence[Standing], timings: Mapping[str, Any]) -> Markup:
    own = timings["strategies"]
    rows = [
        [spec(one.summary.spec), *(_seconds(_stages(own, one), stage) for stage in _STAGES)]
        for one in placed
    ]
    shared = timings.get("stages", {})
    stages = ", ".join(f"{name} {row['seconds']:.2f} s" for name, row in shared.items())
    peaks = [row.get("peak_bytes") or 0 for one in (shared, *own.values()) for row in one.values()]
    peak = f"; most memory {in_bytes(max(peaks))}" if any(peaks) else ""
    about = f"Seconds of this run, with what the cache held. Once: {stages}{peak}."
    note = tag("p", about, class_="lead")
    return tag("div", note, table(["strategy", *_STAGES], rows, caption="Seconds by stage"))


def _stages(own: Mapping[str, Any], one: Standing) -> dict[str, Any]:
    """A row's stages; what several rankings of one strategy share stands under its own name."""
    spec = one.summary.spec
    return {**own.get(one.row.get("strategy", spec), {}), **own.get(spec, {})}


def _seconds(stages: Mapping[str, Any], stage: str) -> str:
    return number(stages[stage]["seconds"], 2) if stage in stages else "–"


def _aligned(placed: Sequence[Standing]) -> Markup:
    rows = [
        [spec(one.summary.spec), f"{found['chunks']:,}", f"{found['exact']:,}"]
        for one in placed
        if (found := one.row["aligned"])
    ]
    return table(
        ["strategy", "chunks", "found word for word"],
        rows,
        caption="Splitters without offsets, aligned to the text",
    )
