"""The data that the report's scripts read, in columns to keep it small."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from seamline.bench.schema import ResultsData
from seamline.report.failed import failed_rows
from seamline.report.labels import LABELS
from seamline.report.model import Standing, columns
from seamline.types import Document

__all__ = ["MOST_RANKINGS", "MOST_TEXT", "embedded_texts", "payload"]

MOST_TEXT = 8_000_000
"""Characters of documents that one file holds; a browser opens that in seconds."""

MOST_RANKINGS = 20_000
"""Rankings that one file holds, about 2 MB: those of the best strategies."""


def embedded_texts(data: ResultsData, documents: Mapping[str, Document]) -> dict[str, str]:
    """The texts worth embedding: asked about first, then the others, up to `MOST_TEXT`."""
    asked = dict.fromkeys(question["doc_id"] for question in data["questions"])
    order = [*asked, *(row["id"] for row in data["documents"] if row["id"] not in asked)]
    texts: dict[str, str] = {}
    room = MOST_TEXT
    for doc_id in order:
        text = documents[doc_id].text
        if len(text) <= room:
            texts[doc_id] = text
            room -= len(text)
    return texts


def payload(
    data: ResultsData, placed: Sequence[Standing], texts: Mapping[str, str]
) -> dict[str, Any]:
    """What the scripts show: texts, questions, and a strategy's cuts, hits and values.

    Offsets are code points. Spans of one document are one flat list of gaps and
    lengths; a text that is not in `texts` is null and brings no chunks. Rows of one
    strategy share a `cut`. Of many strategies with many questions only the best have what
    they retrieved.
    """
    doc_ids = [row["id"] for row in data["documents"]]
    numbers = {doc_id: i for i, doc_id in enumerate(doc_ids)}
    asked = data["questions"]
    indices = {question["id"]: i for i, question in enumerate(asked)}
    names = columns(data)
    shown = max(1, MOST_RANKINGS // max(len(asked), 1))
    first = {_named(one): one for one in reversed(placed)}
    numbers_of = {strategy: i for i, strategy in enumerate(first)}
    return {
        "primary": data["config"]["primary"],
        "lower": data["config"]["lower_is_better"],
        "k": data["config"]["k"],
        "measures": names,
        "labels": list(LABELS),
        "documents": {"id": doc_ids, "text": [texts.get(doc_id) for doc_id in doc_ids]},
        "questions": {
            "id": [question["id"] for question in asked],
            "doc": [numbers[question["doc_id"]] for question in asked],
            "text": [question["text"] for question in asked],
            "tags": [question["tags"] for question in asked],
            "slots": [question["slots"] for question in asked],
        },
        "cuts": [_cut(one, doc_ids, texts) for one in first.values()],
        "strategies": [
            {
                **_strategy(one, names, indices),
                "cut": numbers_of[_named(one)],
                "retrieved": _retrieved(one) if i < shown else None,
                "failed": failed_rows(data, one.summary.spec, indices),
            }
            for i, one in enumerate(placed)
        ],
    }


def _named(one: Standing) -> str:
    return one.row.get("strategy", one.summary.spec)


def _cut(one: Standing, doc_ids: Sequence[str], texts: Mapping[str, str]) -> list[list[int] | None]:
    chunks = one.row["chunks"]
    return [_gaps(chunks[doc_id]) if doc_id in texts else None for doc_id in doc_ids]


def _strategy(one: Standing, names: Sequence[str], indices: Mapping[str, int]) -> dict[str, Any]:
    row = one.row
    return {
        "spec": row["spec"],
        "label": one.label,
        "values": [[_short(v) for v in row["measures"][name]["values"]] for name in names],
        "similarity": [_short(top["similarity"]) if top else None for top in row["top1"]],
        "split": [
            [indices[split["question"]], *split["span"], *_flat(split["pieces"])]
            for split in row["containment"]["split"]
        ],
    }


def _retrieved(one: Standing) -> list[list[Any]]:
    return [_flat(_hit(*hit) for hit in hits) for hits in one.row["retrieved"]]


def _gaps(spans: Iterable[Sequence[int]]) -> list[int]:
    """Of each span the distance from the start before, and the length."""
    out, last = [], 0
    for start, end in spans:
        out += [start - last, end - start]
        last = start
    return out


def _flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    return list(chain.from_iterable(rows))


def _hit(doc: float, start: float, end: float, score: float) -> tuple[int, int, int, float | None]:
    return int(doc), int(start), int(end), _short(score)


def _short(value: float | None) -> float | None:
    """Four digits, and whole numbers without a point."""
    if value is None:
        return None
    rounded = float(f"{value:.4g}")
    return int(rounded) if rounded.is_integer() else rounded
