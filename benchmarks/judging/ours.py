"""seamline as a tool beside its peers."""

from __future__ import annotations

from judging.piece import Case, Cut, Piece, Tool
from judging.tools import METADATA
from seamline.parse import parse_bytes
from seamline.split import parse_strategy
from seamline.types import Chunk

__all__ = ["make_ours"]


def make_ours(case: Case) -> Tool:
    """The strategy of the case, on a file that is read as a user's would be."""
    strategy = parse_strategy(_spec(case))

    def run(text: str) -> Cut:
        if case.titled:
            text = f"# {METADATA['note']}\n\n{text}"
        document = parse_bytes(text.encode(), case.name + case.suffix)
        return Cut(document.text, [_piece(chunk) for chunk in strategy.split(document)])

    return Tool(run, sections=True)


def _spec(case: Case) -> str:
    if "(" in case.ours:
        return case.ours
    overlap = f"overlap={case.overlap}, " if case.ours == "recursive" else ""
    return f"{case.ours}(size={case.limit}, {overlap}unit={case.unit})"


def _piece(chunk: Chunk) -> Piece:
    indexed = chunk.indexed_as or chunk.text
    titles = indexed.removesuffix(chunk.text).split("\n")[0]
    return Piece(
        chunk.text,
        chunk.start,
        said=f"{indexed.removesuffix(chunk.text)}\n{chunk.context}",
        path=tuple(filter(None, titles.split(" > "))),
        pages=chunk.metadata.get("page_range"),
    )
