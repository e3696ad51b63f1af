"""Gold that no longer fits its documents, with the lines of the file to mend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seamline.errors import InvalidGold
from seamline.golden import Finding, GoldenSet
from seamline.golden.findings import Problem, invalid_gold
from seamline.golden.records import Record, read_records
from seamline.golden.resolve import Resolver
from seamline.golden.sets import refuse_skipped
from seamline.golden.validate import with_nearest
from seamline.lock.digest import gold_digest
from seamline.lock.lock import Lock
from seamline.parse import Skipped
from seamline.types import Document, Question

__all__ = ["BrokenGold", "Fault", "checked_gold"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a golden set: `line` counts from 1, 0 where there is none."""

    line: int
    says: str


class BrokenGold(InvalidGold):
    """A golden set that does not fit its documents: `faults` say where."""

    def __init__(self, message: str, faults: Sequence[Fault]) -> None:
        super().__init__(message)
        self.faults = tuple(faults)


def checked_gold(
    path: Path, documents: Sequence[Document], lock: Lock, *, skipped: Sequence[Skipped] = ()
) -> GoldenSet:
    """The questions of the golden set, all of whose spans fit their documents.

    As `load_golden`, but the lock knows which documents changed: their spans are found
    again by their text, and noted. A span written without its text must hold what was
    locked: an edit before it would shift it unseen.

    Raises:
        BrokenGold: a span does not fit, a line is none, or a document is not there.
        MissingInput: the file is not there.
    """
    try:
        refuse_skipped(path, documents, skipped)
        records, findings = read_records(path)
    except InvalidGold as error:  # an unreadable document, or no UTF-8
        raise BrokenGold(str(error), [Fault(0, str(error))]) from None
    resolver, questions = Resolver(documents), list[Question]()
    for record in records:
        question, found = _resolved(record, resolver, lock)
        findings += found
        if question:
            questions.append(question)
    findings.sort(key=lambda finding: finding.line)
    if invalid := invalid_gold(str(path), findings):
        errors = [one for one in with_nearest(findings, resolver) if one.severity == "error"]
        raise BrokenGold(str(invalid), [Fault(one.line, str(one)) for one in errors])
    return GoldenSet.of(questions, findings)


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
