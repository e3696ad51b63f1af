"""A golden set whose documents changed: where its gold stands now, and what became of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from seamline.golden.findings import Finding
from seamline.golden.moved import CERTAIN, Anchored, State, lost, span_now
from seamline.golden.nearest import nearest
from seamline.golden.records import Record, read_records
from seamline.golden.renamed import Renamed
from seamline.golden.resolve import Documents
from seamline.golden.rows import answer_row, line_of
from seamline.types import Document

__all__ = ["Reanchored", "reanchor"]

_MARK = "\ufeff"  # what some editors put before UTF-8


@dataclass(frozen=True, slots=True)
class Reanchored:
    """A golden set anchored anew: `text` is the new file, `spans` what became of each span.

    `broken` are errors of lines that cannot be read as questions; they stay as they are.
    `renamed` maps old ids of documents to new ones.
    """

    text: str
    spans: tuple[Anchored, ...]
    broken: tuple[Finding, ...]
    renamed: Mapping[str, str]
    n_questions: int

    @property
    def ok(self) -> bool:
        """Whether every span has its place and every line could be read."""
        return not self.broken and all(span.state in CERTAIN for span in self.spans)

    def counts(self) -> dict[str, int]:
        """How many spans are in each state."""
        counted = Counter(span.state for span in self.spans)
        states: tuple[State, ...] = ("unchanged", "moved", "lost", "ambiguous")
        return {state: counted[state] for state in states}


def reanchor(path: str | Path, documents: Documents, *, drop_lost: bool = False) -> Reanchored:
    """The golden set at `path` with the offsets that its gold has in `documents` now.

    A span is `unchanged` where its text still stands, `moved` where the text is found
    elsewhere by itself or by what stands before and after it, `lost` where it is
    nowhere, `ambiguous` where several places would do, or nothing says what to look
    for. A document that is not there is looked for under another name by its
    `doc_sha256`, its file name and its gold. Questions all of whose spans have a place get
    offsets, `before`, `after` and `doc_sha256` anew; all other lines stay to the byte,
    or are left out if a span is lost and `drop_lost`. Cost: one pass over each document
    and span, and one more for what is lost.

    Raises:
        MissingInput: the file is not there.
        InvalidGold: the file is not UTF-8.
    """
    records, findings = read_records(path)
    found = Renamed(documents, records)
    by_line = {record.line: record for record in records}
    spans: list[Anchored] = []
    lines: list[str] = []
    text = Path(path).read_bytes().decode()
    mark = text[: text.startswith(_MARK)]
    for number, line in enumerate(text[len(mark) :].split("\n"), 1):
        record = by_line.get(number)
        if record is None:
            lines.append(line)
            continue
        kept, own = _anchored(line, record, found)
        spans += own
        if not (drop_lost and any(one.state == "lost" for one in own)):
            lines.append(kept)
    return Reanchored(
        mark + "\n".join(lines),
        tuple(_with_nearest(spans, found.documents)),
        tuple(one for one in findings if one.severity == "error"),
        found.renamed,
        len(records),
    )


def _anchored(line: str, record: Record, found: Renamed) -> tuple[str, list[Anchored]]:
    """The line of a question with the places of its gold now, and what became of each."""
    document, own = _question(record, found)
    if document is None or not own or not all(one.state in CERTAIN for one in own):
        return line, own
    is_renamed = found.is_renamed(record, document)
    own = [replace(one, state="moved") for one in own] if is_renamed else own
    return _rewritten(line, document, own, found.digest(document), renamed=is_renamed), own


def _question(record: Record, found: Renamed) -> tuple[Document | None, list[Anchored]]:
    """The document of a question and its spans there: the first candidate that has them all."""
    quotes = [quote for slot in record.slots for quote in slot]
    best: tuple[Document | None, list[Anchored]] | None = None
    for document in found.candidates(record):
        same = record.doc_sha256 == found.digest(document)
        own = [span_now(record, document, quote, same=same) for quote in quotes]
        if all(one.state in CERTAIN for one in own):
            return document, own
        best = best or (document, own)
    why = f"there is no document {record.doc_id!r}, nor one of its text, file name or gold"
    return best or (None, [lost(record, quote, why) for quote in quotes])


def _rewritten(
    line: str, document: Document, own: Sequence[Anchored], digest: str, *, renamed: bool
) -> str:
    """The line with its answers' places anew; as it is where they are the same."""
    row: dict[str, Any] = json.loads(line)
    answers = iter([answer_row(document, one.new) for one in own if one.new])
    new = row | {"answers": list(_filled(row["answers"], answers)), "doc_sha256": digest}
    new |= {"doc_id": document.id} if renamed else {}
    end = "\r" if line.endswith("\r") else ""
    return line if new == row else line_of(new) + end


def _filled(answers: Sequence[Any], new: Iterator[dict[str, Any]]) -> Iterator[Any]:
    """The answers in their shape, each with its new place and the keys of the user's own."""
    for answer in answers:
        if isinstance(answer, list):
            yield list(_filled(answer, new))
            continue
        kept = answer if isinstance(answer, dict) else {}
        yield {key: value for key, value in kept.items() if key != "occurrence"} | next(new)


def _with_nearest(spans: Sequence[Anchored], documents: Mapping[str, Document]) -> list[Anchored]:
    """The spans, those that are lost with the passage of their document that is most like them."""
    missing: dict[str, list[int]] = {}
    for i, one in enumerate(spans):
        if one.state == "lost" and one.text and one.doc_id in documents:
            missing.setdefault(one.doc_id, []).append(i)
    found = list(spans)
    for doc_id, rows in missing.items():
        text = documents[doc_id].text
        for i, near in zip(rows, nearest(text, [spans[i].text for i in rows]), strict=True):
            if near:
                held = text[near.span.start : near.span.end]
                found[i] = replace(spans[i], near=near.span, near_text=held)
    return found
