"""Documents into a namespace: what is new is cut and embedded, the rest costs a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from seamline.errors import InvalidConfig, SeamlineError
from seamline.ingest.batch import Batch, Progress, Summary, Told
from seamline.ingest.cut import Maker
from seamline.ingest.labels import Labels
from seamline.parse import Limits, Skipped, read_each
from seamline.parse.skipped import skip
from seamline.protocols import Embedder
from seamline.store.base import Namespace, SupportsSettle
from seamline.types import Document

__all__ = [
    "File",
    "Ingest",
    "Planned",
    "digest_of",
    "gone_from",
    "plan_files",
]

_LOOKUP = 500  # documents that are looked up together
_AT_ONCE = 64  # of those that come one by one
_DIGEST = 16  # bytes
_FORMAT = 1  # raised when what is made of the same bytes changes without notice

_BLANK = "it must hold text, but is blank"

File = tuple[Path, str]
"""A file and the id of its document, as `find_files` gives them."""

Planned = tuple[File, str, bytes]
"""A file, whether its document is `new`, `changed` or `unchanged`, and its digest."""


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
            digest = digest_of(data, labels.of(file[1]), key)
            old = known.get(file[1])
            yield file, _state(old, digest), digest


def _state(old: bytes | None, digest: bytes) -> str:
    return "new" if old is None else "unchanged" if old == digest else "changed"


def _bytes_of(document: Document) -> bytes:
    """What of a document must be alike for it to be unchanged."""
    facts = [document.media_type, document.source, document.metadata, *document.blocks]
    return f"{facts!r}\n{document.text}".encode("utf-8", "surrogatepass")


def gone_from(
    namespace: Namespace, tenant: str, doc_ids: Iterable[str], skipped: Iterable[Skipped]
) -> list[str]:
    """A tenant's documents that are not among these.

    What was skipped is there, unreadable as it is, and so is all that was in a folder that
    was skipped.
    """
    notes = list(skipped)
    kept = {*doc_ids, *(one.doc_id for one in notes)}
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
        *,
        prune: bool = False,
        skipped: list[Skipped] | None = None,
        progress: Progress | None = None,
    ) -> Summary:
        """Bring the namespace up to date with files, which `find_files` found.

        What is new or changed is cut, embedded and written, in batches, each whole or not at
        all: a run that was stopped goes on where it was. With `prune` the tenant's documents
        that are not among the files are removed, but for files that could not be read. Memory
        is that of a batch.
        """
        notes = [] if skipped is None else skipped
        tell = Told(len(files), progress)
        batch = Batch(self, Summary(), tell)
        for document, planned in self._read(files, notes, batch.done, tell):
            self._add(batch, document, planned, notes)
        return self._ended(batch, [name for _, name in files] if prune else None, notes)

    def run_documents(
        self,
        documents: Iterable[Document],
        *,
        prune: bool = False,
        skipped: list[Skipped] | None = None,
        progress: Progress | None = None,
    ) -> Summary:
        """As `run`, with documents that were read already; they may come one by one.

        Raises:
            InvalidConfig: two of them have the same id.
        """
        notes = [] if skipped is None else skipped
        tell = Told(len(documents) if isinstance(documents, Sized) else 0, progress)
        batch, seen = Batch(self, Summary(), tell), set[str]()
        coming = iter(documents)
        while some := list(islice(coming, _AT_ONCE)):
            known = self.namespace.digests(self.labels.tenant, [one.id for one in some])
            for document in some:
                if document.id in seen:
                    raise InvalidConfig(
                        f"documents must have ids of their own, got two named {document.id!r}"
                    )
                seen.add(document.id)
                tell.done += 1
                tell(document.id)
                digest = digest_of(_bytes_of(document), self.labels.of(document.id), self.key)
                state = _state(known.get(document.id), digest)
                if state == "unchanged":
                    batch.done.unchanged += 1
                elif not document.text.strip():
                    notes.append(skip(Path(document.source), document.id, _BLANK))
                else:
                    planned = (Path(document.source), document.id), state, digest
                    self._add(batch, document, planned, notes)
        return self._ended(batch, seen if prune else None, notes)

    def _ended(self, batch: Batch, kept: Iterable[str] | None, notes: list[Skipped]) -> Summary:
        """Write what is left, remove what is not in `kept`, build indexes."""
        batch.write()
        done = batch.done
        done.skipped = len(notes)
        if kept is not None:
            done.removed = self.prune(kept, notes)
        if isinstance(self.namespace, SupportsSettle):
            batch.tell("indexes")
            self.namespace.settle()
        done.revision = self.namespace.put([])
        return done

    def _read(
        self,
        files: Sequence[File],
        notes: list[Skipped],
        done: Summary,
        tell: Told,
    ) -> Iterator[tuple[Document, Planned]]:
        """The documents that are new or changed; files are opened one after the other."""
        waiting: list[Planned] = []

        def wanted() -> Iterator[File]:
            for tell.done, planned in enumerate(self.plan(files, notes), 1):
                if planned[1] == "unchanged":
                    done.unchanged += 1
                else:
                    waiting.append(planned)
                    yield planned[0]
                tell(planned[0][1])

        for document in read_each(wanted(), [], skipped=notes, limits=self.limits):
            planned = waiting.pop()
            if document is not None:
                yield document, planned

    def _add(
        self, batch: Batch, document: Document, planned: Planned, notes: list[Skipped]
    ) -> None:
        """Cut a document into a batch; one that cannot be cut must not stop the others."""
        file, state, digest = planned
        try:
            cut = self.maker.cut(document)
        except SeamlineError as error:
            notes.append(skip(*file, error))
        else:
            batch.add(cut, digest, changed=state == "changed")

    def prune(self, doc_ids: Iterable[str], notes: Sequence[Skipped]) -> int:
        """Remove the tenant's documents that are gone, see `gone_from`; how many these were."""
        tenant, keep = self.labels.tenant, self.keep_versions
        gone = gone_from(self.namespace, tenant, doc_ids, notes)
        return sum(
            self.namespace.remove(tenant, gone[at : at + _LOOKUP], keep_versions=keep)
            for at in range(0, len(gone), _LOOKUP)
        )
