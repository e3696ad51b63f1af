"""Which parser reads which file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Protocol

from seamline.errors import UnsupportedFormat
from seamline.parse.code_languages import PARSERS_BY_EXTENSION
from seamline.parse.limits import Limits
from seamline.protocols import Parser
from seamline.registry import Registry

__all__ = ["PARSERS", "conversions", "extension", "limited", "parser_for_file", "parser_for_type"]

# A format is one line here for each extension; the part is a `Parser` with a `media_type`.
PARSERS = Registry(
    "parser",
    "seamline.parsers",
    {
        ".txt": "seamline.parse.text:PARSER",
        ".text": "seamline.parse.text:PARSER",
        ".md": "seamline.parse.markdown:PARSER",
        ".markdown": "seamline.parse.markdown:PARSER",
        ".mdown": "seamline.parse.markdown:PARSER",
        ".mkd": "seamline.parse.markdown:PARSER",
        ".rst": "seamline.parse.rst:PARSER",
        ".rest": "seamline.parse.rst:PARSER",
        ".html": "seamline.parse.html:PARSER",
        ".htm": "seamline.parse.html:PARSER",
        ".xhtml": "seamline.parse.html:PARSER",
        ".pdf": "seamline.parse.pdf:PARSER",
        ".docx": "seamline.parse.docx:PARSER",
        ".csv": "seamline.parse.csv_:CSV",
        ".tsv": "seamline.parse.csv_:TSV",
        ".xlsx": "seamline.parse.sheets:XLSX",
        ".xls": "seamline.parse.sheets:XLS",
        ".ods": "seamline.parse.sheets:ODS",
        ".json": "seamline.parse.json_:JSON",
        ".jsonl": "seamline.parse.json_:JSONL",
        ".ndjson": "seamline.parse.json_:JSONL",
        ".ipynb": "seamline.parse.notebook:PARSER",
        **PARSERS_BY_EXTENSION,  # source code
    },
)
_BETTER = {
    ".docx": ".doc .docm .dot .dotx .odt .rtf .pages .wpd .wps",
    ".xlsx": ".xlsm .xlsb .numbers",
    ".pdf": ".ppt .pptx .pptm .odp .key .djvu .ps .xps .vsd .vsdx",
    ".html": ".epub .mobi .azw .azw3 .chm .hlp .mht .eml .msg",
    ".md": ".rst .adoc .org .tex .wiki .textile",
}
_BETTER_FOR = {one: better for better, endings in _BETTER.items() for one in endings.split()}


class TypedParser(Parser, Protocol):
    """A parser that says which media type it reads."""

    media_type: str


def extension(path: str | PurePath) -> str:
    """The last extension of a file name in lower case with its dot, or nothing.

    Example:
        >>> extension("notes/Pump.v2.MD")
        '.md'
    """
    return (path if isinstance(path, PurePath) else PurePath(path)).suffix.lower()


def conversions(endings: Iterable[str]) -> str:
    """What to do about files with these extensions, which no parser reads.

    Example:
        >>> conversions([".pptx"])
        'save .pptx as .pdf; docs/formats.md says what is read'
    """
    known = dict.fromkeys(endings)
    todo = [f"save {one} as {_BETTER_FOR[one]}" for one in known if one in _BETTER_FOR]
    if len(todo) < len(known):
        todo.append("name plain text .txt, convert others to .md, .html, .docx or .pdf")
    return f"{', '.join(todo)}; docs/formats.md says what is read"


def limited(parser: TypedParser, limits: Limits | None) -> TypedParser:
    """`parser`, if it has limits with these `limits` instead."""
    if limits is not None and isinstance(getattr(parser, "limits", None), Limits):
        given: Any = parser
        parser = replace(given, limits=limits)
    return parser


def parser_for_file(path: str | PurePath) -> TypedParser:
    """The parser for a file's extension; `UnsupportedFormat` if there is none."""
    ending = extension(path)
    if ending not in PARSERS:
        raise UnsupportedFormat(
            f"a document must be of a format that is read, got {str(path)!r}: "
            f"{conversions([ending])}"
        )
    parser: TypedParser = PARSERS.get(ending)
    return parser


def parser_for_type(media_type: str) -> TypedParser:
    """The parser for a media type; `UnsupportedFormat` if there is none."""
    known = {}
    for name in PARSERS.names():
        parser: TypedParser = PARSERS.get(name)
        if parser.media_type == media_type:
            return parser
        known[parser.media_type] = name
    raise UnsupportedFormat(f"a media type must be one of {', '.join(known)}, got {media_type!r}")
