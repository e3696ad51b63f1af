"""Items of a plain text into lists: by their markers, their numbers and their indentation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from seamline.parse.columns import append, none
from seamline.parse.outline_pieces import Piece
from seamline.types import Blocks

__all__ = ["blocks_of"]

# Characters of paragraphs between two numbered items that still belong to the first.
_STEP_GAP = 500
_DEEPEST = 12
_CHILDREN = ("paragraph", "code", "table", "quote", "math")


@dataclass(slots=True)
class _Item:
    piece: Piece
    parts: list[Piece | _List] = field(default_factory=list)


@dataclass(slots=True)
class _List:
    style: str
    indent: int
    items: list[_Item]

    @property
    def number(self) -> int:
        return self.items[-1].piece.number


class _Lists:
    """Reads pieces in order; `done` are those that are settled, lists among them."""

    def __init__(self) -> None:
        self.done: list[Piece | _List] = []
        self.open: list[_List] = []
        self.waiting: list[Piece] = []  # after the open list; whether they are in it is open

    def read(self, piece: Piece) -> None:
        if piece.kind == "item":
            self._item(piece)
        elif not self.open:
            self.done.append(piece)
        elif piece.kind in ("heading", "rule"):
            self.close()
            self.done.append(piece)
        elif piece.kind in _CHILDREN and not self.waiting and self._inside(piece):
            self.open[-1].items[-1].parts.append(piece)
        else:
            self._wait(piece)

    def close(self) -> None:
        """The open lists end; what waited comes after them."""
        self.open.clear()
        self.done += self.waiting
        self.waiting.clear()

    def _inside(self, piece: Piece) -> bool:
        """Whether the piece is indented more than the marker of an open item; deeper lists end."""
        if piece.indent < self.open[0].indent + 2:
            return False
        while piece.indent < self.open[-1].indent + 2:
            self.open.pop()
        return True

    def _wait(self, piece: Piece) -> None:
        self.waiting.append(piece)
        if piece.end - self.waiting[0].start > _STEP_GAP or not _counts(self.open):
            self.close()

    def _item(self, piece: Piece) -> None:
        depth = self._place(piece)
        if self.waiting:
            if depth < 0 or piece.number < 2:
                self.close()
                depth = -1
            else:
                self.open[-1].items[-1].parts += self.waiting
                self.waiting.clear()
        if depth >= 0:
            del self.open[depth + 1 :]
            self.open[depth].items.append(_Item(_as_in(piece, self.open[depth])))
            return
        self._new(piece)

    def _new(self, piece: Piece) -> None:
        while self.open and piece.indent < self.open[-1].indent:
            self.open.pop()
        new = _List(piece.style, piece.indent, [_Item(piece)])
        if self.open and len(self.open) < _DEEPEST and self._is_below(piece):
            self.open[-1].items[-1].parts.append(new)
        else:
            self.close()
            self.done.append(new)
        self.open.append(new)

    def _is_below(self, piece: Piece) -> bool:
        top = self.open[-1]
        deeper = piece.indent > top.indent + 1
        return deeper or (piece.style != top.style and piece.number == 1)

    def _place(self, piece: Piece) -> int:
        """Which of the open lists the item goes on with; -1 if none."""
        for depth in range(len(self.open) - 1, -1, -1):
            if _goes_on(self.open[depth], piece):
                return depth
        return -1


def _counts(lists: list[_List]) -> bool:
    return any(one.items[-1].piece.number for one in lists)


def _goes_on(one: _List, piece: Piece) -> bool:
    if abs(one.indent - piece.indent) > 3:
        return False
    if piece.number == 0 or one.style == piece.style:
        return one.style == piece.style and (piece.number == 0 or piece.number == one.number + 1)
    return _as_in(piece, one).style == one.style and _as_in(piece, one).number == one.number + 1


def _as_in(piece: Piece, one: _List) -> Piece:
    """A Roman number read as a letter (`(i)` after `(h)`) where the list has letters."""
    letters = {"i": "a", "I": "A"}
    sign = next((sign for sign in letters if sign in piece.style), "")
    if not sign or piece.style.replace(sign, letters[sign]) != one.style:
        return piece
    number = {1: 9, 5: 22, 10: 24, 50: 12, 100: 3}.get(piece.number)
    return piece if number is None else piece._replace(style=one.style, number=number)


def blocks_of(pieces: Sequence[Piece], *, numbered: bool = True) -> Blocks:
    """The blocks that the pieces are; items that make no list are paragraphs again.

    A list has two items at least, and its numbers count up. Without `numbered`,
    only bullets make lists.
    """
    lists = _Lists()
    for piece in pieces:
        if piece.kind == "item" and piece.number and not numbered:
            lists.read(piece._replace(kind="paragraph"))
        else:
            lists.read(piece)
    lists.close()
    flat = [part for one in lists.done for part in _whole(one)]
    blocks = none()
    for part in _merged(flat):
        _emit(part, blocks, 1)
    return blocks


def _is_list(one: _List) -> bool:
    """Whether there are two items at least, and they are not questions with their answers."""
    n_asked = sum(map(_is_answered, one.items))
    return len(one.items) >= 2 and (n_asked < 2 or n_asked * 2 <= len(one.items))


def _is_answered(item: _Item) -> bool:
    """Whether an item's first line asks and more stands below it."""
    piece = item.piece
    asked = bool(item.parts) and piece.title.rstrip().endswith(("?", "？"))
    return piece.number > 0 and (piece.asks or asked)


