"""Gold that no longer fits its documents, with the lines of the file to mend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from seamline.errors import InvalidGold
from seamline.golden import GoldenSet, load_golden, validate
from seamline.golden.records import read_records
from seamline.golden.sets import refuse_skipped
from seamline.lock.digest import gold_digest
from seamline.lock.lock import Lock
from seamline.parse import Skipped
from seamline.types import Document

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

    A span written without its text is compared with the text that the lock knows: an
    edit before it would shift it unseen.

    Raises:
        BrokenGold: a span does not fit, a line is none, or a document is not there.
        MissingInput: the file is not there.
    """
    try:
        refuse_skipped(path, documents, skipped)
        questions = load_golden(path, documents)
    except InvalidGold as error:
        raise BrokenGold(str(error), _faults(path, documents, str(error))) from None
    if faults := _shifted(path, {one.id: one for one in documents}, lock, questions):
        raise BrokenGold("; ".join(fault.says for fault in faults), faults)
    return questions


def _faults(path: Path, documents: Sequence[Document], message: str) -> list[Fault]:
    """Each error of the file with the nearest text that would be right."""
    try:
        errors = validate(path, documents).errors
    except InvalidGold:  # not even UTF-8
        errors = ()
    return [Fault(one.line, str(one)) for one in errors] or [Fault(0, message)]


def _shifted(
    path: Path, documents: Mapping[str, Document], lock: Lock, questions: GoldenSet
) -> list[Fault]:
    """Questions about changed documents whose gold, given by offsets alone, is other text now."""
    bare = {
        record.id: record.line
        for record in read_records(path)[0]
        if any(quote.text is None for slot in record.slots for quote in slot)
    }
    found = []
    for question in questions:
        was, document = lock.questions.get(question.id), documents[question.doc_id]
        if question.id not in bare or was is None or was.doc_id != document.id:
            continue
        edited = lock.documents[document.id].digest != document.digest
        if edited and gold_digest(question, document) != was.gold:
            says = (
                f"question {question.id!r}: {document.id!r} changed, and what stands at its gold "
                "offsets is not what was locked: give the answer's text"
            )
            found.append(Fault(bare[question.id], says))
    return found
