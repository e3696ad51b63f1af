"""Files, bytes and strings into documents with blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from seamline.errors import InvalidDocument, MissingInput
from seamline.parse.files import find_files
from seamline.parse.formats import limited, parser_for_file, parser_for_type
from seamline.parse.limits import LIMITS, Limits
from seamline.parse.skipped import Skipped, count_kinds, skip, skipped_records
from seamline.types import Document

if TYPE_CHECKING:
    from seamline.parse.pdf_apart import PdfApart

__all__ = [
    "LIMITS",
    "Limits",
    "Skipped",
    "count_kinds",
    "find_files",
    "parse_bytes",
    "parse_file",
    "parse_text",
    "read_documents",
    "read_each",
    "skipped_records",
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
    data: bytes,
    source: str,
    *,
    media_type: str | None = None,
    doc_id: str | None = None,
    limits: Limits | None = None,
) -> Document:
    """The document in a file's content; `source` names the file, in errors too.

    The format follows from `media_type`, or else from the extension of `source`;
    `doc_id` is the file name unless given. UTF-8, with or without a byte order mark.
    `limits` take the place of the parser's own.

    Raises:
        UnsupportedFormat: no parser reads the media type or the extension.
        InvalidDocument: the bytes are not UTF-8, or want more than the limits.

    Example:
        >>> parse_bytes(b"Oil the pump.", "notes/pump.txt").id
        'pump.txt'
    """
    parser = parser_for_type(media_type) if media_type else parser_for_file(source)
    parser = limited(parser, limits)
    return replace(parser.parse(data, source), id=doc_id or PurePath(source).name or source)


def parse_file(
    path: str | Path, doc_id: str | None = None, *, limits: Limits | None = None
) -> Document:
    """The document in a file; its id is the file name unless given.

    Raises:
        MissingInput: there is no such file, or it cannot be read.
        UnsupportedFormat: no parser reads files with this extension.
        InvalidDocument: the file is not UTF-8.
    """
    parser_for_file(path)
    return parse_bytes(_read(path), str(path), doc_id=doc_id, limits=limits)


def _read(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise MissingInput(
            f"a document must be a readable file, got {str(path)!r} ({reason}): check the path"
        ) from error


def read_documents(
    paths: Sequence[str | Path],
    *,
    skipped: list[Skipped] | None = None,
    limits: Limits | None = None,
) -> Iterator[Document]:
    """The documents in files and folders, one at a time, in the order of `find_files`.

    Everything that can be checked without reading is checked before the first
    document comes out; one document is held at a time.

    With a list `skipped`, files of a folder that cannot be read (unknown, broken,
    encrypted, without text, beyond `limits`) are put there with the reason, and the
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
    files = find_files(paths, skipped=skipped)
    for document in read_each(files, paths, skipped=skipped, limits=limits):
        if document is not None:
            yield document


def read_each(
    files: Iterable[tuple[Path, str]],
    paths: Sequence[str | Path],
    *,
    skipped: list[Skipped] | None = None,
    strict: bool = False,
    limits: Limits | None = None,
) -> Iterator[Document | None]:
    """For each file that `find_files` found in `paths` its document, None if it was skipped.

    `strict` refuses files of a folder that hold no text, and those over `limits.max_bytes`.
    With it or with `skipped`, PDF files are read in another process, one for all of them
    (see `PdfApart`), so that a file that hangs or crashes PDFium is refused too.

    Raises:
        MissingInput, InvalidDocument: see `parse_file`.
    """
    from seamline.parse.pdf_apart import PdfApart

    given = {Path(path) for path in ([paths] if isinstance(paths, str | Path) else paths)}
    with PdfApart() as apart:
        parse_found = partial(_parse_found, limits=limits or LIMITS, apart=apart)
        for path, doc_id in files:
            if skipped is None and not strict:
                yield parse_file(path, doc_id, limits=limits)
            elif given and path in given:  # a path keeps its hash once it was asked for
                yield _parse(path, doc_id, limits=limits or LIMITS, apart=apart)
            elif skipped is None:
                yield parse_found(path, doc_id)
            else:
                yield _or_skip(parse_found, path, doc_id, skipped)


def _or_skip(
    parse: Callable[[Path, str], Document], path: Path, doc_id: str, skipped: list[Skipped]
) -> Document | None:
    try:
        return parse(path, doc_id)
    except Exception as error:  # noqa: BLE001 - one broken file must not stop the others
        skipped.append(skip(path, doc_id, error))
        return None


def _parse(path: Path, doc_id: str, *, limits: Limits, apart: PdfApart) -> Document:
    """The document in a file, in another process if it is a PDF."""
    from seamline.parse.pdf import PdfParser

    if isinstance(parser_for_file(path), PdfParser):
        return replace(apart.parse(_read(path), str(path), limits), id=doc_id)
    return parse_file(path, doc_id, limits=limits)


def _parse_found(path: Path, doc_id: str, *, limits: Limits, apart: PdfApart) -> Document:
    """The document in a file of a folder, which must be worth the reading."""
    size = path.stat().st_size
    if size > limits.max_bytes:
        raise InvalidDocument(
            f"{path} must be at most {limits.max_bytes:,} bytes, got {size:,}: split the file, or "
            "raise max_bytes"
        )
    document = _parse(path, doc_id, limits=limits, apart=apart)
    if not document.text or document.text.isspace():
        raise InvalidDocument(f"{path} must hold text, but is {'blank' if size else 'empty'}")
    return document
