"""A syntax tree into blocks, in bytes: one pass, no recursion, single lines passed over.

This module is compiled where a C compiler is at hand (`code_walk.pxd` holds the
types); as plain Python it gives the same answers, slower.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from seamline.parse.code_flat import is_flat
from seamline.parse.code_grammar import Grammar
from seamline.parse.code_heads import Head, bound_function, read_head
from seamline.scan import COMPILED

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["CodeColumns", "add_paragraphs", "collect_code"]

_BREAK = ord("\n")
_BLANK = b" \t\n\r\f\v"
_MARGIN = b" \t"
# A single line is looked into only beyond this length: minified code.
_LONG = 400
_PARAGRAPH = re.compile(rb"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")

Children = Sequence["Node"]
Act = Callable[["_Walk", "Node", int, int, str], Children]
Action = tuple[Act, str]


class CodeColumns:
    """Blocks in any order, a list for each property; offsets are bytes of `data`."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.kinds: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.levels: list[int] = []
        self.titles: list[str] = []

    def add(self, kind: str, start: int, end: int, level: int = 0, title: str = "") -> None:
        """One more block; parents are added before their children of the same span."""
        self.kinds.append(kind)
        self.starts.append(start)
        self.ends.append(end)
        self.levels.append(level)
        self.titles.append(title)

    def add_statement(self, start: int, end: int, level: int) -> None:
        """What is not blank between two offsets, from its first line's indentation on."""
        piece = self.data[start:end]
        kept = len(piece.rstrip(_BLANK))
        if kept:
            first = start + len(piece) - len(piece.lstrip(_BLANK))
            self.add("statement", max(start, indented(self.data, first)), start + kept, level)


def add_paragraphs(found: CodeColumns) -> None:
    """Every run of lines that are not blank as a statement: for text without a tree."""
    for run in _PARAGRAPH.finditer(found.data):
        found.add_statement(run.start(), run.end(), 0)


def indented(data: bytes, start: int) -> int:
    """The start of the line if only blanks stand before `start` in it, else `start`."""
    first = start
    while first and data[first - 1] in _MARGIN:
        first -= 1
    return first if not first or data[first - 1] == _BREAK else start


def trimmed(data: bytes, end: int) -> int:
    """The end without the blanks before it; no copy, as definitions lie in definitions."""
    while data[end - 1] in _BLANK:
        end -= 1
    return end


class _Frame:
    """A definition (or the text) whose inside is being walked.

    Definitions begin at or after `floor`: the end of its head, or of the last one.
    `boundary` is where its next statement begins, -1 in a function. Whatever starts
    before `item_end` belongs to a statement that was seen already.
    """

    def __init__(self, end: int, inside_end: int, floor: int, boundary: int, item_end: int) -> None:
        self.end = end
        self.inside_end = inside_end
        self.floor = floor
        self.boundary = boundary
        self.item_end = item_end


def collect_code(root: Node, *, data: bytes, grammar: Grammar, language: Language) -> CodeColumns:
    """All blocks of a syntax tree, unsorted."""
    walk = _Walk(data, grammar)
    walk.run(root, _actions(grammar, language))
    return walk.found


