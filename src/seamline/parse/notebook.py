"""Jupyter notebooks into a document: a text like Markdown, cell after cell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from seamline.errors import InvalidDocument
from seamline.parse.fences import with_code
from seamline.parse.json_ import not_json
from seamline.parse.markdown import PARSER as MARKDOWN
from seamline.parse.text import read_text
from seamline.types import Block, Document, Span

__all__ = ["PARSER", "NotebookParser"]

_LONGEST_OUTPUT = 20_000
_TICKS = re.compile("`{3,}")
_MAGIC = re.compile(r"%%(bash|sh|html|javascript|js|latex|perl|r|ruby|sql)\b", re.IGNORECASE)
_COLOUR = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
# What stands in the place of a picture or widget where only text can be shown.
_STAND_IN = re.compile(r"<[^\n]{1,200}>")


class NotebookParser:
    """Reads application/x-ipynb+json (.ipynb), notebook formats 3 and 4."""

    media_type = "application/x-ipynb+json"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document: the cells in their order, a blank line between them.

        A Markdown cell stands as it is, with the blocks that Markdown has. A code cell
        is a fenced `code` block titled with the language, read by `with_code` if the
        extra `code` is installed, and each output that is text
        (printed, a value, an error) is a fenced `code` block titled `output`, cut after
        20,000 characters. Pictures and attachments are left out. A raw cell is a
        `paragraph`.

        `metadata` holds `cells`, the offsets where cells begin, `cell_numbers`, counted
        from 1 with empty cells, `language`, `title` (the first level-1 heading), and
        `cut_outputs`, how many were cut.

        Raises:
            InvalidDocument: the bytes are not UTF-8, or no notebook.

        Example:
            >>> cells = [{"cell_type": "markdown", "source": "# Oil"}]
            >>> cells.append({"cell_type": "code", "source": ["print(1)"], "outputs": []})
            >>> document = PARSER.parse(json.dumps({"nbformat": 4, "cells": cells}), "a.ipynb")
            >>> document.text
            '# Oil\n\n```python\nprint(1)\n```'
            >>> [(block.kind, block.title) for block in document.blocks]
            [('heading', 'Oil'), ('code', 'python')]
        """
        text = read_text(data, source, self.media_type).text
        if not text.strip():
            return Document(source, text, source=source, media_type=self.media_type)
        notebook = _loaded(text, source)
        page = _Page()
        language = _language(notebook)
        for number, cell in enumerate(_cells(notebook, source), start=1):
            page.begin_cell(number)
            _write(page, cell, language)
        metadata: dict[str, Any] = {
            "cells": page.cells,
            "cell_numbers": page.numbers,
            "language": language,
        }
        metadata |= {"title": page.title} if page.title else {}
        metadata |= {"cut_outputs": page.n_cut} if page.n_cut else {}
        return Document(
            id=source,
            text="".join(page.parts),
            blocks=tuple(page.blocks),
            source=source,
            media_type=self.media_type,
            metadata=metadata,
        )


PARSER = NotebookParser()


