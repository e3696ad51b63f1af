"""Loads a golden set: a JSONL file of questions with their gold spans."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from seamline.golden.findings import Finding, invalid_gold
from seamline.golden.records import read_records
from seamline.golden.resolve import Documents, Resolver
from seamline.types import Question

__all__ = ["GoldenSet", "load_golden"]


class GoldenSet(tuple[Question, ...]):  # noqa: SLOT001 - a tuple cannot have slots
    """The questions of a file in its order, and what a reader should know about them.

    `notes` are warnings of the loading: spans that were anchored anew because
    the document changed, overlapping spans that were merged.
    """

    notes: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, questions: Iterable[Question], notes: Iterable[Finding]) -> GoldenSet:
        """The set of these questions and notes."""
        golden = cls(questions)
        golden.notes = tuple(notes)
        return golden


def load_golden(path: str | Path, documents: Documents) -> GoldenSet:
    r"""The questions of the JSONL file at `path`, checked against `documents`.

    `documents` are a list of them, a mapping by id, or the path or paths of files
    and folders, which are read as `read_documents` does.

    A line is `{"id", "doc_id", "question", "answers", "mode"}`; an answer is
    `{"start", "end", "text"}`, a `{"text"}` that occurs once (or with
    `occurrence`, counted from 1), or just the quote. `doc_id` is a document's
    id, or its id without suffix where that is unique. Text with `\r\n` is
    compared with `\n`. Where a document changed (its `doc_sha256` differs, or
    the answer brings `before` or `after`), a span whose text moved is anchored
    anew and noted. Questions without answers are kept, with no slots.

    Raises:
        MissingInput: the file is not there, or a document is not.
        InvalidGold: some lines are not right; names the first ten, with line
            and question, and counts the others.

    Example:
        >>> import json, pathlib, tempfile
        >>> from seamline.types import Document
        >>> document = Document.from_text("Press F5 to refresh.", "keys.md")
        >>> line = {"id": "q1", "doc_id": "keys", "question": "Refresh?", "answers": ["F5"]}
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = pathlib.Path(folder, "golden.jsonl")
        ...     _ = file.write_text(json.dumps(line))
        ...     load_golden(file, [document])[0].spans
        (Span(start=6, end=8),)
    """
    records, findings = read_records(path)
    resolver = Resolver(documents)
    questions: list[Question] = []
    for record in records:
        question, found = resolver.question(record)
        findings += found
        if question:
            questions.append(question)
    findings.sort(key=lambda finding: finding.line)
    error = invalid_gold(str(path), findings)
    if error:
        raise error
    return GoldenSet.of(questions, findings)