class _Walk:
    """The state of one pass over the tree, in the order of the text."""

    def __init__(self, data: bytes, grammar: Grammar) -> None:
        self.data = data
        self.grammar = grammar
        self.found = CodeColumns(data)
        n = len(data)
        self.frame = _Frame(n + 1, n, 0, 0, 0)
        self.outer: list[_Frame] = []
        # Comments and decorators that a definition may follow, and what wraps it.
        self.first_attached = self.last_attached = -1
        self.wrapper_start = self.wrapper_end = -1
        self.wide = False
        self.is_python = grammar.name == "python"

    def run(self, root: Node, actions: dict[int, Action]) -> None:
        """Visit the root's children, and those of every node on several lines, in order."""
        stack, newline, find, n = root.named_children[::-1], -1, self.data.find, len(self.data)
        frame = self.frame
        while stack:
            node = stack.pop()
            start, end = node.start_byte, node.end_byte
            if newline < start:
                newline = find(b"\n", start) % (n + 1)  # the end where there is none
            if start >= frame.end:
                self.close(start)
                frame = self.frame
            action = actions.get(node.kind_id)
            if action is None:
                if start >= frame.item_end:
                    self.item(start, end)
                if newline < end or end - start > _LONG:
                    stack += node.named_children[::-1]
            elif start < end:
                self.wide = newline < end
                act, title = action
                stack += act(self, node, start, end, title)
                frame = self.frame
        self.close(n + 1)

    def close(self, start: int) -> None:
        """End the definitions that end before `start`, and at the end the text."""
        while start >= self.frame.end:
            frame = self.frame
            if frame.boundary >= 0:
                self.found.add_statement(frame.boundary, frame.inside_end, len(self.outer))
            if not self.outer:
                return
            self.frame = self.outer.pop()

    def item(self, start: int, end: int) -> None:
        """A statement beside the definitions: a new block where a blank line stands before it."""
        frame = self.frame
        if start >= frame.inside_end:  # a remark behind the closing brace
            return
        if frame.boundary >= 0 and self.is_apart(frame.item_end, start):
            self.found.add_statement(frame.boundary, start, len(self.outer))
            frame.boundary = indented(self.data, start)
        frame.item_end = end

    def is_apart(self, end: int, start: int) -> bool:
        """Whether a blank line lies between; nodes may end with their line feed."""
        if end and self.data[end - 1] == _BREAK:
            end -= 1
        return self.data.count(b"\n", end, start) > 1

    def attach(self, start: int, end: int) -> None:
        """Keep a comment or decorator for the definition that may follow."""
        if self.first_attached < 0 or not self.touches(self.last_attached, start):
            self.first_attached = start
        self.last_attached = end

    def touches(self, end: int, start: int) -> bool:
        """Whether only blanks and at most one line feed lie between."""
        return not self.data[end:start].strip(_BLANK) and not self.is_apart(end, start)

    def opens_line(self, start: int) -> bool:
        first = indented(self.data, start)
        return not first or self.data[first - 1] == _BREAK

    def define(self, node: Node, head: Head, has_items: bool) -> None:
        """A definition and its signature; what follows until its end is inside it.

        One inside another's head (in a default value, a base class) or in a decorator
        is none.
        """
        floor = max(self.frame.floor, self.last_attached)
        if node.start_byte < floor or node.end_byte > self.frame.inside_end:
            return
        start, end = self.extent(node)
        frame, level = self.frame, len(self.outer) + 1
        if frame.boundary >= 0:
            self.found.add_statement(frame.boundary, start, level - 1)
            frame.boundary = end
        frame.floor = end
        frame.item_end = max(frame.item_end, end)
        head_end = end if head.end >= node.end_byte else max(head.end, node.start_byte + 1)
        head_end = trimmed(self.data, min(head_end, end))
        self.found.add("definition", start, end, level, head.title)
        self.found.add("signature", start, head_end, level)
        inside_end = head.body_end if head_end <= head.body_end <= end else end
        self.outer.append(frame)
        boundary = head_end if has_items else -1
        item_end = head_end if has_items else end
        self.frame = _Frame(end, inside_end, head_end, boundary, item_end)

    def extent(self, node: Node) -> tuple[int, int]:
        """From the first comment or decorator above to the end of the last line."""
        start, end = node.start_byte, node.end_byte
        data, last = self.data, self.wrapper_end
        if self.wrapper_start <= start and end <= last and not data[end:last].strip(_BLANK + b";"):
            start, end = self.wrapper_start, last
        self.wrapper_start = self.wrapper_end = -1
        floor = max(self.frame.floor, self.frame.boundary)
        if floor <= self.first_attached < start and self.touches(self.last_attached, start):
            start = self.first_attached
        self.first_attached = self.last_attached = -1
        if self.grammar.modifiers:
            start = self.modified(start)
        start = max(floor, indented(data, start))
        return start, min(self.line_end(trimmed(data, end)), self.frame.inside_end)

    def modified(self, start: int) -> int:
        """The start with the modifier before it: Ruby's `private def` is a call."""
        for word in self.grammar.modifiers:
            first = start - len(word) - 1
            if first >= 0 and self.data[first:start] == word + b" " and self.opens_line(first):
                return first
        return start

    def line_end(self, end: int) -> int:
        """The end with the `;` or `,` and the remark behind it."""
        data = self.data
        stop = data.find(b"\n", end, end + _LONG)
        stop = min(len(data), end + _LONG) if stop < 0 else stop
        rest = data[end:stop]
        tail = rest.lstrip(_MARGIN)
        closed = tail.lstrip(b";, \t")
        if closed.startswith(self.grammar.remark):
            inline = closed.startswith(b"/*") and closed.find(b"*/") != len(closed.rstrip()) - 2
            if not inline and len(rest) < _LONG:
                return end + len(rest.rstrip(_BLANK))
        marks = tail[: len(tail) - len(closed)].rstrip(_MARGIN)
        return end + len(rest) - len(tail) + len(marks) if marks else end


def _inside(_walk: _Walk, node: Node, _start: int, _end: int, _title: str) -> Children:
    return node.named_children[::-1]


