"""What is put into a store and what comes out of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seamline.errors import InvalidConfig
from seamline.types import FloatArray, IntArray

if TYPE_CHECKING:
    from seamline.store.where import Where

__all__ = [
    "Columns",
    "Details",
    "Entry",
    "Held",
    "NamespaceInfo",
    "Reader",
    "Totals",
    "check_string",
    "names",
]

Ints = NDArray[np.int64]
Terms = NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The n chunks of a document, a column a fact; all int32[n] but for those named below.

    `start`, `end`, `parent_start`, `parent_end` (-1: no parent) are code points of the
    text; `tokens`, `parent_tokens`, `context_tokens` sizes in tokens; `reach` is where the
    white space ends that follows what is shown. `section` is the number of the section in
    the document, `middle` twice the number of the text's tokens before the chunk's middle,
    `covered` how many of these are in it (`tokens` are those of its text alone). Chunk i has
    the terms `term[term_first[i]:term_first[i + 1]]`, indices into `vocabulary` (uint64[t],
    sorted hashes), each `count` times.

    Raises:
        InvalidConfig: the columns do not fit each other.
    """

    start: IntArray
    end: IntArray
    parent_start: IntArray
    parent_end: IntArray
    tokens: IntArray
    parent_tokens: IntArray
    context_tokens: IntArray
    reach: IntArray
    section: IntArray
    middle: IntArray
    covered: IntArray
    term_first: IntArray
    term: IntArray
    count: IntArray
    vocabulary: Terms

    def __post_init__(self) -> None:
        lengths = {len(getattr(self, name)) for name in _BY_CHUNK}
        if len(lengths) != 1 or len(self.term_first) != len(self.start) + 1:
            raise InvalidConfig(
                f"the columns of a document must be equally long, got {sorted(lengths)} and "
                f"{len(self.term_first)} of term_first"
            )
        if not len(self.term) == len(self.count) == self.term_first[-1]:
            raise InvalidConfig(
                f"term and count must have {self.term_first[-1]} rows, as term_first says, got "
                f"{len(self.term)} and {len(self.count)}"
            )

    def __len__(self) -> int:
        return len(self.start)

    @property
    def lengths(self) -> FloatArray:
        """float32[n]: how many terms each chunk has, repeated ones too."""
        sums = np.concatenate(([0], np.cumsum(self.count, dtype=np.int64)))
        return np.diff(sums[self.term_first]).astype(np.float32)


_BY_CHUNK = (
    "start",
    "end",
    "parent_start",
    "parent_end",
    "tokens",
    "parent_tokens",
    "context_tokens",
    "reach",
    "section",
    "middle",
    "covered",
)


@dataclass(frozen=True, slots=True)
class Details:
    """What no search reads: of each chunk the digest of what is indexed, and what is shown.

    `heads` are what stands before the text in what is indexed; where what is indexed does
    not end in the text, it is whole in `heads` and `whole` is true. `metadata` are those of
    a chunk that are not its document's.
    """

    digests: tuple[bytes, ...]
    heads: tuple[str, ...]
    whole: tuple[bool, ...]
    contexts: tuple[str, ...]
    metadata: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """A document as it is put into a store, cut and embedded.

    `tenant` owns it: nobody else ever sees it, and ids are unique within a tenant.
    `access` are labels: a reader needs one of them; without any, everybody of the tenant
    may read. `digest` is alike as long as nothing has to be done again. `vectors` is
    float32[n, d], rows of length 1, a row a chunk; None in a namespace without vectors.
    `ends` (int32) holds the code-point end of every token of the text.

    Raises:
        InvalidConfig: not one vector a chunk, or a label that is empty.
    """

    doc_id: str
    text: str
    digest: bytes
    columns: Columns
    details: Details
    vectors: FloatArray | None
    ends: IntArray
    tenant: str = ""
    access: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""
    media_type: str = "text/plain"

    def __post_init__(self) -> None:
        n = len(self.columns)
        if self.vectors is not None and self.vectors.shape[:1] != (n,):
            raise InvalidConfig(
                f"document {self.doc_id!r} needs a vector for each of its {n} chunks, got an "
                f"array of shape {self.vectors.shape}"
            )
        if not isinstance(self.digest, bytes):
            raise InvalidConfig(
                f"the digest of document {self.doc_id!r} must be bytes, got {self.digest!r}: hash "
                "what must be alike for it to be unchanged"
            )
        if len(self.details.digests) != n:
            raise InvalidConfig(
                f"document {self.doc_id!r} needs details for each of its {n} chunks, got "
                f"{len(self.details.digests)}"
            )
        check_string("tenant", self.tenant)
        for name in ("access", "tags"):
            given = getattr(self, name)
            object.__setattr__(self, name, names(f"{name} of document {self.doc_id!r}", given))