@dataclass(slots=True)
class _Page:
    """The text so far, and what is known of it."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    blocks: list[Block] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    title: str = ""
    n_cut: int = 0
    _number: int = 0

    def begin_cell(self, number: int) -> None:
        """What is written from now on is of this cell."""
        self._number = number

    def write(self, text: str, blocks: Iterable[Block]) -> None:
        """The text behind a blank line; offsets of `blocks` count from its start."""
        if self.parts:
            self.parts.append("\n\n")
            self.length += 2
        at = self.length
        if not self.numbers or self.numbers[-1] != self._number:
            self.cells.append(at)
            self.numbers.append(self._number)
        self.parts.append(text)
        self.length += len(text)
        self.blocks.extend(
            Block(b.kind, Span(at + b.span.start, at + b.span.end), b.level, b.title)
            for b in blocks
        )

    def write_fenced(self, text: str, title: str) -> None:
        """The text as code between fences that are longer than any in it."""
        longest = max((len(found[0]) for found in _TICKS.finditer(text)), default=2)
        fence = "`" * (longest + 1)
        fenced = f"{fence}{title}\n{text}\n{fence}"
        self.write(fenced, with_code(fenced, [Block("code", Span(0, len(fenced)), 0, title)]))


def _loaded(text: str, source: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text, strict=False, parse_int=str)
    except json.JSONDecodeError as error:
        raise not_json(error, source) from None
    except RecursionError:
        raise _no_notebook(source, "it is nested too deeply") from None
    if not isinstance(found, dict):
        raise _no_notebook(source, f"it holds {_kind(found)}")
    return found


def _no_notebook(source: str, why: str) -> InvalidDocument:
    return InvalidDocument(
        f"{source} must be a Jupyter notebook (an object with a list of cells), but {why}: "
        "check the file and its extension"
    )


def _kind(thing: Any) -> str:
    return "a list" if isinstance(thing, list) else f"a {type(thing).__name__}"


def _cells(notebook: Mapping[str, Any], source: str) -> list[Mapping[str, Any]]:
    """The cells, of all worksheets in format 3."""
    sheets = notebook.get("worksheets") if "cells" not in notebook else [notebook]
    if not isinstance(sheets, list):
        raise _no_notebook(source, "it has no 'cells'")
    cells: list[Any] = []
    for sheet in sheets:
        found = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(found, list):
            raise _no_notebook(source, "its 'cells' are no list")
        cells.extend(found)
    for number, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict):
            raise _no_notebook(source, f"cell {number} is {_kind(cell)}")
    return cells


def _language(notebook: Mapping[str, Any]) -> str:
    about = _mapping(notebook.get("metadata"))
    for part, key in (("language_info", "name"), ("kernelspec", "language")):
        name = _mapping(about.get(part)).get(key)
        if isinstance(name, str) and re.fullmatch(r"[\w+#.-]{1,40}", name):
            return name.lower()
    return "python"


def _mapping(thing: Any) -> Mapping[str, Any]:
    return thing if isinstance(thing, dict) else {}


def _write(page: _Page, cell: Mapping[str, Any], language: str) -> None:
    kind = cell.get("cell_type")
    text = _text(cell.get("source", cell.get("input", ""))).strip("\n")
    if kind == "heading":  # of format 3
        kind, text = "markdown", f"{'#' * _level(cell.get('level'))} {' '.join(text.split())}"
    if not text.strip():
        text = ""
    if kind == "code":
        if text:
            magic = _MAGIC.match(text)
            page.write_fenced(text, magic[1].lower() if magic else language)
        _write_outputs(page, cell.get("outputs"))
    elif text and kind == "markdown":
        found = MARKDOWN.parse(text, "")
        page.title = page.title or found.metadata.get("title", "")
        page.write(found.text, found.blocks)
    elif text:
        begin = len(text) - len(text.lstrip())
        page.write(text, [Block("paragraph", Span(begin, len(text.rstrip())))])


def _level(given: Any) -> int:
    return int(given) if str(given) in "123456" and str(given) else 1


def _write_outputs(page: _Page, outputs: Any) -> None:
    for output in outputs if isinstance(outputs, list) else []:
        text = _output(_mapping(output))
        text = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
        text = text.strip("\n").rstrip()
        if len(text) > _LONGEST_OUTPUT:
            more = len(text) - _LONGEST_OUTPUT
            text = f"{text[:_LONGEST_OUTPUT].rstrip()}\n[… {more:,} characters more]"
            page.n_cut += 1
        if text.strip():
            page.write_fenced(text, "output")


def _output(output: Mapping[str, Any]) -> str:
    """What an output says in text."""
    if output.get("output_type") in ("error", "pyerr"):
        trace = output.get("traceback")
        said = "\n".join(_strings(trace)) if trace else ""
        return _clean(said or f"{output.get('ename', 'Error')}: {output.get('evalue', '')}")
    data = _mapping(output.get("data"))
    plain = _clean("".join(_strings(data.get("text/plain", output.get("text", "")))))
    pictured = len(data) > 1 or "png" in output
    return "" if pictured and _STAND_IN.fullmatch(plain.strip()) else plain


def _strings(thing: Any) -> Iterator[str]:
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, Sequence):
        yield from (part for part in thing if isinstance(part, str))


def _text(thing: Any) -> str:
    return _clean("".join(_strings(thing))).replace("\r", "\n")


def _clean(text: str) -> str:
    """Without colour codes, lone surrogates and the line ends of Windows."""
    text = _COLOUR.sub("", text).replace("\r\n", "\n")
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
