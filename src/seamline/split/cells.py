"""The cells of a table's rows, whatever parts them, as plain text."""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol

from seamline.types import Document, Span

__all__ = ["MARKS", "Layout", "Share", "join_lines", "layout_of", "plain", "shares_of"]

_CSV = {"text/csv": ",", "text/tab-separated-values": "\t"}
_PIPE = re.compile(r"(?<!\\)\|")
_GUTTER = re.compile(r" {2,}")
_LOOKED_AT = 100
_WIDEST = 400  # characters of a line in columns
MARKS = " \t\n|"
_DRAWN, _MARGIN = "-+=|:_ \t>", " \t>"

# Possessive or closed by what they exclude, so that no cell can make them backtrack.
_MARKUP = "*`[\\~<&_"
_MARKED = re.compile(r"[*`\[\\]|~~|<(?=[A-Za-z/])|&(?=[#\w])|(?<!\w)_|_(?!\w)")
_CODE = re.compile(r"(?<!`)(`++)([^`]++)\1(?!`)")
_HELD = "\ue000"  # stands for code while the rest is made plain
_HELD_APART = re.compile(f"({_HELD})")
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]++)>")
_NOTE = re.compile(r"\[\^[^\[\]]++\]")
_LINK = re.compile(r"!?\[([^\[\]]*+)\](?:\((?:[^()]|\([^()]*+\))*+\)|\[[^\[\]]*+\])")
_STRONG = re.compile(r"(\*\*|__|~~)(?=\S)((?:(?!\1).)++)\1")
_STARRED = re.compile(r"\*(?=[^\s*])([^*]*+)\*")
_UNDERLINED = re.compile(r"(?<!\w)_(?=\S)([^_]++)_(?!\w)")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


class Layout(Protocol):
    """How a table's rows hold their cells."""

    def cells(self, text: str, span: Span) -> list[str]:
        """The plain cells of a row, each on one line; those of several lines joined by column."""
        ...

    def columns(self, text: str, rows: Sequence[Span]) -> list[list[str]]:
        """The cells of several rows by column, if the rows are all alike and nothing is marked.

        Empty if they must be read one by one.
        """
        ...

    def lines(self, text: str, span: Span) -> list[list[str]]:
        """The cells of each line of a row (a header may have several), none of drawn lines."""
        ...

    def borders(self, text: str, span: Span) -> list[int]:
        """Where in the text the slice of each cell begins, from the row's start on."""
        ...


def layout_of(document: Document, rows: Sequence[Span]) -> Layout:
    r"""How the rows of a table are laid out: by the csv rules, pipes, tabs or blanks.

    Example:
        >>> document = Document.from_text("| a | **b** |", media_type="text/markdown")
        >>> row = Span(0, 13)
        >>> layout_of(document, [row]).cells(document.text, row)
        ['a', 'b']
    """
    text = document.text
    if document.media_type in _CSV:
        given = document.metadata.get("delimiter")
        fits = isinstance(given, str) and len(given) == 1
        return _Delimited(str(given) if fits else _CSV[document.media_type])
    sample = rows[:_LOOKED_AT]
    piped = any(_PIPE.search(text, span.start, span.end) for span in (*sample[:2], *sample[-1:]))
    if not piped:
        if any(text.find("\t", span.start, span.end) >= 0 for span in sample):
            return _Tabbed()
        if stops := _stops(text, sample):
            return _Aligned(stops)
    return _Piped(marked=document.media_type == "text/markdown")


def plain(cell: str) -> str:
    r"""A Markdown cell as a reader sees it: no emphasis, code marks, link targets or tags.

    Example:
        >>> plain("**[Valve](v.md) `V_1`** 2 * 3 a\\|b &lt;5<br>x")
        'Valve V_1 2 * 3 a|b <5 x'
    """
    if not _MARKED.search(cell):
        return cell
    if cell[0] == "`" == cell[-1] and cell.count("`") == 2:
        return cell[1:-1].strip().replace("\\|", "|")
    if "`" in cell and _HELD not in cell:
        codes = iter([code[2].strip().replace("\\|", "|") for code in _CODE.finditer(cell)])
        outer = _unmarked(_CODE.sub(_HELD, cell))
        cell = "".join(next(codes) if part == _HELD else part for part in _HELD_APART.split(outer))
    else:
        cell = _unmarked(cell)
    return " ".join(cell.split())


def _is_marked(cells: Sequence[str]) -> bool:
    """Whether a cell may need to be made plain; the characters alone are searched faster."""
    text = "\n".join(cells)
    return any(mark in text for mark in _MARKUP) and _MARKED.search(text) is not None


