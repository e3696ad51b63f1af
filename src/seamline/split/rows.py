"""Rows of a table as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, zip_longest
from operator import itemgetter
from string import Formatter
from typing import Any, NamedTuple

from seamline.errors import InvalidConfig
from seamline.split.cells import MARKS, Layout, join_lines, layout_of, shares_of
from seamline.split.columns import ABOVE, EMPTY, TEXT, Column, codes_of, columns_of
from seamline.split.english import is_label, is_value, measured, period
from seamline.split.outline import join_path
from seamline.split.table_blocks import Table
from seamline.split.wording import TEMPLATES, English, Neutral, Plain, Templated, Wording, fields_of
from seamline.types import Document, Span

__all__ = ["RowSentences", "header_names", "sentences_of"]

# The rows that say what the columns hold.
_SAMPLE = 1000
_MOST_HEADER_ROWS = 3
# Patterns of rows whose format string is kept, and the widest of them.
_KEPT, _WIDEST = 512, 256
_MOST_FILLED = 8  # times its cells a short row is filled up to
_LONGEST_KEY = 120  # characters of a key that is repeated
_BATCH = 1024
_NAMELESS = Column()
_SHOWN = 12  # names of columns in a message


class RowSentences:
    """The sentences of one table's rows."""

    def __init__(self, text: str, layout: Layout, columns: list[Column], wording: Wording) -> None:
        self._text = text
        self._layout = layout
        self._columns = columns
        self._wording = wording
        keyed = [at for at, column in enumerate(columns) if column.key]
        self._keys = sorted(keyed, key=lambda at: columns[at].key)
        self._forms: dict[str, _Form] = {}

    def of(self, rows: Sequence[Span]) -> Iterator[str]:
        """What each row says, in order; empty where one has no cell."""
        above: list[str] = []
        for at in range(0, len(rows), _BATCH):
            batch = rows[at : at + _BATCH]
            columns = self._layout.columns(self._text, batch)
            if not columns:
                yield from self._uneven(batch)
                continue
            above = _fill(columns, above)
            yield from self._put(columns)

    def borders(self, row: Span) -> list[int]:
        """Where a row's cells begin."""
        return self._layout.borders(self._text, row)

    def parts(self, row: Span, pieces: Sequence[Span]) -> Iterator[str]:
        """What each piece of a row says, the key again in each."""
        cells = self._layout.cells(self._text, row)
        codes = self._codes([[cell] for cell in cells])
        keys = [cells[at][:_LONGEST_KEY] if at < len(cells) else "" for at in self._keys]
        letters = [codes[at][0] if at < len(cells) else EMPTY for at in self._keys]
        borders = self.borders(row)
        if len(borders) != len(cells):  # several lines, or cells that overlap their columns
            name = ", ".join(filter(None, keys))
            yield from (f"{name}: {self._bare(piece)}" for piece in pieces)
            return
        shares = shares_of(self._text, borders, row.end, pieces)
        for piece, share in zip(pieces, shares, strict=True):
            if any(at in self._keys and part is not None for at, part in share.cells()):
                yield self._bare(piece)  # the key itself is cut
                continue
            shown = [(at, part) for at, part in share.cells() if at not in self._keys]
            columns = [self._columns[at] for at in self._keys]
            columns += [self._column(at) for at, _ in shown]
            held = [*keys, *(cells[at] if part is None else part for at, part in shown)]
            kinds = [codes[at][0] if part is None else _kind(part) for at, part in shown]
            form = self._wording.template(columns, "".join([*letters, *kinds]))
            yield form.format(*held) or self._bare(piece)

    def _column(self, at: int) -> Column:
        return self._columns[at] if at < len(self._columns) else _NAMELESS

    def _bare(self, piece: Span) -> str:
        return " ".join(self._text[piece.start : piece.end].strip(MARKS).split())

    def _uneven(self, rows: Sequence[Span]) -> list[str]:
        """Rows read one by one; short ones are filled up, longer ones by themselves."""
        width = len(self._columns)
        lengths: dict[int, list[int]] = {}
        read = []
        for number, row in enumerate(rows):
            cells = self._layout.cells(self._text, row)
            if len(cells) < width <= _MOST_FILLED * len(cells):
                cells += [""] * (width - len(cells))
            lengths.setdefault(len(cells), []).append(number)
            read.append(cells)
        said = [""] * len(rows)
        for numbers in lengths.values():
            columns = [list(cells) for cells in zip(*(read[n] for n in numbers), strict=True)]
            _fill(columns, [])
            for number, sentence in zip(numbers, self._put(columns), strict=False):
                said[number] = sentence
        return said

    def _codes(self, cells: Sequence[Sequence[str]]) -> list[list[str]]:
        codes = [codes_of(self._column(at), column) for at, column in enumerate(cells)]
        for at in self._keys[:1]:
            if at < len(codes):
                codes[at] = self._wording.key_codes(cells[at], codes[at])
        return codes

    def _put(self, cells: Sequence[Sequence[str]]) -> list[str]:
        """The sentences of rows given by column, all equally long."""
        patterns = map("".join, zip(*self._codes(cells), strict=True))
        rows = zip(*cells, strict=True)
        forms = self._forms
        said = []
        for codes, row in zip(patterns, rows, strict=True):
            text, chosen = forms.get(codes) or self._form(codes)
            said.append(text % chosen(row))
        if ("\n".join(said) + "\n").find("..\n") < 0:
            return said
        doubled = (text.endswith("..") and not text.endswith("...") for text in said)
        return [
            text[:-1] if is_doubled or text.endswith("....") else text
            for text, is_doubled in zip(said, doubled, strict=True)
        ]

    def _form(self, codes: str) -> _Form:
        """How rows with these codes are put; kept for the next."""
        columns = [self._column(at) for at in range(len(codes))]
        form = _Form.of(self._wording.template(columns, codes))
        if len(codes) <= _WIDEST:
            if len(self._forms) >= _KEPT:
                self._forms.clear()
            self._forms[codes] = form
        return form


