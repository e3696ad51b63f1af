"""Plain text into pieces: what each run of lines between blank lines is by itself.

A piece is settled only beside its neighbours: whether an item is one of a list,
and whether a short line is a heading, is decided later (`outline_lists`,
`outline_headings`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from seamline.parse.heads import has_pair
from seamline.parse.outline_tables import table_rows

__all__ = ["Piece", "code_among", "hints_in", "pieces_between", "read_marker"]


class Piece(NamedTuple):
    """A run of lines; `start` and `end` as a block has them.

    `kind` is paragraph, line (a paragraph that is one short line), item, heading,
    code, quote, table, rule or math. `indent` counts characters before the first
    one. `style` says how an item is marked (`1.`, `(a)`, `-`), or a heading made,
    `number` which place an item claims in its list. `joined` means that no blank
    line parts it from the piece before, `asks` that an item's first line is a question
    and more lines follow it. `rows` are those of a table.
    """

    kind: str
    start: int
    end: int
    indent: int = 0
    style: str = ""
    number: int = 0
    title: str = ""
    joined: bool = False
    asks: bool = False
    rows: tuple[tuple[int, int, str], ...] = ()


LINE_LIMIT = 100  # characters of a line that may be a heading
BULLETS = "-*+•‣◦▪▸●○■□–·"

# A line feed, so that the search can skip to it; possessive, so that nothing backtracks.
_MARKED = re.compile(
    r"\n[^\S\n]*+(?:[-*+•‣◦▪▸●○■□–·>|=~]|\(?(?:\d{1,3}|[A-Za-z]|[ivxlcIVXLC]{2,6})[.)]"
    r"|\d{1,3}(?:\.\d{1,3})++[ \t]|(?:[Ss]tep|STEP|Schritt|Étape|Paso|Passo)[ \t]\d)"
)
_FIRST = re.compile(_MARKED.pattern.removeprefix(r"\n[^\S\n]*+"))
_ITEM = re.compile(
    r"(?P<bullet>[-*+•‣◦▪▸●○■□–·])[ \t]+(?=\S)"
    r"|(?P<step>Step|STEP|step|Schritt|Étape|Paso|Passo)[ \t]"
    r"(?P<n>\d{1,3})(?:[ \t]*[.):–—-]+[ \t]*|$)"
    r"|(?P<dotted>\d{1,3}(?:\.\d{1,3}){1,4})[.)]?[ \t]+(?=\S)"
    r"|(?P<open>\(?)(?:(?P<digits>\d{1,3})|(?P<roman>[ivxlc]{1,7}|[IVXLC]{1,7})|(?P<letter>[A-Za-z]))"
    r"(?P<close>[.)])[ \t]+(?=\S)"
    r"|(?P<bare>\d{1,2})[ \t]+(?=[A-Z])",
    re.MULTILINE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_RULE = re.compile(r"([-=*_~#])(?:[ \t]*\1){2,}[ \t]*")
_UNDERLINE = re.compile(r"[^\S\n]*(?:(={3,})|(-{3,})|(~{3,})|(\^{3,})|(\*{3,}))[^\S\n]*")
_CODE_LINE = re.compile(
    r"^[ \t]*+(?:(?:def|class|async|import|from|return|if|elif|for|while|try|except|with|raise|"
    r"const|let|var|function|public|private|static|export|package|func|fn|use|struct|enum|"
    r"SELECT|INSERT|UPDATE|CREATE|FROM|WHERE)\b[^\n]*[:;{(=)\]*>,]$"
    r"|(?:import|from|return|raise|#include|package|using)[ \t]+[\w.<\"'{\[(][^\n]*$"
    r"|(?:else|try|finally):$|(?:\$|>>>|\.\.\.)[ \t]\S[^\n]*$|@\w[\w.]*(?:\([^\n]*\))?$"
    r"|(?://|/\*|\*/|#[ \t!])[^\n]*$|[)\]}]+[;,:]?$|[\w.\[\]\"', ]+[-+*/|&:]?=[^=\n]+$"
    r"|[\w.]+\([^\n]*\)?[;,:]?$|[\"'][\w .-]+[\"'][ \t]*:[^\n]+$|[^\n]*[;{}\[(]$|[^\n]*\):$"
    r"|</?\w[^\n]*>$|\"\"\"[^\n]*$|[*]{0,2}\w+[ ]?:[ ]?[\w.\[\]]+(?:[ ]?[=|][^\n]+)?,?$"
    r"|\)[ ]?(?:->|=>|:)[^\n]*$)",
    re.MULTILINE,
)
_HINTS = ("|", ";\n", "{\n", "(\n", ")\n", "):\n", "[\n", " = ", "import ", "\n  ", "\n\t", "\n$ ")
_CODE_SIGN = re.compile(r"[(){};=<>\[\]$]|^[ \t]*(?:import|from|return)\b", re.MULTILINE)


def read_marker(text: str, start: int, end: int) -> tuple[str, int, int] | None:
    """The style, the number and the end of the list marker at `start`; None without one.

    A bullet has the number 0. A letter that may be a Roman number is one, in the
    style `(i)`; the list it stands in may know better.

    Example:
        >>> read_marker("(b) pay", 0, 7), read_marker("2.3. Oil", 0, 8), read_marker("Oil", 0, 3)
        (('(a)', 2, 4), ('1.1', 3, 5), None)
    """
    found = _ITEM.match(text, start, end)
    if found is None:
        return None
    kind, stop = found.lastgroup, found.end()
    if kind == "bullet":
        return found["bullet"], 0, stop
    if found["step"]:
        return "step", int(found["n"]), stop
    if found["dotted"]:
        parts = found["dotted"].split(".")
        return ".".join("1" * len(parts)), int(parts[-1]), stop
    if found["bare"]:
        return "1", int(found["bare"]), stop
    sign, number = _counted(found)
    return f"{found['open']}{sign}{found['close']}", number, stop


def _counted(found: re.Match[str]) -> tuple[str, int]:
    if found["digits"]:
        return "1", int(found["digits"])
    if found["roman"]:
        sign = found["roman"]
        return ("i" if sign.islower() else "I"), roman_value(sign)
    letter = found["letter"]
    return ("a" if letter.islower() else "A"), ord(letter.lower()) - 96


def roman_value(sign: str) -> int:
    """What a Roman number says; how well it is formed is not asked.

    Example:
        >>> roman_value("xiv")
        14
    """
    values = [_ROMAN[letter] for letter in sign.lower()]
    following = [*values[1:], 0]
    return sum(
        -value if value < then else value for value, then in zip(values, following, strict=True)
    )


def hints_in(text: str) -> list[str]:
    """Those of the signs of code and tables that the text has at all."""
    return [hint for hint in _HINTS if _has(text, hint)]


def _has(text: str, hint: str) -> bool:
    return (len(hint) < 2 or has_pair(text, hint[:2])) and hint in text


def pieces_between(
    text: str, hints: list[str], spans: Iterator[tuple[int, int]]
) -> Iterator[Piece]:
    """The pieces of the runs of lines at `spans`, each from ink to the end of a line.

    `hints` are those of the whole text, found once.
    """
    for start, end in spans:
        stop = text.find("\n", start, end)
        if stop < 0:
            yield _single(text, start, end)
        elif _may_be_more(text, hints, (start, end)):
            yield from _several(text, start, end)
        else:
            yield Piece("paragraph", start, end, _indent(text, start))


def _indent(text: str, start: int) -> int:
    if start == 0 or text[start - 1] == "\n":
        return 0
    return start - text.rfind("\n", 0, start) - 1


def _single(text: str, start: int, end: int) -> Piece:
    if end - start > LINE_LIMIT and not _FIRST.match(text, start, end):
        return Piece("paragraph", start, end, _indent(text, start))
    indent = _indent(text, start)
    if _RULE.fullmatch(text, start, end):
        return Piece("rule", start, end, indent)
    if marker := read_marker(text, start, end):
        return Piece("item", start, end, indent, marker[0], marker[1], text[marker[2] : end])
    if text[start] == ">" and text[start + 1 : start + 2] in " \t>":
        return Piece("quote", start, end, indent)
    if indent >= 4 and _CODE_LINE.match(text, start, end):
        return Piece("code", start - indent, end, indent)
    return Piece("line" if end - start <= LINE_LIMIT else "paragraph", start, end, indent)


def _may_be_more(text: str, hints: list[str], span: tuple[int, int]) -> bool:
    """Whether the lines must be looked at one by one; `hints` are those that the text has."""
    start, end = span
    if _FIRST.match(text, start, end) or _MARKED.search(text, start, end):
        return True
    n_breaks = text.count("\n", start, end)
    if text.count("  ", start, end) >= n_breaks or text.count("\t", start, end) >= n_breaks:
        return True
    for hint in hints:  # noqa: SIM110 - a generator for every paragraph costs as much as the search
        if text.find(hint, start, end) >= 0:
            return True
    return False


Lines = list[tuple[int, int, int]]  # first ink, end, indentation


def _lines(text: str, start: int, end: int) -> Lines:
    lines = []
    at = start - _indent(text, start)
    for line in text[at:end].split("\n"):
        ink = len(line) - len(line.lstrip())
        lines.append((at + ink, at + len(line), ink))
        at += len(line) + 1
    return lines


def _several(text: str, start: int, end: int) -> Iterator[Piece]:
    lines = _lines(text, start, end)
    indent = lines[0][2]
    if all(text[low] == ">" for low, _, _ in lines):
        yield Piece("quote", start, end, indent)
    elif rows := table_rows(text, [(low, high) for low, high, _ in lines]):
        if rows[0][0] > start:
            yield Piece("paragraph", start, lines[0][1], indent)
        yield Piece("table", rows[0][0], end, indent, joined=rows[0][0] > start, rows=tuple(rows))
    elif _is_code(text, lines):
        yield Piece("code", start - indent, end, indent)
    else:
        yield from _parts(text, lines)


def _is_code(text: str, lines: Lines) -> bool:
    """Whether most lines look like code, and some have a sign of it."""
    low, high = lines[0][0] - lines[0][2], lines[-1][1]
    n_signed = sum(1 for first, last, _ in lines if _CODE_SIGN.search(text, first, last))
    if n_signed * 2 < len(lines):
        return False
    return sum(1 for _ in _CODE_LINE.finditer(text, low, high)) * 10 >= 6 * len(lines)


def _parts(text: str, lines: Lines) -> Iterator[Piece]:
    """Headings over their underlines, items, and what is left as paragraphs."""
    at, joined = 0, False
    while at < len(lines):
        n_used, piece = _heading(text, lines, at) if at == 0 or not joined else (0, None)
        if piece is None:
            n_used, piece = _run(text, lines, at)
        yield piece._replace(joined=joined)
        at += n_used
        joined = piece.kind not in ("heading", "rule")


def _heading(text: str, lines: Lines, at: int) -> tuple[int, Piece | None]:
    """A line and its underline, with the line of the same signs above it if there is one."""
    over = at + 2 < len(lines) and _UNDERLINE.fullmatch(text, lines[at][0], lines[at][1])
    title = at + 1 if over else at
    if title + 1 >= len(lines):
        return 0, None
    low, high, indent = lines[title]
    under = _UNDERLINE.fullmatch(text, lines[title + 1][0], lines[title + 1][1])
    if under is None or (over and over.lastindex != under.lastindex):
        return 0, None
    sign, n_title = under[under.lastindex or 1], high - low
    if n_title > LINE_LIMIT or not n_title <= 2 * len(sign) <= 4 * n_title + 40:
        return 0, None
    if not any(map(str.isalnum, text[low:high])):
        return 0, None
    style = f"{'over' if over else 'under'} {sign[0]}"
    start, end = lines[at][0], lines[title + 1][1]
    return title + 2 - at, Piece("heading", start, end, indent, style, title=text[low:high].strip())


def _run(text: str, lines: Lines, at: int) -> tuple[int, Piece]:
    """The item or paragraph that begins at the line `at`, and of how many lines it is."""
    low, high, indent = lines[at]
    marker = read_marker(text, low, high)
    stop = at + 1
    while stop < len(lines) and not _begins(text, lines, stop):
        stop += 1
    end = lines[stop - 1][1]
    if marker:
        title = text[marker[2] : high]
        asks = end > high and title.rstrip().endswith(("?", "？"))
        item = Piece("item", low, end, indent, marker[0], marker[1], title, asks=asks)
        return stop - at, item
    if _RULE.fullmatch(text, low, high) and stop == at + 1:
        return 1, Piece("rule", low, high, indent)
    short = stop == at + 1 and end - low <= LINE_LIMIT and len(lines) == 1
    return stop - at, Piece("line" if short else "paragraph", low, end, indent)


def _begins(text: str, lines: Lines, at: int) -> bool:
    """Whether the line begins a piece of its own: it has the marker of an item."""
    marker = read_marker(text, lines[at][0], lines[at][1])
    return marker is not None and marker[0] != "1"


def code_among(text: str, pieces: list[Piece]) -> list[Piece]:
    """The pieces; those beside code that look a little like it, or go on in it, are code too."""
    if not any(piece.kind == "code" for piece in pieces):
        return pieces
    for order in (range(1, len(pieces)), range(len(pieces) - 2, -1, -1)):
        step = -order.step
        for at in order:
            piece, beside = pieces[at], pieces[at + step]
            if beside.kind == "code" and beside.style != "fence" and _is_like_code(text, piece):
                start = piece.start - piece.indent
                pieces[at] = Piece("code", start, piece.end, piece.indent, joined=piece.joined)
    return pieces


def _is_like_code(text: str, piece: Piece) -> bool:
    if piece.kind not in ("paragraph", "line") or piece.end - piece.start > 4000:
        return False
    lines = _lines(text, piece.start, piece.end)
    n_code = sum(1 for _ in _CODE_LINE.finditer(text, piece.start - piece.indent, piece.end))
    n_signed = sum(1 for low, high, _ in lines if _CODE_SIGN.search(text, low, high))
    return n_code * 10 >= 4 * len(lines) and n_signed * 10 >= 4 * len(lines)
