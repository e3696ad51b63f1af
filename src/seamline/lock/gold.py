"""Gold that no longer fits its documents, with the lines of the file to mend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seamline.errors import InvalidGold
from seamline.golden import Finding, GoldenSet
from seamline.golden.findings import Problem
from seamline.golden.records import Record, read_records
from seamline.golden.resolve import Resolver
from seamline.golden.sets import refuse_skipped
from seamline.golden.validate import with_nearest
from seamline.lock.digest import gold_digest
from seamline.lock.lock import Lock
from seamline.parse import Skipped
from seamline.types import Document, Question

__all__ = ["Fault", "checked_gold"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a golden set: `line` counts from 1, 0 where there is none."""

    line: int
    says: str


def checked_gold(
    path: Path, documents: Sequence[Document], lock: Lock, *, skipped: Sequence[Skipped] = ()
) -> tuple[GoldenSet, tuple[Fault, ...]]:
    """The questions of the golden set whose spans fit their documents, and what does not.

    As `load_golden`, but the lock knows which documents changed: their spans are found
    again by their text, and noted. A span written without its text must hold what was
    locked: an edit before it would shift it unseen. A fault is a span that does not fit, a
    line that is none, or a document that is not there.

    Raises:
        MissingInput: the file is not there.
    """
    try:
        refuse_skipped(path, documents, skipped)
        records, findings = read_records(path)
    except InvalidGold as error:  # an unreadable document, or no UTF-8
        return GoldenSet(), (Fault(0, str(error)),)
    resolver, questions = Resolver(documents), list[Question]()
    for record in records:
        question, found = _resolved(record, resolver, lock)
        findings += found
        if question:
            questions.append(question)
    findings.sort(key=lambda finding: finding.line)
    errors = [one for one in with_nearest(findings, resolver) if one.severity == "error"]
    faults = tuple(Fault(one.line, str(one)) for one in errors)
    return GoldenSet.of(questions, findings), faults


def _resolved(
    record: Record, resolver: Resolver, lock: Lock
) -> tuple[Question | None, list[Finding]]:
    """The question of a record, its spans found again where its document changed."""
    try:
        document = resolver.document(record.doc_id)
    except Problem as problem:
        return None, [problem.finding(record.line, record.id)]
    locked = lock.documents.get(document.id)
    if locked is None or locked.digest == document.digest:
        return resolver.question(record)
    dated = replace(record, doc_sha256=record.doc_sha256 or locked.digest)
    question, found = resolver.question(dated)
    if question and _shifted(question, record, document, lock):
        shifted = Problem(
            "shifted",
            f"document {document.id!r} changed, and what stands at the gold offsets is not what "
            "was locked",
            "give the answer's text",
        )
        found.append(shifted.finding(record.line, record.id))
    return question, found


def _shifted(question: Question, record: Record, document: Document, lock: Lock) -> bool:
    """Whether gold that is given by offsets alone holds other text than was locked."""
    was = lock.questions.get(question.id)
    bare = any(quote.text is None for slot in record.slots for quote in slot)
    if was is None or was.doc_id != document.id:
        return False
    return bare and gold_digest(question, document) != was.gold