class _Form(NamedTuple):
    """A format string for `%`, and the cells that it wants of a row."""

    text: str
    cells: Callable[[Sequence[str]], Any]

    @classmethod
    def of(cls, template: str) -> _Form:
        parts = list(Formatter().parse(template))
        text = "".join(
            text.replace("%", "%%") + ("" if field is None else "%s") for text, field, _, _ in parts
        )
        order = [int(field) for _, field, _, _ in parts if field is not None]
        return cls(text, itemgetter(*order) if order else _nothing)


def _nothing(_row: Sequence[str]) -> tuple[()]:
    return ()


def _kind(part: str) -> str:
    return TEXT if part else EMPTY


def _fill(columns: Sequence[list[str]], above: list[str]) -> list[str]:
    """Put what stands above into cells that say so; `above` and the result are a last row."""
    for at, cells in enumerate(columns):
        if ABOVE.isdisjoint(cells):
            continue
        last = above[at] if at < len(above) else ""
        for number, cell in enumerate(cells):
            if cell in ABOVE and last:
                cells[number] = last
            last = cells[number]
    return [cells[-1] for cells in columns]


def sentences_of(document: Document, table: Table, template: str = "auto") -> RowSentences:
    r"""The sentences of a table's rows; what the columns hold is seen in its first 1,000.

    Raises:
        InvalidConfig: `template` names a column that the table does not have.

    Example:
        >>> text = "| part | qty |\n|---|---|\n| oil | 4 |"
        >>> table = Table(Span(0, 36), Span(0, 24), [Span(25, 36)])
        >>> list(sentences_of(Document.from_text(text), table).of(table.rows))
        ['Part oil has a qty of 4.']
    """
    text = document.text
    places = [table.header, *table.rows] if table.header else table.rows
    layout = layout_of(document, places[: _SAMPLE + 1])
    lines = layout.lines(text, table.header) if table.header else []
    sample = [layout.cells(text, row) for row in table.rows[:_SAMPLE]]
    names, n_more = header_names(lines, sample)
    sample = sample[n_more:]
    named = any(names)
    if not named and template not in TEMPLATES:
        names = [f"column {n}" for n in range(1, max(map(len, sample), default=0) + 1)]
    columns = columns_of(names, sample)
    wording = _wording(document, table, template, columns=columns, named=named)
    return RowSentences(text, layout, columns, wording)


