"""HTML into a document: what a reader of the page sees, in its order."""

from __future__ import annotations

from dataclasses import dataclass, replace

from seamline.parse.fences import with_code
from seamline.parse.html_elements import OPENERS
from seamline.parse.html_encoding import decode_html
from seamline.parse.html_reader import HtmlReader
from seamline.parse.html_tokens import START, TEXT, tokens
from seamline.parse.limits import LIMITS, Limits, check_bytes
from seamline.types import Document

__all__ = ["PARSER", "HtmlParser"]


@dataclass(frozen=True, slots=True)
class HtmlParser:
    """Reads text/html, well-formed or not.

    With `main_only` the text is that of the `main` element where there is one, as
    the rest is the site's, not the page's. `limits` bound what merged cells repeat.
    """

    main_only: bool = True
    limits: Limits = LIMITS
    media_type: str = "text/html"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document with its blocks, nested or disjoint, sorted by (start, -end).

        Kinds, and what `level` and `title` say:

        - `heading`: level 1 to 6; title = its text.
        - `paragraph`: any other text that stands alone, captions and terms too.
        - `list`: level = nesting depth, from 1; title = `ordered` or `bullet`. Its
          `list_item` blocks begin with `- ` or their number, as a reader sees them.
          A `dl` is a bullet list, each item a term with what is said about it.
        - `table` and its `table_row` blocks: cells between pipes, merged cells
          repeated in each place they cover, header rows and delimiter row one row
          with the title `header`. Tables that lay out the page are plain text.
        - `code`: `pre`; title = its language, from a class such as `language-sh`. In it
          what `with_code` sees, if the extra `code` is installed.
        - `quote`: level = nesting depth.
        - `qa_pair`: `details`, and what is marked up as schema.org's Question;
          title = the question.
        - `math`: a display formula, TeX between `$$` where the page has it.
        - `rule`: `hr`.

        Left out: scripts, styles, what is hidden (unless a control on the page opens
        it), `nav`, the page's `footer`, forms' controls. `metadata` may hold `title`
        (`title`, else the first `h1`).

        Raises:
            InvalidDocument: the bytes are no text, not in the encoding they declare
                (UTF-8 if none), or too many.

        Example:
            >>> page = "<title>Pumps</title><h1>Oil</h1><ul><li>thin<li>thick</ul>"
            >>> document = HtmlParser().parse(page, "a.html")
            >>> print(document.text)
            Oil
            <BLANKLINE>
            - thin
            - thick
            >>> [block.kind for block in document.blocks]
            ['heading', 'list', 'list_item', 'list_item']
        """
        if not isinstance(data, str):
            check_bytes(data, source, self.limits)
        text = data if isinstance(data, str) else decode_html(data, source)
        text = text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
        reader = HtmlReader(text, OPENERS, limits=self.limits)
        for kind, value, attributes in tokens(text):
            if kind == TEXT:
                reader.text(value)
            elif kind == START:
                reader.start(value, attributes)
            else:
                reader.end(value)
        window = reader.finish()
        window = window if self.main_only else None
        document = reader.writer.document(source, self.media_type, window)
        return replace(document, blocks=with_code(document.text, document.blocks))


PARSER = HtmlParser()
