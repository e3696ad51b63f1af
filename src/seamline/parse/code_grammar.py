"""What is to be known of a language to find its definitions in a syntax tree."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Grammar"]


@dataclass(frozen=True, eq=False)
class Grammar:
    """A language: where its grammar is, and which node kinds mean what.

    `types` and `functions` map the kinds of definitions to their title, `{}` being
    the name. What stands between the definitions inside a type is a `statement`;
    the insides of a function are its own. `types` that have no body (a use of
    `struct tank` in C) are no definitions. Two titles are special: `<` is the text
    from the keyword to the name's end (`func (t *Tank) Drain`), `{` the text up to
    the body (`impl Display for Tank`).
    """

    name: str
    media_type: str
    wheel: str
    extensions: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    entry: str = "language"
    types: dict[str, str] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)
    bound: tuple[str, ...] = ()  # statements that may give a function a name
    wrappers: tuple[str, ...] = ()  # export, decorators, templates: part of the definition inside
    transparent: tuple[str, ...] = ()  # what they hold counts as standing outside them
    comments: tuple[str, ...] = ("comment",)
    attached: tuple[str, ...] = ()  # decorators and attributes beside, not in, the definition
    strings: tuple[str, ...] = ()
    bodies: tuple[str, ...] = ()  # kinds of bodies that no field names
    modifiers: tuple[bytes, ...] = ()  # words before a definition that are calls of their own
    remark: tuple[bytes, ...] = (b"//", b"/*")
