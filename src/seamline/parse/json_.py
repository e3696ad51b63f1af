"""JSON and JSON Lines into a document: the text stays as it is, members and items are blocks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from seamline.errors import InvalidDocument
from seamline.parse.json_deep import value_end
from seamline.parse.text import read_text
from seamline.types import Block, Document, Span

__all__ = ["JSON", "JSONL", "JsonLinesParser", "JsonParser", "not_json"]

# Numbers are not converted, so that none is too long; strings may hold control characters.
_DECODER = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
_SPACE = re.compile(r"[ \t\n]*+")
_DEEPEST, _LARGE = 3, 1_000
_LONGEST_TITLE = 200
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_WANTED = {
    "Unterminated string starting at": "the end of the string",
    "Invalid \\escape": "a known escape",
    "Invalid \\uXXXX escape": "four hexadecimal digits",
    "Expecting property name enclosed in double quotes": "a key in double quotes",
}


class JsonParser:
    """Reads application/json: each member or item of the outermost value is a block."""

    media_type = "application/json"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document: a `statement` for each member or item, titled with the member's key.

        Where one of them holds an object or array and is over 1,000 characters long,
        its own members or items are `statement` blocks inside it, down to level 3.
        Items that are numbers, `true`, `false` or `null` are no blocks. A string that
        goes over several lines is a block of kind `string`. Any depth and any length of
        numbers is read, keys may stand twice, and `NaN`, `Infinity` and line breaks
        inside strings are let through, as Python does.
        `metadata["lines"]` has the offsets where the lines begin.

        Raises:
            InvalidDocument: the bytes are not UTF-8, or the text is not JSON; names
                line and column.

        Example:
            >>> document = JSON.parse('{"part": "pump",\n "price": [12, 13]}', "a.json")
            >>> [(b.title, document.text[b.span.start : b.span.end]) for b in document.blocks]
            [('part', '"part": "pump"'), ('price', '"price": [12, 13]')]
        """
        document = read_text(data, source, self.media_type)
        text = document.text
        start = _skip(text, 0)
        if start == len(text):
            return document
        reader = _Reader(text, source)
        end = reader.value(start)
        rest = _skip(text, end)
        if rest < len(text):
            raise reader.refusal(rest, "the end (for a value a line, name the file .jsonl)")
        return _with_blocks(document, reader.blocks(start, end))


class JsonLinesParser:
    """Reads application/jsonl (.jsonl, .ndjson): each line that is not blank is a block."""

    media_type = "application/jsonl"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document: a `statement` for each value; `metadata["lines"]` as in `JsonParser`.

        Raises:
            InvalidDocument: the bytes are not UTF-8, or a line is not JSON; names line
                and column.

        Example:
            >>> document = JSONL.parse('{"a": 1}\n\n[2]\n', "a.jsonl")
            >>> [(block.span.start, block.span.end) for block in document.blocks]
            [(0, 8), (10, 13)]
        """
        document = read_text(data, source, self.media_type)
        text = document.text
        reader = _Reader(text, source)
        blocks = []
        at = _skip(text, 0)
        while at < len(text):
            end = reader.value(at)
            stop = text.find("\n", at)
            stop = len(text) if stop < 0 else stop
            if end > stop:
                raise reader.refusal(stop, "a whole value on each line")
            rest = _skip(text, end)
            if rest < stop:
                raise reader.refusal(rest, "the end of the line")
            blocks.append(Block("statement", Span(at, end), 1))
            at = rest
        return _with_blocks(document, blocks)


JSON = JsonParser()
JSONL = JsonLinesParser()


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _with_blocks(document: Document, blocks: Iterable[Block]) -> Document:
    found = [*blocks, *_long_strings(document.text)]
    found.sort(key=lambda block: (block.span.start, -block.span.end))
    lines = [0, *(found.end() for found in re.finditer("\n", document.text))]
    metadata: dict[str, Any] = {**document.metadata, "lines": lines}
    return replace(document, blocks=tuple(found), metadata=metadata)


def not_json(error: json.JSONDecodeError, source: str) -> InvalidDocument:
    """The refusal of a file in which the standard library found an error."""
    wanted = _WANTED.get(error.msg, error.msg.removeprefix("Expecting "))
    return _refusal(error.doc, source, error.pos, wanted)


def _refusal(text: str, source: str, at: int, wanted: str) -> InvalidDocument:
    """The error at an offset, as a line and a column from 1."""
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    rest = text[at : at + 20]
    got = repr(rest) if rest else "the end"
    return InvalidDocument(
        f"{source} must be JSON, but is not at line {line}, column {column}: expecting "
        f"{wanted}, got {got}; mend that place"
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Says where the values of a text end, and what is wrong with those that do not."""

    text: str
    source: str

    def refusal(self, at: int, wanted: str) -> InvalidDocument:
        """The error at an offset."""
        return _refusal(self.text, self.source, at, wanted)

    def value(self, at: int) -> int:
        """The end of the value that begins at `at`."""
        try:
            return _DECODER.raw_decode(self.text, at)[1]
        except RecursionError:
            end, wanted = value_end(self.text, at)
            if wanted:
                raise self.refusal(end, wanted) from None
            return end
        except json.JSONDecodeError as error:
            raise not_json(error, self.source) from None

    def blocks(self, start: int, end: int, level: int = 1) -> Iterator[Block]:
        """The members or items of the value in [start, end), those of large ones inside them."""
        if self.text[start] not in "[{":
            yield Block("statement", Span(start, end), level)
            return
        for title, child, low, high in self.children(start):
            yield Block("statement", Span(child, high), level, title)
            if level < _DEEPEST and high - low > _LARGE and self.text[low] in "[{":
                yield from self.blocks(low, high, level + 1)

    def children(self, start: int) -> Iterator[tuple[str, int, int, int]]:
        """Each member's or item's key, where it begins, where its value begins and ends.

        Items that are bare numbers or words are left out: an array may hold millions.
        The value at `start` must be known to be JSON.
        """
        text, keyed = self.text, self.text[start] == "{"
        at = _skip(text, start + 1)
        while text[at] not in "]}":
            child, title = at, ""
            if keyed:
                key, at = _DECODER.raw_decode(text, at)
                title, at = _title(key), _skip(text, _skip(text, at) + 1)
            end = self.value(at)
            if keyed or text[at] in '[{"':
                yield title, child, at, end
            at = _skip(text, end)
            if text[at] == ",":
                at = _skip(text, at + 1)


def _title(key: str) -> str:
    """A key as a title: on one line, not too long, without lone surrogates."""
    key = " ".join(key[:_LONGEST_TITLE].split())
    return key.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _long_strings(text: str) -> Iterator[Block]:
    """The strings that go over several lines."""
    for found in _STRING.finditer(text):
        if "\n" in found[0]:
            yield Block("string", Span(*found.span()))
