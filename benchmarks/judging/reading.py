"""What stands in an input, found without seamline: by markdown-it, `ast`, `regex` and by hand."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

import regex
from markdown_it import MarkdownIt

_DELIMITER = re.compile(r"^\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?\|?$")
_PAIR = re.compile(
    r"^[^\w\n]*Q\d*[.:] *(?P<question>[^\n]*\?)\W*\n+(?P<answer>[^\n]+)", re.MULTILINE
)
_FORMULA = re.compile(r"^\$\$\n.*?^\$\$$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: where its lines lie, and what they say."""

    start: int
    end: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table: the lines of its header (all above the delimiter row), and its rows."""

    header: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A function in a class: its lines, and what belongs before them."""

    owner: str
    head: str
    decorators: tuple[str, ...]


def headings(text: str) -> list[Heading]:
    """The headings that CommonMark sees."""
    tokens = MarkdownIt().parse(text)
    at = _line_starts(text)
    return [
        Heading(at[lines[0]], at[lines[1]], int(one.tag[1]), tokens[i + 1].content)
        for i, one in enumerate(tokens)
        if one.type == "heading_open" and (lines := one.map)
    ]


def path_at(text: str, offset: int) -> list[str]:
    """The titles above a place, that of its own section last."""
    open_: list[Heading] = []
    for one in headings(text):
        if one.start <= offset:
            open_ = [*(other for other in open_ if other.level < one.level), one]
    return [one.title for one in open_]


def fences(text: str) -> list[str]:
    """The code between fences, with the marks, as it stands in the text."""
    at = _line_starts(text)
    found = [one.map for one in MarkdownIt().parse(text) if one.type == "fence"]
    return [text[at[lines[0]] : at[lines[1]]].strip("\n") for lines in found if lines]


def tables(text: str) -> list[Rows]:
    """The tables outside fences."""
    for code in fences(text):
        text = text.replace(code, "")
    lines, found = text.split("\n"), []
    for i, line in enumerate(lines):
        if _DELIMITER.match(line.strip()) and "|" in line:
            above, below = list(_run(lines[i - 1 :: -1])), list(_run(lines[i + 1 :]))
            found.append(Rows((*reversed(above), line), tuple(below)))
    return found


def html_rows(text: str) -> list[list[str]]:
    """The cells of each row of an HTML table, those of its head among them."""
    return [
        re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", text)
    ]


def formulas(text: str) -> list[str]:
    """The formulas between `$$` lines."""
    return _FORMULA.findall(text)


def pairs(text: str) -> list[tuple[str, str, str]]:
    """Each question, without its label, the first line of its answer, and both as they stand."""
    return [(found["question"], found["answer"], found[0]) for found in _PAIR.finditer(text)]


def methods(code: str) -> list[Definition]:
    """The functions in classes of Python code."""
    lines = code.split("\n")
    return [
        Definition(
            owner.name,
            lines[one.lineno - 1],
            tuple(lines[decorator.lineno - 1] for decorator in one.decorator_list),
        )
        for owner in ast.walk(ast.parse(code))
        if isinstance(owner, ast.ClassDef)
        for one in owner.body
        if isinstance(one, ast.FunctionDef)
    ]


def grapheme_borders(text: str) -> list[int]:
    """Where one character, as a reader sees it, ends and another begins."""
    return [0, *(found.end() for found in regex.finditer(r"\X", text))]


def _run(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if "|" not in line:
            return
        yield line


def _line_starts(text: str) -> list[int]:
    return [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
