"""Documents into a namespace: what is new is cut and embedded, the rest costs a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from seamline.errors import InvalidConfig, SeamlineError
from seamline.ingest.cut import Cut, Maker
from seamline.ingest.metadata import plain
from seamline.parse import Limits, Skipped, read_each
from seamline.parse.skipped import skip
from seamline.phrases import counted
from seamline.protocols import Embedder
from seamline.store.base import Namespace, SupportsSettle
from seamline.store.values import Entry
from seamline.types import Document, FloatArray

__all__ = [
    "File",
    "Ingest",
    "Labels",
    "Planned",
    "Progress",
    "Summary",
    "digest_of",
    "gone_from",
    "plan_files",
]

_BATCH = 1024  # chunks that are embedded and written together
_BYTES = 8 << 20  # or so much text
_LOOKUP = 500  # documents that are looked up together
_DIGEST = 16  # bytes
_FORMAT = 1  # raised when what is made of the same bytes changes without notice

File = tuple[Path, str]
"""A file and the id of its document, as `find_files` gives them."""

Planned = tuple[File, str, bytes]
"""A file, whether its document is `new`, `changed` or `unchanged`, and its digest."""

Progress = Callable[[int, int, str], None]
"""(done, total, document): after each document."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What all documents of an ingest get: their tenant, who may read them, tags, metadata.

    Raises:
        InvalidConfig: a label or a tag is empty.
    """

    tenant: str = ""
    access: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("access", "tags"):
            if "" in getattr(self, name):
                raise InvalidConfig(f"{name} must not be empty strings, got one: leave it out")


@dataclass(slots=True)
class Summary:
    """What an ingest did, or would do.

    `new`, `changed`, `unchanged`, `removed` and `skipped` count documents, `chunks` those
    written, `embedded` texts that the model was asked for, `reused` vectors that were there.
    """

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: int = 0
    chunks: int = 0
    embedded: int = 0
    reused: int = 0
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


def digest_of(data: bytes, labels: Labels, key: str) -> bytes:
    """What stays alike as long as a document's bytes, its labels and all that cuts it do."""
    facts = [
        _FORMAT,
        key,
        sorted(labels.access),
        sorted(labels.tags),
        json.dumps(labels.metadata, sort_keys=True, default=str),
    ]
    digest = hashlib.blake2b(data, digest_size=_DIGEST)
    digest.update(repr(facts).encode())
    return digest.digest()


def plan_files(
    files: Sequence[File],
    namespace: Namespace | None,
    labels: Labels,
    key: str,
    skipped: list[Skipped],
) -> Iterator[Planned]:
    """Each file with `new`, `changed` or `unchanged`, and its digest; unreadable ones are skipped.

    `namespace` is None where there is none yet, so all are new.
    """
    for at in range(0, len(files), _LOOKUP):
        some = files[at : at + _LOOKUP]
        known = namespace.digests(labels.tenant, [name for _, name in some]) if namespace else {}
        for file in some:
            try:
                data = file[0].read_bytes()
            except OSError as error:
                skipped.append(skip(file[0], file[1], f"it must be readable: {error.strerror}"))
                continue
            digest = digest_of(data, labels, key)
            old = known.get(file[1])
            yield (
                file,
                "new" if old is None else "unchanged" if old == digest else "changed",
                digest,
            )


