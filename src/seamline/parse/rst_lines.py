"""A text's lines as reStructuredText sees them, and what a line begins with."""

from __future__ import annotations

import re

__all__ = [
    "ANONYMOUS",
    "BULLET",
    "DIRECTIVE",
    "DOCTEST",
    "ENUMERATOR",
    "EXPLICIT",
    "FIELD",
    "GRID_TOP",
    "LINE_BLOCK",
    "NOTE",
    "OPTION",
    "SIMPLE_TOP",
    "Lines",
    "is_adornment",
    "plain_title",
]

# As docutils has them, made possessive so that no line can make one backtrack.
BULLET = re.compile(r"[-+*\u2022\u2023\u2043](?: ++|$)")
ENUMERATOR = re.compile(
    r"(?:(\()(?:#|\d++|[a-zA-Z]|[ivxlcdm]++|[IVXLCDM]++)\)"
    r"|(?:#|\d++|[a-zA-Z]|[ivxlcdm]++|[IVXLCDM]++)([.)]))(?: ++|$)"
)
FIELD = re.compile(r":(?![: ])(?:[^:\\\n]|\\.|:(?!(?:[ `]|$)))*+(?<! ):(?: ++|$)")
OPTION = re.compile(
    r"(?:[-+][a-zA-Z0-9](?: ?(?:[a-zA-Z][\w-]*+|<[^<>]++>))?|(?:--|/)[a-zA-Z0-9][\w-]*+"
    r"(?:[ =](?:[a-zA-Z][\w-]*+|<[^<>]++>))?)"
    r"(?:, (?:[-+][a-zA-Z0-9]|(?:--|/)[a-zA-Z0-9][\w-]*+)(?:[ =]?(?:[a-zA-Z][\w-]*+|<[^<>]++>))?)*+"
    r"(?:  ++|$)"
)
DOCTEST = re.compile(r">>>(?: |$)")
LINE_BLOCK = re.compile(r"\|(?: |$)")
GRID_TOP = re.compile(r"\+-[-+]+-\+$")
SIMPLE_TOP = re.compile(r"=+(?: +=+)+$")
DIRECTIVE = re.compile(r"\.\. +((?:(?!_)\w)++(?:[-._+:](?:(?!_)\w)++)*+) ?::(?: +|$)")
EXPLICIT = re.compile(r"\.\.(?: |$)")
ANONYMOUS = re.compile(r"__(?: |$)")
NOTE = re.compile(r"\.\. +\[[^\[\]\s]++\](?: +|$)")
_LONGEST_TITLE = 500
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*+$")
_LINE = re.compile(r"([^\S\n]*+)(\S[^\n]*+)?\n?")
_ROLE = re.compile(r":[a-zA-Z][\w+.-]*+(?::[\w+.-]++)*+:(?=`)")
_NAMED = re.compile(r"`[~!]?([^`<]*[^`<\s])(?:\s*<[^`<>]*+>)?`(?:__?)?")
_MARKED = re.compile(r"(?<!\w)(\*\*?|``|\|)(?=\S)(.+?)(?<=\S)\1(?:__?)?(?!\w)")
_ESCAPED = re.compile(r"\\(.)")


class Lines:
    """The lines that are not blank, a list of each property.

    `begins` is where a line begins, `starts` and `ends` where its content does, `columns`
    in which column that is (a tab goes to the next eighth), `gaps` whether a blank line
    stands before. Whoever reads what follows a marker moves the start behind it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.begins: list[int] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.columns: list[int] = []
        self.gaps: list[bool] = []
        gap = True
        for line in _LINE.finditer(text):
            margin, content = line.groups()
            if content:
                start = line.start() + len(margin)
                self.begins.append(line.start())
                self.starts.append(start)
                self.ends.append(start + len(content.rstrip()))
                self.columns.append(len(margin.expandtabs(8)) if "\t" in margin else len(margin))
                self.gaps.append(gap)
            gap = not content

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, number: int) -> str:
        return self.text[self.starts[number] : self.ends[number]]

    def run_end(self, first: int, last: int) -> int:
        """The line after those that follow `first` without a blank line or another margin."""
        column, at = self.columns[first], first + 1
        while at < last and not self.gaps[at] and self.columns[at] == column:
            at += 1
        return at

    def body_end(self, first: int, last: int, column: int) -> int:
        """The line after those that follow `first` and stand in `column` or further right."""
        at = first + 1
        while at < last and self.columns[at] >= column:
            at += 1
        return at


def is_adornment(line: str) -> bool:
    """Whether a line is made of one mark of punctuation, as over- and underlines are."""
    return _ADORNMENT.match(line) is not None and line != "::"


def plain_title(text: str) -> str:
    """A title without markup.

    Example:
        >>> plain_title(":mod:`json` --- *Read* and ``write``")
        'json --- Read and write'
    """
    text = _MARKED.sub(r"\2", text[:_LONGEST_TITLE])
    text = _NAMED.sub(r"\1", _ROLE.sub("", text)) if "`" in text else text
    return " ".join(_ESCAPED.sub(r"\1", text).split())
