"""What must hold of chunks of Markdown, tables and code: what went wrong, or nothing."""

from __future__ import annotations

from judging import reading
from judging.piece import Piece
from judging.view import View, squeezed

__all__ = [
    "classes",
    "fences",
    "formulas",
    "html_rows",
    "indentation",
    "orphans",
    "pairs",
    "paths",
    "sections",
    "tables",
]


def orphans(view: View) -> str:
    """No heading stands at the end of a chunk, its text in the next."""
    ends = {squeezed(view.text[one.start : one.end]) for one in reading.headings(view.text)}
    bare = [one for one in view.pieces[:-1] if squeezed(one.text.rstrip().split("\n")[-1]) in ends]
    return "heading orphaned" if bare else ""


def sections(view: View) -> str:
    """Every heading opens a chunk, and what is none opens no section and is no title."""
    if not view.tool.sections:
        return ""
    found = reading.headings(view.text)
    if _false_sections(view, found):
        return "false heading"
    lines = {squeezed(view.text[one.start : one.end]) for one in found}
    places = view.places()
    for one in found:
        mine = [place for place in places if place and place[0] <= one.start < place[1]]
        if not mine:
            return "heading lost"
        if view.tool.sized and _holds_sections(view, mine[-1], found):
            continue
        above = view.text[mine[-1][0] : one.start].split("\n")
        if any(squeezed(line) and squeezed(line) not in lines for line in above):
            return "section not seen"
    return ""


def _holds_sections(view: View, place: tuple[int, int], found: list[reading.Heading]) -> bool:
    """Whether a chunk is made of sections that fit in it together."""
    solid = len(view.text[place[1] :]) - len(view.text[place[1] :].lstrip())
    starts = {0, len(view.text), *(one.start for one in found)}
    return place[0] in starts and place[1] + solid in starts


def _false_sections(view: View, found: list[reading.Heading]) -> bool:
    titles, starts = {one.title for one in found}, {one.start for one in found}
    if any(title not in titles for piece in view.pieces for title in piece.path):
        return True
    begins = [] if view.tool.sized else [place[0] for place in view.places()[1:] if place]
    return any(begin not in starts for begin in begins)


def paths(view: View) -> str:
    """Path and text of a chunk name every title above it; no two sections look the same."""
    seen: dict[tuple[tuple[str, ...], int | None], int] = {}
    found = reading.headings(view.text)
    for piece, place in zip(view.pieces, view.places(), strict=True):
        if place is None:
            return "text changed"
        wanted = reading.path_at(view.text, place[0])
        inside = [one.title for one in found if place[0] <= one.start < place[1]]
        if not set(wanted) <= {*piece.path, *inside}:
            return "path not whole"
        section = max((one.start for one in found if one.start <= place[0]), default=0)
        if seen.setdefault((piece.path, piece.start), section) != section:
            return "sections look alike"
    return ""


def fences(view: View) -> str:
    """Code between fences is in one chunk if it fits, to the letter."""
    return next(filter(None, (_kept_whole(view, one) for one in reading.fences(view.text))), "")


def _kept_whole(view: View, code: str) -> str:
    code = code.strip()
    if not view.fits(code) or any(code in one.text for one in view.pieces):
        return ""
    if any(squeezed(code) in squeezed(one.text) for one in view.pieces):
        return "indentation lost"
    return "fence cut"


def formulas(view: View) -> str:
    """A formula is in one chunk if it fits."""
    parted = [
        one
        for one in reading.formulas(view.text)
        if view.fits(one) and not any(one in piece.text for piece in view.pieces)
    ]
    return "formula cut" if parted else ""


def tables(view: View) -> str:
    """Rows are whole, and each has its own header in the text or beside it."""
    for table in reading.tables(view.text):
        header = _lines(table.header[:-1])
        for row in map(squeezed, table.rows):
            holding = [one for one in view.pieces if row in _lines(one.text.split("\n"))]
            if not holding:
                return "row cut"
            if not all(header <= _lines(f"{one.said}\n{one.text}".split("\n")) for one in holding):
                return "header lost"
        if _most_rows(view, table) > (view.tool.n_rows or len(table.rows)):
            return "limit ignored"
    return ""


def _most_rows(view: View, table: reading.Rows) -> int:
    rows = _lines(table.rows)
    return max(len(rows & _lines(one.text.split("\n"))) for one in view.pieces)


def _lines(lines: tuple[str, ...] | list[str]) -> set[str]:
    return {squeezed(line) for line in lines}


def html_rows(view: View) -> str:
    """As `tables`, of an HTML table: the cells of a row are together, the labels with them."""
    head, below, *rows = reading.html_rows(view.source)
    for cells in rows:
        holding = [one for one in view.pieces if all(cell in one.text for cell in cells)]
        if not holding:
            return "row cut"
        for one in holding:
            if not all(label in f"{one.said}\n{one.text}" for label in (*head, *below)):
                return "header lost"
    return ""


def pairs(view: View) -> str:
    """A question is with its answer, in the text or beside it."""
    for question, answer, both in reading.pairs(view.text):
        holding = [one for one in view.pieces if answer in one.text]
        if not holding and view.fits(both):
            return "answer cut"
        if not all(question in f"{one.said}\n{one.text}" for one in holding):
            return "pair parted"
    return ""


def classes(view: View) -> str:
    """A method is with its decorators and knows its class; chunks begin with whole indentation."""
    for one in reading.methods(view.text):
        holding = [piece for piece in view.pieces if _has_line(piece, one.head)]
        if not all(f"class {one.owner}" in f"{piece.said}\n{piece.text}" for piece in holding):
            return "class lost"
        if not all(_has_line(piece, mark) for piece in holding for mark in one.decorators):
            return "decorator parted"
    return indentation(view)


def _has_line(piece: Piece, line: str) -> bool:
    return line.strip() in (one.strip() for one in piece.text.split("\n"))


def indentation(view: View) -> str:
    """A chunk that begins with a line of code has the line's indentation."""
    lines = view.text.split("\n")
    bare = {line.strip() for line in lines if line[:1].isspace()}
    first = [one.text.lstrip("\n").split("\n")[0] for one in view.pieces]
    return "indentation lost" if any(line in bare for line in map(str.rstrip, first)) else ""
