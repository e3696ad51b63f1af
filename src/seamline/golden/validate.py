"""Checks a golden set for what would make its scores wrong or unfair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from seamline.golden import checks
from seamline.golden.findings import Finding
from seamline.golden.mismatch import answer_json
from seamline.golden.nearest import nearest
from seamline.golden.records import Record, misspelt, read_records
from seamline.golden.resolve import Documents, Resolver
from seamline.protocols import Sizer
from seamline.sizers import parse_sizer
from seamline.types import Chunk, Document, Question

__all__ = ["Validation", "validate", "with_nearest"]


@dataclass(frozen=True, slots=True)
class Validation:
    """What `validate` found, errors first and by line; `n_questions` counts the lines read.

    `n_spans` counts the gold spans of questions without an error.
    """

    path: str
    n_questions: int
    n_spans: int
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that must be mended before the set can be used."""
        return tuple(f for f in self.findings if f.severity == "error")

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """The findings that are worth a look."""
        return tuple(f for f in self.findings if f.severity == "warning")

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings are allowed."""
        return not self.errors

    def counts(self) -> dict[str, int]:
        """How many findings there are of each code, the most frequent first."""
        return dict(Counter(f.code for f in self.findings).most_common())


def validate(
    path: str | Path,
    documents: Documents,
    *,
    strategies: Mapping[str, Iterable[Chunk]] | None = None,
    sizer: Sizer | str = "tokens",
) -> Validation:
    """Every finding about the golden set at `path`, errors and warnings.

    Errors are what `load_golden` refuses; for a quote that its document does
    not hold, the suggestion is the most similar passage as a JSON answer.
    Warnings: questions without gold, spans under 5 tokens (`sizer` counts), spans that
    begin or end with white space, overlapping spans, text that occurs again,
    questions in the answer's words, changed documents, and a leak: spans that
    start and end exactly on the boundaries of a strategy in `strategies` (its
    chunks of all documents). Known items are made of a document's own words and parts,
    and are not warned of for either. A key that is nearly a known one which the line or
    answer lacks ("tag", "occurence") is warned about as `unknown_key`; all other
    keys are the user's own and pass in silence. `documents` are as in
    `load_golden`. One pass over each document; a second for those with quotes
    that drifted.

    Raises:
        MissingInput: the file is not there.
        InvalidGold: the file is not UTF-8.
    """
    records, findings = read_records(path)
    resolver = Resolver(documents)
    pairs: list[tuple[Record, Question]] = []
    for record in records:
        question, found = resolver.question(record)
        findings += found
        findings += (misspelt(record.line, record.id, said) for said in record.misspelt)
        if question:
            pairs.append((record, question))
    findings = with_nearest(findings, resolver)
    findings += checks.warnings(pairs, resolver.documents, strategies or {}, parse_sizer(sizer))
    findings.sort(key=lambda f: (f.severity, f.line, f.code))
    lines = {record.line for record in records} | {finding.line for finding in findings}
    n_spans = sum(len(question.spans) for _, question in pairs)
    return Validation(str(path), len(lines), n_spans, tuple(findings))


def with_nearest(findings: Sequence[Finding], resolver: Resolver) -> list[Finding]:
    """The findings, those about drifted quotes with the nearest passage as suggestion."""
    by_document: dict[str, list[tuple[Finding, Document, str]]] = {}
    for drifted in resolver.drifted:
        by_document.setdefault(drifted[1].id, []).append(drifted)
    better: dict[int, Finding] = {}
    for rows in by_document.values():
        document = rows[0][1]
        for (finding, _, _), near in zip(
            rows, nearest(document.text, [quote for _, _, quote in rows]), strict=True
        ):
            if near:
                suggestion = answer_json(document, near.span)
                better[id(finding)] = replace(finding, suggestion=suggestion)
    return [better.get(id(finding), finding) for finding in findings]