def names(what: str, given: Any) -> frozenset[str]:
    """Labels or tags as a set; raises `InvalidConfig` unless all are strings with something in."""
    if not isinstance(given, Iterable) or isinstance(given, str | bytes):
        raise InvalidConfig(f"{what} must be a set of strings like {{'staff'}}, got {given!r}")
    found = list(given)
    for one in found:
        check_string(f"each of {what}", one)
        if not one:
            raise InvalidConfig(f"{what} must not be empty strings, got one: leave it out")
    return frozenset(found)


def check_string(what: str, text: Any) -> None:
    """Raise `InvalidConfig` unless `text` is a string that every store can hold."""
    if not isinstance(text, str) or "\0" in text or _SURROGATE.search(text):
        raise InvalidConfig(
            f"{what} must be a string without null characters and lone surrogates, got {text!r}"
        )


_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Held:
    """A document in a store: `number` names this version of it for good.

    `version` counts from 1; `added` and `removed` are the revisions of the namespace
    between which it is read, `removed` None while it is current.
    """

    number: int
    doc_id: str
    tenant: str
    version: int
    digest: bytes
    access: frozenset[str]
    tags: frozenset[str]
    metadata: Mapping[str, Any]
    source: str
    media_type: str
    n_chunks: int
    added: int
    removed: int | None = None


@dataclass(frozen=True, slots=True)
class NamespaceInfo:
    """What all documents of a namespace have in common.

    `dim` is 0 and `fingerprint` empty where there are no vectors. `language` names the
    analyzer of terms, None where words are taken as they are; `tokenizer` counts tokens.

    Raises:
        InvalidConfig: a name that cannot be, or a dimension without a fingerprint.
    """

    name: str
    strategy: str
    dim: int = 0
    fingerprint: str = ""
    language: str | None = None
    tokenizer: str = "tokens"

    def __post_init__(self) -> None:
        if not self.name or len(self.name) > _LONGEST or not self.name.isprintable():
            raise InvalidConfig(
                f"a namespace must have a printable name of 1 to {_LONGEST} characters, got "
                f"{self.name!r}"
            )
        if self.dim < 0 or bool(self.dim) != bool(self.fingerprint):
            raise InvalidConfig(
                f"a namespace needs the fingerprint of the embedder of its vectors, got "
                f"dim={self.dim} and fingerprint={self.fingerprint!r}"
            )


_LONGEST = 100


@dataclass(frozen=True, slots=True)
class Reader:
    """Who searches, and what: one tenant's documents, those that its labels let it read.

    `where` picks among these. `as_of` is a revision of the namespace: what was current then.
    """

    tenant: str = ""
    access: frozenset[str] = frozenset()
    where: Where | None = None
    as_of: int | None = None

    def __post_init__(self) -> None:
        check_string("tenant", self.tenant)
        object.__setattr__(self, "access", names("access", self.access))
        if self.where is not None and not callable(getattr(self.where, "matches", None)):
            raise InvalidConfig(
                f"where must be a condition like key('year') >= 2024, got {self.where!r}: "
                "parse_where makes one of a text"
            )
        if self.as_of is not None and (type(self.as_of) is not int or self.as_of < 0):
            raise InvalidConfig(f"as_of must be the number of a revision, got {self.as_of!r}")

    def may_read(self, access: frozenset[str]) -> bool:
        """Whether a document with these labels may be read."""
        return not access or bool(access & self.access)


@dataclass(frozen=True, slots=True)
class Totals:
    """How much there is: `documents`, `chunks`, and the namespace's `revision`."""

    documents: int
    chunks: int
    revision: int
