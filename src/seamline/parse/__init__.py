"""Files, bytes and strings into documents with blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from seamline.errors import InvalidDocument, MissingInput
from seamline.parse.files import find_files
from seamline.parse.formats import parser_for_file, parser_for_type
from seamline.types import Document

__all__ = ["find_files", "parse_bytes", "parse_file", "parse_text", "read_documents"]


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


def read_documents(paths: Sequence[str | Path]) -> Iterator[Document]:
    """The documents in files and folders, one at a time, in the order of `find_files`.

    Everything that can be checked without reading is checked before the first
    document comes out; one document is held at a time.

    Raises:
        MissingInput, UnsupportedFormat, InvalidDocument: see `find_files` and `parse_file`.
    """
    for path, doc_id in find_files(paths):
        yield parse_file(path, doc_id)
