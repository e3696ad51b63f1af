"""Plain text: its outline, its regions, pages between form feeds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from seamline.parse.clauses import contract_clauses
from seamline.parse.contracts import is_contract
from seamline.parse.encoding import decode
from seamline.parse.outline import outline_blocks
from seamline.parse.qa import find_pairs
from seamline.parse.regions import add_regions
from seamline.parse.turns import find_turns
from seamline.types import Blocks, Document

__all__ = ["PARSER", "PlainTextParser", "page_starts", "read_text", "text_blocks"]


class PlainTextParser:
    """Reads text/plain: what is no heading, list, table or code is a paragraph."""

    media_type = "text/plain"

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document with the blocks of `text_blocks`; `metadata["pages"]` where pages break.

        A paragraph runs from its first character that is not whitespace to the end
        of its last line. A line of whitespace alone is blank.

        Raises:
            InvalidDocument: the bytes are not UTF-8.

        Example:
            >>> document = PlainTextParser().parse("One.\n\nTwo\nlines.\n", "a.txt")
            >>> [(block.span.start, block.span.end) for block in document.blocks]
            [(0, 4), (6, 16)]
        """
        document = read_text(data, source, self.media_type)
        return replace(document, blocks=text_blocks(document.text))


PARSER = PlainTextParser()


def read_text(data: bytes | str, source: str, media_type: str) -> Document:
    """The document without blocks: decoded, line ends and page breaks settled."""
    text = data if isinstance(data, str) else decode(data, source)
    document = Document(id=source, text=text, source=source, media_type=media_type)
    pages = page_starts(document.text)
    metadata: dict[str, Any] = {"pages": pages} if len(pages) > 1 else {}
    return replace(document, metadata=metadata) if metadata else document


def page_starts(text: str) -> tuple[int, ...]:
    r"""Offsets where pages start: 0, and after every form feed that text follows.

    Example:
        >>> page_starts("one\ftwo\f")
        (0, 4)
    """
    starts = [0]
    while (found := text.find("\f", starts[-1])) >= 0:
        starts.append(found + 1)
    if len(starts) > 1 and starts[-1] == len(text):
        starts.pop()
    return tuple(starts)


def text_blocks(text: str) -> Blocks:
    r"""The blocks of a text without markup, nested or disjoint, sorted by (start, -end).

    The kinds are those of Markdown, found as `outline_blocks` says, and around them:

    - `qa_pair`: a question and its answer; title = the question.
    - `turn`: what one speaker says, where the text is a transcript; title = the speaker.
    - `clause`: a numbered provision, where the text is a contract; title = its
      number, level = how deep it lies, from 1.

    Example:
        >>> [(b.kind, b.title) for b in text_blocks("Q: Which oil?\nA: Only VG 46.\n")]
        [('qa_pair', 'Which oil?'), ('paragraph', ''), ('paragraph', '')]
    """
    legal = is_contract(text)
    blocks = outline_blocks(text, numbered=not legal)
    finders = (find_turns, find_pairs, contract_clauses) if legal else (find_turns, find_pairs)
    return add_regions(text, blocks, finders)
