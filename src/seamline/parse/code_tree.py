"""Syntax trees by tree-sitter, within a bounded amount of work."""

from __future__ import annotations

import importlib
import threading
from functools import cache
from typing import TYPE_CHECKING

from seamline.errors import MissingExtra
from seamline.parse.code_grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Language, Node

__all__ = ["load_language", "n_errors", "syntax_root"]

_READ = 4_096  # bytes handed over at once
# Some grammars (Bash) hand any character to C's isalnum(), which reads beyond its table and may
# crash the process: every byte of what is not ASCII is shown as a letter. Offsets stay.
_ASCII = bytes(range(128)) + b"z" * 128
# Real code is read 1.1 to 2 times, its tokens take 2 to 10 steps of 100 operations for each
# 1000 bytes, and the worst shapes that stay linear 60. What goes on is quadratic.
_MAX_READS = 40, 4_000  # for each piece of _READ bytes, and on top
_MAX_STEPS = 0.2, 4_000  # for each byte, and on top


class _Window(threading.local):
    """The one buffer through which a thread hands over its texts.

    py-tree-sitter never lets go of what a read callback returns, so every piece has to
    be the same few objects. The lexer looks at the last piece only.
    """

    def __init__(self) -> None:
        self.whole = memoryview(bytearray(_READ))
        self.views: dict[int, memoryview] = {}

    def show(self, piece: bytes) -> memoryview:
        n = len(piece)
        if n not in self.views:
            self.views[n] = self.whole[:n]
        self.views[n][:] = piece
        return self.views[n]


_WINDOW = _Window()


@cache
def load_language(grammar: Grammar, entry: str = "") -> Language:
    """A language's tables; `entry` names another function of its wheel.

    Raises:
        MissingExtra: tree-sitter or the language's grammar is not installed.
    """
    try:
        import tree_sitter

        wheel = importlib.import_module(grammar.wheel)
    except ImportError as error:
        raise MissingExtra(
            f"reading {grammar.name} needs {error.name or grammar.wheel}, which is not installed: "
            "pip install 'seamline[code]'"
        ) from error
    return tree_sitter.Language(getattr(wheel, entry or grammar.entry)())


def syntax_root(language: Language, data: bytes) -> Node | None:
    """The root of the syntax tree of UTF-8 bytes; None where the work would not be linear.

    A few grammars look ahead to the end of the text at every token (Bash at `<<<<<<`,
    Lua at an error): beyond 40 readings of the text or 20 operations a byte the parser
    is stopped. The bound counts work, not seconds, so the same text always comes out
    the same.
    """
    from tree_sitter import Parser

    if not data.isascii():
        data = data.translate(_ASCII)
    show = _WINDOW.show
    reads = _MAX_READS[1] + _MAX_READS[0] * (len(data) // _READ)
    steps = _MAX_STEPS[1] + int(_MAX_STEPS[0] * len(data))

    def read(offset: int, _point: object) -> memoryview:
        nonlocal reads
        reads -= 1
        return show(data[offset : offset + _READ] if reads >= 0 else b"")

    def is_too_much(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001 - tree-sitter's call
        nonlocal steps
        steps -= 1
        return steps < 0 or reads < 0

    try:
        # A parser of its own: threads may take turns while one is being fed.
        tree = Parser(language).parse(read, encoding="utf8", progress_callback=is_too_much)
    except ValueError:  # stopped
        return None
    return tree.root_node if reads >= 0 else None


def n_errors(root: Node) -> int:
    """How many nodes of the tree are syntax errors or stand for something missing."""
    stack, n_found = [root] if root.has_error else [], 0
    while stack:
        node = stack.pop()
        n_found += node.is_error or node.is_missing
        stack += [child for child in node.children if child.has_error or child.is_missing]
    return n_found