def _comment(walk: _Walk, _node: Node, start: int, end: int, _title: str) -> Children:
    if start >= walk.frame.item_end:
        walk.item(start, end)
    if walk.opens_line(start) and walk.data[start : start + 2] != b"#!":
        walk.attach(start, end)
    return _string(walk, _node, start, end, _title)


def _string(walk: _Walk, _node: Node, start: int, end: int, _title: str) -> Children:
    if start >= walk.frame.item_end:
        walk.item(start, end)
    if not walk.wide:
        return ()
    text = walk.data[start:end].rstrip(_BLANK)
    end = start + len(text)
    if text.startswith(b"\n"):  # Ruby's heredocs
        start = indented(walk.data, end - len(text.lstrip(_BLANK)))
    if walk.data.find(b"\n", start, end) >= 0:
        walk.found.add("string", start, end, len(walk.outer))
    return ()


def _decorator(walk: _Walk, node: Node, start: int, end: int, _title: str) -> Children:
    if start >= walk.frame.item_end:
        walk.item(start, end)
    walk.attach(start, end)
    return node.named_children[::-1] if walk.wide else ()


def _wrapper(walk: _Walk, node: Node, start: int, end: int, _title: str) -> Children:
    if start >= walk.frame.item_end:
        walk.item(start, end)
    if not (walk.wrapper_start <= start and end <= walk.wrapper_end):
        walk.wrapper_start, walk.wrapper_end = start, end
    return node.named_children[::-1]


def _bound(walk: _Walk, node: Node, start: int, end: int, _title: str) -> Children:
    if start >= walk.frame.item_end:
        walk.item(start, end)
    if not walk.wide and end - start <= _LONG:
        return ()
    named = bound_function(node, walk.data)
    if named is not None:
        title, value = named
        head = read_head(value, "", grammar=walk.grammar, data=walk.data)
        if value.type == "accessor_list":
            head = Head("", value.start_byte + 1, value, value.end_byte - 1)
        walk.define(node, head._replace(title=title), value.type == "class")
    return node.named_children[::-1]


def _type(walk: _Walk, node: Node, start: int, end: int, title: str) -> Children:
    head = read_head(node, title, grammar=walk.grammar, data=walk.data)
    if head.body is None and node.type in _NEED_BODY:
        if start >= walk.frame.item_end:
            walk.item(start, end)
        return node.named_children[::-1] if walk.wide else ()
    if not walk.wide and end - start <= _LONG:
        walk.define(node, head._replace(end=end), False)
        return ()
    walk.define(node, head, True)
    if node.type == "type_definition" and head.body is not None:
        return head.body.named_children[::-1]  # not the struct again that typedef names
    return node.named_children[::-1]


def _function(walk: _Walk, node: Node, start: int, end: int, title: str) -> Children:
    head = read_head(node, title, grammar=walk.grammar, data=walk.data)
    walk.define(node, head, False)
    if not walk.wide and end - start <= _LONG:
        return ()
    if COMPILED and walk.is_python and head.body is not None:
        begin, opening = head.body.start_byte, walk.data.find(b"(", start, end)
        if is_flat(walk.data, opening, begin) and is_flat(walk.data, max(begin, head.end), end):
            return [head.body.named_child(0)] if head.end > begin else ()  # the docstring
    return node.named_children[::-1]


@cache
def _actions(grammar: Grammar, language: Language) -> dict[int, Action]:
    """What to do with each kind of node that is not ordinary, by the kind's number."""
    by_name: dict[str, Action] = dict.fromkeys((*grammar.transparent, "ERROR"), (_inside, ""))
    by_name |= dict.fromkeys(grammar.strings, (_string, ""))
    by_name |= dict.fromkeys(grammar.comments, (_comment, ""))
    by_name |= dict.fromkeys(grammar.attached, (_decorator, ""))
    by_name |= dict.fromkeys(grammar.wrappers, (_wrapper, ""))
    by_name |= dict.fromkeys(grammar.bound, (_bound, ""))
    by_name |= {kind: (_type, title) for kind, title in grammar.types.items()}
    by_name |= {kind: (_function, title) for kind, title in grammar.functions.items()}
    actions: dict[int, Action] = {_ERROR: (_inside, "")}
    for number in range(language.node_kind_count):
        name = language.node_kind_for_id(number)
        if name in by_name and language.node_kind_is_named(number):
            actions[number] = by_name[name]
    return actions


# A use of `struct tank` in C looks like its definition without a body.
_NEED_BODY = {"struct_specifier", "union_specifier", "enum_specifier", "class_specifier"}
_NEED_BODY |= {"type_definition", "module", "namespace_definition"}
_ERROR = 65_535  # the number that tree-sitter gives to all its ERROR nodes
