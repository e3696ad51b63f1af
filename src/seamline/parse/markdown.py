"""Markdown into a document: CommonMark, GFM tables, footnotes, front matter."""

from __future__ import annotations

from dataclasses import replace

from seamline.parse.blocks import collect_blocks
from seamline.parse.clauses import contract_clauses
from seamline.parse.columns import merged
from seamline.parse.contracts import is_contract, without_lists
from seamline.parse.fences import with_code
from seamline.parse.front_matter import FrontMatter, read_front_matter
from seamline.parse.math import formula_spans, masked, may_hold_formulas, with_formulas
from seamline.parse.qa import find_pairs
from seamline.parse.regions import add_regions
from seamline.parse.text import read_text
from seamline.parse.turns import find_turns
from seamline.types import Block, Blocks, Document, Span

__all__ = ["PARSER", "MarkdownParser"]


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
          fence runs to the end of its list item, quote or document. In it what
          `with_code` sees, if the extra `code` is installed.
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
        text, front = document.text, read_front_matter(document.text)
        found = collect_blocks(text, front.end)
        formulas: list[tuple[int, int]] = []
        if may_hold_formulas(text):
            formulas = formula_spans(text, _literal(found.blocks, front))
        if formulas:
            found = collect_blocks(masked(text, formulas), front.end)
        blocks = with_formulas(text, found.blocks, formulas)
        if front.end:
            blocks = merged(blocks, [Block("front_matter", Span(0, front.end))])
        metadata = {**document.metadata}
        if title := front.title or found.title:
            metadata["title"] = title
        if found.unclosed >= 0:
            metadata["unclosed_fence"] = blocks.starts[-1]
        finders = [find_turns, find_pairs]
        if is_contract(text):
            blocks = without_lists(text, blocks)
            finders.append(contract_clauses)
        blocks = add_regions(text, blocks, finders)
        return replace(document, blocks=with_code(text, blocks), metadata=metadata)


PARSER = MarkdownParser()


def _literal(blocks: Blocks, front: FrontMatter) -> list[tuple[int, int]]:
    """Where no formula can be: in code, HTML and front matter."""
    spans = [(0, front.end)] if front.end else []
    columns = zip(blocks.kinds, blocks.starts, blocks.ends, strict=True)
    return spans + [(start, end) for kind, start, end in columns if kind in ("code", "html")]
