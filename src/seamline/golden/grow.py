"""Adds questions to a golden set without touching a line that is there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from seamline.golden.findings import Finding
from seamline.golden.records import read_records
from seamline.golden.resolve import Resolver
from seamline.golden.rows import Draft, draft_row, line_of
from seamline.types import Document, Question

__all__ = ["Existing", "draft_lines", "read_existing"]


class Existing:
    """A golden set that questions are added to: its text as it is, what it asks, its ids.

    `n` is how many questions it has, fit for these documents or not. `broken` are the
    findings about lines that are no questions of these documents; they stay as they are.
    """

    def __init__(
        self,
        text: str,
        questions: Sequence[Question],
        ids: set[str],
        broken: Sequence[Finding],
        *,
        n: int,
    ) -> None:
        self.text = text
        self.n = n
        self.questions = questions
        self.ids = ids
        self.broken = broken


def read_existing(path: Path, documents: Sequence[Document]) -> Existing:
    """What the golden set at `path` holds.

    Raises:
        MissingInput, InvalidGold: see `read_records`.
    """
    records, findings = read_records(path)
    text = path.read_bytes().decode()  # with its byte order mark and line ends
    resolver = Resolver(documents)
    questions: list[Question] = []
    for record in records:
        question, found = resolver.question(record)
        findings += (one for one in found if question is None)
        if question:
            questions.append(question)
    broken = [one for one in findings if one.severity == "error"]
    return Existing(text, questions, {one.id for one in records}, broken, n=len(records))


def draft_lines(drafts: Iterable[Draft], taken: Iterable[str] = ()) -> list[str]:
    """A line of a golden set for each draft, without line ends, the ids unlike those taken."""
    ids = set(taken)
    digests: dict[str, str] = {}
    lines: list[str] = []
    for draft in drafts:
        document = draft.document
        digest = digests.get(document.id) or digests.setdefault(document.id, document.digest)
        row = draft_row(draft, digest)
        row["id"] = _free(row["id"], ids)
        ids.add(row["id"])
        lines.append(line_of(row))
    return lines


def _free(name: str, taken: set[str]) -> str:
    n, free = 1, name
    while free in taken:
        n += 1
        free = f"{name}-{n}"
    return free
