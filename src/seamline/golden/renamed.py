"""Documents looked up for an older golden set: by id, or what they may be called now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from seamline.golden.anchor import LONG_QUOTE
from seamline.golden.findings import Problem
from seamline.golden.records import Record
from seamline.golden.resolve import Documents, Resolver
from seamline.golden.search import QuoteIndex
from seamline.types import Document

__all__ = ["Renamed"]


class Renamed:
    """Documents by id, by digest, by file name and by the gold that they hold.

    `renamed` maps the ids that questions have to those of the documents they were
    found in.
    """

    def __init__(self, documents: Documents, records: Iterable[Record]) -> None:
        self._resolver = Resolver(documents)
        self.documents = self._resolver.documents
        self.renamed: dict[str, str] = {}
        self._digests = {doc_id: document.digest for doc_id, document in self.documents.items()}
        self._by_digest: dict[str, list[Document]] = {}
        self._by_name: dict[str, list[Document]] = {}
        for doc_id, document in self.documents.items():
            self._by_digest.setdefault(self._digests[doc_id], []).append(document)
            self._by_name.setdefault(PurePosixPath(doc_id).name, []).append(document)
        self._holding = self._find_holding(records)

    def digest(self, document: Document) -> str:
        """The SHA-256 of a document's text."""
        return self._digests[document.id]

    def candidates(self, record: Record) -> Iterator[Document]:
        """The documents that a question may be about, the likeliest first, each once.

        That of its id; the only one with the text that it was made on; if its id is
        nobody's, the only one of its file name, and the one that holds the most of the
        gold of that id, if that is half of it at least.
        """
        seen: set[str] = set()
        own = self._own(record.doc_id)
        same = self._by_digest.get(record.doc_sha256, []) if record.doc_sha256 else []
        named = [] if own else self._by_name.get(PurePosixPath(record.doc_id).name, [])
        holding = [] if own else self._holding.get(record.doc_id, [])
        for found in (own, same, named, holding):
            if len(found) == 1 and found[0].id not in seen:
                seen.add(found[0].id)
                yield found[0]

    def is_renamed(self, record: Record, document: Document) -> bool:
        """Whether a question's document was found under another id; `renamed` then has it."""
        is_renamed = document not in self._own(record.doc_id)
        if is_renamed:
            self.renamed[record.doc_id] = document.id
        return is_renamed

    def _own(self, doc_id: str) -> list[Document]:
        try:
            return [self._resolver.document(doc_id)]
        except Problem:
            return []

    def _find_holding(self, records: Iterable[Record]) -> dict[str, list[Document]]:
        """For each id that is no document's, those with the most of its long quotes."""
        quotes: dict[str, set[str]] = {}
        for record in records:
            if not self._own(record.doc_id):
                texts = {q.text for slot in record.slots for q in slot if q.text}
                long = {text for text in texts if len(text) >= LONG_QUOTE}
                quotes.setdefault(record.doc_id, set()).update(long)
        index = QuoteIndex(text for own in quotes.values() for text in own)
        most: dict[str, tuple[int, list[Document]]] = {}
        for document in self.documents.values() if any(quotes.values()) else ():
            held = index.find(document.text, 1).keys()
            for doc_id, own in quotes.items():
                n, others = most.get(doc_id, (0, []))
                n_here = len(own & held)
                if n_here and n_here >= n and 2 * n_here >= len(own):
                    most[doc_id] = n_here, [*(others if n_here == n else []), document]
        return {doc_id: found for doc_id, (_, found) in most.items()}