def header_names(
    lines: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> tuple[list[str], int]:
    """The names of a table's columns, and how many of its first rows are part of the header.

    Example:
        >>> header_names([["", "Year ended May 31,"]], [["", "2019"], ["Sales", "$1,407"]])
        (['', 'Year ended May 31, 2019'], 1)
    """
    n_more = _n_header_rows(lines, rows)
    return _names([*lines, *rows[:n_more]]), n_more


def _n_header_rows(lines: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows go on with a header that does not name every column.

    They name no row, and hold years, units and words, but no amount.
    """
    if not lines or all(lines[0]) or not any(lines[0]):
        return 0
    n_rows = 0
    for row in rows[: min(_MOST_HEADER_ROWS, len(rows) - 1)]:
        filled = [cell for cell in row[1:] if cell]
        if row[0] or not filled or any(map(_is_amount, filled)):
            break
        n_rows += 1
    return n_rows


def _is_amount(cell: str) -> bool:
    return is_value(cell) and not period(cell) and not measured(cell).unit


def _names(lines: Sequence[Sequence[str]]) -> list[str]:
    """The names of the columns; of a group of columns that stands once in each of its columns.

    What spans several columns is known by what is under it: names that stand more than once.
    """
    if not lines:
        return []
    last = lines[-1]
    under = [name for name in last if name]
    if len(lines) == 1 or len(set(under)) == len(under):
        return join_lines(lines)
    return join_lines([*(_spread(line, last) for line in lines[:-1]), last])


def _spread(line: Sequence[str], under: Sequence[str]) -> list[str]:
    spread: list[str] = []
    for name, below in zip_longest(line, under, fillvalue=""):
        spread.append(name or (spread[-1] if below and spread else ""))
    return spread


def _wording(
    document: Document, table: Table, template: str, *, columns: Sequence[Column], named: bool
) -> Wording:
    if template not in TEMPLATES:
        return _templated(document, table, template, columns=columns)
    if not named:
        return Plain()
    if template == "neutral" or (template == "auto" and not _is_english(document, columns)):
        return Neutral(columns)
    return English(columns, table.path)


def _is_english(document: Document, columns: Sequence[Column]) -> bool:
    """Whether headers can be said in English: labels from A to Z, in no other language."""
    language = document.metadata.get("language") or document.metadata.get("lang") or "en"
    labels = "".join(column.label for column in columns)
    foreign = any(not letter.isascii() and letter.isalpha() for letter in labels)
    labels_all = all(is_label(column.name) for column in columns if column.name or not column.key)
    return labels_all and not foreign and str(language).lower().startswith("en")


def _templated(
    document: Document, table: Table, template: str, *, columns: Sequence[Column]
) -> Wording:
    path = join_path(table.path)
    title = table.title or (table.path[-1] if table.path else "")
    wording = Templated(fields_of(template), columns, {"table": title, "path": path})
    if missing := wording.missing():
        names = ", ".join(column.name for column in islice(columns, _SHOWN)) or "none"
        raise InvalidConfig(
            f"the template of table_rows needs {', '.join(map(repr, missing))}, but the table at "
            f"offset {table.span.start} of {document.id!r} has the columns {names}: "
            "use these, or table, path, key and cells, which every table has"
        )
    return wording
