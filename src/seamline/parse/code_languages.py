"""Which language a file or a fence is in."""

from __future__ import annotations

from pathlib import PurePath

from seamline.parse.code_grammar import Grammar
from seamline.parse.code_grammars import GRAMMARS

__all__ = ["PARSERS_BY_EXTENSION", "language_of_file", "language_of_name"]

# For the registry of formats: nothing is imported before a file is parsed.
PARSERS_BY_EXTENSION = {
    end: f"seamline.parse.code:{grammar.name.upper()}"
    for grammar in GRAMMARS
    for end in grammar.extensions
}
_BY_EXTENSION = {end: grammar for grammar in GRAMMARS for end in grammar.extensions}
_BY_NAME = {name: g for g in GRAMMARS for name in (g.name, *g.aliases)}


def language_of_file(path: str | PurePath) -> Grammar | None:
    """The language of a file by its extension, None if it is no known source code.

    Example:
        >>> language_of_file("pumps/Tank.HPP").name
        'cpp'
    """
    return _BY_EXTENSION.get(PurePath(path).suffix.lower())


def language_of_name(name: str) -> Grammar | None:
    """The language that a fence's info string names, None if there is none.

    The first word counts, in any case, with or without a dot, braces or attributes.

    Example:
        >>> [
        ...     g and g.name
        ...     for g in map(language_of_name, ("C++", "{.py #id}", "sh title=x", "text"))
        ... ]
        ['cpp', 'python', 'bash', None]
    """
    words = name.strip().lstrip("{.").lower().split(maxsplit=1)
    return _BY_NAME.get(words[0].rstrip("},").split("{")[0].split(",")[0]) if words else None