def _unmarked(text: str) -> str:
    text = _TAG.sub(" ", _AUTOLINK.sub(r"\1", text)) if "<" in text else text
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", _NOTE.sub("", text))) if "[" in text else text
    text = _STRONG.sub(r"\2", text)
    text = _STARRED.sub(r"\1", text) if "*" in text else text
    text = _UNDERLINED.sub(r"\1", text) if "_" in text else text
    return html.unescape(_ESCAPED.sub(r"\1", text) if "\\" in text else text)


def join_lines(lines: Sequence[Sequence[str]]) -> list[str]:
    """The cells of several lines by column; what a line says again is said once.

    Example:
        >>> join_lines([["Day", "Load", "Load"], ["Day", "am", "pm"]])
        ['Day', 'Load am', 'Load pm']
    """
    if len(lines) == 1:
        return list(lines[0])
    columns = zip_longest(*lines, fillvalue="")
    return [" ".join(dict.fromkeys(cell for cell in column if cell)) for column in columns]


class Share(NamedTuple):
    """The cells that a piece of a row holds: the first, and of each its part, None if whole."""

    first: int
    parts: list[str | None]

    def cells(self) -> Iterator[tuple[int, str | None]]:
        """The number of each cell with its part."""
        return enumerate(self.parts, self.first)


def shares_of(text: str, borders: Sequence[int], end: int, pieces: Sequence[Span]) -> list[Share]:
    r"""What each piece of a row holds of the cells that begin at `borders`.

    Example:
        >>> shares_of("| ab | cdef |", [0, 5], 13, [Span(0, 9), Span(9, 13)])
        [Share(first=0, parts=[None, 'cd']), Share(first=1, parts=['ef'])]
    """
    ends = [*borders[1:], end]
    inner: dict[int, tuple[int, int]] = {}
    found: list[Share] = []
    first = 0
    for piece in pieces:
        while first < len(ends) and ends[first] <= piece.start:
            first += 1
        parts: list[str | None] = []
        after = first
        while after < len(ends) and borders[after] < piece.end:
            if after not in inner:
                inner[after] = _inner(text, borders[after], ends[after])
            low, high = inner[after]
            whole = piece.start <= low and high <= piece.end
            parts.append(None if whole else _part(text, piece, borders[after], ends[after]))
            after += 1
        found.append(Share(first, parts))
    return found


def _inner(text: str, start: int, end: int) -> tuple[int, int]:
    """Where a cell's content lies; without the marks at its ends."""
    cell = text[start:end]
    low = len(cell) - len(cell.lstrip(MARKS))
    return start + low, start + max(low, len(cell.rstrip(MARKS)))


def _part(text: str, piece: Span, start: int, end: int) -> str:
    return " ".join(text[max(start, piece.start) : min(end, piece.end)].strip(MARKS).split())


def _alike(text: str, rows: Sequence[Span], mark: str, *, framed: bool) -> list[list[str]]:
    """The cells of lines between which nothing stands, all with equally many marks, by column."""
    block = text[rows[0].start : rows[-1].end]
    n_breaks = len(rows) - 1
    if block.count("\n") != n_breaks:
        return []
    parts = (block if framed else block.replace("\n", f"{mark}\n{mark}")).split(mark)
    step, rest = divmod(len(parts) + (-1 if framed else 1), len(rows))
    if rest or step < 2:
        return []
    breaks = parts[step:-1:step] if framed else parts[step - 1 :: step]
    if breaks.count("\n") != n_breaks or len(breaks) != n_breaks:
        return []
    if framed and parts[-1]:  # what no mark closes
        return []
    first, after = (1, step) if framed else (0, step - 1)
    return [list(map(str.strip, parts[at::step])) for at in range(first, after)]


class _Lines:
    """A layout in which a line is a row, perhaps with drawn lines between."""

    def line(self, line: str) -> list[str]:
        raise NotImplementedError

    def cells(self, text: str, span: Span) -> list[str]:
        row = text[span.start : span.end]
        return self.line(row) if "\n" not in row else join_lines(self.lines(text, span))

    def lines(self, text: str, span: Span) -> list[list[str]]:
        return [self.line(line) for line in _held(text, span)]


def _held(text: str, span: Span) -> Iterator[str]:
    """The lines of a row that are no drawn lines, without the margin of the later ones."""
    first, *others = text[span.start : span.end].split("\n")
    for line in (first, *(other.lstrip(_MARGIN) for other in others)):
        if line.strip(_DRAWN) or not any(mark in line for mark in "-=_"):
            yield line


class _Piped(_Lines):
    def __init__(self, *, marked: bool) -> None:
        self._marked = marked

    def columns(self, text: str, rows: Sequence[Span]) -> list[list[str]]:
        if text.find("\\|", rows[0].start, rows[-1].end) >= 0:
            return []
        framed = text[rows[0].start] == "|"
        columns = _alike(text, rows, "|", framed=framed)
        if columns and not framed and "" in columns[0]:  # GFM takes its mark for a frame
            return []
        if not self._marked:
            return columns
        block = text[rows[0].start : rows[-1].end]
        if not any(mark in block for mark in _MARKUP):
            return columns
        return [list(map(plain, cells)) if _is_marked(cells) else cells for cells in columns]

    def line(self, line: str) -> list[str]:
        line = line.strip()
        if line[:1] == "|":
            line = line[1:]
        if line[-1:] == "|" and line[-2:] != "\\|":
            line = line[:-1]
        if "\\" not in line:
            cells = [cell.strip() for cell in line.split("|")]
        elif self._marked:
            cells = [cell.strip() for cell in _PIPE.split(line)]
        else:
            cells = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(line)]
        if self._marked and _MARKED.search(line):
            return list(map(plain, cells))
        return cells

    def borders(self, text: str, span: Span) -> list[int]:
        start, end = span.start, span.end
        pipes = [found.start() for found in _PIPE.finditer(text, start, end)]
        if pipes and not text[start : pipes[0]].strip():
            pipes = pipes[1:]
        if pipes and not text[pipes[-1] + 1 : end].strip():
            pipes.pop()
        return [start, *pipes]


