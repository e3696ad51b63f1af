"""Markdown into a document: CommonMark, GFM tables, footnotes, front matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from seamline.parse.blocks import BlockColumns, collect_blocks
from seamline.parse.clauses import find_clauses
from seamline.parse.front_matter import FrontMatter, read_front_matter
from seamline.parse.math import formula_spans, masked, with_formulas
from seamline.parse.qa import find_pairs
from seamline.parse.regions import add_regions
from seamline.parse.text import read_text
from seamline.parse.turns import find_turns
from seamline.types import Block, Document, Span

__all__ = ["PARSER", "MarkdownParser"]

_WINDOW = 1 << 18  # bytes counted at once, so that counting costs no more memory than the text


class MarkdownParser:
    """Reads text/markdown, any text at all: what is no markup is a paragraph."""

    media_type = "text/markdown"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document with its blocks, nested or disjoint, sorted by (start, -end).

        Kinds, and what `level` and `title` say:

        - `front_matter`: YAML or TOML on the first line.
        - `heading`: level 1 to 6; title = its text without markup.
        - `paragraph`: none inside the items of a tight list.
        - `list`: level = nesting depth, from 1; title = `ordered` or `bullet`.
        - `list_item`: level = the depth of its list.
        - `code`: fenced or indented; title = a fence's info string. An unclosed
          fence runs to the end of its list item, quote or document.
        - `table`, and in it each `table_row`; the header rows and the delimiter
          row are one row with the title `header`.
        - `quote`: level = nesting depth, from 1.
        - `html`, `rule`.
        - `math`: a display formula, delimiters included, or a fence of `math`; no
          other markup is seen in it.
        - `qa_pair`, `turn`, `clause` around the others: see `text_blocks`.

        A block starts at the first character of its first line that is not
        indentation (code: with the indentation) and ends with the last line that
        is not blank, before its line feed. Link definitions are in no block.

        `metadata` may hold `title` (of the front matter, else the first level-1
        heading outside lists and quotes), `pages` (see `page_starts`) and
        `unclosed_fence` (where a fence starts that ran to the document's end).

        Raises:
            InvalidDocument: the bytes are not UTF-8.

        Example:
            >>> document = MarkdownParser().parse("## *Oil*\n\n- thin\n- thick\n", "a.md")
            >>> for b in document.blocks:
            ...     print(b.kind, b.level, repr(b.title), document.text[b.span.start : b.span.end])
            heading 2 'Oil' ## *Oil*
            list 1 'bullet' - thin
            - thick
            list_item 1 '' - thin
            list_item 1 '' - thick
        """
        document = read_text(data, source, self.media_type)
        front = read_front_matter(document.text)
        found = collect_blocks(document.text[front.end :])
        blocks = _blocks(found, front)
        if formulas := formula_spans(document.text, _literal(blocks)):
            found = collect_blocks(masked(document.text, formulas)[front.end :])
            blocks = _blocks(found, front)
        blocks = with_formulas(document.text, blocks, formulas)
        metadata = {**document.metadata, **_metadata(found, front, blocks)}
        with_regions = add_regions(document.text, blocks, (find_turns, find_pairs, find_clauses))
        return replace(document, blocks=tuple(with_regions), metadata=metadata)


PARSER = MarkdownParser()


def _blocks(found: BlockColumns, front: FrontMatter) -> tuple[Block, ...]:
    blocks = [Block("front_matter", Span(0, front.end))] if front.end else []
    if found.kinds:
        offsets = _code_points(found.data, found.starts + found.ends, front.end)
        spans = map(Span, offsets, offsets[len(found.kinds) :])
        blocks.extend(map(Block, found.kinds, spans, found.levels, found.titles))
    return tuple(blocks)


def _literal(blocks: Sequence[Block]) -> list[tuple[int, int]]:
    """Where no formula can be: in code, HTML and front matter."""
    kinds = ("code", "html", "front_matter")
    return [(block.span.start, block.span.end) for block in blocks if block.kind in kinds]


def _metadata(found: BlockColumns, front: FrontMatter, blocks: tuple[Block, ...]) -> dict[str, Any]:
    metadata: dict[str, Any] = {}
    if title := front.title or found.title:
        metadata["title"] = title
    if found.ends_in_open_fence():
        metadata["unclosed_fence"] = blocks[-1].span.start
    return metadata


def _code_points(data: bytes, offsets: list[int], base: int) -> list[int]:
    """Byte offsets into `data` as code points, `base` added; O(bytes + n log n)."""
    if data.isascii():
        return [offset + base for offset in offsets] if base else offsets
    bounds, places = np.unique(offsets, return_inverse=True)
    points = np.full_like(bounds, base)
    for low in range(0, int(bounds[-1]), _WINDOW):
        # int8: the bytes that continue a code point are -128 to -65.
        begins = np.frombuffer(data[low : low + _WINDOW], dtype=np.int8) >= -64
        n_begun = np.concatenate(([0], np.cumsum(begins))) + base
        first, last = np.searchsorted(bounds, (low, low + _WINDOW), side="right")
        points[first:last] = n_begun[bounds[first:last] - low]
        base = int(n_begun[-1])
    result: list[int] = points[places].tolist()
    return result
