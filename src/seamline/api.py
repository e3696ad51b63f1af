"""The two things most people come for: cut a text, and compare strategies on a golden set."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import Any

from seamline.bench import Progress, Results, run_bench
from seamline.bench.foreign import as_embedder
from seamline.config import BenchConfig, check_keys
from seamline.embed.cache import CachedEmbedder
from seamline.errors import InvalidConfig, InvalidGold, MissingInput
from seamline.golden import load_golden
from seamline.golden.records import read_records
from seamline.parse import Limits, Skipped, find_files, parse_file, parse_text, read_each
from seamline.protocols import Embedder, Strategy
from seamline.split import parse_strategy
from seamline.split.align import as_strategy
from seamline.types import Chunk, Document, Question

__all__ = ["benchmark", "find_set", "is_set", "load_set", "read_set", "split_text"]

_DOCS, _GOLDEN = "docs", "golden.jsonl"


def split_text(
    text: str | Document | Path,
    strategy: str | Strategy = "adaptive",
    *,
    embedder: str | Embedder = "minilm",
    media_type: str = "text/plain",
) -> list[Chunk]:
    """The chunks of `text` in order, each an exact slice of it; none of blank text.

    `text` is a string, a document, or a `Path`, whose file is read; its name then
    says whether it is Markdown. `strategy` is a spec, a preset's name or any object
    with `split(document)` or `split_text(text)`. `embedder` serves the strategies
    that need one; its model is loaded only then.
    `media_type` says what a string is: `text/plain` or `text/markdown`. Offsets
    count code points after line ends became newlines.

    Raises:
        InvalidConfig: a strategy, embedder or parameter that cannot work.
        InvalidDocument: the text is not valid Unicode, or no parser reads `media_type`.
        MissingInput: there is no file at the path.
        AlignmentError: what an object returned is not in the document.
        EmbeddingError: what an embedder returned are no unit vectors, one a text.

    Example:
        >>> text = "Oil the pump. Check the belt."
        >>> chunks = split_text(text, "sentence(size=5)")
        >>> [(chunk.start, chunk.end, chunk.text) for chunk in chunks]
        [(0, 13, 'Oil the pump.'), (14, 29, 'Check the belt.')]
    """
    document = _document(text, media_type)
    if isinstance(strategy, str):
        # In memory: it checks the vectors of an embedder of the caller's own.
        cached = CachedEmbedder(as_embedder(embedder), None)
        strategy = parse_strategy(strategy, embedder=cached)
    return list(as_strategy(strategy).split(document))


def _document(text: Any, media_type: str) -> Document:
    if isinstance(text, str):
        return parse_text(text, media_type=media_type)
    if isinstance(text, Path):
        return parse_file(text)
    if isinstance(text, Document):
        return text
    raise InvalidConfig(f"text must be a string, a Document or a Path, got a {type(text).__name__}")


def benchmark(
    docs: str | Path | Sequence[str | Path] = (),
    golden: str | Path | None = None,
    *,
    strategies: str | Sequence[Any] | Mapping[str, Any] | None = None,
    embedder: str | Embedder | None = None,
    progress: Progress | None = None,
    skipped: list[Skipped] | None = None,
    **settings: Any,
) -> Results:
    """How strategies compare on your documents and questions.

    `docs` are files and folders, `golden` is a JSONL file; see `find_set` for what
    may be left out. `strategies` are specs (one string with semicolons, or a
    list) and objects with `split(document)` or `split_text(text)`, which a mapping
    gives names. `embedder` is a spec or an object with `fingerprint`,
    `embed_documents` and `embed_queries`. `settings` are those of `BenchConfig`:
    `retriever`, `k`, `budget`, `scope`, `measures` … The vectors of an embedder
    given as a spec are kept on disk, so a second run embeds nothing that the
    first did. What loading changed in the golden set (an answer found again after
    an edit, spans merged) is warned about. With a list `skipped`, files of a folder
    that cannot be read are put there and named in the results, not refused. Documents
    and questions in memory go to `run_bench`.

    Raises:
        MissingInput: a path is not there, or a folder holds no document.
        InvalidConfig: a setting, strategy or embedder that cannot work.
        InvalidGold: questions that do not fit the documents.

    Example:
        >>> results = benchmark(
        ...     "examples/handbook", strategies="whole; sentence(size=64)", retriever="bm25"
        ... )
        >>> [row.spec for row in results.summary()]
        ['whole', 'sentence(size=64, overlap=0)']
    """
    check_keys(settings)
    config = BenchConfig(**settings)
    documents, questions = load_set(docs, golden, skipped=skipped, limits=config.limits)
    return run_bench(
        documents,
        questions,
        config,
        strategies=strategies,
        embedder=embedder,
        progress=progress,
        skipped=skipped or (),
    )


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
    _refuse_skipped(golden, documents, skipped or ())
    questions = load_golden(golden, documents)
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


def _refuse_skipped(
    golden: Path, documents: Sequence[Document], skipped: Sequence[Skipped]
) -> None:
    """Refuse a golden set with a question about a document that was skipped."""
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
    alone for itself and the `golden.jsonl` beside it.

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
        return [paths[0] / _DOCS], Path(golden or paths[0] / _GOLDEN)
    if golden is None:
        for path in paths:
            if not path.exists():
                raise MissingInput(f"a path must exist, got {str(path)!r}: check its spelling")
        given = ", ".join(repr(str(path)) for path in paths) or "neither"
        raise MissingInput(
            "documents and a golden set are needed: give both, or a folder that holds "
            f"{_DOCS}/ and {_GOLDEN}, got {given}"
        )
    return paths or [Path(golden).parent / _DOCS], Path(golden)


def _beside(paths: Sequence[Path]) -> Path | None:
    """The golden set beside a folder of documents, if there is just one and it has one."""
    if len(paths) != 1 or not paths[0].is_dir() or is_set(paths[0]):
        return None
    golden = paths[0].parent / _GOLDEN
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
    return (path / _DOCS).is_dir() and (path / _GOLDEN).is_file()
