"""Rows of tables as sentences: megabytes of table text a second, parsed before."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Callable
from typing import Any

from ours import without_fast
from seamline.parse import parse_text
from seamline.split import parse_strategy
from seamline.split.rows import sentences_of
from seamline.split.table_blocks import tables_of
from seamline.types import Document
from sections import Context
from timing import Check, Table, cpu_seconds, speed

LIMIT = 20.0
N_ROWS = 40_000
NAMES = ["Part", "Name", "Weight (kg)", "Price", "In stock", "Supplier"]
WORDS = "pump valve belt seal motor gear filter hose clamp sensor".split()
Rows = list[list[str]]


def run(context: Context) -> list[Table]:
    without_fast()
    table = Table(f"Table rows as sentences, {N_ROWS:,} rows of {len(NAMES)} cells")
    for name, (media_type, write) in KINDS.items():
        said: list[float] = []
        split: list[float] = []
        for _ in range(max(3, context.rounds // 2)):
            text = write(_rows(random.Random(context.fresh.seed())))
            document = parse_text(text, media_type=media_type)
            n_megabytes = len(text.encode()) / 1e6
            said.append(_seconds(_say, document) / n_megabytes)
            split.append(_seconds(parse_strategy("table_rows").split, document) / n_megabytes)
        sentences = speed(said)
        table.rows.append(
            {
                "text": name,
                "sentences, MB / CPU-s": Check(sentences, LIMIT) if name == CHECKED else sentences,
                "chunks, MB / CPU-s": speed(split),
            }
        )
    return [table]


def _seconds(work: Callable[[Any], Any], document: Document) -> float:
    return cpu_seconds(lambda _: work(document), [""])


def _say(document: Document) -> list[str]:
    return [
        sentence
        for table in tables_of(document)
        for sentence in sentences_of(document, table).of(table.rows)
    ]


def _rows(rng: random.Random) -> Rows:
    return [
        [
            f"P-{number:06d}",
            f"{rng.choice(WORDS).title()} {rng.randrange(999)}",
            f"{rng.random() * 50:.2f}",
            f"${rng.randrange(9999):,}.00",
            rng.choice(["Yes", "No"]),
            f"{rng.choice(WORDS)} {rng.choice(WORDS)} works",
        ]
        for number in range(N_ROWS)
    ]


def _markdown(rows: Rows) -> str:
    lines = [NAMES, ["---"] * len(NAMES), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _in_code(rows: Rows) -> str:
    return _markdown([[f"`{row[0]}`", f"**{row[1]}**", *row[2:]] for row in rows])


def _csv(rows: Rows, delimiter: str = ",") -> str:
    written = io.StringIO()
    csv.writer(written, delimiter=delimiter, lineterminator="\n").writerows([NAMES, *rows])
    return written.getvalue()


CHECKED = "Markdown"
KINDS: dict[str, tuple[str, Callable[[Rows], str]]] = {
    CHECKED: ("text/markdown", _markdown),
    "Markdown, code and bold": ("text/markdown", _in_code),
    "CSV, a quoted cell a row": ("text/csv", _csv),
    "CSV with semicolons": ("text/csv", lambda rows: _csv(rows, ";")),
}
