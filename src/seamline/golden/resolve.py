"""Turns records into questions: which document, which spans, does the text agree."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

from seamline.errors import InvalidConfig
from seamline.golden.anchor import anchor, find_all, places
from seamline.golden.findings import Finding, Problem, clip
from seamline.golden.mismatch import answer_json, mismatch
from seamline.golden.records import Quote, Record
from seamline.parse import read_documents
from seamline.types import Document, Question, Span

__all__ = ["Documents", "Resolver"]

# What is read as it is, so that nothing of it can get lost.
_AS_THEY_ARE = ("text/plain", "text/markdown")
_LOST = "lost"
_NEAR = 0.8  # of two paths; `httpx-timeouts` and `httpx-clients` have 0.74

Documents = Mapping[str, Document] | Iterable[Document | str | Path] | str | Path


def _documents(given: Documents) -> list[Document]:
    """The documents themselves; paths are read.

    Raises:
        InvalidConfig: something else was given.
        MissingInput, InvalidDocument: see `read_documents`.
    """
    items: list[Any] = [given]
    if isinstance(given, Mapping):
        items = list(given.values())
    elif isinstance(given, Iterable) and not isinstance(given, str):
        items = list(given)
    if items and all(isinstance(item, str | PathLike) for item in items):
        return list(read_documents(items))
    for item in items:
        if not isinstance(item, Document):
            raise InvalidConfig(
                "documents must be Document objects, or paths of files and folders, "
                f"got a {type(item).__name__}"
            )
    return items


class Resolver:
    """Looks records up in a set of documents.

    `drifted` lists the findings about quotes that their document does not
    hold, with the document and the quote, for whoever can say what is nearest.
    """

    def __init__(self, documents: Documents) -> None:
        self.documents = {document.id: document for document in _documents(documents)}
        self.drifted: list[tuple[Finding, Document, str]] = []
        self._stems: dict[str, list[str]] = {}
        for doc_id in self.documents:
            self._stems.setdefault(_stem(doc_id), []).append(doc_id)
        self._digests: dict[str, str] = {}

    def document(self, doc_id: str) -> Document:
        """The document of that id, or the only one whose id without suffix it is.

        Raises:
            Problem: there is none, or more than one.
        """
        if doc_id in self.documents:
            return self.documents[doc_id]
        matches = self._stems.get(doc_id, [])
        if len(matches) == 1:
            return self.documents[matches[0]]
        if matches:
            names = " or ".join(repr(match) for match in sorted(matches))
            raise Problem(
                "document",
                f"'doc_id' must name one document, but {doc_id!r} may be {names}",
                "write the whole id",
            )
        near = self._near(doc_id)
        raise Problem(
            "document",
            f"'doc_id' must name a document, but none of the {len(self.documents)} given "
            f"is {doc_id!r}",
            f"did you mean {near!r}?" if near else "is its file in the folder?",
        )

    def _near(self, doc_id: str) -> str:
        """The document that a slip of `doc_id` may mean; empty where none is near.

        The only one of that file name, in whatever folder and of whatever suffix, else
        one of nearly the same path. Suffixes do not count: any two files share one.
        """
        stem = _stem(doc_id)
        named = [one for one in self.documents if _name(one) == _name(doc_id)]
        if len(named) == 1:
            return named[0]
        known = {_stem(one): one for one in reversed(self.documents)}
        found = difflib.get_close_matches(stem, known, n=1, cutoff=_NEAR)
        return known[found[0]] if found else ""

    def question(self, record: Record) -> tuple[Question | None, list[Finding]]:
        """The question a record holds, None where it has an error, and what was found."""
        try:
            document = self.document(record.doc_id)
        except Problem as problem:
            return None, [problem.finding(record.line, record.id)]
        changed = self._changed(document, record.doc_sha256)
        findings: list[Finding] = []
        slots = [
            self._slot(document, slot, record, findings, changed=changed) for slot in record.slots
        ]
        if any(finding.severity == "error" for finding in findings):
            return None, findings
        if record.lost:
            return _lost(record, document, slots, findings)
        findings += _changed_note(record) if changed and not findings else []
        merged = _merge(slots)
        if len(merged) < len(slots):
            findings.append(_overlap(record, len(slots) - len(merged)))
        return _question(record, document, merged), findings

    def _changed(self, document: Document, digest: str) -> bool | None:
        """Whether the document is not the one the gold was made on; None if not known."""
        if not digest:
            return None
        if document.id not in self._digests:
            self._digests[document.id] = document.digest
        return self._digests[document.id] != digest

    def _slot(
        self,
        document: Document,
        quotes: Iterable[Quote],
        record: Record,
        findings: list[Finding],
        *,
        changed: bool | None,
    ) -> tuple[Span, ...]:
        spans: set[Span] = set()
        for quote in quotes:
            try:
                span, note = _locate(document, quote, changed=changed)
                spans.add(span)
                if note:
                    findings.append(note.finding(record.line, record.id, "warning"))
            except Problem as problem:
                is_converted = document.media_type not in _AS_THEY_ARE
                if problem.code == "quote" and is_converted and record.lost:
                    findings.append(_lost_quote(record, document, quote))
                    continue
                if problem.code == "quote" and is_converted and not problem.suggestion:
                    problem.suggestion = 'if parsing lost it, say "lost": true'
                findings.append(problem.finding(record.line, record.id))
                if problem.code == "quote" and quote.text:
                    self.drifted.append((findings[-1], document, quote.text))
        return tuple(sorted(spans))


def _name(doc_id: str) -> str:
    """The file name without folders and suffix."""
    return PurePosixPath(doc_id).stem


def _stem(doc_id: str) -> str:
    name = PurePosixPath(doc_id)
    return str(name.with_suffix("")) if name.suffix else doc_id


def _locate(
    document: Document, quote: Quote, *, changed: bool | None
) -> tuple[Span, Problem | None]:
    if quote.start is None or quote.end is None:
        return _by_quote(document, quote), None
    start, end = quote.start, quote.end
    fits = end <= len(document.text)
    if fits and (quote.text is None or document.text[start:end] == quote.text):
        return Span(start, end), None
    context = bool(quote.before or quote.after)
    if quote.text is None or not (changed or (changed is None and context)):
        raise mismatch(document, start, end, quote.text)
    span = anchor(document, quote.text, before=quote.before, after=quote.after)
    return span, Problem(
        "reanchored",
        f"the document changed, and the span moved from [{start}, {end}) "
        f"to [{span.start}, {span.end})",
        answer_json(document, span),
    )


def _by_quote(document: Document, quote: Quote) -> Span:
    text = quote.text or ""
    starts = find_all(document.text, text)
    if quote.occurrence is not None and starts:
        if quote.occurrence > len(starts):
            raise Problem(
                "quote_occurrence",
                f"'occurrence' must be at most {len(starts)}, the times that {clip(text)} "
                f"occurs in document {document.id!r}, got {quote.occurrence}",
            )
        starts = [starts[quote.occurrence - 1]]
    if len(starts) == 1:
        return Span(starts[0], starts[0] + len(text))
    if not starts or quote.before or quote.after:
        return anchor(document, text, before=quote.before, after=quote.after, starts=starts)
    raise Problem(
        "ambiguous",
        f"the quote {clip(text)} must occur once in document {document.id!r}, "
        f"but occurs {len(starts)} times, at {places(starts)}",
        f'add "occurrence" (1 to {len(starts)})',
    )


def _changed_note(record: Record) -> list[Finding]:
    problem = Problem(
        "changed_document",
        "the document is not the one whose 'doc_sha256' is given; "
        "the gold text still stands at its offsets",
        "update 'doc_sha256' once you have looked",
    )
    return [problem.finding(record.line, record.id, "warning")]


def _merge(slots: Sequence[tuple[Span, ...]]) -> tuple[tuple[Span, ...], ...]:
    """The slots, those of a single span that overlap made one; in order of the text."""
    merged: list[tuple[Span, ...]] = []
    for slot in sorted(slots):
        last = merged[-1] if merged else ()
        if len(slot) == len(last) == 1 and slot[0].start < last[0].end:
            merged[-1] = (Span(last[0].start, max(last[0].end, slot[0].end)),)
        else:
            merged.append(slot)
    return tuple(merged)


def _overlap(record: Record, n: int) -> Finding:
    problem = Problem("overlap", f"gold spans of one question overlap: {n} merged into another")
    return problem.finding(record.line, record.id, "warning")


def _lost_quote(record: Record, document: Document, quote: Quote) -> Finding:
    problem = Problem(
        _LOST,
        f"the quote {clip(quote.text or '')} is not in the text that was made of {document.id!r}: "
        "lost in parsing, as the golden set says",
    )
    return problem.finding(record.line, record.id, "warning")


def _lost(
    record: Record,
    document: Document,
    slots: Sequence[tuple[Span, ...]],
    findings: list[Finding],
) -> tuple[Question, list[Finding]]:
    """The question, without gold if all spans of some slot are lost, and what is to say of it."""
    gone = [
        next(quote.text or "" for quote in quotes)
        for quotes, slot in zip(record.slots, slots, strict=True)
        if not slot
    ]
    if not any(finding.code == _LOST for finding in findings):
        problem = Problem(_LOST, "all of the gold stands in the document", "drop 'lost'")
        findings.append(problem.finding(record.line, record.id, "warning"))
    question = _question(record, document, () if gone else _merge(slots))
    return replace(question, lost=gone[0] if gone else ""), findings


def _question(record: Record, document: Document, slots: tuple[tuple[Span, ...], ...]) -> Question:
    return Question(
        record.id,
        document.id,
        record.question,
        slots,
        record.tags,
        record.source,
        record.reviewed,
    )