def gone_from(
    namespace: Namespace, tenant: str, files: Iterable[File], skipped: Iterable[Skipped]
) -> list[str]:
    """A tenant's documents that are not among the files.

    What was skipped is there, unreadable as it is, and so is all that was in a folder that
    was skipped.
    """
    notes = list(skipped)
    kept = {name for _, name in files} | {one.doc_id for one in notes}
    folders = tuple(f"{one.doc_id}/" for one in notes)
    return [
        name
        for name in namespace.doc_ids(tenant)
        if name not in kept and not name.startswith(folders)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Ingest:
    """How documents get into a namespace.

    `embedder` is None where the namespace has no vectors. `key` changes whenever something
    else than bytes and labels must make documents anew.
    """

    namespace: Namespace
    maker: Maker
    embedder: Embedder | None
    labels: Labels = field(default_factory=Labels)
    key: str = ""
    limits: Limits | None = None
    keep_versions: int = 0

    def plan(self, files: Sequence[File], skipped: list[Skipped]) -> Iterator[Planned]:
        """See `plan_files`."""
        return plan_files(files, self.namespace, self.labels, self.key, skipped)

    def run(
        self,
        files: Sequence[File],
        paths: Sequence[str | Path],
        *,
        prune: bool = False,
        skipped: list[Skipped] | None = None,
        progress: Progress | None = None,
    ) -> Summary:
        """Bring the namespace up to date with files, those that `find_files` found in `paths`.

        What is new or changed is cut, embedded and written, in batches, each whole or not at
        all: a run that was stopped goes on where it was. With `prune` the tenant's documents
        that are not among the files are removed, but for files that could not be read. Memory
        is that of a batch.
        """
        notes = [] if skipped is None else skipped
        before, batch = len(notes), _Batch(self, Summary())
        for document, planned in self._read(files, paths, notes, batch.done, progress):
            self._add(batch, document, planned, notes)
        batch.write()
        done = batch.done
        done.skipped = len(notes) - before
        if prune:
            done.removed = self.prune(files, notes)
        if isinstance(self.namespace, SupportsSettle):
            if progress is not None:
                progress(len(files), len(files), "indexes")
            self.namespace.settle()
        done.revision = self.namespace.put([])
        return done

    def _read(
        self,
        files: Sequence[File],
        paths: Sequence[str | Path],
        notes: list[Skipped],
        done: Summary,
        progress: Progress | None,
    ) -> Iterator[tuple[Document, Planned]]:
        """The documents that are new or changed; files are opened one after the other."""
        waiting: list[Planned] = []

        def wanted() -> Iterator[File]:
            for n_seen, planned in enumerate(self.plan(files, notes), 1):
                if planned[1] == "unchanged":
                    done.unchanged += 1
                else:
                    waiting.append(planned)
                    yield planned[0]
                if progress is not None:
                    progress(n_seen, len(files), planned[0][1])

        for document in read_each(wanted(), paths, skipped=notes, limits=self.limits):
            planned = waiting.pop()
            if document is not None:
                yield document, planned

    def _add(
        self, batch: _Batch, document: Document, planned: Planned, notes: list[Skipped]
    ) -> None:
        """Cut a document into a batch; one that cannot be cut must not stop the others."""
        file, state, digest = planned
        try:
            cut = self.maker.cut(document)
        except SeamlineError as error:
            notes.append(skip(*file, error))
        else:
            batch.add(cut, digest, changed=state == "changed")

    def prune(self, files: Iterable[File], notes: Sequence[Skipped]) -> int:
        """Remove the tenant's documents that are gone, see `gone_from`; how many these were."""
        tenant, keep = self.labels.tenant, self.keep_versions
        gone = gone_from(self.namespace, tenant, files, notes)
        return sum(
            self.namespace.remove(tenant, gone[at : at + _LOOKUP], keep_versions=keep)
            for at in range(0, len(gone), _LOOKUP)
        )


class _Batch:
    """Documents that are cut and wait to be embedded and written together."""

    def __init__(self, ingest: Ingest, done: Summary) -> None:
        self.ingest = ingest
        self.done = done
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
        entries, at = [], 0
        for cut, digest, _ in self.cuts:
            n = len(cut.columns)
            entries.append(
                self._entry(cut, digest, None if vectors is None else vectors[at : at + n])
            )
            at += n
        self.ingest.namespace.put(entries, keep_versions=self.ingest.keep_versions)
        n_changed = sum(changed for *_, changed in self.cuts)
        self.done.changed += n_changed
        self.done.new += len(self.cuts) - n_changed
        self.done.chunks += self.n_chunks
        self.cuts, self.n_chunks, self.n_bytes = [], 0, 0

    def _entry(self, cut: Cut, digest: bytes, vectors: FloatArray | None) -> Entry:
        document, labels = cut.document, self.ingest.labels
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
        made = ingest.embedder.embed_documents(list(texts.values()))
        self.done.embedded += len(texts)
        known |= dict(zip(texts, made, strict=True))
        rows = [known[digest] for cut, *_ in self.cuts for digest in cut.details.digests]
        self.done.reused += len(rows) - len(texts)
        return np.array(rows, np.float32).reshape(-1, ingest.namespace.info.dim)
