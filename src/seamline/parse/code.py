"""Source code into a document: definitions, their signatures, statements, long strings."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from seamline.parse.code_grammar import Grammar
from seamline.parse.code_grammars import GRAMMARS
from seamline.parse.code_heads import string_text
from seamline.parse.code_languages import language_of_name
from seamline.parse.code_points import code_points, line_starts
from seamline.parse.code_tree import load_language, n_errors, syntax_root
from seamline.parse.code_walk import CodeColumns, add_paragraphs, collect_code
from seamline.parse.encoding import decode
from seamline.types import Blocks, Document

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["CodeParser", "code_blocks"]

_BY_NAME = {grammar.name: grammar for grammar in GRAMMARS}
_CPP = re.compile(
    rb"^[ \t]*(?:namespace|class|template|using|public|private|protected)\b", re.MULTILINE
)
_RANKS = {"definition": 0, "signature": 1, "statement": 2, "string": 3}


class CodeParser:
    """Reads one language, whole or half-finished: what is not understood is a statement."""

    def __init__(self, language: str) -> None:
        self.grammar = _BY_NAME[language]
        self.media_type = self.grammar.media_type

    def parse(self, data: bytes | str, source: str) -> Document:
        r"""The document with its blocks, nested or disjoint, sorted by (start, -end).

        Kinds, and what `level` and `title` say:

        - `definition`: a function, class, method, type, namespace, or what SQL creates,
          from its first decorator or the comment right above it to its last line;
          level = nesting depth, from 1; title as a reader names it: `class Tank`,
          `def drain`, `func (t *Tank) Drain`, `CREATE TABLE orders`.
        - `signature`: the first child of every definition: comment, decorators, the
          head with its `:` or `{`, and a docstring.
        - `statement`: what stands between the definitions of a file or a type (not of
          a function), one block up to a blank line or the next definition.
        - `string`: a string or a comment of several lines.

        Blocks begin at the start of their first line where only blanks stand before
        them, `string` blocks at their first character.

        `metadata`: `language`, `title` (the first line of a Python module's docstring,
        else the file name), `lines` (where each line starts), `errors` (how many nodes
        of the tree are syntax errors), and `unparsed: True` where the grammar would have
        needed more than linear work; there the paragraphs are the statements.

        A `.h` file that looks like C++ or is no valid C is read as C++ if that leaves
        fewer errors.

        Raises:
            InvalidDocument: the bytes are not UTF-8.
            MissingExtra: tree-sitter is not installed.

        Example:
            >>> text = "import os\n\nclass Tank:\n    def drain(self):\n        return 0\n"
            >>> for block in CodeParser("python").parse(text, "tank.py").blocks:
            ...     print(block.kind, block.span.start, block.span.end, repr(block.title))
            statement 0 9 ''
            definition 11 60 'class Tank'
            signature 11 22 ''
            definition 23 60 'def drain'
            signature 23 43 ''
        """
        given = data if isinstance(data, str) else decode(data, source)
        text = Document(id=source, text=given).text
        grammar, tree = self._read(text.encode(), source)
        metadata: dict[str, Any] = {"language": grammar.name, "title": _title(tree, source)}
        metadata |= {"lines": line_starts(tree.data), "errors": tree.errors}
        if tree.root is None:
            metadata["unparsed"] = True
        return Document(
            id=source,
            text=text,
            blocks=_blocks(tree, grammar),
            source=source,
            media_type=grammar.media_type,
            metadata=metadata,
        )

    def _read(self, data: bytes, source: str) -> tuple[Grammar, _Tree]:
        tree = _tree(data, self.grammar)
        if self.grammar.name == "c" and source.lower().endswith(".h"):
            # The grammar of C takes `namespace a {` for a function of type `namespace`.
            marked = _CPP.search(data) is not None
            if marked or tree.errors:
                other = _tree(data, _BY_NAME["cpp"])
                if other.errors < tree.errors + marked:
                    return _BY_NAME["cpp"], other
        return self.grammar, tree


def code_blocks(text: str, language: str) -> Blocks:
    r"""The blocks of a piece of code, offsets relative to it; none for an unknown language.

    `language` may be a fence's whole info string: `py`, `C++`, `js title="a.js"`. Line
    ends in `text` must be `\n`. Kinds as in `CodeParser.parse`.

    Raises:
        MissingExtra: the language is known, but tree-sitter is not installed.

    Example:
        >>> [block.title for block in code_blocks("fn drain() {\n}", "rust")]
        ['fn drain', '']
        >>> len(code_blocks("Oil the pump.", "text"))
        0
    """
    grammar = language_of_name(language)
    if grammar is None:
        return Blocks.of(())
    entry = "language_php_only" if grammar.name == "php" and "<?" not in text else ""
    return _blocks(_tree(text.encode(errors="replace"), grammar, entry), grammar, entry)


class _Tree(NamedTuple):
    """Bytes and the root of their syntax tree, None where it was not made."""

    data: bytes
    root: Node | None
    errors: int


def _tree(data: bytes, grammar: Grammar, entry: str = "") -> _Tree:
    root = syntax_root(load_language(grammar, entry), data)
    return _Tree(data, root, 1 if root is None else n_errors(root))


def _blocks(tree: _Tree, grammar: Grammar, entry: str = "") -> Blocks:
    """Sorted, parents first, in code points."""
    if tree.root is None:
        found = CodeColumns(tree.data)
        add_paragraphs(found)
    else:
        language = load_language(grammar, entry)
        found = collect_code(tree.root, data=tree.data, grammar=grammar, language=language)
    n = len(found.kinds)
    ranks = [_RANKS[kind] for kind in found.kinds]
    keys = list(zip(found.starts, [-end for end in found.ends], ranks, strict=True))
    order = sorted(range(n), key=keys.__getitem__)
    offsets = code_points(tree.data, found.starts + found.ends)
    return Blocks(
        [found.kinds[at] for at in order],
        [offsets[at] for at in order],
        [offsets[n + at] for at in order],
        [found.levels[at] for at in order],
        [found.titles[at] for at in order],
    )


def _title(tree: _Tree, source: str) -> str:
    if tree.root is not None:
        # Not named_children, which would make a node of every statement.
        children = map(tree.root.named_child, range(min(tree.root.named_child_count, 8)))
        first = next((child for child in children if child.type != "comment"), None)
        if first is not None and (title := string_text(first, tree.data)):
            return title
    return PurePath(source).name or source


PYTHON, JAVASCRIPT = CodeParser("python"), CodeParser("javascript")
TYPESCRIPT, TSX = CodeParser("typescript"), CodeParser("tsx")
JAVA, KOTLIN, SCALA = CodeParser("java"), CodeParser("kotlin"), CodeParser("scala")
C, CPP, CSHARP = CodeParser("c"), CodeParser("cpp"), CodeParser("csharp")
GO, RUST, SWIFT = CodeParser("go"), CodeParser("rust"), CodeParser("swift")
RUBY, PHP, LUA = CodeParser("ruby"), CodeParser("php"), CodeParser("lua")
BASH, SQL = CodeParser("bash"), CodeParser("sql")
