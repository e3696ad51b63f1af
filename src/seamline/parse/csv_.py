"""CSV and TSV into a document: the text stays as it is, every record is a row of a table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, repeat
from typing import Any, NamedTuple

from seamline.parse.csv_header import has_header, is_value
from seamline.parse.text import read_text
from seamline.types import Block, Document, Span

__all__ = ["CSV", "TSV", "CsvParser", "cells_of", "records_of", "sniff"]

# The first of them that fits as well as any: a comma stands inside cells more often.
_DELIMITERS = "\t;|,"
_SAMPLE_ROWS = 100
_SAMPLE = 1 << 16
_WHITE = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
_DECLARED = re.compile(r"sep=(.)\n", re.IGNORECASE)


class _Patterns(NamedTuple):
    record: re.Pattern[str]
    cell: re.Pattern[str]


@cache
def _patterns(delimiter: str) -> _Patterns:
    """How a record and a cell look; possessive throughout, so that nothing is tried twice.

    As in `csv`: a quote means something at the start of a cell only, and what follows the
    closing one belongs to the cell. A record with a quote that is never closed ends with its
    line and is in group 1. There is at most one: the quotes behind it come in pairs.
    """
    mark = re.escape(delimiter)
    inside, rest = r'(?:[^"]++|"")*+', rf"[^{mark}\n]*+"
    cell = rf'(?:"{inside}"{rest}|(?!"){rest})'
    record = rf'[^"\n]*+(?:\n|\Z)|{cell}(?:{mark}{cell})*+(?:\n|\Z)|([^\n]*+)(?:\n|\Z)'
    one = rf'(?:"({inside})"({rest})|([^{mark}]*+))({mark}|\Z)'
    return _Patterns(re.compile(record), re.compile(one))


@dataclass(frozen=True, slots=True)
class CsvParser:
    """Reads text/csv and text/tab-separated-values, whatever parts the cells."""

    media_type: str
    preferred: str = ""

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document: one `table`, in it a `table_row` for each record that is not blank.

        Cells are parted by the one of comma, semicolon, tab and bar that does so most
        evenly, or as a first line `sep=;` says. Quoted cells may hold line breaks and
        doubled quotes; a quote that is never closed is an ordinary character. The first
        row has the title `header` if it looks like one: see `has_header`. Lines of one
        cell above the table (a title, `sep=;`) are of kind `paragraph`.

        `metadata` holds `rows`, the offsets where the records begin, `row_numbers`, as a
        spreadsheet counts them, blank ones too, `delimiter`, `has_header`, and
        `unclosed_quote`, the offset of one.

        Raises:
            InvalidDocument: the bytes are not UTF-8.

        Example:
            >>> document = CSV.parse('part,note\npump,"oil, thin"\n', "a.csv")
            >>> [(block.kind, block.title, block.span.start) for block in document.blocks]
            [('table', '', 0), ('table_row', 'header', 0), ('table_row', '', 10)]
            >>> document.metadata["row_numbers"]
            [1, 2]
        """
        document = read_text(data, source, self.media_type)
        text = document.text
        delimiter = sniff(text, self.preferred)
        found = _Records.of(text, delimiter)
        if not found.starts:
            return document
        places = zip(found.starts, found.ends, strict=True)
        sample = [cells_of(text[a:b], delimiter) for a, b in islice(places, _SAMPLE_ROWS)]
        n_above = _n_above(sample)
        header = has_header(sample[n_above:])
        metadata: dict[str, Any] = {
            **document.metadata,
            "rows": found.starts,
            "row_numbers": found.numbers,
            "delimiter": delimiter,
            "has_header": header,
        }
        if found.unclosed >= 0:
            metadata["unclosed_quote"] = found.unclosed
        return replace(document, blocks=_blocks(found, n_above, header=header), metadata=metadata)


CSV = CsvParser("text/csv")
TSV = CsvParser("text/tab-separated-values", "\t")


