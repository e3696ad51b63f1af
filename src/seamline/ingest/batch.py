"""Documents that are cut, embedded and written together, and what was done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from seamline.ingest.cut import Cut
from seamline.ingest.metadata import plain
from seamline.phrases import counted
from seamline.store.base import Namespace
from seamline.store.values import Entry
from seamline.types import FloatArray

if TYPE_CHECKING:
    from seamline.ingest.run import Ingest

__all__ = ["Batch", "Progress", "Summary", "Told", "is_opened"]

_BATCH = 512  # chunks that are written together; a run that is killed loses so many at most
_EMBEDDED = 128  # texts between two signs of life
_BYTES = 8 << 20  # or so much text

Progress = Callable[[int, int, str], None]
"""(done, total, what): files looked at, how many there are, a document or what is done."""


@dataclass(slots=True)
class Summary:
    """What an ingest did.

    `new`, `changed`, `unchanged`, `removed` and `skipped` count documents, `chunks` those
    written, `embedded` texts that the model was asked for, `reused` vectors that were there.
    `opened` are those of the changed whose labels let more readers read them than before.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
    opened: int = 0
    revision: int = 0

    def row(self) -> dict[str, int]:
        """The counts by name."""
        return asdict(self)

    def __str__(self) -> str:
        done = [
            counted(self.new, "new document"),
            f"{self.changed:,} changed",
            f"{self.unchanged:,} unchanged",
            f"{self.removed:,} removed",
        ]
        if self.skipped:
            done.append(f"{self.skipped:,} skipped")
        return ", ".join(done)


class Told:
    """Who is told what, and how many files were looked at."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.total, self.progress, self.done = total, progress, 0

    def __call__(self, what: str) -> None:
        if self.progress is not None:
            self.progress(self.done, self.total, what)


class Batch:
    """Documents that are cut and wait to be embedded and written together."""

    def __init__(self, ingest: Ingest, done: Summary, tell: Told) -> None:
        self.ingest = ingest
        self.done = done
        self.tell = tell
        self.cuts: list[tuple[Cut, bytes, bool]] = []
        self.n_chunks = self.n_bytes = 0

    def add(self, cut: Cut, digest: bytes, *, changed: bool) -> None:
        """Take a document; writes all of them once they are enough."""
        self.cuts.append((cut, digest, changed))
        self.n_chunks += len(cut.columns)
        self.n_bytes += len(cut.document.text)
        if self.n_chunks >= _BATCH or self.n_bytes >= _BYTES:
            self.write()

    def write(self) -> None:
        """Embed and write what there is."""
        if not self.cuts:
            return
        vectors = self._vectors()
        namespace, entries, at = self.ingest.namespace, list[Entry](), 0
        for cut, digest, _ in self.cuts:
            n = len(cut.columns)
            entries.append(
                self._entry(cut, digest, None if vectors is None else vectors[at : at + n])
            )
            at += n
        opened = sum(
            is_opened(namespace, entry.tenant, entry.doc_id, entry.access)
            for entry, (*_, changed) in zip(entries, self.cuts, strict=True)
            if changed
        )
        namespace.put(entries, keep_versions=self.ingest.keep_versions)
        self.done.opened += opened
        n_changed = sum(changed for *_, changed in self.cuts)
        self.done.changed += n_changed
        self.done.new += len(self.cuts) - n_changed
        self.done.chunks += self.n_chunks
        self.cuts, self.n_chunks, self.n_bytes = [], 0, 0

    def _entry(self, cut: Cut, digest: bytes, vectors: FloatArray | None) -> Entry:
        document, labels = cut.document, self.ingest.labels.of(cut.document.id)
        return Entry(
            doc_id=document.id,
            text=document.text,
            digest=digest,
            columns=cut.columns,
            details=cut.details,
            vectors=vectors,
            ends=cut.ends,
            tenant=labels.tenant,
            access=labels.access,
            tags=labels.tags,
            metadata=plain({**document.metadata, **labels.metadata}),
            source=document.source,
            media_type=document.media_type,
        )

    def _vectors(self) -> FloatArray | None:
        """float32[n, d]: a vector a chunk, those that the store has from there."""
        ingest = self.ingest
        if ingest.embedder is None:
            return None
        known: dict[bytes, FloatArray] = {}
        for cut, _, changed in self.cuts:
            if changed:
                known |= ingest.namespace.vectors(ingest.labels.tenant, cut.document.id)
        texts = {
            digest: text
            for cut, *_ in self.cuts
            for digest, text in zip(cut.details.digests, cut.indexed, strict=True)
            if digest not in known
        }
        missing = list(texts.items())
        for at in range(0, len(missing), _EMBEDDED):
            some = missing[at : at + _EMBEDDED]
            made = ingest.embedder.embed_documents([text for _, text in some])
            known |= zip([digest for digest, _ in some], made, strict=True)
            self.done.embedded += len(some)
            self.tell(f"{counted(self.done.embedded, 'chunk')} embedded")
        rows = [known[digest] for cut, *_ in self.cuts for digest in cut.details.digests]
        self.done.reused += len(rows) - len(texts)
        return np.array(rows, np.float32).reshape(-1, ingest.namespace.info.dim)


def is_opened(namespace: Namespace, tenant: str, doc_id: str, access: frozenset[str]) -> bool:
    """Whether with these labels a document may be read by more than its current ones allow."""
    current = next(iter(namespace.versions(tenant, doc_id)), None)
    return (
        current is not None and bool(current.access) and not (access and access <= current.access)
    )
