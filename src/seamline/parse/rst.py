"""reStructuredText into a document: what docutils sees, line by line, to the offset."""

from __future__ import annotations

from dataclasses import replace

from seamline.parse.clauses import find_clauses
from seamline.parse.fences import with_code
from seamline.parse.qa import find_pairs
from seamline.parse.regions import add_regions
from seamline.parse.rst_body import RstReader
from seamline.parse.text import read_text
from seamline.parse.turns import find_turns
from seamline.types import Document

__all__ = ["PARSER", "RstParser"]


class RstParser:
    """Reads text/x-rst, any text at all: what is no markup is a paragraph."""

    media_type = "text/x-rst"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document with its blocks, nested or disjoint, sorted by (start, -end).

        Kinds, and what `level` and `title` say:

        - `heading`: level by the order in which the styles of the lines below (and
          above) titles come up, at most 6; title = its text without markup.
        - `paragraph`: also line blocks, footnotes, and directives that hold nothing else.
        - `list`: level = nesting depth, from 1; title = `ordered` or `bullet`. Lists of
          fields, options and definitions are bullet lists. In it each `list_item`.
        - `code`: literal text behind `::`, sessions with a prompt, and the directives
          `code-block`, `code`, `sourcecode`, `parsed-literal`; title = the language,
          else that of the last `highlight`. In it what `with_code` sees.
        - `table`, and in it each `table_row` with the drawn line below it; grid tables,
          simple tables, `csv-table`. The header rows are one row titled `header`.
        - `quote`: level = nesting depth.
        - `math`, `html` (`raw`), `rule` (a transition).

        What a directive such as `note` holds are blocks like any others; the first of
        them begins with the directive's own line. Comments, link targets and
        substitutions are in no block. `metadata` may hold `title` (the first heading)
        and `pages` (see `page_starts`).

        Raises:
            InvalidDocument: the bytes are not UTF-8.

        Example:
            >>> document = RstParser().parse("Oil\n===\n\nTwo kinds::\n\n    thin\n", "a.rst")
            >>> for b in document.blocks:
            ...     print(b.kind, b.level, repr(document.text[b.span.start : b.span.end]))
            heading 1 'Oil\n==='
            paragraph 0 'Two kinds::'
            code 0 '    thin'
        """
        document = read_text(data, source, self.media_type)
        reader = RstReader(document.text)
        finders = find_turns, find_pairs, find_clauses
        blocks = add_regions(document.text, reader.blocks(), finders)
        metadata = {**document.metadata, **({"title": reader.title} if reader.title else {})}
        return replace(document, blocks=with_code(document.text, blocks), metadata=metadata)


PARSER = RstParser()
