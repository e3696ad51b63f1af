"""Of a definition: its name as a reader says it, and where its body begins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from seamline.parse.code_grammar import Grammar

if TYPE_CHECKING:
    from tree_sitter import Node

__all__ = ["Head", "bound_function", "read_head", "string_text"]

_CLOSURES = frozenset(
    "arrow_function function_expression function generator_function class function_definition "
    "accessor_list".split()
)
_KEYWORDS = frozenset("class interface enum struct extension actor".split())
_LONGEST_TITLE = 120
_MAX_DECLARATORS = 50  # int (((f)(void))): each bracket is a node


class Head(NamedTuple):
    """`title`, where the head ends, and the body's node and inside, -1 without a body."""

    title: str
    end: int
    body: Node | None
    body_end: int


def read_head(node: Node, title: str, *, grammar: Grammar, data: bytes) -> Head:
    """What stands before the body; all of the definition if it has none."""
    name = _name(node)
    body, holder = _body(node, grammar)
    end, body_end = _bounds(node, body, holder=holder, grammar=grammar)
    label = _text(data, name.start_byte, name.end_byte) if name else ""
    if title == "<":
        label = _from_keyword(_text(data, node.start_byte, name.end_byte if name else end))
    elif title == "{":
        label = _text(data, node.start_byte, body.start_byte if body else end)
    else:
        label = title.format(label)
    return Head(" ".join(label.split())[:_LONGEST_TITLE], end, body, body_end)


def bound_function(node: Node, data: bytes) -> tuple[str, Node] | None:
    """Title and value of a statement that names a function: `const load = () => …`."""
    for place in (node, *node.named_children[:2]):
        value = place.child_by_field_name("value") or place.child_by_field_name("right")
        value = value or place.child_by_field_name("accessors")
        if value is None and place.type == "expression_list":  # Lua: the names are another child
            value = _first(place)
        if value is not None and value.type in _CLOSURES:
            if (name := node.child_by_field_name("name")) is not None:  # C#'s properties
                return _text(data, name.start_byte, name.end_byte), value
            title = _text(data, node.start_byte, value.start_byte).rstrip().rstrip("=:")
            return " ".join(title.split())[:_LONGEST_TITLE], value
    return None


def string_text(node: Node | None, data: bytes) -> str:
    """The first line of the string that an expression statement is, "" if it is none."""
    child = _docstring(node)
    if child is None:
        return ""
    text = _text(data, child.start_byte, child.end_byte).lstrip("rRuUbBfF").strip("\"'").strip()
    return text.split("\n", 1)[0].strip()


def _from_keyword(text: str) -> str:
    """Without the annotations and modifiers before `class`."""
    words = text.split()
    first = next((i for i, word in enumerate(words) if word in _KEYWORDS), 0)
    return " ".join(words[first:])


def _text(data: bytes, start: int, end: int) -> str:
    return data[start : min(end, start + 4 * _LONGEST_TITLE)].decode(errors="ignore")


def _name(node: Node) -> Node | None:
    name = node.child_by_field_name("name")
    if name is not None:
        return name
    declarator = node.child_by_field_name("declarator")
    if declarator is not None:
        return _declared(declarator)
    return _first_name(node) or _first_name(_first(node))


def _first_name(node: Node | None) -> Node | None:
    for child in node.named_children[:8] if node else ():
        if child.type.endswith(("identifier", "object_reference", "constant")):
            return child
        if (name := child.child_by_field_name("name")) is not None and child.is_named:
            return name
    return None


def _declared(node: Node) -> Node:
    """The name inside C's `*(*f)(int)[3]`."""
    for _ in range(_MAX_DECLARATORS):
        if node.type.endswith(("identifier", "name")):
            return node
        inner = node.child_by_field_name("declarator")
        if inner is None and node.named_child_count and node.type.endswith("declarator"):
            inner = node.named_child(node.named_child_count - 1)
        if inner is None:
            return node
        node = inner
    return node


def _body(node: Node, grammar: Grammar) -> tuple[Node | None, Node]:
    """The body, and the node that it is a child of."""
    body = node.child_by_field_name("body")
    if body is not None or node.type in ("class", "function_item"):
        return body, node
    for field in ("type", "value", "accessors"):
        inner = node.child_by_field_name(field)
        if inner is not None and (body := inner.child_by_field_name("body")) is not None:
            return body, inner
    for child in reversed(node.named_children[-8:]):
        if child.type in grammar.bodies:
            return child, node
    return None, node


def _bounds(node: Node, body: Node | None, *, holder: Node, grammar: Grammar) -> tuple[int, int]:
    """Where the head ends and where the body's inside ends."""
    if body is None:
        return _bounds_by_brace(node)
    end = _inside_end(body)
    opening = body.child(0) if body.child_count else None
    if opening is not None and opening.type in ("{", "("):
        return opening.end_byte, end
    head = _end_before(body, holder, grammar)
    if grammar.name == "python":
        doc = _docstring(_first(body))
        head = doc.end_byte if doc is not None else head
    return head, end


def _end_before(body: Node, holder: Node, grammar: Grammar) -> int:
    """The end of what stands before a body, without the comments on lines of their own."""
    # Not body.prev_sibling, which costs as much as the body lies deep.
    children, start = holder.children, body.start_byte
    n = len(children)
    while n and children[n - 1].start_byte >= start:
        n -= 1
    while n > 1 and children[n - 1].type in grammar.comments:
        if children[n - 1].start_point.row == children[n - 2].end_point.row:
            break
        n -= 1
    return children[n - 1].end_byte if n else start


def _bounds_by_brace(node: Node) -> tuple[int, int]:
    """By the brace in Go's types, to whose insides no field leads."""
    inner = node.child_by_field_name("type")
    for child in inner.children[:3] if inner is not None else ():
        if inner is not None and child.type in ("{", "field_declaration_list"):
            return child.start_byte + 1, _inside_end(inner if child.type == "{" else child)
    return node.end_byte, -1


def _inside_end(body: Node) -> int:
    """Where the closing brace begins, if the body has one, else its end."""
    last = body.child(body.child_count - 1) if body.child_count else None
    closed = last is not None and last.type in ("}", ")") and not last.is_missing
    return last.start_byte if last is not None and closed else body.end_byte


def _first(node: Node) -> Node | None:
    """The first named child, if there is any."""
    return node.named_child(0) if node.named_child_count else None


def _docstring(node: Node | None) -> Node | None:
    if node is not None and node.type == "expression_statement":
        node = _first(node) if node.named_child_count == 1 else None
    return node if node is not None and node.type == "string" else None