class _Tabbed(_Lines):
    def columns(self, text: str, rows: Sequence[Span]) -> list[list[str]]:
        return _alike(text, rows, "\t", framed=False)

    def line(self, line: str) -> list[str]:
        return [cell.strip() for cell in line.split("\t")]

    def borders(self, text: str, span: Span) -> list[int]:
        tabs = re.compile("\t").finditer(text, span.start, span.end)
        return [span.start, *(found.start() for found in tabs)]


class _Aligned:
    """Columns that begin at the same characters of every line."""

    def __init__(self, stops: Sequence[int]) -> None:
        self._stops = stops

    def columns(self, text: str, rows: Sequence[Span]) -> list[list[str]]:  # noqa: ARG002
        return []

    def cells(self, text: str, span: Span) -> list[str]:
        return join_lines(self.lines(text, span) or [[]])

    def lines(self, text: str, span: Span) -> list[list[str]]:
        indent = span.start - _line_start(text, span.start)
        first = " " * indent + text[span.start : span.end]
        bounds = list(zip([0, *self._stops], [*self._stops, None], strict=True))
        return [
            [line[low:high].strip() for low, high in bounds]
            for line in first.split("\n")
            if line.strip(_DRAWN) or not any(mark in line for mark in "-=_")
        ]

    def borders(self, text: str, span: Span) -> list[int]:
        line = _line_start(text, span.start)
        found = (line + stop for stop in self._stops)
        return [span.start, *(at for at in found if span.start < at < span.end)]


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", max(0, offset - _WIDEST), offset) + 1 or max(0, offset - _WIDEST)


def _stops(text: str, rows: Sequence[Span]) -> list[int]:
    """Where the columns but the first begin: behind two blanks or more that all lines have."""
    common = -1
    for span in rows:
        for line in text[_line_start(text, span.start) : span.end].split("\n"):
            if len(line) > _WIDEST:
                return []
            blanks = 0
            for gap in _GUTTER.finditer(line):
                blanks |= (1 << gap.end()) - (1 << gap.start())
            common &= blanks
    if common <= 0:
        return []
    wide = common & (common >> 1)
    wide |= wide << 1  # only where two stand side by side
    ends = (at for at in range(1, wide.bit_length() + 1) if wide >> (at - 1) & 1)
    return [at for at in ends if not wide >> at & 1 and wide & ((1 << at) - 1) != (1 << at) - 1]


def _on_one_line(cell: str) -> str:
    if "\n" not in cell:
        return cell.strip()
    return " ".join(filter(None, map(str.strip, cell.split("\n"))))


class _Delimited:
    """Cells parted by one character, quoted where they hold it, as in `csv`."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        escaped = re.escape(mark)
        inside, rest = r'(?:[^"]++|"")*+', rf"[^{escaped}\n]*+"
        self._cell = re.compile(rf'(?:"({inside})"({rest})|([^{escaped}]*+))({escaped}|\Z)')

    def columns(self, text: str, rows: Sequence[Span]) -> list[list[str]]:
        if text.find('"', rows[0].start, rows[-1].end) >= 0:
            return self._quoted([text[row.start : row.end] for row in rows])
        return _alike(text, rows, self._mark, framed=False)

    def _quoted(self, records: Sequence[str]) -> list[list[str]]:
        """The cells as `csv` reads them; it goes on behind a quote that is never closed."""
        try:
            read = list(csv.reader(records, delimiter=self._mark))
        except (csv.Error, TypeError, ValueError):  # a cell too long, a delimiter that is none
            return []
        if len(read) != len(records) or len(set(map(len, read))) != 1:
            return []
        return [list(map(_on_one_line, cells)) for cells in zip(*read, strict=True)]

    def cells(self, text: str, span: Span) -> list[str]:
        row = text[span.start : span.end]
        if '"' not in row and "\n" not in row:
            return [cell.strip() for cell in row.split(self._mark)]
        cells = []
        for found in self._cell.finditer(row):  # pragma: no branch - the last ends the row
            inside, rest, bare, mark = found.groups()
            cell = bare if inside is None else inside.replace('""', '"') + rest
            cells.append(_on_one_line(cell))
            if not mark:
                break
        return cells

    def lines(self, text: str, span: Span) -> list[list[str]]:
        return [self.cells(text, span)]

    def borders(self, text: str, span: Span) -> list[int]:
        borders = []
        cells = self._cell.finditer(text, span.start, span.end)
        for found in cells:  # pragma: no branch - the last ends the row
            borders.append(found.start())
            if not found[4]:
                break
        return borders
