"""Files, bytes and strings into documents with blocks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from seamline.errors import InvalidDocument, MissingInput
from seamline.parse.files import find_files
from seamline.parse.formats import parser_for_file, parser_for_type
from seamline.parse.limits import LIMITS
from seamline.parse.skipped import Skipped, count_kinds, skip
from seamline.types import Document

__all__ = [
    "Skipped",
    "count_kinds",
    "find_files",
    "parse_bytes",
    "parse_file",
    "parse_text",
    "read_documents",
    "read_each",
]


def parse_text(text: str, doc_id: str = "text", *, media_type: str = "text/plain") -> Document:
    r"""The document made of a string: `text/plain` or `text/markdown`.

    Line ends become `\n`; offsets count code points of the text after that.

    Raises:
        UnsupportedFormat: no parser reads `media_type`.
        InvalidDocument: the text is no string or holds a lone surrogate.

    Example:
        >>> document = parse_text("# Pumps\n\nOil them.", media_type="text/markdown")
        >>> [(block.kind, block.span.start, block.span.end) for block in document.blocks]
        [('heading', 0, 7), ('paragraph', 9, 18)]
    """
    if not isinstance(text, str):
        raise InvalidDocument(f"the text must be a string, got a {type(text).__name__}")
    return replace(parser_for_type(media_type).parse(text, doc_id), id=doc_id, source="")


def parse_bytes(
    data: bytes, source: str, *, media_type: str | None = None, doc_id: str | None = None
) -> Document:
    """The document in a file's content; `source` names the file, in errors too.

    The format follows from `media_type`, or else from the extension of `source`;
    `doc_id` is the file name unless given. UTF-8, with or without a byte order mark.

    Raises:
        UnsupportedFormat: no parser reads the media type or the extension.
        InvalidDocument: the bytes are not UTF-8.

    Example:
        >>> parse_bytes(b"Oil the pump.", "notes/pump.txt").id
        'pump.txt'
    """
    parser = parser_for_type(media_type) if media_type else parser_for_file(source)
    return replace(parser.parse(data, source), id=doc_id or PurePath(source).name or source)


def parse_file(path: str | Path, doc_id: str | None = None) -> Document:
    """The document in a file; its id is the file name unless given.

    Raises:
        MissingInput: there is no such file, or it cannot be read.
        UnsupportedFormat: no parser reads files with this extension.
        InvalidDocument: the file is not UTF-8.
    """
    source = str(path)
    parser_for_file(source)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise MissingInput(
            f"a document must be a readable file, got {source!r} ({reason}): check the path"
        ) from error
    return parse_bytes(data, source, doc_id=doc_id)


def read_documents(
    paths: Sequence[str | Path], *, skipped: list[Skipped] | None = None
) -> Iterator[Document]:
    """The documents in files and folders, one at a time, in the order of `find_files`.

    Everything that can be checked without reading is checked before the first
    document comes out; one document is held at a time.

    With a list `skipped`, files of a folder that cannot be read (unknown, broken,
    encrypted, without text, over 256 MB) are put there with the reason, and the
    others come out all the same; a file given itself is refused. Pictures, programs
    and the like are put there too, and left out in any case.

    Raises:
        MissingInput, UnsupportedFormat, InvalidDocument: see `find_files` and `parse_file`.

    Example:
        >>> skipped = []
        >>> documents = read_documents(["examples/handbook/docs"], skipped=skipped)
        >>> [document.id for document in documents], skipped
        (['handbook.md'], [])
    """
    for document in read_each(find_files(paths, skipped=skipped), paths, skipped=skipped):
        if document is not None:
            yield document


def read_each(
    files: Iterable[tuple[Path, str]],
    paths: Sequence[str | Path],
    *,
    skipped: list[Skipped] | None = None,
    strict: bool = False,
) -> Iterator[Document | None]:
    """For each file that `find_files` found in `paths` its document, None if it was skipped.

    `strict` refuses files of a folder that hold no text, and those over 256 MB.

    Raises:
        MissingInput, InvalidDocument: see `parse_file`.
    """
    given = {Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)}
    for path, doc_id in files:
        if path in given or (skipped is None and not strict):
            yield parse_file(path, doc_id)
        elif skipped is None:
            yield _parse_found(path, doc_id)
        else:
            yield _parse_or_skip(path, doc_id, skipped)


def _parse_or_skip(path: Path, doc_id: str, skipped: list[Skipped]) -> Document | None:
    try:
        return _parse_found(path, doc_id)
    except Exception as error:  # noqa: BLE001 - one broken file must not stop the others
        skipped.append(skip(path, doc_id, error))
        return None


def _parse_found(path: Path, doc_id: str) -> Document:
    """The document in a file of a folder, which must be worth the reading."""
    size = path.stat().st_size
    if size > LIMITS.max_bytes:
        raise InvalidDocument(
            f"{path} must be at most {LIMITS.max_bytes:,} bytes, got {size:,}: split the file, or "
            "give it itself"
        )
    document = parse_file(path, doc_id)
    if not document.text or document.text.isspace():
        raise InvalidDocument(f"{path} must hold text, but is {'blank' if size else 'empty'}")
    return document