def _whole(part: Piece | _List) -> list[Piece | _List]:
    """The part, or what it dissolves into."""
    return [part] if isinstance(part, Piece) or _is_list(part) else _dissolved(part)


def _dissolved(one: _List) -> list[Piece | _List]:
    """The parts of a list of one item; lists in it may stand."""
    parts: list[Piece | _List] = []
    for item in one.items:
        parts.append(item.piece._replace(kind="paragraph"))
        for part in item.parts:
            parts += _whole(part)
    return parts


def _merged(parts: list[Piece | _List]) -> list[Piece | _List]:
    """Paragraphs that no blank line parts, and code that only blank lines part, as one."""
    merged: list[Piece | _List] = []
    for part in parts:
        last = merged[-1] if merged else None
        if isinstance(part, Piece) and isinstance(last, Piece) and _belongs(last, part):
            merged[-1] = last._replace(end=part.end)
        else:
            merged.append(part)
    return merged


def _belongs(last: Piece, part: Piece) -> bool:
    if part.kind == last.kind == "paragraph":
        return part.joined
    if last.kind != "code" or "fence" in (last.style, part.style):
        return False
    return part.kind == "code" or (part.kind == "paragraph" and part.indent > last.indent)


def _emit(part: Piece | _List, blocks: Blocks, depth: int) -> int:
    """Appends the blocks of a part, parents first; the offset where it ends."""
    if isinstance(part, _List):
        return _emit_list(part, blocks, depth)
    if part.kind == "paragraph":
        append(blocks, "paragraph", part.start, part.end)
        return part.end
    kind = "paragraph" if part.kind == "item" else part.kind
    level = part.number if kind == "heading" else int(kind == "quote")
    title = part.title if kind in ("heading", "code") else ""
    append(blocks, kind, part.start, part.end, level, title)
    for low, high, title in part.rows:
        append(blocks, "table_row", low, high, 0, title)
    return part.end


def _emit_list(one: _List, blocks: Blocks, depth: int) -> int:
    at = len(blocks)
    start = end = one.items[0].piece.start
    title = "ordered" if one.items[0].piece.number else "bullet"
    append(blocks, "list", start, start, depth, title)
    for item in one.items:
        end = _emit_item(item, blocks, depth)
    blocks.ends[at] = end
    return end


def _emit_item(item: _Item, blocks: Blocks, depth: int) -> int:
    at, piece = len(blocks), item.piece
    end = piece.end
    append(blocks, "list_item", piece.start, piece.start, depth)
    if item.parts and not isinstance(item.parts[0], _List):
        append(blocks, "paragraph", piece.start, piece.end)
    for part in item.parts:
        for one in _whole(part):
            end = _emit(one, blocks, depth + 1)
    blocks.ends[at] = end
    return end
