"""What stores have in common: checks of what comes in, and of what is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from seamline.errors import InvalidConfig, MissingInput
from seamline.registry import suggest
from seamline.store.values import Entry, Held, NamespaceInfo, Reader, check_string
from seamline.types import FloatArray

__all__ = [
    "by_code_points",
    "check_entries",
    "check_info",
    "check_keep",
    "check_metadata",
    "check_revision",
    "check_vector",
    "facts",
    "no_namespace",
]

_TOLERANCE = 1e-3
_DEEPEST = 20
_WRITTEN = 1 << 20  # characters of a document's metadata as JSON


def check_entries(entries: Sequence[Entry], info: NamespaceInfo) -> None:
    """Raise `InvalidConfig` unless these documents can be put into a namespace at once."""
    seen: set[tuple[str, str]] = set()
    for entry in entries:
        key = entry.tenant, entry.doc_id
        if key in seen:
            raise InvalidConfig(
                f"documents must be put once at a time, got {entry.doc_id!r} twice: drop one"
            )
        seen.add(key)
        for name in ("doc_id", "tenant", "source"):
            check_string(f"the {name} of document {entry.doc_id!r}", getattr(entry, name))
        if not entry.doc_id:
            raise InvalidConfig("the id of a document must not be empty")
        check_metadata(f"the metadata of document {entry.doc_id!r}", entry.metadata)
        _check_vectors(entry, info)


def check_keep(keep_versions: object) -> None:
    """Raise `InvalidConfig` unless it is a number of versions."""
    if type(keep_versions) is not int or not 0 <= keep_versions <= _MOST_KEPT:
        raise InvalidConfig(
            f"keep_versions must be from 0 to {_MOST_KEPT:,}, got {keep_versions!r}"
        )


_MOST_KEPT = 2**31 - 1


def check_metadata(what: str, metadata: Mapping[str, Any]) -> None:
    """Raise `InvalidConfig` unless metadata are plain JSON, without null characters."""
    try:
        written = json.dumps(metadata, allow_nan=False)
        found = json.loads(written)
        _check_names(metadata)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidConfig(
            f"{what} must be JSON: tables, lists, strings, finite "
            f"numbers, true, false and null ({error})"
        ) from None
    if len(written) > _WRITTEN or "\\u0000" in written or _depth(found) > _DEEPEST:
        raise InvalidConfig(
            f"{what} must be under {_WRITTEN:,} characters as JSON, "
            f"at most {_DEEPEST} levels deep and without null characters"
        )


def _check_names(value: Any) -> None:
    """Raise `TypeError` unless all keys are strings: JSON would silently make some of numbers."""
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"keys must be strings, got {key!r}")
        value = list(value.values())
    if isinstance(value, list | tuple):
        for inner in value:
            _check_names(inner)


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_depth, inner), default=0)


def _check_vectors(entry: Entry, info: NamespaceInfo) -> None:
    given = entry.vectors
    if not info.dim:
        if given is not None:
            raise InvalidConfig(
                f"namespace {info.name!r} holds no vectors, but document {entry.doc_id!r} has some"
            )
        return
    if given is None or given.ndim != 2 or given.shape[1] != info.dim:
        shape = "none" if given is None else f"an array of shape {given.shape}"
        raise InvalidConfig(
            f"namespace {info.name!r} holds vectors of {info.dim} dimensions, but document "
            f"{entry.doc_id!r} has {shape}: embed it with {info.fingerprint}"
        )
    lengths = np.sqrt(np.einsum("ij,ij->i", given, given, dtype=np.float64))
    if not np.all((np.abs(lengths - 1) <= _TOLERANCE) | (lengths == 0)):
        raise InvalidConfig(
            f"the vectors of document {entry.doc_id!r} must be finite and of length 1 (or all "
            "zero): normalise them"
        )


def check_vector(vector: FloatArray | None, info: NamespaceInfo) -> None:
    """Raise `InvalidConfig` unless a question's vector is one of the namespace's."""
    if vector is not None and info.dim and vector.shape != (info.dim,):
        raise InvalidConfig(
            f"namespace {info.name!r} holds vectors of {info.dim} dimensions, got a question's of "
            f"shape {vector.shape}: embed it with {info.fingerprint}"
        )


def check_info(there: NamespaceInfo, wanted: NamespaceInfo) -> None:
    """Raise `InvalidConfig` unless a namespace that is there is the one that is wanted."""
    for field in fields(NamespaceInfo):
        old, new = getattr(there, field.name), getattr(wanted, field.name)
        if old != new:
            raise InvalidConfig(
                f"namespace {there.name!r} was made with {field.name} {old!r}, got {new!r}: give "
                "it another name, or drop it first"
            )


def check_revision(reader: Reader, oldest: int, newest: int) -> None:
    """Raise `InvalidConfig` unless the reader's `as_of` is a revision that is kept."""
    at = reader.as_of
    if at is not None and not oldest <= at <= newest:
        todo = "it is still to come" if at > newest else "ingest with more keep_versions"
        raise InvalidConfig(
            f"as_of must be a revision that is kept, from {oldest} to {newest}, got {at}: {todo}"
        )


def no_namespace(name: str, known: Iterable[str]) -> MissingInput:
    """The error that there is no namespace of that name."""
    names = sorted(known)
    if not names:
        return MissingInput(f"no namespace named {name!r}, nor any other: ingest documents first")
    return MissingInput(f"no namespace named {name!r}; {suggest(name, names)}")


def facts(held: Held) -> dict[str, Any]:
    """What a condition may ask of a document."""
    return {
        **held.metadata,
        "tags": sorted(held.tags),
        "id": held.doc_id,
        "source": held.source,
        "media_type": held.media_type,
        "version": held.version,
    }


def by_code_points(text: str) -> bytes:
    """What sorts strings as UTF-8 does, which is by code points."""
    return text.encode("utf-8", "surrogatepass")
