"""Documents and a golden set together: where they are, and what they hold."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

from seamline.errors import InvalidConfig, InvalidGold, MissingInput
from seamline.golden.load import load_golden
from seamline.golden.records import read_records
from seamline.parse import Limits, Skipped, find_files, read_each
from seamline.types import Document, Question

__all__ = ["GOLDEN_FILE", "find_set", "is_set", "load_set", "read_set", "refuse_skipped"]

_DOCS, GOLDEN_FILE = "docs", "golden.jsonl"


def load_set(
    docs: str | Path | Sequence[str | Path] = (),
    golden: str | Path | None = None,
    *,
    skipped: list[Skipped] | None = None,
    strict: bool = False,
    limits: Limits | None = None,
) -> tuple[list[Document], Sequence[Question]]:
    """The documents and questions that `find_set` finds; notes of the loading are warned about.

    With a list `skipped`, files of a folder that cannot be read are put there, unless a
    question is about one of them; `strict` refuses those without text too.

    Raises:
        MissingInput, InvalidDocument, InvalidGold: see `read_documents` and `load_golden`.
    """
    paths, golden = find_set(docs, golden)
    documents = read_set(paths, golden, skipped=skipped, strict=strict, limits=limits)
    refuse_skipped(golden, documents, skipped or ())
    questions = load_golden(golden, documents)
    if not questions:
        raise InvalidGold(
            f"{golden} must hold at least one question, but is empty: write some, or draft them "
            "with `seamline golden draft`"
        )
    for note in questions.notes:
        warnings.warn(f"{golden}:{note.line}: {note}", stacklevel=2)
    return documents, questions


def read_set(
    paths: Sequence[Path],
    golden: Path,
    *,
    skipped: list[Skipped] | None = None,
    strict: bool = False,
    limits: Limits | None = None,
) -> list[Document]:
    """The documents in `paths`, without the golden set, which may lie among them."""
    files = find_files(paths, skipped=skipped, leave_out=[golden])
    read = read_each(files, paths, skipped=skipped, strict=strict, limits=limits)
    return [document for document in read if document is not None]


def refuse_skipped(golden: Path, documents: Sequence[Document], skipped: Sequence[Skipped]) -> None:
    """Nothing, unless a question is about a document that was skipped.

    Raises:
        InvalidGold: one is; names the question, the file and why it was skipped.
    """
    if not skipped:
        return
    read = {name for document in documents for name in _names(document.id)}
    missed = {name: one for one in skipped for name in _names(one.doc_id) if name not in read}
    for record in read_records(golden)[0]:
        if one := missed.get(record.doc_id):
            raise InvalidGold(
                f"the document of question {record.id!r} (line {record.line}) must be readable, "
                f"but {one.path} was skipped: {one.why}"
            )


def _names(doc_id: str) -> tuple[str, str]:
    """What a golden set may call a document: its id, or that without the suffix."""
    path = PurePosixPath(doc_id)
    return doc_id, str(path.with_suffix("")) if path.suffix else doc_id


def find_set(
    docs: str | Path | Sequence[str | Path] = (), golden: str | Path | None = None
) -> tuple[list[Path], Path]:
    """Where the documents and the golden set are.

    One folder that holds `docs/` and `golden.jsonl` stands for both; a golden
    set alone for itself and the folder `docs/` beside it, a folder of documents
    alone for itself and the `golden.jsonl` beside it. With neither it is `docs/` and
    `golden.jsonl` of the current folder.

    Raises:
        MissingInput: a path is not there, or one of them is not given and not there.

    Example:
        >>> docs, golden = find_set("examples/handbook")
        >>> str(docs[0]), str(golden)
        ('examples/handbook/docs', 'examples/handbook/golden.jsonl')
        >>> find_set(golden="examples/handbook/golden.jsonl") == (docs, golden)
        True
        >>> find_set("examples/handbook/docs") == (docs, golden)
        True
    """
    listed = docs if isinstance(docs, Iterable) and not isinstance(docs, str) else [docs]
    paths = [_path("docs", path) for path in listed]
    golden = _beside(paths) if golden is None else _path("golden", golden)
    if len(paths) == 1 and is_set(paths[0]):
        return [paths[0] / _DOCS], Path(golden or paths[0] / GOLDEN_FILE)
    if not paths and golden is None and is_set(Path()):
        return [Path(_DOCS)], Path(GOLDEN_FILE)
    if golden is None:
        for path in paths:
            if not path.exists():
                raise MissingInput(f"a path must exist, got {str(path)!r}: check its spelling")
        given = ", ".join(repr(str(path)) for path in paths) or "neither"
        raise MissingInput(
            "documents and a golden set are needed: give both, or a folder that holds "
            f"{_DOCS}/ and {GOLDEN_FILE}, got {given}"
        )
    return paths or [Path(golden).parent / _DOCS], Path(golden)


def _beside(paths: Sequence[Path]) -> Path | None:
    """The golden set beside a folder of documents, if there is just one and it has one."""
    if len(paths) != 1 or not paths[0].is_dir() or is_set(paths[0]):
        return None
    golden = paths[0].parent / GOLDEN_FILE
    return golden if paths[0].name and golden.is_file() else None


def _path(name: str, given: Any) -> Path:
    if not isinstance(given, str | PathLike):
        raise InvalidConfig(
            f"{name} must be the path of a file or folder, got a {type(given).__name__}; "
            "documents and questions in memory go to seamline.bench.run_bench"
        )
    return Path(given)


def is_set(path: Path) -> bool:
    """Whether a folder holds `docs/` and `golden.jsonl`."""
    try:
        return (path / _DOCS).is_dir() and (path / GOLDEN_FILE).is_file()
    except OSError:  # a folder that may not be looked into; that is said where it is read
        return False