@dataclass(slots=True)
class _Records:
    """The records that are not blank: where each begins and ends, and its number from 1."""

    starts: list[int]
    ends: list[int]
    numbers: list[int]
    unclosed: int = -1

    @classmethod
    def of(cls, text: str, delimiter: str) -> _Records:
        """The records of a text, which are walked once."""
        found = cls([], [], [])
        blank = f'{_WHITE}"{delimiter}'
        for number, match in enumerate(_patterns(delimiter).record.finditer(text), start=1):
            row = match[0]
            if not row.strip(blank):
                continue
            start = match.start()
            found.starts.append(start)
            found.ends.append(start + len(row) - (row[-1] == "\n"))
            found.numbers.append(number)
            if match[1] is not None:
                found.unclosed = start + _unclosed(match[1], delimiter)
        return found


def records_of(text: str, delimiter: str = ",") -> Iterator[str]:
    r"""Each record of a text, line feed included; one pass, linear in the text.

    Example:
        >>> list(records_of('a,"b\nc"\n\nd'))
        ['a,"b\nc"\n', '\n', 'd']
    """
    for match in _patterns(delimiter).record.finditer(text):
        if match[0]:
            yield match[0]


def cells_of(record: str, delimiter: str = ",") -> list[str]:
    r"""The cells of a record without its line feed, without their quotes.

    Example:
        >>> cells_of('a,"b ""c"" d",')
        ['a', 'b "c" d', '']
    """
    cells = []
    for found in _patterns(delimiter).cell.finditer(record):
        inside, rest, plain, mark = found.groups()
        cells.append(plain if inside is None else inside.replace('""', '"') + rest)
        if not mark:
            break
    return cells


def _unclosed(record: str, delimiter: str) -> int:
    """Where the quote stands that makes a record end with its line."""
    for found in _patterns(delimiter).cell.finditer(record):
        if found[3] and found[3][0] == '"':
            return found.start()
    return 0


def sniff(text: str, preferred: str = "") -> str:
    r"""What parts the cells: the mark that gives most records the same number of cells.

    `preferred` is taken where it stands in the first records at all.

    Example:
        >>> sniff("part;price\npump;1,50\nbelt;0,20\n")
        ';'
    """
    declared = _DECLARED.match(text)
    if declared:
        return declared[1]
    sample = text[:_SAMPLE]
    if preferred and preferred in sample:
        return preferred
    scores = {mark: _score(sample, mark) for mark in _DELIMITERS if mark in sample}
    return max(scores, key=scores.__getitem__, default=preferred or ",")


def _score(sample: str, mark: str) -> tuple[float, float, int]:
    """The share of the records that have as many cells as most, the share of values, the cells."""
    records = list(islice(records_of(sample, mark), _SAMPLE_ROWS))
    rows = [cells_of(record.rstrip("\n"), mark) for record in records if record.strip()]
    counts = Counter(len(row) for row in rows if len(row) > 1)
    if not counts:
        return 0.0, 0.0, 0
    (n_cells, n_alike), *_ = counts.most_common(1)
    cells = [cell for row in rows for cell in row]
    return n_alike / len(rows), sum(map(is_value, cells)) / len(cells), n_cells


def _n_above(rows: list[list[str]]) -> int:
    """How many of the first records are no rows of the table, as they have one cell only."""
    filled = [sum(1 for cell in row if cell.strip()) for row in rows]
    usual = Counter(filled).most_common(1)[0][0]
    if usual < 2:
        return 0
    return next((n for n, n_cells in enumerate(filled) if n_cells > 1), 0)


def _blocks(found: _Records, n_above: int, *, header: bool) -> tuple[Block, ...]:
    spans = list(map(Span, found.starts, found.ends))
    blocks = [Block("paragraph", span) for span in spans[:n_above]]
    rows = spans[n_above:]
    blocks.append(Block("table", Span(rows[0].start, rows[-1].end)))
    if header:
        blocks.append(Block("table_row", rows.pop(0), 0, "header"))
    blocks.extend(map(Block, repeat("table_row"), rows))
    return tuple(blocks)
