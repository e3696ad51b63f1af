"""Questions that a document asks itself: its headings, docstrings, table rows and FAQ.

Each looks for one known item in the document's own words. That costs nothing and
shows what breaks, but it flatters strategies that index headings or cut by
structure, so such questions are marked and reported apart.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from seamline.golden.docstrings import docstring
from seamline.golden.rows import Draft
from seamline.split.cells import MARKS, Layout, layout_of
from seamline.split.columns import Column, columns_of
from seamline.split.outline import join_path, outline
from seamline.split.rows import header_names
from seamline.split.table_blocks import Table, tables_of
from seamline.types import Blocks, Document, Span

__all__ = ["KINDS", "known_items"]

_BODY = frozenset({"paragraph", "list", "quote"})
_NO_BODY = frozenset({"heading", "table", "code", "definition", "qa_pair", "html"})
_FOLLOWS = _BODY | {"code"}
_LEAST_BODY = 40  # code points: less is another title
_MOST_BODY = 1_500  # code points of a lead-in together with the list after it
_SAMPLE = 1_000  # rows that say which columns are the key
_LABELLED = re.compile(r"[*_]{0,2}[^\W\d_]{1,12}[ \t]?\d{0,3}[.:)：][*_]{0,2}[ \t]*(?=\S)")
# In Markdown the last definition of a fenced block ends with its fence.
_FENCE, _LONGEST_FENCE = re.compile(r"\n[ \t>]*(?:`{3,}|~{3,})[ \t]*\Z"), 80

# A last sentence that announces what comes: it trails off, or says so.
_ANNOUNCES = re.compile(
    r"(?:\.\.\.|…)\W*\Z|\b(?:following|as follows|below|these|such as|including)\b[^.!?]*\W*\Z",
    re.IGNORECASE,
)
_LISTED = frozenset({"list", "code"})

Finder = Callable[[Document, np.random.Generator, int], Iterator[Draft]]


def known_items(
    document: Document, rng: np.random.Generator, *, most_rows: int
) -> dict[str, list[Draft]]:
    r"""All the questions that a document asks itself, by kind, in the order of the text.

    - `heading`: the heading path; gold is the first paragraph below it (with the
      list or code that it introduces).
    - `docstring`: a docstring's first sentence; gold is the definition.
    - `row`: the table's title, a row's key and a column's name; gold is the row. Of a
      table at most `most_rows`, at random.
    - `faq`: the question; gold is its answer.

    Example:
        >>> from seamline.parse import parse_text
        >>> text = "# Pumps\n\n## Oil change\n\nChange the oil once a week, with the motor off.\n"
        >>> document = parse_text(text, media_type="text/markdown")
        >>> found = known_items(document, np.random.default_rng(0), most_rows=9)
        >>> [(draft.question, draft.texts) for draft in found["heading"]]
        [('Pumps > Oil change', ('Change the oil once a week, with the motor off.',))]
    """
    return {kind: list(find(document, rng, most_rows)) for kind, find in KINDS.items()}


def _headings(document: Document, _rng: np.random.Generator, _most: int) -> Iterator[Draft]:
    blocks = document.columns
    asked = {blocks.starts[at] for at in blocks.places("qa_pair")}
    sections = outline(document)
    for at in blocks.places("heading"):
        if blocks.starts[at] in asked:
            continue
        body = _body(document.text, blocks, at + 1)
        title = join_path(sections.path(blocks.starts[at]))
        if body and len(body) >= _LEAST_BODY and title:
            yield Draft(document, title, (body,), "heading")


def _body(text: str, blocks: Blocks, at: int) -> Span | None:
    """The first paragraph from a block on, before the next heading, table or code.

    With what it introduces, by a colon or in words: none where that is not there or is long.
    """
    while at < len(blocks) and blocks.kinds[at] not in _BODY:
        if blocks.kinds[at] in _NO_BODY:
            return None
        at += 1
    if at == len(blocks):
        return None
    span = _trimmed(text, blocks.starts[at], blocks.ends[at])
    said = text[span.start : span.end]
    after = bisect_left(blocks.starts, span.end)
    follows = after < len(blocks) and blocks.kinds[after] in _FOLLOWS
    if said.endswith((":", "：")):
        if not follows:
            return None
    elif not (follows and blocks.kinds[after] in _LISTED and _ANNOUNCES.search(said)):
        return span
    whole = _trimmed(text, span.start, blocks.ends[after])
    return whole if len(whole) <= _MOST_BODY else None


def _docstrings(document: Document, _rng: np.random.Generator, _most: int) -> Iterator[Draft]:
    blocks, text = document.columns, document.text
    for at in blocks.places("definition"):
        head = at + 1
        if head == len(blocks) or blocks.kinds[head] != "signature":
            continue
        said = docstring(text[blocks.starts[head] : blocks.ends[head]])
        if said:
            end = blocks.ends[at]
            closing = _FENCE.search(text, max(blocks.starts[at], end - _LONGEST_FENCE), end)
            span = _trimmed(text, blocks.starts[at], closing.start() if closing else end)
            yield Draft(document, said, (span,), "docstring")


def _rows(document: Document, rng: np.random.Generator, most: int) -> Iterator[Draft]:
    for table in tables_of(document):
        if table.header is None:
            continue
        layout = layout_of(document, [table.header, *table.rows[:_SAMPLE]])
        sample = [layout.cells(document.text, row) for row in table.rows[:_SAMPLE]]
        names, n_more = header_names(layout.lines(document.text, table.header), sample)
        columns = columns_of(names, sample[n_more:])
        rows = table.rows[n_more:]
        for number in np.sort(rng.permutation(len(rows))[:most]).tolist():
            yield from _row(document, table, columns, layout, row=rows[number], rng=rng)


def _row(
    document: Document,
    table: Table,
    columns: Sequence[Column],
    layout: Layout,
    *,
    row: Span,
    rng: np.random.Generator,
) -> Iterator[Draft]:
    """The question for one cell of a row, if the row has a key and a named cell besides."""
    cells = layout.cells(document.text, row)[: len(columns)]
    by_key = sorted((column.key, at) for at, column in enumerate(columns) if column.key)
    key = " ".join(cells[at] for _, at in by_key if at < len(cells) and cells[at])
    asked = [
        column.name
        for column, cell in zip(columns, cells, strict=False)
        if not column.key and column.name and any(map(str.isalnum, cell))
    ]
    if not key or not asked:
        return
    name = asked[int(rng.integers(len(asked)))]
    title = table.title or (table.path[-1] if table.path else "")
    question = f"{title}: {key}, {name}" if title else f"{key}, {name}"
    text = document.text[row.start : row.end]
    start = row.start + len(text) - len(text.lstrip(MARKS))
    yield Draft(document, question, (Span(start, start + len(text.strip(MARKS))),), "row")


def _pairs(document: Document, _rng: np.random.Generator, _most: int) -> Iterator[Draft]:
    blocks, text = document.columns, document.text
    for at in blocks.places("qa_pair"):
        answer = _answer(text, blocks, at)
        if answer and blocks.titles[at]:
            yield Draft(document, blocks.titles[at], (answer,), "faq")


def _answer(text: str, blocks: Blocks, at: int) -> Span | None:
    """What answers the question of a pair: its blocks after those that ask."""
    start, end, title = blocks.starts[at], blocks.ends[at], _bare(blocks.titles[at])
    inner, reach = at + 1, start
    while inner < len(blocks) and blocks.starts[inner] < end:
        if blocks.starts[inner] >= reach:
            if reach > start and not _asks(text[blocks.starts[inner] : blocks.ends[inner]], title):
                break
            reach = blocks.ends[inner]
        inner += 1
    if inner == len(blocks) or blocks.starts[inner] >= end:
        return None
    found = _trimmed(text, blocks.starts[inner], end)
    label = _LABELLED.match(text, found.start, found.end)
    if label and _LABELLED.match(text, start):
        return Span(label.end(), found.end)
    return found


def _asks(text: str, title: str) -> bool:
    """Whether a block is part of the question with that title."""
    bare = _bare(text)
    return bool(bare) and bare in title


def _bare(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _trimmed(text: str, start: int, end: int) -> Span:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return Span(start, start + len(part.strip()))


KINDS: dict[str, Finder] = {
    "heading": _headings,
    "docstring": _docstrings,
    "row": _rows,
    "faq": _pairs,
}
"""The kinds of known items, and what finds each."""
